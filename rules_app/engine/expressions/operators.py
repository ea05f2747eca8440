"""Arithmetic and comparison: the types they accept and the Python they become."""

from __future__ import annotations

import ast

from rules_app.engine.expressions import emit
from rules_app.engine.expressions.emit import Typed
from rules_app.engine.expressions.parsing import Source
from rules_app.engine.expressions.types import (
    BOOL,
    INT,
    KIND,
    NULL,
    TILES,
    VALUES,
    ListType,
    OptionalType,
    TextType,
    Type,
    comparable,
    listed,
    required,
    type_label,
)

_RISKY = {ast.FloorDiv: "_divide", ast.Mod: "_remainder"}


def arithmetic(source: Source, node: ast.BinOp, left: Typed, right: Typed) -> Typed:
    """``+ - * // % **`` of whole numbers."""
    operator = node.op
    if isinstance(operator, ast.Div):
        raise source.fault(node, "没有小数：请用整除 //", "there are no fractions: divide with // (rounds down)")
    if not isinstance(operator, ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Mod | ast.Pow):
        raise source.fault(node, "只有 + - * // % ** 这几种运算", "the only operations are + - * // % and **")
    first = emit.convert(source, left, INT).node
    second = emit.convert(source, right, INT).node
    if isinstance(operator, ast.Pow):
        return Typed(emit.call("_power", [first, second], node), INT)
    risky = _RISKY.get(type(operator))
    divisor = second.value if isinstance(second, ast.Constant) else 0
    if risky is not None and not divisor:
        return Typed(emit.call(risky, [first, second], node), INT)
    return Typed(ast.copy_location(ast.BinOp(first, operator, second), node), INT)


def comparison(source: Source, node: ast.Compare, operands: list[Typed]) -> Typed:
    """``== != < <= > >= in not in``, also chained."""
    operands = _read_tiles(source, node, operands)
    operators: list[ast.cmpop] = []
    for index, operator in enumerate(node.ops):
        left, right = operands[index], operands[index + 1]
        match operator:
            case ast.Is() | ast.IsNot():
                raise source.fault(node, "请用 == 或 != 比较，不用 is", "compare with == or !=, not with is")
            case ast.In() | ast.NotIn():
                operands[index + 1] = _membership(source, left, right)
                operators.append(operator)
            case ast.Eq() | ast.NotEq():
                _equality(source, left, right)
                operators.append(_identity(operator, left.type, right.type))
            case _:
                wanted = VALUES if VALUES in (required(left.type), required(right.type)) else INT
                operands[index], operands[index + 1] = _order(source, left, wanted), _order(source, right, wanted)
                operators.append(operator)
    nodes = [operand.node for operand in operands]
    return Typed(ast.copy_location(ast.Compare(nodes[0], operators, nodes[1:]), node), BOOL)


def _read_tiles(source: Source, node: ast.Compare, operands: list[Typed]) -> list[Typed]:
    """Texts beside tiles are tiles."""
    types = [required(operand.type) for operand in operands]
    items = [type_.item if isinstance(type_, ListType) else type_ for type_ in types]
    if KIND not in items and TILES not in items:
        return operands
    read = []
    for index, operand in enumerate(operands):
        literal = operand.node.value if isinstance(operand.node, ast.Constant) else None
        searched = index > 0 and isinstance(node.ops[index - 1], ast.In | ast.NotIn)
        searching = index < len(node.ops) and isinstance(node.ops[index], ast.In | ast.NotIn)
        is_set = searched or (TILES in items and not searching)
        if isinstance(literal, str) and is_set:
            read.append(emit.as_tiles(source, operand.node, literal))
        else:
            read.append(emit.as_kind(source, operand))
    return read


def _membership(source: Source, left: Typed, right: Typed) -> Typed:
    right = emit.as_present(source, right)
    if right.type == TILES:
        item: Type = KIND
    elif isinstance(right.type, ListType):
        item = right.type.item
    else:
        label = type_label(right.type)
        raise source.fault(
            right.node,
            f"in 的右边要是列表或一组牌，而 {source.quote(right.node)} 是{label.zh}",
            f"a list or a set of tiles must follow in, and {source.quote(right.node)} is a {label.en}",
        )
    if isinstance(right.node, ast.Tuple) and not isinstance(left.node, ast.Constant):
        for element in right.node.elts:
            _equality(source, left, Typed(element, _element_type(element, item)))
    elif not comparable(left.type, item) and NULL not in (left.type, item):
        raise _incomparable(source, left, Typed(right.node, item))
    return right


def _element_type(element: ast.expr, item: Type) -> Type:
    """The own type of a text in a list, so that each is held against the enumeration."""
    if isinstance(element, ast.Constant):
        if isinstance(element.value, str):
            return TextType(frozenset({element.value}))
        if element.value is None:
            return NULL
        return required(item)
    return item


def _equality(source: Source, left: Typed, right: Typed) -> None:
    if comparable(left.type, right.type):
        return
    for literal, other in ((left, right), (right, left)):
        values = required(other.type)
        if (
            isinstance(literal.node, ast.Constant)
            and isinstance(literal.node.value, str)
            and isinstance(values, TextType)
            and values.values is not None
        ):
            text, names = literal.node.value, listed(values.values)
            raise source.fault(
                literal.node,
                f"{source.quote(other.node)} 不可能是“{text}”；可能的值：{names}",
                f"{source.quote(other.node)} is never {text!r}; it is one of: {names}",
            )
    raise _incomparable(source, left, right)


def _identity(operator: ast.cmpop, left: Type, right: Type) -> ast.cmpop:
    """Null is compared by identity, which is the cheapest and never asks the other value."""
    if NULL in (left, right):
        return ast.Is() if isinstance(operator, ast.Eq) else ast.IsNot()
    return operator


def _order(source: Source, typed: Typed, wanted: Type) -> Typed:
    return emit.convert(source, emit.as_present(source, typed), wanted)


def _incomparable(source: Source, left: Typed, right: Typed) -> Exception:
    first, second = type_label(left.type), type_label(right.type)
    if NULL in (left.type, right.type):
        never = right if left.type == NULL else left
        if not isinstance(never.type, OptionalType):
            return source.fault(
                never.node,
                f"{source.quote(never.node)} 从不为空，不必和 null 比较",
                f"{source.quote(never.node)} is never null, so there is nothing to compare",
            )
    if isinstance(required(left.type), ListType) and isinstance(required(right.type), ListType):
        return source.fault(
            left.node,
            "两个列表不能直接比较；请逐项比较，例如 all(x in ys for x in xs)",
            "two lists are not compared as wholes; compare their items, such as all(x in ys for x in xs)",
        )
    return source.fault(
        left.node,
        f"{source.quote(left.node)} 是{first.zh}，不能和{second.zh}比较",
        f"{source.quote(left.node)} is a {first.en} and cannot be compared with a {second.en}",
    )
