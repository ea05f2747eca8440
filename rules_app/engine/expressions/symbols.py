"""Declarations: what the expressions of a place in a document may name, and the Python that yields it."""

from __future__ import annotations

import ast
import difflib
import keyword
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from rules_app.engine.expressions.types import Type
from rules_app.engine.text import Text

ENVIRONMENT = "e"
"""The parameter of every compiled expression: the object that answers for all names."""
FORMS = frozenset(
    {"any", "all", "sum", "count", "max", "min", "list", "abs", "len", "default", "given", "tiles", "tile"},
)
"""Names with a meaning of their own when called; a function may not take one of them, a value may."""
LITERALS: Mapping[str, bool | None] = {"true": True, "false": False, "null": None}


NO_TEXT = Text("", "")


def variable_parameter(name: str) -> str:
    """The Python parameter that carries a local variable of an expression."""
    return f"v_{name}"


def is_usable_name(name: str) -> bool:
    """Whether the language can read ``name`` as a name at all."""
    return name.isidentifier() and not name.startswith("_") and not keyword.iskeyword(name) and name not in LITERALS


@lru_cache(maxsize=4096)
def parsed_code(code: str) -> ast.expr:
    """The syntax tree of a declaration's code. Do not change it: it is shared.

    Only attributes, and constant subscripts, of ``e`` or of a variable are accepted: whatever a document may have
    contributed to the code, it cannot reach anything else. Raises ValueError.
    """
    try:
        tree = ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise ValueError(f"the code {code!r} of a symbol is no Python expression") from error
    node = tree
    while not isinstance(node, ast.Name):
        match node:
            case ast.Attribute(attr=attr) if not attr.startswith("__"):
                node = node.value
            case ast.Subscript(slice=ast.Constant()):
                node = node.value
            case _:
                raise ValueError(f"the code {code!r} of a symbol may only use attributes and constant subscripts of e")
    if node.id != ENVIRONMENT and not node.id.startswith("v_"):
        raise ValueError(f"the code {code!r} of a symbol must start with e")
    return tree


def _check_name(name: str) -> None:
    if not is_usable_name(name):
        raise ValueError(f"{name!r} cannot be a name of the expression language")


@dataclass(frozen=True, slots=True)
class Symbol:
    """A value. ``code`` yields it from the environment ``e``, for example ``"e.round.dealer"``."""

    name: str
    type: Type
    code: str
    doc: Text
    example: str = ""

    def __post_init__(self) -> None:
        _check_name(self.name)
        parsed_code(self.code)


@dataclass(frozen=True, slots=True)
class Function:
    """A function, emitted as ``code(arguments)``; the last ``optional`` parameters may be left out.

    With ``literal`` the first argument must be written out as a text, so that the compiler of the document knows
    statically what the call refers to (see ``Expression.calls``).
    """

    name: str
    params: tuple[Type, ...]
    result: Type
    code: str
    doc: Text
    example: str = ""
    optional: int = 0
    literal: bool = False
    steps: int = 1
    """What a call costs at worst, as ``Expression.steps`` counts it."""

    def __post_init__(self) -> None:
        _check_name(self.name)
        parsed_code(self.code)
        if self.name in FORMS:
            raise ValueError(f"{self.name!r} is a built-in form of the expression language")
        if not 0 <= self.optional <= len(self.params):
            raise ValueError(f"{self.name!r} has fewer parameters than optional ones")


@dataclass(frozen=True, slots=True)
class Namespace:
    """A group of values reached with a dot, such as ``options.base``."""

    name: str
    members: Mapping[str, Symbol]
    doc: Text = NO_TEXT

    def __post_init__(self) -> None:
        _check_name(self.name)


Declaration = Symbol | Function | Namespace


class Scope:
    """The declarations that hold at one place; a child adds to its parent and may hide names of it."""

    __slots__ = ("_declarations", "name", "parent", "title", "variables")

    def __init__(
        self,
        name: str,
        symbols: Iterable[Declaration] = (),
        *,
        title: Text | None = None,
        parent: Scope | None = None,
    ) -> None:
        """``title`` names the place in sentences ("the patterns"); without it ``name`` does."""
        self.name = name
        self.title = title or Text(name, name)
        self.parent = parent
        self.variables: dict[str, Type] = dict(parent.variables) if parent else {}
        self._declarations: dict[str, Declaration] = {}
        for symbol in symbols:
            if symbol.name in self._declarations:
                raise ValueError(f"{symbol.name!r} is declared twice in the scope {name!r}")
            self._declarations[symbol.name] = symbol

    def child(self, name: str, symbols: Iterable[Declaration] = (), *, title: Text | None = None) -> Scope:
        """A scope with these declarations on top of the present ones."""
        return Scope(name, symbols, title=title, parent=self)

    def with_variables(self, variables: Mapping[str, Type]) -> Scope:
        """A scope with local variables, which compiled expressions take as parameters after ``e``, in order."""
        scope = Scope(self.name, title=self.title, parent=self)
        for name, type_ in variables.items():
            if name in scope.variables:
                del scope.variables[name]
            scope.variables[name] = type_
            doc = Text("此处的局部变量", "a local variable of this place")
            scope._declarations[name] = Symbol(name, type_, variable_parameter(name), doc)
        return scope

    def find(self, name: str) -> Declaration | None:
        """The declaration of the name, the nearest first."""
        found = self._declarations.get(name)
        return self.parent.find(name) if found is None and self.parent is not None else found

    def __iter__(self) -> Iterator[Declaration]:
        """All declarations that can be named here, the parent's first."""
        inherited = [] if self.parent is None else [d for d in self.parent if d.name not in self._declarations]
        yield from inherited
        yield from self._declarations.values()

    @property
    def own(self) -> tuple[Declaration, ...]:
        """What this scope itself declares, without its parents."""
        return tuple(self._declarations.values())

    def names(self) -> list[str]:
        """Every name that can be used here."""
        return [declaration.name for declaration in self]


def similar(name: str, names: Iterable[str]) -> str | None:
    """The name most like a mistaken one, if any is."""
    matches = difflib.get_close_matches(name, list(names), n=1, cutoff=0.6)
    return matches[0] if matches else None
