"""What a request asks of the search: the same parameters for the page and the API."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from django.http import QueryDict

from rules_app.catalogue import revisions_of_all_games
from rules_app.engine.tiles import TileTextError, parse_tiles
from rules_app.rulings import ruleset_of
from rules_app.search.by_tiles import GameAnswer, TilesAsked, answer_of_game, read_tiles
from rules_app.search.finding import Filters
from rules_app.search.models import SearchDocument
from rules_app.search.presenting import kinds_of_groups

TILE_TEXT = re.compile(r"\s*(?:[1-9]+[mpszf][\s+]*){1,20}")
LONGEST = 200
ORDER = ("made", "waiting", "refused", "no_win", "size", "foreign")


@dataclass(frozen=True, slots=True)
class Asked:
    """``text`` or ``tiles``, and what the results are narrowed to."""

    text: str = ""
    tiles: str = ""
    melds: str = ""
    wild: str = ""
    games: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    needs: str = ""
    """``wild``: patterns that need wild tiles; ``plain``: those that do not."""
    filters: Filters = field(default_factory=Filters)

    @property
    def by_tiles(self) -> bool:
        """Whether tiles are asked about, not words."""
        return bool(self.tiles)


def read_asked(data: QueryDict) -> Asked:
    """The parameters ``q``, ``tiles``, ``melds``, ``wild``, ``game``, ``region``, ``kind`` and ``needs``."""
    text = (data.get("q") or "").strip()[:LONGEST]
    tiles = (data.get("tiles") or "").strip()[:LONGEST]
    if not tiles and looks_like_tiles(text):
        text, tiles = "", text
    games, regions, kinds = (tuple(one for one in data.getlist(name) if one) for name in ("game", "region", "kind"))
    needs = data.get("needs") or ""
    wanted = {"wild": True, "plain": False}.get(needs)
    filters = Filters(games, regions, kinds_of_groups(kinds), wanted)
    melds, wild = (data.get("melds") or "").strip()[:LONGEST], (data.get("wild") or "").strip()[:20]
    return Asked(text, tiles, melds, wild, games, regions, kinds, needs, filters)


def looks_like_tiles(text: str) -> bool:
    """Whether somebody typed tiles where words belong: ``123m 55p``, or tiles as pictures."""
    if TILE_TEXT.fullmatch(text) is None and not any("\U0001f000" <= sign <= "\U0001f02b" for sign in text):
        return False
    try:
        return len(parse_tiles(text.replace("+", " "))) >= 2
    except TileTextError:
        return False


def answers_by_tiles(asked: Asked, games: dict[str, SearchDocument], language: str) -> list[GameAnswer]:
    """What every game says of the tiles, those in which they make something first.

    :raises TileTextError: where the text names no tiles.
    """
    tiles: TilesAsked = read_tiles(asked.tiles, asked.melds, asked.wild)
    answers = []
    for revision in revisions_of_all_games():
        slug = revision.ruleset.slug
        row = games.get(slug)
        if asked.games and slug not in asked.games:
            continue
        if asked.regions and (row is None or row.region_en not in asked.regions):
            continue
        answers.append(answer_of_game(slug, ruleset_of(revision), tiles, language))
    return sorted(answers, key=lambda answer: (ORDER.index(answer.state), -len(answer.patterns), answer.slug))
