"""The scorer over HTTP: the games, their documents, scores and waits.

Every refusal has the shape ``{"error": {"code", "message", "path"}}``, its sentence in the language of the request:
400 for a body that cannot be read, 404 for a game that does not exist, 422 for a round that is refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from django.http import QueryDict
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound, ParseError
from rest_framework.parsers import JSONParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rules_app import api_schema
from rules_app.catalogue import UnknownGame, revision_of_game, revisions_of_all_games
from rules_app.engine import Refusal, Ruleset, Text
from rules_app.engine.probing import Wait, find_waits_of_win, request_of_hand, waits_with_values
from rules_app.engine.shorthand import parse_melds
from rules_app.engine.tiles import TileTextError, format_tiles, parse_tiles, tile_text
from rules_app.languages import page_language
from rules_app.models import Revision
from rules_app.parsed_documents import document_of
from rules_app.rulings import ruleset_of, score

LONGEST_MESSAGE = 2000


class SafeJSONParser(JSONParser):
    """JSON that can be answered: not too deep, and no half of a surrogate pair in its texts."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        try:
            data = super().parse(stream, media_type, parser_context)
            json.dumps(data, ensure_ascii=False).encode()
        except RecursionError:
            raise ParseError(_("The JSON is nested too deeply.")) from None
        except UnicodeEncodeError:
            raise ParseError(_("A text holds half of a surrogate pair, which is no character.")) from None
        return data


class GameView(APIView):
    """What all endpoints share: open to everybody, throttled by address, errors in one shape."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    parser_classes = (SafeJSONParser,)

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, Refusal):
            error = {
                "code": exc.code,
                "message": exc.message.in_language(page_language())[:LONGEST_MESSAGE],
                "path": exc.path[:LONGEST_MESSAGE],
            }
            return Response({"error": error}, status=status.HTTP_422_UNPROCESSABLE_ENTITY)
        return super().handle_exception(exc)


class GameList(GameView):
    @extend_schema(operation_id="list_variants", summary="All games", responses={200: api_schema.Games})
    def get(self, _request: Request) -> Response:
        return Response({"variants": [brief(revision) for revision in revisions_of_all_games()]})


class GameDetail(GameView):
    @extend_schema(
        operation_id="get_variant",
        summary="A game with its whole ruleset document",
        responses={200: api_schema.Game, 404: api_schema.Error},
    )
    def get(self, _request: Request, slug: str) -> Response:
        revision = find(slug)
        document = document_of(revision).model_dump(mode="json", by_alias=True, exclude_defaults=True)
        return Response({**brief(revision), "document": document})


class ScoreRound(GameView):
    @extend_schema(
        operation_id="score_round",
        summary="Score a round",
        request=api_schema.RoundRequest,
        parameters=[api_schema.EXPLAIN],
        responses={200: api_schema.Answer, 400: api_schema.Error, 404: api_schema.Error, 422: api_schema.Error},
        examples=api_schema.SCORE_EXAMPLES,
    )
    def post(self, request: Request, slug: str) -> Response:
        revision = find(slug)
        body = mapping(request.data)
        check_variant(body, slug)
        outcome = score(revision, body)
        return Response(outcome.answer(page_language(), explain=request.query_params.get("explain") not in ("0", "false")))


class HandWaits(GameView):
    @extend_schema(
        operation_id="find_waits",
        summary="What a hand waits for, and what each wait brings",
        description="A hand without its winning tile, or a whole request of the scorer whose draw shows hands.",
        request=api_schema.HandRequest,
        responses={200: api_schema.Waits, 400: api_schema.Error, 404: api_schema.Error, 422: api_schema.Error},
    )
    def post(self, request: Request, slug: str) -> Response:
        revision = find(slug)
        body = mapping(request.data)
        check_variant(body, slug)
        if "round" in body:
            return Response(score(revision, {**body, "ask": "waits"}).answer(page_language()))
        return answer_waits(ruleset_of(revision), body)

    @extend_schema(
        operation_id="find_waits_by_query",
        summary="What a hand waits for (hand in the query)",
        parameters=api_schema.HAND_PARAMETERS,
        responses={200: api_schema.Waits, 404: api_schema.Error, 422: api_schema.Error},
    )
    def get(self, request: Request, slug: str) -> Response:
        ruleset = ruleset_of(find(slug))
        return answer_waits(ruleset, hand_of_query(ruleset, request.query_params))


def find(slug: str) -> Revision:
    """The revision of a game.

    :raises NotFound: no such game.
    """
    try:
        return revision_of_game(slug)
    except UnknownGame:
        raise NotFound(_("There is no game “%(slug)s”.") % {"slug": slug[:60]}) from None


def mapping(data: Any) -> dict[str, Any]:
    """The body as an object.

    :raises ParseError: it is something else.
    """
    if not isinstance(data, dict):
        raise ParseError(_("The body must be a JSON object."))
    return data


def check_variant(body: Mapping[str, Any], slug: str) -> None:
    """A ``variant`` in the body names the game of the address.

    :raises Refusal: ``bad_input``
    """
    if body.get("variant", slug) != slug:
        refuse(f"variant 应为 {slug}", f"variant must be {slug}", "variant")


def refuse(zh: str, en: str, path: str) -> NoReturn:
    """Refuse the input at a place.

    :raises Refusal: ``bad_input``
    """
    raise Refusal("bad_input", Text(zh, en), path)


def brief(revision: Revision) -> dict[str, Any]:
    """What a list of games says of one."""
    document = document_of(revision)
    return {
        "slug": revision.ruleset.slug,
        "name": document.name.model_dump(),
        "region": document.region.model_dump(),
        "summary": document.summary.model_dump(),
        "seats": document.seats,
        "revision": revision.number,
        "hash": revision.content_hash,
    }


def hand_of_query(ruleset: Ruleset, query: QueryDict) -> dict[str, Any]:
    """The hand that a query names: ``hand``, ``melds``, ``flowers``, ``wild``, ``seat``, ``by``, ``from``, ``option.<id>``, ``input.<id>``.

    :raises Refusal: ``bad_input`` or ``bad_tiles``
    """
    body: dict[str, Any] = {}
    for key, value in query.items():
        text = str(value)
        group, _dot, name = key.partition(".")
        if group in ("option", "input") and name:
            body.setdefault(f"{group}s", {})[name] = plain_value(text)
        elif key in ("seat", "from"):
            body[key] = int(text) if text.isdecimal() and len(text) < 4 else text
        elif key == "melds":
            body[key] = parse_melds(text, ruleset.special_melds, "melds")
        elif key == "wild":
            body[key] = [tile_text(kind) for kind in tiles_or_refuse(text, "wild")]
        elif key in ("hand", "flowers", "by"):
            body[key] = text
        else:
            refuse(f"没有参数 {key}", f"unknown parameter {key}", key)
    return body


def tiles_or_refuse(text: str, path: str) -> list[int]:
    """The tiles of a text.

    :raises Refusal: ``bad_tiles``
    """
    try:
        return parse_tiles(text)
    except TileTextError as fault:
        raise Refusal("bad_tiles", fault.message, path) from None


def plain_value(text: str) -> Any:
    """A number, a truth value, JSON, or the text itself."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def answer_waits(ruleset: Ruleset, body: Mapping[str, Any]) -> Response:
    """The waits of a hand with what each would bring."""
    request = request_of_hand(body, ruleset.document.seats)
    if ruleset.comparison is not None:
        kinds = find_waits_of_win(ruleset, request)
        return Response({"waits": format_tiles(kinds), "tiles": []})
    waits = waits_with_values(ruleset, request)
    return Response({"waits": format_tiles(wait.kind for wait in waits), "tiles": [describe(wait, request) for wait in waits]})


def describe(wait: Wait, request: Mapping[str, Any]) -> dict[str, Any]:
    """One wait as JSON."""
    found: dict[str, Any] = {"tile": tile_text(wait.kind), "left": wait.left}
    if wait.refusal is not None:
        found["error"] = {
            "code": wait.refusal.code,
            "message": wait.refusal.message.in_language(page_language()),
            "path": wait.refusal.path,
        }
    elif wait.outcome is not None:
        answer = wait.outcome.answer(page_language(), explain=False)
        found |= {key: value for key, value in (answer["wins"] or [{}])[-1].items() if key in ("patterns", "fan", "points")}
        found["total"] = answer["payments"][request["round"]["events"][-1]["seat"]]
    return found
