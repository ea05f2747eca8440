"""What all parts of the compilation share: the document, its scopes, and the list of faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rules_app.engine.errors import Fault
from rules_app.engine.expressions import Expression, ExpressionFault, Scope, Type, compile_expression
from rules_app.engine.ruleset import Ruleset
from rules_app.engine.schema import Document, Expr
from rules_app.engine.scopes import LEVELS, Scopes
from rules_app.engine.text import Text
from rules_app.engine.tiles import TileTextError, parse_tiles

Locate = Callable[[str], tuple[int, int]]


class Compiler:
    """Compiles expressions of a document, noting every fault with its place and going on."""

    def __init__(self, document: Document, locate: Locate) -> None:
        self.document = document
        self.locate = locate
        self.faults: list[Fault] = []
        self.scopes = Scopes(document)
        self.ruleset = Ruleset(document, self.scopes)

    def fault(self, path: str, message: Text, column: int = 0) -> None:
        """Note a fault; ``column`` counts within the value at the path."""
        line, start = self.locate(path)
        self.faults.append(Fault(line, start + max(0, column - 1), path, message))

    def tiles(self, path: str, text: str | None) -> list[int]:
        """The kinds of a tile text, or none and a fault."""
        if text is None:
            return []
        try:
            return parse_tiles(text)
        except TileTextError as fault:
            self.fault(path, fault.message)
            return []

    def expression(
        self, path: str, source: Expr, scope: Scope, expects: Type | None, variables: Mapping[str, Type] | None = None
    ) -> Expression:
        """Compile, or note the fault and go on with a stand-in."""
        try:
            return compile_expression(source, scope, expects=expects, variables=variables)
        except ExpressionFault as fault:
            self.fault(path, fault.message, fault.column)
            return compile_expression(None, scope, variables=variables)

    def leveled(
        self, path: str, sources: Sequence[tuple[Expr, Type | None]], variables: Mapping[str, Type] | None = None,
        levels: Sequence[str] = LEVELS,
    ) -> tuple[str, list[Expression]]:  # fmt: skip
        """Compile expressions at the first level that knows all their names."""
        for level in levels[:-1]:
            try:
                return level, [
                    compile_expression(source, self.scopes[level], expects=expects, variables=variables) for source, expects in sources
                ]
            except ExpressionFault:
                continue
        last = levels[-1]
        return last, [self.expression(path, source, self.scopes[last], expects, variables) for source, expects in sources]

    def scope_of(self, on: str, *, scored: bool) -> Scope:
        """What can be named in a check or payment on this kind of event."""
        if on == "round":
            return self.scopes["round"]
        if on == "win":
            return self.scopes["scored" if scored else "hand"]
        if on in self.ruleset.dealt_events:
            return self.scopes["scored" if scored else "hand"]
        if on == "hand":
            return self.scopes["hand"]
        return self.scopes.for_event(on)
