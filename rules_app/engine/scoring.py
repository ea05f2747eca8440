"""From a hand to the reading that brings most: readings, conditions, patterns, absorption, totals."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING

from .counting import Chooser, count_patterns, scored_readings, total_of
from .errors import Refusal
from .groups import Group, Reading
from .hand import HandEnv
from .quick import score_declared
from .reading import ReadingEnv, ScoredEnv
from .sight import Sight
from .text import Text

if TYPE_CHECKING:
    from .ruleset import Ruleset


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
    chooser = Chooser(ruleset)
    seen = False
    furthest, failed = -1, None
    for alternative in _alternatives(hand):
        failed_hand = _failing(ruleset, "hand", alternative)
        met: set[tuple[object, ...]] = set()
        for reading in placed_readings(alternative):
            seen = True
            if failed_hand is not None:
                break
            at = _failing(ruleset, "reading", reading)
            if at is not None:
                if at > furthest:
                    furthest, failed = at, at
                continue
            if ruleset.hits_decide:
                same = (*reading.hits, *(expression.function(reading) for expression in ruleset.told_apart))
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
    scored = count_patterns(reading, ruleset.dealt_hits[hand.type](hand), then=())
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
    for reading in placed_readings(hand):
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
        best = max(best, total_of(scored, name))
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


def placed_readings(hand: HandEnv) -> Iterator[ReadingEnv]:
    """All readings, told apart by the place of the winning tile where anything depends on it.

    With wild tiles, of those that no rule of the game can tell apart the first.
    """
    ruleset = hand.r.ruleset
    make = ruleset.reading_class
    seen = _Seen(ruleset.sight) if hand.wild_count and ruleset.sight is not None else None
    for name, shape, groups in ruleset.readings(hand):
        placed = ruleset.uses_place and hand.tile is not None and groups
        for index, position in _places(hand, groups) if placed else ((-1, -1),):
            if seen is None or seen.first(name, groups, index, position):
                yield make(hand, name, shape, groups, index, position)


class _Seen:
    """Remembers readings by what the rules can see of them."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.numbers: dict[Hashable, int] = {}
        self.number_of: dict[Group, int] = {}
        self.met: set[tuple[object, ...]] = set()

    def first(self, shape: str, groups: Reading, index: int, position: int) -> bool:
        """Whether nothing like this has been met; the group of the winning tile is seen whole, the others in any order."""
        number_of = self.number_of
        try:
            numbers = [number_of[group] for group in groups]
        except KeyError:
            for group in groups:
                number_of[group] = self.numbers.setdefault(self.sight(group), len(self.numbers))
            numbers = [number_of[group] for group in groups]
        if index >= 0:
            del numbers[index]
        numbers.sort()
        key = (shape, groups[index] if index >= 0 else None, position, *numbers)
        if key in self.met:
            return False
        self.met.add(key)
        return True


def _places(hand: HandEnv, groups: Reading) -> list[tuple[int, int]]:
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
