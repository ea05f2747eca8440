"""Hefei: named items and refusals that the shared cases do not show."""

from __future__ import annotations

from typing import Any

import pytest

from rules_app.engine import Refusal
from tests.engine.rulesets import shipped

HAND = "23456788m345p67s"
"""Ready for 5s and 8s, with eight of characters."""


def scored(*events: dict[str, Any], **rest: Any) -> dict[str, Any]:
    answer: dict[str, Any] = shipped("hefei").score({"round": {"events": list(events)}, **rest}).answer("en")
    return answer


def refusal(*events: dict[str, Any], **rest: Any) -> str:
    with pytest.raises(Refusal) as caught:
        scored(*events, **rest)
    return caught.value.code


def named(*declared: str, seat: int = 1, **rest: Any) -> dict[str, Any]:
    return {"type": "win", "seat": seat, "by": "self_draw", "declared": list(declared), **rest}


def test_named_items_and_what_follows() -> None:
    answer = scored(named("triplet", "huo", "double_run", flags=["last_tile"]))

    assert answer["wins"][0]["fan"] == 1 + 4 + 2 + 10


def test_a_heavenly_hand_absorbs_named_items() -> None:
    answer = scored(named("seven_pairs", "missing_suit", seat=0, flags=["heavenly"]), table={"dealer": 0, "streak": 1})

    assert answer["wins"][0]["patterns"] == ["dealer_bonus", "heavenly"]
    assert answer["wins"][0]["points"] == 10 + 100 + 4


@pytest.mark.parametrize(
    "declared",
    [
        ["seven_pairs", "triplet"], ["seven_pairs", "huo"], ["seven_pairs", "concealed_kong"], ["double_eight", "concealed_kong"],
        ["triplet"] * 5, ["triplet", "double_run", "double_run"], ["missing_suit", "missing_suit"], ["dealer_bonus"],
        ["last_tile"], ["heavenly"], ["earthly"],
    ],
)  # fmt: skip
def test_named_items_that_cannot_stand_are_refused(declared: list[str]) -> None:
    assert refusal(named(*declared)) == "bad_input"


def test_a_named_win_on_a_discard_needs_the_declaration() -> None:
    discard = {**named("triplet"), "by": "discard", "from": 2}

    assert refusal(discard) == "below_minimum"
    assert scored({**discard, "flags": ["declared_ready"]})["payments"] == [0, 11, -11, 0]


def test_named_winners_of_one_discarder_win_together() -> None:
    first = {**named("triplet"), "by": "discard", "from": 2, "flags": ["declared_ready"]}

    assert scored(first, {**first, "seat": 3})["payments"] == [0, 11, -22, 11]
    assert refusal(first, {**first, "seat": 3, "from": 0}) == "not_allowed"
    assert refusal(first, first) == "not_allowed"


@pytest.mark.parametrize(
    ("event", "code"),
    [
        ({"type": "win", "seat": 1, "by": "discard", "from": 2, "flags": ["declared_ready", "last_tile"]}, "bad_input"),
        ({"type": "win", "seat": 1, "by": "self_draw", "flags": ["heavenly"]}, "bad_input"),
        ({"type": "win", "seat": 1, "by": "self_draw", "flags": ["after_flower"]}, "bad_input"),
        ({"type": "win", "seat": 1, "by": "self_draw", "flowers": "1f"}, "bad_tiles"),
    ],
)
def test_wins_are_refused(event: dict[str, Any], code: str) -> None:
    assert refusal({"hand": HAND, "tile": "8s", **event}) == code


def test_pongs_are_refused_in_hands_whose_waits_are_asked() -> None:
    shown = {"seat": 1, "hand": "23456788m67s", "melds": [{"kind": "pong", "tiles": "444p", "from": 0}]}

    assert refusal({"type": "draw", "hands": [shown]}, ask="waits") == "not_allowed"


def test_an_earthly_win_is_paid_with_the_dealers_bonus_where_the_dealer_pays_it() -> None:
    event = {"type": "win", "seat": 2, "by": "self_draw", "hand": HAND, "tile": "8s", "flags": ["earthly"]}

    answer = scored(event, table={"dealer": 0, "streak": 1}, options={"dealer_bonus_for": "both"})

    assert answer["payments"] == [-94, -90, 274, -90]
