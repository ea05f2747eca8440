"""The table itself: to write at, to watch, and the fragment that keeps both up to date."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from scoring_app.access import Visit, at_table, remember
from scoring_app.chart import draw_chart
from scoring_app.ledger import LedgerError, undo_last
from scoring_app.models import Entry, Participant
from scoring_app.shown.detail import show_entry
from scoring_app.shown.table import TableShown, show_table
from scoring_app.wording import participant_name, problem_words


@require_safe
@at_table()
def table(visit: Visit) -> HttpResponse:
    """The table: with a Record button for those who may write, large and explained for those who watch."""
    looks = not visit.may_write or visit.request.GET.get("view") == "watch"
    template = "scoring_app/watch.html" if looks else "scoring_app/table.html"
    response = render(visit.request, template, watch_context(visit) if looks else table_context(visit))
    remember(response, visit)
    return response


@require_safe
@at_table()
def state(visit: Visit) -> HttpResponse:
    """What changes on the page, 204 while nothing has since ``?v=``."""
    if visit.request.GET.get("v") == str(visit.table.changes):
        return HttpResponse(status=204)
    if not visit.may_write or visit.request.GET.get("view") == "watch":
        return render(visit.request, "scoring_app/watch.html#body", watch_context(visit))
    return render(visit.request, "scoring_app/table.html#body", table_context(visit))


@require_POST
@at_table(scorer=True)
def undo(visit: Visit) -> HttpResponse:
    """Take the last entry back."""
    data = visit.request.POST
    try:
        undo_last(
            table=visit.table,
            expected_version=number(data.get("version")),
            idempotency_key=str(data.get("key") or ""),
            origin=visit.origin,
        )
    except LedgerError as error:
        problem = problem_words(error, visit.language)
        fresh = Visit(visit.request, type(visit.table).objects.get(pk=visit.table.pk), visit.role, visit.token)
        return answer_table(fresh, status=error.status, problem=problem)
    return done(visit)


def number(text: Any) -> int:
    """A version as it was sent; -1, which no table has, where it is none."""
    try:
        return int(str(text))
    except ValueError:
        return -1


def done(visit: Visit) -> HttpResponse:
    """After a write: the table anew for htmx, its page otherwise."""
    if visit.by_htmx:
        visit.table.refresh_from_db()
        return answer_table(visit)
    return HttpResponseRedirect(visit.url(), status=303)


def answer_table(visit: Visit, *, status: int = 200, problem: str = "") -> HttpResponse:
    """The table's fragment (or page) in answer to a write, which closes the sheet it came from."""
    context = table_context(visit) | {"problem": problem}
    if not visit.by_htmx:
        return render(visit.request, "scoring_app/table.html", context, status=status)
    response = render(visit.request, f"{own_page(visit)}#body", context, status=status)
    response["HX-Retarget"] = "#table"
    response["HX-Reswap"] = "outerHTML"
    response["HX-Trigger"] = "sheet-close"
    return response


def own_page(visit: Visit) -> str:
    """The template of the page that a fragment goes back to: the table, or the phone in its middle."""
    came_from = urlsplit(visit.request.headers.get("HX-Current-URL", "")).path
    return "scoring_app/middle.html" if came_from == visit.url("middle") else "scoring_app/table.html"


def table_context(visit: Visit) -> dict[str, Any]:
    """For the page that writes."""
    shown = show_table(visit, everything=visit.request.GET.get("all") == "1")
    return {"visit": visit, "shown": shown, "urls": addresses(visit), "chart": chart_of(shown), "key": uuid.uuid4().hex}


def watch_context(visit: Visit) -> dict[str, Any]:
    """For the page that looks: the last entry explained, and the evening as a chart."""
    shown = show_table(visit)
    overview = shown.overview
    last = next((entry for entry in overview.entries if entry.lines and not entry.voided and entry.kind not in QUIET), None)
    explained = show_entry(visit, last, overview.participants, overview.situation) if last is not None else None
    return {"visit": visit, "shown": shown, "urls": addresses(visit), "chart": chart_of(shown), "last": explained}


QUIET = frozenset({Entry.Kind.NOTE, Entry.Kind.STATUS, Entry.Kind.CORRECTION, Entry.Kind.VOID})


def chart_of(shown: TableShown) -> Any:
    """The running score of the players."""
    people = {
        number: participant_name(person) for number, person in shown.overview.participants.items() if person.kind == Participant.Kind.PLAYER
    }
    return draw_chart(shown.overview.series, people)


def addresses(visit: Visit) -> dict[str, str]:
    """The pages of the table under the visitor's secret."""
    names = ("table", "state", "record", "deal", "undo", "links", "more", "discard", "end", "device", "close", "middle", "writers")
    return {name: visit.url(name) for name in names}
