"""What is refused, where, and what the author is told."""

from __future__ import annotations

import pytest

from rules_app.engine.expressions import BOOL, INT, KIND, SEAT, VALUES, ExpressionFault, TextType

from .samples import compiled


def refusal(source, expects=None) -> ExpressionFault:
    with pytest.raises(ExpressionFault) as caught:
        compiled(source, expects)
    fault = caught.value
    assert fault.message.zh
    assert fault.message.en
    assert fault.column >= 1
    return fault


@pytest.mark.parametrize(
    ("source", "column", "said"),
    [
        ("suts == 1", 1, "did you mean suits?"),
        ("1 + tripplets", 5, "did you mean triplets?"),
        ("options.bse", 1, "did you mean base?"),
        ("melds[0].pints", 1, "did you mean points?"),
        ("hass(tile)", 1, "did you mean has?"),
        ("options", 1, "needs a dot"),
        ("has", 1, "needs brackets"),
        ("count + 1", 1, "needs brackets"),
        ("suits(1)", 1, "not a function"),
        ("not suits", 5, "compare it"),
        ("suits and honors", 1, "compare it"),
        ("1 if suits else 2", 6, "compare it"),
        ("honors + 1", 1, "1 if honors else 0"),
        ("sum(m.open for m in melds)", 5, "count("),
        ("by == 'slef'", 7, "one of: discard, kong, self"),
        ("by in ('self', 'x')", 16, "one of: discard, kong, self"),
        ("by == 3", 1, "cannot be compared"),
        ("by < 'self'", 1, "number is needed"),
        ("tile == '0m'", 9, "is no tile"),
        ("tile == '8z'", 9, "is no tile"),
        ("tile == '12m'", 9, "is no tile"),
        ("tile == 4", 1, "cannot be compared"),
        ("tile + 1", 1, "number is needed"),
        ("tiles('5x')", 7, "no set of tiles"),
        ("tiles('')", 7, "tiles must be written"),
        ("tile(nickname)", 1, 'tile("5m")'),
        ("suits == null", 1, "never null"),
        ("numbers == (1, 2)", 1, "items"),
        ("suits in 3", 10, "must follow in"),
        ("'a' in nickname", 8, "must follow in"),
        ("tile in seats", 1, "cannot be compared"),
        ("suits is 1", 1, "=="),
        ("1 / 2", 1, "//"),
        ("1 << 2", 1, "operations"),
        ("1 @ 2", 1, "operations"),
        ("~suits", 1, "minus"),
        ("1.5", 1, "whole numbers"),
        ("b'x'", 1, "whole numbers"),
        ("...", 1, "whole numbers"),
        ("1000000001", 1, "too large"),
        (10**13, 1, "too large"),
        (1.5, 1, "whole number"),
        ("'" + "x" * 61 + "'", 1, "too long"),
        ("[n for n in numbers]", 1, "list(x for"),
        ("(n for n in numbers)", 1, "any, all"),
        ("{1: 2}", 1, "dictionary"),
        ("{1, 2}", 1, "set"),
        ("lambda: 1", 1, "lambda"),
        ("f'{suits}'", 1, "formatted"),
        ("(x := 1)", 2, "assignment"),
        ("max(*numbers)", 5, "starred"),
        ("numbers[0:1]", 9, "slice"),
        ("suits[0]", 1, "not a list"),
        ("suits.real", 1, "no parts"),
        ("melds.append", 1, "no parts"),
        ("melds[0]._x", 1, "underscore"),
        ("_x", 1, "underscore"),
        ("_x()", 1, "underscore"),
        ("melds[0].has(1)", 1, "only declared functions"),
        ("has()", 1, "takes 1 arguments"),
        ("copies(tile, 1, 2)", 1, "takes 1-2 arguments"),
        ("has(kind=tile)", 10, "without names"),
        ("counted(nickname)", 9, "written out"),
        ("counted('pear')", 9, "one of"),
        ("has(3)", 5, "kind of tile is needed"),
        ("any(melds)", 1, "any(condition for"),
        ("any(n for n in numbers)", 5, "compare it"),
        ("any(honors for m in suits)", 21, "runs over a list"),
        ("any(honors for m.x in melds)", 16, "plain name"),
        ("any(honors for _m in melds)", 16, "plain name"),
        ("count(melds)", 1, "count(x for"),
        ("max(suits)", 1, "max(number for"),
        ("max(melds)", 1, "max(number for"),
        ("max(numbers, key=suits)", 1, "default"),
        ("sum(melds)", 1, "sum(number for"),
        ("len(suits)", 1, "len(xs)"),
        ("abs(1, 2)", 1, "abs(number)"),
        ("default(1)", 1, "default(value"),
        ("(1, 'a')", 5, "one type"),
        ("1 if honors else 'a'", 1, "differ"),
        ("2 ** 65", 1, "between 0 and 64"),
        ("1 // 0", 1, "division by zero"),
        ("suits = 1", 7, "=="),
        ("suits === 1", 9, "cannot be read"),
        ("honors && honors", 8, "and"),
        ("honors || honors", 8, "or"),
        ("!honors", 1, "not"),
        ("suits == 1，", 11, "full-width"),
        ("has（tile）", 4, "full-width"),
        ("suits ==", 1, "cannot be read"),
        ("last.from", 6, "reserved"),
        ("from", 1, "reserved"),
        ("(suits", 1, "cannot be read"),
        ("suits == 1 # one suit", 12, "no comment"),
        ("'清' == nickname and suts", 21, "did you mean suits?"),
        ("   suts", 4, "did you mean suits?"),
        ("nickname == 'a\\n'", 15, "backslash"),
        ("suits\u3000== 1", 6, "invisible"),
        ("suits\x00", 6, "invisible"),
        ("suits == 1\u200b", 11, "invisible"),
        ("", 1, "empty"),
        (" \n ", 1, "empty"),
    ],
)
def test_refusal(source, column, said):
    fault = refusal(source)
    assert said in fault.message.en
    assert fault.column == column


@pytest.mark.parametrize(
    ("source", "expects", "said"),
    [
        ("suits", BOOL, "compare it"),
        ("honors", INT, "1 if honors else 0"),
        ("'x'", INT, "number is needed"),
        ("tile", SEAT, "seat is needed"),
        ("suits", KIND, "kind of tile is needed"),
        ("'self'", TextType(frozenset({"a"})), "one of a"),
        ("nickname", TextType(frozenset({"a"})), "one of a"),
        ("null", INT, "whole number is needed"),
        ("(1, honors)", VALUES, "1 if honors else 0"),
    ],
)
def test_wrong_type_for_the_place(source, expects, said):
    assert said in refusal(source, expects).message.en


@pytest.mark.parametrize(
    "source",
    [
        "1" * 601,
        "suits + " * 70 + "1",
        "not " * 100 + "honors",
        "-" * 500 + "1",
        "(" * 250 + "1" + ")" * 250,
        "[" * 250,
        "1" + "+1" * 260,
        "x" * 100_000,
        "sum(" + " + ".join(["n"] * 100) + " for n in hundred for m in hundred for k in (1, 2, 3, 4, 5))",
        "sum(1 for a in hundred for b in hundred for c in hundred)",
        "sum(sum(sum(1 for c in hundred) for b in hundred) for a in hundred)",
        "count(a for a in hundred for b in hundred if a in list(x for x in hundred))",
        "sum(1 for a in list(a for a in hundred for b in hundred) for c in hundred)",
        "sum(1" + "".join(f" for a{i} in (1,)" for i in range(9)) + ")",
    ],
)
def test_what_could_take_too_long_is_refused(source):
    fault = refusal(source)
    assert any(word in fault.message.en for word in ("complex", "characters", "loops", "cannot be read", "too large", "too much"))


def test_a_long_mistake_is_quoted_short():
    fault = refusal("not (" + " + ".join(["suits"] * 40) + ")")
    assert len(fault.message.en) < 250
