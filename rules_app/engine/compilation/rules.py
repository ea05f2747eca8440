"""Conditions, checks, the course of a round, payments and what follows."""

from __future__ import annotations

from collections.abc import Mapping

from rules_app.engine.compiled import (
    CompiledCheck,
    CompiledComparison,
    CompiledCondition,
    CompiledFlag,
    CompiledPayment,
    CourseRules,
    NextRules,
)
from rules_app.engine.expressions import BOOL, INT, KIND, NULL, SEAT, Expression, ListType, OptionalType, Scope, Type
from rules_app.engine.records import EVENT, TEXT
from rules_app.engine.round import MAX_RECORDS
from rules_app.engine.schema import Check, Expr
from rules_app.engine.text import Text

from .compiler import Compiler


def compile_conditions(compiler: Compiler) -> None:
    """Conditions to win, checks, flags, inputs and the carried state."""
    ruleset, document = compiler.ruleset, compiler.document
    for place, condition in enumerate(document.conditions):
        path = f"conditions[{place}].require"
        levels = ("hand", "reading", "scored")
        level, (expression,) = compiler.leveled(path, [(condition.require, BOOL)], None, levels)
        ruleset.conditions.append(CompiledCondition(condition, level, expression))
    ruleset.judges_waits = any(c.condition.waits for c in ruleset.conditions)
    for place, check in enumerate(document.checks):
        compiled = _check(compiler, f"checks[{place}]", check)
        ruleset.checks.setdefault(check.on, []).append(compiled)
    for place, check in enumerate(document.quick.checks):
        path = f"quick.checks[{place}]"
        scope = compiler.scopes["scored"]
        when = compiler.expression(f"{path}.when", check.when, scope, BOOL)
        require = compiler.expression(f"{path}.require", check.require, scope, BOOL)
        ruleset.quick_checks.append(CompiledCheck(check, when, require))
    for name, flag in document.flags.items():
        ruleset.flags[name] = CompiledFlag(name, compiler.expression(f"flags.{name}.when", flag.when, compiler.scopes["hand"], BOOL))
    for name, spec in document.inputs.items():
        if spec.max is not None and not isinstance(spec.max, int):
            ruleset.input_max[name] = compiler.expression(f"inputs.{name}.max", spec.max, compiler.scopes["round"], INT)
        ruleset.input_when[name] = compiler.expression(f"inputs.{name}.when", spec.when, compiler.scopes["round"], BOOL)
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
        ruleset.state_initial[name] = compiler.expression(f"state.{name}.initial", source, compiler.scopes["round"], expects)


def _check(compiler: Compiler, path: str, check: Check) -> CompiledCheck:
    known = {"round", "end", "event", "win", "hand", "kong", "draw", "penalty", *compiler.document.events.own}
    known |= set(compiler.document.events.penalties)
    if check.on not in known:
        names = ", ".join(sorted(known))
        compiler.fault(f"{path}.on", Text(f"on 应为其中之一：{names}", f"on is one of {names}"))
    scope = compiler.scope_of(check.on, scored=False)
    return CompiledCheck(
        check,
        compiler.expression(f"{path}.when", check.when, scope, BOOL),
        compiler.expression(f"{path}.require", check.require, scope, BOOL),
    )


def compile_course(compiler: Compiler) -> None:
    """How a round runs, and the limits of its tiles."""
    ruleset, course = compiler.ruleset, compiler.document.course
    ruleset.course = CourseRules(
        compiler.expression("course.together", course.together, compiler.scopes["round"], BOOL),
        compiler.expression("course.over", course.over, compiler.scopes["event"], BOOL),
        [
            compiler.expression(f"course.prevail[{place}]", source, compiler.scopes["scored"], INT)
            for place, source in enumerate(course.prevail)
        ],
    )
    if compiler.document.tiles.limit is not None:
        ruleset.limit = compiler.expression("tiles.limit", compiler.document.tiles.limit, compiler.scopes["round"], INT, {"k": KIND})
    wild = compiler.document.wild
    if wild is not None and wild.stand_in is not None:
        ruleset.stand_in = compiler.expression("wild.stand_in.when", wild.stand_in.when, compiler.scopes["round"], BOOL)
    if compiler.document.treasure is not None:
        ruleset.treasure = compiler.expression("treasure", compiler.document.treasure, compiler.scopes["hand"], BOOL)
    if compiler.document.all_drawn is not None:
        ruleset.all_drawn = compiler.expression("all_drawn", compiler.document.all_drawn, compiler.scopes["hand"], BOOL)
    if compiler.document.parties is not None:
        ruleset.players = compiler.expression(
            "parties.players", compiler.document.parties.players, compiler.scopes["event"], ListType(TEXT, MAX_RECORDS)
        )


def compile_payments(compiler: Compiler) -> None:
    """Who pays whom on which event."""
    known = {"win", "kong", "draw", "penalty", "end", *compiler.document.events.own, *compiler.document.events.penalties}
    for place, rule in enumerate(compiler.document.payments):
        path = f"payments[{place}]"
        if rule.on not in known:
            names = ", ".join(sorted(known))
            compiler.fault(f"{path}.on", Text(f"on 应为其中之一：{names}", f"on is one of {names}"))
        scope = compiler.scope_of(rule.on, scored=True)
        when = compiler.expression(f"{path}.when", rule.when, scope, BOOL)
        variables: dict[str, Type] = {}
        each = []
        for name, source in rule.each.items():
            domain = compiler.expression(f"{path}.each.{name}", source, scope, None, dict(variables))
            if not isinstance(domain.type, ListType) and domain.type != NULL:
                compiler.fault(f"{path}.each.{name}", Text("这里要一个列表", "a list is wanted here"))
            each.append((name, domain))
            variables[name] = domain.type.item if isinstance(domain.type, ListType) else INT
        payer = _seats_expression(compiler, f"{path}.from", rule.payer, scope, variables)
        payee = _seats_expression(compiler, f"{path}.to", rule.payee, scope, variables)
        pair = {**variables, "payer": SEAT, "payee": SEAT}
        only_if = compiler.expression(f"{path}.only_if", rule.only_if, scope, BOOL, pair)
        amount = compiler.expression(f"{path}.amount", rule.amount, scope, INT, pair)
        about = None
        if rule.about is not None:
            about = compiler.expression(f"{path}.about", rule.about, scope, OptionalType(EVENT), pair)
        compiler.ruleset.payments.setdefault(rule.on, []).append(CompiledPayment(rule, when, each, payer, payee, only_if, amount, about))


def _seats_expression(compiler: Compiler, path: str, source: Expr, scope: Scope, variables: Mapping[str, Type]) -> Expression:
    expression = compiler.expression(path, source, scope, None, variables)
    type_ = expression.type.item if isinstance(expression.type, OptionalType) else expression.type
    item = type_.item if isinstance(type_, ListType) else type_
    if item not in (SEAT, INT, NULL):
        compiler.fault(path, Text("这里要一个座位或座位的列表", "a seat or a list of seats is wanted here"))
    return expression


def compile_next(compiler: Compiler) -> None:
    """What the next round starts from."""
    ruleset, following = compiler.ruleset, compiler.document.next
    scope = compiler.scopes["event"]
    variables: dict[str, Type] = {"next_dealer": OptionalType(SEAT)}
    ruleset.next = NextRules(
        compiler.expression("next.when", following.when, scope, BOOL),
        compiler.expression("next.dealer", following.dealer, scope, OptionalType(SEAT)),
        compiler.expression("next.streak", following.streak, scope, INT, variables),
        compiler.expression("next.round_wind", following.round_wind, scope, KIND, variables),
    )
    for name, source in following.state.items():
        path = f"next.state.{name}"
        if name not in compiler.document.state:
            compiler.fault(path, Text(f"没有 {name} 这个值", f"the table carries no {name}"))
            continue
        expects = ruleset.state_initial[name].type if name in ruleset.state_initial else None
        state = compiler.document.state[name]
        if state.type == "seats":
            expects = ListType(SEAT, 8)
        elif state.per_seat:
            expects = ListType(INT, 8) if state.type == "integer" else None
        ruleset.next.state[name] = compiler.expression(path, source, scope, expects, variables)


def compile_comparison(compiler: Compiler) -> None:
    """How the hands of a comparing game are ranked."""
    comparison = compiler.document.comparison
    if comparison is None:
        return
    spec = compiler.document.events.own.get(comparison.event)
    for name in (comparison.against, comparison.sides):
        if spec is None or name not in spec.fields:
            compiler.fault("comparison", Text(f"事件里没有 {name} 这一项", f"the event has no field {name}"))
    scope = compiler.scopes["scored"]
    order = [compiler.expression(f"comparison.order[{place}]", source, scope, INT) for place, source in enumerate(comparison.order)]
    odds = compiler.expression("comparison.odds", comparison.odds, scope, INT, {"side": INT})
    compiler.ruleset.comparison = CompiledComparison(comparison, order, odds)
