"""The rulesets that a club keeps."""

from __future__ import annotations

from django.db.models import Prefetch, QuerySet
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from rules_app.engine.text import Text
from rules_app.models import Revision, Ruleset
from scoring_app.api.acts import changes, reads, writes
from scoring_app.api.base import CREATED, AccountView
from scoring_app.api.schema import clubs as schema
from scoring_app.clubs import ClubError, adopt_ruleset, fork_for_club, set_editors
from scoring_app.models import Club, ClubRuleset, Member


class ClubRulesets(AccountView):
    writing = "manage"

    @reads("list_club_rulesets", "Rulesets that a club keeps", schema.ClubRulesetBody(many=True))
    def get(self, _request: Request, slug: str) -> Response:
        return Response(schema.ClubRulesetBody(kept(self.club_for(slug, "view_club")), many=True).data)

    @writes("adopt_ruleset", "Let the club keep a ruleset of one's own", schema.Adoption, schema.ClubRulesetBody)
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
    writing = "manage"

    @reads("get_club_ruleset", "One of them", schema.ClubRulesetBody)
    def get(self, _request: Request, slug: str, ruleset: str) -> Response:
        return Response(schema.ClubRulesetBody(get_object_or_404(kept(self.club_for(slug, "view_club")), ruleset__slug=ruleset)).data)

    @changes("set_ruleset_editors", "Say who may edit it beside owners and rule keepers", schema.Editors, schema.ClubRulesetBody)
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
    writing = "manage"

    @writes("fork_ruleset", "House rules of the club, as a draft, from a published game", schema.NewFork, schema.ClubRulesetBody)
    def post(self, _request: Request, slug: str, game: str) -> Response:
        club = self.club_for(slug, "edit_rulesets")
        source = get_object_or_404(Ruleset, slug=game)
        link = fork_for_club(club=club, ruleset=source, by=self.account, **self.body(schema.NewFork))
        return Response(schema.ClubRulesetBody(link).data, status=CREATED)


def kept(club: Club) -> QuerySet[ClubRuleset]:
    """Those of a club with all that is said of them, in a fixed number of queries."""
    links = ClubRuleset.objects.filter(club=club).select_related("ruleset__forked_from__ruleset").defer("ruleset__forked_from__document")
    return links.prefetch_related("editors", Prefetch("ruleset__revisions", Revision.objects.defer("document")))
