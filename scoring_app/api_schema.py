"""What the OpenAPI document says of the tables' bodies and answers.  The ledger checks them; these classes describe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework import serializers

from rules_app.api_schema import Answer, RoundBody, Situation
from rules_app.api_schema import Error as PlainError

if TYPE_CHECKING:
    Described = serializers.Serializer[Any]
else:
    Described = serializers.Serializer


class ConflictBody(Described):
    code = serializers.ChoiceField(["stale_version", "stale_draft"])
    message = serializers.CharField()
    path = serializers.CharField(allow_blank=True)
    current_version = serializers.IntegerField()


class Conflict(Described):
    error = ConflictBody()


class NewTable(Described):
    variant = serializers.CharField(help_text="The slug of a game, as in /api/v1/variants/.")
    names = serializers.ListField(child=serializers.CharField(max_length=40), help_text="In the order of play, one a seat.")
    options = serializers.DictField(required=False)
    title = serializers.CharField(required=False, allow_blank=True, max_length=100)
    language = serializers.ChoiceField(["zh", "en"], required=False)
    start_points = serializers.IntegerField(required=False)
    start = Situation(required=False)


class OpenedTable(Described):
    id = serializers.CharField()
    version = serializers.IntegerField()
    scorer_token = serializers.CharField(help_text="May write.")
    watch_token = serializers.CharField(help_text="May look.")
    scorer_url = serializers.CharField()
    watch_url = serializers.CharField()


class Person(Described):
    number = serializers.IntegerField(help_text="Names the participant in every payload.")
    name = serializers.CharField()
    kind = serializers.ChoiceField(["player", "house", "pool"])
    seat = serializers.IntegerField(allow_null=True)
    total = serializers.IntegerField()


class Posted(Described):
    to = serializers.IntegerField()
    amount = serializers.IntegerField()
    reason = serializers.CharField(allow_blank=True)
    rule = serializers.CharField(allow_blank=True)
    event = serializers.IntegerField(allow_null=True)

    def get_fields(self) -> dict[str, Any]:
        return {"from": serializers.IntegerField(), **super().get_fields()}


class EntryBody(Described):
    seq = serializers.IntegerField()
    kind = serializers.CharField()
    number = serializers.IntegerField(allow_null=True, help_text="The number of the round.")
    payload = serializers.DictField(allow_null=True)
    payments = serializers.DictField(child=serializers.IntegerField(), help_text="Net change by participant number.")
    transfers = Posted(many=True)
    summary = serializers.DictField()
    voided = serializers.BooleanField()
    corrected = serializers.BooleanField()
    target = serializers.IntegerField(allow_null=True, help_text="The entry that a correction or voiding is about.")
    reason = serializers.CharField(allow_blank=True)
    time = serializers.DateTimeField()
    device = serializers.CharField(allow_blank=True)


class TableBody(Described):
    id = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    variant = serializers.CharField()
    revision = serializers.IntegerField()
    hash = serializers.CharField()
    options = serializers.DictField()
    role = serializers.ChoiceField(["scorer", "watch"])
    version = serializers.IntegerField(help_text="To name as expected_version in the next write.")
    changes = serializers.IntegerField(help_text="Grows with every visible change; the ETag.")
    closed = serializers.BooleanField()
    rounds = serializers.IntegerField()
    situation = serializers.DictField(help_text="dealer, streak, round_wind, state, seats (participant number by seat)")
    participants = Person(many=True)
    round_in_progress = serializers.DictField(allow_null=True)
    entries = EntryBody(many=True, help_text="Newest first.")


class RoundPayload(Described):
    round = RoundBody()
    table = Situation(required=False, help_text="What of the carried situation is otherwise in this round.")
    unfinished = serializers.BooleanField(required=False)

    def get_fields(self) -> dict[str, Any]:
        return {**super().get_fields(), "next": Situation(required=False, help_text="What of the following situation is otherwise.")}


class NewEntry(Described):
    kind = serializers.ChoiceField(["round", "penalty", "transfer", "fee", "settlement", "note"], default="round")
    payload = serializers.DictField(
        help_text='A round: {"round": {"events": […]}}; a transfer: {"lines": [{"from", "to", "amount"}], "text"}; a note: {"text"}.'
    )
    expected_version = serializers.IntegerField()


class Look(Described):
    kind = serializers.ChoiceField(["round", "penalty"], default="round")
    payload = RoundPayload()


class Looked(Described):
    answer = Answer()
    payments = serializers.DictField(child=serializers.IntegerField())
    totals_after = serializers.DictField(child=serializers.IntegerField(), help_text="Without start points.")
    ended = serializers.BooleanField()
    warnings = serializers.ListField(child=serializers.CharField())


class Expected(Described):
    expected_version = serializers.IntegerField()
    reason = serializers.CharField(required=False, allow_blank=True)


class Correction(Expected):
    payload = serializers.DictField()


class Closing(Expected):
    closed = serializers.BooleanField(default=True)


class Written(Described):
    entry = EntryBody()
    version = serializers.IntegerField()
    repeated = serializers.BooleanField(help_text="The key was seen before; this is the first answer.")


KEY = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=True,
    description="Chosen by the writer, new for each write: a repeat with the same body gets the first answer, with another body 422.",
)
TOKEN = OpenApiParameter(
    "Authorization",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=True,
    description="Bearer and one of the table's two tokens, the token of a device, or a personal token",
)
MATCH = OpenApiParameter(
    "If-None-Match", OpenApiTypes.STR, OpenApiParameter.HEADER, description="The ETag read before: 304 while nothing changed"
)
REFUSED = {403: PlainError, 404: PlainError, 409: Conflict, 422: PlainError}
NEW_TABLE_EXAMPLE = OpenApiExample("Four friends", request_only=True, value={"variant": "<slug>", "names": ["甲", "乙", "丙", "丁"]})
