"""Whatever is entered, every game ends in payments that sum to zero or in a refusal with a code."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_app.engine import Refusal, Ruleset
from tests.engine.random_rounds import random_round
from tests.engine.rulesets import shipped, slugs

CODES = {"bad_input", "bad_tiles", "not_allowed", "not_a_win", "below_minimum"}


def scored(ruleset: Ruleset, request: dict[str, Any]) -> dict[str, Any]:
    try:
        answer: dict[str, Any] = ruleset.score(request).answer("zh")
    except Refusal as refusal:
        return {"error": refusal.code if refusal.message.zh and refusal.message.en else "without a sentence"}
    return answer


@pytest.mark.parametrize("slug", slugs())
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_rounds_sum_to_zero_and_replay(slug: str, seed: int) -> None:
    ruleset = shipped(slug)
    request = random_round(ruleset, seed)

    answer = scored(ruleset, request)

    assert answer["error"] in CODES if "error" in answer else sum(answer["payments"]) == 0
    assert scored(ruleset, json.loads(json.dumps(request))) == answer
    json.dumps(answer)


@pytest.mark.parametrize("slug", slugs())
def test_random_rounds_are_often_accepted(slug: str) -> None:
    """The generator would prove nothing if everything it makes were refused."""
    ruleset = shipped(slug)

    accepted = sum("error" not in scored(ruleset, random_round(ruleset, seed)) for seed in range(300))

    assert accepted >= 15


@pytest.mark.parametrize("slug", slugs())
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_order_of_tiles_and_melds_changes_nothing(slug: str, seed: int) -> None:
    ruleset = shipped(slug)
    request = random_round(ruleset, seed)
    shuffled = json.loads(json.dumps(request))
    random = Random(seed)
    for event in shuffled["round"]["events"]:
        if isinstance(event.get("hand"), str):
            tiles = [event["hand"][place : place + 2] for place in range(0, len(event["hand"]), 2)]
            random.shuffle(tiles)
            event["hand"] = "".join(tiles)
        if event.get("melds"):
            random.shuffle(event["melds"])

    def essence(answer: dict[str, Any]) -> Any:
        if "error" in answer:
            return answer
        wins = [{key: win.get(key) for key in ("seat", "patterns", "fan", "points")} for win in answer["wins"]]
        return answer["payments"], wins, answer.get("next")

    assert essence(scored(ruleset, shuffled)) == essence(scored(ruleset, request))
