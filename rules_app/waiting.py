"""A hand that is being entered and lacks tiles: how many are missing, and what it waits for when one is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules_app.engine import Refusal, Ruleset, Text
from rules_app.engine.probing import Wait, waits_with_values
from rules_app.engine.tiles import TileTextError, parse_tiles, tile_name, tile_text
from rules_app.scoring_page import hand_size

MOST_NAMES = 4


@dataclass(frozen=True, slots=True)
class WaitShown:
    """A wait: its tile, how many are left, what it brings, and (on the scoring page) the query that wins on it."""

    tile: str
    name: str
    left: int
    total: int | None
    detail: str
    query: str = ""


def count_missing(ruleset: Ruleset, win: Mapping[str, Any]) -> int:
    """How many tiles a hand lacks until only the winning one does.

    :raises Refusal: ``bad_tiles`` for what cannot be read, or for too many.
    """
    try:
        found = len(parse_tiles(str(win.get("hand") or "")))
    except TileTextError as fault:
        raise Refusal("bad_tiles", fault.message, "hand") from None
    wanted = hand_size(ruleset, len(win.get("melds", [])))
    if found > wanted:
        raise Refusal("bad_tiles", _too_many(wanted, found), "hand")
    return wanted - found


def _too_many(wanted: int, found: int) -> Text:
    return Text(
        f"手牌应为 {wanted} 张，另加胡的那张，这里有 {found} 张；吃碰杠的牌要放到副露里",
        f"the hand has {wanted} tiles beside the winning one, here are {found}; claimed tiles belong to the melds",
    )


def show_waits(ruleset: Ruleset, request: Mapping[str, Any], language: str) -> list[WaitShown]:
    """What a win without its tile (the last event of the round) waits for, each with what it brings the winner.

    :raises Refusal: the tiles cannot be a hand of this game.
    """
    seat = request["round"]["events"][-1].get("seat")
    return [_show(wait, seat, language) for wait in waits_with_values(ruleset, request)]


def _show(wait: Wait, seat: object, language: str) -> WaitShown:
    total, detail = None, ""
    if wait.outcome is not None:
        answer = wait.outcome.answer(language)
        total = answer["payments"][seat] if isinstance(seat, int) and seat < len(answer["payments"]) else None
        names = [value["name"] for win in answer["wins"][-1:] for value in win.get("values", [])]
        detail = ("、" if language == "zh" else ", ").join(names[:MOST_NAMES])
    elif wait.refusal is not None:
        detail = wait.refusal.message.in_language(language)
    return WaitShown(tile_text(wait.kind), tile_name(wait.kind).in_language(language), max(wait.left, 0), total, detail)
