"""Units, patterns and the score; the conditions of all patterns of a level become one function."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from rules_app.engine.compiled import CompiledPattern
from rules_app.engine.expressions import BOOL, INT, NULL, VALUES, Expression, ExpressionFault, Type, compile_expression, compile_function
from rules_app.engine.schema import Expr
from rules_app.engine.text import Text

from .compiler import Compiler


def compile_units(compiler: Compiler) -> None:
    """Declare the units as names of a scored reading."""
    for name, unit in compiler.document.units.items():
        if compiler.scopes["scored"].find(name) is not None:
            compiler.fault(f"units.{name}", Text(f"{name} 已有别的意思", f"{name} means something else already"))
        else:
            doc = Text(f"{unit.name.zh}合计", f"{unit.name.en} in all")
            compiler.scopes.add("scored", name, INT, doc)
    for name, unit in compiler.document.units.items():
        compiler.ruleset.unit_combine[name] = unit.combine
        compiler.ruleset.unit_start[name] = 1 if unit.combine == "product" else 0
    compiler.ruleset.choose_units = frozenset(name for name, unit in compiler.document.units.items() if unit.combine == "choose")


def compile_patterns(compiler: Compiler) -> None:
    """Compile every pattern at the first level that knows its names."""
    ruleset, document = compiler.ruleset, compiler.document
    for index, (name, pattern) in enumerate(document.patterns.items()):
        path = f"patterns.{name}"
        if pattern.unit not in document.units:
            compiler.fault(f"{path}.unit", Text(f"没有 {pattern.unit} 这个单位", f"there is no unit {pattern.unit}"))
        join = None
        if pattern.join is not None:
            letters = dict.fromkeys("abcd"[: pattern.join.chows], INT)
            join = compiler.expression(f"{path}.join.when", pattern.join.when, compiler.scopes["round"], BOOL, letters)
        levels: tuple[str, ...] = ("hand", "reading", "scored")
        if pattern.on != "win":
            levels = ("hand",)
            if pattern.on not in ruleset.dealt_events:
                compiler.fault(f"{path}.on", Text("on 应为 win 或起手胡的事件", "on is win or an event won on dealt tiles"))
        sources: list[tuple[Expr, Type | None]] = [(pattern.exists, BOOL), (pattern.when, BOOL), (pattern.count, INT)]
        level, (exists, when, count) = _parts(compiler, path, sources, levels)
        value = compiler.expression(f"{path}.value", pattern.value, compiler.scopes["scored"], INT)
        declare = compiler.expression(f"{path}.declare", pattern.declare, compiler.scopes["hand"], BOOL)
        compiled = CompiledPattern(name, index, pattern, level, exists, when, count, value, declare, join=join)
        ruleset.patterns.append(compiled)
        ruleset.by_id[name] = compiled
        ruleset.unit_of[name] = pattern.unit
    for compiled in ruleset.patterns:
        for absorbed in compiled.pattern.absorbs:
            other = ruleset.by_id.get(absorbed)
            if other is None:
                path = f"patterns.{compiled.id}.absorbs"
                compiler.fault(path, Text(f"没有番种 {absorbed}", f"there is no pattern {absorbed}"))
            else:
                compiled.absorbs |= 1 << other.index
    ruleset.absorbs_any = any(compiled.absorbs for compiled in ruleset.patterns)
    ruleset.at_zero = frozenset(c.index for c in ruleset.patterns if c.pattern.at_zero)
    ruleset.joins = [compiled for compiled in ruleset.patterns if compiled.join is not None]
    ruleset.late = [c for c in ruleset.patterns if c.level == "scored" and c.join is None]
    for name in ruleset.dealt_events:
        ruleset.dealt_hits[name] = _fused(compiler, "hand", name)
    ruleset.hand_hits = _fused(compiler, "hand")
    ruleset.reading_hits = _fused(compiler, "reading")


def _parts(compiler: Compiler, path: str, sources: list[tuple[Expr, Type | None]], levels: Sequence[str]) -> tuple[str, list[Expression]]:
    keys = ("exists", "when", "count")
    for level in levels[:-1]:
        try:
            return level, [compile_expression(source, compiler.scopes[level], expects=expects) for source, expects in sources]
        except ExpressionFault:
            continue
    last = levels[-1]
    return last, [
        compiler.expression(f"{path}.{key}", source, compiler.scopes[last], expects)
        for key, (source, expects) in zip(keys, sources, strict=True)
    ]


def _fused(compiler: Compiler, level: str, on: str = "win") -> Callable[[Any], list[tuple[int, int]]]:
    """One function that evaluates all patterns of a level and gives those that hold."""
    body: list[ast.stmt] = [_assign("found", ast.List([], ast.Load()))]
    for compiled in compiler.ruleset.patterns:
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


def compile_score(compiler: Compiler) -> None:
    """The totals in order, and what is preferred among equal readings."""
    ruleset, score = compiler.ruleset, compiler.document.score
    for name, source in score.totals.items():
        path = f"score.totals.{name}"
        expression = compiler.expression(path, source, compiler.scopes["scored"], INT)
        if compiler.scopes["scored"].find(name) is not None:
            compiler.fault(path, Text(f"{name} 已有别的意思", f"{name} means something else already"))
            continue
        compiler.scopes.add("scored", name, INT, Text("得分的一步", "a step of the score"))
        ruleset.totals.append((name, expression))
    names = {*score.totals, *compiler.document.units}
    for key in ("best", "fan", "points"):
        total = getattr(score, key)
        if total is not None and total not in names:
            compiler.fault(f"score.{key}", Text(f"没有 {total} 这一步", f"there is no total {total}"))
    for place, source in enumerate(score.prefer):
        ruleset.prefer.append(compiler.expression(f"score.prefer[{place}]", source, compiler.scopes["scored"], None))
        if ruleset.prefer[-1].type not in (INT, BOOL, VALUES, NULL):
            compiler.fault(f"score.prefer[{place}]", Text("这里要一个数或是非", "a number or a yes/no is wanted here"))


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
