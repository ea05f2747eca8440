"""Divisions of a hand into sets and pairs, and what each wild tile stands for in them.

A reading is a tuple of groups. Groups are interned: equal groups are one object, so readings
compare and hash fast. The parts of a hand that lie in one suit are found once and remembered; a
hand combines the parts of its suits, and wild tiles left over form groups of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations_with_replacement, islice
from math import comb
from operator import attrgetter
from typing import Final, Literal, NamedTuple

from rules_app.engine.tiles import PLAYING
from rules_app.engine.waits import SUIT_RANGES, Counts, Limit, fewest_sets, suit_limits

Form = Literal["chow", "triplet", "pair", "single", "kong"]

FORMS: Final[tuple[Form, ...]] = ("triplet", "chow", "pair", "single", "kong")
_SIZES: Final[dict[Form, int]] = {"chow": 3, "triplet": 3, "pair": 2, "single": 1, "kong": 4}
READING_LIMIT: Final = 50_000


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """A set, a pair or a single tile as it is read; made by :func:`group` only."""

    form: Form
    first: int
    """The kind of the tile, or the lowest kind of a chow."""
    tiles: tuple[int, ...]
    """The kinds as read."""
    wild: tuple[bool, ...]
    """Which of ``tiles`` a wild fills; in groups of equal tiles the last ones."""
    wilds: int
    natural: tuple[int, ...]
    """The kinds of the natural tiles in it."""
    stood: tuple[int, ...]
    """The kinds that its wild tiles stand for."""
    order: int
    """Sorts groups: by first kind, then form, then the wild tiles."""

    def __repr__(self) -> str:
        mask = sum(1 << place for place, wild in enumerate(self.wild) if wild)
        return f"group({self.form!r}, {self.first}, {mask})"

    def __reduce__(self) -> tuple[Callable[[Form, int, int], Group], tuple[Form, int, int]]:
        mask = sum(1 << place for place, wild in enumerate(self.wild) if wild)
        return group, (self.form, self.first, mask)


Reading = tuple[Group, ...]
Part = tuple[Reading, Reading]
"""Sets and pairs (none or one) that are part of a reading."""


@cache
def _interned(form: Form, first: int, wilds: int, mask: int) -> Group:
    size = _SIZES[form]
    tiles = tuple(range(first, first + 3)) if form == "chow" else (first,) * size
    wild = tuple(bool(mask >> place & 1) for place in range(size))
    natural = tuple(kind for kind, is_wild in zip(tiles, wild, strict=True) if not is_wild)
    stood = tuple(kind for kind, is_wild in zip(tiles, wild, strict=True) if is_wild)
    order = (first * len(FORMS) + FORMS.index(form)) * 16 + mask
    return Group(form, first, tiles, wild, wilds, natural, stood, order)


@cache
def group(form: Form, first: int, wild_mask: int = 0) -> Group:
    """The group with a wild tile at each place whose bit is set (bit 0: the first place).

    Equal tiles have no places of their own: there only the number of wild tiles counts.
    """
    size = _SIZES[form]
    if wild_mask >> size:
        raise ValueError(f"a {form} has {size} places; the mask {wild_mask:b} has more")
    if not 0 <= first < PLAYING or (form == "chow" and (first >= 27 or first % 9 > 6)):
        raise ValueError(f"no {form} begins at kind {first}")
    wilds = wild_mask.bit_count()
    if form != "chow":
        wild_mask = (1 << size) - (1 << size - wilds)
    return _interned(form, first, wilds, wild_mask)


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


# Groups of wild tiles only


class _Fill(NamedTuple):
    """The sets and the pairs that wild tiles alone can be; of those ``more_`` one at the most comes in a reading."""

    sets: tuple[Group, ...]
    pairs: tuple[Group, ...]
    more_sets: tuple[Group, ...] = ()
    more_pairs: tuple[Group, ...] = ()


@lru_cache(maxsize=256)
def _fill(limits: tuple[Limit, ...], near: int | None) -> _Fill:
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
    return _Fill(tuple(sets), tuple(pairs))


def _told_apart(fill: _Fill, alike: Callable[[Group], Hashable] | None, *, one_whole: bool) -> _Fill:
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
    return _Fill(*firsts, *others)


def _same_rank(near: int, rank: int) -> bool:
    return any(near >> start + rank & 1 for start, _ in SUIT_RANGES[:3])


def _ways(fill: _Fill, sets: int, pairs: int) -> int:
    """How many `_fillings` there are."""
    plain = _multisets(len(fill.sets), sets)
    extra = len(fill.more_sets) * _multisets(len(fill.sets), sets - 1) if sets else 0
    if not pairs:
        return plain + extra
    return plain * (len(fill.pairs) + len(fill.more_pairs)) + extra * len(fill.pairs)


def _multisets(kinds: int, size: int) -> int:
    return comb(kinds + size - 1, size) if size else 1


def _fillings(fill: _Fill, sets: int, pairs: int) -> Iterator[Part]:
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
    fill = _told_apart(_fill(limits, None), alike, one_whole=one_whole)
    total = 0
    for (used, paired), parts in combined.items():
        total += len(parts) * _ways(fill, sets - used, pairs - paired)
    if total > limit:
        near = sum(1 << kind for kind in range(PLAYING) if natural[kind])
        fill = _told_apart(_fill(limits, near), alike, one_whole=one_whole)
    readings: list[Reading] = []
    for (used, paired), parts in combined.items():
        if used == sets and paired == pairs:
            readings += [own + pair for own, pair in parts]
        else:
            room = limit - len(readings)
            readings += islice(
                (own + more + pair + wild_pair for more, wild_pair in _fillings(fill, sets - used, pairs - paired) for own, pair in parts),
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


# Pairs, and listed tiles


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
