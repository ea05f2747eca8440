"""Members of a club: adding, leaving, finding out that two are one, and their roles."""

from __future__ import annotations

import contextlib
from collections.abc import Collection
from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from rules_app.engine.text import Text
from scoring_app.errors import ClubError
from scoring_app.models import Club, Content, Member, Membership, Participant, Role, SessionPlayer
from scoring_app.naming import tidy_name

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def add_member(*, club: Club, name: str, account: User | None = None) -> Member:
    """A new member; one of this name who has left comes back.

    :raises ClubError: the name, or the account, is in the club already.
    """
    name = tidy_name(name, "name", error=ClubError)
    with transaction.atomic():
        _lock(club)
        known = Member.objects.filter(club=club, name__iexact=name, merged_into=None).first()
        if known is not None and (known.left_at is None or account not in {None, known.account}):
            raise _name_taken(name)
        _require_free(club, account, apart_from=known)
        if known is None:
            return Member.objects.create(club=club, name=name, account=account)
        known.left_at = None
        known.save(update_fields=["left_at"])
    return known


def rename_member(*, member: Member, name: str) -> Member:
    """:raises ClubError: the name is taken, or none."""
    name = tidy_name(name, "name", error=ClubError)
    with transaction.atomic():
        _lock(member.club)
        if Member.objects.filter(club=member.club, name__iexact=name, merged_into=None).exclude(pk=member.pk).exists():
            raise _name_taken(name)
        member.name = name
        member.save(update_fields=["name"])
    return member


def link_account(*, member: Member, account: User) -> Member:
    """Give a member who was a name only an account.

    :raises ClubError: he has another one, or the account is another member's.
    """
    with transaction.atomic():
        _lock(member.club)
        member.refresh_from_db()
        if member.account is not None and member.account != account:
            raise ClubError("has_account", Text(zh="这位成员已有账号。", en="This member has an account already."), "account")
        _require_free(member.club, account, apart_from=member)
        member.account = account
        member.save(update_fields=["account"])
    return member


def link_account_named(*, member: Member, name: str) -> Member:
    """The same for an account that is known by the name it signs in with.

    :raises ClubError: there is no such account, or as `link_account`.
    """
    wanted = name.strip()
    found = list(get_user_model().objects.filter(username__iexact=wanted, is_active=True)[:2]) if wanted else []
    account = found[0] if len(found) == 1 else next((one for one in found if one.username == wanted), None)
    if account is None:
        message = Text(zh=f"没有叫“{wanted[:60]}”的账号。", en=f"There is no account “{wanted[:60]}”.")
        raise ClubError("no_account", message, "account")
    return link_account(member=member, account=account)


def unlink_account(*, member: Member) -> Member:
    """A name only again: the account was somebody else's. His roles end.

    :raises ClubError: he is the last owner.
    """
    with transaction.atomic():
        _lock(member.club)
        if member.roles.filter(role=Role.OWNER).exists():
            _require_other_owner(member)
        member.roles.all().delete()
        member.account = None
        member.save(update_fields=["account"])
    return member


def leave_club(*, member: Member) -> Member:
    """What he played stays; his roles end.

    :raises ClubError: he is the last owner.
    """
    with transaction.atomic():
        _lock(member.club)
        roles = set(member.roles.values_list("role", flat=True))
        if Role.OWNER in roles:
            _require_other_owner(member)
        member.roles.all().delete()
        member.left_at = timezone.now()
        member.save(update_fields=["left_at"])
    return member


def return_to_club(*, member: Member) -> Member:
    member.left_at = None
    member.save(update_fields=["left_at"])
    return member


def merge_members(*, keep: Member, gone: Member) -> Member:
    """``gone`` turns out to be ``keep``: what he played counts for ``keep`` from now on, his account and roles move.

    The rows of ``gone`` stay as they are, so that `unmerge_member` can take it back.

    :raises ClubError: they cannot be one: other clubs, two accounts, or both sat at one table at the same time.
    """
    with transaction.atomic():
        _lock(keep.club)
        keep.refresh_from_db()
        gone.refresh_from_db()
        if keep.pk == gone.pk or keep.club_id != gone.club_id or keep.merged_into_id or gone.merged_into_id:
            raise ClubError("cannot_merge", Text(zh="请选同一俱乐部的两位成员。", en="Choose two members of one club."), "gone")
        if keep.account_id and gone.account_id:
            message = Text(zh="两位都有账号，不会是同一人。", en="Both have an account, so they are two people.")
            raise ClubError("two_accounts", message, "gone")
        _refuse_if_seated_together(keep, gone)
        gone.merged_into = keep
        account, gone.account = gone.account, None
        gone.save(update_fields=["merged_into", "account"])
        if account is not None:
            keep.account = account
            keep.save(update_fields=["account"])
        for role in gone.roles.all():
            Membership.objects.get_or_create(member=keep, role=role.role, defaults={"granted_by": role.granted_by})
        gone.roles.all().delete()
    return keep


def unmerge_member(*, member: Member) -> Member:
    """Take a merge back; account and roles stay where they are.

    :raises ClubError: his name is taken by now.
    """
    with transaction.atomic():
        _lock(member.club)
        if Member.objects.filter(club=member.club, name__iexact=member.name, merged_into=None).exclude(pk=member.pk).exists():
            raise _name_taken(member.name)
        member.merged_into = None
        member.save(update_fields=["merged_into"])
    return member


def grant_role(*, member: Member, role: str, by: User | None = None) -> Membership:
    """:raises ClubError: there is no such role, or the member has no account to use it with."""
    if role not in Role.values:
        names = ", ".join(Role.values)
        raise ClubError("bad_input", Text(zh=f"身份须是 {names} 之一。", en=f"The role must be one of {names}."), "role")
    if member.account_id is None or member.merged_into_id is not None or member.left_at is not None:
        message = Text(
            zh="只有用账号加入的成员才能有身份；请先邀请。", en="Only a member with an account can have a role; invite him first."
        )
        raise ClubError("no_account", message, "member")
    return Membership.objects.get_or_create(member=member, role=role, defaults={"granted_by": by})[0]


def withdraw_role(*, member: Member, role: str) -> None:
    """:raises ClubError: ``last_owner``."""
    with transaction.atomic():
        _lock(member.club)
        if role == Role.OWNER:
            _require_other_owner(member)
        Membership.objects.filter(member=member, role=role).delete()


def set_roles(*, member: Member, roles: Collection[str], by: User | None = None) -> None:
    """These roles and no others, all of it or nothing.

    :raises ClubError: as `grant_role` and `withdraw_role`.
    """
    with transaction.atomic():
        held = set(member.roles.values_list("role", flat=True))
        for role in sorted(set(roles) - held):
            grant_role(member=member, role=role, by=by)
        for role in sorted(held - set(roles)):
            withdraw_role(member=member, role=role)


def link_participant(*, participant: Participant, member: Member | None) -> Participant:
    """Say which member a name at a table is (None: none); what he has played there counts for the member."""
    participant.member = member
    participant.save(update_fields=["member"])
    return participant


def link_player(*, player: SessionPlayer, member: Member | None) -> SessionPlayer:
    """Say which member a player of a session is, at all its tables.

    :raises ClubError: the member plays in this session under another name.
    """
    with transaction.atomic():
        if member is not None and SessionPlayer.objects.filter(session=player.session, member=member).exclude(pk=player.pk).exists():
            message = Text(zh=f"{member.name} 已用另一个名字在这一场中。", en=f"{member.name} plays in this session under another name.")
            raise ClubError("plays_already", message, "member")
        player.member = member
        player.save(update_fields=["member"])
        Participant.objects.filter(player=player).update(member=member)
    return player


def adopt_guests(*, club: Club, name: str) -> Member:
    """The member of this name, a new one if there is none, and every guest of that name is he from now on.

    Guests of a session in which he plays already stay as they are: that was somebody else.

    :raises ClubError: the name is none.
    """
    with transaction.atomic():
        member = Member.objects.active().filter(club=club, name__iexact=name.strip()).first() or add_member(club=club, name=name)
        for player in SessionPlayer.objects.filter(session__club=club, member=None, name__iexact=member.name).order_by("pk"):
            with contextlib.suppress(ClubError):
                link_player(player=player, member=member)
    return member


def _lock(club: Club) -> None:
    """One change of a club's members at a time."""
    Club.objects.select_for_update().get(pk=club.pk)


def _name_taken(name: str) -> ClubError:
    return ClubError("name_taken", Text(zh=f"俱乐部里已有 {name}。", en=f"The club has a {name} already."), "name")


def _require_free(club: Club, account: User | None, *, apart_from: Member | None) -> None:
    if account is None:
        return
    others = Member.objects.filter(club=club, account=account, merged_into=None)
    if apart_from is not None:
        others = others.exclude(pk=apart_from.pk)
    other = others.first()
    if other is not None:
        message = Text(zh=f"这个账号已经是成员 {other.name}。", en=f"This account is the member {other.name} already.")
        raise ClubError("account_taken", message, "account")


def _require_other_owner(member: Member) -> None:
    owners = Membership.objects.filter(member__club=member.club, role=Role.OWNER, member__left_at=None, member__merged_into=None)
    if not owners.exclude(member=member).exists():
        message = Text(zh="俱乐部须有一位会长；请先另选一位。", en="A club needs an owner; make somebody else one first.")
        raise ClubError("last_owner", message, "role")


def _refuse_if_seated_together(keep: Member, gone: Member) -> None:
    """Nobody sits on two seats: whoever did at any moment is two people."""
    at: dict[int, dict[int, set[int]]] = {}
    # Whoever was merged earlier brings his seats along.
    people = {keep.pk: keep.pk, gone.pk: gone.pk}
    while grown := dict(Member.objects.filter(merged_into__in=people).exclude(pk__in=people).values_list("pk", "merged_into_id")):
        people |= {pk: people[into] for pk, into in grown.items()}
    for table, number, member in Participant.objects.filter(member__in=people).values_list("table_id", "number", "member_id"):
        if member is not None:
            at.setdefault(table, {}).setdefault(people[member], set()).add(number)
    shared = [table for table, found in at.items() if len(found) == 2]
    if not shared:
        return
    for table, before in Content.objects.filter(entry__table__in=shared).current().values_list("entry__table_id", "before"):
        seated = {number for number in before["seats"] if number is not None}
        if all(numbers & seated for numbers in at[table].values()):
            message = Text(
                zh=f"{keep.name} 和 {gone.name} 曾同坐一桌，不会是同一人。",
                en=f"{keep.name} and {gone.name} have sat at one table together, so they are two people.",
            )
            raise ClubError("sat_together", message, "gone")
