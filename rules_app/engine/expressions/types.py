"""The types of the expression language and the rules by which one stands for another."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as dataclass_field

from rules_app.engine.text import Text


@dataclass(frozen=True, slots=True)
class Primitive:
    """A type without parts. Two primitives are the same when their names are."""

    name: str


@dataclass(frozen=True, slots=True)
class TextType:
    """A text; with ``values``, one of these texts only (an enumeration)."""

    values: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class ListType:
    """A list or tuple of at most ``max_items`` values of one type; the bound keeps loops finite."""

    item: Type
    max_items: int


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record: its type, the Python attribute that holds it, its meaning."""

    type: Type
    attr: str
    doc: Text


@dataclass(frozen=True, slots=True, eq=False)
class RecordType:
    """An object with declared fields. ``fields`` may be filled later, so that records can refer to each other."""

    name: str
    fields: dict[str, Field] = dataclass_field(default_factory=dict)

    def __repr__(self) -> str:
        return f"RecordType({self.name!r})"


@dataclass(frozen=True, slots=True)
class OptionalType:
    """A value that may be null."""

    item: Type


Type = Primitive | TextType | ListType | RecordType | OptionalType

INT = Primitive("integer")
BOOL = Primitive("yes/no")
NULL = Primitive("null")
SEAT = Primitive("seat")
KIND = Primitive("tile")
TILES = Primitive("tiles")
VALUES = Primitive("values")
NEVER = Primitive("nothing")
"""The type of the items of an empty list: stands for every type."""
SUIT = TextType(frozenset("mpszf"))

_LABELS = {
    INT: Text("整数", "whole number"),
    BOOL: Text("是或否", "yes or no"),
    NULL: Text("空值 null", "null"),
    SEAT: Text("座位", "seat"),
    KIND: Text("一种牌", "kind of tile"),
    TILES: Text("一组牌种", "set of tile kinds"),
    VALUES: Text("用来比较先后的一组数", "values to rank by"),
    NEVER: Text("无", "nothing"),
}
_SHOWN_VALUES = 12


def listed(names: frozenset[str] | set[str] | list[str], limit: int = _SHOWN_VALUES) -> str:
    """The names, sorted and separated by commas; a long list is cut with an ellipsis."""
    ordered = sorted(names)
    return ", ".join(ordered[:limit]) + (", …" if len(ordered) > limit else "")


def type_label(type_: Type) -> Text:
    """The type in words of both languages."""
    match type_:
        case Primitive():
            return _LABELS[type_]
        case TextType(values=None):
            return Text("文字", "text")
        case TextType():
            names = listed(type_.values or frozenset())
            return Text(f"文字（{names} 之一）", f"text (one of {names})")
        case ListType():
            item = type_label(type_.item)
            return Text(f"列表（{item.zh}）", f"list of {item.en}")
        case OptionalType():
            item = type_label(type_.item)
            return Text(f"{item.zh}，可能为空", f"{item.en}, or null")
        case RecordType():
            return Text(f"记录 {type_.name}", f"record {type_.name}")


def required(type_: Type) -> Type:
    """The type without its null."""
    return type_.item if isinstance(type_, OptionalType) else type_


def optional(type_: Type) -> Type:
    """The type with null added, once."""
    return type_ if type_ == NULL or isinstance(type_, OptionalType) else OptionalType(type_)


def assignable(given: Type, wanted: Type) -> bool:
    """Whether a value of type ``given`` may stand where ``wanted`` is expected, without conversion.

    Seats are numbers from 0, so whole numbers and seats stand for each other; whether such a seat exists is for the
    receiver to check. An enumeration stands for a wider one and for any text.
    """
    if given in (wanted, NEVER):
        return True
    match wanted:
        case OptionalType():
            return given == NULL or assignable(required(given), wanted.item)
        case TextType():
            if not isinstance(given, TextType):
                return False
            return wanted.values is None or (given.values is not None and given.values <= wanted.values)
        case ListType():
            return isinstance(given, ListType) and given.max_items <= wanted.max_items and assignable(given.item, wanted.item)
        case _:
            return {given, wanted} == {INT, SEAT}


def joined(first: Type, second: Type) -> Type | None:
    """The narrowest type that holds the values of both, or None when there is none."""
    if second in (first, NEVER):
        return first
    if first == NEVER:
        return second
    if NULL in (first, second):
        return optional(second if first == NULL else first)
    if isinstance(first, OptionalType) or isinstance(second, OptionalType):
        inner = joined(required(first), required(second))
        return None if inner is None else optional(inner)
    if isinstance(first, TextType) and isinstance(second, TextType):
        if first.values is None or second.values is None:
            return TextType(None)
        return TextType(first.values | second.values)
    if isinstance(first, ListType) and isinstance(second, ListType):
        item = joined(first.item, second.item)
        return None if item is None else ListType(item, max(first.max_items, second.max_items))
    return INT if {first, second} == {INT, SEAT} else None


def comparable(first: Type, second: Type) -> bool:
    """Whether ``==`` between the two can ever be both true and false."""
    if NEVER in (first, second):
        return True
    if NULL in (first, second):
        other = second if first == NULL else first
        return other == NULL or isinstance(other, OptionalType)
    first, second = required(first), required(second)
    if isinstance(first, ListType) or isinstance(second, ListType):
        return False
    if isinstance(first, TextType) and isinstance(second, TextType):
        return first.values is None or second.values is None or not first.values.isdisjoint(second.values)
    return first == second or {first, second} == {INT, SEAT}


def ordered(type_: Type) -> bool:
    """Whether values of the type have a smaller and a larger."""
    return type_ in (INT, SEAT, VALUES, NEVER)
