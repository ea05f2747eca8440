"""Sichuan: rules of the course of a round that the shared cases do not show."""

from __future__ import annotations

from typing import Any

import pytest

from rules_app.engine import Refusal
from tests.engine.rulesets import shipped

PLAIN = "234567m345p55p78p"
"""Ready for 6p and 9p."""


def scored(*events: dict[str, Any], **rest: Any) -> dict[str, Any]:
    ask = rest.pop("ask", None)
    request: dict[str, Any] = {"options": rest.pop("options", {}), "round": {"events": list(events), **rest}}
    if ask:
        request["ask"] = ask
    answer: dict[str, Any] = shipped("sichuan").score(request).answer("en")
    return answer


def refusal(*events: dict[str, Any], **rest: Any) -> str:
    with pytest.raises(Refusal) as caught:
        scored(*events, **rest)
    return caught.value.code


def win(seat: int, giver: int | None = None, **rest: Any) -> dict[str, Any]:
    event = {"type": "win", "seat": seat, "by": "self_draw", "tile": "9p", "hand": PLAIN, **rest}
    if giver is not None:
        event |= {"by": rest.get("by", "discard"), "from": giver}
    if "declared" in event:
        del event["hand"], event["tile"]
    return event


def kong(seat: int, kind: str, tile: str, giver: int | None = None) -> dict[str, Any]:
    event = {"type": "kong", "seat": seat, "kind": kind, "tile": tile}
    return event if giver is None else {**event, "from": giver}


FLIGHT = {"type": "penalty", "name": "flee"}


def test_a_seat_that_left_and_is_played_on_stays_in_after_it_wins() -> None:
    answer = scored(
        {**FLIGHT, "seat": 1}, win(1, 0), kong(2, "concealed", "1s"),
        options={"mode": "blood_flow", "flee_unwon": "played"},
    )  # fmt: skip

    assert answer["payments"] == [-3, -1, 6, -2]


def test_a_pong_given_by_a_seat_that_has_won_since_may_be_added_to() -> None:
    answer = scored(win(2, 3), kong(0, "added", "1s", 2))

    assert answer["payments"] == [2, -1, 1, -2]


def test_a_winner_in_blood_flow_has_no_kong_to_rob() -> None:
    robbery = {**win(3, 1), "by": "rob_kong"}

    assert refusal(win(1, 0), robbery, options={"mode": "blood_flow"}) == "not_allowed"


def test_the_flight_of_a_winner_is_accepted_once() -> None:
    assert scored(win(1, 0), {**FLIGHT, "seat": 1})["payments"] == [0, 0, 0, 0]
    assert refusal(win(1, 0), {**FLIGHT, "seat": 1}, {**FLIGHT, "seat": 1}) == "not_allowed"


def test_nothing_follows_the_flight_that_ends_the_round() -> None:
    assert refusal({**FLIGHT, "seat": 3}, win(1, 0)) == "not_allowed"
    assert refusal({**FLIGHT, "seat": 3}, {"type": "draw"}) == "not_allowed"


def test_a_winner_known_by_patterns_only_shows_the_hand_at_the_draw() -> None:
    hands = [{"seat": seat, "hand": PLAIN} for seat in (0, 2, 3)]
    first = win(1, 0, declared=["all_triplets"])

    assert refusal(first, {"type": "draw", "hands": hands}, options={"mode": "blood_flow"}) == "bad_input"
    shown = [*hands, {"seat": 1, "hand": "222444m7779955p"}]
    assert scored(first, {"type": "draw", "hands": shown}, options={"mode": "blood_flow"})["payments"] == [-2, 2, 0, 0]


def test_waits_leave_out_the_declared_suit_and_need_it() -> None:
    draw = {"type": "draw", "hands": [{"seat": 1, "hand": PLAIN}]}

    assert scored(draw, ask="waits")["waits"] == "69p"
    assert refusal(draw, ask="waits", options={"declared_missing": True}) == "bad_input"
    assert scored(draw, ask="waits", options={"declared_missing": True}, inputs={"missing": ["m", "p", "s", "s"]})["waits"] == ""


@pytest.mark.parametrize(
    ("declared", "flags", "points"),
    [([], [], 1), (["all_triplets", "kong"], [], 4), (["luxury_seven_pairs", "root"], [], 32), (["plain", "root", "root"], [], 4)],
)
def test_named_patterns_are_scored(declared: list[str], flags: list[str], points: int) -> None:
    answer = scored(win(1, 0, declared=declared, flags=flags))

    assert answer["wins"][0]["points"] == points


def test_named_patterns_take_what_follows_from_the_win() -> None:
    answer = scored(win(1, declared=["plain", "kong"], flags=["after_kong"]))

    assert set(answer["wins"][0]["patterns"]) == {"plain", "kong", "self_draw", "after_kong"}
    assert answer["payments"] == [-8, 24, -8, -8]


@pytest.mark.parametrize(
    "declared",
    [
        ["pure_suit", "all_triplets"], ["seven_pairs", "kong"], ["seven_pairs", "root"], ["all_triplets", "root"],
        ["self_draw"], ["last_tile"], ["heavenly"], ["kong"] * 5, ["root", "root", "kong", "kong", "kong"], ["nothing"],
    ],
)  # fmt: skip
def test_named_patterns_that_cannot_stand_are_refused(declared: list[str]) -> None:
    assert refusal(win(1, 0, declared=declared)) == "bad_input"


def test_a_win_after_a_kong_names_the_kong() -> None:
    assert refusal(win(1, declared=["plain"], flags=["after_kong"])) == "bad_input"


def test_winners_entered_in_both_ways_win_together() -> None:
    answer = scored(win(1, 0), win(2, 0, declared=["all_triplets"]))

    assert answer["payments"] == [-3, 1, 2, 0]
    assert answer["next"]["dealer"] == 0


def test_an_earlier_event_is_refused_before_a_later_one() -> None:
    no_win = {**win(1, 0), "tile": "1p"}

    assert refusal(no_win, win(2, 0, flags=["unknown"])) == "not_a_win"
    assert refusal(no_win, {**win(2, 0), "tile": "1z"}) == "not_a_win"
    assert refusal(win(1, 0), win(2, 0, flags=["unknown"])) == "bad_input"
    assert refusal({**win(1, 0), "tile": "0k"}, options={"pig_by": "declared_suit"}) == "bad_input"


def test_a_cap_beyond_every_hand_changes_nothing() -> None:
    assert scored(win(1, 0), options={"cap_fan": 1000})["payments"] == [-1, 1, 0, 0]


def test_a_winner_may_leave_after_the_end_and_nobody_else() -> None:
    assert scored(win(1, 0), {**FLIGHT, "seat": 1}, options={"mode": "single"})["payments"] == [0, 0, 0, 0]
    assert refusal(win(1, 0), {**FLIGHT, "seat": 2}, options={"mode": "single"}) == "not_allowed"


def test_a_frozen_hand_may_put_tiles_into_kongs_but_adds_to_no_pong() -> None:
    flow = {"mode": "blood_flow"}
    first = win(1, 0, hand="111p234567m55p78p")
    kong_meld = {"kind": "kong", "tiles": "1111p", "by": "exposed", "from": 0}
    added = {**kong_meld, "by": "added"}
    pong = {"kind": "pong", "tiles": "111p", "from": 0}
    rest: dict[str, Any] = {"hand": "234567m55p78p"}

    assert scored(first, win(1, **rest, melds=[kong_meld]), options=flow)["wins"][1]["points"] == 4
    assert refusal(win(1, 0, **rest, melds=[pong]), win(1, **rest, melds=[added]), options=flow) == "not_allowed"
