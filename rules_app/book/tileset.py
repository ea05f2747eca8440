"""The tiles of a game and what may be claimed, from its document."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules_app.engine import Ruleset
from rules_app.engine.tiles import format_tiles, suit_of


@dataclass(frozen=True, slots=True)
class TileRow:
    """Tiles of one suit, each with this many copies."""

    tiles: str
    copies: int
    is_flower: bool


@dataclass(frozen=True, slots=True)
class ClaimsShown:
    """What may be claimed, each a word and whether it may; ``kongs`` are the kinds of kongs."""

    rows: list[tuple[str, bool, str]]
    special: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class WildShown:
    """The wild tiles: their name, the kinds that always are, how many are in play, what stands in for them."""

    name: str
    kinds: str
    is_turned: bool
    most: int | None
    stand_in: str


def wild_shown(ruleset: Ruleset, language: str) -> WildShown | None:
    """The wild tiles of the game, if it has any."""
    wild = ruleset.document.wild
    if wild is None:
        return None
    return WildShown(
        wild.name.in_language(language),
        format_tiles(ruleset.fixed_wild),
        wild.turned is not None,
        wild.most,
        wild.stand_in.tile if wild.stand_in is not None else "",
    )


def tile_rows(ruleset: Ruleset, _language: str) -> list[TileRow]:
    """The tiles of the set by suit and number of copies."""
    rows = []
    for suit in "mpszf":
        kinds = [kind for kind in range(42) if suit_of(kind) == suit and ruleset.copies[kind]]
        for copies in sorted({ruleset.copies[kind] for kind in kinds}, reverse=True):
            same = [kind for kind in kinds if ruleset.copies[kind] == copies]
            for is_flower in (False, True):
                shown = [kind for kind in same if (kind in ruleset.flower_kinds) is is_flower]
                if shown:
                    rows.append(TileRow(format_tiles(shown), copies, is_flower))
    return rows


def claims_of(ruleset: Ruleset, language: str) -> ClaimsShown:
    """Chow, pong and kongs of the game."""
    document = ruleset.document
    claims = document.claims
    chow = {"no": "", "previous": _("from the seat before only"), "yes": _("from every seat")}[claims.chow]
    zh = language.startswith("zh")
    kongs = [document.events.kongs[kind].name for kind in claims.kongs if kind in document.events.kongs]
    listed = ("、" if zh else ", ").join(name.zh if zh else name.en for name in kongs)
    rows = [(_("chow"), claims.chow != "no", chow), (_("pong"), claims.pong, ""), (_("kong"), bool(claims.kongs), listed)]
    special = [(meld.name.zh if zh else meld.name.en, format_tiles(ruleset.special_melds[name])) for name, meld in claims.special.items()]
    return ClaimsShown(rows, special)
