"""Recording what happens in a round, one event after the other."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from rules_app.engine import Refusal
from rules_app.engine.why import what_is_missing
from rules_app.waiting import count_missing, show_waits
from scoring_app.access import DRAFT_HEADER, VERSION_HEADER, Visit, at_table
from scoring_app.ledger import (
    LedgerError,
    StaleDraft,
    StaleVersion,
    TableOverview,
    table_overview,
)
from scoring_app.ledger.values import Json
from scoring_app.models import Participant
from scoring_app.record_sheet import RecordSheet, build_record_sheet
from scoring_app.shown.conflict import conflict_shown
from scoring_app.shown.draft import show_draft
from scoring_app.shown.results import PreviewShown, show_preview
from scoring_app.taking import payload_with, preview_event, take_event
from scoring_app.views.deal import has_deal, must_start, overview_names, sheet_urls
from scoring_app.views.table import answer_table, number, own_page, table_context
from scoring_app.wording import comma, names_by_seat, participant_name, problem_words

MODE_COOKIE = "record_mode"


def sheet_of(visit: Visit, data: QueryDict, overview: TableOverview) -> RecordSheet:
    """The record sheet for what was sent, at the table as it stands."""
    if "mode" not in data and visit.request.COOKIES.get(MODE_COOKIE) == "tiles":
        data = data.copy()
        data["mode"] = "tiles"
    draft = overview.open_round
    return build_record_sheet(
        visit.ruleset,
        data,
        language=visit.language,
        names=seat_names_of(visit, overview),
        situation=overview.situation,
        draft=draft,
        payload=draft.payload if draft else {"round": {"events": []}},
        options=visit.table.options,
        version=overview.version,
        usual=usual_patterns(overview),
    )


def seat_names_of(visit: Visit, overview: TableOverview) -> list[str]:
    """Whom the fields of an event may name: the seats, or all players of a game without."""
    if visit.ruleset.document.parties is None:
        return names_by_seat(overview.situation, overview.participants)
    people = sorted(overview.participants.values(), key=lambda person: person.number)
    return [participant_name(person) for person in people if person.kind == Participant.Kind.PLAYER]


def usual_patterns(overview: TableOverview) -> list[str]:
    """The patterns of this table's wins, the most frequent first."""
    counted: Counter[str] = Counter()
    for entry in overview.entries:
        for win in entry.summary.get("wins", []):
            counted.update(win.get("patterns", []))
    return [name for name, _times in counted.most_common()]


@require_http_methods(["GET", "POST"])
@at_table(scorer=True)
def record(visit: Visit) -> HttpResponse:
    """The sheet; ``go``: look (a preview), confirm, more (confirm, and somebody else wins on the same tile)."""
    request = visit.request
    overview = table_overview(visit.table)
    if request.method == "GET":
        if "ahead" not in request.GET and must_start(visit, overview):  # a device keeps the sheet for when it is offline
            return HttpResponseRedirect(visit.url("deal"))
        return _first_look(visit, overview, request.GET)
    data = request.POST
    sheet = sheet_of(visit, data, overview)
    go = data.get("go", "look")
    if not sheet.is_complete:
        context = waiting_context(visit, overview, sheet)
        return _answer(visit, overview, sheet, context, status=200 if go == "look" else 422, part=_part(visit, go))
    try:
        event = sheet.event()
        if go == "look":
            return _answer(visit, overview, sheet, look_at(visit, overview, sheet, event), part="outcome")
        taken = take_event(
            table=visit.table,
            event=event,
            facts=sheet.facts,
            draft_version=number(data.get("draft")),
            expected_version=number(data.get("version")),
            idempotency_key=str(data.get("key") or ""),
            origin=visit.origin,
            go_on=go == "more",
        )
    except (StaleVersion, StaleDraft) as error:
        return _conflict(visit, error)
    except (Refusal, LedgerError) as error:
        context = refusal_context(visit, sheet, error, overview)
        return _answer(visit, overview, sheet, context, status=422, part=_part(visit, go))
    visit.table.refresh_from_db()
    if taken.recorded is not None:
        amounts = (f"{name} {amount:+}".replace("-", "−") for name, amount in _moved(taken.recorded.content, overview))
        moved = comma(visit.language).join(amounts)
        response = finished(visit, _("Recorded. %(amounts)s") % {"amounts": moved})
    else:
        response = goes_on(visit, QueryDict(f"mode={data.get('mode', 'quick')}") if sheet.is_win else None)
    # Of a repeat too: what came after it is not known to the device that sends it again.
    response[VERSION_HEADER] = str(taken.recorded.entry.seq if taken.recorded else visit.table.version)
    response[DRAFT_HEADER] = str(taken.draft.version if taken.draft else 0)
    if sheet.is_win:
        response.set_cookie(MODE_COOKIE, "quick" if sheet.is_quick else "tiles", max_age=31_536_000, samesite="Lax")
    return response


def _first_look(visit: Visit, overview: TableOverview, data: QueryDict) -> HttpResponse:
    """The sheet as it opens; what needs nothing more, such as a draw, can be confirmed at once."""
    sheet = sheet_of(visit, data, overview)
    try:
        context = look_at(visit, overview, sheet, sheet.event()) if sheet.is_complete else {}
    except (Refusal, LedgerError) as error:
        context = {"hint": problem_words(error, visit.language)}
    return _answer(visit, overview, sheet, context)


def _moved(content: Any, overview: TableOverview) -> list[tuple[str, int]]:
    moved: Counter[int] = Counter()
    for line in content.postings.values_list("participant__number", "amount"):
        moved[line[0]] += line[1]
    return [(participant_name(overview.participants[person]), amount) for person, amount in sorted(moved.items()) if amount]


def look_at(visit: Visit, overview: TableOverview, sheet: RecordSheet, event: Json) -> dict[str, Any]:
    """What the event would do.

    :raises Refusal, LedgerError: it would be refused.
    """
    preview = preview_event(table=visit.table, event=event, facts=sheet.facts, language=visit.language)
    earlier = len(overview.open_round.payload["round"]["events"]) if overview.open_round else 0
    shown: PreviewShown = show_preview(preview, visit, overview.participants, earlier=earlier)
    may_join = sheet.is_win and preview.ended and event.get("from") is not None and len(sheet.seats) > 2
    return {"preview": shown, "may_join": may_join}


def refusal_context(visit: Visit, sheet: RecordSheet, error: Refusal | LedgerError, overview: TableOverview) -> dict[str, Any]:
    """A refusal in words, with what is missing."""
    context: dict[str, Any] = {"problem": problem_words(error, visit.language)}
    if isinstance(error, Refusal) and sheet.is_win and error.path != "melds":
        context["reasons"] = what_is_missing(visit.ruleset, _request_of(visit, overview, sheet), error, visit.language)
    return context


def waiting_context(visit: Visit, overview: TableOverview, sheet: RecordSheet) -> dict[str, Any]:
    """Of a win by tiles that lacks some: how many, or which of them would complete it."""
    data = sheet.asking.data
    if not sheet.is_win or sheet.is_quick or not data.get("seat") or "from" not in data or (sheet.dealer and not data.get("dealer")):
        return {}
    try:
        event = sheet.event()
        if not event.get("hand") and not event.get("melds"):
            return {}
        missing = count_missing(visit.ruleset, event)
        if missing:
            return {"hint": ngettext("%(number)s more tile", "%(number)s more tiles", missing + 1) % {"number": missing + 1}}
        return {"waits": show_waits(visit.ruleset, _request_of(visit, overview, sheet), visit.language), "is_waiting": True}
    except Refusal as error:
        return {"problem": problem_words(error, visit.language)}


def _request_of(visit: Visit, overview: TableOverview, sheet: RecordSheet) -> dict[str, Any]:
    """The round with what is being entered, as the engine is asked about it."""
    payload = payload_with(visit.table, sheet.event(), sheet.facts)
    table = {**overview.situation.request_table(), **payload.get("table", {})}
    table = {key: value for key, value in table.items() if value is not None}
    return {"options": visit.table.options, "table": table, "round": payload["round"]}


def _part(visit: Visit, go: str) -> str:
    return "outcome" if visit.by_htmx or go == "look" else "sheet"


def _answer(
    visit: Visit, overview: TableOverview, sheet: RecordSheet, context: Mapping[str, Any], *, status: int = 200, part: str = "sheet"
) -> HttpResponse:
    """The sheet or its outcome as a fragment; the whole page without htmx."""
    whole: dict[str, Any] = {
        "visit": visit,
        "urls": sheet_urls(visit),
        "sheet": sheet,
        "draft": show_draft(visit, overview),
        "names": overview_names(overview),
        "post_to": visit.url("record"),
        "has_deal": part == "sheet" and has_deal(visit, overview),
        "number": overview.rounds + 1,
        **context,
    }
    if not visit.by_htmx:
        return render(visit.request, "scoring_app/record.html", whole, status=status)
    template = "scoring_app/record/outcome.html" if part == "outcome" else "scoring_app/record/sheet.html"
    response = render(visit.request, template, whole, status=status)
    response[VERSION_HEADER], response[DRAFT_HEADER] = str(sheet.version), str(sheet.draft_version)
    if part == "outcome":
        response["HX-Retarget"] = "#outcome"
        response["HX-Reswap"] = "outerHTML"
    return response


def _conflict(visit: Visit, error: StaleVersion | StaleDraft) -> HttpResponse:
    """409: what happened meanwhile, with everything that was typed, ready to be confirmed against the new state."""
    visit.table.refresh_from_db()
    overview = table_overview(visit.table)
    data = visit.request.POST
    sheet = sheet_of(visit, data, overview)
    context = conflict_shown(visit, overview, error)
    try:
        context |= look_at(visit, overview, sheet, sheet.event()) if sheet.is_complete else {}
    except (Refusal, LedgerError) as refusal:
        context |= refusal_context(visit, sheet, refusal, overview)
    response = _answer(visit, overview, sheet, context, status=409)
    if visit.by_htmx:
        response["HX-Retarget"] = "#sheet"
        response["HX-Reswap"] = "innerHTML"
    return response


def finished(visit: Visit, words: str) -> HttpResponse:
    """After a write that closes the sheet; ``words`` are said aloud."""
    if not visit.by_htmx:
        return HttpResponseRedirect(visit.url(), status=303)
    response = answer_table(visit)
    response["HX-Trigger"] = json.dumps({"sheet-close": "", "say": words})
    return response


def goes_on(visit: Visit, data: QueryDict | None = None) -> HttpResponse:
    """The round goes on: a fresh sheet for its next event, with ``data`` in it, and the table behind it."""
    if not visit.by_htmx:
        return HttpResponseRedirect(visit.url(), status=303)
    overview = table_overview(visit.table)
    response = _answer(visit, overview, sheet_of(visit, data or QueryDict(), overview), {"fresh": True})
    body = render(visit.request, f"{own_page(visit)}#body", table_context(visit) | {"out_of_band": True})
    response.content = response.content + body.content
    response["HX-Retarget"] = "#sheet"
    response["HX-Reswap"] = "innerHTML"
    return response
