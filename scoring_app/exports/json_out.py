"""A table or a session as a document that imports again to the same ledger, with the rules that it was played by."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from rules_app.models import Revision
from scoring_app.exports.documents import FORMAT, VERSION
from scoring_app.ledger.records import Record, read_records
from scoring_app.ledger.values import Json, Line
from scoring_app.models import Confirmation, Content, Dispute, DisputeAnswer, Member, Participant, Session, Table


def table_document(table: Table) -> Json:
    """Everything of a table but its secrets: participants, entries with all their contents, hashes, marks."""
    part, revisions = _table(table)
    return {
        "format": f"{FORMAT}/table",
        "version": VERSION,
        "exported_at": _moment(timezone.now()),
        "revisions": _revisions(revisions),
        "members": _members([table]),
        "table": part,
    }


def session_document(session: Session) -> Json:
    """A session with its players, draws and tables."""
    tables = list(session.tables.select_related("revision__ruleset").order_by("number", "pk"))
    parts = [_table(table) for table in tables]
    revisions = {session.revision_id}.union(*(found for _, found in parts))
    return {
        "format": f"{FORMAT}/session",
        "version": VERSION,
        "exported_at": _moment(timezone.now()),
        "revisions": _revisions(revisions),
        "members": _members(tables) | _names(player.member for player in session.players.select_related("member")),
        "session": {
            "id": session.public_id,
            "title": session.title,
            "language": session.language,
            "date": session.date.isoformat(),
            "status": session.status,
            "revision": session.revision.content_hash,
            "options": session.options,
            "start_points": session.start_points,
            "length_kind": session.length_kind,
            "length": session.length,
            "confirmation": session.confirmation,
            "table_fee": session.table_fee,
            "rotation": session.rotation,
            "season": session.season.name if session.season is not None else None,
            "started_at": _moment(session.started_at),
            "ended_at": _moment(session.ended_at),
            "clock": {
                "started_at": _moment(session.clock_started_at),
                "paused_at": _moment(session.clock_paused_at),
                "paused_seconds": session.clock_paused_seconds,
            },
            "players": [
                {
                    "number": player.number,
                    "name": player.name,
                    "member": player.member.public_id if player.member is not None else None,
                    "left_at": _moment(player.left_at),
                }
                for player in session.players.select_related("member").order_by("number")
            ],
            "draws": [
                {
                    "rotation": draw.rotation,
                    "method": draw.method,
                    "seed": draw.seed,
                    "seating": draw.seating,
                    "device_label": draw.device_label,
                    "made_at": _moment(draw.made_at),
                }
                for draw in session.draws.order_by("rotation")
            ],
            "tables": [part for part, _ in parts],
        },
    }


def _table(table: Table) -> tuple[Json, set[int]]:
    """The part of a table, and the revisions that it names."""
    records = read_records(table)
    seqs = {record.entry.pk: record.seq for record in records}
    marks = _marks(table)
    wrote: dict[int, list[Json]] = {}
    revisions = {table.revision_id}
    for record in records:
        for content in record.contents:
            revisions.add(content.revision_id)
            wrote.setdefault(content.written_by_id, []).append(_content(record.seq, content, record.lines_of(content)))
    part = {
        "id": table.public_id,
        "number": table.number,
        "title": table.title,
        "language": table.language,
        "seats": table.seats,
        "start_points": table.start_points,
        "length_kind": table.length_kind,
        "length": table.length,
        "confirmation": table.confirmation,
        "revision": table.revision.content_hash,
        "options": table.options,
        "opening": table.opening,
        "created_at": _moment(table.created_at),
        "participants": [
            {
                "number": person.number,
                "name": person.name,
                "kind": person.kind,
                "seat": person.seat,
                "player": person.player.number if person.player is not None else None,
                "member": person.member.public_id if person.member is not None else None,
            }
            for person in Participant.objects.filter(table=table).select_related("player", "member").order_by("number")
        ],
        "entries": [_entry(record, seqs, wrote.get(record.entry.pk, []), marks.get(record.entry.pk, {})) for record in records],
        "extra_times": [
            {
                "seconds": extra.seconds,
                "reason": extra.reason,
                "given_by": _who(extra.given_by),
                "device_label": extra.device_label,
                "given_at": _moment(extra.given_at),
            }
            for extra in table.extra_times.select_related("given_by").order_by("pk")
        ],
    }
    return part, revisions


def _entry(record: Record, seqs: dict[int, int], wrote: list[Json], marks: Json) -> Json:
    entry = record.entry
    return {
        "seq": entry.seq,
        "kind": entry.kind,
        "target": seqs[entry.target_id] if entry.target_id else None,
        "undoes": seqs[entry.undoes_id] if entry.undoes_id else None,
        "reason": entry.reason,
        "client_time": _moment(entry.client_time),
        "server_time": _moment(entry.server_time),
        "device_id": entry.device_id,
        "device_label": entry.device_label,
        "author": _who(entry.author),
        "key": entry.idempotency_key,
        "body_hash": entry.body_hash,
        "previous_hash": entry.previous_hash,
        "hash": entry.hash,
        "wrote": wrote,
        "confirmations": marks.get("confirmations", []),
        "disputes": marks.get("disputes", []),
    }


def _content(seq: int, content: Content, lines: Iterable[Line]) -> Json:
    return {
        "entry": seq,
        "version": content.version,
        "cause": content.cause,
        "voided": content.voided,
        "payload": content.payload,
        "revision": content.revision.content_hash,
        "options": content.options,
        "before": content.before,
        "after": content.after,
        "summary": content.summary,
        "lines": [
            {
                "payer": line.payer,
                "payee": line.payee,
                "amount": line.amount,
                "zh": line.reason.zh,
                "en": line.reason.en,
                "rule": line.rule,
                "event": line.event,
            }
            for line in lines
        ],
    }


def _marks(table: Table) -> dict[int, Json]:
    found: dict[int, Json] = {}

    def of(entry: int, name: str) -> list[Json]:
        marks: list[Json] = found.setdefault(entry, {}).setdefault(name, [])
        return marks

    rows = Confirmation.objects.filter(content__entry__table=table).select_related("content", "author", "seal").order_by("pk")
    for confirmation in rows:
        of(confirmation.content.entry_id, "confirmations").append({"version": confirmation.content.version, **_said(confirmation)})
    for dispute in (
        Dispute.objects.filter(entry__table=table).select_related("answer__author", "answer__seal", "author", "seal").order_by("pk")
    ):
        answer = dispute.resolution
        answered = {"outcome": answer.outcome, "text": answer.text, **_said(answer)} if answer is not None else None
        of(dispute.entry_id, "disputes").append({"text": dispute.text, **_said(dispute), "answer": answered})
    return found


def _said(said: Confirmation | Dispute | DisputeAnswer) -> Json:
    return {
        "device_id": said.device_id,
        "device_label": said.device_label,
        "author": _who(said.author),
        "made_at": _moment(said.made_at),
        "number": said.seal.number,
        "hash": said.seal.hash,
    }


def _who(account: Any) -> Json | None:
    return None if account is None else {"id": account.pk, "name": account.get_username()}


def _revisions(keys: set[int]) -> Json:
    rows = Revision.objects.filter(pk__in=keys).select_related("ruleset")
    return {row.content_hash: {"game": row.ruleset.slug, "number": row.number, "document": row.document} for row in rows}


def _members(tables: list[Table]) -> dict[str, str]:
    return _names(person.member for person in Participant.objects.filter(table__in=tables).select_related("member"))


def _names(members: Iterable[Member | None]) -> dict[str, str]:
    return {member.public_id: member.name for member in members if member is not None}


def _moment(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat(timespec="microseconds") if moment is not None else None
