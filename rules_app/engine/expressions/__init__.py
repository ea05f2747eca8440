"""The expression language of rule documents: a small, typed, bounded subset of Python expressions.

Declare what may be named (``Symbol``, ``Function``, ``Namespace`` in a ``Scope``), compile once
(``compile_expression``), then call ``Expression.function(e, *variables)`` as often as needed.
"""

from __future__ import annotations

from rules_app.engine.expressions.compiler import (
    Expression,
    ExpressionSource,
    compile_expression,
    compile_function,
)
from rules_app.engine.expressions.explain import Part, explain, failing_parts
from rules_app.engine.expressions.faults import EvaluationFault, ExpressionFault
from rules_app.engine.expressions.reference import language_reference
from rules_app.engine.expressions.symbols import Declaration, Function, Namespace, Scope, Symbol
from rules_app.engine.expressions.types import (
    BOOL,
    INT,
    KIND,
    NULL,
    SEAT,
    SUIT,
    TILES,
    VALUES,
    Field,
    ListType,
    OptionalType,
    RecordType,
    TextType,
    Type,
    assignable,
    joined,
    type_label,
)

__all__ = [
    "BOOL",
    "INT",
    "KIND",
    "NULL",
    "SEAT",
    "SUIT",
    "TILES",
    "VALUES",
    "Declaration",
    "EvaluationFault",
    "Expression",
    "ExpressionFault",
    "ExpressionSource",
    "Field",
    "Function",
    "ListType",
    "Namespace",
    "OptionalType",
    "Part",
    "RecordType",
    "Scope",
    "Symbol",
    "TextType",
    "Type",
    "assignable",
    "compile_expression",
    "compile_function",
    "explain",
    "failing_parts",
    "joined",
    "language_reference",
    "type_label",
]
