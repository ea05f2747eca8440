"""The clubs of an account; a club's home, settings and permission table."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from rules_app.languages import page_language
from rules_app.models import Revision
from rules_app.rulings import ruleset_of
from scoring_app.club_views.asking import (
    Game,
    Problem,
    address,
    as_sent,
    attempt,
    chosen_game,
    game_name,
    games,
    house_rule_fields,
    house_rules,
    looked,
    problem_of,
    see,
    whole,
)
from scoring_app.club_views.standings import leaders, player_url
from scoring_app.club_views.visits import ClubVisit, in_club
from scoring_app.clubs import PERMISSIONS, ROLES, clubs_of, create_club, edit_club, season_at
from scoring_app.errors import Refused
from scoring_app.models import ConfirmationPolicy, Session
from scoring_app.sessions import sessions_of
from scoring_app.shown.table import option_words
from scoring_app.statistics import season_statistics


@require_safe
@never_cache
@login_required
def mine(request: HttpRequest) -> HttpResponse:
    """The clubs of who is signed in."""
    language = page_language()
    lines = [(line.club, [ROLES[role].in_language(language) for role in line.roles], line.members) for line in clubs_of(request.user)]  # type: ignore[arg-type]
    return render(request, "scoring_app/club/mine.html", {"lines": lines})


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def new(request: HttpRequest) -> HttpResponse:
    """Found a club."""
    problem = None
    data = request.POST or as_sent({}, language=page_language())
    if request.method == "POST":
        try:
            club = create_club(
                name=str(data.get("name") or ""),
                slug=str(data.get("slug") or "").strip(),
                language=str(data.get("language") or page_language()),
                owner=request.user,  # type: ignore[arg-type]
            )
        except Refused as error:
            problem = problem_of(error)
        else:
            return see(address("club", club.slug))
    return render(request, "scoring_app/club/new.html", {"problem": problem, "data": data}, status=problem.status if problem else 200)


@require_safe
@in_club("view_club")
def home(visit: ClubVisit) -> HttpResponse:
    """What to do next; the season so far; the last evenings."""
    club, today = visit.club, localdate()
    season = season_at(club, today)
    lines = sessions_of(club)
    running = [line for line in lines if line.session.status == Session.Status.RUNNING]
    planned = sorted(
        (line for line in lines if line.session.status == Session.Status.PLANNED), key=lambda line: (line.session.date, line.session.pk)
    )
    revision = (season and season.default_revision) or club.default_revision
    context = {
        "season": season,
        "running": running,
        "planned": planned[:5],
        "today": [line for line in planned if line.session.date == today],
        "ended": [line for line in lines if line.session.status == Session.Status.ENDED][:6],
        "members": club.members.active().count(),
        "leaders": leaders(season_statistics(season), player_url(club)) if season else [],
        "game": game_name(revision) if revision else "",
    }
    return visit.page("club/home.html", context, tab="home")


@require_safe
@in_club("view_club")
def permissions(visit: ClubVisit) -> HttpResponse:
    """Who may do what, from the one table that all checks read."""
    language = page_language()
    scopes = {"club": _("The club"), "session": _("Sessions"), "table": _("Tables")}
    groups = [
        (
            title,
            [
                (row.label.in_language(language), [(role in row.roles, words.in_language(language)) for role, words in ROLES.items()])
                for row in PERMISSIONS.values()
                if row.scope == scope
            ],
        )
        for scope, title in scopes.items()
    ]
    roles = [words.in_language(language) for words in ROLES.values()]
    own = [words.in_language(language) for role, words in ROLES.items() if role in visit.roles]
    return visit.page("club/permissions.html", {"groups": groups, "columns": roles, "own": own}, tab="members")


@require_http_methods(["GET", "POST"])
@in_club("edit_club")
def settings(visit: ClubVisit) -> HttpResponse:
    """The name, and what sessions start with."""
    club = visit.club
    choices = games(frozenset(club.rulesets.values_list("ruleset__slug", flat=True)))
    if visit.request.method == "POST":
        problem = attempt(lambda: _save(visit, choices))
        if problem is None:
            club.refresh_from_db()
            return visit.done(_("Saved."), "settings")
        return _settings_page(visit, visit.request.POST, choices, problem)
    if "look" in visit.request.GET:
        data = looked(visit.request.GET)
    else:
        data = as_sent(
            club.default_options,
            name=club.name,
            slug=club.slug,
            language=club.language,
            confirmation=club.confirmation,
            table_fee=club.table_fee,
            game=club.default_revision.ruleset.slug if club.default_revision else "",
        )
    return _settings_page(visit, data, choices, None)


def _settings_page(visit: ClubVisit, data: QueryDict, choices: list[Game], problem: Problem | None) -> HttpResponse:
    revision = next((game.revision for game in choices if game.slug == data.get("game")), None)
    context = {
        "problem": problem,
        "data": data,
        "games": choices,
        "options": house_rule_fields(revision, data),
        "policies": policies(),
    }
    return visit.page("club/settings.html", context, status=problem.status if problem else 200, tab="settings")


def _save(visit: ClubVisit, choices: list[Game]) -> None:
    data, club = visit.request.POST, visit.club
    revision = chosen_game(str(data.get("game") or ""), choices)
    # Options shown for one game are not those of another one that was chosen without seeing its own.
    same = str(data.get("options_of") or "") == str(data.get("game") or "")
    saved = edit_club(
        club=club,
        name=str(data.get("name") or ""),
        slug=str(data.get("slug") or "").strip(),
        language=str(data.get("language") or club.language),
        default_revision=revision,
        default_options=house_rules(revision, data) if same else {},
        confirmation=str(data.get("confirmation") or club.confirmation),
        table_fee=whole(data, "table_fee"),
    )
    club.slug = saved.slug


def policies() -> list[tuple[str, str]]:
    """Who confirms an entry, in words."""
    return [
        (ConfirmationPolicy.NONE.value, _("Nobody")),
        (ConfirmationPolicy.DEVICE.value, _("Another device")),
        (ConfirmationPolicy.PERSON.value, _("Another person")),
    ]


def rules_in_words(revision: Revision, options: dict[str, Any]) -> str:
    """A game with the house rules that differ."""
    words = option_words(ruleset_of(revision), options, page_language())
    return " · ".join([game_name(revision), *words])
