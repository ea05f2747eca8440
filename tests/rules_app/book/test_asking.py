"""“Change a tile”: the link beside an example asks the scoring page exactly what the example asks the engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.http import QueryDict

from rules_app.book.asking import query_of_request
from rules_app.engine import Refusal, Ruleset
from rules_app.engine.examples import outcome_of, request_of_example, request_of_hand
from rules_app.scoring_page import request_of
from tests.engine.rulesets import shipped, slugs


def requests_of(ruleset: Ruleset) -> Iterator[dict[str, Any]]:
    for pattern in ruleset.document.patterns.values():
        for example in (*pattern.examples, *pattern.counters):
            yield request_of_hand(ruleset, example)
    for whole in ruleset.document.examples:
        yield request_of_example(whole)


def told(ruleset: Ruleset, request: dict[str, Any]) -> Any:
    outcome = outcome_of(ruleset, request)
    return (outcome.code, outcome.message) if isinstance(outcome, Refusal) else outcome.answer("en", explain=False)


@pytest.mark.parametrize("slug", slugs())
def test_every_example_survives_the_address(slug: str):
    ruleset = shipped(slug)
    changed = []
    for request in requests_of(ruleset):
        query = query_of_request(ruleset, request)
        data = QueryDict(query)
        if told(ruleset, request_of(ruleset, data, str(data["what"]))) != told(ruleset, request):
            changed.append(query)

    assert changed == []
