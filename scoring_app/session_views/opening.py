"""The evenings of a club as a calendar; opening one, changing what it starts with."""

from __future__ import annotations

import itertools

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from rules_app.engine.text import Text
from rules_app.languages import page_language
from rules_app.models import Revision
from scoring_app.club_views.asking import (
    Game,
    Problem,
    address,
    as_sent,
    attempt,
    chosen_game,
    day,
    games,
    house_rule_fields,
    house_rules,
    looked,
    see,
    whole,
)
from scoring_app.club_views.clubs import policies
from scoring_app.club_views.seasons import season_of
from scoring_app.club_views.visits import ClubVisit, in_club, private
from scoring_app.clubs import defaults_of, season_at
from scoring_app.errors import SessionError
from scoring_app.models import Club, LengthKind, Season, Session, Table
from scoring_app.session_views.visits import HOST_COOKIE, SessionVisit, in_session, keep
from scoring_app.sessions import edit_session, open_session, sessions_of
from scoring_app.views.opening import load_shipped_rulesets_once


@require_safe
@in_club("view_club")
def sessions(visit: ClubVisit) -> HttpResponse:
    """All evenings, month by month, the newest first."""
    public_id = visit.request.GET.get("season", "")
    season = season_of(visit, public_id) if public_id else None
    lines = sessions_of(visit.club, season=season)
    months = [
        {"first": month[0].session.date, "lines": month}
        for month in (
            list(group) for _key, group in itertools.groupby(lines, key=lambda line: (line.session.date.year, line.session.date.month))
        )
    ]
    context = {"months": months, "seasons": list(visit.club.seasons.all()), "season": season}
    return visit.page("session/list.html", context, tab="sessions")


@require_http_methods(["GET", "POST"])
@in_club("edit_sessions")
def new(visit: ClubVisit) -> HttpResponse:
    """Open an evening of the club."""
    return _open(visit.request, visit)


@require_http_methods(["GET", "POST"])
def new_without_club(request: HttpRequest) -> HttpResponse:
    """Open an evening for people who have no club: the device that opens it organises it."""
    return private(request, _open(request, None))


def _open(request: HttpRequest, visit: ClubVisit | None) -> HttpResponse:
    club = visit.club if visit else None
    own = frozenset(club.rulesets.values_list("ruleset__slug", flat=True)) if club else frozenset()
    choices = games(own)
    if not choices:
        load_shipped_rulesets_once()
        choices = games(own)
    problem: Problem | None = None
    if request.method == "POST":
        data: QueryDict = request.POST
        made: list[Session] = []
        problem = attempt(lambda: made.append(_make(request, visit, choices)))
        if problem is None:
            session = made[0]
            response = see(address("session", session.public_id))
            if club is None:
                keep(response, request, HOST_COOKIE, f"{session.public_id}.{session.host_token}")
            return response
    else:
        data = _first_values(request, visit, choices)
    seasons = list(club.seasons.all()) if club else []
    context = _form(data, choices, seasons, problem)
    status = problem.status if problem else 200
    if visit is not None:
        return visit.page("session/new.html", context, status=status, tab="sessions")
    return render(request, "scoring_app/session/new.html", context, status=status)


def _form(data: QueryDict, choices: list[Game], seasons: list[Season], problem: Problem | None) -> dict[str, object]:
    revision = next((game.revision for game in choices if game.slug == data.get("game")), None)
    return {
        "data": data,
        "games": choices,
        "options": house_rule_fields(revision, data),
        "seasons": seasons,
        "policies": policies(),
        "lengths": lengths(),
        "problem": problem,
    }


def lengths() -> list[tuple[str, str]]:
    """What ends the play at a table, in words."""
    return [
        (LengthKind.NONE.value, _("When we like")),
        (LengthKind.ROUNDS.value, _("After a number of rounds")),
        (LengthKind.CLOCK.value, _("After a number of minutes")),
    ]


def _first_values(request: HttpRequest, visit: ClubVisit | None, choices: list[Game]) -> QueryDict:
    """The form as it opens: what the season or the club has set, and what was asked for in the address."""
    sent = request.GET
    if visit is None:
        game = sent.get("game", choices[0].slug if choices else "")
        if "look" in sent:
            return looked(sent)
        return as_sent({}, game=game, date=localdate(), length_kind="none", length="", start_points=0, confirmation="none", table_fee=0)
    if "look" in sent:
        return looked(sent)
    club = visit.club
    season = season_at(club, localdate())
    defaults = defaults_of(club, season)
    game = defaults.revision.ruleset.slug if defaults.revision else (choices[0].slug if choices else "")
    return as_sent(
        defaults.options,
        game=game,
        season=season.public_id if season else "",
        date=localdate(),
        length_kind="none",
        length="",
        start_points=0,
        confirmation=club.confirmation,
        table_fee=club.table_fee,
    )


def _make(request: HttpRequest, visit: ClubVisit | None, choices: list[Game]) -> Session:
    data = request.POST
    slug = str(data.get("game") or "")
    revision = chosen_game(slug, choices)
    if revision is None:
        raise SessionError("bad_input", Text(zh="请选一种玩法。", en="Choose a game."), "game")
    club: Club | None = visit.club if visit else None
    season = season_of(visit, str(data.get("season"))) if visit and data.get("season") else None
    options = house_rules(revision, data) if str(data.get("options_of") or "") == slug else _options_of(club, season, revision)
    return open_session(
        club=club,
        season=season,
        title=str(data.get("title") or "").strip(),
        date=day(data, "date") or localdate(),
        language=club.language if club else page_language(),
        revision=revision,
        options=options,
        start_points=whole(data, "start_points"),
        length_kind=str(data.get("length_kind") or "none"),
        length=whole(data, "length"),
        confirmation=str(data.get("confirmation") or "none"),
        table_fee=whole(data, "table_fee"),
        author=request.user if request.user.is_authenticated else None,
    )


def _options_of(club: Club | None, season: Season | None, revision: Revision) -> dict[str, object]:
    """The house rules set for a game that was chosen without seeing them."""
    if club is None:
        return {}
    defaults = defaults_of(club, season)
    return defaults.options if defaults.revision is not None and defaults.revision.ruleset_id == revision.ruleset_id else {}


@require_http_methods(["GET", "POST"])
@in_session("edit_sessions")
def edit(visit: SessionVisit) -> HttpResponse:
    """Everything that later tables start with, the game too; tables that are open keep what they have."""
    session, request = visit.session, visit.request
    own = frozenset(session.club.rulesets.values_list("ruleset__slug", flat=True)) if session.club else frozenset()
    choices = games(own)
    problem = None
    if request.method == "POST":
        data: QueryDict = request.POST
        problem = attempt(lambda: _save(visit, choices))
        if problem is None:
            return visit.done(_("Saved."))
    elif "look" in request.GET:
        data = looked(request.GET)
    else:
        data = as_sent(
            session.options,
            title=session.title,
            date=session.date,
            game=session.revision.ruleset.slug,
            length_kind=session.length_kind,
            length=session.length or "",
            start_points=session.start_points,
            confirmation=session.confirmation,
            table_fee=session.table_fee,
        )
    context = _form(data, choices, [], problem)
    newest = next((game.revision for game in choices if game.revision.ruleset_id == session.revision.ruleset_id), None)
    if data.get("game") == session.revision.ruleset.slug:
        context["options"] = house_rule_fields(session.revision, data)
        context["newer"] = newest if newest is not None and newest.pk != session.revision_id else None
    context["has_open_tables"] = session.tables.filter(status=Table.Status.OPEN).exists()
    return visit.page("edit.html", context, status=problem.status if problem else 200)


def _save(visit: SessionVisit, choices: list[Game]) -> None:
    data, session = visit.request.POST, visit.session
    slug = str(data.get("game") or "")
    revision = chosen_game(slug, choices) or session.revision
    # A session stays with the rules as they were until somebody says otherwise.
    if revision.ruleset_id == session.revision.ruleset_id and data.get("newest") != "1":
        revision = session.revision
    seen = str(data.get("options_of") or "") == slug
    changed = revision.ruleset_id != session.revision.ruleset_id
    edit_session(
        session=session,
        title=str(data.get("title") or "").strip(),
        date=day(data, "date") or session.date,
        revision=revision,
        options=house_rules(revision, data) if seen and slug else _options_of(session.club, session.season, revision) if changed else None,
        length_kind=str(data.get("length_kind") or session.length_kind),
        length=whole(data, "length"),
        start_points=whole(data, "start_points"),
        confirmation=str(data.get("confirmation") or session.confirmation),
        table_fee=whole(data, "table_fee"),
        open_tables=data.get("open_tables") == "1",
    )
