"""Every scoring case holds: what must be paid, what is counted, what follows, what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules_app.engine import Refusal
from rules_app.engine.examples import differences
from tests.engine.rulesets import CASES, shipped

NOTES = ("id", "why", "source", "working", "expect", "variant")


def all_cases() -> list[Any]:
    found = []
    for path in sorted(CASES.glob("*.json")):
        found += [pytest.param(case, id=case["id"]) for case in json.loads(path.read_text(encoding="utf-8"))]
    return found


@pytest.mark.parametrize("case", all_cases())
def test_case_holds(case: dict[str, Any]) -> None:
    request = {key: value for key, value in case.items() if key not in NOTES}

    try:
        answer = shipped(case["variant"]).score(request).answer("en")
    except Refusal as refusal:
        answer = {"error": {"code": refusal.code}}

    assert differences(case["expect"], answer) == [], case["why"]
