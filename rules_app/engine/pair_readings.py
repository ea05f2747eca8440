"""Divisions of a hand into pairs, and into one of each listed kind (thirteen orphans)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

from rules_app.engine.groups import Group, Reading, group
from rules_app.engine.tiles import PLAYING
from rules_app.engine.waits import SUIT_RANGES


def pair_readings(
    natural: Sequence[int],
    wilds: int,
    *,
    pairs: int,
    spare: int = 0,
    stands_for: Sequence[bool] | None = None,
) -> list[Reading]:
    """All divisions into ``pairs`` pairs and ``spare`` single tiles (0 or 1), every tile used.

    Four equal tiles are two pairs. Natural tiles pair up first, a tile left over takes a wild, two
    wilds are a pair, and a wild may be the single tile. With at most two wilds, wilds by
    themselves stand for every kind allowed; with more, for the kinds of the hand and the first
    other kind of each suit. A reading has its pairs by kind, pairs of wilds only, then the single.
    """
    if sum(natural) + wilds != 2 * pairs + spare or any(natural[PLAYING:]):
        return []
    allowed = [kind for kind in range(PLAYING) if stands_for is None or stands_for[kind]]
    if wilds > 2:
        allowed = _present_and_first(natural, allowed)
    readings: list[Reading] = []
    if not spare or wilds:
        ends = [(group("single", kind, 1),) for kind in allowed] if spare else [()]
        for own in _paired(natural, wilds - spare, allowed):
            readings += [own + end for end in ends]
    if spare:
        held = list(natural)
        for kind in range(PLAYING):
            if held[kind]:
                held[kind] -= 1
                single = (group("single", kind),)
                readings += [own + single for own in _paired(held, wilds, allowed)]
                held[kind] += 1
    return readings


def _present_and_first(natural: Sequence[int], allowed: Sequence[int]) -> list[int]:
    kept: list[int] = []
    for start, end in SUIT_RANGES:
        other = False
        for kind in allowed:
            if start <= kind < end and (natural[kind] or not other):
                kept.append(kind)
                other = other or not natural[kind]
    return kept


def _paired(natural: Sequence[int], wilds: int, allowed: Sequence[int]) -> list[Reading]:
    own: list[Group] = []
    for kind in range(PLAYING):
        held = natural[kind]
        if not held:
            continue
        own += [group("pair", kind)] * (held // 2)
        if held & 1:
            if not wilds or kind not in allowed:
                return []
            wilds -= 1
            own.append(group("pair", kind, 1))
    if not wilds:
        return [tuple(own)]
    wild_pairs = [group("pair", kind, 3) for kind in allowed]
    return [(*own, *more) for more in combinations_with_replacement(wild_pairs, wilds // 2)]


def listed_readings(
    natural: Sequence[int],
    wilds: int,
    kinds: Sequence[int],
    *,
    stands_for: Sequence[bool] | None = None,
) -> list[Reading]:
    """Readings as one of each listed kind and a second of one of them (thirteen orphans).

    A reading has a single tile for each kind in the order of the list, then the pair.
    """
    if sum(natural) + wilds != len(kinds) + 1:
        return []
    held = [natural[kind] for kind in kinds]
    missing = [kind for kind, count in zip(kinds, held, strict=True) if not count]
    if sum(held) + wilds != len(kinds) + 1 or max(held, default=0) > 2 or held.count(2) > 1:
        return []
    if stands_for is not None and not all(stands_for[kind] for kind in missing):
        return []
    readings: list[Reading] = []
    for kind, count in zip(kinds, held, strict=True):
        if count < 2 and (2 in held or not (stands_for is None or stands_for[kind])):
            continue
        singles = [group("single", other, 0 if natural[other] else 1) for other in kinds if other != kind]
        readings.append((*singles, group("pair", kind, (1 << 2 - count) - 1)))
    return readings
