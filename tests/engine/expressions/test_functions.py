"""Scopes, fused functions, explanations and the reference."""

from __future__ import annotations

import ast
import json

import pytest

from rules_app.engine.expressions import (
    BOOL,
    INT,
    SEAT,
    Function,
    Scope,
    Symbol,
    compile_expression,
    compile_function,
    explain,
    failing_parts,
    language_reference,
)

from .samples import DOC, SCOPE, compiled, environment, symbol


def test_a_child_scope_adds_and_hides():
    child = SCOPE.child("payments", [symbol("amount", INT), symbol("suits", BOOL, "e.other")])
    assert compile_expression("amount + triplets", child).names == {"amount", "triplets"}
    assert compile_expression("suits", child).type == BOOL
    assert child.names().count("suits") == 1
    assert child.find("nothing") is None


def test_variables_of_a_scope_and_of_an_expression_follow_each_other():
    scope = SCOPE.with_variables({"payer": SEAT}).child("inner").with_variables({"payee": SEAT})
    expression = compile_expression("payer - payee + x", scope, variables={"x": INT})
    assert expression.parameters == ("v_payer", "v_payee", "v_x")
    assert expression.function(None, 3, 2, 10) == 11


def test_declarations_that_contradict_are_refused():
    with pytest.raises(ValueError, match="twice"):
        Scope("s", [symbol("a", INT), symbol("a", BOOL)])
    with pytest.raises(ValueError, match="built-in"):
        Function("count", (), INT, "e.count", DOC)
    with pytest.raises(ValueError, match="optional"):
        Function("f", (), INT, "e.f", DOC, optional=1)


def test_expressions_stand_in_functions_of_statements():
    condition, amount = compiled("suits == 1"), compiled("triplets * 2")
    test = ast.If(condition.node, [ast.Return(amount.node)], [])
    function = compile_function(["e"], [test, ast.Return(ast.Name("nothing", ast.Load()))], name="when", constants={"nothing": -1})
    assert function(environment()) == 8
    assert function(environment(suits=2)) == -1
    assert condition.function(environment()) is True


def test_compiled_functions_have_no_builtins():
    assert compiled("suits").function.__globals__["__builtins__"] == {}


def test_body_can_be_read():
    assert compiled("suits == 1 and not honors").body == "e.suits == 1 and (not e.honors)"


def test_why_a_condition_does_not_hold():
    expression = compiled("suits == 1 and (honors or triplets == 3) and (by == 'self' and has(tile))")
    failing = failing_parts(expression, environment(suits=2))
    assert [(part.source, part.values) for part in failing] == [("suits == 1", [("suits", 2)]), ("honors or triplets == 3", [])]
    alternatives = failing[1]
    assert alternatives.joined == "or"
    assert [(part.source, part.holds, part.values) for part in alternatives.parts] == [
        ("honors", False, [("honors", False)]),
        ("triplets == 3", False, [("triplets", 4)]),
    ]
    everything = explain(expression, environment(suits=2))
    assert [(part.source, part.holds) for part in everything] == [
        ("suits == 1", False),
        ("honors or triplets == 3", False),
        ("by == 'self'", True),
        ("has(tile)", True),
    ]
    assert everything[3].values == [("has(tile)", True)]
    assert failing_parts(compiled("suits == 1"), environment()) == []


def test_explained_values_are_the_largest_known_pieces():
    expression = compiled("last.points > options.base or any(m.points == payer for m in melds) or numbers[0] + suits > 9", payer=INT)
    (part,) = explain(expression, environment(), (7,))
    assert [each.values for each in part.parts] == [
        [("last.points", None), ("options.base", 5)],
        [("payer", 7), ("melds", environment().melds)],
        [("numbers[0]", 3), ("suits", 1)],
    ]


def test_a_part_that_relied_on_another_counts_as_failing():
    failing = failing_parts(compiled("given(feeder) and feeder > 2"), environment())
    assert [part.source for part in failing] == ["given(feeder)", "feeder > 2"]


def test_the_reference_lists_everything_in_both_languages():
    child = SCOPE.child("payments", [Symbol("amount", INT, "e.amount", DOC, "amount > 3")])
    entries = language_reference([SCOPE, child])
    assert json.loads(json.dumps(entries)) == entries
    names = [entry["name"] for entry in entries]
    for name in ("suits", "options.base", "copies(kind of tile, [whole number])", "meld.points", "amount", "and or not", "given(x)"):
        assert names.count(name) == 1
    assert all(entry["type"]["zh"] and entry["type"]["en"] and entry["doc"]["zh"] and entry["doc"]["en"] for entry in entries)
    amount = next(entry for entry in entries if entry["name"] == "amount")
    assert amount["scope"] == {"id": "payments", "zh": "payments", "en": "payments"}
    assert amount["example"] == "amount > 3"


def test_every_built_in_form_is_in_the_reference():
    from rules_app.engine.expressions.forms import FORM_HANDLERS
    from rules_app.engine.expressions.symbols import FORMS

    documented = {entry["name"].split("(")[0] for entry in language_reference([]) if entry["kind"] == "form"}
    assert documented == set(FORM_HANDLERS) == FORMS
