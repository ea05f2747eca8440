"""The scorer on the command line: one answer a line, whatever the line."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.management import call_command

WIN = {"type": "win", "seat": 2, "by": "self_draw", "tile": "4p", "hand": "1234566785544p"}


def run(*lines: str, **options: object) -> list[dict[str, Any]]:
    out = io.StringIO()
    call_command("score_rounds", stdin=io.StringIO("".join(f"{line}\n" for line in lines)), stdout=out, **options)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_round_is_scored_without_a_database():
    (answer,) = run(json.dumps({"variant": "sichuan", "round": {"events": [WIN]}}))

    assert sum(answer["payments"]) == 0
    assert "pure_suit" in answer["wins"][0]["patterns"]
    assert answer["wins"][0]["arithmetic"]


def test_the_bare_answer_holds_only_what_the_contract_asks_for():
    (answer,) = run(json.dumps({"variant": "sichuan", "round": {"events": [WIN]}}), bare=True)

    assert set(answer) == {"payments", "wins", "next", "ended"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("line", "code", "path"),
    [
        ("{", "bad_input", ""),
        ("[" * 100_000, "bad_input", ""),
        ("[1]", "bad_input", ""),
        ("{}", "bad_input", "variant"),
        ('{"variant": "no_such_game"}', "bad_input", "variant"),
        ('{"variant": ["sichuan"]}', "bad_input", "variant"),
        ('{"variant": "sichuan", "round": 5}', "bad_input", "round"),
        ('{"variant": "sichuan", "options": {"x": 1}, "round": {}}', "bad_input", "options.x"),
        (json.dumps({"variant": "sichuan", "round": {"events": [{**WIN, "hand": "1111122233344p"}]}}), "bad_tiles", "round.events[0]"),
    ],
)
def test_a_bad_line_gets_an_error_and_the_next_line_its_answer(line: str, code: str, path: str):
    bad, good = run(line, json.dumps({"variant": "sichuan", "round": {"events": [WIN]}}), language="en")

    assert bad["error"]["code"] == code
    assert bad["error"]["path"] == path
    assert bad["error"]["message"]
    assert good["payments"]


def test_empty_lines_are_passed_over():
    assert run("", "  ") == []
