"""How environments declare the names that documents may use.

An environment is the object that answers for the names of one place (a round, an event, a hand, a reading, a scored
reading).  Its attributes are declared where they are computed, so that the language reference is never stale.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .expressions.symbols import Declaration, Function, Symbol
from .expressions.types import Type
from .text import Text


@dataclass(frozen=True, slots=True)
class Declared:
    """What is known of a name: its type (or parameters and result), and its meaning in both languages."""

    type: Type
    doc: Text
    example: str = ""
    params: tuple[Type, ...] | None = None
    optional: int = 0
    literal: bool = False


class named:  # noqa: N801 - used as a decorator
    """A value computed when it is first asked for and then kept in the instance."""

    __slots__ = ("declared", "function", "name")

    def __init__(self, type_: Type, zh: str, en: str, example: str = "") -> None:
        self.declared = Declared(type_, Text(zh, en), example)
        self.function: Callable[[Any], Any]
        self.name = ""

    def __call__(self, function: Callable[[Any], Any]) -> Any:
        self.function = function
        self.name = function.__name__
        return self

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        value = self.function(instance)
        instance.__dict__[self.name] = value
        return value


class lazy:  # noqa: N801 - used as a decorator
    """Like `named`, for values that documents cannot name, and for the facts of a document."""

    __slots__ = ("function", "name")

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function
        self.name = getattr(function, "__name__", "")

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        value = self.function(instance)
        instance.__dict__[self.name] = value
        return value


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
        if isinstance(value, named):
            declared = value.declared
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
