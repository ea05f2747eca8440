"""Why a condition holds or not: its parts, each with what it came to and the values it looked at."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from rules_app.engine.expressions.compiler import Expression, compile_expression
from rules_app.engine.expressions.faults import EvaluationFault, ExpressionFault
from rules_app.engine.expressions.parsing import Source, parse
from rules_app.engine.expressions.types import BOOL


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a condition. ``values`` are what it names, in the order of the text, each once.

    A part that joins others by ``and`` or ``or`` says so in ``joined`` and carries them in ``parts``.
    """

    source: str
    holds: bool
    values: list[tuple[str, Any]]
    parts: list[Part]
    joined: Literal["and", "or"] | None = None


@dataclass(frozen=True, slots=True)
class _Plan:
    """A part, compiled: itself, the values to show, or its parts."""

    expression: Expression
    shown: tuple[tuple[str, Expression], ...]
    parts: tuple[_Plan, ...]
    joined: Literal["and", "or"] | None


def explain(expression: Expression, e: Any, variables: tuple[Any, ...] = ()) -> list[Part]:
    """All parts that the condition joins by ``and``; one part when it joins none."""
    return [_evaluate(plan, e, variables) for plan in _plans(expression)]


def failing_parts(expression: Expression, e: Any, variables: tuple[Any, ...] = ()) -> list[Part]:
    """The parts joined by ``and`` that do not hold; of an ``or``, all alternatives are in its ``parts``.

    A part that cannot be evaluated on its own (it relied on an earlier part that fails) counts as not holding.
    """
    return [part for part in explain(expression, e, variables) if not part.holds]


@lru_cache(maxsize=2048)
def _plans(expression: Expression) -> tuple[_Plan, ...]:
    source = Source(expression.source)
    return tuple(_plan(expression, source, node) for node in _conjuncts(parse(source)))


def _conjuncts(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return [part for value in node.values for part in _conjuncts(value)]
    return [node]


def _alternatives(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        return [part for value in node.values for part in _alternatives(value)]
    return [node]


def _plan(whole: Expression, source: Source, node: ast.expr) -> _Plan:
    compiled = compile_expression(source.segment(node), whole.scope, expects=BOOL)
    if isinstance(node, ast.BoolOp):
        is_or = isinstance(node.op, ast.Or)
        nodes = _alternatives(node) if is_or else _conjuncts(node)
        return _Plan(compiled, (), tuple(_plan(whole, source, part) for part in nodes), "or" if is_or else "and")
    shown: dict[str, Expression] = {}
    _gather(whole, source, node, frozenset(), shown)
    return _Plan(compiled, tuple(shown.items()), (), None)


def _gather(whole: Expression, source: Source, node: ast.AST, loop_variables: frozenset[str], shown: dict[str, Expression]) -> None:
    """Finds the largest pieces of the text that are a name, a part of one, or a call of a declared function."""
    if isinstance(node, ast.GeneratorExp):
        targets = {loop.target.id for loop in node.generators if isinstance(loop.target, ast.Name)}
        loop_variables |= targets
    if isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call) and not (
        loop_variables & {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    ):
        text = source.segment(node)
        is_value = not isinstance(node, ast.Call) or (isinstance(node.func, ast.Name) and whole.scope.find(node.func.id) is not None)
        if is_value:
            try:
                compiled = compile_expression(text, whole.scope)
            except ExpressionFault:
                return  # The name of a function or a namespace, without what makes it a value.
            if not compiled.is_constant:
                shown.setdefault(text, compiled)
            return
    for child in ast.iter_child_nodes(node):
        if isinstance(node, ast.Call) and child is node.func:
            continue
        _gather(whole, source, child, loop_variables, shown)


def _evaluate(plan: _Plan, e: Any, variables: tuple[Any, ...]) -> Part:
    parts = [_evaluate(part, e, variables) for part in plan.parts]
    values = []
    for text, expression in plan.shown:
        try:
            values.append((text, expression.function(e, *variables)))
        except EvaluationFault:
            continue
    return Part(plan.expression.source, _holds(plan.expression, e, variables), values, parts, plan.joined)


def _holds(expression: Expression, e: Any, variables: tuple[Any, ...]) -> bool:
    try:
        return bool(expression.function(e, *variables))
    except EvaluationFault:
        return False
