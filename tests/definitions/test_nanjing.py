"""Nanjing: liability, quick entry, and what may follow the end of a round."""

from __future__ import annotations

from typing import Any

import pytest

from rules_app.engine import Refusal
from tests.engine.rulesets import shipped

NEAR = {"type": "win", "seat": 2, "by": "discard", "from": 1, "tile": "4s", "hand": "123m456p678s23s44m", "flowers": "5z"}
FAR = {"type": "win", "seat": 0, "by": "discard", "from": 1, "tile": "4s", "hand": "234m567p789p23s99m", "flowers": "1f"}


def score(*events: dict[str, Any], liable: int | None = None, **options: Any) -> dict[str, Any]:
    request: dict[str, Any] = {"options": options, "round": {"events": list(events)}}
    if liable is not None:
        request["round"]["inputs"] = {"liable": liable}
    answer: dict[str, Any] = shipped("nanjing").score(request).answer("en")
    return answer


def code(*events: dict[str, Any], **rest: Any) -> str:
    with pytest.raises(Refusal) as refused:
        score(*events, **rest)
    return str(refused.value.code)


def quick(*declared: str, **rest: Any) -> dict[str, Any]:
    return {"type": "win", "seat": 1, "by": "discard", "from": 2, "declared": list(declared), **rest}


def test_liability_needs_one_winner_who_is_another() -> None:
    assert code(NEAR, FAR, liable=3) == "bad_input"
    assert code({"type": "draw"}, liable=3) == "bad_input"
    assert code(NEAR, liable=2) == "bad_input"


def test_a_void_win_does_not_stand_in_the_way_of_liability() -> None:
    assert score(NEAR, FAR, liable=3, multi_win=False)["payments"] == [0, 0, 6, -6]
    assert score(NEAR, FAR, liable=0, multi_win=False)["payments"] == [-6, 0, 6, 0]
    assert code(NEAR, FAR, liable=2, multi_win=False) == "bad_input"


def test_a_penalty_may_follow_the_win_but_a_kong_may_not() -> None:
    assert score(NEAR, {"type": "penalty", "seat": 0, "name": "four_copies"})["payments"] == [-30, 8, 12, 10]
    assert code(NEAR, {"type": "kong", "seat": 0, "kind": "concealed", "tile": "9p"}) == "not_allowed"


@pytest.mark.parametrize(
    "event",
    [
        quick("plain", "pure_suit"),
        quick("edge_wait", "single_wait"),
        quick("no_flowers", flowers="1f"),
        quick("after_kong"),
        quick("seven_pairs", "wind_triplet"),
        quick("wind_triplet", "wind_triplet", "wind_triplet", "wind_triplet", "wind_triplet"),
        {"type": "win", "seat": 1, "by": "self_draw", "declared": ["seven_pairs"], "flags": ["after_kong"]},
        {"type": "win", "seat": 1, "by": "self_draw", "declared": ["plain"], "flags": ["last_tile"]},
        {"type": "win", "seat": 1, "by": "self_draw", "declared": ["fully_melded"], "flags": ["earthly"]},
    ],
)
def test_quick_entry_refuses_what_cannot_stand(event: dict[str, Any]) -> None:
    assert code(event) == "bad_input"


def test_quick_entry_says_concealment_by_its_pattern() -> None:
    assert code(quick(), min_hard_flowers=4) == "below_minimum"
    assert score(quick("concealed_hand"), min_hard_flowers=4)["wins"][0]["patterns"] == ["plain"]
    assert score(quick("concealed_hand"), concealed_flowers=10)["payments"] == [0, 10, -10, 0]


def test_flowers_make_no_kong_but_a_flower_kong() -> None:
    assert code({"type": "kong", "seat": 0, "kind": "concealed", "tile": "5z"}, {"type": "draw"}) == "bad_tiles"
    assert code({"type": "kong", "seat": 0, "kind": "flower", "tiles": "5556z"}, {"type": "draw"}) == "bad_tiles"
