"""Reading clubs in a fixed number of queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, Max, Q

from scoring_app.models import Club, Member, Membership, Role, SessionPlayer

if TYPE_CHECKING:
    import datetime

    from django.contrib.auth.models import User


@dataclass(frozen=True, slots=True)
class ClubLine:
    """A club of an account: its roles there, and how many members the club has."""

    club: Club
    roles: tuple[str, ...]
    members: int


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A member, his roles in the order of the permission table, and whether he has an account."""

    member: Member
    roles: tuple[str, ...]
    has_account: bool


@dataclass(frozen=True, slots=True)
class GuestLine:
    """A name under which somebody has played who is no member so far, how often, and when last."""

    name: str
    evenings: int
    last: datetime.date


def find_club(slug: str) -> Club:
    """:raises Club.DoesNotExist: there is none."""
    return Club.objects.select_related("default_revision__ruleset").defer("default_revision__document").get(slug=slug)


def find_member(club: Club, public_id: str) -> Member:
    """The member, or the one that he was merged into. :raises Member.DoesNotExist: there is none."""
    member = Member.objects.get(club=club, public_id=public_id)
    while member.merged_into is not None:
        member = member.merged_into
    return member


def clubs_of(user: User) -> list[ClubLine]:
    """The clubs of an account, by name."""
    counted = Count("members", filter=Q(members__merged_into=None, members__left_at=None))
    mine = Member.objects.active().filter(account=user)
    clubs = Club.objects.filter(pk__in=mine.values("club")).annotate(count=counted).order_by("name", "pk")
    clubs = clubs.select_related("default_revision__ruleset").defer("default_revision__document")
    roles: dict[int, set[str]] = {}
    for club, role in Membership.objects.filter(member__in=mine).values_list("member__club_id", "role"):
        roles.setdefault(club, set()).add(role)
    return [ClubLine(club, _ordered(roles.get(club.pk, {Role.VIEWER})), club.count) for club in clubs]


def members_of(club: Club, *, left: bool = False) -> list[MemberLine]:
    """Those who belong to the club, or those who have ``left``, by name."""
    members = Member.objects.filter(club=club, merged_into=None, left_at__isnull=not left).prefetch_related("roles").order_by("name", "pk")
    return [MemberLine(member, _ordered({row.role for row in member.roles.all()}), member.account_id is not None) for member in members]


def guests_of(club: Club, *, most: int = 30) -> list[GuestLine]:
    """Those who have played lately without being members, in one query."""
    rows = SessionPlayer.objects.filter(session__club=club, member=None).order_by()
    grouped = rows.values("name").annotate(evenings=Count("pk"), last=Max("session__date")).order_by("-last", "name")
    return [GuestLine(row["name"], row["evenings"], row["last"]) for row in grouped[:most]]


def _ordered(roles: set[str]) -> tuple[str, ...]:
    return tuple(role for role in Role.values if role in roles)
