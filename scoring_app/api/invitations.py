"""Inviting people: a link for a role, or for a member who is a name so far."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from scoring_app.api.acts import changes, reads, writes
from scoring_app.api.base import CREATED, AccountView, member_of
from scoring_app.api.schema import clubs as schema
from scoring_app.clubs import gives_more_than_a_look, invite, may, revoke_invitation
from scoring_app.models import Invitation


class Invitations(AccountView):
    reading = writing = "manage"

    @reads("list_invitations", "Open invitations", schema.InvitationLink(many=True))
    def get(self, request: Request, slug: str) -> Response:
        club = self.club_for(slug, "invite")
        grants = may(self.account, "grant_roles", club)
        rows = club.invitations.filter(revoked_at=None).select_related("member").prefetch_related("member__roles")
        return Response([describe_invitation(request, one, grants=grants) for one in rows if one.is_open])

    @writes("invite", "Make a link to join by", schema.NewInvitation, schema.InvitationLink)
    def post(self, request: Request, slug: str) -> Response:
        club = self.club_for(slug, "invite")
        facts = self.body(schema.NewInvitation)
        grants = may(self.account, "grant_roles", club)
        if "member" in facts:
            facts["member"] = member_of(club, facts["member"])
        if not grants and gives_more_than_a_look(facts.get("role", ""), facts.get("member")):
            raise PermissionDenied(_("Your roles in this club do not allow it."))
        made = invite(club=club, by=self.account, **facts)
        return Response(describe_invitation(request, made, grants=grants), status=CREATED)


class InvitationDetail(AccountView):
    writing = "manage"

    @changes("revoke_invitation", "Withdraw an invitation; its link stops working", None, schema.InvitationBody)
    def delete(self, _request: Request, slug: str, invitation: int) -> Response:
        club = self.club_for(slug, "invite")
        found = get_object_or_404(Invitation.objects.select_related("member"), club=club, pk=invitation)
        return Response(schema.InvitationBody(revoke_invitation(invitation=found)).data)


def describe_invitation(request: Request, invitation: Invitation, *, grants: bool) -> dict[str, Any]:
    """``grants``: whether who asks may grant roles."""
    shown = grants or not gives_more_than_a_look(invitation.role, invitation.member)
    link = request.build_absolute_uri(reverse("clubs:join_club", args=[invitation.token])) if shown else None
    return {**schema.InvitationBody(invitation).data, "link": link}
