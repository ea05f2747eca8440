"""Rules as data: documents, the rulesets compiled from them, and the scoring of rounds.

>>> from rules_app.engine import load_ruleset
>>> ruleset = load_ruleset(text)                        # doctest: +SKIP
>>> ruleset.score({"round": {"events": [...]}}).answer("en")   # doctest: +SKIP
"""

from __future__ import annotations

from .compilation import compile_ruleset
from .document import parse_document
from .errors import DocumentFaults, Fault, Refusal
from .ruleset import Ruleset
from .schema import Document
from .settlement import Outcome, Transfer
from .text import Text


def load_document(text: str) -> Document:
    """The document of a YAML text, its form checked.

    :raises DocumentFaults: with every fault of form.
    """
    return parse_document(text)[0]


def load_ruleset(text: str) -> Ruleset:
    """The ruleset of a YAML text, every expression checked and compiled.

    :raises DocumentFaults: with every fault found.
    """
    document, places = parse_document(text)
    return compile_ruleset(document, places)


__all__ = [
    "Document",
    "DocumentFaults",
    "Fault",
    "Outcome",
    "Refusal",
    "Ruleset",
    "Text",
    "Transfer",
    "compile_ruleset",
    "load_document",
    "load_ruleset",
]
