"""From the text of an expression to a bounded Python syntax tree; every limit is checked here, before any meaning."""

from __future__ import annotations

import ast
import io
import keyword
import re
import tokenize
import unicodedata

from rules_app.engine.expressions.faults import ExpressionFault
from rules_app.engine.text import Text

MAX_LENGTH = 600
MAX_NODES = 250
MAX_DEPTH = 30

_SPACES = str.maketrans({"\n": " ", "\r": " ", "\t": " "})
_FOREIGN_OPERATORS = (
    ("&&", "and"),
    ("||", "or"),
    ("<>", "!="),
    ("=>", ">="),
    ("=<", "<="),
)
_WORDS = frozenset({"and", "or", "not", "in", "is", "if", "else", "for", "True", "False", "None"})


class Source:
    """The text of one expression on one line, and the way from nodes to columns of it."""

    __slots__ = ("_bytes", "_indent", "text")

    def __init__(self, text: str) -> None:
        """Refuses text that cannot be an expression whatever its syntax."""
        if len(text) > MAX_LENGTH:
            raise ExpressionFault(
                Text(
                    f"表达式有 {len(text)} 个字符，最多 {MAX_LENGTH} 个；请拆成几个命名的条件",
                    f"the expression has {len(text)} characters, at most {MAX_LENGTH} are allowed; split it into named facts",
                ),
                MAX_LENGTH + 1,
            )
        self.text = text.translate(_SPACES)
        body = self.text.lstrip(" ")
        self._indent = len(self.text) - len(body)
        if not body:
            raise ExpressionFault(Text("表达式是空的", "the expression is empty"), 1)
        if not self.text.isprintable():
            column = next(i for i, c in enumerate(self.text, 1) if not c.isprintable())
            raise ExpressionFault(
                Text(
                    "这里有不可见的字符或全角空格，请删去",
                    "there is an invisible character or odd space here; remove it",
                ),
                column,
            )
        if "\\" in self.text:
            raise ExpressionFault(Text("表达式里不能用反斜杠", "a backslash has no meaning in an expression"), self.text.index("\\") + 1)
        self._bytes = body.encode()

    @property
    def body(self) -> str:
        """The text without leading spaces, as it is parsed."""
        return self.text[self._indent :]

    def column(self, node: ast.AST) -> int:
        """Where the node begins, in characters from 1."""
        offset: int = getattr(node, "col_offset", 0)
        return len(self._bytes[:offset].decode(errors="ignore")) + self._indent + 1

    def segment(self, node: ast.expr) -> str:
        """The text of the node."""
        return self._bytes[node.col_offset : node.end_col_offset].decode(errors="ignore")

    def quote(self, node: ast.expr, limit: int = 40) -> str:
        """The text of the node, cut for a sentence."""
        segment = self.segment(node)
        return segment if len(segment) <= limit else segment[: limit - 1] + "…"

    def fault(self, node: ast.AST, zh: str, en: str) -> ExpressionFault:
        """A refusal that points at the node."""
        return ExpressionFault(Text(zh, en), self.column(node))


def parse(source: Source) -> ast.expr:
    """The syntax tree of the source, within the limits of size. Raises ExpressionFault only."""
    if "#" in source.body:
        _refuse_comment(source)
    try:
        tree = ast.parse(source.body, mode="eval").body
    except SyntaxError as error:
        raise _syntax_fault(source, error) from None
    except (RecursionError, MemoryError):
        raise _too_large() from None
    except ValueError:
        raise ExpressionFault(
            Text("表达式无法读懂", "the expression cannot be read"),
            1,
        ) from None
    _check_size(tree)
    return tree


def _too_large() -> ExpressionFault:
    return ExpressionFault(
        Text(
            f"表达式太复杂：最多 {MAX_NODES} 个部分、{MAX_DEPTH} 层嵌套；请拆成几个命名的条件",
            f"the expression is too complex: at most {MAX_NODES} parts nested {MAX_DEPTH} deep; split it into named facts",
        ),
        1,
    )


def _check_size(tree: ast.expr) -> None:
    """Walks without recursion, so that no tree is too deep to be measured."""
    pending: list[tuple[ast.AST, int]] = [(tree, 1)]
    nodes = 0
    while pending:
        node, depth = pending.pop()
        if isinstance(node, ast.expr):
            nodes += 1
            if nodes > MAX_NODES or depth > MAX_DEPTH:
                raise _too_large()
            depth += 1
        pending.extend((child, depth) for child in ast.iter_child_nodes(node))


def _refuse_comment(source: Source) -> None:
    """A comment would silently swallow the rest of a folded text, so it is refused; ``#`` in a text is not one."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(source.body).readline):
            if token.type == tokenize.COMMENT:
                raise ExpressionFault(
                    Text(
                        "表达式里不能写注释；请写在 YAML 的注释里",
                        "an expression holds no comment; write it as a comment of the YAML",
                    ),
                    len(source.text) - len(source.body) + token.start[1] + 1,
                )
    except (tokenize.TokenError, SyntaxError):
        return  # The parser says better what is wrong.


def _syntax_fault(source: Source, error: SyntaxError) -> ExpressionFault:
    indent = len(source.text) - len(source.body)
    column = min(max(error.offset or 1, 1), len(source.body)) + indent
    outside = re.sub(r"\"[^\"]*\"?|'[^']*'?", lambda match: " " * len(match.group()), source.text)
    for index, character in enumerate(outside, 1):
        if unicodedata.east_asian_width(character) == "F" or character in "，。；：“”‘’、（）【】":
            plain = unicodedata.normalize("NFKC", character)
            return ExpressionFault(
                Text(
                    f"这里的“{character}”是全角符号，请改用半角符号",
                    f"{character!r} is a full-width sign; type {plain!r} or its plain form instead",
                ),
                index,
            )
    for foreign, plain in _FOREIGN_OPERATORS:
        if foreign in outside:
            return ExpressionFault(
                Text(f"没有运算符 {foreign}，请写 {plain}", f"there is no operator {foreign}; write {plain}"),
                outside.index(foreign) + 1,
            )
    if match := re.search(r"(?<![=!<>:])(?<!default)=(?!=)", outside):
        return ExpressionFault(Text("比较相等请写两个等号 ==", "write == (two signs) to compare"), match.start() + 1)
    if match := re.search(r"!(?!=)", outside):
        return ExpressionFault(Text("“不是”请写 not", "write not for “not”"), match.start() + 1)
    for match in re.finditer(r"[^\W\d]\w*", outside):
        if keyword.iskeyword(match.group()) and match.group() not in _WORDS:
            word = match.group()
            return ExpressionFault(
                Text(f"{word} 是保留的词，表达式里不能用", f"{word} is a reserved word that no expression can use"),
                match.start() + 1,
            )
    return ExpressionFault(
        Text(
            "从这里起读不懂：看看括号、引号是否成对，名称之间是否缺少运算符",
            "the expression cannot be read from here on: see whether brackets and quotes are closed and an operator stands between names",
        ),
        column,
    )
