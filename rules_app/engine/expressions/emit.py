"""Small helpers to build the Python that an expression becomes, and the conversions between its types."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from rules_app.engine.expressions.parsing import Source
from rules_app.engine.expressions.symbols import parsed_code
from rules_app.engine.expressions.types import (
    BOOL,
    INT,
    KIND,
    NULL,
    SEAT,
    TILES,
    VALUES,
    ListType,
    OptionalType,
    TextType,
    Type,
    assignable,
    ordered,
    required,
    type_label,
)
from rules_app.engine.tiles import TileTextError, parse_tile, parse_tiles


@dataclass(frozen=True, slots=True)
class Typed:
    """A piece of emitted Python and the type of its value; its place is that of the source it came from."""

    node: ast.expr
    type: Type


def name(identifier: str, like: ast.AST) -> ast.Name:
    """A name to be read."""
    return ast.copy_location(ast.Name(identifier, ast.Load()), like)


def constant(value: object, like: ast.AST) -> ast.Constant:
    """A constant; also a frozenset of tile kinds, which Python accepts as one."""
    return ast.copy_location(ast.Constant(value), like)  # type: ignore[arg-type]


def call(function: str, arguments: list[ast.expr], like: ast.AST, **keywords: ast.expr) -> ast.Call:
    """A call of a function of the runtime namespace."""
    given = [ast.keyword(key, value) for key, value in keywords.items()]
    for keyword in given:
        ast.copy_location(keyword, like)
    return ast.copy_location(ast.Call(name(function, like), arguments, given), like)


def code(source: str, like: ast.AST) -> ast.expr:
    """The syntax tree of a declaration's code, placed where the declaration is named."""
    return _placed(parsed_code(source), like)


def _placed(node: ast.expr, like: ast.AST) -> ast.expr:
    """A copy of code (a chain of attributes and constant subscripts), faster than ``copy.deepcopy``."""
    copied: ast.expr
    match node:
        case ast.Attribute():
            copied = ast.Attribute(_placed(node.value, like), node.attr, ast.Load())
        case ast.Subscript(slice=ast.Constant(value=key)):
            copied = ast.Subscript(_placed(node.value, like), constant(key, like), ast.Load())
        case ast.Name():
            copied = ast.Name(node.id, ast.Load())
        case _:
            raise TypeError("the code of a declaration is a chain of attributes and subscripts")
    return ast.copy_location(copied, like)


def is_plain(node: ast.expr) -> bool:
    """Whether evaluating the node twice costs next to nothing: a name, or attributes of one."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def as_present(source: Source, typed: Typed) -> Typed:
    """The value without its null; a null met at run time is an EvaluationFault."""
    if not isinstance(typed.type, OptionalType):
        return typed
    text = constant(source.quote(typed.node), typed.node)
    return Typed(call("_present", [typed.node, text], typed.node), typed.type.item)


def as_kind(source: Source, typed: Typed) -> Typed:
    """Text literals read as tile kinds, also inside lists and the branches of a conditional expression."""
    node = typed.node
    match node:
        case ast.Constant(value=str() as text):
            try:
                kind = parse_tile(text)
            except TileTextError as error:
                raise source.fault(node, f"“{text}”不是一种牌。{error.message.zh}", f"{text!r} is no tile. {error.message.en}") from None
            return Typed(constant(kind, node), KIND)
        case ast.Tuple(elts=items) if isinstance(typed.type, ListType):
            kinds = [as_kind(source, Typed(item, typed.type.item)).node for item in items]
            return Typed(ast.copy_location(ast.Tuple(kinds, ast.Load()), node), ListType(KIND, typed.type.max_items))
        case ast.IfExp() if isinstance(required(typed.type), TextType):
            body = as_kind(source, Typed(node.body, typed.type)).node
            orelse = as_kind(source, Typed(node.orelse, typed.type)).node
            type_: Type = OptionalType(KIND) if isinstance(typed.type, OptionalType) else KIND
            return Typed(ast.copy_location(ast.IfExp(node.test, body, orelse), node), type_)
        case ast.Constant(value=None):
            return Typed(node, NULL)
        case _:
            return typed


def as_tiles(source: Source, node: ast.expr, text: str) -> Typed:
    """A text literal read as a set of tile kinds."""
    try:
        kinds = frozenset(parse_tiles(text))
    except TileTextError as error:
        raise source.fault(node, f"“{text}”不是一组牌。{error.message.zh}", f"{text!r} is no set of tiles. {error.message.en}") from None
    if not kinds:
        raise source.fault(node, "这里要写出牌，例如 19m1z", "tiles must be written here, such as 19m1z")
    return Typed(constant(kinds, node), TILES)


def convert(source: Source, typed: Typed, wanted: Type) -> Typed:
    """The value as one of the wanted type, or a refusal that says what to write instead."""
    node, target = typed.node, required(wanted)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if target == KIND:
            return as_kind(source, typed)
        if target == TILES:
            return as_tiles(source, node, node.value)
    elif target == KIND or (isinstance(target, ListType) and target.item == KIND):
        typed = as_kind(source, typed)
    if assignable(typed.type, wanted):
        return typed
    if isinstance(typed.type, OptionalType) and assignable(typed.type.item, wanted):
        if wanted == BOOL:
            test = ast.Compare(typed.node, [ast.Is()], [constant(True, node)])
            return Typed(ast.copy_location(test, node), BOOL)
        return as_present(source, typed)
    if wanted == VALUES and isinstance(typed.type, ListType) and ordered(typed.type.item):
        return Typed(call("_tuple", [typed.node], node), VALUES)
    raise _mismatch(source, typed, wanted)


def _mismatch(source: Source, typed: Typed, wanted: Type) -> Exception:
    node, given = typed.node, required(typed.type)
    text = source.quote(node)
    if wanted == BOOL and given in (INT, SEAT):
        return source.fault(
            node,
            f"这里要的是条件（是或否），而 {text} 是数；请加上比较，例如 {text} > 0",
            f"a condition (yes or no) is needed, and {text} is a number; compare it, for example: {text} > 0",
        )
    if given == BOOL and required(wanted) in (INT, SEAT):
        return source.fault(
            node,
            f"这里要的是数，而 {text} 是条件（是或否）；请写 1 if {text} else 0",
            f"a number is needed, and {text} is a condition (yes or no); write: 1 if {text} else 0",
        )
    is_label, wanted_label = type_label(typed.type), type_label(wanted)
    return source.fault(
        node,
        f"这里要的是{wanted_label.zh}，而 {text} 是{is_label.zh}",
        f"a {wanted_label.en} is needed here, and {text} is a {is_label.en}",
    )


def code_of_local(local: Typed, like: ast.AST) -> ast.expr:
    """The variable of a loop, read at another place."""
    if not isinstance(local.node, ast.Name):
        raise TypeError("a loop variable is a name")
    return name(local.node.id, like)
