from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_app.engine.readings import standard_readings
from rules_app.engine.tiles import counts_of, format_tiles, parse_tiles
from rules_app.engine.waits import completes, pairs_complete, standard_waits
from tests.engine.brute_force import assignments, plain_divisions

ALL_CHOWS = frozenset(kind for kind in range(27) if kind % 9 < 7)
LOW = [*range(9), 27, 28]


def plainly_completes(
    natural: Sequence[int], wilds: int, *, sets: int, pairs: int, allowed: Sequence[int], chows: frozenset[int] = ALL_CHOWS
) -> bool:
    return any(plain_divisions(full, sets, pairs, chows) for full in assignments(natural, wilds, allowed))


def random_hand(rng: random.Random, tiles: int, kinds: Sequence[int]) -> list[int]:
    """Tiles of few kinds, at most four of each; some of them in sets."""
    pool = [kind for kind in kinds for _ in range(4)]
    return counts_of(rng.sample(pool, tiles))


@settings(max_examples=150, deadline=None)
@given(
    st.randoms(use_true_random=False),
    st.integers(0, 3),
    st.sampled_from([(1, 0), (1, 1), (2, 1), (3, 0), (3, 1), (0, 1)]),
    st.sets(st.sampled_from(LOW)),
    st.sampled_from([ALL_CHOWS, frozenset({1, 2, 3}), frozenset[int]()]),
)
def test_deciding_and_waits_are_those_of_brute_force(
    rng: random.Random, wilds: int, shape: tuple[int, int], allowed: set[int], chows: frozenset[int]
) -> None:
    sets, pairs = shape
    wilds = min(wilds, 3 * sets + 2 * pairs - 1)
    natural = random_hand(rng, 3 * sets + 2 * pairs - wilds, LOW)
    stands_for = [kind in allowed for kind in range(34)]
    order = sorted(allowed)
    found = completes(natural, wilds, sets=sets, pairs=pairs, stands_for=stands_for, chows=chows)
    assert found == plainly_completes(natural, wilds, sets=sets, pairs=pairs, allowed=order, chows=chows)

    natural[next(kind for kind in LOW if natural[kind])] -= 1
    waits = standard_waits(natural, wilds, sets=sets, pairs=pairs, candidates=range(42), stands_for=stands_for, chows=chows)
    expected = []
    for kind in LOW:
        natural[kind] += 1
        if plainly_completes(natural, wilds, sets=sets, pairs=pairs, allowed=order, chows=chows):
            expected.append(kind)
        natural[kind] -= 1
    assert waits == expected


def test_deciding_agrees_with_reading_in_whole_hands() -> None:
    rng = random.Random(7)
    decided = set()
    for turn in range(400):
        sets = rng.choice([4, 5])
        wilds = turn % 5
        kinds = [*rng.sample(range(34), 4), *range(start := 9 * rng.randrange(3), start + 9)]
        natural = random_hand(rng, 3 * sets + 2 - wilds, kinds)
        found = completes(natural, wilds, sets=sets)
        assert found == bool(standard_readings(natural, wilds, sets=sets))
        decided.add((wilds, found))
        natural[next(kind for kind in kinds if natural[kind])] -= 1
        waits = standard_waits(natural, wilds, sets=sets, candidates=range(34))
        for kind in range(34):
            natural[kind] += 1
            assert (kind in waits) == completes(natural, wilds, sets=sets)
            natural[kind] -= 1
    assert len(decided) >= 9


@given(st.randoms(use_true_random=False), st.integers(0, 4))
def test_more_wilds_never_undo_a_hand(rng: random.Random, wilds: int) -> None:
    natural = random_hand(rng, 14 - wilds, [*range(9), 27])
    if completes(natural, wilds, sets=4):
        natural[next(kind for kind, count in enumerate(natural) if count)] -= 1
        assert completes(natural, wilds + 1, sets=4)


@pytest.mark.parametrize(
    ("text", "wilds", "sets", "waits"),
    [
        ("1112345678999m", 0, 4, "123456789m"),
        ("123m456p789s1122z", 0, 4, "12z"),
        ("123m456p789s12z", 0, 4, ""),
        ("123m456p789s3467z", 0, 4, ""),
        ("5z", 0, 0, "5z"),
        ("11z", 0, 0, ""),
        ("123m456p789s1z", 1, 4, ""),
        ("12m456p789s11z", 1, 3, ""),
        ("456p789s11z12m", 0, 3, "3m"),
        ("456p789s1112z", 1, 4, ""),
        ("12m456p789s11z5f", 0, 3, ""),
        ("19m", 0, 1, ""),
    ],
)
def test_known_waits(text: str, wilds: int, sets: int, waits: str) -> None:
    natural = counts_of(parse_tiles(text))
    found = standard_waits(natural, wilds, sets=sets, candidates=range(42))
    assert format_tiles(found) == waits


def test_a_wild_that_completes_waits_for_everything() -> None:
    natural = counts_of(parse_tiles("123m456p789s111z"))
    assert standard_waits(natural, 1, sets=4, candidates=range(34)) == list(range(34))
    assert standard_waits(natural, 1, sets=4, candidates=[33, 5, 41]) == [33, 5]
    nothing = [False] * 34
    assert standard_waits(natural, 1, sets=4, candidates=range(34), stands_for=nothing) == []


def test_the_tile_set_limits_the_chows() -> None:
    natural = counts_of(parse_tiles("123m55m"))
    assert completes(natural, 0, sets=1)
    assert not completes(natural, 0, sets=1, chows=frozenset(range(1, 6)))
    assert completes(counts_of(parse_tiles("12m55m")), 1, sets=1)
    assert not completes(counts_of(parse_tiles("12m55m")), 1, sets=1, stands_for=[kind > 2 for kind in range(34)])
    assert not completes(counts_of(parse_tiles("123m5f5f")), 0, sets=1)


@pytest.mark.parametrize(
    ("text", "wilds", "pairs", "spare", "answer"),
    [
        ("1122334455667m7m", 0, 7, 0, True),
        ("1111223344556m", 1, 7, 0, True),
        ("111122334456m", 2, 7, 0, True),
        ("11112233445z6z7z", 1, 7, 0, False),
        ("1122m", 2, 3, 0, True),
        ("11223m", 0, 2, 1, True),
        ("1122m", 1, 2, 1, True),
        ("1234m", 1, 2, 1, False),
        ("11m1f1f", 0, 2, 0, False),
        ("11m", 0, 2, 0, False),
    ],
)
def test_pairs(text: str, wilds: int, pairs: int, spare: int, answer: bool) -> None:
    assert pairs_complete(counts_of(parse_tiles(text)), wilds, pairs, spare) is answer


def test_pairs_with_wilds_that_may_not_stand_for_all() -> None:
    natural = counts_of(parse_tiles("11m7z"))
    no_red = [kind != 33 for kind in range(34)]
    assert pairs_complete(natural, 1, 2)
    assert not pairs_complete(natural, 1, 2, stands_for=no_red)
    assert pairs_complete(natural, 2, 2, 1, stands_for=no_red)
    assert not pairs_complete(natural, 2, 2, 1, stands_for=[False] * 34)
