"""Groups of wild tiles only: what the wild tiles can be that are left over beside the natural ones."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple

from rules_app.engine.groups import Group, Part, Reading, group
from rules_app.engine.waits import SUIT_RANGES, Limit


class Fill(NamedTuple):
    """The sets and the pairs that wild tiles alone can be; of those ``more_`` one at the most comes in a reading."""

    sets: tuple[Group, ...]
    pairs: tuple[Group, ...]
    more_sets: tuple[Group, ...] = ()
    more_pairs: tuple[Group, ...] = ()


@lru_cache(maxsize=256)
def fill_of(limits: tuple[Limit, ...], near: int | None) -> Fill:
    """What wild tiles alone can be; with ``near`` (bits by kind) only groups near those tiles."""
    sets: list[Group] = []
    pairs: list[Group] = []
    for (start, end), (stands, chows) in zip(SUIT_RANGES, limits, strict=True):
        suit_near = near is None or start == 27 or near >> start & 0b111111111
        for rank in range(end - start):
            kind = start + rank
            if not suit_near and not _same_rank(near or 0, rank):
                continue
            if stands >> rank & 1:
                sets.append(group("triplet", kind, 7))
                pairs.append(group("pair", kind, 3))
            if chows >> rank & 1 and stands >> rank & 7 == 7:
                sets.append(group("chow", kind, 7))
    return Fill(tuple(sets), tuple(pairs))


def told_apart(fill: Fill, alike: Callable[[Group], Hashable] | None, *, one_whole: bool) -> Fill:
    """Of groups that are alike the first; the others among ``more_`` where ``one_whole``."""
    if alike is None:
        return fill
    firsts, others = [], []
    for groups in (fill.sets, fill.pairs):
        seen: dict[Hashable, Group] = {}
        for one in groups:
            seen.setdefault(alike(one), one)
        firsts.append(tuple(seen.values()))
        others.append(tuple(one for one in groups if seen[alike(one)] is not one) if one_whole else ())
    return Fill(*firsts, *others)


def _same_rank(near: int, rank: int) -> bool:
    return any(near >> start + rank & 1 for start, _ in SUIT_RANGES[:3])


def count_fillings(fill: Fill, sets: int, pairs: int) -> int:
    """How many `fillings` there are."""
    plain = _multisets(len(fill.sets), sets)
    extra = len(fill.more_sets) * _multisets(len(fill.sets), sets - 1) if sets else 0
    if not pairs:
        return plain + extra
    return plain * (len(fill.pairs) + len(fill.more_pairs)) + extra * len(fill.pairs)


def _multisets(kinds: int, size: int) -> int:
    return comb(kinds + size - 1, size) if size else 1


def fillings(fill: Fill, sets: int, pairs: int) -> Iterator[Part]:
    """The ways to make so many sets and pairs (0 or 1) of wild tiles alone."""
    plain_pairs: tuple[Reading, ...] = tuple((one,) for one in fill.pairs) if pairs else ((),)
    all_pairs = plain_pairs + (tuple((one,) for one in fill.more_pairs) if pairs else ())
    for chosen in combinations_with_replacement(fill.sets, sets):
        for pair in all_pairs:
            yield chosen, pair
    if sets:
        for one in fill.more_sets:
            for chosen in combinations_with_replacement(fill.sets, sets - 1):
                for pair in plain_pairs:
                    yield (one, *chosen), pair
