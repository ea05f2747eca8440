"""Who plays in a session: added by the organiser, or by a code on one's own phone; late, leaving, back."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring_app.access import DEVICE_COOKIE
from scoring_app.club_views.asking import Problem, address, attempt, see
from scoring_app.club_views.visits import private
from scoring_app.clubs import add_member, link_player
from scoring_app.models import Member, Session, SessionPlayer
from scoring_app.session_views.shown import show_session
from scoring_app.session_views.visits import SessionVisit, in_session
from scoring_app.sessions import (
    add_player,
    find_by_code,
    find_session,
    join_by_code,
    leave_session,
    rename_player,
    return_to_session,
    session_pulse,
)
from scoring_app.wording import seat_names


@require_http_methods(["GET", "POST"])
@in_session("change_seats")
def players(visit: SessionVisit) -> HttpResponse:
    """Tick the members who are here, type the guests."""
    if visit.request.method == "POST":
        problem = attempt(lambda: _add(visit))
        return _players_page(visit, problem) if problem else visit.done("", "session_players")
    return _players_page(visit)


def _players_page(visit: SessionVisit, problem: Problem | None = None) -> HttpResponse:
    session = visit.session
    rows = list(session.players.select_related("member"))
    here = {row.member_id for row in rows if row.member_id}
    members = [] if session.club is None else list(Member.objects.active().filter(club=session.club).exclude(pk__in=here))
    context = {
        "present": [row for row in rows if row.left_at is None],
        "gone": [row for row in rows if row.left_at is not None],
        "members": members,
        "problem": problem,
        "data": visit.request.POST,
    }
    return visit.page("players.html", context, status=problem.status if problem else 200)


def _add(visit: SessionVisit) -> None:
    data, session = visit.request.POST, visit.session
    chosen = Member.objects.active().filter(club=session.club, public_id__in=data.getlist("member")) if session.club else ()
    for member in chosen:
        add_player(session=session, name=member.name, member=member)
    for name in str(data.get("names") or "").replace("，", ",").replace("、", ",").replace("\n", ",").split(","):
        if name.strip():
            add_player(session=session, name=name)


def player_of(visit: SessionVisit, number: int) -> SessionPlayer:
    found = visit.session.players.filter(number=number).select_related("member").first()
    if found is None:
        raise Http404(str(number))
    return found


@require_http_methods(["GET", "POST"])
@in_session("change_seats")
def player(visit: SessionVisit, number: int) -> HttpResponse:
    """Name a player differently, or say which member he is."""
    found = player_of(visit, number)
    if visit.request.method == "POST":
        problem = attempt(lambda: _save(visit, found))
        return _player_page(visit, found, problem) if problem else visit.done(_("Saved."), "session_players")
    return _player_page(visit, found)


def _player_page(visit: SessionVisit, found: SessionPlayer, problem: Problem | None = None) -> HttpResponse:
    members = list(Member.objects.active().filter(club=visit.session.club)) if visit.session.club else []
    context = {"player": found, "members": members, "problem": problem, "data": visit.request.POST}
    return visit.page("player.html", context, status=problem.status if problem else 200)


def _save(visit: SessionVisit, found: SessionPlayer) -> None:
    data, club = visit.request.POST, visit.session.club
    name = str(data.get("name") or "")
    if name != found.name:
        rename_player(player=found, name=name)
    if club is not None and "member" in data and visit.may("edit_members"):
        member: Member | None
        if data.get("member") == "new":
            member = add_member(club=club, name=name)
        else:
            member = Member.objects.active().filter(club=club, public_id=str(data.get("member"))).first()
        if (member.pk if member else None) != found.member_id:
            link_player(player=found, member=member)


@require_POST
@in_session("change_seats")
def leave(visit: SessionVisit, number: int) -> HttpResponse:
    """He goes home, or is back."""
    found = player_of(visit, number)
    if visit.request.POST.get("back") == "1":
        problem = attempt(lambda: return_to_session(player=found))
        said = _("%(name)s is back.")
    else:
        problem = attempt(lambda: leave_session(player=found, origin=visit.origin))
        said = _("%(name)s has left; the seat is free.")
    return _players_page(visit, problem) if problem else visit.done(said % {"name": found.name}, "session_players")


@require_safe
@never_cache
def join(request: HttpRequest) -> HttpResponse:
    """Type the code that stands on the wall."""
    code = "".join(str(request.GET.get("code") or "").lower().split())
    if code:
        try:
            find_by_code(code)
        except Session.DoesNotExist:
            return render(request, "scoring_app/session/join.html", {"problem": _no_session(), "typed": code}, status=422)
        return see(address("join_code", code))
    return render(request, "scoring_app/session/join.html")


def _no_session() -> Problem:
    return Problem(_("No session has this code now. Codes are valid for an evening; ask the organiser for the new one."), "code")


@require_http_methods(["GET", "POST"])
@never_cache
def join_code(request: HttpRequest, code: str) -> HttpResponse:
    """Give a name, and be in."""
    try:
        session = find_by_code(code)
    except Session.DoesNotExist:
        over = {"problem": _no_session(), "typed": code}
        return private(request, render(request, "scoring_app/session/join.html", over, status=404))
    device = request.COOKIES.get(DEVICE_COOKIE, "")
    known = session.players.filter(device_id=device).first() if device else None
    account = request.user if request.user.is_authenticated else None
    problem: Problem | None = None
    if request.method == "POST":
        # The form was shown before, and it set the cookie: without one, the next visit would not know the player.
        name = str(request.POST.get("name") or "")
        problem = attempt(lambda: join_by_code(code=code, name=name, account=account, device_id=device))
        if problem is None:
            messages.success(request, _("You are in."))
            return see(address("session_me", session.public_id))
    name = known.name if known else ""
    if not name and account is not None and session.club is not None:
        member = session.club.members.active().filter(account=account).first()
        name = member.name if member else account.get_username()
    context = {
        "session": session,
        "club": session.club,
        "code": code,
        "name": request.POST.get("name", name),
        "known": known,
        "problem": problem,
    }
    return private(request, render(request, "scoring_app/session/join_name.html", context, status=problem.status if problem else 200))


@require_safe
@never_cache
def me(request: HttpRequest, public_id: str) -> HttpResponse:
    """The evening for one who plays: where to sit, how it stands."""
    try:
        session = find_session(public_id)
    except Session.DoesNotExist:
        raise Http404(public_id) from None
    visit = SessionVisit(request, session)
    found = visit.player()
    if found is None:
        raise Http404(public_id)
    if request.GET.get("v") == str(session_pulse(public_id)):
        return HttpResponse(status=204)
    shown = show_session(visit)
    at = next((card for card in shown.tables if not card.closed and found.pk in card.players), None)
    seats = [seat.player for seat in at.seats] if at else []
    names = seat_names()
    context = {
        "session": session,
        "player": found,
        "seat": names[seats.index(found.pk)] if found.pk in seats and len(seats) <= len(names) else "",
        "shown": shown,
        "at": at,
        "watch_url": reverse("scoring:table", args=[at.table.public_id, at.table.watch_token]) if at else "",
        "resting": any(row.pk == found.pk for row in shown.resting),
        "others": [card for card in shown.tables if card is not at],
        "can": visit.can,
        "stranger": found.member_id is None and session.club is not None and request.user.is_authenticated,
    }
    template = "scoring_app/session/me.html#body" if request.GET.get("v") is not None else "scoring_app/session/me.html"
    return private(request, render(request, template, context))
