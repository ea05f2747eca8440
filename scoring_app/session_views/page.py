"""The session for its organiser: what to do next, players, tables, what wants attention."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring_app.club_views.asking import Problem, attempt, whole
from scoring_app.club_views.clubs import rules_in_words
from scoring_app.models import LengthKind, Session
from scoring_app.session_views.shown import show_session
from scoring_app.session_views.visits import SessionVisit, in_session
from scoring_app.sessions import (
    count_owing,
    end_session,
    give_extra_time,
    pause_clock,
    renew_join_code,
    reopen_session,
    resume_clock,
    session_pulse,
    start_clock,
)
from scoring_app.views.opening import code_of


@require_safe
@in_session("view_table")
def session(visit: SessionVisit) -> HttpResponse:
    """The evening."""
    return session_page(visit)


def session_page(visit: SessionVisit, problem: Problem | None = None) -> HttpResponse:
    return visit.page("page.html", context_of(visit) | {"problem": problem}, status=problem.status if problem else 200)


def context_of(visit: SessionVisit) -> dict[str, object]:
    one, shown = visit.session, show_session(visit)
    return {
        "shown": shown,
        "rules": rules_in_words(one.revision, one.options),
        "data": visit.request.POST,
        "is_planned": one.status == Session.Status.PLANNED,
        "is_ended": one.status == Session.Status.ENDED,
        "fees_due": one.table_fee and visit.may("charge_fees") and count_owing(one),
        "has_clock": any(card.table.length_kind == LengthKind.CLOCK for card in shown.tables if not card.closed),
        "clock_state": "none" if one.clock_started_at is None else "paused" if one.clock_paused_at else "running",
        "join_url": visit.request.build_absolute_uri(reverse("clubs:join_code", args=[one.join_code])) if one.is_code_open else "",
    }


@require_safe
@in_session("view_table")
def state(visit: SessionVisit) -> HttpResponse:
    """What changes on the page, 204 while nothing has since ``?v=``."""
    if visit.request.GET.get("v") == str(session_pulse(visit.session.public_id)):
        return HttpResponse(status=204)
    return render(visit.request, "scoring_app/session/page.html#body", visit.frame() | context_of(visit))


@require_http_methods(["GET", "POST"])
@in_session("run_session")
def code(visit: SessionVisit) -> HttpResponse:
    """The code to join by, large enough for the wall; POST draws a new one."""
    if visit.request.method == "POST":
        problem = attempt(lambda: renew_join_code(session=visit.session, minutes=whole(visit.request.POST, "minutes", default=240)))
        return session_page(visit, problem) if problem else visit.done("", "session_code")
    link = visit.request.build_absolute_uri(reverse("clubs:join_code", args=[visit.session.join_code]))
    short = visit.request.build_absolute_uri(reverse("clubs:join"))
    context = {"link": link, "short": short, "code": code_of(link), "open": visit.session.is_code_open, "local_only": is_local(visit)}
    return visit.page("code.html", context)


@require_safe
@in_session("run_session")
def links(visit: SessionVisit) -> HttpResponse:
    """The organiser's link, and the one for the big screen."""
    one = visit.session
    host, hall = (
        visit.request.build_absolute_uri(reverse("clubs:hall", args=[one.public_id, token])) for token in (one.host_token, one.watch_token)
    )
    context = {"host_url": host, "hall_url": hall, "host_code": code_of(host), "hall_code": code_of(hall), "local_only": is_local(visit)}
    return visit.page("links.html", context)


def is_local(visit: SessionVisit) -> bool:
    return visit.request.get_host().partition(":")[0] in ("127.0.0.1", "localhost", "[::1]")


@require_POST
@in_session("run_session")
def clock(visit: SessionVisit) -> HttpResponse:
    """Start, pause, go on, or start again from the full length; what is so already (a second tap) stays so."""
    one, do = visit.session, str(visit.request.POST.get("do") or "")
    started, paused = one.clock_started_at is not None, one.clock_paused_at is not None
    act = {
        "start": None if started else start_clock,
        "pause": pause_clock if started and not paused else None,
        "resume": resume_clock if paused else None,
        "restart": start_clock if paused else None,
    }.get(do)
    if act is not None:
        act(session=one)
    return visit.done("")


@require_POST
@in_session("give_time")
def extra_time(visit: SessionVisit, table: str) -> HttpResponse:
    """More (or less) time for one table."""
    found, data = visit.table(table), visit.request.POST

    def give() -> None:
        give_extra_time(
            table=found,
            seconds=60 * whole(data, "minutes"),
            reason=str(data.get("reason") or ""),
            expected_extra=whole(data, "had") if "had" in data else None,
            origin=visit.origin,
        )

    problem = attempt(give)
    if problem:
        return session_page(visit, problem)
    return visit.done(_("Table %(number)s: %(minutes)s minutes") % {"number": found.number, "minutes": f"{whole(data, 'minutes'):+}"})


@require_http_methods(["GET", "POST"])
@in_session("run_session")
def end(visit: SessionVisit) -> HttpResponse:
    """End the evening: open tables are closed.  POST with ``open`` goes on with it."""
    data = visit.request.POST
    if visit.request.method != "POST":
        return visit.page("end.html", {"shown": show_session(visit)})
    if data.get("open") == "1":
        problem = attempt(lambda: reopen_session(session=visit.session))
        return session_page(visit, problem) if problem else visit.done(_("The session goes on."))
    problem = attempt(lambda: end_session(session=visit.session, origin=visit.origin, text=str(data.get("text") or "")))
    if problem:
        return visit.page("end.html", {"shown": show_session(visit), "problem": problem}, status=problem.status)
    return visit.done(_("The session has ended."), "session_settle")
