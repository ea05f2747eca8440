"""Seats of a table during play: substitutes and back, late comers, whose turn it is to rest, wrong seats put right."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from rules_app.engine.text import Text
from scoring_app.club_views.asking import REFUSALS, Problem, attempt, problem_of, whole
from scoring_app.entry_forms import SeatsForm, everybody
from scoring_app.errors import SessionError
from scoring_app.ledger import TableOverview, change_seats, preview_swap, swap_seats_and_replay
from scoring_app.models import Entry, SessionPlayer
from scoring_app.session_views.at_table import ToolVisit, at_the_table
from scoring_app.sessions import add_player, next_to_rest, rotate_rest, substitute
from scoring_app.shown.changes import ChangeShown
from scoring_app.wording import participant_name, seat_names


@require_http_methods(["GET", "POST"])
@at_the_table("change_seats")
def seats(visit: ToolVisit) -> HttpResponse:
    """Somebody else on a seat from the next round on; what was played stays with who played it."""
    if visit.request.method == "POST":
        problem = attempt(lambda: _sit_down(visit))
        if problem is None:
            return visit.done(_("The seats are changed."))
        return _seats_page(visit, problem)
    return _seats_page(visit)


def _seats_page(visit: ToolVisit, problem: Problem | None = None) -> HttpResponse:
    overview = visit.overview()
    session = visit.table.session
    seated = [seat.participant.number for seat in overview.seats if seat.participant is not None]
    here = {person.player_id for person in overview.participants.values() if person.number in seated}
    others: list[dict[str, Any]] = []
    if session is not None:
        others = [
            {"value": f"p{player.number}", "name": player.name, "left": player.left_at}
            for player in session.players.all()
            if player.pk not in here
        ]
    else:
        free = [one for one in everybody(overview) if one.is_player and one.number not in seated]
        others = [{"value": f"n{one.number}", "name": one.name, "left": None} for one in free]
    turn = next_to_rest(visit.table) if others else None
    names = seat_names()
    context = {
        "seats": [
            {
                "seat": seat.seat,
                "place": names[seat.seat] if seat.seat is not None and seat.seat < len(names) else "",
                "name": participant_name(seat.participant) if seat.participant else "",
                "number": seat.participant.number if seat.participant else "",
            }
            for seat in overview.seats
        ],
        "others": others,
        "seated": [{"value": f"n{number}", "name": participant_name(overview.participants[number])} for number in seated],
        "turn": turn and {"out": _name_at(overview, turn.seat), "in": turn.name},
        "problem": problem,
        "version": overview.version,
        "round_open": overview.open_round is not None,
    }
    return visit.page("seats.html", context, status=problem.status if problem else 200)


def _name_at(overview: TableOverview, seat: int) -> str:
    person = overview.seats[seat].participant
    return participant_name(person) if person is not None else ""


def _sit_down(visit: ToolVisit) -> None:
    data, table = visit.request.POST, visit.table
    seat = whole(data, "seat", default=-1)
    who, new = str(data.get("who") or ""), str(data.get("new") or "").strip()
    text = str(data.get("text") or "")
    overview = visit.overview()
    session = table.session
    if session is not None and not who.startswith("n"):
        player: SessionPlayer | None = None
        if new:
            player = add_player(session=session, name=new)
        elif who.startswith("p"):
            player = session.players.filter(number=int(who[1:]) if who[1:].isdecimal() and len(who) < 6 else -1).first()
            if player is None:
                raise SessionError("bad_input", Text(zh="本场没有这位玩家。", en="The session has no such player."), "who")
        elif who != "nobody":
            raise _nobody_chosen()
        substitute(table=table, seat=seat, player=player, text=text, **visit.writing())
        return
    placed: list[int | None] = [one.participant.number if one.participant else None for one in overview.seats]
    if not 0 <= seat < len(placed):
        raise SessionError("bad_input", Text(zh="没有这个座位。", en="There is no such seat."), "seat")
    joining: list[str] = []
    if new:
        joining, number = [new], len(overview.participants)
    elif who == "nobody":
        number = None
    elif who.startswith("n") and who[1:].isdecimal() and len(who) < 6 and int(who[1:]) in overview.participants:
        number = int(who[1:])
    else:
        raise _nobody_chosen()
    if number in placed:
        placed[placed.index(number)] = placed[seat]
    placed[seat] = number
    change_seats(table=table, seats=placed, joining=joining, text=text, **visit.writing())


def _nobody_chosen() -> SessionError:
    return SessionError("bad_input", Text(zh="请选谁来坐，或填一个新名字。", en="Choose who sits down, or type a new name."), "who")


@require_POST
@at_the_table("change_seats")
def rest(visit: ToolVisit) -> HttpResponse:
    """The one who rests comes in for whose turn it is."""
    problem = attempt(lambda: rotate_rest(table=visit.table, **visit.writing()))
    return _seats_page(visit, problem) if problem else visit.done(_("The seats are changed."))


@require_http_methods(["GET", "POST"])
@at_the_table("replay_seats")
def reseat(visit: ToolVisit) -> HttpResponse:
    """From some entry on people sat differently: say how, see what changes, confirm."""
    data: Any = visit.request.POST if visit.request.method == "POST" else visit.request.GET
    overview = visit.overview()
    problem: Problem | None = None
    changes: list[ChangeShown] = []
    asked = "seat" in data
    wanted = SeatsForm.read(data)
    try:
        start = whole(data, "from", default=1)
        if asked and visit.request.method == "POST" and data.get("go") == "confirm":
            swap_seats_and_replay(table=visit.table, from_seq=start, seats=wanted, reason=str(data.get("reason") or ""), **visit.writing())
            return visit.done(_("The seats are put right, and everything since is scored again."))
        if asked:
            changes = visit.changes(preview_swap(table=visit.table, from_seq=start, seats=wanted))
    except REFUSALS as error:
        problem = problem_of(error)
        start = 1
        visit.table.refresh_from_db()
    seated = [seat.participant.number if seat.participant else None for seat in overview.seats]
    rows = [
        entry
        for entry in overview.entries
        if entry.kind in {Entry.Kind.ROUND, Entry.Kind.PENALTY, Entry.Kind.SEAT_CHANGE} and not entry.voided
    ]
    context = {
        "form": SeatsForm([one for one in everybody(overview) if one.is_player], wanted if asked else seated),
        "starts": [
            {
                "seq": entry.seq,
                "words": _("Round %(number)s") % {"number": entry.number}
                if entry.number
                else _("entry %(number)s") % {"number": entry.seq},
                "time": entry.entry.server_time,
            }
            for entry in rows
        ],
        "start": start,
        "asked": asked,
        "changes": changes,
        "problem": problem,
        "reason": data.get("reason", ""),
        "version": visit.table.version,
    }
    return visit.page("reseat.html", context, status=problem.status if problem and visit.request.method == "POST" else 200)
