"""The seasons of a club, each with what is played in it by default."""

from __future__ import annotations

from django.http import Http404, HttpResponse, QueryDict
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from rules_app.engine.text import Text
from scoring_app.club_views.asking import Game, Problem, as_sent, attempt, chosen_game, day, games, house_rule_fields, house_rules, looked
from scoring_app.club_views.visits import ClubVisit, in_club
from scoring_app.clubs import ClubError, edit_season, open_season, season_at
from scoring_app.models import Season


@require_safe
@in_club("view_club")
def seasons(visit: ClubVisit) -> HttpResponse:
    """All seasons, the newest first."""
    rows = visit.club.seasons.select_related("default_revision__ruleset").defer("default_revision__document")
    current = season_at(visit.club, localdate())
    return visit.page("club/seasons.html", {"seasons": rows, "current": current}, tab="standings")


@require_http_methods(["GET", "POST"])
@in_club("edit_seasons")
def new(visit: ClubVisit) -> HttpResponse:
    """Open a season."""
    return _edit(visit, None)


@require_http_methods(["GET", "POST"])
@in_club("edit_seasons")
def edit(visit: ClubVisit, public_id: str) -> HttpResponse:
    """Name, days and rules of a season."""
    season = season_of(visit, public_id)
    return _edit(visit, season)


def season_of(visit: ClubVisit, public_id: str) -> Season:
    season = Season.objects.filter(club=visit.club, public_id=public_id).select_related("default_revision__ruleset").first()
    if season is None:
        raise Http404(public_id)
    return season


def _edit(visit: ClubVisit, season: Season | None) -> HttpResponse:
    choices = games(frozenset(visit.club.rulesets.values_list("ruleset__slug", flat=True)))
    problem: Problem | None = None
    data: QueryDict = visit.request.POST
    if visit.request.method == "POST":
        problem = attempt(lambda: _save(visit, season, choices))
        if problem is None:
            return visit.done(_("Saved."), "seasons")
    elif "look" in visit.request.GET:
        data = looked(visit.request.GET)
    elif season is not None:
        stored = season.default_revision.ruleset.slug if season.default_revision else ""
        data = as_sent(season.default_options, name=season.name, starts=season.starts, ends=season.ends, game=stored)
    else:
        data = as_sent({}, starts=localdate())
    revision = next((game.revision for game in choices if game.slug == data.get("game")), None)
    context = {"season": season, "problem": problem, "data": data, "games": choices, "options": house_rule_fields(revision, data)}
    return visit.page("club/season_edit.html", context, status=problem.status if problem else 200, tab="standings")


def _save(visit: ClubVisit, season: Season | None, choices: list[Game]) -> None:
    data = visit.request.POST
    starts, ends = day(data, "starts"), day(data, "ends")
    if starts is None:
        raise ClubError("bad_input", Text(zh="请填赛季开始的日期。", en="Say on which day the season starts."), "starts")
    slug = str(data.get("game") or "")
    revision = chosen_game(slug, choices)
    same = str(data.get("options_of") or "") == slug
    options = house_rules(revision, data) if same else {}
    name = str(data.get("name") or "")
    if season is None:
        open_season(club=visit.club, name=name, starts=starts, ends=ends, default_revision=revision, default_options=options)
    else:
        # An empty name is to be refused, not to mean "as it is".
        edit_season(season=season, name=name or " ", starts=starts, ends=ends, default_revision=revision, default_options=options)
