"""Two-player mahjong: chows are joined once, checked against every hand of four chows."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement, pairwise
from typing import Any

import pytest

from rules_app.engine import Refusal
from tests.engine.rulesets import shipped

PAIRS = (
    ("pure_double_chow", lambda low, high: low == high),
    ("short_straight", lambda low, high: high - low == 3),
    ("two_terminal_chows", lambda low, high: (low, high) == (1, 7)),
)
WORTH = {
    "quadruple_chow": 48, "four_shifted_chows": 32, "triple_chow": 24, "three_shifted_chows": 16, "pure_straight": 16,
    "pure_double_chow": 1, "short_straight": 1, "two_terminal_chows": 1,
}  # fmt: skip
CONTAINED = {
    "triple_chow": {"pure_double_chow"}, "pure_straight": {"short_straight", "two_terminal_chows"},
}  # fmt: skip


def four_chows() -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for firsts in combinations_with_replacement(range(1, 8), 4):
        tiles = Counter(first + step for first in firsts for step in range(3))
        if max(tiles.values()) <= 4:
            found.append(firsts)
    return found


def joined(firsts: tuple[int, ...], start: tuple[int, ...]) -> Counter[str]:
    """The pairs of chows that count, where those of ``start`` hang together already."""
    group = [start[0] if place in start else place for place in range(4)]
    found: Counter[str] = Counter()
    for name, holds in PAIRS:
        for one, other in combinations(range(4), 2):
            if group[one] != group[other] and holds(firsts[one], firsts[other]):
                group = [group[one] if place == group[other] else place for place in group]
                found[name] += 1
    return found


def expected(firsts: tuple[int, ...]) -> int:
    """The fan of the chows alone, the best way to join them."""
    steps = {later - earlier for earlier, later in pairwise(firsts)}
    if len(steps) == 1 and steps <= {0, 1, 2}:
        return WORTH["quadruple_chow" if steps == {0} else "four_shifted_chows"]
    ways = []
    for places in combinations(range(4), 3):
        a, b, c = (firsts[place] for place in places)
        names = ["triple_chow"] if a == c else []
        names += ["three_shifted_chows"] if b - a == c - b and b - a in (1, 2) else []
        names += ["pure_straight"] if (a, b, c) == (1, 4, 7) else []
        for name in names:
            rest = joined(firsts, places)
            ways.append(WORTH[name] + sum(number for pair, number in rest.items() if pair not in CONTAINED.get(name, ())))
    return max(ways, default=0) or sum(joined(firsts, ()).values())


def scored(**win: Any) -> dict[str, Any]:
    event = {"type": "win", "seat": 1, "by": "discard", "from": 0, **win}
    answer = shipped("two_player").score({"options": {"minimum": 0}, "round": {"events": [event]}}).answer("en")
    found: dict[str, Any] = answer["wins"][0]
    return found


@pytest.mark.parametrize("firsts", four_chows())
def test_chows_are_joined_once(firsts: tuple[int, ...]) -> None:
    melds = [{"kind": "chow", "tiles": "".join(str(first + step) for step in range(3)) + "s", "from": 0} for first in firsts]
    win = scored(hand="7z", tile="7z", melds=melds)

    chows = sum(value["count"] * value["value"] for value in win["values"] if value["id"] in WORTH)

    assert chows == expected(firsts)


def test_four_terminal_chows_need_the_five_as_pair() -> None:
    assert "pure_terminal_chows" in scored(hand="1122335577889s", tile="9s")["patterns"]
    assert "pure_terminal_chows" not in scored(hand="123123789s78s77z", tile="9s")["patterns"]


def test_a_cap_does_not_choose_the_reading() -> None:
    event = {"type": "win", "seat": 1, "by": "discard", "from": 0, "tile": "9s", "hand": "1122335577889s"}

    answer = shipped("two_player").score({"options": {"cap": 20}, "round": {"events": [event]}}).answer("en")

    assert answer["wins"][0]["patterns"] == ["pure_terminal_chows", "concealed_hand"]
    assert answer["payments"] == [-20, 20]


@pytest.mark.parametrize(
    ("declared", "by"),
    [
        (["pure_suit", "pure_suit"], "discard"),
        (["edge_wait", "single_wait"], "discard"),
        (["fully_concealed"], "discard"),
        (["after_kong"], "discard"),
        (["concealed_hand"], "self_draw"),
        (["rob_kong"], "self_draw"),
        (["no_such_pattern"], "discard"),
    ],
)
def test_quick_entry_refuses_what_cannot_stand(declared: list[str], by: str) -> None:
    event: dict[str, Any] = {"type": "win", "seat": 1, "by": by, "declared": declared}
    if by == "discard":
        event["from"] = 0

    with pytest.raises(Refusal) as refused:
        shipped("two_player").score({"round": {"events": [event]}})

    assert refused.value.code == "bad_input"


def test_quick_entry_adds_nothing_by_itself() -> None:
    event = {"type": "win", "seat": 0, "by": "self_draw", "declared": ["mixed_suit"], "flowers": "12f", "flags": ["last_tile"]}

    answer = shipped("two_player").score({"round": {"events": [event]}}).answer("en")

    assert answer["wins"][0]["patterns"] == ["mixed_suit"]
    assert answer["payments"] == [6, -6]
