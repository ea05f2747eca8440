"""Inviting people: a link with its code, for a role or for a member who is a name so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from rules_app.languages import page_language
from scoring_app.club_views.asking import address, attempt, see, whole
from scoring_app.club_views.members import member_of
from scoring_app.club_views.visits import ClubVisit, forbidden, in_club
from scoring_app.clubs import ROLES, accept_invitation, find_invitation, gives_more_than_a_look, invite, revoke_invitation, roles_of
from scoring_app.models import Club, Invitation, Member, Role
from scoring_app.views.opening import code_of

if TYPE_CHECKING:
    from scoring_app.club_views.asking import Problem

DAYS = (1, 7, 14, 90)


@require_http_methods(["GET", "POST"])
@in_club("invite")
def invitations(visit: ClubVisit) -> HttpResponse:
    """Make an invitation; those that are open, with who made them."""
    if visit.request.method != "POST":
        return _page(visit)
    data = visit.request.POST
    role = str(data.get("role") or "")
    for_member = member_of(visit, str(data.get("member"))) if data.get("member") else None
    if gives_more_than_a_look(role, for_member) and not visit.may("grant_roles"):
        return forbidden(visit, "grant_roles")
    made: list[Invitation] = []

    def make() -> None:
        made.append(
            invite(
                club=visit.club,
                by=visit.user,
                role=role,
                member=for_member,
                note=str(data.get("note") or ""),
                days=whole(data, "days", default=14),
                max_uses=whole(data, "max_uses", default=1),
            )
        )

    problem = attempt(make)
    return _page(visit, problem) if problem else visit.done("", "invitation", made[0].pk)


def _page(visit: ClubVisit, problem: Problem | None = None) -> HttpResponse:
    language = page_language()
    rows = Invitation.objects.filter(club=visit.club, revoked_at=None).select_related("member", "created_by")
    open_ones = [
        {"invitation": one, "role": ROLES[one.role].in_language(language) if one.role else "", "left": one.max_uses - one.uses}
        for one in rows
        if one.is_open
    ]
    givable = [role for role in ROLES if visit.may("grant_roles") or role == Role.VIEWER]
    context = {
        "invitations": open_ones,
        "roles_shown": [(role, ROLES[role].in_language(language)) for role in givable],
        "nameless": Member.objects.active().filter(club=visit.club, account=None),
        "days": DAYS,
        "problem": problem,
        "data": visit.request.POST or visit.request.GET,
    }
    return visit.page("club/invitations.html", context, status=problem.status if problem else 200, tab="members")


def _invitation_of(visit: ClubVisit, pk: int) -> Invitation:
    found = Invitation.objects.filter(club=visit.club, pk=pk).select_related("member").first()
    if found is None:
        raise Http404(str(pk))
    return found


@require_http_methods(["GET"])
@in_club("invite")
def invitation(visit: ClubVisit, pk: int) -> HttpResponse:
    """The link and its code, to be shown or sent."""
    found = _invitation_of(visit, pk)
    if gives_more_than_a_look(found.role, found.member) and not visit.may("grant_roles"):
        return forbidden(visit, "grant_roles")
    link = visit.request.build_absolute_uri(reverse("clubs:join_club", args=[found.token]))
    context = {
        "invitation": found,
        "role": ROLES[found.role].in_language(page_language()) if found.role else "",
        "link": link,
        "code": code_of(link),
        "local_only": visit.request.get_host().partition(":")[0] in ("127.0.0.1", "localhost", "[::1]"),
    }
    return visit.page("club/invitation.html", context, tab="members")


@require_POST
@in_club("invite")
def revoke(visit: ClubVisit, pk: int) -> HttpResponse:
    """The link stops working at once."""
    revoke_invitation(invitation=_invitation_of(visit, pk))
    return visit.done(_("The invitation is withdrawn; its link no longer works."), "invitations")


@require_http_methods(["GET", "POST"])
@never_cache
def join_club(request: HttpRequest, token: str) -> HttpResponse:
    """What the link leads to: which club, which role; sign in, then accept."""
    problem, account = None, request.user
    try:
        found = find_invitation(token)
        if request.method == "POST" and account.is_authenticated:
            problem = attempt(lambda: accept_invitation(token=token, account=account, name=str(request.POST.get("name") or "")))
            if problem is None:
                messages.success(request, _("Welcome to %(club)s.") % {"club": found.club.name})
                return see(address("club", found.club.slug))
    except Invitation.DoesNotExist:  # before, or in this moment by somebody else
        club = Club.objects.filter(invitations__token=token).first()
        if club is not None and roles_of(account, club):  # a second tap, or the same link next week
            return see(address("club", club.slug))
        return render(request, "scoring_app/club/join_over.html", status=404)
    member = None if not account.is_authenticated else found.club.members.active().filter(account=account).first()
    context = {
        "invitation": found,
        "club": found.club,
        "role": ROLES[found.role].in_language(page_language()) if found.role else "",
        "is_member": member,
        "problem": problem,
        "data": request.POST,
        "sign_in": f"{reverse('account_login')}?next={request.path}",
        "sign_up": f"{reverse('account_signup')}?next={request.path}",
    }
    return render(request, "scoring_app/club/join.html", context, status=problem.status if problem else 200)
