"""Seats that turn out to have been wrong: say who really sat where, and play on from there again."""

from __future__ import annotations

from collections.abc import Sequence

from rules_app import rulings
from rules_app.engine.text import Text
from scoring_app.ledger.corrections import plan_edits, preview_edits
from scoring_app.ledger.errors import InvalidEntry, NotAllowed
from scoring_app.ledger.payloads import checked
from scoring_app.ledger.records import Record, read_records
from scoring_app.ledger.replay import Edit
from scoring_app.ledger.values import NOBODY, Change, Json, Origin, Recorded
from scoring_app.ledger.writing import Plan, write
from scoring_app.models import Entry, Table


def swap_seats_and_replay(
    *,
    table: Table,
    from_seq: int,
    seats: Sequence[int | None],
    reason: str = "",
    expected_version: int,
    idempotency_key: str,
    origin: Origin = NOBODY,
) -> Recorded:
    """From entry ``from_seq`` on, people sat as ``seats`` says (participant numbers by seat), not as it was written.

    What was played by seat goes to those who sat there, in that entry and in all that follow; later changes of seats
    follow suit.  It is one entry, and one undo takes it back.  Points moved by hand between named people stay.

    :raises NotAllowed: nothing was played by seat from there on, or everybody sat there already.
    :raises FollowingRefused, InvalidEntry: as a correction.
    """

    def plan(locked: Table) -> Plan:
        records = read_records(locked)
        edits, first = _edits(locked, records, from_seq, list(seats))
        return plan_edits(locked, records, edits, target=first.entry, reason=reason)

    body = {"kind": "swap_seats", "from": from_seq, "seats": list(seats), "reason": reason}
    return write(table=table, key=idempotency_key, body=body, expected_version=expected_version, origin=origin, plan=plan)


def preview_swap(*, table: Table, from_seq: int, seats: Sequence[int | None]) -> list[Change]:
    """What `swap_seats_and_replay` would change, in order; nothing is written."""
    records = read_records(table)
    edits, _ = _edits(table, records, from_seq, list(seats))
    return preview_edits(table, records, edits)


def _edits(table: Table, records: list[Record], from_seq: int, seats: list[int | None]) -> tuple[dict[int, Edit], Record]:
    """The edits, and the entry that they start with: the first from ``from_seq`` on in which seats matter."""
    if rulings.ruleset_of(table.revision).document.parties is not None:
        message = Text(zh="这种玩法按人记分，没有座位可换。", en="In this game people are named and not seats; there is nothing to swap.")
        raise NotAllowed("no_seats", message, "seats")
    lasting = [record for record in records if record.contents and not record.current.voided and record.seq >= from_seq]
    concerned = [record for record in lasting if _bears_on_seats(record)]
    if not concerned:
        message = Text(zh=f"第 {from_seq} 笔之后没有按座位记的内容。", en=f"Nothing was played by seat from entry {from_seq} on.")
        raise NotAllowed("nothing_to_replay", message, "from_seq")
    first = concerned[0]
    written = first.current.payload["seats"] if first.entry.kind == Entry.Kind.SEAT_CHANGE else first.current.before["seats"]
    mapping = _mapping(written, seats)
    edits = {first.seq: Edit(_with_seats(first, first.current.payload, seats))}
    for record in concerned[1:]:
        payload = record.current.payload
        named = payload["seats"] if record.entry.kind == Entry.Kind.SEAT_CHANGE else payload.get("table", {}).get("seats")
        if named is not None:
            moved = [mapping.get(number, number) if number is not None else None for number in named]
            edits[record.seq] = Edit(_with_seats(record, payload, moved), follows=True)
    return edits, first


def _bears_on_seats(record: Record) -> bool:
    return record.entry.kind == Entry.Kind.SEAT_CHANGE or "round" in record.current.payload


def _mapping(written: Sequence[int | None], seats: list[int | None]) -> dict[int, int]:
    """Who stands for whom from now on: those who were written down, for those who sat there, one to one."""
    if len(written) != len(seats):
        count = len(written)
        raise InvalidEntry("bad_input", Text(zh=f"这一桌有 {count} 个座位。", en=f"This table has {count} seats."), "seats")
    if list(written) == seats:
        raise NotAllowed("nothing_changed", Text(zh="座位本来就是这样记的。", en="The seats are written down like this already."), "seats")
    mapping = {old: new for old, new in zip(written, seats, strict=True) if old is not None and new is not None}
    # Whoever gives up a place without getting one takes that of whoever comes in.
    left = [number for number in mapping if number not in mapping.values()]
    entered = [number for number in mapping.values() if number not in mapping]
    return mapping | dict(zip(entered, left, strict=False))


def _with_seats(record: Record, payload: Json, seats: list[int | None]) -> Json:
    if record.entry.kind == Entry.Kind.SEAT_CHANGE:
        return checked(record.entry.kind, {**payload, "seats": seats})
    return checked(record.entry.kind, {**payload, "table": {**payload.get("table", {}), "seats": seats}})
