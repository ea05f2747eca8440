"""What a pattern is worth, in words, and the house rules on which that depends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules_app.engine import Refusal, Ruleset
from rules_app.engine.compiled import CompiledPattern
from rules_app.engine.examples import request_of_hand
from rules_app.engine.expressions import Expression
from rules_app.engine.schema import Expr, Words
from rules_app.round_events import signed_value


@dataclass(frozen=True, slots=True)
class Value:
    """The words for a value, the number by which a table is sorted, and the options that change it."""

    words: Words
    number: int
    options: tuple[str, ...]


def value_of(ruleset: Ruleset, name: str) -> Value:
    """The value of a pattern with the default options."""
    compiled = ruleset.by_id[name]
    pattern = compiled.pattern
    options = tuple(options_in(ruleset, [compiled.exists, compiled.when, compiled.count, compiled.value]))
    fixed = _fixed_value(ruleset, pattern.value)
    sample = fixed if fixed is not None else _value_of_example(ruleset, compiled)
    number = sample if sample is not None else 0
    if pattern.value_text is not None:
        return Value(pattern.value_text, number, options)
    if sample is None:
        return Value(Words(zh="看牌", en="by the hand"), 0, options)
    zh, en = (signed_value(ruleset, pattern.unit, sample, language) for language in ("zh", "en"))
    if _is_counted_often(compiled):
        zh, en = f"每个 {zh}", f"{en} each"
    return Value(Words(zh=zh, en=en), number, options)


def _fixed_value(ruleset: Ruleset, value: Expr) -> int | None:
    """A value that is a number, or an option and nothing else: its default."""
    if isinstance(value, str) and value.startswith("options."):
        option = ruleset.document.options.get(value.removeprefix("options."))
        value = option.default if option is not None else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _is_counted_often(compiled: CompiledPattern) -> bool:
    count = compiled.pattern.count
    return isinstance(count, str) and not count.isdecimal()


def _value_of_example(ruleset: Ruleset, compiled: CompiledPattern) -> int | None:
    for example in compiled.pattern.examples:
        if example.options:
            continue
        try:
            answer = ruleset.score(request_of_hand(ruleset, example)).answer("en")
        except (Refusal, ValueError):
            continue
        for win in answer["wins"]:
            for value in win.get("values", ()):
                if value["id"] == compiled.id:
                    return int(value["value"])
    return None


def names_in(ruleset: Ruleset, expressions: Iterable[Expression]) -> set[str]:
    """The names that expressions look at, also through the facts of the document."""
    facts = {fact.name: fact.expression for fact in ruleset.facts}
    found: set[str] = set()
    waiting = [name for expression in expressions for name in expression.names]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        fact = facts.get(name.removesuffix("()"))
        if fact is not None:
            waiting += fact.names
    return found


def options_in(ruleset: Ruleset, expressions: Iterable[Expression]) -> list[str]:
    """The options that expressions look at, in the document's order."""
    names = names_in(ruleset, expressions)
    return [option for option in ruleset.document.options if f"options.{option}" in names]
