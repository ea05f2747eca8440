"""What the OpenAPI document says of bodies and answers.  The engine checks them; these classes only describe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework import serializers

if TYPE_CHECKING:
    Described = serializers.Serializer[Any]
else:
    Described = serializers.Serializer


class ErrorBody(Described):
    code = serializers.CharField(help_text="bad_input, bad_tiles, not_allowed, not_a_win, below_minimum, not_found, too_many_requests")
    message = serializers.CharField(help_text="A sentence in the language of Accept-Language.")
    path = serializers.CharField(help_text="The place in the request, for example round.events[0].hand", allow_blank=True)


class Error(Described):
    error = ErrorBody()


class Words(Described):
    zh = serializers.CharField()
    en = serializers.CharField()


class GameBrief(Described):
    slug = serializers.CharField()
    name = Words()
    region = Words()
    summary = Words()
    seats = serializers.IntegerField()
    revision = serializers.IntegerField(help_text="Number of the published revision; 0 for a shipped document that is not stored.")
    hash = serializers.CharField(help_text="SHA-256 of the document.")


class Games(Described):
    variants = GameBrief(many=True)


class Game(GameBrief):
    document = serializers.DictField(help_text="The ruleset document; what has its default value is left out.")


class Meld(Described):
    kind = serializers.CharField(help_text="chow, pong, kong or a special meld of the game")
    tiles = serializers.CharField()
    by = serializers.ChoiceField(["concealed", "exposed", "added"], required=False, help_text="How a kong was made.")

    def get_fields(self) -> dict[str, Any]:
        return {**super().get_fields(), "from": serializers.IntegerField(required=False, help_text="The seat that gave the tile.")}


class Situation(Described):
    dealer = serializers.IntegerField(default=0)
    streak = serializers.IntegerField(default=0)
    round_wind = serializers.CharField(default="1z")
    state = serializers.DictField(required=False)


class RoundBody(Described):
    wild = serializers.ListField(child=serializers.CharField(), required=False)
    inputs = serializers.DictField(required=False)
    events = serializers.ListField(child=serializers.DictField())


class RoundRequest(Described):
    variant = serializers.CharField(required=False)
    options = serializers.DictField(required=False)
    table = Situation(required=False)
    round = RoundBody()
    ask = serializers.ChoiceField(["waits", "so_far"], required=False)


class HandRequest(Described):
    hand = serializers.CharField(help_text="The concealed tiles without the winning one, for example 2345678m99p.")
    melds = Meld(many=True, required=False)
    flowers = serializers.CharField(required=False)
    seat = serializers.IntegerField(default=0)
    by = serializers.ChoiceField(["self_draw", "discard", "rob_kong"], default="self_draw")
    flags = serializers.ListField(child=serializers.CharField(), required=False)
    wild = serializers.ListField(child=serializers.CharField(), required=False)
    inputs = serializers.DictField(required=False)
    options = serializers.DictField(required=False)
    table = Situation(required=False)

    def get_fields(self) -> dict[str, Any]:
        return {**super().get_fields(), "from": serializers.IntegerField(required=False, help_text="The seat that pays.")}


class CountedPattern(Described):
    id = serializers.CharField()
    name = serializers.CharField()
    count = serializers.IntegerField()
    value = serializers.IntegerField()
    unit = serializers.CharField()
    tiles = serializers.CharField(required=False, allow_blank=True, help_text="The tiles that make it.")


class Win(Described):
    seat = serializers.IntegerField()
    patterns = serializers.ListField(child=serializers.CharField())
    fan = serializers.IntegerField(required=False)
    points = serializers.IntegerField(required=False)
    values = CountedPattern(many=True, required=False)
    reading = serializers.DictField(required=False, allow_null=True, help_text="The sets, and what each wild tile became.")
    arithmetic = serializers.CharField(required=False)


class Transfer(Described):
    to = serializers.IntegerField()
    amount = serializers.IntegerField()
    event = serializers.IntegerField()
    rule = serializers.CharField()
    reason = serializers.CharField()

    def get_fields(self) -> dict[str, Any]:
        return {"from": serializers.IntegerField(), **super().get_fields()}


class Answer(Described):
    payments = serializers.ListField(child=serializers.IntegerField(), help_text="Net change by seat (or party); sums to zero.")
    wins = Win(many=True)
    next = Situation(required=False)
    ended = serializers.BooleanField()
    parties = serializers.ListField(child=serializers.CharField(), required=False)
    transfers = Transfer(many=True, required=False)
    waits = serializers.CharField(required=False, help_text="Tiles, or a list of them where several hands are shown.")


class WaitValue(Described):
    tile = serializers.CharField()
    left = serializers.IntegerField(help_text="Copies that the hand itself does not hold.")
    patterns = serializers.ListField(child=serializers.CharField(), required=False)
    fan = serializers.IntegerField(required=False)
    points = serializers.IntegerField(required=False)
    total = serializers.IntegerField(required=False, help_text="What the winner receives in all.")
    error = ErrorBody(required=False)


class Waits(Described):
    waits = serializers.CharField()
    tiles = WaitValue(many=True, required=False)


EXPLAIN = OpenApiParameter(
    "explain", OpenApiTypes.BOOL, default=True, description="0: only payments, wins and next, without readings, arithmetic and transfers."
)
HAND_PARAMETERS = [
    OpenApiParameter("hand", OpenApiTypes.STR, required=True, description="The tiles in hand, for example 2345678m99p"),
    OpenApiParameter("melds", OpenApiTypes.STR, description="For example: 222s, 345m from 2, 5555p concealed"),
    OpenApiParameter("flowers", OpenApiTypes.STR),
    OpenApiParameter("wild", OpenApiTypes.STR, description="The wild kind or kinds, for example 5m"),
    OpenApiParameter("seat", OpenApiTypes.INT),
    OpenApiParameter("by", OpenApiTypes.STR, enum=["self_draw", "discard", "rob_kong"]),
    OpenApiParameter("from", OpenApiTypes.INT),
]
SCORE_EXAMPLES = [
    OpenApiExample(
        "A self-drawn pure suit",
        request_only=True,
        value={"round": {"events": [{"type": "win", "seat": 2, "by": "self_draw", "tile": "4p", "hand": "1234566785544p"}]}},
    ),
]
