"""Divisions of a hand into sets and pairs, and what each wild tile stands for in them.

A reading is a tuple of groups. The parts of a hand that lie in one suit are found once and remembered; a hand combines
the parts of its suits, and wild tiles left over form groups of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from itertools import islice
from operator import attrgetter
from typing import Final

from rules_app.engine.groups import Group, Part, Reading, group
from rules_app.engine.tiles import PLAYING
from rules_app.engine.waits import SUIT_RANGES, Counts, Limit, fewest_sets, suit_limits
from rules_app.engine.wild_groups import count_fillings, fill_of, fillings, told_apart

READING_LIMIT: Final = 50_000

_by_order = attrgetter("order")


# Parts of one suit without wild tiles


@lru_cache(maxsize=1 << 15)
def _natural_parts(counts: Counts, start: int, chows: int) -> tuple[Part, ...]:
    """All divisions of a suit into sets, and a pair if the number of tiles asks for one."""
    tiles = sum(counts)
    if tiles % 3 == 1:
        return ()
    found: list[Part] = []
    held = [*counts, 0, 0]
    size = len(counts)

    def divide(rank: int, sets: Reading, pair: Reading, need_pair: bool) -> None:
        while rank < size and not held[rank]:
            rank += 1
        if rank == size:
            if not need_pair:
                found.append((sets, pair))
            return
        here = held[rank]
        for paired in (0, 1) if need_pair and here >= 2 else (0,):
            rest = here - 2 * paired
            for runs in range(rest % 3, rest + 1, 3):
                if runs and not (chows >> rank & 1 and held[rank + 1] >= runs and held[rank + 2] >= runs):
                    break
                triplets = (rest - runs) // 3
                more = sets
                if triplets:
                    more += (group("triplet", start + rank),) * triplets
                if runs:
                    more += (group("chow", start + rank),) * runs
                    held[rank + 1] -= runs
                    held[rank + 2] -= runs
                now = (group("pair", start + rank),) if paired else pair
                divide(rank + 1, more, now, need_pair and not paired)
                if runs:
                    held[rank + 1] += runs
                    held[rank + 2] += runs

    divide(0, (), (), tiles % 3 == 2)
    return tuple(found)


# Parts of one suit with wild tiles

_Option = tuple[Group, int, int, int, int, bool]
"""A group, the natural tiles it takes at a rank and the two above, its wilds, is it a pair."""


@lru_cache(maxsize=1 << 12)
def _options(rank: int, start: int, limit: Limit) -> tuple[_Option, ...]:
    """Every group whose lowest natural tile has this rank."""
    stands, chows = limit
    found: list[_Option] = []
    for wilds in range(3 if stands >> rank & 1 else 1):
        triplet = group("triplet", start + rank, (1 << wilds) - 1)
        found.append((triplet, 3 - wilds, 0, 0, wilds, False))
        if wilds < 2:
            pair = group("pair", start + rank, wilds)
            found.append((pair, 2 - wilds, 0, 0, wilds, True))
    for first in range(max(rank - 2, 0), rank + 1):
        if not chows >> first & 1:
            continue
        own = rank - first
        for mask in range(8):
            if mask >> own & 1 or mask & (1 << own) - 1 != (1 << own) - 1:
                continue  # all below the lowest natural tile is wild
            if mask & ~(stands >> first):
                continue
            needs = [0, 0, 0]
            for place in range(own, 3):
                needs[place - own] = 1 - (mask >> place & 1)
            found.append((group("chow", start + first, mask), *needs, mask.bit_count(), False))  # type: ignore[arg-type]
    return tuple(found)


@lru_cache(maxsize=1 << 12)
def _wild_parts(counts: Counts, start: int, wilds: int, shape: tuple[int, int], limit: Limit) -> dict[tuple[int, int], tuple[Part, ...]]:
    """The divisions of a suit with at most so many wilds, by number of sets and of pairs.

    ``shape`` is the most sets and pairs there may be. Every group holds a natural tile.
    """
    most_sets, most_pairs = shape
    options_at = [_options(rank, start, limit) for rank in range(len(counts))]
    found: dict[tuple[int, int], list[Part]] = {}
    held = [*counts, 0, 0]
    chosen: list[Group] = []
    pair: Reading = ()

    def divide(rank: int, since: int, tiles: int, wilds: int) -> None:
        # Groups with the same lowest natural tile come in the order of the options: each
        # division is met once.
        nonlocal pair
        if not tiles:
            part = (tuple(sorted(chosen, key=_by_order)), pair)
            found.setdefault((len(chosen), len(pair)), []).append(part)
            return
        sets, pairs = most_sets - len(chosen), most_pairs - len(pair)
        if tiles > 3 * sets + 2 * pairs:
            return
        while not held[rank]:
            rank += 1
            since = 0
        here, next_, last = held[rank], held[rank + 1], held[rank + 2]
        options = options_at[rank]
        for index in range(since, len(options)):
            one, low, middle, high, needs, is_pair = options[index]
            if needs > wilds or low > here or middle > next_ or high > last:
                continue
            if is_pair:
                if not pairs:
                    continue
                pair = (one,)
            elif not sets:
                continue
            else:
                chosen.append(one)
            held[rank] = here - low
            held[rank + 1] = next_ - middle
            held[rank + 2] = last - high
            left = tiles - low - middle - high
            if is_pair:
                divide(rank, index, left, wilds - needs)
                pair = ()
            else:
                divide(rank, index, left, wilds - needs)
                chosen.pop()
        held[rank], held[rank + 1], held[rank + 2] = here, next_, last

    divide(0, 0, sum(counts), wilds)
    return {key: tuple(parts) for key, parts in found.items()}


def standard_readings(
    natural: Sequence[int],
    wilds: int,
    *,
    sets: int,
    pairs: int = 1,
    stands_for: Sequence[bool] | None = None,
    chows: frozenset[int] | None = None,
    alike: Callable[[Group], Hashable] | None = None,
    one_whole: bool = False,
    limit: int = READING_LIMIT,
) -> list[Reading]:
    """All divisions into ``sets`` sets and ``pairs`` pairs (0 or 1) that use every tile.

    ``natural`` counts the tiles by kind (34 or 42 numbers; with a flower there is no reading). A
    wild stands for any kind that ``stands_for`` allows (default: all 34), also as a fifth copy or
    in a group of wilds only. ``chows`` are the kinds at which a chow may begin (default: ranks 1
    to 7 of the three suits).

    Groups of wild tiles only for which ``alike`` gives the same value come as the first of them; with ``one_whole``
    one group of a reading may be any of them, as the winning tile may lie in it.

    A reading has its sets first, suit by suit, then sets of wild tiles only, then the pair. No
    reading comes twice.

    With five and more wilds there can be very many. If there are more than ``limit``, groups of
    wild tiles only are read near the natural tiles: in a suit of the hand, as honours, or with a
    rank of the hand in another suit; and if that is still too much, ``limit`` readings come back.
    """
    if sum(natural) + wilds != 3 * sets + 2 * pairs or any(natural[PLAYING:]):
        return []
    if not wilds:
        return _natural_readings(natural, pairs, suit_limits(None, chows))
    limits = suit_limits(stands_for, chows)
    if not any(stands for stands, _ in limits):
        return []
    combined = _combined_suits(natural, wilds, sets, pairs, limits)
    fill = told_apart(fill_of(limits, None), alike, one_whole=one_whole)
    total = 0
    for (used, paired), parts in combined.items():
        total += len(parts) * count_fillings(fill, sets - used, pairs - paired)
    if total > limit:
        near = sum(1 << kind for kind in range(PLAYING) if natural[kind])
        fill = told_apart(fill_of(limits, near), alike, one_whole=one_whole)
    readings: list[Reading] = []
    for (used, paired), parts in combined.items():
        if used == sets and paired == pairs:
            readings += [own + pair for own, pair in parts]
        else:
            room = limit - len(readings)
            readings += islice(
                (own + more + pair + wild_pair for more, wild_pair in fillings(fill, sets - used, pairs - paired) for own, pair in parts),
                max(room, 0),
            )
    return readings[:limit]


def _natural_readings(natural: Sequence[int], pairs: int, limits: tuple[Limit, ...]) -> list[Reading]:
    readings: list[Part] = [((), ())]
    for (start, end), limit in zip(SUIT_RANGES, limits, strict=True):
        counts = tuple(natural[start:end])
        if not any(counts):
            continue
        parts = _natural_parts(counts, start, limit[1])
        if not parts:
            return []
        if len(parts[0][1]) > pairs:
            return []
        pairs -= len(parts[0][1])
        if len(readings) == len(parts) == 1:
            (sets, pair), (more, other) = readings[0], parts[0]
            readings = [(sets + more, pair + other)]
        else:
            readings = [(sets + more, pair + other) for sets, pair in readings for more, other in parts]
    return [sets + pair for sets, pair in readings]


def _combined_suits(
    natural: Sequence[int], wilds: int, sets: int, pairs: int, limits: tuple[Limit, ...]
) -> dict[tuple[int, int], list[Part]]:
    """The divisions of the natural tiles with some of the wilds, by number of sets and pairs."""
    suits: list[tuple[Counts, int, Limit]] = []
    least: list[int] = []
    for (start, end), limit in zip(SUIT_RANGES, limits, strict=True):
        counts = tuple(natural[start:end])
        tiles = sum(counts)
        if tiles:
            plain, paired = fewest_sets(counts, limit)
            if pairs:
                least.append(min(3 * plain, 3 * paired + 2) - tiles)
            else:
                least.append(3 * plain - tiles)
            suits.append((counts, start, limit))
    spare = wilds - sum(least)
    if spare < 0:
        return {}
    combined: dict[tuple[int, int], list[Part]] = {(0, 0): [((), ())]}
    for (counts, start, limit), own in zip(suits, least, strict=True):
        parts = _wild_parts(counts, start, own + spare, (sets, pairs), limit)
        following: dict[tuple[int, int], list[Part]] = {}
        for (used, paired), before in combined.items():
            for (more, other), after in parts.items():
                key = used + more, paired + other
                if key[0] > sets or key[1] > pairs:
                    continue
                following.setdefault(key, []).extend([(one + two, p + q) for one, p in before for two, q in after])
        combined = following
    return combined
