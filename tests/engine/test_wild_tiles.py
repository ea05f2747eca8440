"""A wild tile in place of a natural one never makes a hand worse, where no pattern asks for its absence."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rules_app.engine import Refusal, Ruleset, load_ruleset
from rules_app.engine.tiles import parse_tiles
from tests.engine.random_rounds import random_round

DOCUMENT = (Path(__file__).parent / "documents" / "three_rivers.yaml").read_text(encoding="utf-8")


def without_pure_water() -> Ruleset:
    text = re.sub(r"  pure_water: .*\n", "", DOCUMENT).replace("patterns: [pure_water]", "patterns: [trickle]")
    text = re.sub(r"examples:\n  - id: first(.|\n)*", "", text)
    return load_ruleset(text)


RULESET = without_pure_water()


def best(request: dict[str, object]) -> int | None:
    try:
        wins = RULESET.score(request).answer("en")["wins"]
    except Refusal:
        return None
    return int(wins[0]["points"]) if wins else None


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32), place=st.integers(0, 9))
def test_turning_a_tile_wild_never_lowers_the_best_score(seed: int, place: int) -> None:
    request = random_round(RULESET, seed)
    events = [event for event in request["round"]["events"] if event["type"] == "win" and event.get("hand")]
    assume(events)
    event = events[0]
    request["round"]["events"] = [event]
    event.pop("flags", None)
    event["by"] = "self_draw"
    event.pop("from", None)
    natural = best(request)
    assume(natural is not None)
    wild, tiles = request["round"]["wild"][0], [event["hand"][i : i + 2] for i in range(0, len(event["hand"]), 2)]
    assume(tiles and tiles.count(wild) + (event["tile"] == wild) < 2)
    assume(all(parse_tiles(wild)[0] not in parse_tiles(meld["tiles"]) for meld in event.get("melds", ())))
    tiles[place % len(tiles)] = wild
    event["hand"] = "".join(tiles)

    turned = best(request)

    assert natural is not None
    assert turned is not None
    assert turned >= natural
