"""Matters of Wuhan that neither the shared cases nor the examples of the document show."""

from __future__ import annotations

from typing import Any

import pytest

from rules_app.engine import Refusal
from tests.engine.rulesets import shipped

SMALL_WIN = {
    "type": "win", "seat": 2, "by": "discard", "from": 1, "tile": "6p", "hand": "234m678m22p45p",
    "melds": [{"kind": "pong", "tiles": "111s", "from": 1}],
}  # fmt: skip


def score(*events: dict[str, Any], wild: str = "9s", **rest: Any) -> dict[str, Any]:
    round_: dict[str, Any] = {"wild": [wild], "events": list(events)}
    if "inputs" in rest:
        round_["inputs"] = rest.pop("inputs")
    answer: dict[str, Any] = shipped("wuhan").score({"round": round_, **rest}).answer("en")
    return answer


def code(*events: dict[str, Any], **rest: Any) -> str:
    with pytest.raises(Refusal) as caught:
        score(*events, **rest)
    return caught.value.code


def laid(kind: str, tile: str, seat: int) -> dict[str, Any]:
    return {"type": "kong", "seat": seat, "kind": kind, "tile": tile}


def test_all_four_red_dragons_may_be_laid_off() -> None:
    answer = score(*(laid("red", "7z", seat) for seat in range(4)), SMALL_WIN)

    assert answer["payments"] == [-16, -32, 64, -16]
    assert answer["wins"][0]["points"] == 8


def test_a_fifth_red_dragon_is_one_too_many() -> None:
    assert code(*(laid("red", "7z", seat % 4) for seat in range(5))) == "bad_tiles"


def test_the_tile_turned_up_is_a_copy_in_sight() -> None:
    kong = {**SMALL_WIN, "melds": [{"kind": "kong", "tiles": "1111s", "by": "exposed", "from": 1}]}

    assert code(kong, wild="2s", inputs={"indicator": "1s"}) == "bad_tiles"


@pytest.mark.parametrize(
    ("melds", "expected"),
    [
        ([{"kind": "pong", "tiles": "111s", "from": 3}], "bad_tiles"),
        ([{"kind": "chow", "tiles": "135p", "from": 3}], "bad_tiles"),
        ([{"kind": "chow", "tiles": "789s", "from": 3}], "not_allowed"),
    ],
)
def test_melds_of_losers_are_checked_like_any_other(melds: list[dict[str, Any]], expected: str) -> None:
    assert code(SMALL_WIN, inputs={"shown": [{"seat": 0, "melds": melds}]}) == expected


def test_a_red_dragon_turned_up_makes_green_wild() -> None:
    drawn = {key: value for key, value in {**SMALL_WIN, "by": "self_draw"}.items() if key != "from"}

    assert code(drawn, wild="5z", inputs={"indicator": "7z"}) == "bad_input"
    assert score(drawn, wild="6z", inputs={"indicator": "7z"})["payments"] == [-8, -8, 24, -8]


def test_a_wild_of_the_group_stands_for_itself_without_a_shape() -> None:
    honors = {
        "type": "win", "seat": 2, "by": "self_draw", "tile": "6z", "hand": "1z2z2z3z4z4z5z6z6z3z",
        "melds": [{"kind": "pong", "tiles": "111z", "from": 0}],
    }  # fmt: skip

    assert "no_wild" in score(honors, wild="3z")["wins"][0]["patterns"]


def test_waits_leave_red_dragons_out() -> None:
    hand = {"seat": 1, "hand": "234m678m345p7z", "melds": [{"kind": "pong", "tiles": "111s", "from": 0}]}

    assert score({"type": "draw", "hands": [hand]}, ask="waits")["waits"] == ""


def test_a_small_win_never_counts_beside_a_big_one_whatever_its_unit() -> None:
    triplets = {**SMALL_WIN, "tile": "9p", "hand": "99p333s11m777m", "melds": [{"kind": "pong", "tiles": "444z", "from": 1}]}

    win = score(triplets, wild="5s", options={"small_base": 50})["wins"][0]

    assert (win["patterns"], win["points"]) == (["all_triplets", "opening", "no_wild"], 40)


@pytest.mark.parametrize("flags", [["last_tile"], []])
def test_the_last_tiles_are_no_self_draw_even_where_a_big_pattern_is_worth_less(flags: list[str]) -> None:
    drawn = {key: value for key, value in SMALL_WIN.items() if key != "from"} | {"by": "self_draw", "flags": flags}

    win = score(drawn, options={"big_base": 1, "self_draw_mult": 3})["wins"][0]

    assert ("self_draw" in win["patterns"]) is not bool(flags)
    assert win["points"] == (4 if flags else 12)


def test_a_second_win_is_refused_before_the_shape_of_the_first() -> None:
    misfit = {**SMALL_WIN, "hand": "234m678m13p45p"}
    second = {**SMALL_WIN, "seat": 3, "hand": "789m789m55s45p", "melds": [{"kind": "pong", "tiles": "222z", "from": 1}]}

    assert code(misfit) == "not_a_win"
    assert code(misfit, second) == "not_allowed"


def test_who_gave_a_kong_that_nobody_gives_bears_on_nothing() -> None:
    assert score({**laid("concealed", "3z", 0), "from": 1}, SMALL_WIN)["payments"] == [-4, -8, 16, -4]
