"""The parts of a compiled document: what the document says beside its compiled expressions."""

from __future__ import annotations

from dataclasses import dataclass, field

from .expressions import Expression
from .schema import Check, Comparison, Condition, Pattern, Payment


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


@dataclass(slots=True)
class CourseRules:
    """How a round runs: which wins are one happening, which of them stands, when the round is over."""

    together: Expression
    over: Expression
    prevail: list[Expression]


@dataclass(slots=True)
class NextRules:
    """What the next round starts from; ``state`` only holds the values that change."""

    when: Expression
    dealer: Expression
    streak: Expression
    round_wind: Expression
    state: dict[str, Expression] = field(default_factory=dict)
