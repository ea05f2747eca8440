"""Standings, charts and patterns: of a club, a season, a member, a session, a table."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from rules_app.languages import page_language
from rules_app.models import Ruleset
from scoring_app.api.acts import reads
from scoring_app.api.base import AccountView, SessionView, TableView, member_of
from scoring_app.api.describe import describe_penalties, describe_player, describe_statistics
from scoring_app.api.schema import statistics as schema
from scoring_app.models import Season
from scoring_app.sessions import penalties_of
from scoring_app.statistics import club_statistics, player_page, season_statistics, session_statistics, table_statistics

VARIANT = OpenApiParameter("variant", str, description="Only this game.")


def game_of(request: Request) -> Ruleset | None:
    variant = request.query_params.get("variant")
    return get_object_or_404(Ruleset, slug=variant) if variant else None


class ClubStatistics(AccountView):
    @reads(
        "get_club_statistics", "Standings, who pays whom, development and patterns of a club or one of its seasons",
        schema.StatisticsBody, OpenApiParameter("season", str), VARIANT,
    )  # fmt: skip
    def get(self, request: Request, slug: str) -> Response:
        club = self.club_for(slug, "view_statistics")
        ruleset, season = game_of(request), request.query_params.get("season")
        if season:
            chosen = get_object_or_404(Season, club=club, public_id=season)
            return Response(describe_statistics(season_statistics(chosen, ruleset), page_language()))
        return Response(describe_statistics(club_statistics(club, ruleset), page_language()))


class MemberStatistics(AccountView):
    @reads("get_member_statistics", "What a member has played", schema.PlayerStatisticsBody, VARIANT)
    def get(self, request: Request, slug: str, member: str) -> Response:
        found = member_of(self.club_for(slug, "view_statistics"), member)
        return Response(describe_player(player_page(found, game_of(request)), page_language()))


class SessionStatistics(SessionView):
    @reads("get_session_statistics", "Standings of a session", schema.StatisticsBody)
    def get(self, _request: Request, public_id: str) -> Response:
        return Response(describe_statistics(session_statistics(self.session_for(public_id, "view_statistics")), page_language()))


class SessionPenalties(SessionView):
    @reads("get_session_penalties", "Every penalty of a session: who paid whom, who wrote it and why", schema.PenaltiesBody)
    def get(self, _request: Request, public_id: str) -> Response:
        found = penalties_of(session=self.session_for(public_id, "view_statistics"))
        return Response(describe_penalties(found, page_language()))


class TableStatistics(TableView):
    @reads("get_table_statistics", "Standings of a table", schema.StatisticsBody)
    def get(self, _request: Request, public_id: str) -> Response:
        return Response(describe_statistics(table_statistics(self.table_for(public_id)), page_language()))
