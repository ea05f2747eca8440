"""A document made ready to score with: its tile set laid out, every expression compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .compiled import (
    CompiledCheck,
    CompiledComparison,
    CompiledCondition,
    CompiledFlag,
    CompiledPattern,
    CompiledPayment,
    CourseRules,
    Fact,
    NextRules,
)
from .environment import EventEnv, RoundEnv
from .expressions import Expression
from .groups import Reading
from .hand import HandEnv
from .pair_readings import listed_readings, pair_readings
from .reading import ReadingEnv, ScoredEnv
from .readings import standard_readings
from .schema import Document, Shape
from .scopes import Scopes
from .sight import Sight
from .tiles import parse_tiles


@dataclass(slots=True, eq=False)
class Ruleset:
    """A compiled document. Made by `compile_ruleset`; never changes afterwards."""

    document: Document
    scopes: Scopes
    course: CourseRules = field(init=False)
    next: NextRules = field(init=False)
    seats: tuple[int, ...] = ()
    copies: list[int] = field(default_factory=lambda: [0] * 42)
    playing_kinds: tuple[int, ...] = ()
    hand_kinds: frozenset[int] = frozenset()
    flower_kinds: frozenset[int] = frozenset()
    number_suits: tuple[str, ...] = ()
    ranks: tuple[int, ...] = ()
    rank_range: tuple[int, int] = (1, 9)
    chow_starts: frozenset[int] | None = None
    fixed_wild: tuple[int, ...] = ()
    wild_when_discarded: bool = True
    successors: dict[int, int] = field(default_factory=dict)
    turned: dict[int, int] = field(default_factory=dict)
    default_options: dict[str, Any] = field(default_factory=dict)
    default_inputs: dict[str, Any] = field(default_factory=dict)
    no_flags: dict[str, bool] = field(default_factory=dict)
    no_fields: dict[str, None] = field(default_factory=dict)
    event_types: tuple[str, ...] = ()
    dealt_events: frozenset[str] = frozenset()
    special_melds: dict[str, tuple[int, ...]] = field(default_factory=dict)
    kong_tiles: dict[str, frozenset[int]] = field(default_factory=dict)
    main_shape: Shape | None = None
    main_sets: int = 4
    wait_shapes: list[Shape] = field(default_factory=list)
    wait_kind_set: tuple[int, ...] = ()
    shape_kinds: dict[str, tuple[int, ...]] = field(default_factory=dict)
    shape_when: dict[str, Expression] = field(default_factory=dict)
    shape_free: dict[str, Expression] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    patterns: list[CompiledPattern] = field(default_factory=list)
    by_id: dict[str, CompiledPattern] = field(default_factory=dict)
    unit_of: dict[str, str] = field(default_factory=dict)
    conditions: list[CompiledCondition] = field(default_factory=list)
    judges_waits: bool = False
    checks: dict[str, list[CompiledCheck]] = field(default_factory=dict)
    quick_checks: list[CompiledCheck] = field(default_factory=list)
    flags: dict[str, CompiledFlag] = field(default_factory=dict)
    input_max: dict[str, Expression] = field(default_factory=dict)
    input_when: dict[str, Expression] = field(default_factory=dict)
    totals: list[tuple[str, Expression]] = field(default_factory=list)
    prefer: list[Expression] = field(default_factory=list)
    payments: dict[str, list[CompiledPayment]] = field(default_factory=dict)
    limit: Expression | None = None
    stand_in: Expression | None = None
    treasure: Expression | None = None
    all_drawn: Expression | None = None
    state_initial: dict[str, Expression] = field(default_factory=dict)
    players: Expression | None = None
    unit_start: dict[str, int] = field(default_factory=dict)
    unit_combine: dict[str, str] = field(default_factory=dict)
    absorbs_any: bool = False
    uses_place: bool = False
    told_apart: list[Expression] = field(default_factory=list)
    """What is preferred of readings and seen in the reading alone; it tells readings with the same patterns apart."""
    hits_decide: bool = False
    """Whether readings with the same patterns score the same, whatever else tells them apart."""
    sight: Sight | None = None
    """What of a group the rules can tell apart; None where it is everything."""
    hand_hits: Callable[[HandEnv], list[tuple[int, int]]] = field(init=False)
    reading_hits: Callable[[ReadingEnv], list[tuple[int, int]]] = field(init=False)
    dealt_hits: dict[str, Callable[[HandEnv], list[tuple[int, int]]]] = field(default_factory=dict)
    late: list[CompiledPattern] = field(default_factory=list)
    at_zero: frozenset[int] = frozenset()
    """Patterns that are listed even where they are worth 0."""
    joins: list[CompiledPattern] = field(default_factory=list)
    joinings: dict[tuple[Any, ...], list[list[tuple[int, int]]]] = field(default_factory=dict)
    """Ways to join chows into patterns, remembered by the chows."""
    choose_units: frozenset[str] = frozenset()
    round_class: type[RoundEnv] = RoundEnv
    hand_class: type[HandEnv] = HandEnv
    event_class: type[EventEnv] = EventEnv
    reading_class: type[ReadingEnv] = ReadingEnv
    scored_class: type[ScoredEnv] = ScoredEnv
    _stands: dict[frozenset[int], tuple[bool, ...]] = field(default_factory=dict)
    comparison: CompiledComparison | None = None

    # what depends on the round

    def reads(self, env: RoundEnv) -> Mapping[int, int]:
        """The kinds that are read as another this round."""
        cached: Mapping[int, int] | None = env.__dict__.get("_reads")
        if cached is None:
            cached = {}
            wild = self.document.wild
            if self.stand_in is not None and wild and wild.stand_in and env.wild_kinds:
                kind = parse_tiles(wild.stand_in.tile)[0]
                if self.stand_in.function(env):
                    cached = {kind: env.wild_kinds[0]}
            env.__dict__["_reads"] = cached
        return cached

    def stands_for(self, env: RoundEnv) -> tuple[bool, ...] | None:
        """By kind, whether a wild tile may stand for it (null: no wild tiles)."""
        if not env.wild_set:
            return None
        found = self._stands.get(env.wild_set)
        if found is None:
            wild = self.document.wild
            allowed = set(self.playing_kinds)
            if wild is not None and wild.stands_for is not None:
                allowed = set(parse_tiles(wild.stands_for))
            found = tuple(kind in allowed for kind in range(34))
            self._stands[env.wild_set] = found
        return found

    def copy_limit(self, env: RoundEnv, kind: int, own: Sequence[int] | None = None) -> int:
        """How many copies of a kind can be in play this round."""
        most: int = self.copies[kind] if self.limit is None else self.limit.function(env, kind)
        wild = self.document.wild
        if own is not None and wild is not None and wild.most is not None and kind in env.wild_set:
            others = sum(own[other] for other in env.wild_set) - own[kind]
            most = min(most, wild.most - others)
        return most

    def wait_kinds(self, env: RoundEnv) -> Sequence[int]:
        """The kinds that may be waits."""
        if self.document.waits.kinds is not None:
            return self.wait_kind_set
        extra = [kind for kind in env.wild_kinds if kind not in self.playing_kinds]
        return [*self.playing_kinds, *extra]

    # shapes

    def fits(self, shape: Shape, hand: HandEnv) -> bool:
        """Whether the hand with its winning tile has the shape."""
        return bool(self.readings_of_shape(shape, self.shape_id(shape), hand))

    def shape_id(self, shape: Shape) -> str:
        """The id of one of the document's shapes."""
        return next(name for name, other in self.document.shapes.items() if other is shape)

    def readings_of_shape(self, shape: Shape, name: str, hand: HandEnv) -> list[Reading]:
        """Every division of the hand into the groups of the shape; a free shape has one, empty."""
        when = self.shape_when.get(name)
        if when is not None and not when.function(hand):
            return []
        stands = self.stands_for(hand.r)
        if shape.sets is not None:
            sets = shape.sets - len(hand.melds)
            if sets < 0:
                return []
            # A group of wild tiles only is known by what the rules see of it, unless the winning tile may lie in it.
            placed = self.uses_place and (hand.winning_wild or hand.all_drawn)
            return standard_readings(
                hand.natural, hand.wild_count, sets=sets, stands_for=stands, chows=self.chow_starts, alike=self.sight, one_whole=placed
            )
        if shape.pairs is not None:
            if hand.melds:
                return []
            return pair_readings(hand.natural, hand.wild_count, pairs=shape.pairs, spare=shape.spare, stands_for=stands)
        if shape.listed is not None:
            if hand.melds:
                return []
            return listed_readings(hand.natural, hand.wild_count, self.shape_kinds[name], stands_for=stands)
        return [()] if self.shape_free[name].function(hand) else []

    def readings(self, hand: HandEnv) -> list[tuple[str, Shape, Reading]]:
        """All readings of a complete hand, over all shapes."""
        found = []
        for name, shape in self.document.shapes.items():
            if not shape.otherwise:
                found += [(name, shape, reading) for reading in self.readings_of_shape(shape, name, hand)]
        if not found:
            for name, shape in self.document.shapes.items():
                if shape.otherwise:
                    found += [(name, shape, reading) for reading in self.readings_of_shape(shape, name, hand)]
        return found

    def hits(self, reading: ReadingEnv) -> list[tuple[int, int]]:
        """The patterns that hold of a reading (by place in the table) and how often, before absorption."""
        hand = reading.h
        of_hand: list[tuple[int, int]] | None = hand.__dict__.get("_hits")
        if of_hand is None:
            of_hand = hand.__dict__["_hits"] = self.hand_hits(hand)
        return of_hand + self.reading_hits(reading)

    def score(self, request: Mapping[str, Any]) -> Any:
        """Score a round; see `rules_app.engine.settlement.score_round`."""
        from .settlement import score_round  # noqa: PLC0415 - circular: settlement works on rulesets

        return score_round(self, request)


def expressions_of(ruleset: Ruleset) -> list[Expression]:
    """Every compiled expression of a ruleset."""
    found = [fact.expression for fact in ruleset.facts]
    for pattern in ruleset.patterns:
        found += [pattern.exists, pattern.when, pattern.count, pattern.value, pattern.declare]
        found += [pattern.join] if pattern.join else []
    found += [condition.expression for condition in ruleset.conditions]
    for checks in (*ruleset.checks.values(), ruleset.quick_checks):
        for check in checks:
            found += [check.when, check.require]
    found += [flag.when for flag in ruleset.flags.values()]
    found += [*ruleset.input_max.values(), *ruleset.input_when.values(), *ruleset.state_initial.values()]
    found += [expression for _, expression in ruleset.totals] + ruleset.prefer + ruleset.course.prevail
    for payments in ruleset.payments.values():
        for payment in payments:
            found += [payment.when, payment.payer, payment.payee, payment.only_if, payment.amount]
            found += [payment.about] if payment.about else []
            found += [domain for _, domain in payment.each]
    if ruleset.comparison is not None:
        found += [*ruleset.comparison.order, ruleset.comparison.odds]
    found += [*ruleset.shape_when.values(), *ruleset.shape_free.values(), *ruleset.next.state.values()]
    found += [ruleset.course.together, ruleset.course.over]
    found += [ruleset.next.when, ruleset.next.dealer, ruleset.next.streak, ruleset.next.round_wind]
    single = (ruleset.limit, ruleset.stand_in, ruleset.treasure, ruleset.all_drawn, ruleset.players)
    return found + [expression for expression in single if expression is not None]
