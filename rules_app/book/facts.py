"""What the index and the comparison say of a game, JSON-able: tiles, seats, features."""

from __future__ import annotations

from typing import Any

from rules_app.book.anchors import PLACES, bare_anchors, rule_ids
from rules_app.engine import Ruleset
from rules_app.engine.schema import Document
from rules_app.engine.tiles import suit_of


def game_facts(ruleset: Ruleset) -> dict[str, Any]:
    """Seats, number of tiles and of patterns, the glance box, and each feature with the anchor of its rule."""
    document = ruleset.document
    return {
        "seats": document.seats,
        "tiles": sum(ruleset.copies),
        "suits": sorted({suit_of(kind) for kind in range(42) if ruleset.copies[kind]}, key="mpszf".index),
        "patterns": sum(pattern.listed for pattern in document.patterns.values()),
        "options": len(document.options),
        "glance": [{"title": cell.title.model_dump(), "text": cell.text.model_dump()} for cell in document.glance],
        "features": {
            name: {
                "present": feature.present,
                "text": feature.text.model_dump() if feature.text else None,
                "anchor": feature_anchor(document, feature.rule),
            }
            for name, feature in document.features.items()
        },
    }


def feature_anchor(document: Document, rule: str | None) -> str:
    """The anchor on the game's page of the rule from which a feature follows; empty where there is none."""
    if rule is None:
        return ""
    if rule in PLACES:
        return rule
    owners = {name: f"{kind}-{name}" for (kind, name) in bare_anchors(document)}
    known = {name for _kind, name in rule_ids(document)}
    return owners.get(rule, rule if rule in known else "")
