"""From a hand to the reading that brings most: readings, conditions, patterns, absorption, totals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from .errors import Refusal
from .hand import HandEnv
from .reading import ReadingEnv, ScoredEnv
from .readings import Reading
from .schema import Shape
from .text import Text
from .tiles import rank_of, suit_of

if TYPE_CHECKING:
    from .compiled import CompiledPattern
    from .ruleset import Ruleset

Hit = tuple[int, int]
MAX_JOININGS = 20_000


def score_win(hand: HandEnv, path: str) -> ScoredEnv:
    """The best scored reading of a winning hand.

    :raises Refusal: ``not_a_win`` where no shape fits, else the code of the condition that every reading fails.
    """
    return score_declared(hand, path) if hand.quick else best_of(hand, path)


def best_of(hand: HandEnv, path: str) -> ScoredEnv:
    """The best scored reading of a hand given by its tiles.

    :raises Refusal: as `score_win`.
    """
    ruleset = hand.r.ruleset
    chooser = _Chooser(ruleset)
    seen = False
    furthest, failed = -1, None
    for alternative in _alternatives(hand):
        failed_hand = _failing(ruleset, "hand", alternative)
        met: set[tuple[Hit, ...]] = set()
        for reading in _placed_readings(alternative):
            seen = True
            if failed_hand is not None:
                break
            at = _failing(ruleset, "reading", reading)
            if at is not None:
                if at > furthest:
                    furthest, failed = at, at
                continue
            if ruleset.hits_decide:
                same = tuple(reading.hits)
                if same in met:
                    continue
                met.add(same)
            for scored in scored_readings(reading):
                at = _failing(ruleset, "scored", scored)
                if at is None:
                    chooser.offer(scored)
                elif at > furthest:
                    furthest, failed = at, at
        if failed_hand is not None and failed is None and seen:
            failed = failed_hand
    if chooser.best is not None:
        return chooser.result()
    if not seen:
        raise Refusal("not_a_win", Text("这副牌不成胡牌的形", "the tiles form no winning shape"), f"{path}.hand")
    assert failed is not None
    condition = ruleset.conditions[failed].condition
    message = Text(condition.say.zh, condition.say.en)
    raise Refusal(condition.refuse, message, f"{path}.hand", condition.id)


def score_dealt(hand: HandEnv, path: str) -> ScoredEnv:
    """The patterns of the tiles dealt, where an own event is won on these.

    :raises Refusal: ``not_a_win`` where none of them holds.
    """
    ruleset = hand.r.ruleset
    reading = ruleset.reading_class(hand, hand.type, None, ())
    scored = _count(reading, ruleset.dealt_hits[hand.type](hand), then=())
    if not scored.items:
        words = ruleset.document.events.own[hand.type].name
        message = Text(f"起手的牌没有{words.zh}的任何一种", f"the tiles dealt hold no pattern of: {words.en}")
        raise Refusal("not_a_win", message, f"{path}.hand")
    return scored


def _failing(ruleset: Ruleset, level: str, env: HandEnv | ReadingEnv | ScoredEnv) -> int | None:
    """The place of the first condition of a level that does not hold."""
    for place, condition in enumerate(ruleset.conditions):
        if condition.level == level and not condition.expression.function(env):
            return place
    return None


def is_legal_wait(hand: HandEnv) -> bool:
    """Whether the hand with its tile satisfies the conditions that waits must satisfy (the shape is known to fit)."""
    ruleset = hand.r.ruleset
    levels: dict[str, list[int]] = {"hand": [], "reading": [], "scored": []}
    for place, condition in enumerate(ruleset.conditions):
        if condition.condition.waits:
            levels[condition.level].append(place)
    conditions = ruleset.conditions
    if not all(conditions[place].expression.function(hand) for place in levels["hand"]):
        return False
    if not levels["reading"] and not levels["scored"]:
        return True
    for reading in _placed_readings(hand):
        if not all(conditions[place].expression.function(reading) for place in levels["reading"]):
            continue
        if not levels["scored"]:
            return True
        for scored in scored_readings(reading):
            if all(conditions[place].expression.function(scored) for place in levels["scored"]):
                return True
    return False


def best_over_waits(hand: HandEnv) -> int:
    """The greatest ``score.best`` over the waits of a hand; 0 where it waits for nothing."""
    ruleset = hand.r.ruleset
    name = ruleset.document.score.best
    best = 0
    for kind in hand.waits:
        try:
            scored = score_win(hand.with_tile(kind, ruleset.document.waits.by), "")
        except Refusal:
            continue
        best = max(best, _total(scored, name))
    return best


def _alternatives(hand: HandEnv) -> Iterator[HandEnv]:
    """The hand as it is, and where the winning tile is a treasure, as each of its waits."""
    yield hand
    treasure = hand.r.ruleset.treasure
    if treasure is not None and hand.tile is not None and treasure.function(hand):
        for kind in hand.waits:
            if kind != hand.tile:
                again = hand.with_tile(hand.tile, hand.by, kind, hand.flags)
                again.__dict__["waits"] = hand.waits
                yield again


def _placed_readings(hand: HandEnv) -> Iterator[ReadingEnv]:
    """All readings, told apart by the place of the winning tile where anything depends on it."""
    ruleset = hand.r.ruleset
    make = ruleset.reading_class
    for name, shape, groups in ruleset.readings(hand):
        if not ruleset.uses_place or hand.tile is None or not groups:
            yield make(hand, name, shape, groups)
            continue
        for index, position in _places(hand, shape, groups):
            yield make(hand, name, shape, groups, index, position)


def _places(hand: HandEnv, shape: Shape, groups: Reading) -> list[tuple[int, int]]:
    """Where the winning tile can lie: the index of a group and, in a chow, the position."""
    found: list[tuple[int, int]] = []
    if hand.all_drawn:
        return [
            (index, position)
            for index, group in enumerate(groups)
            for position in range(len(group.tiles))
            if not position or group.form == "chow" or group.wild[position] != group.wild[0]
        ]
    seen = set()
    tile = hand.tile_as
    for index, group in enumerate(groups):
        if group in seen:
            continue
        seen.add(group)
        if hand.winning_wild:
            if group.form == "chow":
                found += [(index, position) for position in range(3) if group.wild[position]]
            elif group.wilds:
                found.append((index, 0))
        elif tile in group.natural:
            if group.form == "chow":
                position = tile - group.first
                if not group.wild[position]:
                    found.append((index, position))
            else:
                found.append((index, 0))
    return found or [(-1, -1)]


# patterns of a reading


def scored_readings(reading: ReadingEnv) -> Iterator[ScoredEnv]:
    """The ways to count the patterns of a reading; more than one where patterns exclude one another by choice."""
    ruleset = reading.r.ruleset
    hits = reading.hits
    if ruleset.choose_units:
        for chosen in _choices(ruleset, hits):
            yield from _with_joins(reading, chosen)
    else:
        yield from _with_joins(reading, hits)


def _choices(ruleset: Ruleset, hits: list[Hit]) -> Iterator[list[Hit]]:
    """Of each unit of which one pattern counts, every pattern in turn."""
    patterns = ruleset.patterns
    rest = [hit for hit in hits if patterns[hit[0]].pattern.unit not in ruleset.choose_units]
    lists = [
        [hit for hit in hits if patterns[hit[0]].pattern.unit == unit] for unit in sorted(ruleset.choose_units)
    ]
    options: list[list[Hit]] = [[]]
    for candidates in lists:
        if candidates:
            options = [[*option, hit] for option in options for hit in candidates]
    for option in options:
        yield sorted(option + rest)


def _with_joins(reading: ReadingEnv, hits: list[Hit]) -> Iterator[ScoredEnv]:
    ruleset = reading.r.ruleset
    if not ruleset.joins:
        yield _count(reading, hits)
        return
    for joined in _joinings(reading):
        yield _count(reading, sorted(hits + joined))


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
    env = _env(join, reading)
    return bool(join.exists.function(env) and join.when.function(env))


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


def _count(reading: ReadingEnv, hits: list[Hit], then: Sequence[CompiledPattern] | None = None) -> ScoredEnv:
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
    _total_up(scored)
    return scored


def _total_up(scored: ScoredEnv) -> None:
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


def _total(scored: ScoredEnv, name: str) -> int:
    value: int = scored.__dict__[name]
    return value


class _Chooser:
    """Keeps the best of the readings offered."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.name = ruleset.document.score.best
        self.best: ScoredEnv | None = None
        self.worth = 0
        self.preference: tuple[object, ...] | None = None
        self.all: list[ScoredEnv] = []

    def offer(self, scored: ScoredEnv) -> None:
        worth = _total(scored, self.name)
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
            _total_up(best)
        elif any(combine == "highest" for combine in self.ruleset.unit_combine.values()):
            patterns = self.ruleset.patterns
            best.items = [
                item for item in best.items
                if self.ruleset.unit_combine[patterns[item[0]].pattern.unit] != "highest"
                or item[2] == best.units[patterns[item[0]].pattern.unit]
            ]  # fmt: skip
            best.times_of = {patterns[index].id: times for index, times, _ in best.items}
        return best


# quick entry


def score_declared(hand: HandEnv, path: str) -> ScoredEnv:
    """Score the patterns that the table has agreed on; those that follow from the circumstances are added.

    :raises Refusal: ``bad_input`` for patterns that cannot stand together or are not allowed here.
    """
    ruleset = hand.r.ruleset
    event = hand.event_record
    assert event is not None and event.declared is not None
    place = f"{path}.declared"
    times: dict[str, int] = {}
    for name in event.declared:
        times[name] = times.get(name, 0) + 1
    reading = ruleset.reading_class(hand, "", None, ())
    for name, number in times.items():
        compiled = ruleset.by_id[name]
        words = compiled.pattern.name
        if number > compiled.pattern.repeat:
            raise _clash(f"{words.zh}只能计 {compiled.pattern.repeat} 次", f"{words.en} counts {compiled.pattern.repeat} time(s) at most", place)  # noqa: E501
        if (
            compiled.pattern.on != "win" or not compiled.exists.function(_env(compiled, reading))
            or not compiled.declare.function(hand)
        ):  # fmt: skip
            raise _clash(f"这里不能计{words.zh}", f"{words.en} cannot be counted here", place)
    for names in ruleset.document.quick.exclusive:
        both = [name for name in names if name in times]
        if len(both) > 1:
            raise _together(ruleset, both[0], both[1], place)
    for clash in ruleset.document.quick.clashes:
        ones = [name for name in clash.these if name in times]
        others = [name for name in clash.beside if name in times and name not in ones[:1]]
        if ones and others:
            raise _together(ruleset, ones[0], others[0], place)
    declared = ScoredEnv(reading)
    declared.times_of = dict(times)
    for check in ruleset.quick_checks:
        if check.when.function(declared) and not check.require.function(declared):
            say = check.check.say
            raise Refusal(check.check.refuse, Text(say.zh, say.en), place, check.check.id)
    hits = [(ruleset.by_id[name].index, number) for name, number in times.items()]
    late_given = {}
    for compiled in ruleset.patterns:
        if compiled.id in times:
            if compiled.level == "scored" and compiled.join is None:
                late_given[compiled.id] = times[compiled.id]
        elif compiled.pattern.follows and compiled.level != "scored" and compiled.pattern.on == "win":
            env = _env(compiled, reading)
            if compiled.exists.function(env) and compiled.when.function(env):
                number = compiled.count.function(env)
                if number > 0:
                    hits.append((compiled.index, number))
    best = None
    chooser = _Chooser(ruleset)
    candidates = _choices(ruleset, sorted(hits)) if ruleset.choose_units else iter([sorted(hits)])
    for chosen in candidates:
        chooser.offer(_count_declared(reading, chosen))
    best = chooser.result()
    for condition in ruleset.conditions:
        if condition.condition.quick:
            env = best if condition.level == "scored" else hand if condition.level == "hand" else reading
            if not condition.expression.function(env):
                say = condition.condition.say
                raise Refusal(condition.condition.refuse, Text(say.zh, say.en), place, condition.condition.id)
    return best


def _count_declared(reading: ReadingEnv, hits: list[Hit]) -> ScoredEnv:
    """Like `_count`, with the late patterns taken as declared unless they follow by themselves."""
    ruleset = reading.r.ruleset
    scored = ruleset.scored_class(reading)
    patterns = ruleset.patterns
    valued = []
    for index, times in hits:
        value = patterns[index].value
        valued.append((index, times, value.constant if value.is_constant else value.function(scored)))
    valued.sort(key=lambda item: (-item[2], item[0]))
    absorbed = 0
    items = []
    for item in valued:
        if not absorbed >> item[0] & 1 and (item[2] or item[0] in ruleset.at_zero):
            items.append(item)
            absorbed |= patterns[item[0]].absorbs
    scored.times_of = {patterns[index].id: times for index, times, _ in items}
    for late in ruleset.late:
        if late.pattern.follows and late.id not in scored.times_of and not absorbed >> late.index & 1:
            if late.exists.function(scored) and late.when.function(scored):
                times, value = late.count.function(scored), late.value.function(scored)
                if times > 0 and (value or late.index in ruleset.at_zero):
                    items.append((late.index, times, value))
                    scored.times_of[late.id] = times
    items.sort()
    scored.items = items
    _total_up(scored)
    return scored


def _env(compiled: CompiledPattern, reading: ReadingEnv) -> HandEnv | ReadingEnv | ScoredEnv:
    if compiled.level == "hand":
        return reading.h
    return reading if compiled.level == "reading" else ScoredEnv(reading)


def _clash(zh: str, en: str, path: str) -> Refusal:
    return Refusal("bad_input", Text(zh, en), path)


def _together(ruleset: Ruleset, one: str, other: str, path: str) -> Refusal:
    first, second = ruleset.by_id[one].pattern.name, ruleset.by_id[other].pattern.name
    return _clash(
        f"{first.zh}与{second.zh}不能同时计", f"{first.en} and {second.en} cannot stand together", path
    )
