"""The big screen of the hall: all tables of a session, readable at five metres; and the organiser's link."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring_app.club_views.asking import address
from scoring_app.models import Session
from scoring_app.session_views.shown import table_card
from scoring_app.session_views.visits import HOST_COOKIE, keep
from scoring_app.sessions import find_session, session_access, session_overview, session_pulse


def _session_of(public_id: str, token: str) -> tuple[Session, str]:
    try:
        session = find_session(public_id)
    except Session.DoesNotExist:
        raise Http404(public_id) from None
    access = session_access(session, token)
    if access is None:
        raise Http404(public_id)
    return session, access


@require_safe
@never_cache
def hall(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """The watch link shows the hall; the organiser's link makes this device an organiser's."""
    session, access = _session_of(public_id, token)
    if access == "host" and "hall" not in request.GET:
        response = HttpResponseRedirect(address("session", session.public_id))
        keep(response, request, HOST_COOKIE, f"{session.public_id}.{token}")
        return response
    return render(request, "scoring_app/session/hall.html", hall_context(session, token))


@require_safe
@never_cache
def hall_state(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """The tables, 204 while nothing has changed since ``?v=``."""
    session, _access = _session_of(public_id, token)
    if request.GET.get("v") == str(session_pulse(public_id)):
        return HttpResponse(status=204)
    return render(request, "scoring_app/session/hall.html#body", hall_context(session, token))


def hall_context(session: Session, token: str) -> dict[str, object]:
    """All that the hall shows, in a fixed number of queries."""
    overview = session_overview(session)
    cards = [table_card(line, writes=False) for line in overview.tables]
    return {
        "session": session,
        "club": session.club,
        "token": token,
        "tables": cards,
        "resting": overview.resting,
        "clock": next((card.clock for card in cards if card.clock is not None and not card.closed), None),
        "version": overview.pulse,
    }
