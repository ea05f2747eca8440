"""A game that exists nowhere else plays from its document alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rules_app.engine import Refusal, Ruleset, load_ruleset
from rules_app.engine.examples import broken_examples
from tests.engine.random_rounds import random_round

DOCUMENT = Path(__file__).parent / "documents" / "three_rivers.yaml"


@pytest.fixture(scope="module")
def ruleset() -> Ruleset:
    return load_ruleset(DOCUMENT.read_text(encoding="utf-8"))


def win(**changes: Any) -> dict[str, Any]:
    event = {"type": "win", "seat": 1, "by": "discard", "from": 0, "hand": "123m456m11p23p", "tile": "4p", "melds": []}
    return {"round": {"wild": ["6s"], "events": [{**event, **changes}]}}


def test_its_examples_hold(ruleset: Ruleset) -> None:
    assert broken_examples(ruleset) == []


def test_payments_follow_the_document(ruleset: Ruleset) -> None:
    answer = ruleset.score(win(flags=["upstream"])).answer("en")

    assert answer["payments"] == [-10, 20, -10]
    assert answer["wins"][0]["patterns"] == ["pure_water", "against"]
    assert answer["next"] == {"dealer": 1, "streak": 0, "round_wind": "1z", "state": {"tide": 1}}


def test_a_wild_tile_stands_for_tiles_of_the_set_only(ruleset: Ruleset) -> None:
    reading = ruleset.score(win(hand="123m456m11p2p6s", tile="4p")).answer("en")["wins"][0]["reading"]

    assert [(part["tiles"], part["wild"]) for part in reading["sets"] if part["wild"]] == [("2p3p4p", [1])]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"hand": "123m456m11p23s", "tile": "4s"}, "below_minimum"),
        ({"hand": "123m456m11p25p", "tile": "4p"}, "not_a_win"),
        ({"hand": "123m456m11p78p", "tile": "9p"}, "bad_tiles"),
        ({"hand": "123m456m789m11p23p"}, "bad_tiles"),
        ({"melds": [{"kind": "chow", "tiles": "123m", "from": 2}], "hand": "456m11p23p"}, "not_allowed"),
        ({"flags": ["downstream"]}, "bad_input"),
        ({"seat": 3}, "bad_input"),
    ],
)
def test_refusals(ruleset: Ruleset, changes: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        ruleset.score(win(**changes))

    assert refused.value.code == code
    assert refused.value.message.zh
    assert refused.value.message.en


def test_waits(ruleset: Ruleset) -> None:
    request = {
        "ask": "waits",
        "round": {"wild": ["6s"], "events": [{"type": "draw", "hands": [{"seat": 0, "hand": "123m456m11p23p"}]}]},
    }

    assert ruleset.score(request).answer("en")["waits"] == "14p6s"


def test_random_rounds_sum_to_zero(ruleset: Ruleset) -> None:
    accepted = 0
    for seed in range(200):
        try:
            outcome = ruleset.score(random_round(ruleset, seed))
        except Refusal:
            continue
        accepted += 1
        assert sum(outcome.payments) == 0

    assert accepted >= 20
