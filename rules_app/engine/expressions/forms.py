"""The built-in forms: loops (any, all, count, sum, max, min, list) and abs, len, default, given, tile, tiles."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

from rules_app.engine.expressions import emit
from rules_app.engine.expressions.checker import MAX_LOOPS, Checker
from rules_app.engine.expressions.emit import Typed
from rules_app.engine.expressions.symbols import is_usable_name
from rules_app.engine.expressions.types import (
    BOOL,
    INT,
    KIND,
    NEVER,
    NULL,
    SEAT,
    TILES,
    VALUES,
    ListType,
    OptionalType,
    Type,
    joined,
    ordered,
    required,
    type_label,
)
from rules_app.engine.tiles import KINDS


@contextmanager
def _loops(checker: Checker, generators: list[ast.comprehension]) -> Iterator[list[ast.comprehension]]:
    """Opens the loops of a form; inside, their variables can be named. Yields the emitted loops."""
    kept_locals, kept_repetitions, kept_open = dict(checker.locals), checker.repetitions, checker.open_loops
    emitted = []
    for loop in generators:
        if not isinstance(loop.target, ast.Name) or loop.is_async or not is_usable_name(loop.target.id):
            checker.fault(loop.target, "for 后面要写一个变量名", "one plain name must follow for")
        domain, item, size = _domain(checker, loop.iter)
        checker.open_loops += 1
        if checker.open_loops > MAX_LOOPS:
            checker.fault(loop.target, f"循环最多嵌套 {MAX_LOOPS} 层", f"loops can be nested at most {MAX_LOOPS} deep")
        checker.spend(loop.target, max(size, 1))
        checker.repetitions *= max(size, 1)
        checker.loops += 1
        # A number of its own per loop: Python would read `for b in a for a in x` otherwise than it looks.
        variable = f"w{checker.loops}_{loop.target.id}"
        checker.locals[loop.target.id] = Typed(emit.name(variable, loop.target), item)
        conditions = [checker.condition(condition).node for condition in loop.ifs]
        target = ast.copy_location(ast.Name(variable, ast.Store()), loop.target)
        emitted.append(ast.comprehension(target, domain, conditions, 0))
    yield emitted
    checker.locals = kept_locals
    checker.repetitions = kept_repetitions
    checker.open_loops = kept_open


def _domain(checker: Checker, node: ast.expr) -> tuple[ast.expr, Type, int]:
    """What a loop runs over: its emitted Python, the type and the largest number of its items."""
    domain = checker.present(node)
    if domain.type == TILES:
        literal: object = domain.node.value if isinstance(domain.node, ast.Constant) else None
        if isinstance(literal, frozenset):
            kinds: list[ast.expr] = [emit.constant(kind, node) for kind in sorted(literal)]
            return ast.copy_location(ast.Tuple(kinds, ast.Load()), node), KIND, len(kinds)
        return emit.call("_in_order", [domain.node], node), KIND, KINDS
    if not isinstance(domain.type, ListType):
        label = type_label(domain.type)
        checker.fault(
            node,
            f"循环只能走过列表，而 {checker.source.quote(node)} 是{label.zh}",
            f"a loop runs over a list, and {checker.source.quote(node)} is a {label.en}",
        )
    return domain.node, domain.type.item, domain.type.max_items


def _arguments(checker: Checker, node: ast.Call, count: int, example: str) -> list[ast.expr]:
    """The arguments of a form that takes exactly ``count`` and no names."""
    if node.keywords or len(node.args) != count:
        _refuse_use(checker, node, example)
    return node.args


def _refuse_use(checker: Checker, node: ast.Call, example: str) -> NoReturn:
    checker.fault(node, f"应写成：{example}", f"it is written: {example}")


def _generator(node: ast.Call) -> ast.GeneratorExp | None:
    return node.args[0] if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp) else None


def _single_list(checker: Checker, node: ast.Call, example: str) -> Typed:
    """The only argument, a list that is looked through as a whole."""
    (argument,) = _arguments(checker, node, 1, example)
    items = checker.present(argument)
    if not isinstance(items.type, ListType):
        _refuse_use(checker, node, example)
    checker.spend(node, max(items.type.max_items, 1))
    return items


def _comprehension(element: ast.expr, loops: list[ast.comprehension], like: ast.AST) -> ast.ListComp:
    return ast.copy_location(ast.ListComp(element, loops), like)


def _quantifier(name: str) -> Callable[[Checker, ast.Call], Typed]:
    example = f"{name}(condition for x in xs)"

    def form(checker: Checker, node: ast.Call) -> Typed:
        generator = _generator(node)
        if generator is None or node.keywords:
            items = _single_list(checker, node, example)
            if not isinstance(items.type, ListType) or items.type.item != BOOL:
                _refuse_use(checker, node, example)
            return Typed(emit.call(f"_{name}", [items.node], node), BOOL)
        with _loops(checker, generator.generators) as loops:
            element = checker.condition(generator.elt)
        emitted = ast.copy_location(ast.GeneratorExp(element.node, loops), node)
        return Typed(emit.call(f"_{name}", [emitted], node), BOOL)

    return form


def _count(checker: Checker, node: ast.Call) -> Typed:
    """The items that pass; of conditions, those that hold."""
    generator = _generator(node)
    if generator is None or node.keywords:
        _refuse_use(checker, node, "count(x for x in xs if condition)")
    with _loops(checker, generator.generators) as loops:
        element = checker.visit(generator.elt)
        if required(element.type) == BOOL:
            loops[-1].ifs.append(emit.convert(checker.source, element, BOOL).node)
    emitted = _comprehension(emit.constant(0, node), loops, node)
    return Typed(emit.call("_len", [emitted], node), INT)


def _sum(checker: Checker, node: ast.Call) -> Typed:
    example = "sum(number for x in xs)"
    generator = _generator(node)
    if generator is None or node.keywords:
        items = _single_list(checker, node, example)
        if _item(items) not in (INT, SEAT, NEVER):
            _refuse_use(checker, node, example)
        return Typed(emit.call("_sum", [items.node], node), INT)
    with _loops(checker, generator.generators) as loops:
        element = checker.visit(generator.elt)
        if required(element.type) == BOOL:
            checker.fault(
                generator.elt,
                "条件不能相加；要数成立的次数请用 count(…)",
                "conditions are not added up; to count how many hold, use count(…)",
            )
        element = emit.convert(checker.source, element, INT)
    return Typed(emit.call("_sum", [_comprehension(element.node, loops, node)], node), INT)


def _item(items: Typed) -> Type:
    return items.type.item if isinstance(items.type, ListType) else NULL


def _extreme(name: str) -> Callable[[Checker, ast.Call], Typed]:
    example = f"{name}(number for x in xs, default=0)"
    strict = {"max": "_largest", "min": "_smallest"}[name]

    def form(checker: Checker, node: ast.Call) -> Typed:
        if len(node.args) > 1 and not node.keywords:
            values = [checker.ranking(argument) for argument in node.args]
            if len({value.type == VALUES for value in values}) > 1:
                _refuse_use(checker, node, f"{name}(a, b)")
            type_ = joined(values[0].type, values[1].type) or INT
            for value in values:
                type_ = joined(type_, value.type) or INT
            return Typed(emit.call(f"_{name}", [value.node for value in values], node), type_)
        generator = _generator(node)
        if generator is None:
            items = _single_list(checker, ast.copy_location(ast.Call(node.func, node.args, []), node), example)
            item = _item(items)
            if not ordered(item):
                _refuse_use(checker, node, example)
            sequence: ast.expr = items.node
        else:
            with _loops(checker, generator.generators) as loops:
                element = checker.ranking(generator.elt)
            item, sequence = element.type, _comprehension(element.node, loops, node)
        if not node.keywords:
            return Typed(emit.call(strict, [sequence], node), item)
        keyword = node.keywords[0]
        if len(node.keywords) > 1 or keyword.arg != "default":
            _refuse_use(checker, node, example)
        default = checker.as_type(keyword.value, VALUES) if item == VALUES else checker.visit(keyword.value)
        type_or_none = joined(item, default.type)
        if type_or_none is None:
            default, type_or_none = emit.convert(checker.source, default, item), item
        return Typed(emit.call(f"_{name}", [sequence], node, default=default.node), type_or_none)

    return form


def _list(checker: Checker, node: ast.Call) -> Typed:
    generator = _generator(node)
    if generator is None or node.keywords:
        _refuse_use(checker, node, "list(x for x in xs if condition)")
    before = checker.repetitions
    with _loops(checker, generator.generators) as loops:
        size = checker.repetitions // before
        element = checker.visit(generator.elt)
    emitted = emit.call("_tuple", [_comprehension(element.node, loops, node)], node)
    return Typed(emitted, ListType(element.type, size))


def _abs(checker: Checker, node: ast.Call) -> Typed:
    (argument,) = _arguments(checker, node, 1, "abs(number)")
    return Typed(emit.call("_abs", [checker.number(argument).node], node), INT)


def _len(checker: Checker, node: ast.Call) -> Typed:
    (argument,) = _arguments(checker, node, 1, "len(xs)")
    items = checker.present(argument)
    if items.type != TILES and not isinstance(items.type, ListType):
        _refuse_use(checker, node, "len(xs)")
    return Typed(emit.call("_len", [items.node], node), INT)


def _default(checker: Checker, node: ast.Call) -> Typed:
    """The second value where the first is null; the second is only looked at then."""
    first, second = _arguments(checker, node, 2, "default(value, 0)")
    value = checker.visit(first)
    inner = required(value.type)
    other = checker.as_type(second, VALUES) if inner == VALUES else checker.visit(second)
    if inner == KIND:
        other = emit.as_kind(checker.source, other)
    elif inner == TILES:
        other = emit.convert(checker.source, other, TILES)
    if value.type == NULL:
        return other
    type_ = joined(inner, other.type)
    if type_ is None:
        other, type_ = emit.convert(checker.source, other, inner), inner
    if not isinstance(value.type, OptionalType):
        return value
    if emit.is_plain(value.node):
        return Typed(_unless_null(value.node, other.node, node), type_)
    checker.loops += 1
    variable = f"w{checker.loops}_default"
    parameters = ast.arguments([], [ast.arg(variable)], None, [], [], None, [])
    body = _unless_null(emit.name(variable, node), other.node, node)
    function = ast.copy_location(ast.Lambda(parameters, body), node)
    ast.fix_missing_locations(function)
    return Typed(ast.copy_location(ast.Call(function, [value.node], []), node), type_)


def _unless_null(value: ast.expr, other: ast.expr, like: ast.AST) -> ast.expr:
    test = ast.copy_location(ast.Compare(value, [ast.IsNot()], [emit.constant(None, like)]), like)
    return ast.copy_location(ast.IfExp(test, value, other), like)


def _given(checker: Checker, node: ast.Call) -> Typed:
    (argument,) = _arguments(checker, node, 1, "given(value)")
    value = checker.visit(argument)
    test = ast.Compare(value.node, [ast.IsNot()], [emit.constant(None, node)])
    return Typed(ast.copy_location(test, node), BOOL)


def _tile(checker: Checker, node: ast.Call) -> Typed:
    (argument,) = _arguments(checker, node, 1, 'tile("5m")')
    if not isinstance(argument, ast.Constant) or not isinstance(argument.value, str):
        _refuse_use(checker, node, 'tile("5m")')
    return emit.as_kind(checker.source, checker.visit(argument))


def _tiles(checker: Checker, node: ast.Call) -> Typed:
    (argument,) = _arguments(checker, node, 1, 'tiles("19m19p19s")')
    if not isinstance(argument, ast.Constant) or not isinstance(argument.value, str):
        _refuse_use(checker, node, 'tiles("19m19p19s")')
    checker.visit(argument)
    return emit.as_tiles(checker.source, argument, argument.value)


FORM_HANDLERS: dict[str, Callable[[Checker, ast.Call], Typed]] = {
    "any": _quantifier("any"),
    "all": _quantifier("all"),
    "count": _count,
    "sum": _sum,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "list": _list,
    "abs": _abs,
    "len": _len,
    "default": _default,
    "given": _given,
    "tile": _tile,
    "tiles": _tiles,
}
