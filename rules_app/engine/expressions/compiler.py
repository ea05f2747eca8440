"""Expressions become Python functions here, once, when a document is compiled.

The Python that runs is never the author's: it is rebuilt from a checked tree, has no builtins, and can reach only the
declared attributes of its environment ``e`` and the functions of ``runtime``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

from rules_app.engine.expressions import runtime
from rules_app.engine.expressions.checker import Checker
from rules_app.engine.expressions.faults import EvaluationFault, ExpressionFault
from rules_app.engine.expressions.forms import FORM_HANDLERS
from rules_app.engine.expressions.parsing import Source, parse
from rules_app.engine.expressions.symbols import ENVIRONMENT, Scope, variable_parameter
from rules_app.engine.expressions.types import Type
from rules_app.engine.text import Text

ExpressionSource = str | int | bool | None


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """A compiled expression.

    ``names``: the declared names and local variables it uses; members of namespaces with their dot (``options.base``), functions with
    brackets (``counted()``). ``calls``: each call of a declared function with its first argument if that is a text
    written out. ``parameters``: the Python parameters of ``function`` after ``e``. ``node``: the Python, with the free
    names ``e`` and ``parameters``; it may stand in several functions at once but must not be changed.
    ``constant`` counts only where ``is_constant``.
    """

    source: str
    type: Type
    names: frozenset[str]
    calls: frozenset[tuple[str, str | None]]
    scope: Scope
    parameters: tuple[str, ...]
    node: ast.expr
    function: Callable[..., Any]
    is_constant: bool
    constant: Any
    steps: int
    """How much is computed at worst: nodes visited, with the loops and the facts called."""

    @property
    def body(self) -> str:
        """The Python of the expression, to read."""
        return ast.unparse(self.node)


def compile_expression(
    source: ExpressionSource,
    scope: Scope,
    *,
    expects: Type | None = None,
    variables: Mapping[str, Type] | None = None,
) -> Expression:
    """Checks and compiles one expression of a document.

    ``source`` is what YAML gave: a text, or a number, a truth value or null. The result is of the type ``expects``, or
    of any when that is None. ``variables`` are local to this expression; they and those of the scope are the
    parameters of ``function`` after ``e``, in the order of declaration. Raises ExpressionFault.
    """
    text = _text_of(source)
    if variables:
        scope = scope.with_variables(variables)
    origin = Source(text)
    tree = parse(origin)
    checker = Checker(origin, scope, FORM_HANDLERS)
    parameters = tuple(variable_parameter(name) for name in scope.variables)
    try:
        typed = checker.visit(tree) if expects is None else checker.as_type(tree, expects)
        function = compile_function([ENVIRONMENT, *parameters], typed.node)
    except (RecursionError, MemoryError, SyntaxError):
        raise ExpressionFault(
            Text("表达式太复杂，请拆成几个命名的条件", "the expression is too complex; split it into named facts"),
            1,
        ) from None
    is_constant = not checker.names
    constant = None
    if is_constant:
        try:
            constant = function(None, *[None for _ in parameters])
        except EvaluationFault as fault:
            raise ExpressionFault(fault.message, 1) from None
    return Expression(
        source=text,
        type=typed.type,
        names=frozenset(checker.names),
        calls=frozenset(checker.calls),
        scope=scope,
        parameters=parameters,
        node=typed.node,
        function=function,
        is_constant=is_constant,
        constant=constant,
        steps=checker.steps + checker.called,
    )


def compile_function(
    parameters: Sequence[str],
    body: ast.expr | list[ast.stmt],
    *,
    name: str = "expression",
    constants: Mapping[str, object] | None = None,
) -> Callable[..., Any]:
    """A function of these positional parameters that returns the expression, or runs the statements.

    ``body`` is built from ``Expression.node``s (whose free names must be among the parameters) and from code of the
    engine's own; ``constants`` are further names it may use.
    """
    statements: list[ast.stmt] = body if isinstance(body, list) else [ast.Return(body)]
    arguments = ast.arguments([], [ast.arg(parameter) for parameter in parameters], None, [], [], None, [])
    definition = ast.FunctionDef(name, arguments, statements, [])
    module = ast.fix_missing_locations(ast.Module([definition], []))
    code = compile(module, f"<{name}>", "exec", dont_inherit=True)
    inner = next(part for part in code.co_consts if isinstance(part, CodeType))
    return FunctionType(inner, {"__builtins__": {}, **runtime.NAMESPACE, **(constants or {})}, name)


def _text_of(source: ExpressionSource) -> str:
    match source:
        case str():
            return source
        case None:
            return "null"
        case bool():
            return "true" if source else "false"
        case int() if abs(source) <= 10**12:
            return str(source)
        case int():
            raise ExpressionFault(Text("数太大：最大 1000000000", "the number is too large: at most 1000000000"), 1)
    raise ExpressionFault(Text("这里要写一个表达式（文字或整数）", "an expression is needed here: a text or a whole number"), 1)
