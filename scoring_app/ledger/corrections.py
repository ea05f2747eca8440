"""Correcting, voiding and undoing: entries about earlier entries."""

from __future__ import annotations

from rules_app.engine.text import Text
from scoring_app.ledger.entries import NOBODY
from scoring_app.ledger.errors import NotAllowed
from scoring_app.ledger.payloads import checked
from scoring_app.ledger.records import Record, read_records
from scoring_app.ledger.replay import Edit, Replay, replay
from scoring_app.ledger.values import Change, Json, Origin, Recorded
from scoring_app.ledger.writing import Plan, write
from scoring_app.models import Entry, Participant, Table


def correct_entry(
    *,
    table: Table,
    seq: int,
    payload: Json,
    reason: str = "",
    expected_version: int,
    idempotency_key: str,
    origin: Origin = NOBODY,
) -> Recorded:
    """Let entry ``seq`` say something else from now on; a voided one counts again.

    What follows is ruled again in the same transaction.

    :raises FollowingRefused: a later entry could no longer stand.
    :raises NotAllowed: there is no such entry, it cannot be corrected, or it says this already.
    :raises rules_app.engine.Refusal, InvalidEntry: the new content is refused.
    """

    def plan(locked: Table) -> Plan:
        records = read_records(locked)
        record = _correctable(records, seq)
        edit = Edit(checked(record.entry.kind, payload))
        if not record.current.voided and edit.payload == record.current.payload:
            raise NotAllowed("nothing_changed", Text(zh="内容没有变化。", en="The entry says this already."), "")
        return _plan(locked, records, {seq: edit}, target=record.entry, reason=reason)

    body = {"kind": "correction", "seq": seq, "payload": payload, "reason": reason}
    return write(table=table, key=idempotency_key, body=body, expected_version=expected_version, origin=origin, plan=plan)


def void_entry(
    *, table: Table, seq: int, reason: str = "", expected_version: int, idempotency_key: str, origin: Origin = NOBODY
) -> Recorded:
    """Let entry ``seq`` no longer count; it stays readable."""

    def plan(locked: Table) -> Plan:
        records = read_records(locked)
        record = _correctable(records, seq)
        if record.current.voided:
            raise NotAllowed("already_void", Text(zh="这一笔已经作废。", en="This entry is void already."))
        return _plan(locked, records, {seq: Edit(None)}, target=record.entry, reason=reason)

    body = {"kind": "void", "seq": seq, "reason": reason}
    return write(table=table, key=idempotency_key, body=body, expected_version=expected_version, origin=origin, plan=plan)


def preview_correction(*, table: Table, seq: int, payload: Json | None = None) -> list[Change]:
    """What correcting entry ``seq`` (voiding it: ``payload`` None) would change, in order; nothing is written.

    :raises FollowingRefused, NotAllowed, rules_app.engine.Refusal, InvalidEntry: as the correction would.
    """
    records = read_records(table)
    record = _correctable(records, seq)
    edit = Edit(None if payload is None else checked(record.entry.kind, payload))
    return [new.as_change() for new in _replay(table, records, {seq: edit}).contents]


def undo_last(*, table: Table, expected_version: int, idempotency_key: str, origin: Origin = NOBODY, reason: str = "") -> Recorded:
    """Take back the last act that has not been taken back: void an entry, or reverse a correction.

    Undoing again goes further back; it never undoes an undo.

    :raises NotAllowed: ``nothing_to_undo``.
    """

    def plan(locked: Table) -> Plan:
        records = read_records(locked)
        last = undoable_among([record.entry for record in records])
        if last is None:
            raise NotAllowed("nothing_to_undo", Text(zh="没有可以撤销的记录。", en="There is nothing to undo."))
        record = next(record for record in records if record.entry.pk == (last.target_id or last.pk))
        return _plan(locked, records, {record.seq: _reverse(record, last)}, target=record.entry, undoes=last, reason=reason)

    body = {"kind": "undo", "reason": reason}
    return write(table=table, key=idempotency_key, body=body, expected_version=expected_version, origin=origin, plan=plan)


def undoable_entry(table: Table) -> Entry | None:
    """What `undo_last` would take back."""
    return undoable_among(list(Entry.objects.filter(table=table).select_related("target").order_by("seq")))


def undoable_among(entries: list[Entry]) -> Entry | None:
    """The same, of all entries of a table in order."""
    undone = {entry.undoes_id for entry in entries if entry.undoes_id}
    return next((entry for entry in reversed(entries) if entry.undoes_id is None and entry.pk not in undone), None)


def _reverse(record: Record, act: Entry) -> Edit:
    """What the record said before ``act``."""
    if act.target_id is None:
        return Edit(None)
    written = next(content for content in record.contents if content.written_by_id == act.pk)
    before = next(content for content in record.contents if content.version == written.version - 1)
    return Edit(None if before.voided else before.payload)


def _correctable(records: list[Record], seq: int) -> Record:
    for record in records:
        if record.seq == seq:
            if record.contents:
                return record
            message = Text(
                zh="更正本身不能再更正；请更正原来那一笔。", en="A correction cannot be corrected; correct the entry that it is about."
            )
            raise NotAllowed("not_correctable", message, "seq")
    raise NotAllowed("no_such_entry", Text(zh=f"没有第 {seq} 笔记录。", en=f"There is no entry {seq}."), "seq")


def _replay(table: Table, records: list[Record], edits: dict[int, Edit]) -> Replay:
    return replay(table=table, records=records, edits=edits, participants=Participant.objects.filter(table=table).count())


def _plan(table: Table, records: list[Record], edits: dict[int, Edit], *, target: Entry, reason: str, undoes: Entry | None = None) -> Plan:
    played = _replay(table, records, edits)
    voids = edits[target.seq].payload is None
    return Plan(
        kind=Entry.Kind.VOID if voids else Entry.Kind.CORRECTION,
        situation=played.situation,
        totals=played.totals,
        contents=played.contents,
        target=target,
        undoes=undoes,
        reason=reason,
    )
