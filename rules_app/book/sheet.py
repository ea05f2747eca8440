"""A game on one sheet of paper: what counts, who pays, the house rules with their defaults."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules_app.book.hands import HandShown, first_hand
from rules_app.book.prose import plain_text
from rules_app.book.rules import default_words
from rules_app.book.values import value_of
from rules_app.engine import Ruleset
from rules_app.engine.schema import Words

SMALLEST_WITH_TILES = 2
"""The density up to which example hands still find room."""
ROOM = (3200, 4300, 5700, 8500, 11500)
"""How much fits a page by density: letters of Latin script, each line and rule counted as some more."""


@dataclass(slots=True)
class SheetLine:
    """A pattern or payment: its name, value and words."""

    name: str
    value: str
    text: str
    shown: HandShown | None = None


@dataclass(slots=True)
class Sheet:
    """The sheet; ``density`` (0 to 5) is how small its type has to be."""

    slug: str
    name: str
    other_name: str
    region: str
    glance: list[tuple[str, str]]
    patterns: list[SheetLine]
    payments: list[SheetLine]
    conditions: list[str]
    options: list[tuple[str, str]]
    next_text: str
    density: int = 0


def sheet_of(ruleset: Ruleset, slug: str, language: str) -> Sheet:
    """The sheet of a game in one language."""
    zh = language.startswith("zh")

    def say(words: Words | None) -> str:
        return "" if words is None else words.zh if zh else words.en

    document = ruleset.document
    sheet = Sheet(
        slug,
        say(document.name),
        document.name.en if zh else document.name.zh,
        say(document.region),
        [(say(cell.title), say(cell.text)) for cell in document.glance],
        [
            SheetLine(say(pattern.name), say(value_of(ruleset, name).words), plain_text(say(pattern.text)))
            for name, pattern in document.patterns.items()
        ],
        [SheetLine(say(payment.name), "", plain_text(say(payment.text))) for payment in document.payments],
        [say(condition.say) for condition in document.conditions],
        [(say(option.name), say(default_words(option))) for option in document.options.values()],
        plain_text(say(document.next.text)),
    )
    if _density(sheet, zh, with_tiles=True) <= SMALLEST_WITH_TILES:
        for name, line in zip(document.patterns, sheet.patterns, strict=True):
            line.shown = first_hand(ruleset, name)
    sheet.density = _density(sheet, zh, with_tiles=any(line.shown for line in sheet.patterns))
    return sheet


def _density(sheet: Sheet, zh: bool, *, with_tiles: bool) -> int:
    """How small the type has to be for one page, judged by the letters (a Chinese one takes the room of two)."""
    lines = [*sheet.patterns, *sheet.payments]
    texts: Iterable[str] = [*(line.name + line.value + line.text for line in lines), *sheet.conditions, sheet.next_text]
    letters = sum(map(len, texts)) + sum(len(name) + len(value) for name, value in [*sheet.options, *sheet.glance])
    tiles = 130 * len(sheet.patterns) if with_tiles else 0
    room = tiles + letters * (2 if zh else 1) + 60 * (len(lines) + len(sheet.conditions)) + 25 * len(sheet.options)
    return next((density for density, most in enumerate(ROOM) if room <= most), len(ROOM))
