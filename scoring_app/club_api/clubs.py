"""Clubs, members, seasons and statistics over HTTP."""

from __future__ import annotations

from typing import ClassVar

import django_filters
from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from rules_app.api import find, language
from rules_app.api_schema import Error
from rules_app.models import Revision, Ruleset
from scoring_app.club_api import schema
from scoring_app.club_api.base import KEY, MATCH, AccountView, ListView, once
from scoring_app.club_api.describe import describe_club, describe_job, describe_statistics
from scoring_app.clubs import add_member, create_club, edit_club, edit_season, find_member, open_season, rename_member, roles_of
from scoring_app.jobs import start_job
from scoring_app.models import ApiToken, Club, Member, Season
from scoring_app.statistics import club_statistics, season_statistics

REFUSED = {401: Error, 403: Error, 404: Error, 422: Error}
WRITE = {400: Error, **REFUSED}


class MemberFilter(django_filters.FilterSet):  # type: ignore[misc]
    name = django_filters.CharFilter(lookup_expr="icontains", max_length=40)

    class Meta:
        model = Member
        fields: ClassVar = ["name"]


class Account(AccountView):
    @extend_schema(operation_id="get_me", summary="Whose token this is, and what it may do", responses={200: schema.Me, 401: Error})
    def get(self, request: Request) -> Response:
        token = request.auth
        scopes = token.scopes if isinstance(token, ApiToken) else list(ApiToken.Scope.values)
        return Response({"account": self.account.get_username(), "scopes": scopes})


class Clubs(AccountView):
    scopes: ClassVar = {"GET": "read", "POST": "manage"}

    @extend_schema(
        operation_id="list_clubs",
        summary="My clubs",
        parameters=[MATCH],
        responses={200: schema.ClubBody(many=True), 401: Error},
    )
    def get(self, _request: Request) -> Response:
        clubs = Club.objects.filter(members__in=Member.objects.active().filter(account=self.account))
        return Response([describe_club(club, roles_of(self.account, club)) for club in clubs.select_related("default_revision__ruleset")])

    @extend_schema(
        operation_id="create_club",
        summary="Found a club",
        parameters=[KEY],
        request=schema.NewClub,
        responses={201: schema.ClubBody, **WRITE},
    )
    @once
    def post(self, _request: Request) -> Response:
        club = create_club(owner=self.account, **self.body(schema.NewClub))
        return Response(describe_club(club, roles_of(self.account, club)), status=status.HTTP_201_CREATED)


class ClubDetail(AccountView):
    scopes: ClassVar = {"GET": "read", "PATCH": "manage"}

    @extend_schema(
        operation_id="get_club",
        summary="A club",
        parameters=[MATCH],
        responses={200: schema.ClubBody, **REFUSED},
    )
    def get(self, _request: Request, slug: str) -> Response:
        club = self.club_for(slug, "view_club")
        return Response(describe_club(club, roles_of(self.account, club)))

    @extend_schema(
        operation_id="edit_club", summary="Change a club's settings", request=schema.ClubChange, responses={200: schema.ClubBody, **WRITE}
    )
    def patch(self, _request: Request, slug: str) -> Response:
        club = self.club_for(slug, "edit_club")
        facts = self.body(schema.ClubChange)
        if "variant" in facts:
            facts["default_revision"] = stored(facts.pop("variant"))
        club = edit_club(club=club, **facts)
        return Response(describe_club(club, roles_of(self.account, club)))


class Members(ListView):
    scopes: ClassVar = {"GET": "read", "POST": "manage"}
    serializer_class = schema.MemberBody
    filterset_class = MemberFilter
    queryset = Member.objects.none()

    @extend_schema(operation_id="list_members", summary="Members of a club", responses={200: schema.MemberBody(many=True), **REFUSED})
    def get(self, _request: Request, slug: str) -> Response:
        rows: QuerySet[Member] = Member.objects.active().filter(club=self.club_for(slug, "view_members"))
        page = self.paginate_queryset(self.filter_queryset(rows.prefetch_related("roles").order_by("name", "pk")))
        return self.get_paginated_response(schema.MemberBody(page, many=True).data)

    @extend_schema(
        operation_id="add_member",
        summary="Add a member, a name for now",
        parameters=[KEY],
        request=schema.NewMember,
        responses={201: schema.MemberBody, **WRITE},
        filters=False,
    )
    @once
    def post(self, _request: Request, slug: str) -> Response:
        member = add_member(club=self.club_for(slug, "edit_members"), name=self.body(schema.NewMember)["name"])
        return Response(schema.MemberBody(member).data, status=status.HTTP_201_CREATED)


class MemberDetail(AccountView):
    scopes: ClassVar = {"GET": "read", "PATCH": "manage"}

    @extend_schema(operation_id="get_member", summary="A member", responses={200: schema.MemberBody, **REFUSED})
    def get(self, _request: Request, slug: str, member: str) -> Response:
        return Response(schema.MemberBody(self._member(slug, member, "view_members")).data)

    @extend_schema(operation_id="rename_member", summary="Rename", request=schema.NewMember, responses={200: schema.MemberBody, **WRITE})
    def patch(self, _request: Request, slug: str, member: str) -> Response:
        found = self._member(slug, member, "edit_members")
        return Response(schema.MemberBody(rename_member(member=found, name=self.body(schema.NewMember)["name"])).data)

    def _member(self, slug: str, member: str, action: str) -> Member:
        return member_or_404(self.club_for(slug, action), member)


class Seasons(AccountView):
    scopes: ClassVar = {"GET": "read", "POST": "manage"}

    @extend_schema(operation_id="list_seasons", summary="Seasons", responses={200: schema.SeasonBody(many=True), **REFUSED})
    def get(self, _request: Request, slug: str) -> Response:
        rows = self.club_for(slug, "view_club").seasons.select_related("default_revision__ruleset").defer("default_revision__document")
        return Response(schema.SeasonBody(rows, many=True).data)

    @extend_schema(
        operation_id="open_season",
        summary="Open a season",
        parameters=[KEY],
        request=schema.NewSeason,
        responses={201: schema.SeasonBody, **WRITE},
    )
    @once
    def post(self, _request: Request, slug: str) -> Response:
        season = open_season(club=self.club_for(slug, "edit_seasons"), **self.body(schema.NewSeason))
        return Response(schema.SeasonBody(season).data, status=status.HTTP_201_CREATED)


class SeasonDetail(AccountView):
    scopes: ClassVar = {"GET": "read", "PATCH": "manage"}

    @extend_schema(operation_id="get_season", summary="A season", responses={200: schema.SeasonBody, **REFUSED})
    def get(self, _request: Request, slug: str, season: str) -> Response:
        return Response(schema.SeasonBody(self._season(slug, season, "view_club")).data)

    @extend_schema(
        operation_id="edit_season",
        summary="Change a season; its sessions keep the rules they have",
        request=schema.SeasonChange,
        responses={200: schema.SeasonBody, **WRITE},
    )
    def patch(self, _request: Request, slug: str, season: str) -> Response:
        found = self._season(slug, season, "edit_seasons")
        facts = self.body(schema.SeasonChange)
        if "variant" in facts:
            variant = facts.pop("variant")
            facts["default_revision"] = stored(variant) if variant is not None else None
        return Response(schema.SeasonBody(edit_season(season=found, **facts)).data)

    def _season(self, slug: str, season: str, action: str) -> Season:
        return get_object_or_404(Season, club=self.club_for(slug, action), public_id=plain_text(season))


class ClubStatistics(AccountView):
    @extend_schema(
        operation_id="get_club_statistics",
        summary="Standings, who pays whom and pattern frequencies of a club or one of its seasons",
        parameters=[MATCH, OpenApiParameter("season", str), OpenApiParameter("variant", str)],
        responses={200: schema.StatisticsBody, **REFUSED},
    )
    def get(self, request: Request, slug: str) -> Response:
        club = self.club_for(slug, "view_statistics")
        variant, season = request.query_params.get("variant"), request.query_params.get("season")
        ruleset = get_object_or_404(Ruleset, slug=plain_text(variant)) if variant else None
        if season:
            chosen = get_object_or_404(Season, club=club, public_id=plain_text(season))
            return Response(describe_statistics(season_statistics(chosen, ruleset), language()))
        return Response(describe_statistics(club_statistics(club, ruleset), language()))


class ClubExports(AccountView):
    scopes: ClassVar = {"POST": "export"}

    @extend_schema(
        operation_id="export_club",
        summary="Make a spreadsheet of a club or a season, as a job",
        parameters=[KEY],
        request=schema.NewExport,
        responses={202: schema.JobBody, **WRITE},
    )
    @once
    def post(self, _request: Request, slug: str) -> Response:
        club = self.club_for(slug, "export")
        facts = self.body(schema.NewExport)
        what, name = "club", club.slug
        if "season" in facts:
            what, name = "season", get_object_or_404(Season, club=club, public_id=facts["season"]).public_id
        params = {"of": what, "id": name, "form": facts["form"]}
        job = start_job(kind="export", params=params, owner=self.account, club=club, language=language())
        return Response(describe_job(job, language()), status=status.HTTP_202_ACCEPTED)


def member_or_404(club: Club, public_id: str) -> Member:
    try:
        return find_member(club, plain_text(public_id))
    except Member.DoesNotExist:
        raise Http404 from None


def stored(slug: str) -> Revision:
    """The newest revision of a game. :raises NotFound: there is none."""
    revision = find(slug)
    if revision.number == 0:
        raise Http404
    return revision


def plain_text(text: str) -> str:
    """A text that every database takes. :raises Http404: it is none, so nothing is called that."""
    if "\x00" in text:
        raise Http404
    return text
