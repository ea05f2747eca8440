"""What sound expressions come to."""

from __future__ import annotations

import pytest

from rules_app.engine.expressions import BOOL, INT, KIND, SEAT, TILES, VALUES, EvaluationFault, OptionalType, TextType

from .samples import compiled, environment, value


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("1 + 2 * 3 - 4", 3),
        ("-suits", -1),
        ("7 // 2", 3),
        ("-7 // 2", -4),
        ("7 % triplets", 3),
        ("2 ** triplets", 16),
        ("winner + 1", 4),
        ("(dealer + 1) % 4", 1),
        ("true and not false", True),
        ("True and not False", True),
        ("suits == 1 and triplets == 4 and not honors", True),
        ("1 <= suits <= 2 < triplets", True),
        ("2 if honors else 3", 3),
        ('by == "self"', True),
        ('by in ("discard", "kong")', False),
        ('by not in ["discard", "kong"]', True),
        ('nickname == "anything"', False),
        ('suit in ("m", "p")', True),
        ("winner in seats", True),
        ("winner == 3", True),
        ("suits in (1, 2)", True),
        ('tile == "5m"', True),
        ('"5m" == tile', True),
        ('tile in ("1m", "9m")', False),
        ('tile in "456m"', True),
        ('"9m" in kinds', True),
        ('"2m" not in held', True),
        ("tile in kinds", True),
        ('kinds == tiles("159m")', True),
        ('kinds == "159m"', True),
        ('tile("1f")', 34),
        ('tile("红中") == "7z"', True),
        ('tiles("19m 7z")', frozenset({0, 8, 33})),
        ('"5m" if honors else tile', 4),
        ("null", None),
        ("feeder == null", True),
        ("null != feeder", False),
        ("feeder == 2", False),
        ("given(feeder) or given(bird)", False),
        ("default(feeder, winner)", 3),
        ("default(last.points, 9)", 9),
        ("default(bird, '9p')", 17),
        ("default(suits, 3)", 1),
        ("options.base * 2", 10),
        ("default(options.cap, 100)", 100),
        ("melds[0].points + melds[suits].points", 5),
        ("melds[0].next.points == 3", True),
        ("melds[0].next.next.points", None),
        ("last.open or honors", False),
        ("not robbed", True),
        ("numbers[1]", 1),
        ("len(melds) + len(kinds)", 5),
        ("abs(2 - 5)", 3),
        ("max(1, suits, 3)", 3),
        ("min(triplets, 3)", 3),
        ("max(numbers)", 3),
        ("min((), default=8)", 8),
        ("sum(numbers)", 6),
        ("any(flags)", True),
        ("all(flags)", False),
        ("any(m.open for m in melds)", True),
        ("all(m.points > 1 for m in melds if m.open)", True),
        ("count(m for m in melds if m.open)", 1),
        ("count(m.points > 2 for m in melds)", 1),
        ("count(m.next.open for m in melds)", 0),
        ("count(n for n in numbers)", 3),
        ("sum(m.points for m in melds)", 5),
        ("sum(1 for a in seats for b in seats if a < b)", 6),
        ("max(m.points for m in melds)", 3),
        ("max((m.points for m in melds if m.points > 9), default=0)", 0),
        ("min((-n for n in numbers), default=0)", -3),
        ("max((m.points, -n) for m in melds for n in numbers)", (3, -1)),
        ("rank > (2, 0)", True),
        ("(2, 1) >= rank", True),
        ("max(rank, (2, 5))", (2, 5)),
        ("list(s for s in seats if s != dealer)", (1, 2, 3)),
        ("len(list(n for n in numbers if n > 1))", 2),
        ('any(k == "9m" for k in kinds)', True),
        ('count(k for k in tiles("19m") if k in held)', 1),
        ("any(any(n == s for n in numbers) for s in seats)", True),
        ("count(n for seats in melds for n in numbers)", 6),
        ("count(suits for suits in seats)", 4),
        ("has(tile) and has('5m')", True),
        ('counted("pure")', True),
        ("copies(tile)", 4),
        ("copies(tile, 2)", 6),
        ('among("19m")', 2),
        ("dice()", 7),
        ("suits == 1 and\n  (honors\n or triplets == 4)\n", True),
        ("  suits\t+ 1 ", 2),
        (5, 5),
        (-5, -5),
        (True, True),
        (None, None),
        ("'a#b' == nickname", False),
    ],
)
def test_value(source, expected):
    assert value(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "1 // (suits - 1)",
        "1 % (suits - 1)",
        "2 ** (suits - 2)",
        "suits ** 65",
        "(triplets * 1000) ** 5",
        "(suits * 10 ** 15 * 2) ** triplets",
        "numbers[triplets]",
        "numbers[-suits]",
        "feeder + 1",
        "feeder < 2",
        "last.points * 2",
        "max(m.points for m in melds if m.points > 9)",
        "min(n for n in numbers if n > 9)",
        "has(bird)",
        "sum(m.feeder for m in melds)",
    ],
)
def test_trouble_at_run_time_is_a_sentence(source):
    function = compiled(source).function
    with pytest.raises(EvaluationFault) as caught:
        function(environment())
    assert caught.value.message.zh
    assert caught.value.message.en


def test_types_of_results():
    assert compiled("suits").type == INT
    assert compiled("winner").type == SEAT
    assert compiled("winner + 1").type == INT
    assert compiled("last.points").type == OptionalType(INT)
    assert compiled("feeder if honors else 1").type == OptionalType(INT)
    assert compiled('"a" if honors else "b"').type == TextType(frozenset("ab"))
    assert compiled("(1, suits)", VALUES).type == VALUES
    assert compiled("'5m'", KIND).constant == 4
    assert compiled("'5m'", TILES).constant == frozenset({4})
    assert compiled("robbed", BOOL).function(environment()) is False
    assert compiled("suits", SEAT).function(environment()) == 1
    assert compiled("null", OptionalType(SEAT)).constant is None


def test_constants_are_known():
    assert compiled("2 ** 5").is_constant
    assert compiled("2 ** 5").constant == 32
    assert compiled(None).is_constant
    assert not compiled("dice()").is_constant
    assert not compiled("payer", payer=SEAT).is_constant


def test_what_an_expression_refers_to():
    expression = compiled('options.base * 2 if counted("pure") and has(tile) else last.points')
    assert expression.names == {"options.base", "counted()", "has()", "tile", "last"}
    assert expression.calls == {("counted", "pure"), ("has", None)}


def test_variables_are_parameters_in_order():
    expression = compiled("payer * 10 + payee", payer=SEAT, payee=SEAT)
    assert expression.parameters == ("v_payer", "v_payee")
    assert expression.function(environment(), 1, 2) == 12
    assert compiled("count(s for s in seats if s != payer)", payer=SEAT).function(environment(), 1) == 3


def test_loops_that_reuse_a_name_read_as_they_look():
    assert compiled("list(n for n in numbers for m in (n, n) for n in (m, 9))").function(environment())[:2] == (3, 9)
    expression = compiled("list(x for a in seats for b in (x, a) for x in (b,))", x=SEAT)
    assert expression.function(environment(), 7)[:2] == (7, 0)
