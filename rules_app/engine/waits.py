"""Deciding whether tiles complete a hand, and which tile would, without naming the sets.

A hand of n sets and a pair is decided suit by suit. For one suit only two numbers matter: the
fewest sets that hold all its natural tiles, without the pair and with the pair among them. A wild
tile fills any gap and three wild tiles are a set, so a hand completes exactly when the suits
together need no more sets than there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from rules_app.engine.tiles import PLAYING

Counts = tuple[int, ...]
"""Natural tiles of one suit by rank: nine numbers, or seven for the honours."""

Fewest = tuple[int, int]
"""The fewest sets for a suit: without the pair, with the pair."""

Limit = tuple[int, int]
"""For one suit, as bits by rank: kinds a wild may stand for; ranks at which a chow may begin."""

SUIT_RANGES: Final = ((0, 9), (9, 18), (18, 27), (27, 34))
IMPOSSIBLE: Final = 99
_NINE: Final = 0b111111111
_SEVEN: Final = 0b1111111
_HONOUR_LIMIT: Final = (_SEVEN, 0)
_SUIT_LIMIT: Final = (_NINE, _SEVEN)
NO_LIMITS: Final = (_SUIT_LIMIT, _SUIT_LIMIT, _SUIT_LIMIT, _HONOUR_LIMIT)

_DIGIT: Final = 4  # bits a rank in a packed suit
_CACHE: Final = 1 << 16


@lru_cache(maxsize=256)
def _limits(stands_for: tuple[bool, ...] | None, chows: frozenset[int] | None) -> tuple[Limit, Limit, Limit, Limit]:
    def limit(suit: int) -> Limit:
        start, end = SUIT_RANGES[suit]
        stands, first = NO_LIMITS[suit]
        if stands_for is not None:
            stands = sum(1 << (kind - start) for kind in range(start, end) if stands_for[kind])
        if chows is not None:
            first &= sum(1 << (kind - start) for kind in chows if start <= kind < end)
        return stands, first

    return limit(0), limit(1), limit(2), limit(3)


def suit_limits(stands_for: Sequence[bool] | None, chows: frozenset[int] | None) -> tuple[Limit, Limit, Limit, Limit]:
    """The restrictions of a tile set, suit by suit (see :data:`Limit`)."""
    if stands_for is None:
        return NO_LIMITS if chows is None else _limits(None, chows)
    return _limits(tuple(stands_for), chows)


@lru_cache(maxsize=_CACHE)
def _fewest_packed(packed: int, stands: int, chows: int, size: int) -> Fewest:
    """:data:`Fewest` of a suit whose counts are packed four bits a rank.

    The lowest tile belongs to some group: each is tried. A group takes every natural tile it can,
    for where a wild could take the place, the rest without that tile never needs more sets.
    """
    if not packed:
        return 0, IMPOSSIBLE
    rank = ((packed & -packed).bit_length() - 1) // _DIGIT
    shift = rank * _DIGIT
    held = packed >> shift & 15
    free = stands == (1 << size) - 1
    wild_here = stands >> rank & 1
    plain = paired = IMPOSSIBLE
    if held >= 3 or wild_here:
        after = _fewest_packed(packed - (min(held, 3) << shift), stands, chows, size)
        plain, paired = after[0] + 1, after[1] + 1
    if held >= 2 or wild_here:
        after = _fewest_packed(packed - (min(held, 2) << shift), stands, chows, size)
        paired = min(paired, after[0])
    for first in range(rank, max(rank - 3, -1), -1):
        if not chows >> first & 1:
            continue
        left, taken = packed, 0
        for place in range(first, first + 3):
            if left >> place * _DIGIT & 15:
                left -= 1 << place * _DIGIT
                taken += 1
            elif not stands >> place & 1:
                break
        else:
            if taken == 1 and free:
                continue  # a triplet serves as well
            after = _fewest_packed(left, stands, chows, size)
            plain, paired = min(plain, after[0] + 1), min(paired, after[1] + 1)
            if free:
                break  # a chow that begins lower takes no other natural tile
    return min(plain, IMPOSSIBLE), min(paired, IMPOSSIBLE)


@lru_cache(maxsize=_CACHE)
def fewest_sets(counts: Counts, limit: Limit) -> Fewest:
    """The fewest sets that hold all natural tiles of a suit, without and with the pair.

    ``IMPOSSIBLE`` or more where there is no way. The wild tiles it takes follow from the numbers:
    three a set and two for the pair, less the natural tiles.
    """
    packed = 0
    for rank, count in enumerate(counts):
        packed |= count << rank * _DIGIT
    return _fewest_packed(packed, limit[0], limit[1], len(counts))


def _merge(one: Fewest, other: Fewest) -> Fewest:
    return one[0] + other[0], min(one[0] + other[1], one[1] + other[0])


def _fits(needed: Fewest, sets: int, pairs: int) -> bool:
    return needed[0] <= sets or (pairs == 1 and needed[1] <= sets)


def completes(
    natural: Sequence[int],
    wilds: int,
    *,
    sets: int,
    pairs: int = 1,
    stands_for: Sequence[bool] | None = None,
    chows: frozenset[int] | None = None,
) -> bool:
    """Whether the tiles are ``sets`` sets and ``pairs`` pairs (0 or 1), all tiles used.

    ``natural`` counts the tiles by kind (34 or 42 numbers; with a flower they never complete);
    ``stands_for`` says by kind what a wild may be (default: all 34); ``chows`` are the kinds at
    which a chow may begin (default: ranks 1 to 7 of the three suits).
    """
    if sum(natural) + wilds != 3 * sets + 2 * pairs or any(natural[PLAYING:]):
        return False
    if wilds and stands_for is not None and not any(stands_for[:PLAYING]):
        return False
    limits = suit_limits(stands_for if wilds else None, chows)
    plain, paired = 0, IMPOSSIBLE
    for (start, end), limit in zip(SUIT_RANGES, limits, strict=True):
        one, two = fewest_sets(tuple(natural[start:end]), limit)
        plain, paired = plain + one, min(plain + two, paired + one)
    return plain <= sets or (pairs == 1 and paired <= sets)


def standard_waits(
    natural: Sequence[int],
    wilds: int,
    *,
    sets: int,
    candidates: Sequence[int],
    pairs: int = 1,
    stands_for: Sequence[bool] | None = None,
    chows: frozenset[int] | None = None,
) -> list[int]:
    """Those of the candidate kinds that complete the hand as a natural tile, in their order.

    The hand is one tile short (otherwise, and for kinds that are flowers, nothing completes it);
    the other arguments are those of :func:`completes`.
    """
    if sum(natural) + wilds + 1 != 3 * sets + 2 * pairs or any(natural[PLAYING:]):
        return []
    if wilds and stands_for is not None and not any(stands_for[:PLAYING]):
        return []
    limits = suit_limits(stands_for if wilds else None, chows)
    suits = [tuple(natural[start:end]) for start, end in SUIT_RANGES]
    vectors = [fewest_sets(counts, limit) for counts, limit in zip(suits, limits, strict=True)]
    characters, dots, bamboo, honours = vectors
    numbers = _merge(characters, dots)
    last = _merge(bamboo, honours)
    others = (
        _merge(dots, last),
        _merge(characters, last),
        _merge(numbers, honours),
        _merge(numbers, bamboo),
    )
    waits: list[int] = []
    for kind in candidates:
        if kind >= PLAYING:
            continue
        suit, rank = divmod(kind, 9)
        counts = suits[suit]
        drawn = (*counts[:rank], counts[rank] + 1, *counts[rank + 1 :])
        if _fits(_merge(others[suit], fewest_sets(drawn, limits[suit])), sets, pairs):
            waits.append(kind)
    return waits


def pairs_complete(
    natural: Sequence[int],
    wilds: int,
    pairs: int,
    spare: int = 0,
    *,
    stands_for: Sequence[bool] | None = None,
) -> bool:
    """Whether the tiles are ``pairs`` pairs and ``spare`` single tiles (0 or 1), all tiles used.

    Four equal tiles are two pairs, two wild tiles are a pair, a wild may be the spare tile.
    """
    if sum(natural) + wilds != 2 * pairs + spare or any(natural[PLAYING:]):
        return False
    odd = [kind for kind in range(PLAYING) if natural[kind] & 1]
    if stands_for is not None:
        if wilds and not any(stands_for[:PLAYING]):
            return False
        if sum(not stands_for[kind] for kind in odd) > spare:
            return False
    return len(odd) - spare <= wilds
