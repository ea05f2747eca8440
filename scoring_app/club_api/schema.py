"""Bodies and answers of the endpoints of accounts, for reading requests and for the OpenAPI document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from rules_app.api_schema import Described
from rules_app.models import Revision
from scoring_app.models import ConfirmationPolicy, LengthKind, Role, Session

if TYPE_CHECKING:
    Field = serializers.Field[Any, Any, Any, Any]

MOST = 10**9


def name(**more: Any) -> serializers.CharField:
    return serializers.CharField(max_length=40, **more)


class Me(Described):
    account = serializers.CharField()
    scopes = serializers.ListField(child=serializers.CharField(), help_text="Of the token; all for a signed-in browser.")


class ClubBody(Described):
    slug = serializers.CharField()
    name = serializers.CharField()
    language = serializers.CharField()
    variant = serializers.CharField(allow_null=True, help_text="Slug of the default game.")
    revision = serializers.IntegerField(allow_null=True)
    confirmation = serializers.ChoiceField(ConfirmationPolicy.values)
    table_fee = serializers.IntegerField()
    roles = serializers.ListField(child=serializers.ChoiceField(Role.values))


class NewClub(Described):
    name = serializers.CharField(max_length=60)
    slug = serializers.CharField(max_length=40, required=False)
    language = serializers.ChoiceField(["zh", "en"], required=False)


class ClubChange(Described):
    name = serializers.CharField(max_length=60, required=False)
    language = serializers.ChoiceField(["zh", "en"], required=False)
    confirmation = serializers.ChoiceField(ConfirmationPolicy.values, required=False)
    table_fee = serializers.IntegerField(min_value=0, max_value=MOST, required=False)
    variant = serializers.CharField(required=False, help_text="Slug of the default game.")


class MemberBody(Described):
    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    has_account = serializers.SerializerMethodField()
    roles = serializers.SerializerMethodField()

    def get_has_account(self, member: Any) -> bool:
        return member.account_id is not None

    def get_roles(self, member: Any) -> list[str]:
        return [membership.role for membership in member.roles.all()]


class NewMember(Described):
    name = name()


class NewRole(Described):
    role = serializers.ChoiceField(Role.values)


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


class SeasonChange(Described):
    name = serializers.CharField(max_length=60, required=False)
    starts = serializers.DateField(required=False)
    ends = serializers.DateField(required=False, allow_null=True)
    variant = serializers.CharField(required=False, allow_null=True, help_text="Slug of its game; null: the club's.")


class NewSeason(Described):
    name = serializers.CharField(max_length=60)
    starts = serializers.DateField()
    ends = serializers.DateField(required=False, allow_null=True)


class SessionBrief(Described):
    id = serializers.CharField(source="public_id")
    club = serializers.CharField(source="club.slug", allow_null=True, default=None)
    title = serializers.CharField()
    date = serializers.DateField()
    status = serializers.ChoiceField(Session.Status.values)
    variant = serializers.CharField(source="revision.ruleset.slug")
    revision = serializers.IntegerField(source="revision.number")


class NewSession(Described):
    title = serializers.CharField(max_length=100, required=False, allow_blank=True)
    date = serializers.DateField(required=False)
    variant = serializers.CharField(required=False, help_text="Slug of a game; by default the season's or the club's.")
    season = serializers.CharField(required=False)
    options = serializers.DictField(required=False)
    start_points = serializers.IntegerField(min_value=-MOST, max_value=MOST, required=False)
    length_kind = serializers.ChoiceField(LengthKind.values, required=False)
    length = serializers.IntegerField(min_value=0, max_value=1440, required=False)


class PlayerBody(Described):
    number = serializers.IntegerField()
    name = serializers.CharField()
    member = serializers.CharField(source="member.public_id", allow_null=True, default=None)
    left = serializers.SerializerMethodField()

    def get_left(self, player: Any) -> bool:
        return player.left_at is not None


class NewPlayer(Described):
    name = name()
    member = serializers.CharField(required=False, help_text="Id of a member of the club.")


class SeatBody(Described):
    seat = serializers.IntegerField()
    number = serializers.IntegerField(allow_null=True, help_text="Participant number at the table.")
    name = serializers.CharField(allow_null=True)
    total = serializers.IntegerField()
    dealer = serializers.BooleanField()


class SessionTable(Described):
    id = serializers.CharField()
    number = serializers.IntegerField(allow_null=True)
    variant = serializers.CharField()
    version = serializers.IntegerField()
    closed = serializers.BooleanField()
    rounds = serializers.IntegerField()
    disputes = serializers.IntegerField()
    unconfirmed = serializers.IntegerField()
    seats = SeatBody(many=True)


class SessionTables(Described):
    tables = SessionTable(many=True)


class SessionBody(SessionBrief):
    rotation = serializers.IntegerField()
    length_kind = serializers.ChoiceField(LengthKind.values)
    length = serializers.IntegerField()
    table_fee = serializers.IntegerField()
    start_points = serializers.IntegerField()
    options = serializers.DictField()
    players = PlayerBody(many=True)
    tables = SessionTable(many=True)
    resting = serializers.ListField(child=serializers.IntegerField(), help_text="Numbers of the players who sit nowhere.")


class Draw(Described):
    method = serializers.ChoiceField(["lot", "shift", "movement"], required=False)
    seed = serializers.CharField(max_length=64, required=False, help_text="The same seed draws the same seats.")
    tables = serializers.IntegerField(min_value=1, max_value=50, required=False)


class Drawn(Described):
    rotation = serializers.IntegerField()
    method = serializers.CharField()
    seed = serializers.CharField(allow_blank=True)
    seating = serializers.DictField()


class NewSessionTable(Described):
    players = serializers.ListField(child=serializers.IntegerField(), max_length=12, help_text="Player numbers in seat order.")
    resting = serializers.ListField(child=serializers.IntegerField(), max_length=12, required=False)
    variant = serializers.CharField(required=False)
    options = serializers.DictField(required=False)


class Substitution(Described):
    seat = serializers.IntegerField(min_value=0, max_value=11)
    player = serializers.IntegerField(allow_null=True, help_text="Player number; null frees the seat.")
    expected_version = serializers.IntegerField(min_value=0)
    text = serializers.CharField(max_length=300, required=False, allow_blank=True)


class Substituted(Described):
    table = serializers.CharField()
    version = serializers.IntegerField()
    seats = serializers.ListField(child=serializers.IntegerField(allow_null=True))


class Nothing(Described):
    """An empty body."""


class PersonBody(Described):
    key = serializers.CharField(help_text="member-12, player-3 …")
    name = serializers.CharField()


class BalanceBody(Described):
    person = PersonBody()
    balance = serializers.IntegerField()


class TransferBody(Described):
    payer = PersonBody()
    payee = PersonBody()
    amount = serializers.IntegerField()


class SettlementBody(Described):
    settled = serializers.BooleanField()
    balances = BalanceBody(many=True)
    transfers = TransferBody(many=True)


class NewSettlement(Described):
    payer = serializers.CharField(max_length=30, help_text="Key of who has paid.")
    payee = serializers.CharField(max_length=30)
    amount = serializers.IntegerField(min_value=1, max_value=MOST)


class StandingBody(Described):
    person = PersonBody()
    points = serializers.IntegerField()
    balance = serializers.IntegerField()
    rounds = serializers.IntegerField()
    wins = serializers.IntegerField()
    self_draws = serializers.IntegerField()
    deal_ins = serializers.IntegerField()
    average = serializers.FloatField(allow_null=True)
    positions = serializers.DictField(child=serializers.IntegerField())
    biggest = serializers.IntegerField(allow_null=True)
    fees = serializers.IntegerField()
    settled = serializers.IntegerField()


class PatternBody(Described):
    variant = serializers.CharField()
    id = serializers.CharField()
    name = serializers.CharField()
    count = serializers.IntegerField()
    share = serializers.FloatField()


class StatisticsBody(Described):
    rounds = serializers.IntegerField()
    standings = StandingBody(many=True)
    people = PersonBody(many=True)
    matrix = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()), help_text="matrix[i][j]: what people[i] paid people[j]."
    )
    patterns = PatternBody(many=True)


class GrantBody(Described):
    id = serializers.CharField(source="public_id")
    role = serializers.ChoiceField(["scorer", "viewer"])
    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    last_seen = serializers.DateTimeField(allow_null=True)
    revoked = serializers.SerializerMethodField()

    def get_revoked(self, grant: Any) -> bool:
        return grant.revoked_at is not None


class NewGrant(Described):
    role = serializers.ChoiceField(["scorer", "viewer"])
    label = serializers.CharField(max_length=60, required=False, allow_blank=True)  # type: ignore[assignment]


class IssuedGrant(GrantBody):
    token = serializers.CharField(help_text="Shown once; opens /devices/<token>/.")


class GrantChange(Described):
    label = serializers.CharField(max_length=60)  # type: ignore[assignment]


class NewExport(Described):
    form = serializers.ChoiceField(["csv", "xlsx", "pdf", "blank", "json"])
    season = serializers.CharField(required=False, help_text="Of a club: only this season.")


class JobBody(Described):
    id = serializers.CharField(source="public_id")
    kind = serializers.CharField()
    status = serializers.CharField(help_text="draft, queued, running, done or failed")
    progress = serializers.IntegerField(help_text="Percent.")
    result = serializers.DictField()
    error = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
