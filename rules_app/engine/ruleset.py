"""A document made ready to score with: its tile set laid out, every expression compiled and checked."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .environment import RoundEnv
from .errors import DocumentFaults, Fault, Refusal
from .expressions import (
    BOOL,
    INT,
    KIND,
    NULL,
    SEAT,
    TILES,
    VALUES,
    Expression,
    ExpressionFault,
    Function,
    ListType,
    OptionalType,
    Scope,
    Symbol,
    TextType,
    Type,
    compile_expression,
    compile_function,
)
from .hand import HandEnv
from .naming import lazy
from .reading import ReadingEnv, ScoredEnv
from .readings import Reading, listed_readings, pair_readings, standard_readings
from .records import EVENT, SUIT_TEXT, TEXT
from .schema import Check, Comparison, Condition, Document, Expr, Pattern, Payment, Shape
from .scopes import LEVELS, Scopes, default_of
from .text import Text
from .tiles import TileTextError, parse_tiles, rank_of, suit_of

Locate = Callable[[str], tuple[int, int]]
PARAMETER_TYPES: Mapping[str, Type] = {
    "seat": SEAT, "tile": KIND, "number": INT, "suit": SUIT_TEXT, "event": EVENT, "text": TEXT,
}  # fmt: skip
TRUE = "true"


@dataclass(slots=True)
class Fact:
    """A named expression of the document, at the level that knows all its names."""

    name: str
    level: str
    expression: Expression


@dataclass(slots=True)
class CompiledPattern:
    """A pattern with its place in the table, its value and what it absorbs (as bits by place)."""

    id: str
    index: int
    pattern: Pattern
    level: str
    exists: Expression
    when: Expression
    count: Expression
    value: Expression
    declare: Expression
    absorbs: int = 0
    join: Expression | None = None


@dataclass(slots=True)
class CompiledCondition:
    """A condition to win and the level at which it is judged."""

    condition: Condition
    level: str
    expression: Expression


@dataclass(slots=True)
class CompiledCheck:
    """A check with its guard."""

    check: Check
    when: Expression
    require: Expression


@dataclass(slots=True)
class CompiledPayment:
    """A payment rule; ``each`` are its further variables in order."""

    rule: Payment
    when: Expression
    each: list[tuple[str, Expression]]
    payer: Expression
    payee: Expression
    only_if: Expression
    amount: Expression
    about: Expression | None


@dataclass(slots=True)
class CompiledFlag:
    """What must hold where a flag is set."""

    name: str
    when: Expression


@dataclass(slots=True)
class CompiledComparison:
    """How hands are compared."""

    rule: Comparison
    order: list[Expression]
    odds: Expression


@dataclass(slots=True, eq=False)
class Ruleset:
    """A compiled document. Made by `compile_ruleset`; never changes afterwards."""

    document: Document
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
    scopes: Scopes | None = None
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
    together: Expression | None = None
    prevail: list[Expression] = field(default_factory=list)
    over: Expression | None = None
    limit: Expression | None = None
    stand_in: Expression | None = None
    treasure: Expression | None = None
    all_drawn: Expression | None = None
    state_initial: dict[str, Expression] = field(default_factory=dict)
    next_when: Expression | None = None
    next_dealer: Expression | None = None
    next_streak: Expression | None = None
    next_wind: Expression | None = None
    next_state: dict[str, Expression] = field(default_factory=dict)
    players: Expression | None = None
    unit_start: dict[str, int] = field(default_factory=dict)
    unit_combine: dict[str, str] = field(default_factory=dict)
    absorbs_any: bool = False
    uses_place: bool = False
    hits_decide: bool = False
    """Whether readings with the same patterns score the same, whatever else tells them apart."""
    hand_hits: Callable[[HandEnv], list[tuple[int, int]]] | None = None
    reading_hits: Callable[[ReadingEnv], list[tuple[int, int]]] | None = None
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
    event_class: type[Any] = HandEnv
    reading_class: type[ReadingEnv] = ReadingEnv
    scored_class: type[ScoredEnv] = ScoredEnv
    _stands: dict[frozenset[int], tuple[bool, ...]] = field(default_factory=dict)
    comparison: CompiledComparison | None = None

    @property
    def win_points(self) -> bool | None:
        """Whether the points of a win are all that it brings (else a total of the score)."""
        return self.document.score.points_from_payments or None

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
            return standard_readings(
                hand.natural, hand.wild_count, sets=sets, stands_for=stands, chows=self.chow_starts
            )
        if shape.pairs is not None:
            if hand.melds:
                return []
            return pair_readings(
                hand.natural, hand.wild_count, pairs=shape.pairs, spare=shape.spare, stands_for=stands
            )
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
            assert self.hand_hits is not None
            of_hand = hand.__dict__["_hits"] = self.hand_hits(hand)
        assert self.reading_hits is not None
        return of_hand + self.reading_hits(reading)

    def score(self, request: Mapping[str, Any]) -> Any:
        """Score a round; see `rules_app.engine.settlement.score_round`."""
        from .settlement import score_round  # noqa: PLC0415 - circular: settlement works on rulesets

        return score_round(self, request)


def compile_ruleset(document: Document, locate: Locate | None = None) -> Ruleset:
    """Lay out the tile set and compile every expression.

    ``locate`` gives line and column of a path in the document's text.

    :raises DocumentFaults: with every fault found.
    """
    return _Compiler(document, locate or (lambda _path: (1, 1))).compile()


class _Compiler:
    def __init__(self, document: Document, locate: Locate) -> None:
        self.document = document
        self.locate = locate
        self.faults: list[Fault] = []
        self.ruleset = Ruleset(document)
        self.scopes = Scopes(document)
        self.ruleset.scopes = self.scopes

    def fault(self, path: str, message: Text, column: int = 0) -> None:
        line, start = self.locate(path)
        self.faults.append(Fault(line, start + max(0, column - 1), path, message))

    def tiles(self, path: str, text: str | None) -> list[int]:
        if text is None:
            return []
        try:
            return parse_tiles(text)
        except TileTextError as fault:
            self.fault(path, fault.message)
            return []

    def expression(
        self, path: str, source: Expr, scope: Scope, expects: Type | None, variables: Mapping[str, Type] | None = None
    ) -> Expression:
        """Compile, or note the fault and go on with a stand-in."""
        try:
            return compile_expression(source, scope, expects=expects, variables=variables)
        except ExpressionFault as fault:
            self.fault(path, fault.message, fault.column)
            return compile_expression(None, scope, variables=variables)

    def leveled(
        self, path: str, sources: Sequence[tuple[Expr, Type | None]], variables: Mapping[str, Type] | None = None,
        levels: Sequence[str] = LEVELS,
    ) -> tuple[str, list[Expression]]:  # fmt: skip
        """Compile expressions at the first level that knows all their names."""
        for level in levels[:-1]:
            try:
                return level, [
                    compile_expression(source, self.scopes[level], expects=expects, variables=variables)
                    for source, expects in sources
                ]
            except ExpressionFault:
                continue
        last = levels[-1]
        return last, [self.expression(path, source, self.scopes[last], expects, variables) for source, expects in sources]

    def compile(self) -> Ruleset:
        self.tile_set()
        self.defaults()
        self.fact_classes()
        self.units()
        self.shapes()
        self.patterns()
        self.score()
        self.conditions_and_checks()
        self.course()
        self.payments()
        self.next_round()
        self.comparison()
        self.references()
        if self.faults:
            raise DocumentFaults(sorted(self.faults, key=lambda fault: (fault.line, fault.column)))
        return self.ruleset

    # the tile set and the form of the round

    def tile_set(self) -> None:
        ruleset, document = self.ruleset, self.document
        ruleset.seats = tuple(range(document.seats))
        for place, group in enumerate(document.tiles.groups):
            for kind in self.tiles(f"tiles.groups[{place}].kinds", group.kinds):
                if ruleset.copies[kind]:
                    self.fault(f"tiles.groups[{place}].kinds", Text("同一种牌写了两次", "a kind of tile is listed twice"))
                ruleset.copies[kind] = group.copies
        flowers = frozenset(self.tiles("tiles.flowers", document.tiles.flowers))
        in_set = [kind for kind in range(42) if ruleset.copies[kind]]
        ruleset.flower_kinds = flowers
        ruleset.playing_kinds = tuple(kind for kind in in_set if kind not in flowers and kind < 34)
        ruleset.hand_kinds = frozenset(in_set if document.tiles.flowers_in_hand else ruleset.playing_kinds)
        suited = [kind for kind in ruleset.playing_kinds if kind < 27]
        ruleset.number_suits = tuple(suit for suit in "mps" if any(suit_of(kind) == suit for kind in suited))
        ruleset.ranks = tuple(sorted({rank_of(kind) for kind in suited}))
        if ruleset.ranks:
            ruleset.rank_range = (ruleset.ranks[0], ruleset.ranks[-1])
        starts = frozenset(
            kind for kind in suited
            if rank_of(kind) <= 7 and ruleset.copies[kind + 1] and ruleset.copies[kind + 2]
        )  # fmt: skip
        ruleset.chow_starts = None if len(starts) == 21 else starts
        for name, special in document.claims.special.items():
            ruleset.special_melds[name] = tuple(self.tiles(f"claims.special.{name}.tiles", special.tiles))
        for name, kong in document.events.kongs.items():
            if kong.tile is not None:
                ruleset.kong_tiles[name] = frozenset(self.tiles(f"events.kongs.{name}.tile", kong.tile))
            if kong.group is not None and kong.group not in document.claims.special:
                self.fault(f"events.kongs.{name}.group", Text("没有这种特殊组", "there is no such special meld"))
        wild = document.wild
        if wild is not None:
            ruleset.fixed_wild = tuple(self.tiles("wild.kinds", wild.kinds))
            ruleset.wild_when_discarded = wild.discarded == "wild"
            for place, ring in enumerate(wild.rings):
                kinds = self.tiles(f"wild.rings[{place}]", ring)
                for here, following in zip(kinds, [*kinds[1:], *kinds[:1]], strict=True):
                    ruleset.successors[here] = following
            if wild.turned is not None:
                ruleset.turned = dict(ruleset.successors)
                for given, result in wild.turned.instead.items():
                    pair = self.tiles("wild.turned.instead", given + result)
                    if len(pair) == 2:
                        ruleset.turned[pair[0]] = pair[1]
            if wild.stand_in is not None:
                self.tiles("wild.stand_in.tile", wild.stand_in.tile)
            self.tiles("wild.stands_for", wild.stands_for)

    def defaults(self) -> None:
        ruleset, document = self.ruleset, self.document
        ruleset.default_options = {name: option.default for name, option in document.options.items()}
        ruleset.no_flags = dict.fromkeys(document.flags, False)
        for specs in self.scopes.event_fields():
            ruleset.no_fields.update(dict.fromkeys(specs))
        for name, spec in document.inputs.items():
            default = default_of(spec, document.seats)
            if isinstance(default, str) and spec.type == "tile":
                default = next(iter(self.tiles(f"inputs.{name}.default", default)), None)
            ruleset.default_inputs[name] = default
        events = document.events
        known = [*(("win",) if events.win else ()), *(("kong",) if events.kongs else ())]
        known += ["draw"] if events.draw is not None else []
        known += ["penalty"] if events.penalties else []
        ruleset.event_types = (*known, *events.own)
        ruleset.dealt_events = frozenset(name for name, kind in events.own.items() if kind.dealt)
        for name in ruleset.dealt_events:
            hand = events.own[name].fields.get("hand")
            if hand is None or hand.type != "tiles" or not hand.required or not events.own[name].seat:
                message = Text(
                    "起手胡的事件要有 seat 和必填的 hand（tiles）", "a win on dealt tiles has a seat and a required hand of type tiles"
                )
                self.fault(f"events.own.{name}", message)

    # facts

    def fact_classes(self) -> None:
        document, ruleset = self.document, self.ruleset
        members: dict[str, dict[str, Any]] = {level: {} for level in LEVELS}
        for signature, source in document.facts.items():
            path = f"facts.{signature}"
            name, _, rest = signature.partition("(")
            variables: dict[str, Type] = {}
            for parameter in filter(None, (part.strip() for part in rest.rstrip(")").split(","))):
                variable, _, kind = (part.strip() for part in parameter.partition(":"))
                if kind and kind not in PARAMETER_TYPES:
                    known = ", ".join(PARAMETER_TYPES)
                    self.fault(path, Text(f"参数类型应为其中之一：{known}", f"a parameter is one of {known}"))
                variables[variable] = PARAMETER_TYPES.get(kind, SEAT)
            if self.scopes["scored"].find(name) is not None:
                self.fault(path, Text(f"{name} 已有别的意思", f"{name} means something else already"))
                continue
            levels = ("round", "event", "hand", "reading")
            level, (expression,) = self.leveled(path, [(source, None)], variables, levels)
            params = tuple(variables.values()) if rest else None
            doc = Text("这份规则自定的量", "a fact of this document")
            try:
                self.scopes.add(level, name, expression.type, doc, params)
            except ValueError:
                self.fault(path, Text(f"{name} 不能用作名字", f"{name} cannot be a name"))
                continue
            ruleset.facts.append(Fact(name, level, expression))
            if rest:
                members[level][name] = expression.function
            else:
                cached = lazy(expression.function)
                cached.name = name
                members[level][name] = cached
        event, hand = members["event"], members["hand"]
        from .environment import EventEnv  # noqa: PLC0415 - only here

        ruleset.round_class = type("RoundEnv", (RoundEnv,), members["round"])
        ruleset.event_class = type("EventEnv", (EventEnv,), event)
        ruleset.hand_class = type("HandEnv", (HandEnv,), {**event, **hand})
        ruleset.reading_class = type("ReadingEnv", (ReadingEnv,), members["reading"])

    def units(self) -> None:
        for name, unit in self.document.units.items():
            if self.scopes["scored"].find(name) is not None:
                self.fault(f"units.{name}", Text(f"{name} 已有别的意思", f"{name} means something else already"))
            else:
                doc = Text(f"{unit.name.zh}合计", f"{unit.name.en} in all")
                self.scopes.add("scored", name, INT, doc)
        for name, unit in self.document.units.items():
            self.ruleset.unit_combine[name] = unit.combine
            self.ruleset.unit_start[name] = 1 if unit.combine == "product" else 0
        self.ruleset.choose_units = frozenset(
            name for name, unit in self.document.units.items() if unit.combine == "choose"
        )

    def shapes(self) -> None:
        ruleset, document = self.ruleset, self.document
        hand = self.scopes["hand"]
        for name, shape in document.shapes.items():
            path = f"shapes.{name}"
            if shape.when is not True:
                ruleset.shape_when[name] = self.expression(f"{path}.when", shape.when, hand, BOOL)
            if shape.free is not None:
                ruleset.shape_free[name] = self.expression(f"{path}.free", shape.free, hand, BOOL)
            if shape.listed is not None:
                ruleset.shape_kinds[name] = tuple(self.tiles(f"{path}.listed", shape.listed))
            if shape.sets is not None and ruleset.main_shape is None:
                ruleset.main_shape = shape
                ruleset.main_sets = shape.sets
        wanted = document.waits.shapes
        for name in wanted or ():
            if name not in document.shapes:
                self.fault("waits.shapes", Text(f"没有 {name} 这种形", f"there is no shape {name}"))
        ruleset.wait_shapes = [
            shape for name, shape in document.shapes.items()
            if (name in wanted if wanted is not None else not shape.otherwise)
        ]  # fmt: skip
        ruleset.wait_kind_set = tuple(self.tiles("waits.kinds", document.waits.kinds))

    # patterns and score

    def patterns(self) -> None:
        ruleset, document = self.ruleset, self.document
        for index, (name, pattern) in enumerate(document.patterns.items()):
            path = f"patterns.{name}"
            if pattern.unit not in document.units:
                self.fault(f"{path}.unit", Text(f"没有 {pattern.unit} 这个单位", f"there is no unit {pattern.unit}"))
            join = None
            if pattern.join is not None:
                letters = dict.fromkeys("abcd"[: pattern.join.chows], INT)
                join = self.expression(f"{path}.join.when", pattern.join.when, self.scopes["round"], BOOL, letters)
            levels: tuple[str, ...] = ("hand", "reading", "scored")
            if pattern.on != "win":
                levels = ("hand",)
                if pattern.on not in ruleset.dealt_events:
                    self.fault(f"{path}.on", Text("on 应为 win 或起手胡的事件", "on is win or an event won on dealt tiles"))
            sources: list[tuple[Expr, Type | None]] = [(pattern.exists, BOOL), (pattern.when, BOOL), (pattern.count, INT)]
            level, (exists, when, count) = self.pattern_parts(path, sources, levels)
            value = self.expression(f"{path}.value", pattern.value, self.scopes["scored"], INT)
            declare = self.expression(f"{path}.declare", pattern.declare, self.scopes["hand"], BOOL)
            compiled = CompiledPattern(name, index, pattern, level, exists, when, count, value, declare, join=join)
            ruleset.patterns.append(compiled)
            ruleset.by_id[name] = compiled
            ruleset.unit_of[name] = pattern.unit
        for compiled in ruleset.patterns:
            for absorbed in compiled.pattern.absorbs:
                other = ruleset.by_id.get(absorbed)
                if other is None:
                    path = f"patterns.{compiled.id}.absorbs"
                    self.fault(path, Text(f"没有番种 {absorbed}", f"there is no pattern {absorbed}"))
                else:
                    compiled.absorbs |= 1 << other.index
        ruleset.absorbs_any = any(compiled.absorbs for compiled in ruleset.patterns)
        ruleset.at_zero = frozenset(c.index for c in ruleset.patterns if c.pattern.at_zero)
        ruleset.joins = [compiled for compiled in ruleset.patterns if compiled.join is not None]
        ruleset.late = [c for c in ruleset.patterns if c.level == "scored" and c.join is None]
        for name in ruleset.dealt_events:
            ruleset.dealt_hits[name] = self.fused("hand", name)
        ruleset.hand_hits = self.fused("hand")
        ruleset.reading_hits = self.fused("reading")

    def pattern_parts(
        self, path: str, sources: list[tuple[Expr, Type | None]], levels: Sequence[str]
    ) -> tuple[str, list[Expression]]:
        keys = ("exists", "when", "count")
        for level in levels[:-1]:
            try:
                return level, [
                    compile_expression(source, self.scopes[level], expects=expects) for source, expects in sources
                ]
            except ExpressionFault:
                continue
        last = levels[-1]
        return last, [
            self.expression(f"{path}.{key}", source, self.scopes[last], expects)
            for key, (source, expects) in zip(keys, sources, strict=True)
        ]

    def fused(self, level: str, on: str = "win") -> Callable[[Any], list[tuple[int, int]]]:
        """One function that evaluates all patterns of a level and gives those that hold."""
        body: list[ast.stmt] = [_assign("found", ast.List([], ast.Load()))]
        for compiled in self.ruleset.patterns:
            if compiled.level != level or compiled.join is not None or compiled.pattern.on != on:
                continue
            add: list[ast.stmt]
            if compiled.count.is_constant:
                add = [_append(compiled.index, ast.Constant(compiled.count.constant))]
                if not compiled.count.constant or compiled.count.constant < 0:
                    continue
            else:
                add = [
                    _assign("n", compiled.count.node),
                    ast.If(
                        ast.Compare(_name("n"), [ast.Gt()], [ast.Constant(0)]),
                        [_append(compiled.index, _name("n"))],
                        [],
                    ),
                ]
            tests = [part for part in (compiled.exists, compiled.when) if not (part.is_constant and part.constant)]
            if tests:
                nodes = [part.node for part in tests]
                test = nodes[0] if len(nodes) == 1 else ast.BoolOp(ast.And(), nodes)
                body.append(ast.If(test, add, []))
            else:
                body += add
        body.append(ast.Return(_name("found")))
        return compile_function(["e"], body, name=f"{level}_hits")

    def score(self) -> None:
        ruleset, score = self.ruleset, self.document.score
        for name, source in score.totals.items():
            path = f"score.totals.{name}"
            expression = self.expression(path, source, self.scopes["scored"], INT)
            if self.scopes["scored"].find(name) is not None:
                self.fault(path, Text(f"{name} 已有别的意思", f"{name} means something else already"))
                continue
            self.scopes.add("scored", name, INT, Text("得分的一步", "a step of the score"))
            ruleset.totals.append((name, expression))
        names = {*score.totals, *self.document.units}
        for key in ("best", "fan", "points"):
            total = getattr(score, key)
            if total is not None and total not in names:
                self.fault(f"score.{key}", Text(f"没有 {total} 这一步", f"there is no total {total}"))
        for place, source in enumerate(score.prefer):
            ruleset.prefer.append(self.expression(f"score.prefer[{place}]", source, self.scopes["scored"], None))
            if ruleset.prefer[-1].type not in (INT, BOOL, VALUES, NULL):
                self.fault(f"score.prefer[{place}]", Text("这里要一个数或是非", "a number or a yes/no is wanted here"))

    def conditions_and_checks(self) -> None:
        ruleset, document = self.ruleset, self.document
        for place, condition in enumerate(document.conditions):
            path = f"conditions[{place}].require"
            levels = ("hand", "reading", "scored")
            level, (expression,) = self.leveled(path, [(condition.require, BOOL)], None, levels)
            ruleset.conditions.append(CompiledCondition(condition, level, expression))
        ruleset.judges_waits = any(c.condition.waits for c in ruleset.conditions)
        for place, check in enumerate(document.checks):
            compiled = self.check(f"checks[{place}]", check)
            ruleset.checks.setdefault(check.on, []).append(compiled)
        for place, check in enumerate(document.quick.checks):
            path = f"quick.checks[{place}]"
            scope = self.scopes["scored"]
            when = self.expression(f"{path}.when", check.when, scope, BOOL)
            require = self.expression(f"{path}.require", check.require, scope, BOOL)
            ruleset.quick_checks.append(CompiledCheck(check, when, require))
        for name, flag in document.flags.items():
            ruleset.flags[name] = CompiledFlag(
                name, self.expression(f"flags.{name}.when", flag.when, self.scopes["hand"], BOOL)
            )
        for name, spec in document.inputs.items():
            if spec.max is not None and not isinstance(spec.max, int):
                ruleset.input_max[name] = self.expression(f"inputs.{name}.max", spec.max, self.scopes["round"], INT)
            ruleset.input_when[name] = self.expression(f"inputs.{name}.when", spec.when, self.scopes["round"], BOOL)
        for name, state in document.state.items():
            types: dict[str, Type] = {"integer": INT, "flag": BOOL, "seat": SEAT}
            expects: Type = types.get(state.type) or ListType(SEAT, document.seats)
            if state.per_seat:
                expects = ListType(expects, document.seats)
            source = state.initial
            if source is None:
                source = {"integer": 0, "flag": False, "seat": 0}.get(state.type, "[]")
                if state.per_seat:
                    source = f"list({source} for s in seats)"
            ruleset.state_initial[name] = self.expression(
                f"state.{name}.initial", source, self.scopes["round"], expects
            )

    def check(self, path: str, check: Check) -> CompiledCheck:
        known = {"round", "end", "event", "win", "hand", "kong", "draw", "penalty", *self.document.events.own}
        known |= set(self.document.events.penalties)
        if check.on not in known:
            names = ", ".join(sorted(known))
            self.fault(f"{path}.on", Text(f"on 应为其中之一：{names}", f"on is one of {names}"))
        scope = self.scope_of(check.on, scored=False)
        return CompiledCheck(
            check,
            self.expression(f"{path}.when", check.when, scope, BOOL),
            self.expression(f"{path}.require", check.require, scope, BOOL),
        )

    def scope_of(self, on: str, *, scored: bool) -> Scope:
        if on == "round":
            return self.scopes["round"]
        if on == "win":
            return self.scopes["scored" if scored else "hand"]
        if on in self.ruleset.dealt_events:
            return self.scopes["scored" if scored else "hand"]
        if on == "hand":
            return self.scopes["hand"]
        return self.scopes.for_event(on)

    # the course of the round and its money

    def course(self) -> None:
        ruleset, course = self.ruleset, self.document.course
        ruleset.together = self.expression("course.together", course.together, self.scopes["round"], BOOL)
        ruleset.over = self.expression("course.over", course.over, self.scopes["event"], BOOL)
        ruleset.prevail = [
            self.expression(f"course.prevail[{place}]", source, self.scopes["scored"], INT)
            for place, source in enumerate(course.prevail)
        ]
        if self.document.tiles.limit is not None:
            ruleset.limit = self.expression(
                "tiles.limit", self.document.tiles.limit, self.scopes["round"], INT, {"k": KIND}
            )
        wild = self.document.wild
        if wild is not None and wild.stand_in is not None:
            ruleset.stand_in = self.expression("wild.stand_in.when", wild.stand_in.when, self.scopes["round"], BOOL)
        if self.document.treasure is not None:
            ruleset.treasure = self.expression("treasure", self.document.treasure, self.scopes["hand"], BOOL)
        if self.document.all_drawn is not None:
            ruleset.all_drawn = self.expression("all_drawn", self.document.all_drawn, self.scopes["hand"], BOOL)
        if self.document.parties is not None:
            ruleset.players = self.expression(
                "parties.players", self.document.parties.players, self.scopes["event"], ListType(TEXT, 200)
            )

    def payments(self) -> None:
        known = {"win", "kong", "draw", "penalty", "end", *self.document.events.own, *self.document.events.penalties}
        for place, rule in enumerate(self.document.payments):
            path = f"payments[{place}]"
            if rule.on not in known:
                names = ", ".join(sorted(known))
                self.fault(f"{path}.on", Text(f"on 应为其中之一：{names}", f"on is one of {names}"))
            scope = self.scope_of(rule.on, scored=True)
            when = self.expression(f"{path}.when", rule.when, scope, BOOL)
            variables: dict[str, Type] = {}
            each = []
            for name, source in rule.each.items():
                domain = self.expression(f"{path}.each.{name}", source, scope, None, dict(variables))
                if not isinstance(domain.type, ListType) and domain.type != NULL:
                    self.fault(f"{path}.each.{name}", Text("这里要一个列表", "a list is wanted here"))
                each.append((name, domain))
                variables[name] = domain.type.item if isinstance(domain.type, ListType) else INT
            payer = self.seats_expression(f"{path}.from", rule.payer, scope, variables)
            payee = self.seats_expression(f"{path}.to", rule.payee, scope, variables)
            pair = {**variables, "payer": SEAT, "payee": SEAT}
            only_if = self.expression(f"{path}.only_if", rule.only_if, scope, BOOL, pair)
            amount = self.expression(f"{path}.amount", rule.amount, scope, INT, pair)
            about = None
            if rule.about is not None:
                about = self.expression(f"{path}.about", rule.about, scope, OptionalType(EVENT), pair)
            self.ruleset.payments.setdefault(rule.on, []).append(
                CompiledPayment(rule, when, each, payer, payee, only_if, amount, about)
            )

    def seats_expression(self, path: str, source: Expr, scope: Scope, variables: Mapping[str, Type]) -> Expression:
        expression = self.expression(path, source, scope, None, variables)
        type_ = expression.type.item if isinstance(expression.type, OptionalType) else expression.type
        item = type_.item if isinstance(type_, ListType) else type_
        if item not in (SEAT, INT, NULL):
            self.fault(path, Text("这里要一个座位或座位的列表", "a seat or a list of seats is wanted here"))
        return expression

    def next_round(self) -> None:
        ruleset, following = self.ruleset, self.document.next
        scope = self.scopes["event"]
        ruleset.next_when = self.expression("next.when", following.when, scope, BOOL)
        ruleset.next_dealer = self.expression("next.dealer", following.dealer, scope, OptionalType(SEAT))
        variables: dict[str, Type] = {"next_dealer": OptionalType(SEAT)}
        ruleset.next_streak = self.expression("next.streak", following.streak, scope, INT, variables)
        ruleset.next_wind = self.expression("next.round_wind", following.round_wind, scope, KIND, variables)
        for name, source in following.state.items():
            path = f"next.state.{name}"
            if name not in self.document.state:
                self.fault(path, Text(f"没有 {name} 这个值", f"the table carries no {name}"))
                continue
            expects = ruleset.state_initial[name].type if name in ruleset.state_initial else None
            state = self.document.state[name]
            if state.type == "seats":
                expects = ListType(SEAT, 8)
            elif state.per_seat:
                expects = ListType(INT, 8) if state.type == "integer" else None
            ruleset.next_state[name] = self.expression(path, source, scope, expects, variables)

    def comparison(self) -> None:
        comparison = self.document.comparison
        if comparison is None:
            return
        spec = self.document.events.own.get(comparison.event)
        for name in (comparison.against, comparison.sides):
            if spec is None or name not in spec.fields:
                self.fault("comparison", Text(f"事件里没有 {name} 这一项", f"the event has no field {name}"))
        scope = self.scopes["scored"]
        order = [
            self.expression(f"comparison.order[{place}]", source, scope, INT)
            for place, source in enumerate(comparison.order)
        ]
        odds = self.expression("comparison.odds", comparison.odds, scope, INT, {"side": INT})
        self.ruleset.comparison = CompiledComparison(comparison, order, odds)

    # what refers to what

    def references(self) -> None:
        ruleset, document = self.ruleset, self.document
        for expression in self.all_expressions():
            for name, literal in expression.calls:
                if name in ("counted", "times", "declares") and literal is not None and literal not in document.patterns:
                    self.fault_of(expression, Text(f"没有番种 {literal}", f"there is no pattern {literal}"))
                if name == "counted_in" and literal is not None and literal not in document.units:
                    self.fault_of(expression, Text(f"没有单位 {literal}", f"there is no unit {literal}"))
                if name == "flagged" and literal is not None and literal not in document.flags:
                    self.fault_of(expression, Text(f"没有标记 {literal}", f"there is no flag {literal}"))
                if name == "win_worth" and literal is not None and literal not in {*document.units, *document.score.totals}:
                    self.fault_of(expression, Text(f"没有 {literal} 这个单位或这一步", f"there is no unit or total {literal}"))
                if name == "entered" and literal is not None and literal not in document.inputs:
                    self.fault_of(expression, Text(f"没有 {literal} 这一项", f"there is no input {literal}"))
        used = {name for expression in self.all_expressions() for name in expression.names}
        ruleset.uses_place = bool(
            used & {"place", "place_tile", "place_wilds", "concealed_triplets", "sets"}
        )
        ruleset.hits_decide = not ruleset.joins and self.hits_decide()
        for gap in document.gaps:
            if gap.option is not None and gap.option not in document.options:
                self.fault("gaps", Text(f"没有选项 {gap.option}", f"there is no option {gap.option}"))
        for name in (name for names in document.quick.exclusive for name in names):
            if name not in document.patterns:
                self.fault("quick.exclusive", Text(f"没有番种 {name}", f"there is no pattern {name}"))
        for clash in document.quick.clashes:
            for name in (*clash.these, *clash.beside):
                if name not in document.patterns:
                    self.fault("quick.clashes", Text(f"没有番种 {name}", f"there is no pattern {name}"))

    def hits_decide(self) -> bool:
        """Whether nothing that comes after the patterns looks at the reading again."""
        ruleset = self.ruleset
        after = [pattern.value for pattern in ruleset.patterns]
        for late in ruleset.late:
            after += [late.exists, late.when, late.count]
        after += [expression for _, expression in ruleset.totals] + ruleset.prefer
        after += [condition.expression for condition in ruleset.conditions if condition.level == "scored"]
        of_reading = set(self.scopes["reading"].names()) - set(self.scopes["hand"].names())
        return not any(expression.names & of_reading for expression in after)

    def fault_of(self, expression: Expression, message: Text) -> None:
        self.fault(f"expression {expression.source!r}", message)

    def all_expressions(self) -> list[Expression]:
        return list(expressions_of(self.ruleset))


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
    found += [expression for _, expression in ruleset.totals] + ruleset.prefer + ruleset.prevail
    for payments in ruleset.payments.values():
        for payment in payments:
            found += [payment.when, payment.payer, payment.payee, payment.only_if, payment.amount]
            found += [payment.about] if payment.about else []
            found += [domain for _, domain in payment.each]
    if ruleset.comparison is not None:
        found += [*ruleset.comparison.order, ruleset.comparison.odds]
    found += [*ruleset.shape_when.values(), *ruleset.shape_free.values(), *ruleset.next_state.values()]
    single = (
        ruleset.together, ruleset.over, ruleset.limit, ruleset.stand_in, ruleset.treasure, ruleset.all_drawn, ruleset.next_when,
        ruleset.next_dealer, ruleset.next_streak, ruleset.next_wind, ruleset.players,
    )  # fmt: skip
    return found + [expression for expression in single if expression is not None]


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _append(index: int, count: ast.expr) -> ast.stmt:
    call = ast.Call(
        ast.Attribute(_name("found"), "append", ast.Load()),
        [ast.Tuple([ast.Constant(index), count], ast.Load())],
        [],
    )
    return ast.Expr(call)


__all__ = ["TILES", "Function", "Refusal", "Ruleset", "Symbol", "TextType", "compile_ruleset", "expressions_of"]
