"""Accounts, clubs, members, invitations, seasons, rulesets."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from rules_app.api_schema import Described
from rules_app.models import Revision
from scoring_app.clubs import PERMISSIONS
from scoring_app.models import ApiToken, ConfirmationPolicy, Role

MOST = 10**9
OPTIONS = "House rules that differ, by id; as in the document of the game."


def name(**more: Any) -> serializers.CharField:
    return serializers.CharField(max_length=40, **more)


class Nothing(Described):
    """An empty body."""


class Me(Described):
    account = serializers.CharField()
    scopes = serializers.ListField(child=serializers.CharField(), help_text="Of the token; all for a signed-in browser.")


class TokenBody(Described):
    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(ApiToken.Scope.values))
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True)


class ClubBody(Described):
    slug = serializers.CharField()
    name = serializers.CharField()
    language = serializers.CharField()
    variant = serializers.CharField(allow_null=True, help_text="Slug of the default game.")
    revision = serializers.IntegerField(allow_null=True)
    options = serializers.DictField()
    confirmation = serializers.ChoiceField(ConfirmationPolicy.values)
    table_fee = serializers.IntegerField()
    roles = serializers.ListField(child=serializers.ChoiceField(Role.values), help_text="Of who asks.")


class NewClub(Described):
    name = serializers.CharField(max_length=60)
    slug = serializers.CharField(max_length=40, required=False)
    language = serializers.ChoiceField(["zh", "en"], required=False)


class ClubChange(Described):
    name = serializers.CharField(max_length=60, required=False)
    slug = serializers.CharField(max_length=40, required=False)
    language = serializers.ChoiceField(["zh", "en"], required=False)
    confirmation = serializers.ChoiceField(ConfirmationPolicy.values, required=False)
    table_fee = serializers.IntegerField(min_value=0, max_value=MOST, required=False)
    variant = serializers.CharField(required=False, allow_null=True, help_text="Slug of the default game; null: none.")
    options = serializers.DictField(required=False, help_text=OPTIONS)


class PermissionBody(Described):
    action = serializers.ChoiceField(list(PERMISSIONS))
    scope = serializers.ChoiceField(["club", "session", "table"])
    label = serializers.SerializerMethodField()  # type: ignore[assignment]
    roles = serializers.SerializerMethodField()

    def get_label(self, permission: Any) -> str:
        words: str = permission.label.in_language(self.context["language"])
        return words

    def get_roles(self, permission: Any) -> list[str]:
        return [role for role in Role.values if role in permission.roles]


class MemberBody(Described):
    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    has_account = serializers.SerializerMethodField()
    left = serializers.SerializerMethodField()
    roles = serializers.SerializerMethodField()

    def get_has_account(self, member: Any) -> bool:
        return member.account_id is not None

    def get_left(self, member: Any) -> bool:
        return member.left_at is not None

    def get_roles(self, member: Any) -> list[str]:
        return [membership.role for membership in member.roles.all()]


class NewMember(Described):
    name = name()


class NewRole(Described):
    role = serializers.ChoiceField(Role.values)


class NewMerge(Described):
    gone = serializers.CharField(max_length=16, help_text="Id of the member who turns out to be this one.")


class MergePreview(Described):
    tables = serializers.IntegerField(help_text="At how many tables this member has played.")
    tables_gone = serializers.IntegerField(help_text="And the other one.")


class GuestBody(Described):
    name = serializers.CharField()
    evenings = serializers.IntegerField()
    last = serializers.DateField()


class GuestSeat(Described):
    session = serializers.CharField(max_length=16)
    number = serializers.IntegerField(min_value=0, max_value=MOST, help_text="Of the player in that session.")


class NewAccount(Described):
    account = serializers.CharField(max_length=150, help_text="The name it signs in with.")


class InvitationBody(Described):
    id = serializers.IntegerField()
    role = serializers.ChoiceField(Role.values, allow_blank=True)
    member = serializers.CharField(source="member.public_id", allow_null=True, default=None, help_text="The name that it gives an account.")
    note = serializers.CharField(allow_blank=True)
    uses = serializers.IntegerField()
    max_uses = serializers.IntegerField()
    expires_at = serializers.DateTimeField()
    open = serializers.BooleanField(source="is_open")


class InvitationLink(InvitationBody):
    link = serializers.CharField(allow_null=True, help_text="Null for who may not grant the role that it brings.")


class NewInvitation(Described):
    role = serializers.ChoiceField(Role.values, required=False, help_text="More than viewer: only for who may grant roles.")
    member = serializers.CharField(required=False, help_text="Id of a member without an account.")
    note = serializers.CharField(max_length=100, required=False, allow_blank=True)
    days = serializers.IntegerField(min_value=1, max_value=366, required=False)
    max_uses = serializers.IntegerField(min_value=1, max_value=1000, required=False)


class OfferBody(Described):
    club = serializers.CharField(source="club.slug")
    name = serializers.CharField(source="club.name")
    role = serializers.ChoiceField(Role.values, allow_blank=True)
    member = serializers.CharField(source="member.name", allow_null=True, default=None, help_text="Whose name it gives an account.")


class Acceptance(Described):
    name = name(required=False, allow_blank=True, help_text="In the club; by default that of the account.")


class ClubRulesetBody(Described):
    slug = serializers.CharField(source="ruleset.slug")
    name_zh = serializers.CharField(source="ruleset.name_zh")
    name_en = serializers.CharField(source="ruleset.name_en")
    forked_from = serializers.CharField(source="ruleset.forked_from.ruleset.slug", allow_null=True, default=None)
    published = serializers.SerializerMethodField(help_text="Number of the newest published revision.")
    draft = serializers.SerializerMethodField(help_text="Whether there is one.")
    editors = serializers.SerializerMethodField(help_text="Ids of members, beside owners and rule keepers.")

    def get_published(self, link: Any) -> int | None:
        numbers = [one.number for one in link.ruleset.revisions.all() if one.status == Revision.Status.PUBLISHED]
        return max(numbers, default=None)

    def get_draft(self, link: Any) -> bool:
        return any(one.status == Revision.Status.DRAFT for one in link.ruleset.revisions.all())

    def get_editors(self, link: Any) -> list[str]:
        return [member.public_id for member in link.editors.all()]


class Adoption(Described):
    ruleset = serializers.CharField(max_length=60, help_text="Slug of a ruleset of one's own.")


class NewFork(Described):
    slug = serializers.CharField(max_length=60)
    name_zh = serializers.CharField(max_length=100, required=False, allow_blank=True)
    name_en = serializers.CharField(max_length=100, required=False, allow_blank=True)


class Editors(Described):
    editors = serializers.ListField(child=serializers.CharField(max_length=16), max_length=200, help_text="Ids of members: all of them.")


class SeasonBody(Described):
    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    starts = serializers.DateField()
    ends = serializers.DateField(allow_null=True)
    variant = serializers.CharField(source="default_revision.ruleset.slug", allow_null=True, default=None)
    options = serializers.DictField(source="default_options")


class SeasonChange(Described):
    name = serializers.CharField(max_length=60, required=False)
    starts = serializers.DateField(required=False)
    ends = serializers.DateField(required=False, allow_null=True)
    variant = serializers.CharField(required=False, allow_null=True, help_text="Slug of its game; null: the club's.")
    options = serializers.DictField(required=False, help_text=OPTIONS)


class NewSeason(SeasonChange):
    name = serializers.CharField(max_length=60)
    starts = serializers.DateField()
