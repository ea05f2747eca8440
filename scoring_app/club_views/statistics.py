"""Standings of a season, a game, an evening; the page of a player."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.timezone import localdate
from django.views.decorators.http import require_safe

from rules_app.languages import page_language
from rules_app.models import Ruleset
from scoring_app.club_views.members import member_of
from scoring_app.club_views.seasons import season_of
from scoring_app.club_views.standings import bars, chart_of, decimal, places, player_url, show
from scoring_app.club_views.visits import ClubVisit, in_club
from scoring_app.clubs import season_at
from scoring_app.session_views.visits import SessionVisit, in_session
from scoring_app.sessions import penalties_of
from scoring_app.statistics import club_statistics, player_page, season_statistics, session_statistics
from scoring_app.wording import participant_name


@require_safe
@in_club("view_statistics")
def standings(visit: ClubVisit) -> HttpResponse:
    """The season that is on, another one, or all of them; in all games or one."""
    club, asked = visit.club, visit.request.GET
    seasons = list(club.seasons.all())
    wanted = asked.get("season")
    season = None if wanted == "all" else season_of(visit, wanted) if wanted else season_at(club, localdate())
    rulesets = list(Ruleset.objects.filter(revisions__tables__session__club=club).distinct())
    game = next((ruleset for ruleset in rulesets if ruleset.slug == asked.get("game")), None)
    if asked.get("game") and game is None:
        raise Http404(asked["game"])
    statistics = season_statistics(season, game) if season is not None else club_statistics(club, game)
    query = {name: asked[name] for name in ("season", "game") if name in asked}
    english = page_language() == "en"
    context = {
        "season": season,
        "seasons": seasons,
        "game": game,
        "games": [(ruleset.slug, ruleset.name_en if english else ruleset.name_zh) for ruleset in rulesets],
        "shown": show(statistics, sort=asked.get("sort", ""), query=query, player_url=player_url(club)),
        "evenings": len(statistics.days),
    }
    return visit.page("club/standings.html", context, tab="standings")


@require_safe
@in_club("view_statistics")
def player(visit: ClubVisit, public_id: str) -> HttpResponse:
    """What somebody has played: the development, games, patterns, evenings, opponents."""
    member = member_of(visit, public_id)
    page = player_page(member)
    url = player_url(visit.club)
    language = page_language()
    opponents = [(participant_name(person), amount, url(person)) for person, amount in page.opponents]
    longest = max((abs(amount) for _name, amount, _url in opponents), default=1) or 1
    context = {
        "member": member,
        "line": page.line,
        "average": decimal(page.line.average) if page.line and page.line.average is not None else "",
        "positions": places(page.line) if page.line else "",
        "chart": chart_of(page.series, list(page.series.people), {person: participant_name(person) for person in page.series.people}),
        "patterns": bars(page.patterns, {slug: name for slug, name, _line in page.by_ruleset}),
        "by_ruleset": [(name.in_language(language), line) for _slug, name, line in page.by_ruleset],
        "evenings": page.sessions[:30],
        "opponents": [(name, amount, there, max(2, round(100 * abs(amount) / longest))) for name, amount, there in opponents],
    }
    return visit.page("club/player.html", context, tab="members")


@require_safe
@in_session("view_statistics")
def session_standings(visit: SessionVisit) -> HttpResponse:
    """The evening: standings, the running score, who paid whom, patterns."""
    statistics = session_statistics(visit.session)
    # A page of the club opens to its members only, not to who came by a link.
    linked = visit.request.user.is_authenticated
    shown = show(statistics, sort=visit.request.GET.get("sort", ""), query={}, player_url=player_url(visit.session.club, linked=linked))
    return visit.page("standings.html", {"shown": shown})


@require_safe
@in_session("view_statistics")
def session_penalties(visit: SessionVisit) -> HttpResponse:
    """Every penalty of the evening with who paid whom, who wrote it and why; the sums come to zero (G12)."""
    found = penalties_of(session=visit.session)
    language, writes = page_language(), visit.may("record_penalty")
    rows = [
        {
            "time": row.entry.server_time,
            "table": row.table,
            "reason": row.reason.in_language(language),
            "payments": [(participant_name(person), amount) for person, amount in row.payments.items()],
            "voided": row.voided,
            "by": ", ".join(filter(None, [row.entry.author.get_username() if row.entry.author else "", row.entry.device_label])),
            "url": reverse("scoring:entry", args=[row.table.public_id, visit.secret_of(row.table), row.entry.seq]) if writes else "",
        }
        for row in found.rows
    ]
    totals = sorted(((participant_name(person), amount) for person, amount in found.totals.items()), key=lambda row: -row[1])
    return visit.page("penalties.html", {"rows": rows, "totals": totals, "sum": sum(found.totals.values())})
