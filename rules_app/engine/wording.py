"""Expressions in words: what a part of a condition asks for, and what it found."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .expressions.explain import Part
from .expressions.symbols import Function, Namespace, Scope, Symbol
from .expressions.types import KIND, SEAT, ListType, OptionalType, Type
from .text import Text
from .tiles import TileTextError, parse_tiles, tile_name

if TYPE_CHECKING:
    from .ruleset import Ruleset

KNOWN_TEXTS: Mapping[str, Text] = {
    "self_draw": Text("自摸", "self-draw"), "discard": Text("点炮", "discard"), "rob_kong": Text("抢杠", "robbed kong"),
    "chow": Text("顺子", "chow"), "triplet": Text("刻子", "triplet"), "kong": Text("杠", "kong"), "pong": Text("碰", "pong"),
    "pair": Text("将", "pair"), "edge": Text("边张", "edge wait"), "closed": Text("卡张", "closed wait"),
    "open": Text("两面", "open wait"), "spare": Text("闲张", "spare tile"), "none": Text("不论", "none"),
    "concealed": Text("暗杠", "concealed kong"), "exposed": Text("明杠", "exposed kong"), "added": Text("加杠", "added kong"),
    "m": Text("万", "characters"), "p": Text("筒", "dots"), "s": Text("条", "bamboo"), "z": Text("字牌", "honours"),
    "f": Text("花牌", "flowers"),
}  # fmt: skip
COMPARISONS: Mapping[type[ast.cmpop], Text] = {
    ast.Eq: Text("应为", "should be"), ast.NotEq: Text("不能是", "must not be"), ast.LtE: Text("最多", "may be at most"),
    ast.GtE: Text("至少要", "must be at least"), ast.Lt: Text("要小于", "must be below"), ast.Gt: Text("要大于", "must be above"),
    ast.In: Text("应在其中：", "should be one of"), ast.NotIn: Text("不能是其中之一：", "must not be one of"),
}  # fmt: skip
ARITHMETIC: Mapping[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "−", ast.Mult: "×", ast.FloorDiv: "÷", ast.Mod: "mod", ast.Pow: "^",
}  # fmt: skip


class Wording:
    """Says expressions of one scope of a ruleset, in one language."""

    def __init__(self, ruleset: Ruleset, scope: Scope, language: str) -> None:
        self.ruleset = ruleset
        self.scope = scope
        self.zh = language.startswith("zh")
        self.is_opaque = False
        """Whether something was met that can only be said in the language of expressions."""
        self.found: dict[str, Any] = {}
        """What the names of the part that is being said stand for."""

    def pick(self, text: Text) -> str:
        """The wording in the language."""
        return text.zh if self.zh else text.en

    def part(self, part: Part) -> str:
        """What a part asks for and what stands instead; empty where it cannot be put into words."""
        self.is_opaque = False
        self.found = {_plain(source): value for source, value in part.values}
        try:
            node = ast.parse(part.source.strip(), mode="eval").body
        except SyntaxError:
            return ""
        wanted = self.clear(self.condition(node))
        if not wanted:
            return ""
        found = self.clear(self.values(part, node))
        if not found:
            return wanted
        return f"{wanted}{'；' if self.zh else '; '}{found}"

    def condition(self, node: ast.expr, *, negated: bool = False) -> str:
        """A condition as a sentence without an end."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.condition(node.operand, negated=not negated)
        if isinstance(node, ast.BoolOp):
            both = isinstance(node.op, ast.And)
            word = ("且" if both else "，或") if self.zh else (" and " if both else ", or ")
            inner = word.join(self.condition(value) for value in node.values)
            return self.denied(inner) if negated else inner
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and not negated:
            words = COMPARISONS.get(type(node.ops[0]))
            if words is not None:
                gap = "" if self.zh else " "
                return f"{self.term(node.left)}{gap}{self.pick(words)}{gap or ' '}{self.asked(node.comparators[0])}"
        said = self.term(node)
        if isinstance(node, ast.Compare):
            return self.denied(said) if negated else said
        said = said.removeprefix("whether ")
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "flags":
            if negated:
                return f"不能标明“{said}”" if self.zh else f"“{said}” must not be set"
            return f"没有标明“{said}”" if self.zh else f"“{said}” is not set"
        if negated:
            return self.denied(said)
        return (said if said.startswith(("有", "手中有")) else f"要{said}") if self.zh else f"needed: {said}"

    def denied(self, said: str) -> str:
        """The condition must not hold."""
        return f"不能：{said}" if self.zh else f"not: {said}"

    def asked(self, node: ast.expr) -> str:
        """What something is compared with; of an option how much it is, and then its name."""
        said = self.term(node)
        much = self.found.get(_plain(ast.unparse(node)))
        if not isinstance(node, ast.Attribute) or isinstance(much, bool) or not isinstance(much, int):
            return said
        return f"{much}（{said}）" if self.zh else f"{much} ({said})"

    def term(self, node: ast.expr) -> str:
        """A value in words."""
        match node:
            case ast.Constant(value=bool() as value):
                return self.value(value, None)
            case ast.Constant(value=str() as value):
                return self.text(value)
            case ast.Constant(value=value):
                return str(value)
            case ast.Name(id=name):
                return self.named(self.scope.find(name), name)
            case ast.Attribute(value=ast.Name(id=name), attr=attr):
                namespace = self.scope.find(name)
                member = namespace.members.get(attr) if isinstance(namespace, Namespace) else None
                return self.named(member, attr)
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return self.call(name, arguments, node)
            case ast.BinOp(left=left, op=operator, right=right):
                return f"{self.term(left)} {ARITHMETIC.get(type(operator), '?')} {self.term(right)}"
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                return ("、" if self.zh else ", ").join(self.term(element) for element in elements)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return f"−{self.term(operand)}"
            case ast.Compare() | ast.BoolOp():
                return self.condition(node)
        return self.opaque(node)

    def clear(self, said: str) -> str:
        """What was said, or nothing where a piece of it has no words."""
        return "" if self.is_opaque else said

    def opaque(self, node: ast.expr) -> str:
        """What has no words."""
        self.is_opaque = True
        return ast.unparse(node)

    def call(self, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> str:
        """A function with its arguments."""
        first = arguments[0] if arguments else None
        if name in ("tiles", "tile") and isinstance(first, ast.Constant):
            return self.tiles(str(first.value))
        if name in ("counted", "times") and isinstance(first, ast.Constant) and first.value in self.ruleset.by_id:
            words = self.ruleset.by_id[first.value].pattern.name
            return (f"计了{words.zh}" if self.zh else f"{words.en} counts") if name == "counted" else (words.zh if self.zh else words.en)
        if name == "len" and first is not None:
            return f"{self.term(first)}{'的数目' if self.zh else ': how many'}"
        if name in ("default", "given") and first is not None:
            return self.term(first)
        declaration = self.scope.find(name)
        if not isinstance(declaration, Function):
            return self.opaque(node)
        said = self.named(declaration, name)
        if not arguments:
            return said
        inner = ("、" if self.zh else ", ").join(self.term(argument) for argument in arguments)
        return f"{said}（{inner}）" if self.zh else f"{said} ({inner})"

    def named(self, declaration: object, name: str) -> str:
        """The meaning of a name, without the remarks that follow it; of a fact, the meaning of what it stands for."""
        fact = next((fact for fact in self.ruleset.facts if fact.name == name), None)
        if fact is not None:
            node = ast.parse(fact.expression.source.strip(), mode="eval").body
            if isinstance(node, ast.Name | ast.Attribute | ast.Call) and not fact.expression.parameters:
                return self.term(node)
            self.is_opaque = True
        if isinstance(declaration, Symbol | Function) and self.pick(declaration.doc):
            said = self.pick(declaration.doc)
            return said.partition("：")[0] if self.zh else said.partition(": ")[0] or said
        self.is_opaque = True
        return name

    def text(self, value: str) -> str:
        """A text of the document: a shape, a tile, a word of the language."""
        shape = self.ruleset.document.shapes.get(value)
        if shape is not None:
            return shape.name.zh if self.zh else shape.name.en
        if value in KNOWN_TEXTS:
            return self.pick(KNOWN_TEXTS[value])
        pattern = self.ruleset.by_id.get(value)
        if pattern is not None:
            return pattern.pattern.name.zh if self.zh else pattern.pattern.name.en
        for option in self.ruleset.document.options.values():
            if isinstance(option.values, dict) and value in option.values:
                return option.values[value].zh if self.zh else option.values[value].en
        return self.tiles(value)

    def tiles(self, text: str) -> str:
        """Names of tiles, or their notation where they are many."""
        try:
            kinds = parse_tiles(text)
        except TileTextError:
            return text
        if len(kinds) > 6:
            return text
        return ("、" if self.zh else ", ").join(self.pick(tile_name(kind)) for kind in kinds)

    def values(self, part: Part, node: ast.expr) -> str:
        """What was found: the value compared, or all values that the part names."""
        if isinstance(node, ast.Compare):
            left = ast.unparse(node.left)
            for source, value in part.values:
                if _plain(source) == _plain(left):
                    said = self.value(value, self.type_of(source))
                    return f"这里是{said}" if self.zh and not said[:1].isdigit() else f"这里是 {said}" if self.zh else f"here it is {said}"
        shown = [
            f"{self.term(ast.parse(source, mode='eval').body)}{'为' if self.zh else ' is'} {self.value(value, self.type_of(source))}"
            for source, value in part.values
            if not isinstance(value, bool)
        ]
        if isinstance(node, ast.Name | ast.Call) or not shown:
            return ""
        return ("，" if self.zh else ", ").join(shown[:4])

    def type_of(self, source: str) -> Type | None:
        """The type of a name or call."""
        node = ast.parse(source.strip(), mode="eval").body
        name = node.func if isinstance(node, ast.Call) else node
        if isinstance(name, ast.Attribute) and isinstance(name.value, ast.Name):
            namespace = self.scope.find(name.value.id)
            member = namespace.members.get(name.attr) if isinstance(namespace, Namespace) else None
            return member.type if member is not None else None
        declaration = self.scope.find(name.id) if isinstance(name, ast.Name) else None
        if isinstance(declaration, Symbol):
            return declaration.type
        return declaration.result if isinstance(declaration, Function) else None

    def value(self, value: Any, type_: Type | None) -> str:
        """A value in words, by its type."""
        if isinstance(type_, OptionalType):
            type_ = type_.item
        if value is None:
            return "无" if self.zh else "none"
        if isinstance(value, bool):
            return ("是" if value else "否") if self.zh else ("yes" if value else "no")
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list | tuple | frozenset | set):
            item = type_.item if isinstance(type_, ListType) else KIND if isinstance(value, frozenset) else None
            return ("、" if self.zh else ", ").join(self.value(one, item) for one in list(value)[:14]) or ("无" if self.zh else "none")
        if type_ == KIND and isinstance(value, int) and 0 <= value < 42:
            return self.pick(tile_name(value))
        if type_ == SEAT and isinstance(value, int):
            return f"座位 {value}" if self.zh else f"seat {value}"
        return str(value) if isinstance(value, int) else "…"


def _plain(source: str) -> str:
    try:
        return ast.unparse(ast.parse(source.strip(), mode="eval"))
    except SyntaxError:
        return source


__all__ = ["Wording"]
