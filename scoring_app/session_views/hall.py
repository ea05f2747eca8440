"""The big screen of the hall: all tables of a session, readable at five metres; and the organiser's link."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring_app.club_views.asking import address
from scoring_app.models import Session
from scoring_app.session_views.shown import clock_of_all, table_card
from scoring_app.session_views.visits import HOST_COOKIE, keep
from scoring_app.sessions import find_session, session_access, session_overview, session_pulse
from scoring_app.views.opening import code_of


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
    return _shown(request, "scoring_app/session/hall.html", session, token)


@require_safe
@never_cache
def hall_state(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """The tables, 204 while nothing has changed since ``?v=``."""
    session, _access = _session_of(public_id, token)
    if request.GET.get("v") == str(session_pulse(public_id)):
        return HttpResponse(status=204)
    return _shown(request, "scoring_app/session/hall.html#body", session, token)


def _shown(request: HttpRequest, template: str, session: Session, token: str) -> HttpResponse:
    """In the language of the session, whatever browser the big screen has; who chose another one at the top reads that."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)
    language = chosen if chosen in dict(settings.LANGUAGES) else "en" if session.language == "en" else "zh-hans"
    with translation.override(language):
        response = render(request, template, hall_context(request, session, token))
    response["Content-Language"] = language
    return response


def hall_context(request: HttpRequest, session: Session, token: str) -> dict[str, object]:
    """All that the hall shows, in a fixed number of queries."""
    overview = session_overview(session)
    cards = [card for card in (table_card(line) for line in overview.tables) if not card.bare]
    return {
        "session": session,
        "club": session.club,
        "token": token,
        "tables": cards,
        "resting": overview.resting,
        "players": [player for player in overview.players if player.left_at is None],
        "clock": clock_of_all(cards),
        "version": overview.pulse,
        **(_how_to_join(request, session) if session.is_code_open else {}),
    }


def _how_to_join(request: HttpRequest, session: Session) -> dict[str, object]:
    """The code for the phones in the hall, and where to type it."""
    link = request.build_absolute_uri(address("join_code", session.join_code))
    place = request.build_absolute_uri(address("join")).partition("://")[2].rstrip("/")
    return {"join_qr": code_of(link), "join_at": place}
