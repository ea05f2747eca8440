"""Matters of the two games with a treasure tile that neither the shared cases nor their documents show."""

from __future__ import annotations

from typing import Any

import pytest

from rules_app.engine import Refusal
from tests.engine.rulesets import shipped


def score(slug: str, *events: dict[str, Any], **rest: Any) -> dict[str, Any]:
    answer: dict[str, Any] = shipped(slug).score({"round": {"events": list(events)}, **rest}).answer("en")
    return answer


def code(slug: str, *events: dict[str, Any], **rest: Any) -> str:
    with pytest.raises(Refusal) as caught:
        score(slug, *events, **rest)
    return caught.value.code


def declared(*patterns: str, by: str = "self_draw", flags: tuple[str, ...] = ()) -> dict[str, Any]:
    win = {"type": "win", "seat": 1, "by": by, "declared": list(patterns), "flags": list(flags)}
    return win if by == "self_draw" else {**win, "from": 3}


def kong(kind: str, seat: int = 1, **rest: Any) -> dict[str, Any]:
    return {"type": "kong", "seat": seat, "kind": kind, **rest}


@pytest.mark.parametrize("slug", ["changchun", "harbin"])
def test_nothing_declared_is_a_plain_win(slug: str) -> None:
    assert score(slug, declared(by="discard"))["wins"][0]["patterns"] == ["plain"]
    assert score(slug, declared("plain"))["wins"][0]["patterns"] == ["self_draw"]


@pytest.mark.parametrize("slug", ["changchun", "harbin"])
def test_treasure_is_never_won_from_another(slug: str) -> None:
    assert code(slug, declared("treasure_draw", by="discard")) == "bad_input"
    assert code(slug, declared("plain", "self_draw")) == "bad_input"


@pytest.mark.parametrize("slug", ["changchun", "harbin"])
def test_only_the_kong_just_made_is_robbed(slug: str) -> None:
    win = {
        "type": "win", "seat": 1, "by": "rob_kong", "from": 2, "tile": "6s", "hand": "234567m45s77s",
        "melds": [{"kind": "pong", "tiles": "999p", "from": 0}], "flags": ["declared_ready"],
    }  # fmt: skip

    assert score(slug, kong("added", 2, tile="6s"), win)["payments"] == [0, 1, -1, 0]
    assert code(slug, kong("added", 2, tile="6s"), kong("concealed", 3, tile="5p"), win) == "not_allowed"


@pytest.mark.parametrize("slug", ["changchun", "harbin"])
def test_no_next_round_before_the_end(slug: str) -> None:
    assert "next" not in score(slug, kong("concealed", tile="1p"))


def test_shares_of_an_unready_discarder_with_the_dealers_double() -> None:
    options = {"discard_payment": "three", "dealer_double": True}

    assert score("harbin", declared(by="discard"), options=options)["payments"] == [0, 5, 0, -5]


def test_special_kongs_hold_four_copies_at_most() -> None:
    whirlwind = kong("whirlwind", tiles="1234111z")

    assert code("changchun", kong("whirlwind", tiles="12341111z")) == "bad_tiles"
    assert code("changchun", whirlwind, kong("supplement", set="whirlwind", tile="1z")) == "bad_tiles"
    assert code("changchun", whirlwind, kong("supplement", set="whirlwind", tile="5z")) == "bad_tiles"
    assert code("changchun", whirlwind, kong("supplement", set="joy", tile="5z")) == "not_allowed"


def test_every_kind_of_kong_is_returned_on_a_draw() -> None:
    options = {"void_kongs_on_draw": True, "kong_payers": "discarder"}
    kongs = (
        kong("joy", tiles="567z"), kong("supplement", set="joy", tile="5z"),
        kong("exposed", 2, tile="1s", **{"from": 3}), kong("concealed", 0, tile="8m"),
    )  # fmt: skip

    assert score("changchun", *kongs, options=options)["payments"] == [4, 4, -2, -6]
    assert score("changchun", *kongs, {"type": "draw"}, options=options)["payments"] == [0, 0, 0, 0]


def test_facing_treasure_needs_the_treasure_and_the_declaration() -> None:
    win = {
        "type": "win", "seat": 1, "by": "self_draw", "tile": "6s", "hand": "234567m45s77s",
        "melds": [{"kind": "pong", "tiles": "999p", "from": 2}], "flags": ["declared_ready", "treasure_match"],
    }  # fmt: skip

    assert code("changchun", win) == "bad_input"
    assert code("changchun", declared(flags=("treasure_match",))) == "not_allowed"
    assert code("changchun", declared("treasure_draw", flags=("declared_ready", "treasure_match"))) == "bad_input"
    assert score("changchun", declared("treasure_match"))["wins"][0]["fan"] == 3


def test_four_special_kongs_and_a_pair() -> None:
    melds = [("whirlwind", "12341z"), ("joy", "567z"), ("ones", "1m1p1s"), ("nines", "9m9p9s")]
    win = {
        "type": "win", "seat": 1, "by": "self_draw", "tile": "2m", "hand": "2m",
        "melds": [{"kind": kind, "tiles": tiles} for kind, tiles in melds],
    }  # fmt: skip

    assert set(score("changchun", win)["wins"][0]["patterns"]) == {
        "sole_wait", "self_draw", "concealed_hand", "all_triplets",
    }  # fmt: skip
