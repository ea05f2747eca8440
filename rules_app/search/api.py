"""GET /api/v1/search/"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rules_app.api import GameView
from rules_app.api_schema import Error, Words
from rules_app.engine import Refusal
from rules_app.engine.tiles import TileTextError
from rules_app.languages import page_language
from rules_app.search.asking import Asked, answers_by_tiles, read_asked
from rules_app.search.finding import GameHits, search
from rules_app.search.models import SearchDocument
from rules_app.search.presenting import KIND_GROUPS, hit_shown
from rules_app.search.tokens import read_query
from rules_app.search.views import game_rows

if TYPE_CHECKING:
    Described = serializers.Serializer[Any]
else:
    Described = serializers.Serializer


class Found(Described):
    kind = serializers.CharField(
        help_text="game, pattern, payment, option, term, page, gap, flag, event, input, state, shape, condition, check"
    )
    id = serializers.CharField(help_text="The rule's id in the document; empty for the game itself.")
    title = Words()
    url = serializers.CharField(help_text="Where the rule stands in the rule book.")
    match = serializers.ChoiceField(
        ["name", "alias", "initials", "name_begins", "alias_begins", "title", "title_and_game", "text", "some_words"],
        help_text="How near the match is.",
    )
    value = serializers.CharField(required=False, help_text="What a pattern is worth, in words.")
    hand = serializers.DictField(required=False, help_text="Tiles of a pattern's example.")
    excerpt = serializers.CharField(required=False)
    marks = serializers.ListField(child=serializers.CharField(), required=False, help_text="The pieces that were meant.")


class MadePattern(Described):
    id = serializers.CharField()
    name = serializers.CharField()
    only = serializers.CharField(help_text="self_draw or discard where it needs that; else empty", allow_blank=True)


class TileAnswer(Described):
    state = serializers.ChoiceField(["made", "waiting", "refused", "no_win", "size", "foreign"])
    patterns = MadePattern(many=True, required=False)
    totals = serializers.DictField(required=False, help_text="What the win brings by self_draw and by discard.")
    waits = serializers.CharField(required=False)
    message = serializers.CharField(required=False)
    needs = serializers.IntegerField(required=False, help_text="How many tiles a complete hand of this game has.")
    url = serializers.CharField(required=False, help_text="The scoring page with this hand.")


class GameFound(Described):
    game = serializers.CharField(help_text="Slug")
    name = Words()
    hits = Found(many=True, required=False)
    tiles = TileAnswer(required=False)


class Results(Described):
    query = serializers.CharField()
    count = serializers.IntegerField()
    games = GameFound(many=True)


def _parameter(name: str, text: str, *, many: bool = False, **more: Any) -> OpenApiParameter:
    return OpenApiParameter(name, OpenApiTypes.STR, description=text, many=many, **more)


PARAMETERS = [
    _parameter("q", "Characters (simplified or traditional), pinyin with or without spaces and tones, initials, English, other names."),
    _parameter("tiles", "Tiles of a hand, e.g. 123456789m11122p; the last one is the winning tile. In place of q."),
    _parameter("melds", "Melds beside the tiles, e.g. 222s, 5555p concealed."),
    _parameter("wild", "Kinds that are wild, e.g. 5m."),
    _parameter("game", "Only these games (slugs).", many=True),
    _parameter("region", "Only games of these regions (English names).", many=True),
    _parameter("kind", "Only these kinds, or groups of them.", many=True, enum=list(KIND_GROUPS)),
    _parameter("needs", "wild: patterns that need wild tiles; plain: patterns that do not.", enum=["wild", "plain"]),
]


EXAMPLE = {
    "query": "qingyise",
    "count": 1,
    "games": [
        {
            "game": "some_game",
            "name": {"zh": "某地麻将", "en": "Some mahjong"},
            "hits": [
                {
                    "kind": "pattern",
                    "id": "pure_suit",
                    "title": {"zh": "清一色", "en": "pure suit"},
                    "url": "/rules/some_game/#pattern-pure_suit",
                    "match": "name",
                    "value": "×4",
                    "hand": {"hand": "1234566785578p", "tile": "9p"},
                    "excerpt": "只有一门花色。",
                    "marks": ["清一色"],
                }
            ],
        }
    ],
}


class SearchRules(GameView):
    @extend_schema(
        operation_id="search_rules",
        summary="Find rules by words, or the patterns that tiles make",
        description="The nearest match comes first, grouped by game. The ranking is the same on every database.",
        parameters=PARAMETERS,
        responses={200: Results, 422: Error},
        examples=[OpenApiExample("Pinyin", value=EXAMPLE, response_only=True)],
    )
    def get(self, request: Request) -> Response:
        asked = read_asked(request.query_params)
        games = game_rows()
        if asked.by_tiles:
            return Response(by_tiles(asked, games))
        groups = search(asked.text, asked.filters) if asked.text else []
        found = [by_words(group, games, asked.text) for group in groups]
        return Response({"query": asked.text, "count": sum(len(game["hits"]) for game in found), "games": found})


def named(slug: str, games: dict[str, SearchDocument]) -> dict[str, Any]:
    """The game of a group."""
    row = games.get(slug)
    return {"game": slug, "name": {"zh": row.title_zh, "en": row.title_en} if row else {"zh": slug, "en": slug}}


def by_words(group: GameHits, games: dict[str, SearchDocument], text: str) -> dict[str, Any]:
    """The hits of a game."""
    query = read_query(text)
    hits = []
    for hit in group.hits:
        shown = hit_shown(hit, query, page_language())
        marks = [piece.text for piece in (*shown.title, *shown.other_title, *shown.also, *shown.excerpt) if piece.marked]
        found: dict[str, Any] = {
            "kind": shown.kind,
            "id": shown.rule,
            "title": {"zh": hit.row.title_zh, "en": hit.row.title_en},
            "url": shown.url,
            "match": shown.nearness,
        }
        optional = {
            "value": shown.value,
            "hand": shown.hand.as_data() if shown.hand else None,
            "excerpt": "".join(piece.text for piece in shown.excerpt),
            "marks": list(dict.fromkeys(marks)),
        }
        hits.append(found | {name: value for name, value in optional.items() if value})
    return {**named(group.slug, games), "hits": hits}


def by_tiles(asked: Asked, games: dict[str, SearchDocument]) -> dict[str, Any]:
    """What every game says of the tiles.

    :raises Refusal: ``bad_tiles``
    """
    try:
        answers = answers_by_tiles(asked, games, page_language())
    except TileTextError as fault:
        raise Refusal("bad_tiles", fault.message, "tiles") from None
    found = []
    for answer in answers:
        told: dict[str, Any] = {"state": answer.state}
        optional = {
            "patterns": [{"id": made.id, "name": made.name, "only": made.only} for made in answer.patterns],
            "totals": dict(answer.totals),
            "waits": answer.waits,
            "message": answer.message,
            "needs": answer.needs,
            "url": answer.url,
        }
        found.append({**named(answer.slug, games), "tiles": told | {name: value for name, value in optional.items() if value}})
    return {"query": asked.tiles, "count": sum(game["tiles"]["state"] == "made" for game in found), "games": found}
