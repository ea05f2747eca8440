"""What can go wrong with an expression: when it is saved, and when it is used."""

from __future__ import annotations

from rules_app.engine.text import Text


class ExpressionFault(Exception):
    """The expression is refused. ``column`` counts characters of its source from 1."""

    def __init__(self, message: Text, column: int) -> None:
        super().__init__(message.en)
        self.message = message
        self.column = column


class EvaluationFault(Exception):
    """A sound expression met values it has no answer for (a division by zero, a missing value)."""

    def __init__(self, message: Text) -> None:
        super().__init__(message.en)
        self.message = message
