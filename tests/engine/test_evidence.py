"""Every counted pattern says which tiles make it."""

from __future__ import annotations

from typing import Any

import pytest

from rules_app.engine.examples import outcome_of, request_of_hand
from rules_app.engine.settlement import Outcome
from rules_app.engine.tiles import format_tiles, parse_tiles
from tests.engine.rulesets import shipped, slugs


def values(slug: str, **event: Any) -> dict[str, str]:
    win = {"type": "win", "seat": 1, "by": "discard", "from": 0, "melds": [], **event}
    if win["by"] == "self_draw":
        del win["from"]
    answer = shipped(slug).score({"round": {"events": [win]}}).answer("en")
    return {value["id"]: value["tiles"] for value in answer["wins"][0]["values"]}


def test_a_suit_is_made_by_all_tiles_and_a_kong_by_its_own() -> None:
    kong = {"kind": "kong", "tiles": "9999p", "by": "concealed"}

    made = values("sichuan", hand="123456777p8p", tile="8p", by="self_draw", melds=[kong])

    assert made["kong"] == "9999p"
    assert made["self_draw"] == "8p"
    assert made["pure_suit"] == "123456777889999p"


def test_a_root_is_made_by_four_equal_tiles() -> None:
    assert values("sichuan", hand="22234m55p678p999p", tile="2m")["root"] == "2222m"


def test_waits_pairs_triplets_and_flowers() -> None:
    pong = {"kind": "pong", "tiles": "666z", "from": 0}

    made = values("two_player", hand="1233s789s222z", tile="3s", melds=[pong], flowers="12f")

    assert made["edge_wait"] == "123s"
    assert made["dragon_triplet"] == "666z"
    assert made["flower"] == "12f"


@pytest.mark.parametrize("slug", slugs())
def test_the_tiles_of_every_example_lie_on_the_table(slug: str) -> None:
    ruleset = shipped(slug)
    for pattern in ruleset.document.patterns.values():
        for example in pattern.examples:
            outcome = outcome_of(ruleset, request_of_hand(ruleset, example))
            assert isinstance(outcome, Outcome)
            for win in outcome.answer("en")["wins"]:
                for value in win["values"]:
                    assert value["tiles"] == format_tiles(parse_tiles(value["tiles"]))
                    assert value["tiles"] or win.get("tile") is None or example.event is not None
