"""Faults of a document: every one at once, with its line and a sentence in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_app.engine import DocumentFaults, Fault, load_ruleset

DOCUMENT = (Path(__file__).parent / "documents" / "three_rivers.yaml").read_text(encoding="utf-8")


def faults_of(text: str) -> list[Fault]:
    with pytest.raises(DocumentFaults) as found:
        load_ruleset(text)
    return found.value.faults


def line_of(needle: str, text: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if needle in line)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("when: suits == 1", "when: suit == 1", "suit"),
        ("when: suits == 1", "when: suits == true", "whole number"),
        ("when: suits == 1", "when: suits ==", ""),
        ("when: wilds == 0", "when: __import__('os')", ""),
        ("unit: drops, text: {zh: 凡胡都算。", "unit: buckets, text: {zh: 凡胡都算。", "buckets"),
        ("absorbs: [trickle]", "absorbs: [trickel]", "trickel"),
        ("best: points", "best: score", "score"),
        ("from: giver", "from: drawn", "seat"),
        ("stake: {name: {zh: 注, en: stake}, type: integer", "stake: {name: {zh: 注, en: stake}, type: number", "integer"),
        ("seats: 3", "seats: 9", ""),
        ("seats: 3", "seets: 3", "seets"),
        ("kinds: 123456m123456p123456s", "kinds: 123456m0q", ""),
        ("rules: [catch, bank]", "rules: [catch, bank]\n    ruels: []", "ruels"),
        ("format: 1", "format: 1\nformat: 1", ""),
    ],
)
def test_a_fault_says_where_and_what(old: str, new: str, said: str) -> None:
    text = DOCUMENT.replace(old, new, 1)
    assert text != DOCUMENT

    faults = faults_of(text)

    assert all(fault.message.zh and fault.message.en for fault in faults)
    assert any(said in fault.message.en for fault in faults)
    changed = new.splitlines()[-1]
    assert abs(faults[0].line - line_of(changed, text)) <= 1


def test_all_faults_are_named_at_once() -> None:
    text = DOCUMENT.replace("when: suits == 1", "when: suit == 1").replace("when: wilds == 0", "when: wild == 0")
    text = text.replace("amount: 3", "amount: three")

    assert len(faults_of(text)) == 3


@pytest.mark.parametrize(
    "text",
    ["", "[]", "a: &x [1]\nb: *x", "\t", "a: b: c", "- 1\n- 2", "x" * 500_000, "{" * 2000, "a: !!python/object:os.system {}", "\x00"],
)
def test_what_is_no_document_is_refused(text: str) -> None:
    assert faults_of(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<<: {a: 1}", "merge keys"),
        ("a: !!bool x", "tags"),
        ("a: !!omap [a: 1]", "tags"),
        ("[" * 3000, "nested deeper"),
        ("a: " + "{a: " * 60 + "1" + "}" * 60, "nested deeper"),
        ("a: [" + "1," * 45_000 + "1]", "too many parts"),
    ],
)
def test_what_would_take_long_or_is_no_plain_data_is_refused_while_it_is_read(text: str, said: str) -> None:
    assert said in faults_of(text)[0].message.en


def test_facts_that_call_one_another_more_and_more_are_refused() -> None:
    doubled = "".join(f"  more{number}(n): more{number - 1}(n) + more{number - 1}(n)\n" for number in range(1, 40))
    text = DOCUMENT.replace("\npatterns:\n", f"\nfacts:\n  more0(n): n + 1\n{doubled}patterns:\n", 1)

    assert any("too much is computed in calls" in fault.message.en for fault in faults_of(text))


@settings(max_examples=150, deadline=None)
@given(place=st.integers(0, len(DOCUMENT)), junk=st.text(max_size=12), cut=st.integers(0, 20))
def test_a_damaged_document_loads_or_names_faults(place: int, junk: str, cut: int) -> None:
    text = DOCUMENT[:place] + junk + DOCUMENT[place + cut :]

    try:
        load_ruleset(text)
    except DocumentFaults as found:
        assert found.faults  # noqa: PT017 - both ends are good
