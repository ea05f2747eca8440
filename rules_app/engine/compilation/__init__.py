"""From a document to a ruleset."""

from __future__ import annotations

from rules_app.engine.errors import DocumentFaults
from rules_app.engine.ruleset import Ruleset
from rules_app.engine.schema import Document

from .compiler import Compiler, Locate
from .facts import compile_facts
from .layout import compile_shapes, lay_out_tiles, set_defaults
from .patterns import compile_patterns, compile_score, compile_units
from .references import check_references
from .rules import compile_comparison, compile_conditions, compile_course, compile_next, compile_payments


def compile_ruleset(document: Document, locate: Locate | None = None) -> Ruleset:
    """Lay out the tile set and compile every expression.

    ``locate`` gives line and column of a path in the document's text.

    :raises DocumentFaults: with every fault found.
    """
    compiler = Compiler(document, locate or (lambda _path: (1, 1)))
    lay_out_tiles(compiler)
    set_defaults(compiler)
    compile_facts(compiler)
    compile_units(compiler)
    compile_shapes(compiler)
    compile_patterns(compiler)
    compile_score(compiler)
    compile_conditions(compiler)
    compile_course(compiler)
    compile_payments(compiler)
    compile_next(compiler)
    compile_comparison(compiler)
    check_references(compiler)
    if compiler.faults:
        raise DocumentFaults(sorted(compiler.faults, key=lambda fault: (fault.line, fault.column)))
    return compiler.ruleset


__all__ = ["compile_ruleset"]
