"""What the shared cases of Shanghai do not show: quick entry, barren rounds, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from rules_app.engine import Refusal
from tests.engine.rulesets import shipped

Event = dict[str, Any]

MELDS = [{"kind": "pong", "tiles": "222p", "from": 3}, {"kind": "pong", "tiles": "777m", "from": 0}]


def score(*events: Event, **request: Any) -> dict[str, Any]:
    inputs = request.pop("inputs", {})
    answer: dict[str, Any] = shipped("shanghai").score({**request, "round": {"inputs": inputs, "events": list(events)}}).answer("en")
    return answer


def refusal(*events: Event, **request: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        score(*events, **request)
    return caught.value


def quick(*declared: str, by: str = "discard", **fields: Any) -> Event:
    giver = {} if by == "self_draw" else {"from": 0}
    return {"type": "win", "seat": 1, "by": by, "declared": list(declared), **giver, **fields}


def triplets(**fields: Any) -> Event:
    return {"type": "win", "seat": 1, "by": "self_draw", "tile": "8m", "hand": "88m333s55z", "melds": MELDS, **fields}


@pytest.mark.parametrize(
    ("win", "patterns", "points"),
    [
        (quick("all_triplets", flowers="12f"), ["all_triplets"], 3),
        (quick("all_triplets", "fully_melded", flowers="12f"), ["all_triplets", "fully_melded"], 10),
        (quick("pure_triplets", "all_triplets", "pure_suit", "fully_melded"), ["pure_triplets"], 20),
        (quick("mixed_suit", by="self_draw", flags=["after_kong"]), ["mixed_suit", "after_kong"], 10),
        (quick("mixed_triplets", by="self_draw", flags=["after_kong"]), ["mixed_triplets"], 10),
        (quick("eight_flowers", "pure_suit", by="self_draw"), ["eight_flowers"], 20),
    ],
)
def test_quick_entry(win: Event, patterns: list[str], points: int):
    (scored,) = score(win)["wins"]

    assert scored["patterns"] == patterns
    assert scored["points"] == points


@pytest.mark.parametrize("declared", [("mixed_suit", "all_triplets"), ("mixed_suit", "pure_suit"), ("eight_flowers",)])
def test_quick_entry_refuses_what_cannot_be(declared: tuple[str, ...]):
    assert refusal(quick(*declared)).code == "bad_input"


@pytest.mark.parametrize("declared", [(), ("fully_melded",)])
def test_quick_entry_needs_a_hand(declared: tuple[str, ...]):
    assert refusal(quick(*declared)).code == "below_minimum"


def test_quick_entry_pays_liability_from_the_input_alone():
    answer = score(quick("pure_suit", by="self_draw"), inputs={"liable": [{"taker": 1, "giver": 2}]})

    assert answer["payments"] == [0, 30, -30, 0]


def test_a_change_of_players_voids_barren_rounds_before_a_draw_adds_one():
    table = {"state": {"huangfan": 2}}

    assert score({"type": "draw"}, table=table, inputs={"seat_change": True})["next"]["state"] == {"huangfan": 1}


@pytest.mark.parametrize(
    ("events", "request_parts", "code"),
    [
        ([], {}, "bad_input"),
        ([triplets(flags=["after_kong"])], {}, "bad_input"),
        ([triplets(flags=["passed_same_tile"])], {}, "bad_input"),
        ([triplets()], {"inputs": {"liable": [{"taker": 1, "giver": 1}]}}, "bad_input"),
        ([triplets()], {"inputs": {"liable": [{"taker": 1}]}}, "bad_input"),
        ([triplets(hand="88m33s1f55z")], {}, "bad_tiles"),
        ([triplets(flowers="1m")], {}, "bad_tiles"),
        ([triplets(tile="8f", flowers="1234568f")], {}, "bad_tiles"),
        ([{**triplets(by="rob_kong", hand="888m33s55z", tile="3s"), "from": 0}], {}, "bad_tiles"),
    ],
)
def test_refusals(events: list[Event], request_parts: dict[str, Any], code: str):
    assert refusal(*events, **request_parts).code == code
