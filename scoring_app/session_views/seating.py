"""Drawing seats and moving on: a preview that everybody can see, again by another lot, then confirmed."""

from __future__ import annotations

from typing import Any, get_args

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from rules_app.engine.text import Text
from scoring_app.club_views.asking import Game, Problem, attempt, chosen_game, games, house_rule_fields, house_rules, problem_of, whole
from scoring_app.errors import Refused, SessionError
from scoring_app.models import SessionPlayer
from scoring_app.session_views.opening import lengths
from scoring_app.session_views.visits import SessionVisit, in_session
from scoring_app.sessions import Seating, new_seed, open_session_table, preview_seating, seat_players, session_overview, undo_seating
from scoring_app.sessions.rotation import Method, lasting_draws
from scoring_app.wording import seat_names

METHODS: tuple[Method, ...] = get_args(Method)


@require_http_methods(["GET", "POST"])
@in_session("run_session")
def seats(visit: SessionVisit) -> HttpResponse:
    """Who sits where next.  GET draws and shows, POST confirms what was shown."""
    session, request = visit.session, visit.request
    data = request.POST if request.method == "POST" else request.GET
    method: Method = next((one for one in METHODS if one == data.get("method") and one != "hand"), "lot")
    seed = str(data.get("seed") or "")[:64] or new_seed()
    tables: int | None = None
    problem: Problem | None = None
    try:
        tables = whole(data, "tables") or None
        if request.method == "POST":
            if whole(data, "rotation", default=-1) != session.rotation:
                raise _moved_on()
            if data.get("go") == "undo":
                undo_seating(session=session, expected_rotation=session.rotation, origin=visit.origin)
                return visit.done(_("Everybody sits again as before the last drawing."))
            seat_players(session=session, method=method, seed=seed, tables=tables, expected_rotation=session.rotation, origin=visit.origin)
            return visit.done(_("Seated. The tables are open."))
    except Refused as error:
        problem = problem_of(error)
    players = {player.number: player for player in session.players.filter(left_at=None)}
    shown: list[dict[str, Any]] = []
    resting: list[str] = []
    try:
        seating = preview_seating(session, method=method, seed=seed, tables=tables)
    except Refused as error:
        problem = problem or problem_of(error)
    else:
        shown = plan_of(seating, players)
        resting = [players[number].name for number in seating.resting]
    context = {
        "plan": shown,
        "resting": resting,
        "method": method,
        "methods": [("lot", _("By lot")), ("shift", _("One seat on")), ("movement", _("To other tables"))] if session.rotation else [],
        "seed": seed,
        "tables": tables,
        "next_seed": new_seed(),
        "problem": problem,
        "count": len(players),
        "last_draw": next(iter(lasting_draws(session)[::-1]), None),
    }
    refused = problem is not None and (request.method == "POST" or problem.status == 409)
    return visit.page("seats.html", context, status=problem.status if problem and refused else 200)


def _moved_on() -> SessionError:
    message = Text(zh="座位刚刚已经排过了，请看一下现在的座位。", en="The seats were drawn meanwhile; look at them as they are now.")
    error = SessionError("stale", message, "rotation")
    error.status = 409
    return error


def plan_of(seating: Seating, players: dict[int, SessionPlayer]) -> list[dict[str, Any]]:
    """Tables with seats and names."""
    names = seat_names()
    return [
        {
            "number": table.number,
            "seats": [
                (
                    names[seat] if seat < len(names) and len(table.seats) <= len(names) else str(seat + 1),
                    players[number].name if number in players else "",
                )
                for seat, number in enumerate(table.seats)
            ],
        }
        for table in seating.tables
    ]


@require_http_methods(["GET", "POST"])
@in_session("open_table")
def table(visit: SessionVisit) -> HttpResponse:
    """One more table by hand, with a game and a length of its own where they are wanted."""
    session, request = visit.session, visit.request
    choices = games(frozenset(session.club.rulesets.values_list("ruleset__slug", flat=True)) if session.club else frozenset())
    own_game = session.revision.ruleset.slug
    data: Any = request.POST if request.method == "POST" else request.GET
    problem = None
    if request.method == "POST":
        problem = attempt(lambda: _open(visit, choices))
        if problem is None:
            return visit.done(_("The table is open."))
    slug = str(data.get("game") or own_game)
    game = next((game for game in choices if game.slug == slug), None)
    fields = house_rule_fields(game.revision, data) if game and slug != own_game else []
    numbers = data.getlist("seat")
    context = {
        "free": session_overview(session).resting,
        "places": [(name, numbers[index] if index < len(numbers) else "") for index, name in enumerate(_places(game, session.revision))],
        "resting": data.getlist("resting"),
        "games": choices,
        "data": {
            "game": slug,
            "length_kind": data.get("length_kind") or session.length_kind,
            "length": data.get("length") or session.length,
        },
        "start_points": data.get("start_points", session.start_points),
        "options": fields,
        "lengths": lengths(),
        "problem": problem,
    }
    return visit.page("table_open.html", context, status=problem.status if problem else 200)


def _places(game: Game | None, otherwise: Any) -> list[str]:
    from rules_app.rulings import ruleset_of  # noqa: PLC0415 - kept beside its one use

    document = ruleset_of(game.revision if game else otherwise).document
    if document.parties is not None:
        return [str(number + 1) for number in range(6)]
    return seat_names()[: document.seats]


def _open(visit: SessionVisit, choices: list[Game]) -> None:
    data, session = visit.request.POST, visit.session
    slug = str(data.get("game") or "")
    own = slug in ("", session.revision.ruleset.slug)
    revision = None if own else chosen_game(slug, choices)
    same = str(data.get("options_of") or "") == slug
    people = _people(visit, data.getlist("seat"))
    free = revision is not None and len(people) > 4
    open_session_table(
        session=session,
        players=[person for person in people if person is not None] if free else people,
        resting=[person for person in _people(visit, data.getlist("resting")) if person is not None],
        revision=revision,
        options=house_rules(revision, data) if revision is not None and same else None,
        start_points=whole(data, "start_points"),
        length_kind=str(data.get("length_kind") or session.length_kind),
        length=whole(data, "length"),
        author=visit.origin.author,
    )


def _people(visit: SessionVisit, numbers: list[str]) -> list[SessionPlayer | None]:
    """The players named by number; None for an empty place.

    :raises SessionError: somebody is named twice.
    """
    known = {str(player.number): player for player in visit.session.players.select_related("member")}
    chosen = [known.get(number) for number in numbers]
    taken = [player.pk for player in chosen if player is not None]
    if len(taken) != len(set(taken)):
        raise SessionError("bad_input", Text(zh="同一个人不能坐两个座位。", en="Nobody can sit on two seats."), "seat")
    return chosen
