"""The reference names everything the language knows, in both languages, with examples that compile."""

from __future__ import annotations

import pytest

from rules_app.engine.expressions import ExpressionFault, compile_expression
from rules_app.engine.reference import Chapter, language_chapters
from tests.engine.rulesets import shipped

CHAPTERS = language_chapters()
PLACES = ("forms", "round", "event", "hand", "tiles", "reading", "scored")
DOCUMENT_NAMES = (
    "options.",
    "inputs.",
    "state.",
    "party.",
    "counted",
    "times(",
    "declares",
    "entered",
    "win_worth",
    "flagged",
    "side_shows",
    "event.bets",
)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.id)
def test_every_entry_is_told_in_both_languages(chapter: Chapter) -> None:
    assert chapter.entries
    assert [entry.name for entry in chapter.entries if not (entry.doc.zh and entry.doc.en and entry.type.zh)] == []


@pytest.mark.parametrize("chapter", [c for c in CHAPTERS if c.id in PLACES], ids=lambda chapter: chapter.id)
def test_examples_compile(chapter: Chapter) -> None:
    scope = shipped("tianjin").scopes["scored"]
    wrong = []
    for entry in chapter.entries:
        if not entry.example or any(name in entry.example for name in DOCUMENT_NAMES):
            continue
        try:
            compile_expression(entry.example, scope)
        except ExpressionFault as fault:
            if not any(name in fault.message.en for name in ("payer", "payee", "'x'", "'h'", "'b'", "x ", "b ", "h ")):
                wrong.append(f"{entry.example}: {fault.message.en}")

    assert wrong == []
