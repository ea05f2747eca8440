"""What refers to what: names of patterns, units, flags and options must exist."""

from __future__ import annotations

from rules_app.engine.expressions import Expression, ExpressionFault, compile_expression
from rules_app.engine.ruleset import expressions_of
from rules_app.engine.sight import sight_of
from rules_app.engine.text import Text

from .compiler import Compiler


def check_references(compiler: Compiler) -> None:
    """Note every name that leads nowhere, and find what the scoring may leave out."""
    ruleset, document = compiler.ruleset, compiler.document
    for expression in expressions_of(ruleset):
        for name, literal in expression.calls:
            if name in ("counted", "times", "declares") and literal is not None and literal not in document.patterns:
                _fault_of(compiler, expression, Text(f"没有番种 {literal}", f"there is no pattern {literal}"))
            if name == "counted_in" and literal is not None and literal not in document.units:
                _fault_of(compiler, expression, Text(f"没有单位 {literal}", f"there is no unit {literal}"))
            if name == "flagged" and literal is not None and literal not in document.flags:
                _fault_of(compiler, expression, Text(f"没有标记 {literal}", f"there is no flag {literal}"))
            if name == "win_worth" and literal is not None and literal not in {*document.units, *document.score.totals}:
                _fault_of(compiler, expression, Text(f"没有 {literal} 这个单位或这一步", f"there is no unit or total {literal}"))
            if name == "entered" and literal is not None and literal not in document.inputs:
                _fault_of(compiler, expression, Text(f"没有 {literal} 这一项", f"there is no input {literal}"))
    used = {name for expression in expressions_of(ruleset) for name in expression.names}
    ruleset.uses_place = bool(used & {"place", "place_tile", "place_wilds", "concealed_triplets", "sets"})
    ruleset.hits_decide = not ruleset.joins and _hits_decide(compiler)
    if document.wild is not None and not ruleset.joins:
        # What a fact sees is what the names in it see, and these are among the used ones.
        ruleset.sight = sight_of(used, _names_of_reading(compiler) - {fact.name for fact in ruleset.facts})
    for gap in document.gaps:
        if gap.option is not None and gap.option not in document.options:
            compiler.fault("gaps", Text(f"没有选项 {gap.option}", f"there is no option {gap.option}"))
    for name in (name for names in document.quick.exclusive for name in names):
        if name not in document.patterns:
            compiler.fault("quick.exclusive", Text(f"没有番种 {name}", f"there is no pattern {name}"))
    for clash in document.quick.clashes:
        for name in (*clash.these, *clash.beside):
            if name not in document.patterns:
                compiler.fault("quick.clashes", Text(f"没有番种 {name}", f"there is no pattern {name}"))


def _hits_decide(compiler: Compiler) -> bool:
    """Whether nothing that comes after the patterns looks at the reading again."""
    ruleset = compiler.ruleset
    after = [pattern.value for pattern in ruleset.patterns]
    for late in ruleset.late:
        after += [late.exists, late.when, late.count]
    after += [expression for _, expression in ruleset.totals]
    after += [condition.expression for condition in ruleset.conditions if condition.level == "scored"]
    of_reading = _names_of_reading(compiler)
    for expression in ruleset.prefer:
        if expression.names & of_reading:
            try:
                ruleset.told_apart.append(compile_expression(expression.source, compiler.scopes["reading"]))
            except ExpressionFault:
                return False
    return not any(expression.names & of_reading for expression in after)


def _names_of_reading(compiler: Compiler) -> set[str]:
    return set(compiler.scopes["reading"].names()) - set(compiler.scopes["hand"].names())


def _fault_of(compiler: Compiler, expression: Expression, message: Text) -> None:
    compiler.fault(f"expression {expression.source!r}", message)
