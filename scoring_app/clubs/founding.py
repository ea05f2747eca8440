"""A club itself: founding it, its settings, invitations, seasons, rulesets, and what its sessions start with."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from rules_app import rulings
from rules_app.engine.errors import Refusal
from rules_app.engine.text import Text
from rules_app.models import Revision, Ruleset
from rules_app.publishing import fork_ruleset
from scoring_app.clubs.members import add_member, grant_role, link_account
from scoring_app.clubs.permissions import allowed, roles_of
from scoring_app.errors import ClubError
from scoring_app.models import Club, ClubRuleset, ConfirmationPolicy, Invitation, Member, Role, Season
from scoring_app.naming import tidy_name

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User

SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
LONGEST_CLUB_NAME = 60
MOST_FEE = 10**9


class Keep:
    """Stands for "leave it as it is" where None means "none"."""


KEEP: Final = Keep()


@dataclass(frozen=True, slots=True)
class Defaults:
    """What a session starts with; ``revision`` None: to be chosen."""

    revision: Revision | None
    options: dict[str, Any] = field(default_factory=dict)


def create_club(*, name: str, owner: User, slug: str = "", language: str = "zh") -> Club:
    """A new club; who founds it is its first member and owner.

    :raises ClubError: the name or the slug is not right, or the slug is taken.
    """
    name = tidy_name(name, "name", error=ClubError, longest=LONGEST_CLUB_NAME)
    with transaction.atomic():
        club = Club(name=name, language=_language(language), created_by=owner)
        if slug:
            club.slug = _free_slug(slug)
        club.save(force_insert=True)
        member = add_member(club=club, name=owner.get_full_name() or owner.get_username(), account=owner)
        grant_role(member=member, role=Role.OWNER, by=owner)
    return club


def edit_club(
    *,
    club: Club,
    name: str | None = None,
    slug: str | None = None,
    language: str | None = None,
    default_revision: Revision | Keep | None = KEEP,
    default_options: dict[str, Any] | None = None,
    confirmation: str | None = None,
    table_fee: int | None = None,
) -> Club:
    """Change settings of a club; None (or `KEEP`) leaves one as it is. What is played already keeps what it started with.

    :raises ClubError: a value is not right; :raises rules_app.engine.Refusal: an option that the rules do not know.
    """
    with transaction.atomic():
        club = Club.objects.select_for_update().get(pk=club.pk)
        if name is not None:
            club.name = tidy_name(name, "name", error=ClubError, longest=LONGEST_CLUB_NAME)
        if slug is not None and slug != club.slug:
            club.slug = _free_slug(slug)
        if language is not None:
            club.language = _language(language)
        if confirmation is not None:
            club.confirmation = _policy(confirmation)
        if table_fee is not None:
            club.table_fee = _fee(table_fee)
        club.default_revision, club.default_options = _defaults(club, default_revision, default_options)
        club.save()
    return club


def invite(
    *, club: Club, by: User, role: str = "", member: Member | None = None, note: str = "", days: int = 14, max_uses: int = 1
) -> Invitation:
    """A link to become a member (with a ``role``), or for ``member``, who is a name only, to sign in.

    :raises ClubError: the role is unknown, or the numbers are out of bounds.
    """
    if role and role not in Role.values:
        raise ClubError("bad_input", Text(zh="没有这种身份。", en="There is no such role."), "role")
    if not 1 <= days <= 366 or not 1 <= max_uses <= 1000:
        message = Text(zh="邀请可用 1 至 366 天、1 至 1000 次。", en="An invitation lasts 1 to 366 days and 1 to 1000 uses.")
        raise ClubError("bad_input", message, "days")
    if member is not None and (member.club_id != club.pk or member.account_id is not None):
        raise ClubError("has_account", Text(zh="这位成员已有账号。", en="This member has an account already."), "member")
    return Invitation.objects.create(
        club=club,
        role=role,
        member=member,
        note=" ".join(note.split())[:100],
        max_uses=1 if member else max_uses,
        expires_at=timezone.now() + timedelta(days=days),
        created_by=by,
    )


def gives_more_than_a_look(role: str, member: Member | None) -> bool:
    """Whether who follows the link gets a role beyond looking on: the invitation's, or that of the member it is for.

    Only who may grant roles may make such a link, or see it: he could follow it himself.
    """
    if role not in ("", Role.VIEWER):
        return True
    return member is not None and any(membership.role != Role.VIEWER for membership in member.roles.all())


def find_invitation(token: str) -> Invitation:
    """:raises Invitation.DoesNotExist: there is none, or it is used up, over or revoked."""
    invitation = Invitation.objects.select_related("club", "member").get(token=token)
    if not invitation.is_open:
        raise Invitation.DoesNotExist(token)
    return invitation


def accept_invitation(*, token: str, account: User, name: str = "") -> Member:
    """Become a member; who is one already gets the role, and uses nothing up where he has it too.

    :raises Invitation.DoesNotExist: as `find_invitation`; :raises ClubError: the name is taken.
    """
    with transaction.atomic():
        Invitation.objects.select_for_update().filter(token=token).first()
        invitation = find_invitation(token)
        club = invitation.club
        member = Member.objects.filter(club=club, account=account, merged_into=None).first()
        if member is not None and member.left_at is None and (not invitation.role or member.roles.filter(role=invitation.role).exists()):
            return member
        if member is not None:
            Member.objects.filter(pk=member.pk).update(left_at=None)
            member.left_at = None
        elif invitation.member is not None:
            member = link_account(member=invitation.member, account=account)
        else:
            member = add_member(club=club, name=name or account.get_full_name() or account.get_username(), account=account)
        if invitation.role:
            grant_role(member=member, role=invitation.role, by=invitation.created_by)
        Invitation.objects.filter(pk=invitation.pk).update(uses=F("uses") + 1)
    return member


def revoke_invitation(*, invitation: Invitation) -> Invitation:
    invitation.revoked_at = invitation.revoked_at or timezone.now()
    invitation.save(update_fields=["revoked_at"])
    return invitation


def open_season(
    *,
    club: Club,
    name: str,
    starts: date,
    ends: date | None = None,
    default_revision: Revision | None = None,
    default_options: dict[str, Any] | None = None,
) -> Season:
    """:raises ClubError: the name is taken or it ends before it starts; :raises rules_app.engine.Refusal: an option."""
    season = Season(club=club)
    return _save_season(season, name, starts, ends, default_revision, default_options)


def edit_season(
    *,
    season: Season,
    name: str | None = None,
    starts: date | None = None,
    ends: date | Keep | None = KEEP,
    default_revision: Revision | Keep | None = KEEP,
    default_options: dict[str, Any] | None = None,
) -> Season:
    """As `open_season`; sessions that exist keep the rules they have."""
    ends = season.ends if isinstance(ends, Keep) else ends
    return _save_season(season, name or season.name, starts or season.starts, ends, default_revision, default_options)


def season_at(club: Club, day: date) -> Season | None:
    """The season that a day falls into; of several the one that started last."""
    return club.seasons.filter(Q(ends=None) | Q(ends__gte=day), starts__lte=day).order_by("-starts", "-pk").first()


def defaults_of(club: Club, season: Season | None = None) -> Defaults:
    """What a session of the club starts with: the season's rules, else the club's."""
    if season is not None and season.default_revision is not None:
        return Defaults(season.default_revision, season.default_options)
    return Defaults(club.default_revision, club.default_options)


def adopt_ruleset(*, club: Club, ruleset: Ruleset, by: User | None = None) -> ClubRuleset:
    """Let a club keep somebody's own ruleset from now on.

    :raises ClubError: it is shipped with the project, or another club's.
    """
    if ruleset.shipped:
        message = Text(zh="随附规则不属于任何俱乐部；请先复制一份。", en="A shipped ruleset belongs to no club; fork it first.")
        raise ClubError("shipped", message, "ruleset")
    link, _ = ClubRuleset.objects.get_or_create(ruleset=ruleset, defaults={"club": club, "added_by": by})
    if link.club_id != club.pk:
        raise ClubError("taken", Text(zh="这套规则属于另一个俱乐部。", en="This ruleset belongs to another club."), "ruleset")
    return link


def fork_for_club(*, club: Club, ruleset: Ruleset, slug: str, name_zh: str = "", name_en: str = "", by: User | None = None) -> ClubRuleset:
    """House rules of a club, as a draft.

    :raises rules_app.publishing.PublishingError: as `fork_ruleset`.
    """
    with transaction.atomic():
        fork = fork_ruleset(ruleset=ruleset, slug=slug, name_zh=name_zh, name_en=name_en, owner=by)
        return adopt_ruleset(club=club, ruleset=fork, by=by)


def set_editors(*, club_ruleset: ClubRuleset, members: Iterable[Member]) -> ClubRuleset:
    """Who may edit it beside owners and rule keepers."""
    chosen = list(members)
    if any(member.club_id != club_ruleset.club_id for member in chosen):
        raise ClubError("bad_input", Text(zh="只能选本会成员。", en="Only members of the club can be chosen."), "members")
    club_ruleset.editors.set(chosen)
    return club_ruleset


def may_edit_ruleset(user: User | AnonymousUser | None, ruleset: Ruleset) -> bool:
    """Whether an account may edit a ruleset: its owner; of a club, whoever the permission table or the club names."""
    if user is None or not user.is_authenticated or ruleset.shipped:
        return False
    link = ClubRuleset.objects.select_related("club").filter(ruleset=ruleset).first()
    if link is None:
        return ruleset.owner_id == user.pk
    named = link.editors.filter(account=user, left_at=None).exists()
    return named or allowed("edit_rulesets", roles_of(user, link.club))


def _save_season(
    season: Season,
    name: str,
    starts: date,
    ends: date | None,
    revision: Revision | Keep | None,
    options: dict[str, Any] | None,
) -> Season:
    season.name = tidy_name(name, "name", error=ClubError, longest=LONGEST_CLUB_NAME)
    season.starts, season.ends = starts, ends
    if ends is not None and ends < starts:
        raise ClubError("bad_input", Text(zh="赛季不能在开始之前结束。", en="A season cannot end before it starts."), "ends")
    season.default_revision, season.default_options = _defaults(season, revision, options)
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=season.club_id)
        if Season.objects.filter(club=season.club_id, name__iexact=season.name).exclude(pk=season.pk).exists():
            message = Text(zh=f"已有叫 {season.name} 的赛季。", en=f"There is a season {season.name} already.")
            raise ClubError("name_taken", message, "name")
        season.save()
    return season


def _defaults(
    owner: Club | Season, revision: Revision | Keep | None, options: dict[str, Any] | None
) -> tuple[Revision | None, dict[str, Any]]:
    """The rules an owner shall start with, once its rules know the options."""
    chosen = owner.default_revision if isinstance(revision, Keep) else revision
    if options is None:
        same = chosen is not None and owner.default_revision is not None and chosen.ruleset_id == owner.default_revision.ruleset_id
        options = owner.default_options if same else {}
    if chosen is None:
        return None, {}
    if not chosen.is_published:
        raise ClubError("bad_input", Text(zh="只能选已发布的规则。", en="Only a published revision can be chosen."), "default_revision")
    try:
        rulings.check_table(chosen, {"options": options, "table": {}})
    except Refusal as refusal:
        raise ClubError(refusal.code, refusal.message, "default_options") from refusal
    return chosen, options


def _free_slug(slug: str) -> str:
    if not SLUG.fullmatch(slug):
        message = Text(
            zh="网址名只用小写字母、数字和连字符，最多 40 个。", en="A slug holds small letters, digits and hyphens, 40 at most."
        )
        raise ClubError("bad_input", message, "slug")
    if Club.objects.filter(slug=slug).exists():
        raise ClubError("slug_taken", Text(zh=f"网址名 {slug} 已经有人用了。", en=f"The slug {slug} is taken."), "slug")
    return slug


def _language(language: str) -> str:
    if language not in {"zh", "en"}:
        raise ClubError("bad_input", Text(zh="语言须是 zh 或 en。", en="The language must be zh or en."), "language")
    return language


def _policy(policy: str) -> str:
    if policy not in ConfirmationPolicy.values:
        names = ", ".join(ConfirmationPolicy.values)
        raise ClubError("bad_input", Text(zh=f"确认方式须是 {names} 之一。", en=f"Confirmation must be one of {names}."), "confirmation")
    return policy


def _fee(fee: int) -> int:
    if not 0 <= fee <= MOST_FEE:
        raise ClubError("bad_input", Text(zh="台费须是不小于零的整数。", en="The fee must be a whole number, zero or more."), "table_fee")
    return fee
