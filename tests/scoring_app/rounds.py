"""Rounds to write, entered quickly by patterns."""

from __future__ import annotations

from typing import Any

from scoring_app.ledger import Discrepancy, verify_table
from scoring_app.models import Table


def payload(*events: dict[str, Any], **extra: Any) -> dict[str, Any]:
    return {"round": {"events": list(events)}, **extra}


def discard_win(seat: int, *, payer: int) -> dict[str, Any]:
    return {"type": "win", "seat": seat, "by": "discard", "from": payer, "declared": ["plain"]}


def self_draw(seat: int) -> dict[str, Any]:
    return {"type": "win", "seat": seat, "by": "self_draw", "declared": ["plain"]}


def kong(seat: int, tile: str = "5p") -> dict[str, Any]:
    return {"type": "kong", "seat": seat, "kind": "concealed", "tile": tile}


def discrepancies(table: Table) -> list[Discrepancy]:
    """What a replay of the table, as it is stored now, finds wrong."""
    table.refresh_from_db()
    return verify_table(table)
