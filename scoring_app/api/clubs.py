"""Clubs and seasons."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from rules_app.languages import page_language
from scoring_app.api.acts import changes, reads, writes
from scoring_app.api.base import CREATED, AccountView, stored
from scoring_app.api.describe import Json, describe_club
from scoring_app.api.schema import clubs as schema
from scoring_app.clubs import PERMISSIONS, clubs_of, create_club, edit_club, edit_season, open_season, roles_of
from scoring_app.models import Season


class Clubs(AccountView):
    writing = "manage"

    @reads("list_clubs", "My clubs", schema.ClubBody(many=True))
    def get(self, _request: Request) -> Response:
        return Response([describe_club(line.club, line.roles) for line in clubs_of(self.account)])

    @writes("create_club", "Found a club", schema.NewClub, schema.ClubBody)
    def post(self, _request: Request) -> Response:
        club = create_club(owner=self.account, **self.body(schema.NewClub))
        return Response(describe_club(club, roles_of(self.account, club)), status=CREATED)


class ClubDetail(AccountView):
    writing = "manage"

    @reads("get_club", "A club", schema.ClubBody)
    def get(self, _request: Request, slug: str) -> Response:
        club = self.club_for(slug, "view_club")
        return Response(describe_club(club, roles_of(self.account, club)))

    @changes("edit_club", "Change a club's settings; what was played keeps what it started with", schema.ClubChange, schema.ClubBody)
    def patch(self, _request: Request, slug: str) -> Response:
        club = edit_club(club=self.club_for(slug, "edit_club"), **with_defaults(self.body(schema.ClubChange)))
        return Response(describe_club(club, roles_of(self.account, club)))


class Permissions(AccountView):
    @reads("list_permissions", "Who may do what: the table that every check reads", schema.PermissionBody(many=True))
    def get(self, _request: Request, slug: str) -> Response:
        self.club_for(slug, "view_club")
        return Response(schema.PermissionBody(PERMISSIONS.values(), many=True, context={"language": page_language()}).data)


class Seasons(AccountView):
    writing = "manage"

    @reads("list_seasons", "Seasons", schema.SeasonBody(many=True))
    def get(self, _request: Request, slug: str) -> Response:
        rows = self.club_for(slug, "view_club").seasons.select_related("default_revision__ruleset").defer("default_revision__document")
        return Response(schema.SeasonBody(rows, many=True).data)

    @writes("open_season", "Open a season", schema.NewSeason, schema.SeasonBody)
    def post(self, _request: Request, slug: str) -> Response:
        season = open_season(club=self.club_for(slug, "edit_seasons"), **with_defaults(self.body(schema.NewSeason)))
        return Response(schema.SeasonBody(season).data, status=CREATED)


class SeasonDetail(AccountView):
    writing = "manage"

    @reads("get_season", "A season", schema.SeasonBody)
    def get(self, _request: Request, slug: str, season: str) -> Response:
        return Response(schema.SeasonBody(self._season(slug, season, "view_club")).data)

    @changes("edit_season", "Change a season; its sessions keep the rules they have", schema.SeasonChange, schema.SeasonBody)
    def patch(self, _request: Request, slug: str, season: str) -> Response:
        found = self._season(slug, season, "edit_seasons")
        return Response(schema.SeasonBody(edit_season(season=found, **with_defaults(self.body(schema.SeasonChange)))).data)

    def _season(self, slug: str, season: str, action: str) -> Season:
        return get_object_or_404(Season, club=self.club_for(slug, action), public_id=season)


def with_defaults(facts: Json) -> Json:
    """The facts with the game and the house rules that sessions start with, as the domain calls them."""
    facts = dict(facts)
    if "variant" in facts:
        variant = facts.pop("variant")
        facts["default_revision"] = stored(variant) if variant is not None else None
    if "options" in facts:
        facts["default_options"] = facts.pop("options")
    return facts
