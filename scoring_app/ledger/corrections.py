"""Correcting, voiding and undoing: entries about earlier entries."""

from __future__ import annotations

from rules_app.engine.text import Text
from rules_app.models import Revision
from scoring_app.ledger.errors import NotAllowed
from scoring_app.ledger.payloads import checked
from scoring_app.ledger.records import Record, read_records
from scoring_app.ledger.replay import Edit, Replay, replay
from scoring_app.ledger.rotations import require_whole_rotation
from scoring_app.ledger.values import NOBODY, Change, Json, Origin, Recorded
from scoring_app.ledger.writing import Plan, Rules, write
from scoring_app.models import Content, Entry, Participant, Table


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
        record = correctable(records, seq)
        if record.entry.kind == Entry.Kind.RULES:
            message = Text(
                zh="规则变更只能作废；要换别的规则请再换一次。", en="A change of rules can only be voided; to play by others, change again."
            )
            raise NotAllowed("not_correctable", message, "seq")
        edit = Edit(checked(record.entry.kind, payload))
        if not record.current.voided and edit.payload == record.current.payload:
            raise NotAllowed("nothing_changed", Text(zh="内容没有变化。", en="The entry says this already."), "")
        require_whole_rotation(record, edit)
        return plan_edits(locked, records, {seq: edit}, target=record.entry, reason=reason)

    body = {"kind": "correction", "seq": seq, "payload": payload, "reason": reason}
    return write(table=table, key=idempotency_key, body=body, expected_version=expected_version, origin=origin, plan=plan)


def void_entry(
    *, table: Table, seq: int, reason: str = "", expected_version: int, idempotency_key: str, origin: Origin = NOBODY
) -> Recorded:
    """Let entry ``seq`` no longer count; it stays readable."""

    def plan(locked: Table) -> Plan:
        records = read_records(locked)
        record = correctable(records, seq)
        if record.current.voided:
            raise NotAllowed("already_void", Text(zh="这一笔已经作废。", en="This entry is void already."))
        require_whole_rotation(record, Edit(None))
        return plan_edits(locked, records, _void(records, record), target=record.entry, reason=reason)

    body = {"kind": "void", "seq": seq, "reason": reason}
    return write(table=table, key=idempotency_key, body=body, expected_version=expected_version, origin=origin, plan=plan)


def preview_correction(*, table: Table, seq: int, payload: Json | None = None) -> list[Change]:
    """What correcting entry ``seq`` (voiding it: ``payload`` None) would change, in order; nothing is written.

    :raises FollowingRefused, NotAllowed, rules_app.engine.Refusal, InvalidEntry: as the correction would.
    """
    records = read_records(table)
    record = correctable(records, seq)
    edits = _void(records, record) if payload is None else {seq: Edit(checked(record.entry.kind, payload))}
    require_whole_rotation(record, edits[seq])
    return preview_edits(table, records, edits)


def undo_last(
    *,
    table: Table,
    expected_version: int,
    idempotency_key: str,
    origin: Origin = NOBODY,
    reason: str = "",
    of_rotation: bool = False,
) -> Recorded:
    """Take back the last act that has not been taken back: void an entry, or reverse a correction.

    Undoing again goes further back; it never undoes an undo.  ``of_rotation`` says that a drawing of seats is taken
    back at all its tables.

    :raises NotAllowed: ``nothing_to_undo``, or ``part_of_rotation``.
    """

    def plan(locked: Table) -> Plan:
        records = read_records(locked)
        last = undoable_among([record.entry for record in records])
        if last is None:
            raise NotAllowed("nothing_to_undo", Text(zh="没有可以撤销的记录。", en="There is nothing to undo."))
        record = next(record for record in records if record.entry.pk == (last.target_id or last.pk))
        edits = _reverse(records, last)
        if not of_rotation:
            require_whole_rotation(record, edits[record.seq])
        return plan_edits(locked, records, edits, target=record.entry, undoes=last, reason=reason)

    body = {"kind": "undo", "reason": reason}
    return write(table=table, key=idempotency_key, body=body, expected_version=expected_version, origin=origin, plan=plan)


def undoable_entry(table: Table) -> Entry | None:
    """What `undo_last` would take back."""
    return undoable_among(list(Entry.objects.filter(table=table).select_related("target").order_by("seq")))


def undoable_among(entries: list[Entry]) -> Entry | None:
    """The same, of all entries of a table in order."""
    undone = {entry.undoes_id for entry in entries if entry.undoes_id}
    return next((entry for entry in reversed(entries) if entry.undoes_id is None and entry.pk not in undone), None)


def plan_edits(
    table: Table, records: list[Record], edits: dict[int, Edit], *, target: Entry, reason: str, undoes: Entry | None = None
) -> Plan:
    """The plan of an entry about ``target`` that lets entries (by ``seq``) say something else."""
    played = replay_edits(table, records, edits)
    voids = edits[target.seq].payload is None
    return Plan(
        kind=Entry.Kind.VOID if voids else Entry.Kind.CORRECTION,
        situation=played.situation,
        totals=played.totals,
        contents=played.contents,
        target=target,
        undoes=undoes,
        reason=reason,
        rules=rules_after(table, records, edits),
    )


def preview_edits(table: Table, records: list[Record], edits: dict[int, Edit]) -> list[Change]:
    return [new.as_change() for new in replay_edits(table, records, edits).contents]


def replay_edits(table: Table, records: list[Record], edits: dict[int, Edit]) -> Replay:
    return replay(table=table, records=records, edits=edits, participants=Participant.objects.filter(table=table).count())


def rules_after(table: Table, records: list[Record], edits: dict[int, Edit]) -> Rules | None:
    """What the table is played by once the edits are made; None where it was never moved to other rules."""
    moves = [record for record in records if record.entry.kind == Entry.Kind.RULES]
    if not moves:
        return None
    for record in reversed(moves):
        voided = edits[record.seq].payload is None if record.seq in edits else record.current.voided
        if not voided:
            return Rules(record.current.revision, record.current.options)
    origin = moves[0].current.payload["from"]
    revision = Revision.objects.filter(content_hash=origin["revision"], status=Revision.Status.PUBLISHED).first()
    return Rules(revision or table.revision, origin["options"])


def correctable(records: list[Record], seq: int) -> Record:
    """The record ``seq``, if it says something that can be corrected. :raises NotAllowed:"""
    for record in records:
        if record.seq == seq:
            if record.contents:
                return record
            message = Text(
                zh="更正本身不能再更正；请更正原来那一笔。", en="A correction cannot be corrected; correct the entry that it is about."
            )
            raise NotAllowed("not_correctable", message, "seq")
    raise NotAllowed("no_such_entry", Text(zh=f"没有第 {seq} 笔记录。", en=f"There is no entry {seq}."), "seq")


def _void(records: list[Record], record: Record) -> dict[int, Edit]:
    """What voiding a record edits: itself, and if it moved the table to other rules what it had ruled anew."""
    edits = {record.seq: Edit(None)}
    if record.entry.kind == Entry.Kind.RULES:
        edits |= _ruled_as_before(records, record.entry)
    return edits


def _reverse(records: list[Record], act: Entry) -> dict[int, Edit]:
    """What takes an act back: every entry that it edited says again what it said before."""
    edits = _ruled_as_before(records, act)
    for record in records:
        if record.entry.pk == act.pk:
            edits[record.seq] = Edit(None)
            continue
        for content in record.contents:
            if content.written_by_id == act.pk and content.cause in {Content.Cause.CORRECTED, Content.Cause.VOIDED}:
                before = _version_before(record, content)
                payload = None if before.voided else before.payload
                follows = record.entry.pk != act.target_id
                kept = before.payload if before.voided else None
                edits[record.seq] = Edit(payload, revision=before.revision, options=before.options, follows=follows, kept=kept)
    return edits


def _ruled_as_before(records: list[Record], act: Entry) -> dict[int, Edit]:
    """The entries that an act put under other rules, each under its former ones again."""
    edits = {}
    for record in records:
        for content in record.contents:
            if content.written_by_id != act.pk or content.version == 1 or record.current.voided:
                continue
            before = _version_before(record, content)
            if (before.revision_id, before.options) != (content.revision_id, content.options):
                cause = Content.Cause.RESCORED
                payload = record.current.payload
                edits[record.seq] = Edit(payload, revision=before.revision, options=before.options, follows=True, cause=cause)
    return edits


def _version_before(record: Record, content: Content) -> Content:
    return next(older for older in record.contents if older.version == content.version - 1)
