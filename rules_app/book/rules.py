"""Every rule of a ruleset as a title and a text: what a search finds and what the glossary lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules_app.book.hands import hand_of_example, holds_wild
from rules_app.book.values import names_in, value_of
from rules_app.engine import Ruleset
from rules_app.engine.compiled import CompiledPattern
from rules_app.engine.examples import request_of_hand
from rules_app.engine.schema import Aliases, Input, Option, Pattern, Words

NO_ALIASES = Aliases()
WILD_NAMES = ("wild", "natural", "is_wild")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its kind and id (the game itself has none), its title, text, other names, and what a list shows of it."""

    kind: str
    id: str
    title: Words
    text: Words
    pinyin: str | None = None
    aliases: Aliases = NO_ALIASES
    needs_wild: bool = False
    data: Mapping[str, Any] = field(default_factory=dict)


def rules_of(ruleset: Ruleset) -> Iterator[Rule]:
    """All rules, the game first, then in the order of the page."""
    document = ruleset.document
    yield Rule("game", "", document.name, document.summary, document.pinyin, document.aliases)
    for name, pattern in document.patterns.items():
        yield _pattern(ruleset, name, pattern)
    for payment in document.payments:
        yield Rule("payment", payment.id, payment.name, payment.text or payment.name)
    for name, option in document.options.items():
        yield Rule("option", name, option.name, _with_help(option.help, option_values(option)))
    for name, spec in document.inputs.items():
        yield Rule("input", name, spec.name, spec.help or spec.name)
    for name, flag in document.flags.items():
        yield Rule("flag", name, flag.name, flag.help or flag.say or flag.name)
    for name, state in document.state.items():
        yield Rule("state", name, state.name, state.show or state.name)
    yield from _events(ruleset)
    for name, shape in document.shapes.items():
        yield Rule("shape", name, shape.name, shape.name)
    for condition in document.conditions:
        yield Rule("condition", condition.id, condition.say, condition.say)
    for check in document.checks:
        yield Rule("check", check.id, check.say, check.say)
    for page in document.pages:
        yield Rule("page", page.id, page.title, page.body)
    for gap in document.gaps:
        yield Rule("gap", gap.id, _beginning(gap.text), gap.text)
    for place, term in enumerate(document.glossary):
        yield Rule("term", str(place), term.term, term.text, term.pinyin)


def _pattern(ruleset: Ruleset, name: str, pattern: Pattern) -> Rule:
    value = value_of(ruleset, name)
    data: dict[str, Any] = {"value": value.words.model_dump(), "number": value.number}
    needs_wild = bool(pattern.examples) and _looks_at_wild(ruleset, ruleset.by_id[name])
    for place, example in enumerate(pattern.examples):
        try:
            shown = hand_of_example(ruleset, example, request_of_hand(ruleset, example))
        except ValueError:
            continue
        needs_wild = needs_wild and holds_wild(shown)
        if place == 0 and not shown.is_empty:
            data["example"] = shown.as_data()
    return Rule("pattern", name, pattern.name, pattern.text, pattern.pinyin, pattern.aliases, needs_wild, data)


def _looks_at_wild(ruleset: Ruleset, compiled: CompiledPattern) -> bool:
    return any(name.startswith(WILD_NAMES) for name in names_in(ruleset, [compiled.when, compiled.count]))


def _events(ruleset: Ruleset) -> Iterator[Rule]:
    events = ruleset.document.events
    for name, kong in events.kongs.items():
        yield Rule("event", name, kong.name, kong.name)
    for name, spec in {**events.penalties, **events.own}.items():
        yield Rule("event", name, spec.name, spec.help or spec.name)


def option_values(option: Option) -> Words:
    """The values an option may have, in words."""
    if isinstance(option.values, dict):
        return Words(zh="、".join(value.zh for value in option.values.values()), en=", ".join(value.en for value in option.values.values()))
    if isinstance(option.values, list):
        listed = [str(value) for value in option.values]
        return Words(zh="、".join(listed), en=", ".join(listed))
    if option.type == "flag":
        return Words(zh="是、否", en="yes, no")
    return range_words(option.min, option.max)


def range_words(least: int | None, most: int | None) -> Words:
    """A range of numbers."""
    if least is not None and most is not None:
        return Words(zh=f"{least} 到 {most}", en=f"{least} to {most}")
    if least is not None:
        return Words(zh=f"不小于 {least}", en=f"{least} or more")
    return Words(zh="整数", en="a number") if most is None else Words(zh=f"不大于 {most}", en=f"{most} or less")


def default_words(option: Option | Input) -> Words:
    """The default of an option in words."""
    value = option.default
    if isinstance(value, bool):
        return Words(zh="是" if value else "否", en="yes" if value else "no")
    if isinstance(option.values, dict) and value in option.values:
        return option.values[value]
    return Words(zh=str(value), en=str(value))


def _with_help(text: Words | None, values: Words) -> Words:
    if text is None:
        return values
    return Words(zh=f"{text.zh} {values.zh}", en=f"{text.en} {values.en}")


def _beginning(text: Words) -> Words:
    """The first words of a text, as a title."""
    zh = text.zh.split("。")[0]
    en = text.en.split(". ")[0]
    return Words(zh=zh if len(zh) <= 40 else f"{zh[:39]}…", en=en if len(en) <= 90 else f"{en[:89]}…")
