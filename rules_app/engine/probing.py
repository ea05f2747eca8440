"""Hands that are not complete yet: what they wait for, and what each wait would bring."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .errors import Refusal
from .expressions import EvaluationFault
from .fields import bad_input
from .hand import HandEnv
from .parsing import parse_round
from .round import Shown
from .settlement import Outcome, Settlement
from .tilecheck import check_claims, check_hand
from .tiles import tile_text

if TYPE_CHECKING:
    from .ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Wait:
    """A kind that completes the hand: how many copies the hand leaves, and the outcome or the refusal of winning on it."""

    kind: int
    left: int
    outcome: Outcome | None
    refusal: Refusal | None


def resting_hand(ruleset: Ruleset, request: Mapping[str, Any]) -> HandEnv:
    """The hand of a round whose last event is a win without its tile.

    :raises Refusal: the tiles cannot be a hand of this game.
    """
    events = request["round"]["events"]
    *before, win = events
    filled = {**request, "round": {**request["round"], "events": [*before, {**win, "tile": tile_text(ruleset.playing_kinds[0])}]}}
    try:
        round_ = parse_round(ruleset, filled)
        event = round_.events.pop()
        settlement = Settlement(ruleset, round_)
        path = f"round.events[{event.index}]"
        check_hand(settlement.env, event.hand, event.melds, event.flowers, path)
        check_claims(settlement.env, event.seat or 0, event.melds, path)
        at = ruleset.event_class(settlement.env, None, event.index)
        shown = Shown(event.seat or 0, event.hand, event.melds, event.flowers)
        hand: HandEnv = ruleset.hand_class.of_shown(at, shown)
    except EvaluationFault as fault:
        raise Refusal("bad_input", fault.message, "round") from fault
    return hand


def find_waits_of_win(ruleset: Ruleset, request: Mapping[str, Any]) -> list[int]:
    """The kinds that complete a win without its tile (the last event of the round).

    :raises Refusal: the tiles cannot be a hand of this game.
    """
    return list(resting_hand(ruleset, request).waits)


def waits_with_values(ruleset: Ruleset, request: Mapping[str, Any]) -> list[Wait]:
    """The waits of a win without its tile, each with what the round would come to.

    :raises Refusal: the tiles cannot be a hand of this game.
    """
    hand = resting_hand(ruleset, request)
    events = request["round"]["events"]
    found = []
    for kind in hand.waits:
        left = ruleset.copy_limit(hand.r, kind) - hand.printed(kind)
        complete = [*events[:-1], {**events[-1], "tile": tile_text(kind)}]
        try:
            outcome = ruleset.score({**request, "round": {**request["round"], "events": complete}})
        except Refusal as refusal:
            found.append(Wait(kind, left, None, refusal))
        else:
            found.append(Wait(kind, left, outcome, None))
    return found


def request_of_hand(body: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """The request of a single hand: the fields of a win without its tile, beside those of the round.

    :raises Refusal: ``bad_input`` for unknown fields.
    """
    of_win = ("seat", "by", "from", "hand", "melds", "flowers", "flags")
    for key in body:
        if key not in (*of_win, "variant", "options", "table", "wild", "inputs"):
            known = ", ".join((*of_win, "options", "table", "wild", "inputs"))
            raise bad_input(f"没有字段 {key}；可用：{known}", f"unknown field {key}; known: {known}", str(key))
    win = {key: body[key] for key in of_win if body.get(key) is not None}
    win = {"type": "win", "seat": 0, "by": "self_draw", **win}
    if win["by"] != "self_draw" and "from" not in win and isinstance(win["seat"], int):
        win["from"] = (win["seat"] - 1) % seats
    round_ = {key: body[key] for key in ("wild", "inputs") if body.get(key) is not None}
    return {**{key: body[key] for key in ("options", "table") if body.get(key) is not None}, "round": {**round_, "events": [win]}}
