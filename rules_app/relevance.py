"""What bears on a round: which of the table's values a game looks at, and which inputs and flags fit what was entered."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rules_app.engine import Refusal, Ruleset
from rules_app.engine.expressions import EvaluationFault, Expression
from rules_app.engine.hand import HandEnv
from rules_app.engine.parsing import parse_round
from rules_app.engine.settlement import Settlement
from rules_app.engine.tiles import tile_text


@lru_cache(maxsize=64)
def names_used(ruleset: Ruleset) -> frozenset[str]:
    """The names that scoring looks at; what only the next round looks at is left out."""
    expressions: list[Expression] = [fact.expression for fact in ruleset.facts]
    for pattern in ruleset.patterns:
        expressions += [pattern.exists, pattern.when, pattern.count, pattern.value]
    expressions += [condition.expression for condition in ruleset.conditions]
    for checks in (*ruleset.checks.values(), ruleset.quick_checks):
        expressions += [part for check in checks for part in (check.when, check.require)]
    expressions += [flag.when for flag in ruleset.flags.values()]
    expressions += [*ruleset.input_max.values(), *ruleset.input_when.values(), *ruleset.state_initial.values()]
    expressions += [expression for _name, expression in ruleset.totals]
    for payments in ruleset.payments.values():
        for payment in payments:
            expressions += [payment.when, payment.payer, payment.payee, payment.only_if, payment.amount]
            expressions += [domain for _name, domain in payment.each]
    return frozenset(name for expression in expressions for name in expression.names)


def table_values_used(ruleset: Ruleset) -> frozenset[str]:
    """Of dealer, streak, wind and the carried values, those that change what a round comes to."""
    names = names_used(ruleset)
    found = {name.removeprefix("state.") for name in names if name.startswith("state.")}
    if names & {"dealer", "wind_of()", "distance()"}:
        found.add("dealer")
    if "streak" in names:
        found.add("streak")
    if "round_wind" in names:
        found.add("wind")
    return frozenset(found)


def fitting(ruleset: Ruleset, request: Mapping[str, Any]) -> tuple[frozenset[str], frozenset[str]]:
    """The inputs that bear on the round, and the flags that fit its last event; all of them where that cannot be told."""
    inputs, flags = frozenset(ruleset.document.inputs), frozenset(ruleset.document.flags)
    events = list(request.get("round", {}).get("events", []))
    if events and events[-1].get("type") == "win":
        win = dict(events[-1])
        win.pop("flags", None)
        if "declared" not in win:
            win.setdefault("tile", tile_text(ruleset.playing_kinds[0]))
            win.setdefault("hand", "")
        events[-1] = win
    try:
        settlement = Settlement(ruleset, parse_round(ruleset, {**request, "round": {**request.get("round", {}), "events": events}}))
        settlement.group_wins()
        inputs = frozenset(name for name in inputs if ruleset.input_when[name].function(settlement.env))
    except (Refusal, EvaluationFault):
        return inputs, flags
    try:
        env = settlement.environment(settlement.events[-1]) if settlement.events else None
        if isinstance(env, HandEnv):
            flags = frozenset(name for name in flags if ruleset.flags[name].when.function(env))
    except (Refusal, EvaluationFault):
        pass
    return inputs, flags
