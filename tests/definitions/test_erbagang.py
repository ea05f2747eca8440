"""Pushing dots beyond the shared cases: the order of refusals, who may be a player, odd forms of tiles."""

from __future__ import annotations

from typing import Any

import pytest

from rules_app.engine import Refusal
from tests.engine.rulesets import shipped

BET = {"player": "A", "hand": 1, "amount": 100}


def showdown(**rest: Any) -> dict[str, Any]:
    return {"type": "showdown", "banker": "34p", "hands": ["27p", "45p", "15p"], "bets": [BET], **rest}


def scored(*events: dict[str, Any], inputs: dict[str, Any] | None = None, **rest: Any) -> dict[str, Any]:
    request = {"round": {"events": list(events), "inputs": inputs or {}}, **rest}
    answer: dict[str, Any] = shipped("erbagang").score(request).answer("en")
    return answer


def refusal(*events: dict[str, Any], **rest: Any) -> str:
    with pytest.raises(Refusal) as caught:
        scored(*events, **rest)
    return caught.value.code


WIN = {"type": "win", "seat": 1, "by": "self_draw", "tile": "1p", "hand": "1p"}
NOTHING_BET = [{**BET, "amount": 0}]
FIFTH_COPY = ["44p", "44p", "13p"]


@pytest.mark.parametrize(
    ("code", "events", "rest"),
    [
        ("bad_input", [WIN], {"options": {"pool_rate": 21}}),
        ("bad_input", [WIN], {"table": {"state": {"pool": -1}}}),
        ("bad_input", [WIN], {"inputs": {"unknown": 1}}),
        ("not_allowed", [WIN], {"inputs": {"players": ["A", "A"]}}),
        ("not_allowed", [showdown(bets=NOTHING_BET), WIN], {}),
        ("not_allowed", [{"type": "showdown"}, showdown()], {}),
        ("bad_input", [showdown(hands=["xp", "28p", "13p"], bets=NOTHING_BET)], {}),
        ("bad_input", [showdown(banker="45p", hands=FIFTH_COPY)], {"inputs": {"players": ["B"]}}),
        ("bad_tiles", [showdown(banker="45p", hands=FIFTH_COPY, bets=[{**BET, "player": "banker"}])], {}),
        ("bad_tiles", [showdown(hands=["27p", "45p"])], {"options": {"max_bet": 1}}),
        ("not_allowed", [showdown()], {"options": {"max_bet": 99}}),
    ],
)
def test_refusals_come_in_order(code: str, events: list[dict[str, Any]], rest: dict[str, Any]) -> None:
    assert refusal(*events, **rest) == code


@pytest.mark.parametrize(
    "rest", [{"banker": ["3p", "4p"]}, {"hands": [["2p", "7p"], "45p", "15p"]}, {"hands": "27p"}, {"banker": [[["3p"]]]}]
)
def test_tiles_in_odd_forms_are_bad_input(rest: dict[str, Any]) -> None:
    assert refusal(showdown(**rest)) == "bad_input"


def test_the_limit_is_of_one_player_on_one_hand() -> None:
    bets = [BET, {**BET, "hand": 2}, {**BET, "player": "B"}]

    assert scored(showdown(bets=bets), options={"max_bet": 100})["payments"] == [-300, 198, 99, 3]


def test_a_player_may_be_called_pool() -> None:
    answer = scored(showdown(bets=[{**BET, "player": "pool"}]))

    assert answer["payments"] == [-100, 99, 1]
    assert answer["parties"] == ["banker", "pool", "pool"]


def test_a_hundred_players_bet_on_every_hand() -> None:
    bets = [{"player": f"p{place // 3}", "hand": place % 3 + 1, "amount": 100} for place in range(300)]

    payments = scored(showdown(bets=bets))["payments"]

    assert len(payments) == 102
    assert payments[0] == -10_000
    assert payments[-1] == 300


def test_each_side_tells_its_own_type() -> None:
    wins = scored(showdown(banker="99p", hands=["28p", "11p", "45p"]))["wins"]

    assert [win["own"] for win in wins] == [["two_eight"], ["dot_pair"], ["points"]]
    assert [win["arithmetic"] for win in wins] == ["wins with two-eight, 2 to 1", "loses to dot pair, 2 to 1", "loses to dot pair, 2 to 1"]


def test_even_odds_of_the_banker_are_told() -> None:
    win = scored(showdown(banker="99p"), options={"banker_odds": "even"})["wins"][0]

    assert (win["fan"], win["arithmetic"]) == (1, "loses to dot pair, 1 to 1")
