"""The reference of the language: every name that a document can use, where, and what it means."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rules_app.engine.composition import Composition
from rules_app.engine.environment import EventEnv, RoundEnv
from rules_app.engine.expressions import Function, Symbol, language_reference, type_label
from rules_app.engine.expressions.symbols import Declaration
from rules_app.engine.hand import HandEnv
from rules_app.engine.naming import declarations
from rules_app.engine.reading import ReadingEnv, ScoredEnv
from rules_app.engine.records import EVENT, MELD, SET
from rules_app.engine.scopes import TITLES
from rules_app.engine.text import Text


@dataclass(frozen=True, slots=True)
class Entry:
    """A name, its type in words, its meaning, an example."""

    name: str
    type: Text
    doc: Text
    example: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """The names of one place."""

    id: str
    title: Text
    intro: Text
    entries: tuple[Entry, ...]


INTROS = {
    "round": Text("整局都能用的名字：选项、另记的事、庄家、百搭。", "Known everywhere: options, inputs, the dealer, the wild kinds."),
    "event": Text(
        "在检查、付分与下一局里可用；past、wins、won 只看得到这个事件之前的事。",
        "In checks, payments and the next round; past, wins and won see only what lies before the event.",
    ),
    "hand": Text("在标记、形、条件与番种里可用。", "In flags, shapes, conditions and patterns."),
    "tiles": Text(
        "牌的组成。有百搭的玩法按一种读法算（百搭算所代的牌），没有百搭的玩法就是手里的牌。",
        "What the hand is made of. In games with wild tiles this is the hand as it is read; elsewhere the tiles themselves.",
    ),
    "reading": Text("一种读法：各副牌、将、胡的那张的位置。", "One reading: the sets, the pair, the place of the winning tile."),
    "scored": Text(
        "计番之后：单位的合计、得分的各步、哪些番计了。",
        "After counting: totals of the units, the steps of the score, which patterns are counted.",
    ),
}
RECORDS = {
    "event": Text("事件（events、past 里的每一项）", "an event, each of events and past"),
    "meld": Text("副露（melds 里的每一项）", "a meld, each of melds"),
    "set": Text("一副牌（sets 里的每一项）", "a set, each of sets"),
}


def language_chapters() -> list[Chapter]:
    """The whole reference, chapter by chapter."""
    places: list[tuple[str, type]] = [
        ("round", RoundEnv),
        ("event", EventEnv),
        ("hand", HandEnv),
        ("tiles", Composition),
        ("reading", ReadingEnv),
        ("scored", ScoredEnv),
    ]
    chapters = [_forms()]
    for id_, owner in places:
        title = TITLES.get(id_, Text("牌的组成", "the tiles of a hand"))
        chapters.append(Chapter(id_, title, INTROS[id_], tuple(_entries(declarations(owner, "e")))))
    for record in (EVENT, MELD, SET):
        rows = tuple(Entry(f".{name}", type_label(field.type), field.doc, "") for name, field in record.fields.items())
        words = RECORDS[record.name]
        chapters.append(Chapter(f"record-{record.name}", words, Text("用点号取其中的一项。", "Reached with a dot."), rows))
    return chapters


def _forms() -> Chapter:
    rows = [Entry(str(row["name"]), _text(row["type"]), _text(row["doc"]), str(row["example"])) for row in language_reference([])]
    intro = Text(
        "表达式是一小部分 Python：运算、比较、条件、对列表的计数。只有整数，没有小数。",
        "Expressions are a small part of Python: sums, comparisons, conditions, counting over lists. All numbers are whole.",
    )
    return Chapter("forms", Text("运算与写法", "operators and forms"), intro, tuple(rows))


def _text(words: Any) -> Text:
    return Text(words["zh"], words["en"]) if isinstance(words, dict) else Text(str(words), str(words))


def _entries(declared: Iterable[Declaration]) -> Iterable[Entry]:
    for declaration in declared:
        if isinstance(declaration, Symbol):
            yield Entry(declaration.name, type_label(declaration.type), declaration.doc, declaration.example)
        elif isinstance(declaration, Function):
            params = [type_label(param) for param in declaration.params]
            result = type_label(declaration.result)
            yield Entry(
                f"{declaration.name}({', '.join(param.en for param in params)})",
                result,
                declaration.doc,
                declaration.example,
            )
