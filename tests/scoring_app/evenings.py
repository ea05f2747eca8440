"""Evenings to count: sessions with tables, players and rounds."""

from __future__ import annotations

from typing import Any

from scoring_app.models import Session, SessionPlayer, Table
from scoring_app.sessions import add_player, open_session_table


def people(session: Session, names: str | list[str]) -> list[SessionPlayer]:
    """A player for each name (of a text: for each letter)."""
    return [add_player(session=session, name=name) for name in names]


def table_of(session: Session, names: str | list[str]) -> Table:
    """A table with a new player for each name (letter)."""
    return open_session_table(session=session, players=people(session, names))


def place(table: Table, **more: Any) -> dict[str, Any]:
    """What every write at a table needs, at the version it has now."""
    table.refresh_from_db()
    return {"table": table, "expected_version": table.version, "idempotency_key": f"k{table.version}", **more}
