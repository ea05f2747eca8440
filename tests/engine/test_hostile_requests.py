"""Whatever JSON comes in, the scorer answers or refuses with a code and a sentence; it never fails."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_app.engine import Refusal
from tests.engine.random_rounds import random_round
from tests.engine.rulesets import shipped, slugs

JUNK: list[Any] = [
    None, True, False, 0, -1, 3, 10**30, 1.5, "", "9z", "5m", "a" * 500, "🀄", "一万", [], [[]], [None], {}, {"x": 1},
    ["1m"], [10**9], {"seat": 0}, "self_draw", [{}], "\x00", "１ｍ", -0.0, float("inf"),
]  # fmt: skip


def places(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value."""
    found = [path] if path else []
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        found += places(value, (*path, key))
    return found


def spoiled(original: dict[str, Any], random: Random) -> Any:
    """The request with one to three places replaced, removed or added to."""
    request = copy.deepcopy(original)
    for _ in range(random.randint(1, 3)):
        path = random.choice(places(request) or [("round",)])
        node: Any = request
        for key in path[:-1]:
            node = node[key]
        action = random.random()
        if action < 0.6:
            node[path[-1]] = copy.deepcopy(random.choice(JUNK))
        elif action < 0.8:
            del node[path[-1]]
        elif isinstance(node, dict):
            node[random.choice(["x", "tile", "hand", "from", "wild", "declared", "flags", "seat"])] = copy.deepcopy(random.choice(JUNK))
    return request


@pytest.mark.parametrize("slug", slugs())
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_spoiled_requests_are_refused_with_a_code(slug: str, seed: int) -> None:
    random = Random(seed)
    request = spoiled(random_round(shipped(slug), seed), random)

    try:
        answer = shipped(slug).score(request).answer("en")
    except Refusal as refusal:
        answer = {"payments": [], "code": refusal.code, "message": refusal.message.en}

    assert sum(answer["payments"]) == 0
    json.dumps(answer)


@pytest.mark.parametrize("request_", JUNK)
def test_anything_in_place_of_a_request(request_: Any) -> None:
    try:
        outcome = shipped("sichuan").score(request_)
    except Refusal as refusal:
        assert refusal.code == "bad_input"  # noqa: PT017 - both ends are good
    else:
        assert outcome.payments == [0, 0, 0, 0]
