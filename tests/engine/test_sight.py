"""Readings that no rule can tell apart are tried once, and nothing is lost by it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_app.engine import Refusal, Ruleset, load_ruleset
from rules_app.engine.sight import SIGHTS
from rules_app.engine.tiles import format_tiles
from tests.engine.rulesets import DEFINITIONS, shipped

TEXT = (DEFINITIONS / "tianjin.yaml").read_text(encoding="utf-8")
EXTRA = {
    "shape": 'shape == "standard"',
    "chows": "chows == 3",
    "triplets": "triplets >= 3",
    "concealed_triplets": "concealed_triplets == 2",
    "pair": 'pair == "8s"',
    "has_triplet()": 'has_triplet(tile("5p"))',
    "triplets_of()": 'triplets_of(tiles("34z")) == 1',
    "triplet_at()": 'triplet_at("s", 2)',
    "chow_at()": 'chow_at("p", 2) > 0',
    "straight()": 'straight("s")',
    "place": 'place == "edge"',
    "place_tile": 'place == "pair" and place_tile == "3p"',
    "place_wilds": "place_wilds == 2",
}


def with_pattern(condition: str) -> Ruleset:
    """Tianjin with one more pattern, dear enough to decide which reading is the best."""
    pattern = f"  extra: {{name: {{zh: 加, en: extra}}, when: '{condition}', value: 9, unit: shape_fan, text: {{zh: 加, en: extra}}}}\n"
    return load_ruleset(TEXT.replace("patterns:\n", "patterns:\n" + pattern, 1))


def blind(ruleset: Ruleset) -> Ruleset:
    ruleset.sight = None
    return ruleset


SHIPPED_BLIND = blind(load_ruleset(TEXT))


def random_win(seed: int) -> dict[str, Any]:
    """A hand of two sets and a pair beside two melds, more than half of it wild tiles, won more often by a natural one."""
    random = Random(seed)
    wilds = random.choice((4, 5, 5, 6))
    natural: list[int] = []
    while len(natural) < 8 - wilds:
        kind = random.choice((0, 18)) + random.randrange(9)
        if natural.count(kind) < 2:
            natural.append(kind)
    tiles = [*natural, *[27] * min(wilds, 3), *[28] * max(wilds - 3, 0)]
    if random.random() < 0.25:
        tiles.reverse()
    win: dict[str, Any] = {"type": "win", "seat": 0, "by": "self_draw", "tile": format_tiles(tiles[:1]), "hand": format_tiles(tiles[1:])}
    win["melds"] = [{"kind": "pong", "tiles": text, "from": 1} for text in ("666z", "777z")]
    return {
        "options": {"min_fan": random.choice((1, 1, 2, 5))},
        "table": {"dealer": 0, "streak": 0},
        "round": {"wild": ["1z", "2z"], "events": [win]},
    }


def outcome(ruleset: Ruleset, request: dict[str, Any]) -> Any:
    try:
        win = ruleset.score(request).answer("en")["wins"][0]
    except Refusal as refusal:
        return refusal.code, refusal.rule
    return win["patterns"], win["fan"]


def test_every_name_with_a_sight_is_tried_here() -> None:
    assert set(EXTRA) == set(SIGHTS)


@pytest.mark.parametrize("name", EXTRA)
def test_a_pattern_that_sees_little_of_a_group_misses_no_reading(name: str) -> None:
    ruleset, seeing_all = with_pattern(EXTRA[name]), blind(with_pattern(EXTRA[name]))
    assert ruleset.sight is not None
    requests = [random_win(seed) for seed in range(25)]

    assert [outcome(ruleset, request) for request in requests] == [outcome(seeing_all, request) for request in requests]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_what_the_rules_cannot_tell_apart_scores_the_same(seed: int) -> None:
    request = random_win(seed)

    assert outcome(shipped("tianjin"), request) == outcome(SHIPPED_BLIND, request)


@pytest.mark.parametrize("condition", ["suits == 1", "pair_wilds == 1", "home", "count(x.wilds > 0 for x in sets) == 1"])
def test_a_rule_that_sees_every_tile_gets_every_reading(condition: str) -> None:
    assert with_pattern(condition).sight is None


def test_a_hand_of_seven_wild_tiles_is_answered_with_the_dearest_reading() -> None:
    """Each of tens of thousands of readings is covered, also those past the limit of what is listed."""
    win = {"type": "win", "seat": 1, "by": "self_draw", "tile": "5m", "hand": "456789m1112222z"}
    answer = shipped("tianjin").score({"table": {"dealer": 0, "streak": 0}, "round": {"wild": ["1z", "2z"], "events": [win]}}).answer("en")

    assert answer["wins"][0]["fan"] == 14
    assert answer["wins"][0]["patterns"] == ["catch_five", "pure_straight", "double_wild_wait"]
