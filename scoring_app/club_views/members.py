"""The members of a club: names, roles, who turned out to be somebody else."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from rules_app.languages import page_language
from scoring_app.club_views.asking import Problem, address, attempt, see
from scoring_app.club_views.visits import ClubVisit, forbidden, in_club
from scoring_app.clubs import (
    ROLES,
    add_member,
    adopt_guests,
    find_member,
    guests_of,
    leave_club,
    link_account_named,
    link_player,
    members_of,
    merge_members,
    rename_member,
    return_to_club,
    roles_of,
    set_roles,
    unlink_account,
    unmerge_member,
)
from scoring_app.models import Member, Participant, SessionPlayer


@require_safe
@in_club("view_members")
def members(visit: ClubVisit) -> HttpResponse:
    """Everybody with roles; who left is one tap away."""
    return members_page(visit)


def members_page(visit: ClubVisit, problem: Problem | None = None) -> HttpResponse:
    language = page_language()
    left = visit.request.GET.get("left") == "1"
    lines = [
        {"member": line.member, "roles": [ROLES[role].in_language(language) for role in line.roles], "has_account": line.has_account}
        for line in members_of(visit.club, left=left)
    ]
    guests = guests_of(visit.club) if visit.may("edit_members") and not left else []
    context = {"lines": lines, "left": left, "guests": guests, "problem": problem, "data": visit.request.POST}
    return visit.page("club/members.html", context, status=problem.status if problem else 200, tab="members")


@require_POST
@in_club("edit_members")
def add(visit: ClubVisit) -> HttpResponse:
    """A member who is only a name so far; with ``guest``, the one behind all guests of that name."""
    name = str(visit.request.POST.get("name") or "")
    if visit.request.POST.get("guest") == "1":
        problem = attempt(lambda: adopt_guests(club=visit.club, name=name))
        said = _("%(name)s is a member, and what the guest of that name has played counts.") % {"name": name.strip()}
        return members_page(visit, problem) if problem else visit.done(said, "members")
    problem = attempt(lambda: add_member(club=visit.club, name=name))
    return members_page(visit, problem) if problem else visit.done(_("Added: %(name)s") % {"name": name.strip()}, "members")


def member_of(visit: ClubVisit, public_id: str) -> Member:
    try:
        return find_member(visit.club, public_id)
    except Member.DoesNotExist:
        raise Http404(public_id) from None


@require_http_methods(["GET", "POST"])
@in_club("edit_members")
def edit(visit: ClubVisit, public_id: str) -> HttpResponse:
    """Rename a member; the forms for everything else about him."""
    member = member_of(visit, public_id)
    if visit.request.method == "POST":
        problem = attempt(lambda: rename_member(member=member, name=str(visit.request.POST.get("name") or "")))
        return edit_page(visit, member, problem) if problem else visit.done(_("Saved."), "members")
    return edit_page(visit, member)


def edit_page(visit: ClubVisit, member: Member, problem: Problem | None = None) -> HttpResponse:
    language = page_language()
    member = Member.objects.select_related("account", "club").get(pk=member.pk)
    held = set(member.roles.values_list("role", flat=True))
    others = [line.member for line in members_of(visit.club) if line.member.pk != member.pk]
    context = {
        "member": member,
        "roles_shown": [(role, words.in_language(language), role in held) for role, words in ROLES.items()],
        "others": others,
        "merged": list(member.merged.all()),
        "guests": _guests(visit),
        "problem": problem,
        "data": visit.request.POST,
    }
    return visit.page("club/member_edit.html", context, status=problem.status if problem else 200, tab="members")


def _guests(visit: ClubVisit) -> list[SessionPlayer]:
    """Players of the last sessions whom no member is known for."""
    rows = SessionPlayer.objects.filter(session__club=visit.club, member=None).select_related("session").order_by("-session__date", "name")
    return list(rows[:60])


@require_POST
@in_club("grant_roles")
def roles(visit: ClubVisit, public_id: str) -> HttpResponse:
    """Give and take roles: those that were ticked are his."""
    member = member_of(visit, public_id)
    problem = attempt(lambda: set_roles(member=member, roles=visit.request.POST.getlist("role"), by=visit.user))
    if problem:
        return edit_page(visit, member, problem)
    # Who took the last role that leads to this page from himself goes where he still may.
    still = roles_of(visit.user, visit.club)
    return visit.done(_("Saved."), "members" if still else "club")


@require_POST
@in_club("grant_roles")
def account(visit: ClubVisit, public_id: str) -> HttpResponse:
    """The account with which a member signs in, by its name; with ``unlink``, none."""
    member, name = member_of(visit, public_id), str(visit.request.POST.get("account") or "")
    if visit.request.POST.get("unlink") == "1":
        problem = attempt(lambda: unlink_account(member=member))
        said = _("%(name)s is a name without an account now.") % {"name": member.name}
    else:
        problem = attempt(lambda: link_account_named(member=member, name=name))
        said = _("%(name)s signs in as %(account)s from now on.") % {"name": member.name, "account": name.strip()}
    if problem:
        return edit_page(visit, member, problem)
    still = roles_of(visit.user, visit.club)
    return visit.done(said, "member_edit", public_id) if still else see(address("mine"))


@require_POST
@in_club("view_club")
def leave(visit: ClubVisit, public_id: str) -> HttpResponse:
    """He has left, or is back; everybody may leave on his own."""
    member = member_of(visit, public_id)
    back = visit.request.POST.get("back") == "1"
    own = member.account_id == visit.user.pk and not back
    if not own and not visit.may("edit_members"):
        return forbidden(visit, "edit_members")
    problem = attempt(lambda: return_to_club(member=member) if back else leave_club(member=member))
    if problem:
        return edit_page(visit, member, problem)
    if own:
        messages.success(visit.request, _("You have left %(club)s; what was played stays.") % {"club": visit.club.name})
        return see(address("mine"))
    said = _("%(name)s is back.") if back else _("%(name)s has left the club; what was played stays.")
    return visit.done(said % {"name": member.name}, "members")


@require_http_methods(["GET", "POST"])
@in_club("merge_members")
def merge(visit: ClubVisit, public_id: str) -> HttpResponse:
    """Two names are one person: what both have played, then confirm.  GET shows the preview, POST does it."""
    member = member_of(visit, public_id)
    data: Any = visit.request.POST if visit.request.method == "POST" else visit.request.GET
    gone = member_of(visit, str(data.get("gone") or ""))
    if gone.pk == member.pk:
        raise Http404(public_id)
    problem = None
    if visit.request.method == "POST":
        problem = attempt(lambda: merge_members(keep=member, gone=gone))
        if problem is None:
            return visit.done(
                _("%(gone)s is %(name)s from now on.") % {"gone": gone.name, "name": member.name}, "member_edit", member.public_id
            )
    tables = Participant.objects.filter(member__in=[member, gone]).values_list("member_id", "table_id")
    played = {one: sum(1 for pk, _table in tables if pk == one.pk) for one in (member, gone)}
    context = {
        "member": member,
        "gone": gone,
        "played": played[member],
        "played_gone": played[gone],
        "together": played[member] + played[gone],
        "problem": problem,
    }
    return visit.page("club/merge.html", context, status=problem.status if problem else 200, tab="members")


@require_POST
@in_club("merge_members")
def unmerge(visit: ClubVisit, public_id: str) -> HttpResponse:
    """Two people after all."""
    member = Member.objects.filter(club=visit.club, public_id=public_id).select_related("merged_into").first()
    if member is None or member.merged_into is None:
        raise Http404(public_id)
    keep = member.merged_into
    problem = attempt(lambda: unmerge_member(member=member))
    return edit_page(visit, keep, problem) if problem else visit.done(_("Taken apart again."), "member_edit", keep.public_id)


@require_POST
@in_club("edit_members")
def guest(visit: ClubVisit, public_id: str) -> HttpResponse:
    """A guest of a session was this member."""
    member = member_of(visit, public_id)
    text = str(visit.request.POST.get("player") or "")
    player = SessionPlayer.objects.filter(session__club=visit.club, pk=int(text)).first() if text.isdecimal() and len(text) < 18 else None
    if player is None:
        raise Http404(text)
    problem = attempt(lambda: link_player(player=player, member=member))
    if problem:
        return edit_page(visit, member, problem)
    return visit.done(
        _("What %(guest)s played counts for %(name)s.") % {"guest": player.name, "name": member.name}, "member_edit", public_id
    )
