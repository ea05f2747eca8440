"""A club: who belongs to it, what each may do, its seasons and the rulesets that it keeps."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone

from rules_app.models import Revision, Ruleset
from scoring_app.models.table import LANGUAGES, ConfirmationPolicy, new_public_id, new_token


class Role(models.TextChoices):
    OWNER = "owner"
    RULE_KEEPER = "rule_keeper"
    REFEREE = "referee"
    SCORER = "scorer"
    VIEWER = "viewer"


class Club(models.Model):
    """``default_…``, ``confirmation`` and ``table_fee`` (points of each player at a table) are what its sessions start with."""

    slug = models.SlugField(max_length=40, unique=True, default=new_public_id)
    name = models.CharField(max_length=60)
    language = models.CharField(max_length=2, choices=LANGUAGES, default="zh")
    default_revision = models.ForeignKey(Revision, models.PROTECT, null=True, blank=True, related_name="+")
    default_options = models.JSONField(default=dict, blank=True)
    confirmation = models.CharField(max_length=6, choices=ConfirmationPolicy.choices, default=ConfirmationPolicy.NONE)
    table_fee = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class MemberQuerySet(models.QuerySet["Member"]):
    def active(self) -> MemberQuerySet:
        """Members who have neither left nor turned out to be somebody else."""
        return self.filter(merged_into=None, left_at=None)


class Member(models.Model):
    """Someone of a club: a name, and perhaps an account.

    A member who turned out to be another one is ``merged_into`` that one and keeps what he played: it is counted
    for the other when it is read, so that a merge can be taken back.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="members")
    name = models.CharField(max_length=40)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="members")
    merged_into = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="merged")
    joined_at = models.DateTimeField(auto_now_add=True)
    left_at = models.DateTimeField(null=True, blank=True)

    objects = MemberQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["club", "name", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint("club", Lower("name"), condition=Q(merged_into=None), name="member_name_once"),
            models.UniqueConstraint(fields=["club", "account"], condition=Q(merged_into=None), name="member_account_once"),
        ]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A role of a member; a member may have several, and what they allow adds up."""

    member = models.ForeignKey(Member, models.CASCADE, related_name="roles")
    role = models.CharField(max_length=11, choices=Role.choices)
    granted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    granted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["member", "pk"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["member", "role"], name="membership_role_once")]

    def __str__(self) -> str:
        return f"{self.member}: {self.role}"


class Invitation(models.Model):
    """A link that makes whoever follows it a member, perhaps with a role, or gives an account to a known ``member``."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="invitations")
    # Kept in the clear because whoever invites must be able to show it again.
    token = models.CharField(max_length=64, unique=True, default=new_token, editable=False)
    role = models.CharField(max_length=11, choices=Role.choices, blank=True)
    member = models.ForeignKey(Member, models.CASCADE, null=True, blank=True, related_name="invitations")
    note = models.CharField(max_length=100, blank=True)
    max_uses = models.PositiveIntegerField(default=1)
    uses = models.PositiveIntegerField(default=0)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.club}: {self.role or 'member'}"

    @property
    def is_open(self) -> bool:
        return self.revoked_at is None and self.uses < self.max_uses and timezone.now() < self.expires_at


class Season(models.Model):
    """``starts`` to ``ends``, both included; what is played by default may differ from season to season."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="seasons")
    name = models.CharField(max_length=60)
    starts = models.DateField()
    ends = models.DateField(null=True, blank=True)
    default_revision = models.ForeignKey(Revision, models.PROTECT, null=True, blank=True, related_name="+")
    default_options = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-starts", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint("club", Lower("name"), name="season_name_once"),
            models.CheckConstraint(condition=Q(ends=None) | Q(ends__gte=models.F("starts")), name="season_ends_after_start"),
        ]

    def __str__(self) -> str:
        return self.name


class ClubRuleset(models.Model):
    """A ruleset that a club keeps; ``editors`` may change it beside the club's owners and rule keepers."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="rulesets")
    ruleset = models.OneToOneField(Ruleset, models.CASCADE, related_name="club_link")
    editors = models.ManyToManyField(Member, blank=True, related_name="edits")
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["club", "ruleset"]

    def __str__(self) -> str:
        return f"{self.club}: {self.ruleset}"
