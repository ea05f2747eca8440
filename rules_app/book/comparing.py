"""Games side by side: features and patterns, each cell leading to the rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rules_app.book.anchors import rule_url
from rules_app.book.cards import Card, card_of, feature_names, game_rows
from rules_app.search.building import stored_data
from rules_app.search.models import SearchDocument
from rules_app.search.tokens import key, synonyms


@dataclass(frozen=True, slots=True)
class Cell:
    """What a game says: words, where they lead, and for a feature whether it is there."""

    text: str = ""
    url: str = ""
    present: bool | None = None
    name: str = ""
    """The game's own name of the pattern, where it is another than the row's."""


@dataclass(slots=True)
class Row:
    """A feature or pattern in every game chosen."""

    name: str
    other_name: str = ""
    cells: list[list[Cell]] = field(default_factory=list)

    @property
    def games(self) -> int:
        """How many games have it."""
        return sum(bool(cells) for cells in self.cells)


@dataclass(slots=True)
class Comparison:
    """The whole page."""

    games: list[Card]
    all_games: list[Card]
    features: list[Row]
    patterns: list[Row]


def compare(slugs: Sequence[str], language: str, *, shared_only: bool) -> Comparison:
    """The games asked for (all when none is), feature by feature and pattern by pattern; two queries.

    ``shared_only`` leaves out patterns that only one of the games has.
    """
    everything = [card_of(row, language) for row in game_rows()]
    games = [card for card in everything if card.slug in slugs] or everything
    rows = _pattern_rows([card.slug for card in games], language)
    if shared_only and len(games) > 1:
        rows = [row for row in rows if row.games > 1]
    return Comparison(games, everything, _feature_rows(games), rows)


def _feature_rows(games: Sequence[Card]) -> list[Row]:
    rows = []
    for name, label in feature_names().items():
        cells = []
        for card in games:
            feature = next((one for one in card.features if one.id == name), None)
            cells.append([Cell(feature.text, feature.url, feature.present)] if feature else [])
        if any(cells):
            rows.append(Row(label, cells=cells))
    return rows


def _pattern_rows(slugs: Sequence[str], language: str) -> list[Row]:
    zh = language.startswith("zh")
    wanted = ("slug", "rule", "title_zh", "title_en", "data", "position")
    found = SearchDocument.objects.filter(kind="pattern", slug__in=slugs).only(*wanted).order_by("slug", "position")
    rows: dict[str, Row] = {}
    for document in found:
        row = rows.setdefault(thing_of(document), Row(*_names(document, zh), cells=[[] for _ in slugs]))
        name, _other = _names(document, zh)
        value = stored_data(document, language).get("value", "")
        own = name if name != row.name else ""
        row.cells[slugs.index(document.slug)].append(Cell(value, rule_url(document.slug, "pattern", document.rule), name=own))
    return sorted(rows.values(), key=lambda row: (-row.games, row.name))


def _names(document: SearchDocument, zh: bool) -> tuple[str, str]:
    return (document.title_zh, document.title_en) if zh else (document.title_en, document.title_zh)


def thing_of(document: SearchDocument) -> str:
    """What a pattern is, whatever a game calls it: the line of the shared synonyms, else its id."""
    groups = synonyms().names
    line = groups.get(key(document.title_zh)) or groups.get(key(document.title_en))
    return "/".join(line) if line else document.rule
