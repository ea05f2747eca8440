"""Every shipped document is whole: its examples hold, its references lead somewhere, nothing in it is idle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rules_app.engine.examples import broken_examples
from rules_app.engine.ruleset import expressions_of
from rules_app.engine.schema import Words
from tests.engine.rulesets import shipped, slugs

PAGES = ["need", "deal", "play", "claims", "winning", "values", "payments", "next", "special", "options", "sources"]

pytestmark = pytest.mark.parametrize("slug", slugs())


def test_examples_hold(slug: str) -> None:
    broken = [f"{example.path}: {example.message.en}" for example in broken_examples(shipped(slug))]

    assert broken == []


def test_every_option_and_input_is_used(slug: str) -> None:
    ruleset = shipped(slug)
    used = {name for expression in expressions_of(ruleset) for name in expression.names}
    turned = {ruleset.document.wild.turned.input} if ruleset.document.wild and ruleset.document.wild.turned else set()

    idle = [name for name in ruleset.document.options if f"options.{name}" not in used]
    idle += [name for name in ruleset.document.inputs if f"inputs.{name}" not in used and name not in turned]
    idle += [name for name in ruleset.document.state if f"state.{name}" not in used]

    assert idle == []


def test_every_fact_is_used(slug: str) -> None:
    ruleset = shipped(slug)
    used = {name for expression in expressions_of(ruleset) for name in expression.names}
    used |= {name.split(".")[-1] for name in used}
    sources = " ".join(expression.source for expression in expressions_of(ruleset))

    idle = [fact.name for fact in ruleset.facts if fact.name not in used and f"{fact.name}()" not in used]

    assert [name for name in idle if f".{name}" not in sources] == []


def test_every_pattern_has_examples(slug: str) -> None:
    bare = [name for name, pattern in shipped(slug).document.patterns.items() if not pattern.examples]

    assert bare == []


def test_every_payment_is_shown_by_an_example(slug: str) -> None:
    document = shipped(slug).document
    shown = {rule for example in document.examples for rule in example.rules}

    assert [payment.id for payment in document.payments if payment.id not in shown] == []


def test_references_lead_somewhere(slug: str) -> None:
    document = shipped(slug).document
    known = {
        *document.patterns, *document.options, *document.flags, *document.inputs, *document.state, *document.units,
        *(payment.id for payment in document.payments), *(page.id for page in document.pages),
        *(check.id for check in document.checks), *(condition.id for condition in document.conditions),
        *(gap.id for gap in document.gaps), *document.shapes, *document.events.kongs, *document.events.penalties,
        *document.events.own, "wild", "course", "claims", "tiles", "waits", "score",
    }  # fmt: skip
    references = [rule for example in document.examples for rule in example.rules]
    references += [feature.rule for feature in document.features.values() if feature.rule]

    assert [name for name in references if name not in known] == []


def test_pages_tell_the_whole_game(slug: str) -> None:
    document = shipped(slug).document

    assert [page.id for page in document.pages] == PAGES
    assert document.glance
    assert document.features
    assert document.glossary
    assert document.gaps


def words_in(part: Any, path: str = "") -> Iterator[tuple[str, Words]]:
    if isinstance(part, Words):
        yield path, part
    elif isinstance(part, dict):
        for key, value in part.items():
            yield from words_in(value, f"{path}.{key}")
    elif isinstance(part, list):
        for place, value in enumerate(part):
            yield from words_in(value, f"{path}[{place}]")
    elif hasattr(part, "__pydantic_fields__"):
        for key in type(part).model_fields:
            yield from words_in(getattr(part, key), f"{path}.{key}")


def has_chinese(text: str) -> bool:
    return any("\u4e00" <= char <= "\u9fff" for char in text)


def test_texts_are_in_both_languages(slug: str) -> None:
    document = shipped(slug).document

    wrong = [path for path, words in words_in(document) if not words.en.strip() or not words.zh.strip()]
    wrong += [
        path for path, words in words_in(document)
        if has_chinese(words.en) and len(words.en) < 25 and not path.endswith("term")
    ]  # fmt: skip

    assert wrong == []
