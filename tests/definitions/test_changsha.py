"""What the shared cases of Changsha do not show: opening wins beside others, quick entry, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from rules_app.engine import Refusal
from tests.engine.rulesets import shipped

Event = dict[str, Any]

MISSING_SUIT: Event = {"type": "opening", "seat": 1, "hand": "12345689m13578s"}
FOUR_JOYS: Event = {"type": "opening", "seat": 3, "hand": "246m1377779p169s"}
NO_258: Event = {"type": "opening", "seat": 2, "hand": "1346m1467p13679s"}
HEAVENLY: Event = {
    "type": "win", "seat": 0, "by": "self_draw", "tile": "8s", "hand": "222345m678p4568s", "flags": ["heavenly"],
}  # fmt: skip


def score(*events: Event, **request: Any) -> dict[str, Any]:
    inputs = request.pop("inputs", {})
    answer: dict[str, Any] = shipped("changsha").score({**request, "round": {"inputs": inputs, "events": list(events)}}).answer("en")
    return answer


def refusal(*events: Event, **request: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        score(*events, **request)
    return caught.value


def quick(*declared: str, by: str = "discard", **fields: Any) -> Event:
    giver = {} if by == "self_draw" else {"from": 0}
    return {"type": "win", "seat": 1, "by": by, "declared": list(declared), **giver, **fields}


def drawn(**fields: Any) -> Event:
    return {"type": "win", "seat": 1, "by": "self_draw", "tile": "8s", "hand": "222345m678p4568s", **fields}


def test_two_openings_without_birds_leave_the_dealer():
    answer = score(MISSING_SUIT, FOUR_JOYS, options={"bird": False})

    assert answer["payments"] == [-40, 30, -20, 30]
    assert answer["next"]["dealer"] == 0
    assert answer["ended"] is True


def test_two_openings_need_the_bird_for_the_dealer():
    assert refusal(MISSING_SUIT, FOUR_JOYS).path == "round.inputs.bird"


def test_an_opening_has_no_fan_and_shows_the_tiles_dealt():
    (win,) = score(NO_258)["wins"]

    assert "fan" not in win
    assert win["reading"]["name"]["en"] == "opening win"
    assert [group["tiles"] for group in win["reading"]["sets"]] == ["1346m1467p13679s"]


def test_play_goes_on_after_an_opening_to_a_draw():
    answer = score(NO_258, {"type": "draw"}, options={"opening_ends": False}, inputs={"last_taker": 3})

    assert answer["payments"] == [-20, -10, 40, -10]
    assert answer["next"]["dealer"] == 3


@pytest.mark.parametrize(
    ("events", "request_parts", "code", "rule"),
    [
        ([], {}, "bad_input", "round_has_result"),
        ([{"type": "draw"}], {}, "bad_input", "next_dealer_known"),
        ([MISSING_SUIT, MISSING_SUIT], {"inputs": {"bird": "7m"}}, "bad_input", "one_opening_a_seat"),
        ([HEAVENLY, NO_258], {"inputs": {"bird": "7m"}}, "bad_input", "opening_comes_first"),
        ([{**NO_258, "hand": "1346m1467p1367s"}], {}, "bad_tiles", None),
        (
            [{**MISSING_SUIT, "hand": "111145689m1357s"}, {**FOUR_JOYS, "hand": "1146m1377779p169s"}],
            {"inputs": {"bird": "1m"}}, "bad_tiles", None,
        ),
        ([NO_258, {"type": "kong", "seat": 1, "kind": "concealed", "tile": "5s"}], {}, "not_allowed", None),
        ([NO_258, {"type": "penalty", "seat": 1, "name": "escape"}], {}, "bad_input", "leaving_stands_alone"),
        ([drawn(), {**drawn(), "seat": 2}], {}, "bad_input", "one_tile_for_all"),
        ([drawn(flags=["last_tile"])], {"inputs": {"bird": "7s"}}, "bad_input", "sea_tile_is_bird"),
        ([drawn(flags=["kong_dice"])], {}, "bad_input", None),
        ([drawn(flags=["after_kong"])], {}, "bad_input", None),
        ([{**HEAVENLY, "flags": ["heavenly", "passed_same_tile"]}], {}, "bad_input", None),
        (
            [{"type": "opening", "seat": 0, "hand": "111345m444p45688s"}, HEAVENLY],
            {"options": {"opening_ends": False}}, "bad_tiles", "dealt_hand_kept",
        ),
        ([drawn()], {"inputs": {"bird": "1z"}}, "bad_tiles", None),
    ],
)  # fmt: skip
def test_refusals(events: list[Event], request_parts: dict[str, Any], code: str, rule: str | None):
    refused = refusal(*events, **request_parts)

    assert refused.code == code
    if rule is not None:
        assert refused.rule == rule


def test_quick_entry_adds_what_follows():
    assert score(quick())["wins"][0]["patterns"] == ["plain"]
    assert score(quick("plain", flags=["earthly"]))["wins"][0]["patterns"] == ["earthly"]
    assert score(quick("all_triplets", "pure_suit"), inputs={"bird": "2p"})["payments"] == [-280, 280, 0, 0]


@pytest.mark.parametrize("declared", [("all_triplets", "seven_pairs"), ("four_joys",), ("luxury_seven_pairs",), ("pure_suit", "pure_suit")])
def test_quick_entry_refuses_what_cannot_be(declared: tuple[str, ...]):
    assert refusal(quick(*declared)).code == "bad_input"
