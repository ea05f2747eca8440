"""Search results as a page and the API show them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from rules_app.book.anchors import rule_url
from rules_app.book.hands import HandShown
from rules_app.search.building import SENTENCES, stored_data
from rules_app.search.finding import GameHits, Hit, Nearness
from rules_app.search.marking import Piece, excerpt, is_marked, mark
from rules_app.search.models import SearchDocument
from rules_app.search.tokens import Query, key, read_query, synonyms

KIND_GROUPS: dict[str, tuple[str, ...]] = {
    "game": ("game",),
    "pattern": ("pattern",),
    "payment": ("payment",),
    "option": ("option",),
    "term": ("term",),
    "text": ("page", "gap"),
    "round": ("flag", "event", "input", "state", "shape", "condition", "check"),
}
"""What the filter by kind offers, and the kinds of rows behind it."""
SHOWN_AT_ONCE = 5


def kind_names() -> dict[str, str]:
    """The groups of kinds in words."""
    return {
        "game": _("games"),
        "pattern": _("patterns"),
        "payment": _("payments"),
        "option": _("house rules"),
        "term": _("words"),
        "text": _("chapters"),
        "round": _("rounds and refusals"),
    }


def kind_name(kind: str) -> str:
    """One kind in words."""
    return {
        "game": _("game"), "pattern": _("pattern"), "payment": _("payment"), "option": _("house rule"), "term": _("word"),
        "page": _("chapter"), "gap": _("decision"), "flag": _("circumstance"), "event": _("event"), "input": _("question"),
        "state": _("carried on"), "shape": _("shape"), "condition": _("condition"), "check": _("refusal"),
    }[kind]  # fmt: skip


@dataclass(frozen=True, slots=True)
class HitShown:
    """A rule in the list: title and excerpt in pieces, some marked."""

    kind: str
    kind_name: str
    rule: str
    title: list[Piece]
    other_title: list[Piece]
    also: list[Piece]
    value: str
    excerpt: list[Piece]
    hand: HandShown | None
    url: str
    nearness: str


@dataclass(slots=True)
class GameShown:
    """A game with its hits; ``rest`` are shown on request."""

    slug: str
    name: str
    region: str
    url: str
    hits: list[HitShown] = field(default_factory=list)
    rest: list[HitShown] = field(default_factory=list)


def present(groups: Iterable[GameHits], games: dict[str, SearchDocument], text: str, language: str) -> list[GameShown]:
    """The results of a search in one language; ``games``: the rows of the games by slug."""
    query = read_query(text)
    zh = language.startswith("zh")
    shown = []
    for group in groups:
        row = games.get(group.slug)
        name = (row.title_zh if zh else row.title_en) if row else group.slug
        region = (row.region_zh if zh else row.region_en) if row else ""
        hits = [hit_shown(hit, query, language) for hit in group.hits]
        shown.append(GameShown(group.slug, name, region, rule_url(group.slug), hits[:SHOWN_AT_ONCE], hits[SHOWN_AT_ONCE:]))
    return shown


def hit_shown(hit: Hit, query: Query, language: str) -> HitShown:
    """One hit in one language."""
    row = hit.row
    zh = language.startswith("zh")
    data = stored_data(row, language)
    pinyin: Sequence[str] = data.get("pinyin", ())
    title, other = (row.title_zh, row.title_en) if zh else (row.title_en, row.title_zh)
    title_pieces = mark(title, query, pinyin if zh else ())
    other_pieces = mark(other, query, () if zh else pinyin)
    also = also_matched(data.get("also", ()), query, hit)
    body = row.body_zh if zh else row.body_en
    return HitShown(
        row.kind,
        kind_name(row.kind),
        row.rule,
        title_pieces,
        [] if row.kind in SENTENCES else other_pieces,
        also if not (is_marked(title_pieces) or is_marked(other_pieces)) else [],
        data.get("value", ""),
        excerpt(body, query, language) if body != title else [],
        hand_of(data.get("example")),
        rule_url(row.slug, row.kind, row.rule) if row.kind != "game" else rule_url(row.slug),
        hit.nearness.name.lower(),
    )


def also_matched(names: Iterable[str], query: Query, hit: Hit) -> list[Piece]:
    """The other name that was meant, marked; also one that only the shared list knows."""
    for name in names:
        pieces = mark(name, query)
        if is_marked(pieces):
            return pieces
    if hit.nearness not in (Nearness.ALIAS, Nearness.INITIALS, Nearness.ALIAS_BEGINS):
        return []
    for name in names:
        if key(name) == query.key:
            return [Piece(name, marked=True)]
    line = synonyms().names.get(query.key)
    found = next((name for name in line if key(name) == query.key), None) if line else None
    return [Piece(found, marked=True)] if found else []


def hand_of(data: dict[str, Any] | None) -> HandShown | None:
    """The stored hand of an example."""
    if not data:
        return None
    texts = {name: data[name] for name in ("hand", "tile", "flowers", "wild") if name in data}
    return HandShown(**texts, melds=tuple(data.get("melds", ())), others=tuple(data.get("others", ())))


def kinds_of_groups(groups: Iterable[str]) -> tuple[str, ...]:
    """The kinds of rows behind the groups chosen; a kind may be named itself."""
    found: list[str] = []
    known = {kind for kinds in KIND_GROUPS.values() for kind in kinds}
    for group in groups:
        found += KIND_GROUPS.get(group, (group,) if group in known else ())
    return tuple(dict.fromkeys(found))
