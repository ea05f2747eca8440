"""The rulesets that a club keeps, over HTTP."""

from __future__ import annotations

from typing import ClassVar

from django.db.models import Prefetch, QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from rules_app.engine.text import Text
from rules_app.models import Revision, Ruleset
from scoring_app.club_api import schema
from scoring_app.club_api.base import KEY, MATCH, AccountView, once
from scoring_app.club_api.clubs import REFUSED, WRITE
from scoring_app.clubs import ClubError, adopt_ruleset, fork_for_club, set_editors
from scoring_app.models import Club, ClubRuleset, Member

CREATED = status.HTTP_201_CREATED


class ClubRulesets(AccountView):
    scopes: ClassVar = {"GET": "read", "POST": "manage"}

    @extend_schema(
        operation_id="list_club_rulesets",
        summary="Rulesets that a club keeps",
        parameters=[MATCH],
        responses={200: schema.ClubRulesetBody(many=True), **REFUSED},
    )
    def get(self, _request: Request, slug: str) -> Response:
        return Response(schema.ClubRulesetBody(kept(self.club_for(slug, "view_club")), many=True).data)

    @extend_schema(
        operation_id="adopt_ruleset",
        summary="Let the club keep a ruleset of one's own",
        parameters=[KEY],
        request=schema.Adoption,
        responses={201: schema.ClubRulesetBody, **WRITE},
    )
    @once
    def post(self, _request: Request, slug: str) -> Response:
        club = self.club_for(slug, "edit_rulesets")
        wanted = self.body(schema.Adoption)["ruleset"]
        own = Ruleset.objects.filter(slug=wanted, owner=self.account, shipped=False).first()
        if own is None:
            message = Text(zh=f"您没有代号为 {wanted} 的规则。", en=f"You own no ruleset with the slug {wanted}.")
            raise ClubError("bad_input", message, "ruleset")
        link = adopt_ruleset(club=club, ruleset=own, by=self.account)
        return Response(schema.ClubRulesetBody(link).data, status=CREATED)


class ClubRulesetDetail(AccountView):
    scopes: ClassVar = {"GET": "read", "PATCH": "manage"}

    @extend_schema(operation_id="get_club_ruleset", summary="One of them", responses={200: schema.ClubRulesetBody, **REFUSED})
    def get(self, _request: Request, slug: str, ruleset: str) -> Response:
        return Response(schema.ClubRulesetBody(get_object_or_404(kept(self.club_for(slug, "view_club")), ruleset__slug=ruleset)).data)

    @extend_schema(
        operation_id="set_ruleset_editors",
        summary="Say who may edit it beside owners and rule keepers",
        request=schema.Editors,
        responses={200: schema.ClubRulesetBody, **WRITE},
    )
    def patch(self, _request: Request, slug: str, ruleset: str) -> Response:
        club = self.club_for(slug, "edit_rulesets")
        link = get_object_or_404(ClubRuleset, club=club, ruleset__slug=ruleset)
        wanted = set(self.body(schema.Editors)["editors"])
        members = Member.objects.active().filter(club=club, public_id__in=wanted)
        if missing := wanted - {member.public_id for member in members}:
            names = ", ".join(sorted(missing))
            raise ClubError("bad_input", Text(zh=f"本会没有成员 {names}。", en=f"The club has no member {names}."), "editors")
        set_editors(club_ruleset=link, members=members)
        return Response(schema.ClubRulesetBody(link).data)


class Fork(AccountView):
    scopes: ClassVar = {"POST": "manage"}

    @extend_schema(
        operation_id="fork_ruleset",
        summary="House rules of the club, as a draft, from a published game",
        parameters=[KEY],
        request=schema.NewFork,
        responses={201: schema.ClubRulesetBody, **WRITE},
    )
    @once
    def post(self, _request: Request, slug: str, game: str) -> Response:
        club = self.club_for(slug, "edit_rulesets")
        source = get_object_or_404(Ruleset, slug=game)
        link = fork_for_club(club=club, ruleset=source, by=self.account, **self.body(schema.NewFork))
        return Response(schema.ClubRulesetBody(link).data, status=CREATED)


def kept(club: Club) -> QuerySet[ClubRuleset]:
    """Those of a club with all that is said of them, in a fixed number of queries."""
    links = ClubRuleset.objects.filter(club=club).select_related("ruleset__forked_from__ruleset").defer("ruleset__forked_from__document")
    return links.prefetch_related("editors", Prefetch("ruleset__revisions", Revision.objects.defer("document")))
