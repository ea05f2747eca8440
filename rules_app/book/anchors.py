"""Where each rule of a ruleset stands on its page.

Every rule has the anchor ``<kind>-<id>``.  The bare id leads to the first rule of that name, in the order of
`KINDS`, since two kinds may use one name (a flag and the pattern that follows from it).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from django.urls import reverse

from rules_app.engine.schema import Document

Kind = Literal[
    "page", "pattern", "payment", "option", "input", "flag", "state", "event", "condition", "check", "shape", "unit", "gap", "term",
    "example", "feature",
]  # fmt: skip
KINDS: tuple[Kind, ...] = (
    "page", "pattern", "payment", "option", "input", "flag", "state", "event", "condition", "check", "shape", "unit", "gap", "example",
)  # fmt: skip
PLACES = ("tiles", "wild", "claims", "course", "waits", "score")
"""Parts of a document that a feature may name as the rule it follows from."""


def rule_ids(document: Document) -> Iterator[tuple[Kind, str]]:
    """Every rule that may be led to, in the order in which a bare id is given away."""
    events = document.events
    named: Mapping[Kind, list[str]] = {
        "page": [page.id for page in document.pages],
        "pattern": list(document.patterns),
        "payment": [payment.id for payment in document.payments],
        "option": list(document.options),
        "input": list(document.inputs),
        "flag": list(document.flags),
        "state": list(document.state),
        "event": [*events.kongs, *events.penalties, *events.own],
        "condition": [condition.id for condition in document.conditions],
        "check": [check.id for check in (*document.checks, *document.quick.checks)],
        "shape": list(document.shapes),
        "unit": list(document.units),
        "gap": [gap.id for gap in document.gaps],
        "example": [example.id for example in document.examples],
    }
    for kind in KINDS:
        for name in named[kind]:
            yield kind, name


def anchor(kind: str, rule: str) -> str:
    """The anchor of a rule."""
    return f"{kind}-{rule}"


def bare_anchors(document: Document) -> dict[tuple[str, str], str]:
    """The rules that also own their bare id as an anchor."""
    owners: dict[str, tuple[str, str]] = {}
    for kind, name in rule_ids(document):
        owners.setdefault(name, (kind, name))
    return {owner: name for name, owner in owners.items() if name not in PLACES}


def rule_url(slug: str, kind: str = "", rule: str = "") -> str:
    """The address of a rule; of the whole game without one."""
    page = reverse("rules:game", args=[slug])
    return f"{page}#{anchor(kind, rule)}" if kind and rule else page
