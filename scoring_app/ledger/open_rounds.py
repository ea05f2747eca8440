"""The round in progress: events are added when they happen and become an entry when the round is closed.

Each change names the ``draft_version`` it was made against, 0 when no round was open.  The engine looks at each
event as it comes: what it refuses is not added.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import transaction

from rules_app.engine.text import Text
from scoring_app.ledger.entries import preview_round
from scoring_app.ledger.errors import NotAllowed, StaleDraft, StaleVersion
from scoring_app.ledger.locking import lock_table
from scoring_app.ledger.opening import touch
from scoring_app.ledger.payloads import checked
from scoring_app.ledger.values import NOBODY, Json, Origin, Preview, Recorded
from scoring_app.ledger.writing import Plan, plan_entry, require_open, write
from scoring_app.models import Entry, OpenRound, Table

KEPT_KEYS = 50


def open_round_of(table: Table) -> OpenRound | None:
    return OpenRound.objects.filter(table=table).first()


def begin_round(*, table: Table, payload: Json | None = None, expected_version: int) -> OpenRound:
    """Open a round, or return the one that is open."""
    with transaction.atomic():
        table = lock_table(table)
        draft = open_round_of(table)
        if draft is not None:
            return draft
        if table.version != expected_version:
            raise StaleVersion(table.version, list(Entry.objects.filter(table=table, seq__gt=expected_version).order_by("seq")))
        return _begin(table, payload)


def set_round(
    *,
    table: Table,
    draft_version: int,
    wild: list[str] | None = None,
    inputs: Json | None = None,
    table_override: Json | None = None,
) -> OpenRound:
    """Facts of the round that are no events; None leaves one as it is."""

    def change(payload: Json) -> None:
        if wild is not None:
            payload["round"]["wild"] = wild
        if inputs is not None:
            payload["round"]["inputs"] = inputs
        if table_override is not None:
            payload["table"] = table_override

    return _change(table, draft_version, change, look=False)


def add_event(*, table: Table, event: Json, draft_version: int, key: str = "") -> OpenRound:
    """Add an event; a round is opened if none is (``draft_version`` 0). The same key twice adds it once.

    :raises rules_app.engine.Refusal, InvalidEntry: it is refused after what happened before.
    :raises StaleDraft: another device was faster.
    """
    return _change(table, draft_version, lambda payload: payload["round"]["events"].append(event), key=key)


def replace_event(*, table: Table, index: int, event: Json, draft_version: int) -> OpenRound:
    def change(payload: Json) -> None:
        payload["round"]["events"][_place(payload, index)] = event

    return _change(table, draft_version, change)


def remove_event(*, table: Table, index: int, draft_version: int) -> OpenRound:
    """Take an event back.

    What is left may be refused by the rules, as when a kong is taken back that a later win speaks of: it is kept
    all the same, and its preview says what is wrong.
    """
    return _change(table, draft_version, lambda payload: payload["round"]["events"].pop(_place(payload, index)), look=False)


def discard_round(*, table: Table, draft_version: int) -> None:
    with transaction.atomic():
        table = lock_table(table)
        _draft(table, draft_version).delete()
        touch(table)


def preview_open_round(table: Table, *, language: str = "zh") -> Preview | None:
    """What the round in progress has come to so far; None when none is open.

    :raises rules_app.engine.Refusal, InvalidEntry: it does not hold together.
    """
    draft = open_round_of(table)
    if draft is None:
        return None
    return preview_round(table=table, payload=draft.payload, language=language, running=True)


def close_round(
    *,
    table: Table,
    draft_version: int,
    expected_version: int,
    idempotency_key: str,
    origin: Origin = NOBODY,
    unfinished: bool = False,
    next_override: Json | None = None,
) -> Recorded:
    """The round in progress becomes an entry.

    :raises NotAllowed: the rules see it as going on, and ``unfinished`` is not said.
    """

    def plan(locked: Table) -> Plan:
        draft = _draft(locked, draft_version)
        payload = dict(draft.payload)
        if unfinished:
            payload["unfinished"] = True
        if next_override:
            payload["next"] = next_override
        payload = checked(Entry.Kind.ROUND, payload)
        draft.delete()
        require_open(locked, Entry.Kind.ROUND)
        return plan_entry(locked, kind=Entry.Kind.ROUND, payload=payload)

    body = {"kind": "close_round", "draft": draft_version, "unfinished": unfinished, "next": next_override}
    return write(table=table, key=idempotency_key, body=body, expected_version=expected_version, origin=origin, plan=plan)


def _change(table: Table, draft_version: int, change: Callable[[Json], Any], *, key: str = "", look: bool = True) -> OpenRound:
    with transaction.atomic():
        table = lock_table(table)
        draft = open_round_of(table)
        if draft is not None and key and key in draft.keys:
            return draft
        draft = _begin(table, None) if draft is None and draft_version == 0 else _draft(table, draft_version)
        change(draft.payload)
        draft.payload = checked(Entry.Kind.ROUND, draft.payload)
        if look:
            preview_round(table=table, payload=draft.payload, running=True)
        if key:
            draft.keys = [*draft.keys, key][-KEPT_KEYS:]
        draft.version += 1
        draft.save()
        touch(table)
        return draft


def _begin(table: Table, payload: Json | None) -> OpenRound:
    require_open(table, Entry.Kind.ROUND)
    payload = checked(Entry.Kind.ROUND, payload or {"round": {"events": []}})
    touch(table)
    return OpenRound.objects.create(table=table, payload=payload, version=1)


def _draft(table: Table, draft_version: int) -> OpenRound:
    draft = open_round_of(table)
    if draft is None or draft.version != draft_version:
        raise StaleDraft(draft)
    return draft


def _place(payload: Json, index: int) -> int:
    if not 0 <= index < len(payload["round"]["events"]):
        raise NotAllowed("no_such_event", Text(zh="这一局没有这个事件。", en="This round has no such event."), f"round.events[{index}]")
    return index
