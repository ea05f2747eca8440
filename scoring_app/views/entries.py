"""A single entry: its reading, payments and history; correcting it, making it void."""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from rules_app.engine import Refusal
from scoring_app.access import Visit, at_table
from scoring_app.ledger import (
    EntryView,
    LedgerError,
    TableOverview,
    correct_entry,
    entry_detail,
    preview_correction,
    table_overview,
    void_entry,
)
from scoring_app.ledger.values import Json
from scoring_app.models import Entry, Participant
from scoring_app.record_sheet import RecordSheet, build_record_sheet, data_of_payload
from scoring_app.shown.changes import ChangeShown, changes_shown
from scoring_app.shown.detail import show_entry
from scoring_app.views.recording import finished, usual_patterns
from scoring_app.views.table import number
from scoring_app.wording import event_words, names_by_seat, participant_name, problem_words


def find_entry(visit: Visit, seq: int) -> EntryView:
    """:raises Http404: there is no such entry."""
    try:
        return entry_detail(visit.table, seq)
    except Entry.DoesNotExist:
        raise Http404(str(seq)) from None


@require_safe
@at_table()
def detail(visit: Visit, seq: int) -> HttpResponse:
    """Everything about an entry."""
    entry = find_entry(visit, seq)
    overview = table_overview(visit.table)
    shown = show_entry(visit, entry, overview.participants, overview.situation)
    context = {
        "visit": visit,
        "entry": shown,
        "names": names_by_seat(overview.situation, overview.participants),
        "table_url": visit.url(),
        "correct_url": visit.url("correct", seq),
        "void_url": visit.url("void", seq),
        "may_correct": visit.may_write and entry.content is not None,
    }
    template = "scoring_app/entry/detail.html" if visit.by_htmx else "scoring_app/entry.html"
    return render(visit.request, template, context)


@require_http_methods(["GET", "POST"])
@at_table(scorer=True)
def void(visit: Visit, seq: int) -> HttpResponse:
    """Make an entry void, after seeing what follows from it."""
    entry = find_entry(visit, seq)
    data = visit.request.POST
    problem, status = "", 200
    if visit.request.method == "POST":
        try:
            void_entry(
                table=visit.table,
                seq=seq,
                reason=str(data.get("reason") or ""),
                expected_version=number(data.get("version")),
                idempotency_key=str(data.get("key") or ""),
                origin=visit.origin,
            )
        except (Refusal, LedgerError) as error:
            problem, status = problem_words(error, visit.language), error.status if isinstance(error, LedgerError) else 422
        else:
            visit.table.refresh_from_db()
            return finished(visit, _("The entry is void."))
    visit.table.refresh_from_db()
    overview = table_overview(visit.table)
    changes, trouble = changes_of(visit, overview, seq, None)
    context = {
        "visit": visit,
        "entry": show_entry(visit, entry, overview.participants, overview.situation),
        "names": names_by_seat(overview.situation, overview.participants),
        "changes": changes,
        "problem": problem or trouble,
        "version": overview.version,
        "key": uuid.uuid4().hex if status == 409 else data.get("key") or uuid.uuid4().hex,
        "reason": data.get("reason", ""),
        "post_to": visit.url("void", seq),
        "entry_url": visit.url("entry", seq),
        "table_url": visit.url(),
    }
    return _sheet(visit, "void", context, status)


@require_http_methods(["GET", "POST"])
@at_table(scorer=True)
def correct(visit: Visit, seq: int) -> HttpResponse:
    """Put a round right: one of its events at a time, with all that changes after it before one confirms."""
    entry = find_entry(visit, seq)
    content = entry.content
    if content is None or "round" not in content.payload:
        raise Http404(str(seq))
    overview = table_overview(visit.table)
    posted = visit.request.method == "POST"
    data: QueryDict = visit.request.POST.copy() if posted else visit.request.GET.copy()
    payload, index = _base(content.payload, data)
    if not posted and "what" not in data:
        filled = data_of_payload(visit.ruleset, payload, index)
        filled["index"] = str(index)
        data = filled
    others = [event for at, event in enumerate(payload["round"]["events"]) if at != index]
    before = entry.before or overview.situation
    sheet = build_record_sheet(
        visit.ruleset,
        data,
        language=visit.language,
        names=names_by_seat(before, overview.participants)
        if visit.ruleset.document.parties is None
        else [participant_name(person) for person in overview.participants.values() if person.kind == Participant.Kind.PLAYER],
        situation=before,
        draft=None,
        payload={**payload, "round": {**payload["round"], "events": others}},
        options=content.options,
        version=overview.version,
        usual=usual_patterns(overview),
    )
    context = _correction_context(visit, entry, overview, sheet, payload, index)
    if not posted:
        return _sheet(visit, "correct", context, 200)
    return _take_correction(visit, seq, overview, sheet, payload, index, context)


def _take_correction(
    visit: Visit, seq: int, overview: TableOverview, sheet: RecordSheet, payload: Json, index: int, context: dict[str, Any]
) -> HttpResponse:
    data = visit.request.POST
    go = data.get("go", "look")
    try:
        if not sheet.is_complete:
            return _outcome(visit, context, 200 if go == "look" else 422)
        wanted = _corrected(sheet, payload, index, drop=set(data.getlist("drop")))
        if go == "confirm":
            correct_entry(
                table=visit.table,
                seq=seq,
                payload=wanted,
                reason=str(data.get("reason") or ""),
                expected_version=number(data.get("version")),
                idempotency_key=str(data.get("key") or ""),
                origin=visit.origin,
            )
            visit.table.refresh_from_db()
            return finished(visit, _("The entry is corrected."))
    except LedgerError as error:
        visit.table.refresh_from_db()
        context["sheet"].version = visit.table.version
        return _outcome(visit, context | {"problem": problem_words(error, visit.language)}, error.status)
    except Refusal as error:
        return _outcome(visit, context | {"problem": problem_words(error, visit.language)}, 422)
    changes, problem = changes_of(visit, overview, seq, wanted)
    return _outcome(visit, context | {"changes": changes, "problem": problem}, 422 if problem else 200)


def _correction_context(
    visit: Visit, entry: EntryView, overview: TableOverview, sheet: RecordSheet, payload: Json, index: int
) -> dict[str, Any]:
    names = names_by_seat(entry.before or overview.situation, overview.participants)
    events = [
        {"index": at, "words": event_words(event, visit.ruleset, names, visit.language), "chosen": at == index}
        for at, event in enumerate(payload["round"]["events"])
    ]
    return {
        "visit": visit,
        "urls": {name: visit.url(name) for name in ("table", "record", "deal", "discard", "end", "more")},
        "sheet": sheet,
        "events": events,
        "index": index,
        "seq": entry.seq,
        "base": json.dumps(payload, ensure_ascii=False),
        "post_to": visit.url("correct", entry.seq),
        "entry_url": visit.url("entry", entry.seq),
        "correcting": True,
        "reason": visit.request.POST.get("reason", ""),
        "number": entry.number,
    }


def _base(stored: Json, data: QueryDict) -> tuple[Json, int]:
    """The payload to correct, and which of its events is being put right (by default the last)."""
    payload = stored
    count = len(payload["round"]["events"])
    index = number(data.get("index")) if data.get("index") not in (None, "") else count - 1
    return payload, min(max(index, 0), count)


def _corrected(sheet: RecordSheet, payload: Json, index: int, *, drop: set[str]) -> Json:
    events = list(payload["round"]["events"])
    event = sheet.event()
    if index < len(events):
        events[index] = event
    else:
        events.append(event)
    kept = [one for at, one in enumerate(events) if str(at) not in drop or at == index]
    return sheet.facts.onto({**payload, "round": {**payload["round"], "events": kept}})


def changes_of(visit: Visit, overview: TableOverview, seq: int, payload: Json | None) -> tuple[list[ChangeShown], str]:
    """What a correction (a voiding: ``payload`` None) would change, entry by entry; or why it cannot be."""
    try:
        changes = preview_correction(table=visit.table, seq=seq, payload=payload)
    except (Refusal, LedgerError) as error:
        return [], problem_words(error, visit.language)
    return changes_shown(overview, changes, ruleset=visit.ruleset, language=visit.language), ""


def _sheet(visit: Visit, name: str, context: dict[str, Any], status: int) -> HttpResponse:
    template = f"scoring_app/entry/{name}.html" if visit.by_htmx else f"scoring_app/{name}.html"
    response = render(visit.request, template, context, status=status)
    if visit.by_htmx:
        response["HX-Retarget"] = "#sheet"
        response["HX-Reswap"] = "innerHTML"
    return response


def _outcome(visit: Visit, context: dict[str, Any], status: int) -> HttpResponse:
    if not visit.by_htmx:
        return render(visit.request, "scoring_app/correct.html", context, status=status)
    response = render(visit.request, "scoring_app/record/outcome.html", context, status=status)
    response["HX-Retarget"] = "#outcome"
    response["HX-Reswap"] = "outerHTML"
    return response
