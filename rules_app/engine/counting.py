"""From the patterns that hold of a reading to those that count: choices, joined chows, absorption, totals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from .hand import HandEnv
from .reading import ReadingEnv, ScoredEnv
from .tiles import rank_of, suit_of

if TYPE_CHECKING:
    from .compiled import CompiledPattern
    from .ruleset import Ruleset

Hit = tuple[int, int]
"""A pattern's place in the table and how often it holds."""
MAX_JOININGS = 20_000


def scored_readings(reading: ReadingEnv) -> Iterator[ScoredEnv]:
    """The ways to count the patterns of a reading; more than one where patterns exclude one another by choice."""
    ruleset = reading.r.ruleset
    hits = reading.hits
    if ruleset.choose_units:
        for chosen in choices(ruleset, hits):
            yield from _with_joins(reading, chosen)
    else:
        yield from _with_joins(reading, hits)


def choices(ruleset: Ruleset, hits: list[Hit]) -> Iterator[list[Hit]]:
    """Of each unit of which one pattern counts, every pattern in turn."""
    patterns = ruleset.patterns
    rest = [hit for hit in hits if patterns[hit[0]].pattern.unit not in ruleset.choose_units]
    lists = [[hit for hit in hits if patterns[hit[0]].pattern.unit == unit] for unit in sorted(ruleset.choose_units)]
    options: list[list[Hit]] = [[]]
    for candidates in lists:
        if candidates:
            options = [[*option, hit] for option in options for hit in candidates]
    for option in options:
        yield sorted(option + rest)


def _with_joins(reading: ReadingEnv, hits: list[Hit]) -> Iterator[ScoredEnv]:
    ruleset = reading.r.ruleset
    if not ruleset.joins:
        yield count_patterns(reading, hits)
        return
    for joined in _joinings(reading):
        yield count_patterns(reading, sorted(hits + joined))


def _joinings(reading: ReadingEnv) -> list[list[Hit]]:
    """The ways to join chows into patterns, none joined twice.

    A pattern of three or four chows is chosen first (each choice is a way of its own), then pairs of chows in the
    order of their values, while they are not joined yet, directly or through others.
    """
    ruleset = reading.r.ruleset
    chows = tuple(sorted(reading.chow_firsts))
    if len(chows) < 2:
        return [[]]
    joins = [join for join in ruleset.joins if _stands(join, reading)]
    key = (chows, *(join.index for join in joins))
    known = ruleset.joinings.get(key)
    if known is None:
        if len(ruleset.joinings) >= MAX_JOININGS:
            ruleset.joinings.clear()
        known = ruleset.joinings[key] = _joined(joins, chows)
    return known


def _stands(join: CompiledPattern, reading: ReadingEnv) -> bool:
    """Whether the conditions of a pattern made of chows hold, whatever the chows are."""
    if join.exists.is_constant and join.when.is_constant:
        return bool(join.exists.constant and join.when.constant)
    env = env_of(join, reading)
    return bool(join.exists.function(env) and join.when.function(env))


def env_of(compiled: CompiledPattern, reading: ReadingEnv) -> HandEnv | ReadingEnv | ScoredEnv:
    """The environment of the level at which a pattern stands."""
    if compiled.level == "hand":
        return reading.h
    return reading if compiled.level == "reading" else ScoredEnv(reading)


def _joined(joins: list[CompiledPattern], chows: tuple[int, ...]) -> list[list[Hit]]:
    starts: list[tuple[CompiledPattern, tuple[int, ...]] | None] = [
        (join, places)
        for join in joins
        for places in combinations(range(len(chows)), _size(join))
        if _size(join) > 2 and _joins(join, chows, places)
    ]
    pairs = sorted(
        (join for join in joins if _size(join) == 2),
        key=lambda join: (-(join.value.constant or 0) if join.value.is_constant else 0, join.index),
    )
    ways: list[list[Hit]] = []
    for start in starts or (None,):
        groups = list(range(len(chows)))
        counted: dict[int, int] = {}
        if start is not None:
            counted[start[0].index] = 1
            for place in start[1]:
                groups[place] = groups[start[1][0]]
        for join in pairs:
            for one, other in combinations(range(len(chows)), 2):
                if groups[one] != groups[other] and _joins(join, chows, (one, other)):
                    old, new = groups[other], groups[one]
                    groups = [new if group == old else group for group in groups]
                    counted[join.index] = counted.get(join.index, 0) + 1
        way = sorted(counted.items())
        if way not in ways:
            ways.append(way)
    return ways


def _size(join: CompiledPattern) -> int:
    return join.pattern.join.chows if join.pattern.join is not None else 0


def _joins(join: CompiledPattern, chows: Sequence[int], places: tuple[int, ...]) -> bool:
    firsts = [chows[place] for place in places]
    suits = {suit_of(first) for first in firsts}
    if len(suits) != 1 or join.join is None:
        return False
    return bool(join.join.function(None, *[rank_of(first) for first in firsts]))


def count_patterns(reading: ReadingEnv, hits: list[Hit], then: Sequence[CompiledPattern] | None = None) -> ScoredEnv:
    """Apply absorption from the greatest value down, then the patterns that depend on what is counted (``then``)."""
    ruleset = reading.r.ruleset
    scored = ruleset.scored_class(reading)
    patterns = ruleset.patterns
    valued = []
    for index, times in hits:
        value = patterns[index].value
        worth = value.constant if value.is_constant else value.function(scored)
        valued.append((index, times, worth))
    if ruleset.absorbs_any:
        valued.sort(key=lambda item: -item[2])
        absorbed = 0
        kept = []
        for item in valued:
            if not absorbed >> item[0] & 1:
                kept.append(item)
                absorbed |= patterns[item[0]].absorbs
        valued = kept
    else:
        absorbed = 0
    at_zero = ruleset.at_zero
    items = [item for item in valued if item[2] or item[0] in at_zero]
    times_of = scored.times_of
    for index, times, _ in items:
        times_of[patterns[index].id] = times
    for late in ruleset.late if then is None else then:
        if absorbed >> late.index & 1 or not late.exists.function(scored) or not late.when.function(scored):
            continue
        times = late.count.function(scored)
        value = late.value.constant if late.value.is_constant else late.value.function(scored)
        if times > 0 and (value or late.index in at_zero):
            items.append((late.index, times, value))
            times_of[late.id] = times
            if late.absorbs:
                absorbed |= late.absorbs
                for item in [item for item in items if late.absorbs >> item[0] & 1]:
                    items.remove(item)
                    del times_of[patterns[item[0]].id]
    items.sort()
    scored.items = items
    total_up(scored)
    return scored


def total_up(scored: ScoredEnv) -> None:
    """Set units and totals as attributes."""
    ruleset = scored.r.ruleset
    patterns = ruleset.patterns
    sums = dict(ruleset.unit_start)
    for index, times, value in scored.items:
        unit = patterns[index].pattern.unit
        combine = ruleset.unit_combine[unit]
        if combine == "sum":
            sums[unit] += times * value
        elif combine == "product":
            sums[unit] *= value**times
        else:
            sums[unit] = max(sums[unit], value)
    scored.units = sums
    members = scored.__dict__
    members.update(sums)
    for name, expression in ruleset.totals:
        members[name] = expression.function(scored)


def total_of(scored: ScoredEnv, name: str) -> int:
    value: int = scored.__dict__[name]
    return value


class Chooser:
    """Keeps the best of the readings offered."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.name = ruleset.document.score.best
        self.best: ScoredEnv | None = None
        self.worth = 0
        self.preference: tuple[object, ...] | None = None
        self.all: list[ScoredEnv] = []

    def offer(self, scored: ScoredEnv) -> None:
        worth = total_of(scored, self.name)
        if self.ruleset.document.score.union:
            self.all.append(scored)
        if self.best is None or worth > self.worth:
            self.best, self.worth, self.preference = scored, worth, None
        elif worth == self.worth and self.ruleset.prefer:
            if self.preference is None:
                self.preference = self.preferred(self.best)
            preference = self.preferred(scored)
            if preference > self.preference:
                self.best, self.preference = scored, preference

    def preferred(self, scored: ScoredEnv) -> tuple[object, ...]:
        return tuple(expression.function(scored) for expression in self.ruleset.prefer)

    def result(self) -> ScoredEnv:
        """The best reading; where the patterns of all readings count together, with those of equal worth added."""
        best = self.best
        assert best is not None
        if self.ruleset.document.score.union and len(self.all) > 1:
            items = {item[0]: item for scored in self.all for item in scored.items}
            patterns = self.ruleset.patterns
            highest: dict[str, int] = {}
            for index, _, value in items.values():
                unit = patterns[index].pattern.unit
                highest[unit] = max(highest.get(unit, value), value)
            best.items = sorted(
                item for item in items.values()
                if self.ruleset.unit_combine[patterns[item[0]].pattern.unit] != "highest"
                or item[2] == highest[patterns[item[0]].pattern.unit]
            )  # fmt: skip
            best.times_of = {patterns[index].id: times for index, times, _ in best.items}
            total_up(best)
        elif any(combine == "highest" for combine in self.ruleset.unit_combine.values()):
            patterns = self.ruleset.patterns
            best.items = [
                item for item in best.items
                if self.ruleset.unit_combine[patterns[item[0]].pattern.unit] != "highest"
                or item[2] == best.units[patterns[item[0]].pattern.unit]
            ]  # fmt: skip
            best.times_of = {patterns[index].id: times for index, times, _ in best.items}
        return best
