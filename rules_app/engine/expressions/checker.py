"""Checks the syntax tree of an expression against its scope and rewrites it into Python over the environment ``e``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

from rules_app.engine.expressions import emit
from rules_app.engine.expressions.emit import Typed
from rules_app.engine.expressions.faults import ExpressionFault
from rules_app.engine.expressions.operators import arithmetic, comparison
from rules_app.engine.expressions.parsing import Source
from rules_app.engine.expressions.symbols import (
    FORMS,
    LITERALS,
    Function,
    Namespace,
    Scope,
    Symbol,
    similar,
)
from rules_app.engine.expressions.types import (
    BOOL,
    INT,
    KIND,
    NEVER,
    NULL,
    VALUES,
    ListType,
    OptionalType,
    RecordType,
    TextType,
    Type,
    joined,
    listed,
    optional,
    ordered,
    required,
    type_label,
)

MAX_NUMBER = 10**9
MAX_TEXT = 60
MAX_WORK = 200_000
MAX_STEPS = 2_000_000
MAX_CALLED = 20_000_000
MAX_LOOPS = 8
_REFUSED = {
    ast.Lambda: ("lambda", "lambda"),
    ast.ListComp: ("方括号里的循环，请写 list(x for …)", "a loop in square brackets; write list(x for …)"),
    ast.SetComp: ("花括号里的循环", "a loop in braces"),
    ast.DictComp: ("花括号里的循环", "a loop in braces"),
    ast.GeneratorExp: (
        "单独的循环，请写在 any、all、count、sum、max、min 或 list 的括号里",
        "a loop of its own; write it inside any, all, count, sum, max, min or list",
    ),
    ast.JoinedStr: ("带 f 的文字", "a formatted text"),
    ast.NamedExpr: ("赋值 :=", "an assignment with :="),
    ast.Starred: ("星号参数", "a starred argument"),
    ast.Dict: ("字典", "a dictionary"),
    ast.Set: ("集合", "a set in braces"),
    ast.Slice: ("切片", "a slice"),
    ast.Await: ("await", "await"),
    ast.Yield: ("yield", "yield"),
    ast.YieldFrom: ("yield", "yield"),
}


class Checker:
    """One pass over one expression. ``names`` and ``calls`` gather what it refers to."""

    def __init__(self, source: Source, scope: Scope, forms: Mapping[str, Form]) -> None:
        """``forms`` are the built-in forms by name."""
        self.source = source
        self.scope = scope
        self.forms = forms
        self.names: set[str] = set()
        self.calls: set[tuple[str, str | None]] = set()
        self.locals: dict[str, Typed] = {}
        self.repetitions = 1
        self.work = 0
        self.steps = 0
        self.called = 0
        self.loops = 0
        self.open_loops = 0

    def fault(self, node: ast.AST, zh: str, en: str) -> NoReturn:
        """Refuses the expression at the node."""
        raise self.source.fault(node, zh, en)

    def visit(self, node: ast.expr) -> Typed:
        """The emitted Python of a node of the source and its type."""
        self.steps += self.repetitions
        if self.steps > MAX_STEPS:
            self.fault(
                node,
                f"循环里要算的太多：最坏 {self.steps} 步，最多 {MAX_STEPS} 步",
                f"too much is computed inside loops: up to {self.steps} steps where {MAX_STEPS} are allowed",
            )
        match node:
            case ast.Constant():
                return self._constant(node)
            case ast.Name():
                return self._name(node)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Subscript():
                return self._subscript(node)
            case ast.BoolOp():
                values = [self.condition(value).node for value in node.values]
                return self._typed(ast.BoolOp(node.op, values), BOOL, node)
            case ast.UnaryOp():
                return self._unary(node)
            case ast.BinOp():
                return arithmetic(self.source, node, self.visit(node.left), self.visit(node.right))
            case ast.Compare():
                operands = [self.visit(operand) for operand in (node.left, *node.comparators)]
                self._count_searches(node, operands)
                return comparison(self.source, node, operands)
            case ast.IfExp():
                return self._conditional(node)
            case ast.Tuple() | ast.List():
                return self._list(node)
            case ast.Call():
                return self._call(node)
            case _:
                zh, en = _REFUSED.get(type(node), ("这种写法", "this"))
                raise self.source.fault(node, f"表达式里不能用{zh}", f"an expression cannot hold {en}")

    def as_type(self, node: ast.expr, wanted: Type) -> Typed:
        """The node as a value of the wanted type."""
        if required(wanted) == VALUES and isinstance(node, ast.Tuple | ast.List):
            return self.ranking(node)
        return emit.convert(self.source, self.visit(node), wanted)

    def condition(self, node: ast.expr) -> Typed:
        """The node as a condition."""
        return self.as_type(node, BOOL)

    def number(self, node: ast.expr) -> Typed:
        """The node as a whole number."""
        return self.as_type(node, INT)

    def present(self, node: ast.expr) -> Typed:
        """The node without its null."""
        return emit.as_present(self.source, self.visit(node))

    def ranking(self, node: ast.expr) -> Typed:
        """The node as something with an order: a number, or a list of numbers compared one after another."""
        if isinstance(node, ast.Tuple | ast.List):
            items = [self.ranking(item).node for item in node.elts]
            return self._typed(ast.Tuple(items, ast.Load()), VALUES, node)
        typed = self.present(node)
        if isinstance(typed.type, ListType) and ordered(typed.type.item):
            return emit.convert(self.source, typed, VALUES)
        return typed if typed.type == VALUES else emit.convert(self.source, typed, INT)

    def call(self, node: ast.AST, steps: int) -> None:
        """Counts what a called fact computes, as ``visit`` counts what is written; refuses what could take too long."""
        self.called += self.repetitions * steps
        if self.called > MAX_CALLED:
            self.fault(
                node,
                f"调用里要算的太多：最坏 {self.called} 步，最多 {MAX_CALLED} 步",
                f"too much is computed in calls: up to {self.called} steps where {MAX_CALLED} are allowed",
            )

    def spend(self, node: ast.AST, steps: int) -> None:
        """Counts work that is done once per round of the loops around it; refuses what could take too long."""
        self.work += self.repetitions * steps
        if self.work > MAX_WORK:
            self.fault(
                node,
                f"循环太多：最坏要走 {self.work} 步，最多 {MAX_WORK} 步",
                f"the loops are too large: up to {self.work} steps where {MAX_WORK} are allowed",
            )

    def unknown(self, node: ast.AST, name: str, known: Sequence[str], place: tuple[str, str]) -> ExpressionFault:
        """The refusal of a name that is not declared, with the name that may have been meant."""
        near = similar(name, known)
        zh_hint, en_hint = (f"；是不是 {near}？", f"; did you mean {near}?") if near else ("", "")
        if not near and len(known) <= 12:
            zh_hint, en_hint = f"；可用：{listed(list(known))}", f"; there are: {listed(list(known))}"
        return self.source.fault(
            node,
            f"{place[0]}没有名为 {name[:40]} 的值{zh_hint}",
            f"there is no {name[:40]} in {place[1]}{en_hint}",
        )

    @staticmethod
    def _typed(emitted: ast.expr, type_: Type, like: ast.AST) -> Typed:
        return Typed(ast.copy_location(emitted, like), type_)

    def _constant(self, node: ast.Constant) -> Typed:
        match node.value:
            case None:
                return Typed(emit.constant(None, node), NULL)
            case bool():
                return Typed(emit.constant(node.value, node), BOOL)
            case int() as number:
                if number > MAX_NUMBER:
                    self.fault(node, "数太大：最大 1000000000", "the number is too large: at most 1000000000")
                return Typed(emit.constant(number, node), INT)
            case str() as text:
                if len(text) > MAX_TEXT:
                    self.fault(
                        node,
                        f"文字太长：最多 {MAX_TEXT} 个字符",
                        f"the text is too long: at most {MAX_TEXT} characters",
                    )
                return Typed(emit.constant(text, node), TextType(frozenset({text})))
            case _:
                raise self.source.fault(
                    node,
                    "只能写整数、文字、true、false 和 null",
                    "only whole numbers, texts, true, false and null can be written",
                )

    def _name(self, node: ast.Name) -> Typed:
        local = self.locals.get(node.id)
        if local is not None:
            return Typed(emit.code_of_local(local, node), local.type)
        if node.id in LITERALS:
            value = LITERALS[node.id]
            return Typed(emit.constant(value, node), NULL if value is None else BOOL)
        if node.id.startswith("_"):
            self.fault(node, "名称不能以下划线开头", "a name cannot begin with an underscore")
        match self.scope.find(node.id):
            case Symbol() as symbol:
                self.names.add(symbol.name)
                return Typed(emit.code(symbol.code, node), symbol.type)
            case Function() as function:
                self.fault(
                    node,
                    f"{function.name} 是函数，要带括号：{function.example or function.name + '(…)'}",
                    f"{function.name} is a function and needs brackets: {function.example or function.name + '(…)'}",
                )
            case Namespace() as group:
                self.fault(
                    node,
                    f"{group.name} 要接一个点和名称；可用：{listed(list(group.members))}",
                    f"{group.name} needs a dot and a name; there are: {listed(list(group.members))}",
                )
            case None:
                pass
        if node.id in FORMS:
            self.fault(node, f"{node.id} 要带括号：{node.id}(…)", f"{node.id} needs brackets: {node.id}(…)")
        place = (f"“{self.scope.title.zh}”里", f"the scope of {self.scope.title.en}")
        raise self.unknown(node, node.id, [*self.locals, *self.scope.names()], place)

    def _attribute(self, node: ast.Attribute) -> Typed:
        if node.attr.startswith("_"):
            self.fault(node, "名称不能以下划线开头", "a name cannot begin with an underscore")
        if isinstance(node.value, ast.Name) and node.value.id not in self.locals:
            group = self.scope.find(node.value.id)
            if isinstance(group, Namespace):
                symbol = group.members.get(node.attr)
                if symbol is None:
                    raise self.unknown(node, node.attr, list(group.members), (f"{group.name} 里", group.name))
                self.names.add(f"{group.name}.{node.attr}")
                return Typed(emit.code(symbol.code, node), symbol.type)
        record = self.visit(node.value)
        type_ = required(record.type)
        if not isinstance(type_, RecordType):
            label = type_label(record.type)
            self.fault(
                node,
                f"{self.source.quote(node.value)} 是{label.zh}，没有可用点取的部分",
                f"{self.source.quote(node.value)} is a {label.en} and has no parts to reach with a dot",
            )
        field = type_.fields.get(node.attr)
        if field is None:
            raise self.unknown(node, node.attr, list(type_.fields), (f"{type_.name} 里", f"a {type_.name}"))
        if not field.attr.isidentifier() or field.attr.startswith("__"):
            raise ValueError(f"the field {node.attr!r} of {type_.name!r} has no usable attribute")
        if isinstance(record.type, OptionalType):
            emitted = emit.call("_attribute", [record.node, emit.constant(field.attr, node)], node)
            return Typed(emitted, optional(field.type))
        return self._typed(ast.Attribute(record.node, field.attr, ast.Load()), field.type, node)

    def _subscript(self, node: ast.Subscript) -> Typed:
        items = self.present(node.value)
        if not isinstance(items.type, ListType):
            self.fault(
                node,
                f"{self.source.quote(node.value)} 不是列表，不能用方括号取项",
                f"{self.source.quote(node.value)} is not a list, so no item of it can be taken",
            )
        index = self.number(node.slice)
        return Typed(emit.call("_item", [items.node, index.node], node), items.type.item)

    def _unary(self, node: ast.UnaryOp) -> Typed:
        if isinstance(node.op, ast.Not):
            return self._typed(ast.UnaryOp(ast.Not(), self.condition(node.operand).node), BOOL, node)
        if isinstance(node.op, ast.USub):
            return self._typed(ast.UnaryOp(ast.USub(), self.number(node.operand).node), INT, node)
        raise self.source.fault(node, "数前只能写负号 -", "only a minus sign can stand before a number")

    def _conditional(self, node: ast.IfExp) -> Typed:
        test, body, orelse = self.condition(node.test), self.visit(node.body), self.visit(node.orelse)
        if required(body.type) == KIND or required(orelse.type) == KIND:
            body, orelse = emit.as_kind(self.source, body), emit.as_kind(self.source, orelse)
        type_ = joined(body.type, orelse.type)
        if type_ is None:
            first, second = type_label(body.type), type_label(orelse.type)
            self.fault(
                node,
                f"if 两边的类型不同：一边是{first.zh}，另一边是{second.zh}",
                f"the two sides of the if differ: a {first.en} and a {second.en}",
            )
        return self._typed(ast.IfExp(test.node, body.node, orelse.node), type_, node)

    def _list(self, node: ast.Tuple | ast.List) -> Typed:
        items = [self.visit(item) for item in node.elts]
        if any(required(item.type) == KIND for item in items):
            items = [emit.as_kind(self.source, item) for item in items]
        item_type: Type = NEVER
        for item in items:
            wider = joined(item_type, item.type)
            if wider is None:
                first, second = type_label(item_type), type_label(item.type)
                self.fault(
                    item.node,
                    f"列表里的值类型不同：{first.zh}和{second.zh}",
                    f"the values of a list must be of one type; here are a {first.en} and a {second.en}",
                )
            item_type = wider
        emitted = ast.Tuple([item.node for item in items], ast.Load())
        return self._typed(emitted, ListType(item_type, len(items)), node)

    def _count_searches(self, node: ast.Compare, operands: list[Typed]) -> None:
        for operator, operand in zip(node.ops, operands[1:], strict=True):
            type_ = required(operand.type)
            if isinstance(operator, ast.In | ast.NotIn) and isinstance(type_, ListType):
                self.spend(node, type_.max_items)

    def _call(self, node: ast.Call) -> Typed:
        if not isinstance(node.func, ast.Name):
            self.fault(node, "只能调用已声明的函数", "only declared functions can be called")
        name = node.func.id
        declared = None if name in self.locals else self.scope.find(name)
        if isinstance(declared, Function):
            return self._function(node, declared)
        handler = self.forms.get(name)
        if handler is not None:
            return handler(self, node)
        if declared is not None or name in self.locals:
            self.fault(node, f"{name} 不是函数，不能带括号", f"{name} is not a function and takes no brackets")
        if name.startswith("_"):
            self.fault(node, "名称不能以下划线开头", "a name cannot begin with an underscore")
        functions = [d.name for d in self.scope if isinstance(d, Function)]
        raise self.unknown(
            node,
            name,
            [*functions, *sorted(FORMS)],
            (f"“{self.scope.title.zh}”的函数里", f"the functions of {self.scope.title.en}"),
        )

    def _function(self, node: ast.Call, function: Function) -> Typed:
        most, least = len(function.params), len(function.params) - function.optional
        if node.keywords:
            self.fault(
                node.keywords[0].value,
                f"{function.name} 的参数不能写名称，按顺序写即可",
                f"the arguments of {function.name} are written in order, without names",
            )
        if not least <= len(node.args) <= most:
            count = str(most) if least == most else f"{least}-{most}"
            self.fault(
                node,
                f"{function.name} 要 {count} 个参数，这里有 {len(node.args)} 个",
                f"{function.name} takes {count} arguments, and {len(node.args)} are given",
            )
        first = node.args[0] if node.args else None
        literal = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None
        if function.literal and literal is None:
            self.fault(
                first or node,
                f"{function.name} 的第一个参数要直接写成带引号的文字",
                f"the first argument of {function.name} must be written out as a text in quotes",
            )
        arguments = [self.as_type(given, wanted) for given, wanted in zip(node.args, function.params, strict=False)]
        self.names.add(f"{function.name}()")
        self.calls.add((function.name, literal))
        self.spend(node, 1)
        self.call(node, function.steps)
        called = ast.Call(emit.code(function.code, node), [argument.node for argument in arguments], [])
        return self._typed(called, function.result, node)


Form = Callable[[Checker, ast.Call], Typed]
