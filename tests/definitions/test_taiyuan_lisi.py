"""Lisi: readiness, passed wins, named patterns and the deal, beyond the shared cases."""

from __future__ import annotations

from typing import Any

import pytest

from rules_app.engine import Refusal
from tests.engine.rulesets import shipped

HAND = "46m345678p66699s"
"""Ready for 5m alone."""


def scored(*events: dict[str, Any], **rest: Any) -> dict[str, Any]:
    inputs = rest.pop("inputs", {})
    request = {"round": {"events": list(events), "inputs": inputs}, **rest}
    answer: dict[str, Any] = shipped("taiyuan_lisi").score(request).answer("en")
    return answer


def refusal(*events: dict[str, Any], **rest: Any) -> str:
    with pytest.raises(Refusal) as caught:
        scored(*events, **rest)
    return caught.value.code


def win(seat: int, giver: int | None = None, **rest: Any) -> dict[str, Any]:
    event = {"type": "win", "seat": seat, "by": "self_draw", "tile": "5m", "hand": HAND, "flags": ["declared_ready"], **rest}
    if giver is not None:
        event |= {"by": rest.get("by", "discard"), "from": giver}
    if "declared" in event:
        del event["hand"], event["tile"]
    return event


def test_ready_is_declared_once() -> None:
    ready = {"type": "ready", "seat": 2}

    assert refusal(ready, ready) == "not_allowed"


def test_readiness_of_another_seat_does_not_help() -> None:
    assert refusal({"type": "ready", "seat": 1}, win(2, 1, flags=[])) == "below_minimum"


def test_named_patterns_need_the_declaration_and_no_passed_win() -> None:
    named = win(2, 1, declared=["pure_straight"])

    assert scored(named)["payments"] == [0, -11, 11, 0]
    assert refusal({**named, "flags": []}) == "below_minimum"
    assert refusal(named, inputs={"passed": [2]}) == "below_minimum"
    assert scored(named, inputs={"passed": [3]})["payments"] == [0, -11, 11, 0]


@pytest.mark.parametrize(
    "declared",
    [
        ["self_draw"], ["exposed_kong", "exposed_kong"], ["missing_suit", "pure_suit"], ["edge_wait", "single_wait"],
        ["seven_pairs"],
    ],
)  # fmt: skip
def test_named_patterns_that_cannot_stand_are_refused(declared: list[str]) -> None:
    assert refusal(win(2, 1, declared=declared)) == "bad_input"


def test_patterns_without_a_value_are_not_listed() -> None:
    answer = scored(win(2, declared=["single_wait", "self_draw"]), options={"self_draw_factor": 1})

    assert answer["wins"][0]["patterns"] == []
    assert answer["payments"] == [-1, -1, 3, -1]


def test_only_an_added_kong_is_robbed() -> None:
    robbery = win(2, 1, by="rob_kong")

    assert refusal({"type": "kong", "seat": 1, "kind": "concealed", "tile": "5m"}, robbery) == "not_allowed"
    assert scored({"type": "kong", "seat": 1, "kind": "added", "tile": "5m"}, robbery)["payments"] == [0, -2, 2, 0]


def test_a_robbed_seat_that_was_not_ready_pays_for_all() -> None:
    answer = scored(win(2, 1, by="rob_kong"), options={"discard_pay": "table", "dealer_bonus": 2})

    assert answer["payments"] == [0, -8, 8, 0]


def test_a_kong_shown_at_the_draw_passes_the_deal() -> None:
    shown = {"seat": 2, "hand": "23m678p99p345s", "melds": [{"kind": "kong", "tiles": "2222z", "by": "concealed"}]}

    answer = scored({"type": "draw", "hands": [shown]}, table={"dealer": 1, "streak": 3})

    assert answer["next"] == {"dealer": 2, "streak": 0, "round_wind": "1z", "state": {}}
    assert answer["waits"] == "14m"


@pytest.mark.parametrize("wild", [["5m"], ["1z"]])
def test_wild_tiles_are_refused(wild: list[str]) -> None:
    with pytest.raises(Refusal) as caught:
        shipped("taiyuan_lisi").score({"round": {"wild": wild, "events": [win(2, 1)]}})

    assert caught.value.code == "bad_input"
