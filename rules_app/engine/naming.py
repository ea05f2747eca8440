"""How environments declare the names that documents may use.

An environment is the object that answers for the names of one place (a round, an event, a hand, a reading, a scored
reading).  Its attributes are declared where they are computed, so that the language reference is never stale.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar, overload

from .expressions.symbols import Declaration, Function, Symbol
from .expressions.types import Type
from .text import Text

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Declared:
    """What is known of a name: its type (or parameters and result), and its meaning in both languages."""

    type: Type
    doc: Text
    example: str = ""
    params: tuple[Type, ...] | None = None
    optional: int = 0
    literal: bool = False


class Lazy(Generic[Value]):
    """A value computed when it is first asked for and then kept in the instance."""

    __slots__ = ("declared", "function", "name")

    def __init__(self, function: Callable[[Any], Value], declared: Declared | None = None) -> None:
        self.function = function
        self.declared = declared
        self.name: str = getattr(function, "__name__", "")

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...

    def __get__(self, instance: object | None, owner: type) -> Self | Value:
        if instance is None:
            return self
        value = self.function(instance)
        instance.__dict__[self.name] = value
        return value


lazy = Lazy
"""A `Lazy` that documents cannot name, and the facts of a document."""


def named(type_: Type, zh: str, en: str, example: str = "") -> Callable[[Callable[[Any], Value]], Lazy[Value]]:
    """Declare a method without parameters as a name of the language, computed once."""
    declared = Declared(type_, Text(zh, en), example)
    return lambda function: Lazy(function, declared)


def function(
    params: tuple[Type, ...], result: Type, zh: str, en: str, example: str = "", *, optional: int = 0,
    literal: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # fmt: skip
    """Declare a method as a function of the language."""

    def declare(method: Callable[..., Any]) -> Callable[..., Any]:
        method.declared = Declared(result, Text(zh, en), example, params, optional, literal)  # type: ignore[attr-defined]
        return method

    return declare


def declarations(owner: type, prefix: str) -> Iterator[Declaration]:
    """The names that a class declares itself (not its bases), reached through ``prefix``.

    Plain attributes stand in the class attribute ``NAMES``.
    """
    for name, declared in owner.__dict__.get("NAMES", {}).items():
        yield Symbol(name, declared.type, f"{prefix}.{name}", declared.doc, declared.example)
    for name, value in owner.__dict__.items():
        if isinstance(value, Lazy):
            declared = value.declared
            if declared is None:
                continue
            yield Symbol(name, declared.type, f"{prefix}.{name}", declared.doc, declared.example)
        elif callable(value) and hasattr(value, "declared"):
            declared = value.declared
            yield Function(
                name, declared.params or (), declared.type, f"{prefix}.{name}", declared.doc, declared.example,
                declared.optional, declared.literal,
            )  # fmt: skip


def plain(type_: Type, zh: str, en: str, example: str = "") -> Declared:
    """The declaration of a plain attribute."""
    return Declared(type_, Text(zh, en), example)
