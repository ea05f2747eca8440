"""Games with a wild kind that is turned up: refusals in their order, quick entry, and what the tiles alone do not say."""

from __future__ import annotations

from typing import Any

import pytest

from rules_app.engine import Refusal
from tests.engine.rulesets import shipped

FIVE_MELDS = [
    {"kind": "chow", "tiles": "123m", "from": 2},
    {"kind": "pong", "tiles": "222p", "from": 2},
    {"kind": "pong", "tiles": "777s", "from": 1},
    {"kind": "chow", "tiles": "456p", "from": 2},
    {"kind": "pong", "tiles": "333z", "from": 0},
]
FIVE_PONGS = [{"kind": "pong", "tiles": tiles, "from": 2} for tiles in ("111m", "222p", "777s", "333z", "444z")]
NATURAL = "123m456p789p111s78s22z"
OTHER = "123m678m789p234s78s33z"
PLAIN = "23456m789p23488s"
TIANJIN = "123m456p789s11s44z"
SEASONS = ["1f", "2f", "3f", "4f"]


def win(seat: int, by: str, tile: str, hand: str, giver: int | None = None, **more: Any) -> dict[str, Any]:
    event: dict[str, Any] = {"type": "win", "seat": seat, "by": by, "tile": tile, "hand": hand, **more}
    return event if giver is None else {**event, "from": giver}


def named(seat: int, by: str, patterns: list[str], giver: int | None = None, **more: Any) -> dict[str, Any]:
    event: dict[str, Any] = {"type": "win", "seat": seat, "by": by, "declared": patterns, **more}
    return event if giver is None else {**event, "from": giver}


def kong(seat: int, kind: str, tile: str) -> dict[str, Any]:
    return {"type": "kong", "seat": seat, "kind": kind, "tile": tile}


def outcome(slug: str, events: list[dict[str, Any]], wild: list[str], **more: Any) -> dict[str, Any]:
    round_ = {"wild": wild, "events": events, "inputs": more.pop("inputs", {})}
    try:
        answer: dict[str, Any] = shipped(slug).score({"round": round_, **more}).answer("en", explain=False)
    except Refusal as refusal:
        return {"error": refusal.code}
    return answer


def case(name: str, *args: Any, **more: Any) -> Any:
    return pytest.param(*args, more, id=name)


X = ["5m"]
CLAIMS_X = [win(2, "discard", "5m", OTHER, 0), win(1, "discard", "5m", NATURAL, 0)]
REFUSED = [
    case("last wild on a discard", "wenzhou", "bad_input", [win(3, "discard", "9p", "5m", 0, melds=FIVE_MELDS, flags=["last_wild"])], X),
    case(
        "last wild without a wild tile", "wenzhou", "bad_input", [win(3, "self_draw", "9p", "9p", melds=FIVE_MELDS, flags=["last_wild"])], X
    ),
    case(
        "last wild with four melds",
        "wenzhou",
        "bad_input",
        [win(3, "self_draw", "9p", "5m333z", melds=FIVE_MELDS[:4], flags=["last_wild"])],
        X,
    ),
    case(
        "the discarded wild tile is not held",
        "wenzhou",
        "bad_input",
        [win(3, "self_draw", "5m", "5m", melds=FIVE_MELDS, flags=["last_wild"])],
        X,
        inputs={"wild_held": [0, 0, 0, 2]},
    ),
    case(
        "but it is one of three",
        "wenzhou",
        "bad_tiles",
        [win(3, "self_draw", "5m", "5m", melds=FIVE_MELDS, flags=["last_wild"])],
        X,
        inputs={"wild_held": [1, 1, 0, 1]},
    ),
    case("a claim in vain holds nothing", "wenzhou", "bad_input", CLAIMS_X, X, inputs={"wild_held": [0, 1, 1, 0]}),
    case("two self-draws", "wenzhou", "bad_input", [win(1, "self_draw", "9s", NATURAL), win(2, "self_draw", "9s", OTHER)], X),
    case("one seat claims twice", "wenzhou", "bad_input", [win(1, "discard", "9s", NATURAL, 0), win(1, "discard", "9s", NATURAL, 0)], X),
    case("a buy of another amount", "wenzhou", "bad_input", [win(1, "self_draw", "9s", NATURAL)], X, inputs={"buy": 1}),
    case(
        "a free top above the base",
        "wenzhou",
        "bad_input",
        [win(1, "self_draw", "9s", NATURAL)],
        X,
        inputs={"top": [0, 3, 0, 0]},
        options={"side_bets": "free"},
    ),
    case("a top is not repeated", "wenzhou", "not_allowed", [win(1, "self_draw", "9s", NATURAL)], X, table={"state": {"topping": [2]}}),
    case("a kong of wild tiles", "wenzhou", "not_allowed", [kong(1, "concealed", "5m"), {"type": "draw"}], X),
    case("a wild tile robbed", "wenzhou", "not_allowed", [win(1, "rob_kong", "5m", NATURAL, 2)], X),
    case("earthly by robbing", "wenzhou", "bad_input", [win(2, "rob_kong", "9s", NATURAL, 0, flags=["earthly"])], X),
    case(
        "a shown hand has another number",
        "wenzhou",
        "bad_input",
        [{"type": "draw", "hands": [{"seat": 1, "hand": NATURAL}]}],
        X,
        inputs={"wild_held": [0, 1, 0, 0]},
    ),
    case("named: natural and three wild tiles", "wenzhou", "bad_input", [named(1, "self_draw", ["no_wild", "three_wilds"])], X),
    case(
        "named: four wild tiles held",
        "wenzhou",
        "bad_tiles",
        [named(1, "discard", ["all_triplets"], 0)],
        X,
        inputs={"wild_held": [1, 2, 1, 0]},
    ),
    case("named: a lone wild tile on a discard", "wenzhou", "bad_input", [named(1, "discard", ["wild_single"], 0)], X),
    case("one wild flower", "ningbo", "bad_input", [win(1, "self_draw", "4m", PLAIN)], ["1f"]),
    case("a mixture of flowers", "ningbo", "bad_input", [win(1, "self_draw", "4m", PLAIN)], ["1f", "2f", "3f", "5f"]),
    case("another tile turned up", "ningbo", "bad_input", [win(1, "self_draw", "4m", PLAIN)], ["5z"], inputs={"flipped": "6z"}),
    case(
        "the flower turned up is held",
        "ningbo",
        "bad_tiles",
        [win(0, "self_draw", "4p", "2f2323456788p55z")],
        SEASONS,
        inputs={"flipped": "2f"},
    ),
    case("a discarded wild flower", "ningbo", "not_a_win", [win(0, "discard", "2f", "23234567888p55z", 1)], SEASONS),
    case("a flower left in the hand", "ningbo", "not_a_win", [win(0, "self_draw", "4p", "5f2323456788p55z")], SEASONS),
    case("a kong of a wild kind", "ningbo", "not_allowed", [kong(1, "concealed", "5z")], ["5z"]),
    case(
        "a second win comes before the shape",
        "ningbo",
        "not_allowed",
        [win(1, "discard", "9m", PLAIN, 0), win(2, "discard", "9m", PLAIN, 0)],
        ["5z"],
    ),
    case("named: an own flower not laid out", "ningbo", "bad_input", [named(2, "discard", ["own_season", "pure_suit"], 0)], []),
    case(
        "named: fully melded and heavenly",
        "ningbo",
        "bad_input",
        [named(0, "self_draw", ["fully_melded", "single_wait"], flags=["heavenly"])],
        [],
    ),
    case("named: too few tai", "ningbo", "below_minimum", [named(2, "discard", ["edge_wait"], 0)], []),
    case(
        "named: three wild tiles on a discard",
        "ningbo",
        "below_minimum",
        [named(2, "discard", ["three_wilds", "edge_wait"], 0)],
        [],
        options={"three_wilds_self_draw_only": True},
    ),
    case("the wild kinds in the wrong order", "tianjin", "bad_input", [win(1, "self_draw", "4z", TIANJIN)], ["1p", "9p"]),
    case("the dealer pulls", "tianjin", "bad_input", [win(1, "self_draw", "4z", TIANJIN)], ["9p", "1p"], inputs={"pulls": [1, 0, 0, 0]}),
    case("two winners", "tianjin", "bad_input", [win(1, "self_draw", "4z", TIANJIN), win(2, "self_draw", "4z", TIANJIN)], ["9p", "1p"]),
    case("a wild tile added to a pong", "tianjin", "not_allowed", [kong(1, "added", "1p")], ["9p", "1p"]),
    case(
        "heavenly after a kong",
        "tianjin",
        "bad_input",
        [kong(0, "concealed", "7z"), win(0, "self_draw", "4z", TIANJIN, flags=["heavenly"])],
        ["9p", "1p"],
    ),
    case("named: a straight in a suit of honours", "tianjin", "bad_input", [named(1, "self_draw", ["wild_suit_straight"])], ["1z", "2z"]),
    case("named: one fan", "tianjin", "below_minimum", [named(1, "self_draw", [])], ["9p", "1p"]),
    case(
        "named: who discarded a wild tile",
        "tianjin",
        "not_allowed",
        [named(1, "self_draw", ["catch_five"])],
        ["9p", "1p"],
        inputs={"discarded_wild": [1]},
    ),
    case(
        "named: only the kong makes two fan",
        "tianjin",
        "below_minimum",
        [named(1, "self_draw", [], flags=["after_kong"])],
        ["9p", "1p"],
        options={"bare_kong_win": False},
    ),
]
COUNTED = [
    case(
        "two doubles of the last wild",
        "wenzhou",
        {"last_wild", "all_triplets"},
        4,
        [win(3, "self_draw", "9p", "5m", melds=FIVE_PONGS, flags=["last_wild"])],
        X,
    ),
    case(
        "the cap spares the last wild",
        "wenzhou",
        {"last_wild"},
        4,
        [win(3, "self_draw", "9p", "5m", melds=FIVE_MELDS, flags=["last_wild"])],
        X,
        options={"wild_single_cap": True},
    ),
    case("the nearest claims a wild tile", "wenzhou", {"soft"}, 1, CLAIMS_X, X, inputs={"wild_held": [0, 1, 0, 0]}),
    case("named: nothing is soft", "wenzhou", {"soft"}, 1, [named(1, "discard", [], 0)], X),
    case(
        "named: the cap holds",
        "wenzhou",
        {"self_draw", "wild_single"},
        2,
        [named(1, "self_draw", ["wild_single", "three_wilds"])],
        X,
        options={"wild_single_cap": True},
    ),
    case("named: the last wild follows", "wenzhou", {"last_wild"}, 4, [named(1, "self_draw", [], flags=["last_wild"])], X),
    case(
        "a wild flower drawn",
        "ningbo",
        {"dual_pair_wait", "mixed_suit", "self_draw", "dragon_white"},
        5,
        [win(0, "self_draw", "3f", "23423456788p55z")],
        SEASONS,
    ),
    case(
        "named: flowers follow",
        "ningbo",
        {"pure_suit", "four_seasons", "own_plant"},
        7,
        [named(2, "discard", ["pure_suit"], 0, flowers="12347f")],
        [],
    ),
    case(
        "named: a kong follows",
        "ningbo",
        {"pure_suit", "self_draw", "after_kong"},
        6,
        [named(2, "self_draw", ["pure_suit"], flags=["after_kong"])],
        [],
    ),
    case("named: plain follows", "tianjin", {"plain", "no_wild"}, 2, [named(1, "self_draw", ["no_wild"])], ["9p", "1p"]),
    case(
        "a factor of one is still listed",
        "tianjin",
        {"catch_five", "heavenly"},
        3,
        [named(0, "self_draw", ["catch_five"], flags=["heavenly"])],
        ["9p", "1p"],
        options={"heavenly_factor": 1},
    ),
]


@pytest.mark.parametrize(("slug", "code", "events", "wild", "more"), REFUSED)
def test_refused(slug: str, code: str, events: list[dict[str, Any]], wild: list[str], more: dict[str, Any]) -> None:
    assert outcome(slug, events, wild, **more).get("error") == code


@pytest.mark.parametrize(("slug", "patterns", "fan", "events", "wild", "more"), COUNTED)
def test_counted(slug: str, patterns: set[str], fan: int, events: list[dict[str, Any]], wild: list[str], more: dict[str, Any]) -> None:
    answer = outcome(slug, events, wild, **more)

    assert len(answer["wins"]) == 1
    assert (set(answer["wins"][0]["patterns"]), answer["wins"][0]["fan"]) == (patterns, fan)


def test_any_dealt_tile_may_be_the_last() -> None:
    flagged = win(0, "self_draw", "4z", "456m789p789s333z4z", flags=["heavenly"])
    later = win(0, "self_draw", "4z", "456m789p789s333z4z")

    assert outcome("tianjin", [flagged], ["1z", "2z"])["wins"][0]["fan"] == 24
    assert outcome("tianjin", [later], ["1z", "2z"])["wins"][0]["fan"] == 2


def test_dice_are_not_thrown_yet() -> None:
    answer = outcome("wenzhou", [win(0, "self_draw", "9s", NATURAL)], X, table={"streak": 3})

    assert answer["next"]["dealer"] is None
    assert answer["next"]["streak"] == 0


def test_kongs_wait_for_a_win() -> None:
    made = kong(1, "concealed", "7z")
    won = win(1, "self_draw", "5m", "46m456p789s11s", melds=[{"kind": "kong", "tiles": "7777z", "by": "concealed"}])
    options = {"kong_on_draw": False}

    assert outcome("tianjin", [made, {"type": "draw"}], ["2z", "3z"], options=options)["payments"] == [0, 0, 0, 0]
    assert outcome("tianjin", [made, won], ["2z", "3z"], options=options)["payments"] == [-8, 24, -8, -8]


def test_a_claim_by_patterns_stands_beside_one_by_tiles() -> None:
    answer = outcome("wenzhou", [win(1, "discard", "9s", NATURAL, 0), named(3, "discard", ["all_triplets"], 0)], ["5m"])

    assert [won["seat"] for won in answer["wins"]] == [3]


def test_more_wild_tiles_than_there_are_cannot_lie_on_the_table() -> None:
    held = {"wild_held": [4, 0, 0, 0]}

    assert outcome("wenzhou", [win(1, "discard", "9s", NATURAL, 0)], ["5m"], inputs=held) == {"error": "bad_tiles"}


def test_a_tile_that_two_claim_lies_there_once_even_where_one_alone_may_win() -> None:
    two = [win(2, "discard", "8s", "123m456p789s234s8s", 3), win(1, "discard", "8s", "123p456m789m234p8s", 3)]

    assert outcome("ningbo", two, [], options={"min_tai": 0}) == {"error": "not_allowed"}


@pytest.mark.parametrize("slug", ["tianjin", "ningbo", "wenzhou"])
@pytest.mark.parametrize("wild", [["9z"], ["x"], [""], ["5m", "5m"]])
def test_wild_kinds_that_are_none_are_bad_input(slug: str, wild: list[str]) -> None:
    assert outcome(slug, [{"type": "draw"}], wild) == {"error": "bad_input"}
