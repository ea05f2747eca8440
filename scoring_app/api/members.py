"""The members of a club: names, roles, who turned out to be somebody else."""

from __future__ import annotations

from typing import ClassVar

import django_filters
from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from scoring_app.api.acts import changes, reads, writes
from scoring_app.api.base import CREATED, AccountView, Paged, member_of, small
from scoring_app.api.schema import clubs as schema
from scoring_app.clubs import (
    add_member,
    adopt_guests,
    grant_role,
    guests_of,
    leave_club,
    link_account_named,
    link_player,
    merge_members,
    rename_member,
    return_to_club,
    unlink_account,
    unmerge_member,
    withdraw_role,
)
from scoring_app.models import Member, Participant, Role, SessionPlayer


class MemberFilter(django_filters.FilterSet):  # type: ignore[misc]
    name = django_filters.CharFilter(lookup_expr="icontains", max_length=40)
    left = django_filters.BooleanFilter(method="those_who_left", label="Those who have left the club.")

    class Meta:
        model = Member
        fields: ClassVar = ["name", "left"]

    def those_who_left(self, rows: QuerySet[Member], _name: str, value: bool) -> QuerySet[Member]:
        return rows.filter(left_at__isnull=not value)


class Members(Paged, AccountView):
    writing = "manage"
    serializer_class = schema.MemberBody
    filterset_class = MemberFilter
    queryset = Member.objects.none()

    @reads("list_members", "Members of a club; with left=true those who have left it", schema.MemberBody(many=True))
    def get(self, request: Request, slug: str) -> Response:
        rows = Member.objects.filter(club=self.club_for(slug, "view_members"), merged_into=None)
        if "left" not in request.query_params:
            rows = rows.filter(left_at=None)
        return self.page_of(rows.prefetch_related("roles").order_by("name", "pk"), lambda page: schema.MemberBody(page, many=True).data)

    @writes("add_member", "Add a member, a name for now", schema.NewMember, schema.MemberBody)
    def post(self, _request: Request, slug: str) -> Response:
        member = add_member(club=self.club_for(slug, "edit_members"), name=self.body(schema.NewMember)["name"])
        return Response(schema.MemberBody(member).data, status=CREATED)


class MemberView(AccountView):
    """An endpoint of one member."""

    writing = "manage"

    def member_for(self, slug: str, member: str, action: str) -> Member:
        return member_of(self.club_for(slug, action), member)


class MemberDetail(MemberView):
    @reads("get_member", "A member", schema.MemberBody)
    def get(self, _request: Request, slug: str, member: str) -> Response:
        return Response(schema.MemberBody(self.member_for(slug, member, "view_members")).data)

    @changes("rename_member", "Rename", schema.NewMember, schema.MemberBody)
    def patch(self, _request: Request, slug: str, member: str) -> Response:
        found = rename_member(member=self.member_for(slug, member, "edit_members"), name=self.body(schema.NewMember)["name"])
        return Response(schema.MemberBody(found).data)


class Leaving(MemberView):
    @writes("member_leaves", "A member leaves the club; what he played stays", schema.Nothing, schema.MemberBody, status=200)
    def post(self, _request: Request, slug: str, member: str) -> Response:
        found = self.member_for(slug, member, "view_club")
        if found.account_id != self.account.pk:  # everybody may leave on his own
            self.club_for(slug, "edit_members")
        return Response(schema.MemberBody(leave_club(member=found)).data)


class Returning(MemberView):
    @writes("member_returns", "A member is back", schema.Nothing, schema.MemberBody, status=200)
    def post(self, _request: Request, slug: str, member: str) -> Response:
        return Response(schema.MemberBody(return_to_club(member=self.member_for(slug, member, "edit_members"))).data)


class Merging(MemberView):
    @reads(
        "preview_merge", "What two members have played who may be one", schema.MergePreview,
        OpenApiParameter("gone", str, required=True, description="Id of the other member."),
    )  # fmt: skip
    def get(self, request: Request, slug: str, member: str) -> Response:
        club = self.club_for(slug, "merge_members")
        keep, gone = member_of(club, member), member_of(club, request.query_params.get("gone", ""))
        played = list(Participant.objects.filter(member__in=[keep, gone]).values_list("member_id", flat=True))
        return Response({"tables": played.count(keep.pk), "tables_gone": played.count(gone.pk)})

    @writes("merge_members", "Another member turns out to be this one", schema.NewMerge, schema.MemberBody, status=200)
    def post(self, _request: Request, slug: str, member: str) -> Response:
        club = self.club_for(slug, "merge_members")
        keep = merge_members(keep=member_of(club, member), gone=member_of(club, self.body(schema.NewMerge)["gone"]))
        return Response(schema.MemberBody(keep).data)


class Unmerging(MemberView):
    @writes("unmerge_member", "A member who was merged is somebody else after all", schema.Nothing, schema.MemberBody, status=200)
    def post(self, _request: Request, slug: str, member: str) -> Response:
        merged = Member.objects.exclude(merged_into=None).filter(club=self.club_for(slug, "merge_members"))
        return Response(schema.MemberBody(unmerge_member(member=get_object_or_404(merged, public_id=member))).data)


class Guests(AccountView):
    writing = "manage"

    @reads("list_guests", "Names that have played lately without being members", schema.GuestBody(many=True))
    def get(self, _request: Request, slug: str) -> Response:
        return Response(schema.GuestBody(guests_of(self.club_for(slug, "edit_members")), many=True).data)

    @writes("adopt_guests", "Whoever has played under a name is a member from now on", schema.NewMember, schema.MemberBody)
    def post(self, _request: Request, slug: str) -> Response:
        member = adopt_guests(club=self.club_for(slug, "edit_members"), name=self.body(schema.NewMember)["name"])
        return Response(schema.MemberBody(member).data, status=CREATED)


class Guest(MemberView):
    @writes("claim_guest", "A guest of one session was this member", schema.GuestSeat, schema.MemberBody, status=200)
    def post(self, _request: Request, slug: str, member: str) -> Response:
        found, facts = self.member_for(slug, member, "edit_members"), self.body(schema.GuestSeat)
        players = SessionPlayer.objects.filter(session__club=found.club, session__public_id=facts["session"])
        link_player(player=get_object_or_404(players, number=small(facts["number"])), member=found)
        return Response(schema.MemberBody(found).data)


class MemberAccount(MemberView):
    @changes("link_account", "The account with which a member signs in", schema.NewAccount, schema.MemberBody)
    def put(self, _request: Request, slug: str, member: str) -> Response:
        found = self.member_for(slug, member, "grant_roles")
        return Response(schema.MemberBody(link_account_named(member=found, name=self.body(schema.NewAccount)["account"])).data)

    @changes("unlink_account", "A name only again; his roles end", None, schema.MemberBody)
    def delete(self, _request: Request, slug: str, member: str) -> Response:
        return Response(schema.MemberBody(unlink_account(member=self.member_for(slug, member, "grant_roles"))).data)


class Roles(MemberView):
    @writes("grant_role", "Give a member with an account a role", schema.NewRole, schema.MemberBody)
    def post(self, _request: Request, slug: str, member: str) -> Response:
        found = self.member_for(slug, member, "grant_roles")
        grant_role(member=found, role=self.body(schema.NewRole)["role"], by=self.account)
        return Response(schema.MemberBody(found).data, status=CREATED)


class RoleDetail(MemberView):
    @changes("withdraw_role", "Take a role from a member; a club keeps an owner", None, schema.MemberBody)
    def delete(self, _request: Request, slug: str, member: str, role: str) -> Response:
        found = self.member_for(slug, member, "grant_roles")
        if role not in Role.values or not found.roles.filter(role=role).exists():
            raise Http404
        withdraw_role(member=found, role=role)
        return Response(schema.MemberBody(found).data)
