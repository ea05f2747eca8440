"""Roles of members and invitations over HTTP."""

from __future__ import annotations

from typing import Any, ClassVar

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from scoring_app.club_api import schema
from scoring_app.club_api.base import KEY, AccountView, once
from scoring_app.club_api.clubs import REFUSED, WRITE, member_or_404
from scoring_app.clubs import grant_role, invite, may, revoke_invitation, withdraw_role
from scoring_app.models import Club, Invitation, Role


class Roles(AccountView):
    scopes: ClassVar = {"POST": "manage"}

    @extend_schema(
        operation_id="grant_role",
        summary="Give a member with an account a role",
        parameters=[KEY],
        request=schema.NewRole,
        responses={201: schema.MemberBody, **WRITE},
    )
    @once
    def post(self, _request: Request, slug: str, member: str) -> Response:
        found = member_or_404(self.club_for(slug, "grant_roles"), member)
        grant_role(member=found, role=self.body(schema.NewRole)["role"], by=self.account)
        return Response(schema.MemberBody(found).data, status=status.HTTP_201_CREATED)


class RoleDetail(AccountView):
    scopes: ClassVar = {"DELETE": "manage"}

    @extend_schema(
        operation_id="withdraw_role",
        summary="Take a role from a member; a club keeps an owner",
        request=None,
        responses={200: schema.MemberBody, **REFUSED},
    )
    def delete(self, _request: Request, slug: str, member: str, role: str) -> Response:
        found = member_or_404(self.club_for(slug, "grant_roles"), member)
        if role not in Role.values or not found.roles.filter(role=role).exists():
            raise Http404
        withdraw_role(member=found, role=role)
        return Response(schema.MemberBody(found).data)


class Invitations(AccountView):
    scopes: ClassVar = {"GET": "manage", "POST": "manage"}

    @extend_schema(
        operation_id="list_invitations", summary="Open invitations", responses={200: schema.InvitationLink(many=True), **REFUSED}
    )
    def get(self, request: Request, slug: str) -> Response:
        club = self.club_for(slug, "invite")
        grants = may(self.account, "grant_roles", club)
        rows = club.invitations.filter(revoked_at=None).select_related("member")
        return Response([describe_invitation(request, one, grants=grants) for one in rows if one.is_open])

    @extend_schema(
        operation_id="invite",
        summary="Make a link to join by",
        parameters=[KEY],
        request=schema.NewInvitation,
        responses={201: schema.InvitationLink, **WRITE},
    )
    @once
    def post(self, request: Request, slug: str) -> Response:
        club = self.club_for(slug, "invite")
        facts = self.body(schema.NewInvitation)
        grants = may(self.account, "grant_roles", club)
        if facts.get("role", Role.VIEWER) != Role.VIEWER and not grants:
            raise PermissionDenied(_("Your roles in this club do not allow it."))
        if "member" in facts:
            facts["member"] = member_or_404(club, facts["member"])
        made = invite(club=club, by=self.account, **facts)
        return Response(describe_invitation(request, made, grants=grants), status=status.HTTP_201_CREATED)


class InvitationDetail(AccountView):
    scopes: ClassVar = {"DELETE": "manage"}

    @extend_schema(
        operation_id="revoke_invitation",
        summary="Withdraw an invitation; its link stops working",
        request=None,
        responses={200: schema.InvitationBody, **REFUSED},
    )
    def delete(self, _request: Request, slug: str, invitation: int) -> Response:
        club: Club = self.club_for(slug, "invite")
        found = get_object_or_404(Invitation.objects.select_related("member"), club=club, pk=invitation)
        return Response(schema.InvitationBody(revoke_invitation(invitation=found)).data)


def describe_invitation(request: Request, invitation: Invitation, *, grants: bool) -> dict[str, Any]:
    """``grants``: whether who asks may grant roles. Without that he could follow the link to a role himself."""
    shown = grants or invitation.role in {"", Role.VIEWER}
    link = request.build_absolute_uri(reverse("clubs:join_club", args=[invitation.token])) if shown else None
    return {**schema.InvitationBody(invitation).data, "link": link}
