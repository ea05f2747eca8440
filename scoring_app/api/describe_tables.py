"""Tables and what stands in their ledgers as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.response import Response

from rules_app.engine import Refusal
from rules_app.languages import page_language
from scoring_app.api.schema import tables as schema
from scoring_app.errors import Refused
from scoring_app.ledger import (
    Change,
    EntryView,
    Line,
    Marks,
    Preview,
    Recorded,
    Situation,
    Version,
    entry_detail,
    explain_content,
    marks_of,
    preview_open_round,
    table_overview,
)
from scoring_app.ledger.marks import CONFIRMED
from scoring_app.models import Content, Entry, OpenRound, Table

Json = dict[str, Any]


def describe_table(table: Table, *, writes: bool) -> Json:
    """A table as it stands; ``writes``: whether who asks may record there."""
    overview = table_overview(table)
    people = [view for view in (*overview.seats, *overview.others) if view.participant is not None]
    draft = overview.open_round
    numbers = {entry.entry.pk: entry.seq for entry in overview.entries}
    return {
        "id": table.public_id,
        "title": table.title,
        "variant": table.revision.ruleset.slug,
        "revision": table.revision.number,
        "hash": table.revision.content_hash,
        "options": table.options,
        "session": table.session.public_id if table.session is not None else None,
        "role": "scorer" if writes else "watch",
        "version": overview.version,
        "changes": overview.changes,
        "closed": overview.situation.closed,
        "rounds": overview.rounds,
        "situation": describe_situation(overview.situation),
        "participants": [
            {
                "number": view.participant.number,
                "name": view.participant.name,
                "kind": view.participant.kind,
                "seat": view.seat,
                "total": view.total,
            }
            for view in people
            if view.participant is not None
        ],
        "round_in_progress": None if draft is None else {"payload": draft.payload, "version": draft.version},
        "entries": [describe_entry(entry, numbers) for entry in overview.entries],
    }


def describe_situation(situation: Situation) -> Json:
    return {**situation.request_table(), "seats": list(situation.seats)}


def describe_links(table: Table, request: HttpRequest) -> Json:
    links: Json = {}
    for role, token in (("scorer", table.scorer_token), ("watch", table.watch_token)):
        links[f"{role}_token"] = token
        links[f"{role}_url"] = request.build_absolute_uri(reverse("scoring:table", args=[table.public_id, token]))
    return links


def find_entry(table: Table, seq: int) -> EntryView:
    """:raises NotFound: there is no such entry."""
    try:
        return entry_detail(table, seq)
    except Entry.DoesNotExist:
        raise NotFound(_("There is no entry %(number)s.") % {"number": seq}) from None


def describe_entry(entry: EntryView, numbers: Mapping[int, int] | None = None) -> Json:
    """An entry; ``numbers``: ``seq`` by primary key, where the other entries are at hand."""
    record, content = entry.entry, entry.content
    target = None if record.target_id is None else numbers[record.target_id] if numbers else record.target.seq if record.target else None
    return {
        "seq": entry.seq,
        "kind": entry.kind,
        "number": entry.number,
        "payload": content.payload if content else None,
        "payments": by_number(entry.payments),
        "transfers": [describe_transfer(line) for line in entry.lines],
        "summary": entry.summary,
        "voided": entry.voided,
        "corrected": entry.corrected,
        "target": target,
        "reason": record.reason,
        "time": record.server_time.isoformat(),
        "device": record.device_label,
    }


def describe_entry_fully(entry: EntryView) -> Json:
    """An entry with all that it has said, and how the engine reads it."""
    return {
        **describe_entry(entry),
        "versions": [
            {
                "version": view.content.version,
                "cause": view.content.cause,
                "payload": view.content.payload,
                "payments": by_number(view.payments),
                "voided": view.content.voided,
            }
            for view in entry.versions
        ],
        "answer": explain_content(entry.content, language=page_language()) if entry.content is not None else None,
    }


def describe_transfer(line: Line) -> Json:
    return {
        "from": line.payer,
        "to": line.payee,
        "amount": line.amount,
        "reason": line.reason.in_language(page_language()),
        "rule": line.rule,
        "event": line.event,
    }


def by_number(amounts: dict[int, int]) -> dict[str, int]:
    return {str(number): amount for number, amount in sorted(amounts.items())}


def describe_preview(preview: Preview) -> Json:
    return {
        "answer": preview.answer,
        "payments": by_number(preview.payments),
        "totals_after": by_number(preview.totals_after),
        "ended": preview.ended,
        "warnings": [warning.in_language(page_language()) for warning in preview.warnings],
    }


def describe_changes(changes: Iterable[Change]) -> list[Json]:
    return [
        {"seq": one.seq, "kind": one.kind, "before": _describe_version(one.before), "after": _describe_version(one.after)}
        for one in changes
    ]


def _describe_version(version: Version) -> Json:
    return {
        "payload": version.payload,
        "payments": by_number(version.payments),
        "situation": describe_situation(version.before),
        "voided": version.voided,
    }


def describe_written(recorded: Recorded) -> Json:
    """What a write came to."""
    table = Table.objects.get(pk=recorded.table.pk)
    return {
        "entry": describe_entry(find_entry(table, recorded.entry.seq)),
        "version": table.version,
        "repeated": recorded.repeated,
        "warnings": [warning.in_language(page_language()) for warning in recorded.warnings],
        "changes": describe_changes(recorded.changes),
    }


def written(recorded: Recorded) -> Response:
    """201, or 200 where the same key had written it before."""
    return Response(describe_written(recorded), status=status.HTTP_200_OK if recorded.repeated else status.HTTP_201_CREATED)


def describe_open_round(table: Table, draft: OpenRound | None) -> Json:
    """The round in progress with what it has come to, or why it does not hold together."""
    preview, refusal = None, None
    try:
        preview = preview_open_round(table, language=page_language()) if draft is not None else None
    except (Refusal, Refused) as error:
        refusal = error.message.in_language(page_language())
    return {
        "version": draft.version if draft is not None else 0,
        "payload": draft.payload if draft is not None else None,
        "so_far": describe_preview(preview) if preview is not None else None,
        "refusal": refusal,
    }


def describe_marks(table: Table) -> list[Json]:
    """Of each entry that moves points or is disputed, oldest first."""
    marks = marks_of(table)
    rows = Content.objects.filter(entry__table=table).current().order_by("entry__seq")
    lines = []
    for seq, kind, version, voided in rows.values_list("entry__seq", "entry__kind", "version", "voided"):
        if seq in marks or (kind in CONFIRMED and not voided):
            mark = marks.get(seq, Marks())
            facts = {
                "seq": seq,
                "version": version,
                "needs_confirmation": mark.needs_confirmation,
                "confirmations": mark.confirmations,
                "disputes": mark.disputes,
            }
            lines.append({**schema.MarksBody(facts).data})
    return lines
