"""The reference of the language, generated from the declarations, shown beside the editor of a document."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rules_app.engine.expressions.symbols import Declaration, Function, Namespace, Scope, Symbol
from rules_app.engine.expressions.types import (
    ListType,
    OptionalType,
    RecordType,
    Type,
    type_label,
)
from rules_app.engine.text import Text

_NUMBER = Text("整数", "whole number")
_CONDITION = Text("是或否", "yes or no")

OPERATORS: tuple[tuple[str, Text, Text, str], ...] = (
    ("+ - *", _NUMBER, Text("加、减、乘", "add, subtract, multiply"), "2 * kongs + 1"),
    ("//  %", _NUMBER, Text("整除（向下取整）和余数", "divide, rounding down, and the remainder"), "tile_count // 3"),
    ("**", _NUMBER, Text("乘方，指数最大 64", "to the power of, at most 64"), "2 ** kongs"),
    ("== !=", _CONDITION, Text("相等、不相等", "equal, not equal"), 'by == "discard"'),
    ("< <= > >=", _CONDITION, Text("比较大小，可以连写", "compare numbers, also in a chain"), "1 <= suits <= 2"),
    ("in  not in", _CONDITION, Text("在其中、不在其中", "among, not among"), 'by in ("discard", "rob_kong")'),
    ("and or not", _CONDITION, Text("并且、或者、不是", "and, or, not"), "suits == 1 and honors == 0"),
    (
        "a if c else b",
        Text("同 a、b", "as a and b"),
        Text("条件 c 成立时取 a，否则取 b", "a when c holds, else b"),
        "2 if seat == dealer else 1",
    ),
    ("true false null", _CONDITION, Text("是、否、空值", "yes, no, no value"), "giver == null"),
    (
        "xs[i]",
        Text("列表的一项", "an item of the list"),
        Text("列表的第 i 项，从 0 数起", "item i of a list, counted from 0"),
        "wild_kinds[0]",
    ),
)
FORM_DOCS: tuple[tuple[str, Text, Text, str], ...] = (
    ("any(c for x in xs)", _CONDITION, Text("至少一个成立", "at least one holds"), 'any(m.kind == "chow" for m in melds)'),
    ("all(c for x in xs)", _CONDITION, Text("全部成立", "all hold"), "all(m.concealed for m in melds)"),
    ("count(x for x in xs if c)", _NUMBER, Text("成立的有几个", "how many pass"), "count(m for m in melds if m.concealed)"),
    ("sum(n for x in xs)", _NUMBER, Text("总和", "the total"), "sum(copies(k) // 3 for k in kinds)"),
    (
        "max(n for x in xs, default=0)",
        _NUMBER,
        Text("最大值；也可写 max(a, b)", "the largest; also max(a, b)"),
        "max(kongs, 1)",
    ),
    (
        "min(n for x in xs, default=0)",
        _NUMBER,
        Text("最小值；也可写 min(a, b)", "the smallest; also min(a, b)"),
        "min(kongs, 3)",
    ),
    (
        "list(x for x in xs if c)",
        Text("列表", "list"),
        Text("由循环得到的列表", "the list a loop yields"),
        "list(s for s in seats if s != dealer)",
    ),
    ("abs(n)", _NUMBER, Text("绝对值", "the number without its sign"), "abs(chows - triplets)"),
    ("len(xs)", _NUMBER, Text("列表有几项", "how many items a list has"), "len(melds)"),
    ("default(x, y)", Text("同 x", "as x"), Text("x 为空时取 y", "y where x is null"), "default(giver, dealer)"),
    ("given(x)", _CONDITION, Text("x 不为空", "x is not null"), "given(giver)"),
    ('tile("5m")', Text("一种牌", "kind of tile"), Text("写出一种牌", "a tile written out"), 'tile("5m")'),
    (
        'tiles("19m")',
        Text("一组牌种", "set of tile kinds"),
        Text("写出一组牌", "a set of tiles written out"),
        'only(tiles("258m"))',
    ),
)


def language_reference(scopes: Iterable[Scope]) -> list[dict[str, Any]]:
    """One entry per operator, form and declared name: JSON-able, in the order to read them.

    An entry is ``{"kind": "operator"|"form"|"value"|"function"|"field", "name", "type": {zh, en}, "doc": {zh, en},
    "example", "scope": {"id", "zh", "en"} | None}``. Each scope lists what it declares itself; a name inherited by
    several of the scopes is thus listed once, provided that their parent is among them. Fields of records follow under
    ``record.field`` with the first scope that shows the record.
    """
    entries = [_entry("operator", name, type_, doc, example=example) for name, type_, doc, example in OPERATORS]
    entries += [_entry("form", name, type_, doc, example=example) for name, type_, doc, example in FORM_DOCS]
    seen_records: set[RecordType] = set()
    for scope in scopes:
        records: dict[RecordType, None] = {}
        for declaration in scope.own:
            for name, type_, doc, example, kind, reached in _lines(declaration):
                entries.append(_entry(kind, name, type_, doc, example=example, scope=scope))
                records.update(dict.fromkeys(reached))
        pending = list(records)
        while pending:
            record = pending.pop(0)
            if record in seen_records:
                continue
            seen_records.add(record)
            for name, field in record.fields.items():
                label = type_label(field.type)
                entries.append(_entry("field", f"{record.name}.{name}", label, field.doc, example="", scope=scope))
                pending.extend(_records(field.type))
    return entries


def _lines(declaration: Declaration) -> list[tuple[str, Text, Text, str, str, list[RecordType]]]:
    match declaration:
        case Symbol(name, type_, _, doc, example):
            return [(name, type_label(type_), doc, example, "value", _records(type_))]
        case Function():
            reached = [record for type_ in (*declaration.params, declaration.result) for record in _records(type_)]
            signature, label = _signature(declaration), type_label(declaration.result)
            return [(signature, label, declaration.doc, declaration.example, "function", reached)]
        case Namespace(name, members):
            return [(f"{name}.{key}", type_label(m.type), m.doc, m.example, "value", _records(m.type)) for key, m in members.items()]


def _signature(function: Function) -> str:
    labels = [type_label(type_).en for type_ in function.params]
    required = len(labels) - function.optional
    shown = [label if index < required else f"[{label}]" for index, label in enumerate(labels)]
    return f"{function.name}({', '.join(shown)})"


def _records(type_: Type) -> list[RecordType]:
    match type_:
        case RecordType():
            return [type_]
        case ListType(item, _) | OptionalType(item):
            return _records(item)
        case _:
            return []


def _entry(kind: str, name: str, type_: Text, doc: Text, *, example: str, scope: Scope | None = None) -> dict[str, Any]:
    return {
        "kind": kind,
        "name": name,
        "type": {"zh": type_.zh, "en": type_.en},
        "doc": {"zh": doc.zh, "en": doc.en},
        "example": example,
        "scope": None if scope is None else {"id": scope.name, "zh": scope.title.zh, "en": scope.title.en},
    }
