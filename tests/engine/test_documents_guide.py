"""The document in the guide for authors is one that loads, and its examples hold."""

from __future__ import annotations

import re
from pathlib import Path

from rules_app.engine import load_ruleset
from rules_app.engine.examples import broken_examples

GUIDE = Path(__file__).parents[2] / "docs" / "documents.md"


def test_the_document_of_the_guide_is_whole() -> None:
    found = re.search(r"```yaml\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert found is not None

    ruleset = load_ruleset(found.group(1))

    assert [f"{example.path}: {example.message.en}" for example in broken_examples(ruleset)] == []
