"""The words of all games in one list, by their pinyin or their English letters."""

from __future__ import annotations

from dataclasses import dataclass, field

from rules_app.book.anchors import rule_url
from rules_app.search.models import SearchDocument


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a word means in a game."""

    slug: str
    game: str
    text: str
    url: str


@dataclass(slots=True)
class Term:
    """A word with its meanings."""

    name: str
    other_name: str
    pinyin: str
    meanings: list[Meaning] = field(default_factory=list)


def terms(language: str) -> list[tuple[str, list[Term]]]:
    """The words under their first letters; two queries."""
    zh = language.startswith("zh")
    rows = SearchDocument.objects.filter(kind__in=["term", "game"]).order_by("slug", "position")
    found = list(rows.only("slug", "kind", "rule", "title_zh", "title_en", "body_zh", "body_en", "data", "position"))
    games = {row.slug: row.title_zh if zh else row.title_en for row in found if row.kind == "game"}
    words: dict[str, Term] = {}
    for row in found:
        if row.kind != "term":
            continue
        name, other = (row.title_zh, row.title_en) if zh else (row.title_en, row.title_zh)
        term = words.setdefault(name.lower(), Term(name, other, " ".join(row.data.get("pinyin", ()))))
        text = row.body_zh if zh else row.body_en
        term.meanings.append(Meaning(row.slug, games.get(row.slug, row.slug), text, rule_url(row.slug, "term", row.rule)))
    letters: dict[str, list[Term]] = {}
    for term in sorted(words.values(), key=lambda term: term.pinyin if zh else term.name.lower()):
        spelled = term.pinyin if zh else term.name
        letters.setdefault((spelled[:1] or "#").upper(), []).append(term)
    return list(letters.items())
