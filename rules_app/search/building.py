"""From a ruleset to its rows in the search: titles, other names, texts, and what a list shows of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from rules_app.book.facts import game_facts
from rules_app.book.prose import plain_text
from rules_app.book.rules import Rule, rules_of
from rules_app.engine import Ruleset as EngineRuleset
from rules_app.engine.schema import Aliases, Words
from rules_app.models import Ruleset
from rules_app.rulings import ruleset_of
from rules_app.search.models import SearchDocument
from rules_app.search.tokens import initials, joined, key, pinyin_tokens, syllables, synonyms, text_tokens

KIND_ORDER = (
    "pattern", "game", "payment", "term", "option", "event", "flag", "shape", "input", "state", "condition", "check", "page", "gap",
)  # fmt: skip
SENTENCES = ("gap", "condition", "check")
"""Kinds whose titles are sentences: nobody types them as a name."""
NOT_SHIPPED = 100_000
ROW_FORMAT = 3
"""To be raised whenever rows are made otherwise: `load_rulesets` then makes them anew."""


@dataclass(slots=True)
class _Names:
    """The names of a rule as tokens, by how close a match of them is."""

    names: list[str] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)
    initials: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    def add(self, texts: Iterable[str], into: list[str]) -> None:
        for text in texts:
            into.append(key(text))
            self.parts += text_tokens(text)

    def add_pinyin(self, parts: list[str], into: list[str]) -> None:
        if not parts:
            return
        into.append("".join(parts))
        self.parts += pinyin_tokens(parts)
        self.initials.append(initials(parts))
        if any("v" in part for part in parts):
            self.add_pinyin([part.replace("v", "u") for part in parts], self.aliases)
        if "hu" in parts:
            # A win is written 和 by many, and read "he" by whoever does not play.
            self.aliases.append("".join("he" if part == "hu" else part for part in parts))


def index_ruleset(stored: Ruleset, ruleset: EngineRuleset) -> int:
    """Replace the rows of a ruleset by those of a compiled document; how many there are."""
    rows = list(rows_of(stored, ruleset))
    with transaction.atomic():
        SearchDocument.objects.filter(ruleset=stored).delete()
        SearchDocument.objects.bulk_create(rows, batch_size=200)
    return len(rows)


def rebuild_search(*, missing_only: bool = False) -> int:
    """Index the newest published revision of every ruleset; how many were indexed.

    ``missing_only`` leaves those alone whose rows were made by this version of the code.
    """
    done = 0
    for stored in Ruleset.objects.all():
        rows = SearchDocument.objects.filter(ruleset=stored)
        game = rows.filter(kind="game").first()
        if missing_only and game is not None and game.data.get("format") == ROW_FORMAT:
            continue
        latest = stored.latest
        if latest is None:
            rows.delete()
            continue
        index_ruleset(stored, ruleset_of(latest))
        done += 1
    return done


def rows_of(stored: Ruleset, ruleset: EngineRuleset) -> Iterator[SearchDocument]:
    """The rows of a ruleset, the game itself first."""
    document = ruleset.document
    game = _names_of(Rule("game", "", document.name, document.summary, document.pinyin, document.aliases))
    context = [*game.parts, *text_tokens(document.region.zh, document.region.en)]
    for position, rule in enumerate(rules_of(ruleset)):
        names = game if rule.kind == "game" else _names_of(rule)
        data = dict(rule.data)
        if rule.kind == "game":
            data |= game_facts(ruleset) | {"format": ROW_FORMAT}
        also = [*rule.aliases.zh, *rule.aliases.en]
        spoken = [] if rule.kind in SENTENCES else syllables(rule.title.zh, rule.pinyin)
        body = Words(zh=plain_text(rule.text.zh), en=plain_text(rule.text.en))
        order = KIND_ORDER.index(rule.kind)
        yield SearchDocument(
            ruleset=stored,
            slug=stored.slug,
            kind=rule.kind,
            rule=rule.id,
            title_zh=rule.title.zh[:200],
            title_en=rule.title.en[:200],
            body_zh=body.zh,
            body_en=body.en,
            region_zh=document.region.zh[:100],
            region_en=document.region.en[:100],
            needs_wild=rule.needs_wild,
            data=data | ({"also": also} if also else {}) | ({"pinyin": spoken} if spoken else {}),
            names=joined(names.names),
            aliases=joined(names.aliases),
            initials=joined(names.initials),
            title_tokens=joined(names.parts),
            context_tokens=joined([*names.parts, *context]),
            tokens=joined([*names.parts, *text_tokens(body.zh, body.en)]),
            position=position,
            weight=(0 if stored.shipped else NOT_SHIPPED) + order * 1000 + min(len(rule.title.zh), 99) * 10,
        )


def _names_of(rule: Rule) -> _Names:
    names = _Names()
    if rule.kind in SENTENCES:
        names.parts += text_tokens(rule.title.zh, rule.title.en)
        return names
    names.add([rule.title.zh, rule.title.en], names.names)
    names.add_pinyin(syllables(rule.title.zh, rule.pinyin), names.names)
    aliases: Aliases = rule.aliases
    names.add([*aliases.zh, *aliases.zh_hant, *aliases.en], names.aliases)
    for alias in aliases.zh:
        names.add_pinyin(syllables(alias), names.aliases)
    for alias in aliases.pinyin:
        names.add_pinyin(syllables("", alias), names.aliases)
    _add_synonyms(names)
    return names


def _add_synonyms(names: _Names) -> None:
    """The names that other regions use, where one of the rule's own names stands in the shared list."""
    groups = synonyms().names
    own = [*names.names, *names.aliases]
    for line in dict.fromkeys(groups[name] for name in own if name in groups):
        others = [name for name in line if key(name) not in own]
        names.add(others, names.aliases)
        for other in others:
            if not other.isascii():
                names.add_pinyin(syllables(other), names.aliases)


def stored_data(row: SearchDocument, language: str) -> dict[str, Any]:
    """The ``data`` of a row in one language: pairs of wordings become the one asked for."""
    short = "zh" if language.startswith("zh") else "en"

    def pick(value: Any) -> Any:
        if isinstance(value, dict):
            return value[short] if set(value) == {"zh", "en"} else {name: pick(item) for name, item in value.items()}
        return [pick(item) for item in value] if isinstance(value, list) else value

    found: dict[str, Any] = pick(row.data)
    return found
