"""Why a pattern does not count, and what a refused hand lacks, in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rules_app.engine import Refusal, Ruleset, load_ruleset
from rules_app.engine.why import Reason, what_is_missing, why_not

DEFINITIONS = Path(__file__).parents[2] / "rules_app" / "definitions"


@pytest.fixture(scope="module")
def sichuan() -> Ruleset:
    return load_ruleset((DEFINITIONS / "sichuan.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def two_player() -> Ruleset:
    return load_ruleset((DEFINITIONS / "two_player.yaml").read_text(encoding="utf-8"))


def request_of(hand: str, tile: str, **more: Any) -> dict[str, Any]:
    return {"round": {"events": [{"type": "win", "seat": 1, "by": "self_draw", "hand": hand, "tile": tile, **more}]}}


def texts(reasons: list[Reason]) -> list[str]:
    return [reason.text for reason in reasons]


def test_a_pattern_that_fails_says_what_was_wanted_and_what_is_there(sichuan: Ruleset):
    outcome = sichuan.score(request_of("1234566785544p", "4p"))

    why = why_not(outcome, 0, "all_triplets", "zh")

    assert (why.verdict, why.other) == ("absent", None)
    assert len(why.reasons) == 1
    assert "刻子数" in why.reasons[0].text
    assert why.reasons[0].text.endswith("应为 4；这里是 1")
    assert why_not(outcome, 0, "all_triplets", "en").reasons[0].text.endswith("should be 4; here it is 1")


def test_a_pattern_that_counts_says_so(sichuan: Ruleset):
    outcome = sichuan.score(request_of("1234566785544p", "4p"))

    assert why_not(outcome, 0, "pure_suit").verdict == "counted"


def test_a_pattern_outdone_by_another_names_it(sichuan: Ruleset):
    outcome = sichuan.score(request_of("1234566785544p", "4p"))

    why = why_not(outcome, 0, "plain", "en")

    assert (why.verdict, why.other) == ("outdone", "pure_suit")
    assert "pure suit" in why.text


def test_a_pattern_absorbed_by_another_names_it(two_player: Ruleset):
    outcome = two_player.score(request_of("1234566785544s", "4s"))

    why = why_not(outcome, 0, "self_draw", "zh")

    assert (why.verdict, why.other) == ("absorbed", "fully_concealed")


def test_a_pattern_that_the_options_leave_out_says_which(sichuan: Ruleset):
    outcome = sichuan.score(request_of("1234566785544p", "4p"))

    why = why_not(outcome, 0, "triplets_258", "zh")

    assert why.verdict == "switched_off"
    assert why.reasons


def test_a_flag_that_is_not_set_is_named(sichuan: Ruleset):
    outcome = sichuan.score(request_of("1234566785544p", "4p"))

    assert texts(why_not(outcome, 0, "last_tile", "zh").reasons) == ["没有标明“海底捞月”"]


def test_another_division_of_the_tiles_is_told(two_player: Ruleset):
    outcome = two_player.score(request_of("111222333s44s77z", "7z"))

    why = why_not(outcome, 0, "triple_chow", "en")

    assert why.verdict == "other_reading"
    assert "worth" in why.text


@pytest.mark.parametrize("slug", sorted(path.stem for path in DEFINITIONS.glob("*.yaml")))
def test_words_never_show_the_language_of_expressions(slug: str):
    """Every pattern of every game can be asked about; what cannot be said in words is left out."""
    ruleset = load_ruleset((DEFINITIONS / f"{slug}.yaml").read_text(encoding="utf-8"))
    for example in [example for pattern in ruleset.document.patterns.values() for example in pattern.examples][:6]:
        if example.hand == "" or example.tile is None or example.event is not None or example.melds:
            continue
        request = {
            **request_of(example.hand, example.tile, flags=example.flags),
            "options": example.options,
        }
        request["round"]["inputs"] = example.inputs
        if example.wild:
            request["round"]["wild"] = example.wild
        try:
            outcome = ruleset.score(request)
        except Refusal:
            continue
        for name in ruleset.by_id:
            for language in ("zh", "en"):
                why = why_not(outcome, 0, name, language)
                assert why.text
                for reason in why.reasons:
                    assert reason.text
                    assert not any(sign in reason.text for sign in ("==", " and (", "options.", "lambda", "None"))


def test_a_refused_hand_says_what_its_condition_misses(sichuan: Ruleset):
    request = request_of("123456m123p123s9p", "9p")
    with pytest.raises(Refusal) as caught:
        sichuan.score(request)

    assert caught.value.rule == "missing_suit"
    reasons = what_is_missing(sichuan, request, caught.value, "zh")

    assert len(reasons) == 1
    assert reasons[0].text.endswith("最多 2；这里是 3")


def test_a_refusal_that_is_no_rule_of_the_document_has_no_reasons(sichuan: Ruleset):
    request = request_of("1234566785544p", "1s")
    with pytest.raises(Refusal) as caught:
        sichuan.score(request)

    assert what_is_missing(sichuan, request, caught.value) == []


def test_an_unknown_pattern_is_a_key_error(sichuan: Ruleset):
    outcome = sichuan.score(request_of("1234566785544p", "4p"))

    with pytest.raises(KeyError):
        why_not(outcome, 0, "no_such_pattern")
