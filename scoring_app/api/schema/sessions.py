"""Sessions, their players, seats, clock and devices."""

from __future__ import annotations

from typing import Any, get_args

from rest_framework import serializers

from rules_app.api_schema import Described
from scoring_app.api.schema.clubs import MOST, OPTIONS, name
from scoring_app.models import ConfirmationPolicy, LengthKind, Session
from scoring_app.sessions.rotation import Method


class SessionBrief(Described):
    id = serializers.CharField(source="public_id")
    club = serializers.CharField(source="club.slug", allow_null=True, default=None)
    season = serializers.CharField(source="season.public_id", allow_null=True, default=None)
    title = serializers.CharField()
    date = serializers.DateField()
    status = serializers.ChoiceField(Session.Status.values)
    variant = serializers.CharField(source="revision.ruleset.slug")
    revision = serializers.IntegerField(source="revision.number")


class SessionChange(Described):
    title = serializers.CharField(max_length=100, required=False, allow_blank=True)
    date = serializers.DateField(required=False)
    variant = serializers.CharField(required=False, help_text="Slug of a game; a new session has the season's or the club's by default.")
    options = serializers.DictField(required=False, help_text=OPTIONS)
    start_points = serializers.IntegerField(min_value=-MOST, max_value=MOST, required=False)
    length_kind = serializers.ChoiceField(LengthKind.values, required=False)
    length = serializers.IntegerField(min_value=0, max_value=1440, required=False, help_text="Rounds or minutes.")
    confirmation = serializers.ChoiceField(ConfirmationPolicy.values, required=False)
    table_fee = serializers.IntegerField(min_value=0, max_value=MOST, required=False)


class SessionEdit(SessionChange):
    open_tables = serializers.BooleanField(required=False, help_text="Whether tables that are open take this length too.")


class NewSession(SessionChange):
    language = serializers.ChoiceField(["zh", "en"], required=False)


class NewClubSession(NewSession):
    season = serializers.CharField(required=False, help_text="Id of a season of the club.")


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


class PlayerChange(Described):
    name = name(required=False)
    member = serializers.CharField(required=False, allow_null=True, help_text="Id of the member he is; null: none.")


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
    round_in_progress = serializers.BooleanField()
    ended_by = serializers.CharField(allow_blank=True, help_text="rounds or clock, once its length is played; play is not cut off by it.")
    disputes = serializers.IntegerField()
    unconfirmed = serializers.IntegerField()
    seats = SeatBody(many=True)


class SessionBody(SessionBrief):
    rotation = serializers.IntegerField()
    length_kind = serializers.ChoiceField(LengthKind.values)
    length = serializers.IntegerField()
    confirmation = serializers.ChoiceField(ConfirmationPolicy.values)
    table_fee = serializers.IntegerField()
    start_points = serializers.IntegerField()
    options = serializers.DictField()
    players = PlayerBody(many=True)
    tables = SessionTable(many=True)
    resting = serializers.ListField(child=serializers.IntegerField(), help_text="Numbers of the players who sit nowhere.")


class OpenedSession(SessionBody):
    host_link = serializers.CharField(help_text="For whoever organises it.")
    hall_link = serializers.CharField(help_text="For the big screen; its last part is a token that reads the session.")


class LinksBody(Described):
    host_link = serializers.CharField()
    hall_link = serializers.CharField()
    join_link = serializers.CharField(help_text="Opens the form to join by the code.")
    code = serializers.CharField()
    code_open = serializers.BooleanField()
    code_expires = serializers.DateTimeField()


class NewCode(Described):
    minutes = serializers.IntegerField(min_value=1, max_value=10080, default=240, help_text="How long it is valid.")


class Ending(Described):
    text = serializers.CharField(max_length=300, required=False, allow_blank=True)


class NewFees(Described):
    amount = serializers.IntegerField(
        min_value=0, max_value=MOST, required=False, help_text="What each pays; by default the fee of the session."
    )
    total = serializers.IntegerField(
        min_value=1,
        max_value=MOST,
        required=False,
        help_text="In its place what all pay together, split evenly, odd points on who won most.",
    )


class ChargedBody(Described):
    table = serializers.CharField()
    seq = serializers.IntegerField(help_text="Of the entry; those who played pay the house.")


class JoinBody(Described):
    session = serializers.CharField(source="public_id")
    title = serializers.CharField(source="__str__")
    date = serializers.DateField()


class NewJoin(Described):
    name = name(required=False, allow_blank=True, help_text="By default that of the member, or of the account.")


class Joined(PlayerBody):
    session = serializers.CharField(source="session.public_id")


class MineBody(PlayerBody):
    table = serializers.CharField(allow_null=True, help_text="Where to sit now.")
    table_number = serializers.IntegerField(allow_null=True)
    seat = serializers.IntegerField(allow_null=True)
    watch_token = serializers.CharField(allow_null=True, help_text="Opens that table to watch.")


class Draw(Described):
    method = serializers.ChoiceField([method for method in get_args(Method) if method != "hand"], required=False)
    seed = serializers.CharField(max_length=64, required=False, help_text="The same seed draws the same seats.")
    tables = serializers.IntegerField(min_value=1, max_value=50, required=False)


class NewDraw(Draw):
    expected_rotation = serializers.IntegerField(min_value=0, max_value=MOST, required=False, help_text="As read: 409 if drawn since.")


class LastDraw(Described):
    expected_rotation = serializers.IntegerField(min_value=0, max_value=MOST, help_text="Of the session, as read: 409 if drawn since.")


class SeatingBody(Described):
    rotation = serializers.IntegerField()
    method = serializers.CharField()
    seed = serializers.CharField(allow_blank=True)
    seating = serializers.DictField(help_text="Tables with player numbers by seat, and who rests.")


class NewSessionTable(Described):
    players = serializers.ListField(child=serializers.IntegerField(), max_length=12, help_text="Player numbers in seat order.")
    resting = serializers.ListField(child=serializers.IntegerField(), max_length=12, required=False)
    variant = serializers.CharField(required=False)
    options = serializers.DictField(required=False, help_text=OPTIONS)
    start_points = serializers.IntegerField(min_value=-MOST, max_value=MOST, required=False)
    length_kind = serializers.ChoiceField(LengthKind.values, required=False)
    length = serializers.IntegerField(min_value=0, max_value=1440, required=False)


class ClockChange(Described):
    do = serializers.ChoiceField(["start", "pause", "resume"], help_text="start: from the full length.")


class TableClock(Described):
    id = serializers.CharField()
    number = serializers.IntegerField(allow_null=True)
    seconds_left = serializers.IntegerField(allow_null=True, help_text="Below zero once it is over; null where no clock runs.")
    ends_at = serializers.DateTimeField(allow_null=True)
    extra_seconds = serializers.IntegerField()


class ClockBody(Described):
    length_kind = serializers.ChoiceField(LengthKind.values)
    length = serializers.IntegerField(help_text="Minutes, or rounds.")
    started_at = serializers.DateTimeField(allow_null=True)
    paused_at = serializers.DateTimeField(allow_null=True)
    running = serializers.BooleanField()
    tables = TableClock(many=True)


class ExtraTimeBody(Described):
    seconds = serializers.IntegerField()
    reason = serializers.CharField(allow_blank=True)
    device = serializers.CharField(source="device_label", allow_blank=True)
    given_at = serializers.DateTimeField()


class NewExtraTime(Described):
    seconds = serializers.IntegerField(min_value=-43200, max_value=43200, help_text="Below zero takes some back.")
    reason = serializers.CharField(max_length=200, required=False, allow_blank=True)
    expected_extra = serializers.IntegerField(
        min_value=-MOST, max_value=MOST, required=False, help_text="The extra_seconds that were read: 409 if time was given since."
    )


class GrantBody(Described):
    id = serializers.CharField(source="public_id")
    role = serializers.ChoiceField(["scorer", "viewer"])
    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    table = serializers.CharField(source="table.public_id", allow_null=True, default=None, help_text="Null: all tables of the session.")
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


class TakeOver(Described):
    label = serializers.CharField(max_length=60, required=False, allow_blank=True)  # type: ignore[assignment]


class WriterBody(Described):
    device = serializers.CharField(source="device_label", allow_blank=True)
    last_seen = serializers.DateTimeField()
