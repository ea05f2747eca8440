"""The index: each game as a card, from its row in the search."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from rules_app.search.building import stored_data
from rules_app.search.models import SearchDocument

TELLING = ("wild", "flowers", "goes_on", "chow", "seven_pairs", "minimum", "liability", "carried_state", "self_draw_only", "declared_ready")
"""Features by which people choose a game, in the order of the chips."""


@dataclass(frozen=True, slots=True)
class FeatureShown:
    """A feature of a game: present or not, its words and the address of its rule."""

    id: str
    name: str
    present: bool
    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Card:
    """A game in the index."""

    slug: str
    name: str
    other_name: str
    region: str
    summary: str
    seats: int
    tiles: int
    suits: tuple[str, ...]
    patterns: int
    features: tuple[FeatureShown, ...]
    also: tuple[str, ...]
    url: str

    @property
    def special(self) -> list[FeatureShown]:
        """The features that are there, as far as they help to choose."""
        return [feature for feature in self.features if feature.present and feature.id in TELLING and feature.id != "chow"]

    @property
    def sample(self) -> str:
        """A tile of each suit."""
        return "".join(f"{1 if suit == 'f' else 5}{suit}" for suit in self.suits)


def feature_names() -> dict[str, str]:
    """All features by which games are compared."""
    return {
        "chow": _("chow"),
        "wild": _("wild tiles"),
        "flowers": _("flowers"),
        "kong_payments": _("kongs are paid"),
        "multiple_wins": _("several winners"),
        "goes_on": _("goes on after a win"),
        "liability": _("liability"),
        "minimum": _("a least value to win"),
        "dealer_matters": _("the dealer counts more"),
        "declared_ready": _("ready is declared"),
        "draw_settlement": _("a draw is settled"),
        "carried_state": _("carried to the next round"),
        "seven_pairs": _("pairs as a shape"),
        "self_draw_only": _("self-draw only"),
        "stakes": _("stakes"),
        "penalties": _("penalties"),
    }


def game_rows() -> list[SearchDocument]:
    """The rows of all games, the shipped ones first."""
    wanted = ("slug", "title_zh", "title_en", "body_zh", "body_en", "region_zh", "region_en", "data", "weight")
    return list(SearchDocument.objects.filter(kind="game").only(*wanted).order_by("weight", "region_en", "slug"))


def card_of(row: SearchDocument, language: str) -> Card:
    """A game's card in one language."""
    data = stored_data(row, language)
    url = reverse("rules:game", args=[row.slug])
    zh = language.startswith("zh")
    names = feature_names()
    features = tuple(_feature(name, names[name], data["features"][name], url) for name in names if name in data.get("features", {}))
    return Card(
        slug=row.slug,
        name=row.title_zh if zh else row.title_en,
        other_name=row.title_en if zh else row.title_zh,
        region=row.region_zh if zh else row.region_en,
        summary=row.body_zh if zh else row.body_en,
        seats=data.get("seats", 4),
        tiles=data.get("tiles", 0),
        suits=tuple(data.get("suits", ())),
        patterns=data.get("patterns", 0),
        features=features,
        also=tuple(data.get("also", ())),
        url=url,
    )


def _feature(name: str, label: str, feature: dict[str, Any], url: str) -> FeatureShown:
    anchor = feature.get("anchor") or ""
    return FeatureShown(name, label, bool(feature.get("present")), feature.get("text") or "", f"{url}#{anchor}" if anchor else url)


def cards(language: str) -> list[Card]:
    """All games, those of one region beside each other."""
    made = [card_of(row, language) for row in game_rows()]
    return sorted(made, key=lambda card: (card.region, card.slug)) if not language.startswith("zh") else made


def having(games: Iterable[Card], wanted: Iterable[str]) -> list[Card]:
    """The games that have all the features asked for; ``no-<feature>`` asks for games without it."""
    kept = list(games)
    for name in wanted:
        absent = name.startswith("no-")
        feature = name.removeprefix("no-")
        kept = [card for card in kept if any(one.id == feature and one.present is not absent for one in card.features)]
    return kept
