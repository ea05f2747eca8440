"""Whatever is written compiles or is refused, and nothing it compiles to reaches Python."""

from __future__ import annotations

import ast
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_app.engine.expressions import INT, EvaluationFault, ExpressionFault, Symbol
from rules_app.engine.expressions.symbols import parsed_code

from .samples import DOC, compiled, environment

ATTACKS = [
    "__import__('os').system('id')",
    "().__class__.__bases__[0].__subclasses__()",
    "suits.__class__",
    "melds[0].__class__",
    "melds[0].__dict__",
    "options.__class__",
    "options['base']",
    "e",
    "e.suits",
    "e.__class__",
    "v_payer",
    "w1_x",
    "_any",
    "_divide(1, 2)",
    "_attribute(melds, '__class__')",
    "frozenset",
    "frozenset(numbers)",
    "getattr(e, 'suits')",
    "eval('1')",
    "exec('1')",
    "open('/etc/passwd')",
    "globals()",
    "vars()",
    "print(1)",
    "has.__globals__",
    "has.__self__",
    "(lambda: 1)()",
    "[x for x in ().__class__.__mro__]",
    "any(x.__class__ for x in melds)",
    "any(x.gi_frame for x in (1,))",
    "'{0.__class__}'.format(suits)",
    "'%s' % suits",
    "'a' * 1000000000",
    "'a' + 'b'",
    "(1,) * 1000000000",
    "9 ** 9 ** 9",
    "1 << 1000000",
    "nickname.upper()",
    "f'{suits!r:>{suits}}'",
    "yield",
    "(yield suits)",
    "await suits",
    "suits; 1",
    "import os",
    "x = 1",
    "1) + (2",
    "any(x async for x in melds)",
    "any((e := 1) for x in melds)",
    "any(True for e in melds) and e.suits",
    "any(e.suits for x in melds)",
    "\ud800",
    "suits\ud800",
    "'\ud800'",
    "ｅ.suits",
    "＿＿import＿＿('os')",
    "𝓮.suits",
    "__debug__",
    "suits\x0c== 1",
    "\ufeffsuits",
    "# comment",
    "'''a",
    '"',
    "0x",
    "1_000_000_000_000",
    "0" * 500,
    "1e999",
    "1j",
    "None.x",
    "True()",
    "max(default=1)",
    "max()",
    "max(numbers, default=1, default=2)",
    "max(**numbers)",
    "list(list)",
]


@pytest.mark.parametrize("source", ATTACKS)
def test_attack_is_refused(source):
    if source == "0" * 500:
        assert compiled(source).constant == 0
        return
    with pytest.raises(ExpressionFault):
        compiled(source)


def test_a_loop_variable_may_be_called_like_the_environment():
    assert compiled("any(e.open for e in melds)").function(environment()) is True
    assert compiled("count(v for v in numbers) + count(w for w in seats)").function(environment()) == 7


PIECES = st.sampled_from(
    """suits honors by tile bird melds numbers seats last feeder options .base .points .open .next [0] [ ] ( ) , == != < <=
    in not and or if else for x m in any( all( count( sum( max( min( list( len( default( given( tile( tiles( has( 'self'
    '5m' 1 0 -1 ** // % + - * null true default= kinds rank copies( (1,2)""".split()  # noqa: SIM905 - read as a line
)


def _compiles_or_is_refused(source: str) -> None:
    try:
        expression = compiled(source)
    except ExpressionFault as fault:
        _is_readable(fault)
        return
    names = {node.id for node in ast.walk(expression.node) if isinstance(node, ast.Name)}
    assert all(name == "e" or name[0] in "_w" for name in names)
    try:
        expression.function(environment())
    except EvaluationFault as fault:
        _is_readable(fault)


def _is_readable(fault: ExpressionFault | EvaluationFault) -> None:
    assert fault.message.en.encode()
    assert fault.message.zh.encode()
    assert getattr(fault, "column", 1) >= 1


@given(st.text(max_size=80))
@settings(max_examples=300, deadline=None)
def test_any_text(source):
    _compiles_or_is_refused(source)


@given(st.text(alphabet=st.sampled_from("()[]{}.,:'\"#\\ =<>!+-*/%@&|^~;0123abefx_\n\t\x00，（“"), max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_punctuation(source):
    _compiles_or_is_refused(source)


@given(st.lists(PIECES, max_size=14))
@settings(max_examples=600, deadline=None)
def test_any_arrangement_of_the_language(pieces):
    _compiles_or_is_refused(" ".join(pieces))


NUMBER_LEAVES = ["suits", "winner", "options.base", "0", "3", "default(feeder, 0)", "feeder", "last.points", "numbers[1]"]
NUMBER_FORMS = [
    *(f"(N {operator} N)" for operator in ("+", "-", "*", "//", "%", "**")),
    "(N if C else N)",
    "max(N, N)",
    "sum(N for m in melds if C)",
    "min((N for s in seats), default=N)",
    "abs(N)",
    "numbers[N]",
]
CONDITION_LEAVES = ["honors", "robbed", "last.open", "by == 'self'", "tile in '19m'", "has(bird)", "given(bird)"]
CONDITION_FORMS = ["(N == N)", "(N < N)", "(N >= N != N)", "(C and C)", "(C or C)", "(not C)", "any(C for x in numbers)", "(N in (N, 1))"]


def _sound(chance: random.Random, is_number: bool, depth: int) -> str:
    """An expression without mistakes, as deep as asked."""
    if depth == 0:
        return chance.choice(NUMBER_LEAVES if is_number else CONDITION_LEAVES)
    form = chance.choice(NUMBER_FORMS if is_number else CONDITION_FORMS)
    return re.sub("[NC]", lambda match: _sound(chance, match.group() == "N", chance.randrange(depth)), form)


@given(st.integers(0, 2**40), st.booleans(), st.integers(0, 5))
@settings(max_examples=500, deadline=None)
def test_sound_expressions_raise_nothing_but_their_own_faults(seed, is_number, depth):
    _compiles_or_is_refused(_sound(random.Random(seed), is_number, depth))


@pytest.mark.parametrize(
    "code",
    ["os.x", "e.__class__", "e.x()", "e[x]", "e.x + 1", "__import__('os')", "", "e.x; 1", "e['a'].__class__", "(e, e)", "e['a'][e]"],
)
def test_the_code_of_a_declaration_is_held_to_the_same(code):
    with pytest.raises(ValueError, match="symbol"):
        parsed_code(code)


@pytest.mark.parametrize("name", ["_x", "true", "from", "a b", "", "1x"])
def test_names_that_no_expression_could_write_are_not_declared(name):
    with pytest.raises(ValueError, match="cannot be a name"):
        Symbol(name, INT, "e.x", DOC)
