from __future__ import annotations

import copy
import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_app.engine.groups import Group, Reading, group
from rules_app.engine.pair_readings import listed_readings, pair_readings
from rules_app.engine.readings import standard_readings
from rules_app.engine.tiles import counts_of, format_tiles, parse_tiles
from rules_app.engine.waits import completes, pairs_complete
from tests.engine.brute_force import PlainGroup, plain_readings

ALL_CHOWS = frozenset(kind for kind in range(27) if kind % 9 < 7)
NO_CHOWS: frozenset[int] = frozenset()
MIXED = [*range(9), 9, 10, 11, 27, 33]
"""One suit, a little of the next, and two honours."""


def mask_of(one: Group) -> int:
    return sum(1 << place for place, wild in enumerate(one.wild) if wild)


def plain(reading: Reading) -> tuple[PlainGroup, ...]:
    return tuple(sorted((one.form, one.first, mask_of(one)) for one in reading))


def shown(readings: list[Reading]) -> list[str]:
    return [" ".join(format_tiles(one.tiles) for one in reading) for reading in readings]


def counts(text: str) -> list[int]:
    return counts_of(parse_tiles(text))


def check_consistent(reading: Reading, natural: list[int], wilds: int) -> None:
    """Each natural tile is used once, each wild once."""
    assert sorted(kind for one in reading for kind in one.natural) == [kind for kind, count in enumerate(natural) for _ in range(count)]
    assert sum(one.wilds for one in reading) == wilds


@st.composite
def small_hands(draw: st.DrawFn) -> tuple[list[int], int, int, int]:
    """Natural counts, wilds, sets, pairs; often complete, always with the right number of tiles."""
    sets, pairs = draw(st.sampled_from([(1, 0), (1, 1), (2, 0), (2, 1), (0, 1)]))
    wilds = draw(st.integers(0, min(3, 3 * sets + 2 * pairs)))
    rng = draw(st.randoms(use_true_random=False))
    tiles: list[int] = []
    for _ in range(sets):
        first = rng.choice(MIXED)
        low = min(first % 9, 6) + first // 9 * 9
        tiles += [first] * 3 if first > 11 or rng.random() < 0.3 else [low, low + 1, low + 2]
    tiles += [rng.choice(MIXED)] * (2 * pairs)
    if rng.random() < 0.3:
        tiles[rng.randrange(len(tiles))] = rng.choice(MIXED)
    rng.shuffle(tiles)
    return counts_of(tiles[wilds:]), wilds, sets, pairs


@settings(max_examples=150, deadline=None)
@given(small_hands(), st.sets(st.sampled_from(MIXED)), st.sampled_from([ALL_CHOWS, NO_CHOWS, {2}]))
def test_readings_are_those_of_brute_force(hand: tuple[list[int], int, int, int], allowed: set[int], chows: frozenset[int]) -> None:
    natural, wilds, sets, pairs = hand
    stands_for = [kind in allowed for kind in range(34)]
    chows = frozenset(chows)
    found = standard_readings(natural, wilds, sets=sets, pairs=pairs, stands_for=stands_for, chows=chows)
    expected = plain_readings(natural, wilds, sets=sets, pairs=pairs, allowed=sorted(allowed), chows=chows)
    assert {plain(reading) for reading in found} == expected
    assert len(found) == len(expected)
    assert bool(found) == completes(natural, wilds, sets=sets, pairs=pairs, stands_for=stands_for, chows=chows)
    for reading in found:
        check_consistent(reading, natural, wilds)


@settings(max_examples=40, deadline=None)
@given(small_hands())
def test_wilds_stand_for_all_kinds_unless_told(hand: tuple[list[int], int, int, int]) -> None:
    natural, wilds, sets, pairs = hand
    if wilds > 2:
        return
    found = standard_readings(natural, wilds, sets=sets, pairs=pairs)
    expected = plain_readings(natural, wilds, sets=sets, pairs=pairs, allowed=range(34), chows=ALL_CHOWS)
    assert sorted(map(plain, found)) == sorted(expected)


@settings(max_examples=40, deadline=None)
@given(small_hands(), st.sampled_from([(0, 1, 2), (1, 2, 0), (2, 1, 0)]))
def test_exchanging_suits_exchanges_the_readings(hand: tuple[list[int], int, int, int], order: tuple[int, int, int]) -> None:
    natural, wilds, sets, pairs = hand

    def moved(kind: int) -> int:
        return order[kind // 9] * 9 + kind % 9 if kind < 27 else kind

    other = [0] * 42
    for kind, count in enumerate(natural):
        other[moved(kind)] = count
    here = standard_readings(natural, wilds, sets=sets, pairs=pairs)
    there = standard_readings(other, wilds, sets=sets, pairs=pairs)
    assert sorted(sorted((form, moved(first), mask) for form, first, mask in plain(reading)) for reading in here) == sorted(
        sorted(plain(reading)) for reading in there
    )


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("123456789m11122z", ["123m 456m 789m 111z 22z"]),
        ("111222333m456p77s", ["111m 222m 333m 456p 77s", "123m 123m 123m 456p 77s"]),
        ("11123m", ["123m 11m"]),
        ("22233344455566m", ["222m 333m 444m 555m 66m", "222m 345m 345m 345m 66m", "234m 234m 234m 555m 66m"]),
        ("123m", []),
        ("1234m", []),
        ("123m11f", []),
    ],
)
def test_readings_without_wilds(text: str, readings: list[str]) -> None:
    natural = counts(text)
    found = shown(standard_readings(natural, 0, sets=(sum(natural) - 2) // 3))
    assert set(readings) <= set(found)
    assert bool(readings) == bool(found)


def test_sets_come_first_then_wild_sets_then_the_pair() -> None:
    found = standard_readings(counts("55s123p777z"), 3, sets=3)
    reading = next(one for one in shown(found) if one.endswith("111m 55s"))
    assert reading == "123p 777z 111m 55s"


def test_no_reading_comes_twice_in_big_hands() -> None:
    for wilds in range(6):
        natural = counts("22233344m")
        tiles = sum(natural) + wilds
        if tiles % 3 == 2:
            found = standard_readings(natural, wilds, sets=tiles // 3)
            assert len({plain(reading) for reading in found}) == len(found) > 0


def test_many_wilds_stay_within_the_limit() -> None:
    natural = counts("123456m")
    found = standard_readings(natural, 8, sets=4, limit=500)
    assert len(found) == len(set(found)) == 500
    for reading in found:
        check_consistent(reading, natural, 8)
    assert len(standard_readings(natural, 8, sets=4)) <= 50_000
    assert standard_readings([0] * 42, 14, sets=4)


def test_groups_are_one_object_each() -> None:
    one = group("triplet", 3, 0b001)
    assert one is group("triplet", 3, 0b100) is group("triplet", 3, 0b010)
    assert (one.wild, one.natural, one.wilds) == ((False, False, True), (3, 3), 1)
    chow = group("chow", 9, 0b010)
    assert chow.wild == (False, True, False)
    assert chow.natural == (9, 11)
    assert copy.deepcopy(chow) is chow
    assert pickle.loads(pickle.dumps(chow)) is chow
    assert repr(chow) == "group('chow', 9, 2)"
    with pytest.raises(AttributeError):
        chow.first = 3


@pytest.mark.parametrize(
    ("form", "first", "mask"),
    [("chow", 7, 0), ("chow", 27, 0), ("triplet", 34, 0), ("pair", -1, 0), ("pair", 0, 4)],
)
def test_impossible_groups(form: str, first: int, mask: int) -> None:
    with pytest.raises(ValueError, match=form):
        group(form, first, mask)


@pytest.mark.parametrize(
    ("text", "wilds", "spare", "number"),
    [
        ("1122m33p4455s66z77z", 0, 0, 1),
        ("1111m33p", 0, 0, 1),
        ("111m3p", 0, 0, 0),
        ("111m3p", 2, 0, 1),
        ("11m", 2, 0, 34),
        ("11m3p", 1, 0, 1),
        ("11m3p", 0, 1, 1),
        ("11m", 1, 1, 34 + 1),
        ("1f1f", 0, 0, 0),
        ("11m", 4, 0, 15),
    ],
)
def test_pairs(text: str, wilds: int, spare: int, number: int) -> None:
    natural = counts(text)
    pairs = (sum(natural) + wilds - spare) // 2
    found = pair_readings(natural, wilds, pairs=pairs, spare=spare)
    assert len(found) == len(set(found)) == number
    assert bool(found) == pairs_complete(natural, wilds, pairs, spare)
    for reading in found:
        check_consistent(reading, natural, wilds)
        assert [one.form for one in reading] == ["pair"] * pairs + ["single"] * spare


def test_pair_readings_exist_exactly_when_pairs_complete() -> None:
    rng = random.Random(5)
    for _ in range(600):
        spare = rng.randrange(2)
        pairs = rng.randrange(1, 5)
        wilds = rng.randrange(min(4, 2 * pairs + spare) + 1)
        natural = counts_of(rng.choices(range(5), k=2 * pairs + spare - wilds))
        stands_for = [rng.random() < 0.7 and kind < 7 for kind in range(34)]
        found = pair_readings(natural, wilds, pairs=pairs, spare=spare, stands_for=stands_for)
        assert bool(found) == pairs_complete(natural, wilds, pairs, spare, stands_for=stands_for)
        assert len(found) == len(set(found))
        for reading in found:
            check_consistent(reading, natural, wilds)
            assert all(stands_for[kind] for one in reading for kind, wild in zip(one.tiles, one.wild, strict=True) if wild)


@pytest.mark.parametrize(
    ("text", "wilds", "number"),
    [
        ("19m19p19s12345677z", 0, 1),
        ("19m19p19s1234567z", 1, 13),
        ("19m19p19s123456z", 2, 13),
        ("19m19p19s1234566z", 1, 1),
        ("19m19p19s12345666z", 0, 0),
        ("19m19p19s1123466z", 1, 0),
        ("19m19p19s123456z5m", 1, 0),
        ("19m19p19s1234567z", 0, 0),
    ],
)
def test_listed_tiles(text: str, wilds: int, number: int) -> None:
    orphans = parse_tiles("19m19p19s1234567z")
    natural = counts(text)
    found = listed_readings(natural, wilds, orphans)
    assert len(found) == number
    for reading in found:
        check_consistent(reading, natural, wilds)
        assert reading[-1].form == "pair"
        assert sorted({one.first for one in reading}) == orphans
    no_red = [kind != 33 for kind in range(34)]
    limited = listed_readings(natural, wilds, orphans, stands_for=no_red)
    assert limited == [reading for reading in found if all(not one.wilds or one.first != 33 for one in reading)]
