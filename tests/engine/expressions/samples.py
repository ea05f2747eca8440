"""A small environment in which the tests write expressions."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from rules_app.engine.expressions import (
    BOOL,
    INT,
    KIND,
    SEAT,
    SUIT,
    TILES,
    VALUES,
    Expression,
    Field,
    Function,
    ListType,
    Namespace,
    OptionalType,
    RecordType,
    Scope,
    Symbol,
    TextType,
    Type,
    compile_expression,
)
from rules_app.engine.text import Text

DOC = Text("说明", "meaning")
BY = TextType(frozenset({"self", "discard", "kong"}))
MELD = RecordType("meld")
MELD.fields.update(
    {
        "kind": Field(KIND, "kind", DOC),
        "open": Field(BOOL, "is_open", DOC),
        "feeder": Field(OptionalType(SEAT), "feeder", DOC),
        "next": Field(OptionalType(MELD), "next", DOC),
        "points": Field(INT, "points", DOC),
    }
)


def symbol(name: str, type_: Type, code: str = "") -> Symbol:
    return Symbol(name, type_, code or f"e.{name}", DOC)


SCOPE = Scope(
    "patterns",
    [
        symbol("suits", INT),
        symbol("triplets", INT),
        symbol("honors", BOOL),
        symbol("robbed", OptionalType(BOOL)),
        symbol("by", BY),
        symbol("winner", SEAT),
        symbol("dealer", SEAT, "e.round.dealer"),
        symbol("feeder", OptionalType(SEAT)),
        symbol("tile", KIND),
        symbol("bird", OptionalType(KIND)),
        symbol("suit", SUIT),
        symbol("kinds", TILES),
        symbol("seats", ListType(SEAT, 4)),
        symbol("numbers", ListType(INT, 14)),
        symbol("flags", ListType(BOOL, 4)),
        symbol("held", ListType(KIND, 18)),
        symbol("melds", ListType(MELD, 4)),
        symbol("last", OptionalType(MELD)),
        symbol("rank", VALUES),
        symbol("hundred", ListType(INT, 100)),
        symbol("nickname", TextType()),
        Namespace(
            "options", {"base": symbol("base", INT, "e.options['base']"), "cap": symbol("cap", OptionalType(INT), "e.options['cap']")}
        ),
        Function("has", (KIND,), BOOL, "e.has", DOC, "has(tile)"),
        Function("counted", (TextType(frozenset({"pure", "pairs"})),), BOOL, "e.counted", DOC, 'counted("pure")', literal=True),
        Function("copies", (KIND, INT), INT, "e.copies", DOC, optional=1),
        Function("among", (TILES,), INT, "e.among", DOC),
        Function("dice", (), INT, "e.dice", DOC),
    ],
    title=Text("番种", "the patterns"),
)


def environment(**changes: Any) -> SimpleNamespace:
    second = SimpleNamespace(kind=31, is_open=False, feeder=None, next=None, points=3)
    first = SimpleNamespace(kind=4, is_open=True, feeder=2, next=second, points=2)
    values = {
        "suits": 1,
        "triplets": 4,
        "honors": False,
        "robbed": None,
        "by": "self",
        "winner": 3,
        "round": SimpleNamespace(dealer=0),
        "feeder": None,
        "tile": 4,
        "bird": None,
        "suit": "m",
        "kinds": frozenset({0, 4, 8}),
        "seats": (0, 1, 2, 3),
        "numbers": (3, 1, 2),
        "flags": (True, False),
        "held": (0, 0, 4),
        "melds": (first, second),
        "last": None,
        "rank": (2, 1),
        "hundred": tuple(range(100)),
        "nickname": "Ann",
        "options": {"base": 5, "cap": None},
        "has": lambda kind: kind == 4,
        "counted": lambda name: name == "pure",
        "copies": lambda kind, least=0: kind + least,
        "among": len,
        "dice": lambda: 7,
    }
    return SimpleNamespace(**{**values, **changes})


def compiled(source: Any, expects: Type | None = None, **variables: Type) -> Expression:
    return compile_expression(source, SCOPE, expects=expects, variables=variables)


def value(source: Any, *variables: Any, **changes: Any) -> Any:
    return compiled(source).function(environment(**changes), *variables)
