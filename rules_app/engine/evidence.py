"""Which tiles make a pattern: read off the names that its condition uses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rules_app.engine.reading import ReadingEnv, ScoredEnv
from rules_app.engine.tiles import TileTextError, format_tiles, parse_tiles

if TYPE_CHECKING:
    from rules_app.engine.compiled import CompiledPattern
    from rules_app.engine.expressions import Expression
    from rules_app.engine.ruleset import Ruleset

PLACE = {"place", "place_tile", "place_wilds", "only_wait", "lone_wild"}
FLOWERS = {"flowers", "has_flower()", "flowers_among()"}
KONGS = {"kongs": ("concealed", "exposed", "added"), "concealed_kongs": ("concealed",), "exposed_kongs": ("exposed", "added")}
SOME_TRIPLETS = {"has_triplet()", "triplets_of()"}
SOME_TILES = {"copies()", "among()"}
CHOWS = {"chow_at()", "straight()"}
WHOLE = {
    "suits", "honors", "winds", "dragons", "terminals", "tile_count", "present", "suit_tiles()", "rank_tiles()", "only()",
    "natural_only()", "outside()", "shape", "chows", "triplets", "triplet_at()", "sets", "concealed_triplets", "home", "homes",
    "wilds", "wilds_drawn", "concealed", "openings", "melded", "melds",
}  # fmt: skip
GUARDS = {"shape", "chows", "triplets", "dragons", "winds", "honors", "terminals"}
"""Of these, what only guards a condition about single sets."""
CIRCUMSTANCE = {"by", "giver", "discarder", "seat", "dealer", "streak", "last_win", "past", "robs", "treasured", "tile"}


def tiles_of(compiled: CompiledPattern, scored: ScoredEnv) -> str:
    """The tiles that make a counted pattern, as tile text; empty where no tile does (or in quick entry).

    A circumstance of the win is made by the winning tile; whatever looks at the hand as a whole, by all its tiles.
    """
    reading, hand = scored.g, scored.h
    if hand.quick:
        return ""
    expressions = [compiled.when, compiled.count]
    expressions += _facts_in(expressions, hand.r.ruleset)
    names = {name for expression in expressions for name in expression.names}
    literals = _literals(expression.source for expression in expressions)
    if compiled.join is not None:
        return format_tiles(kind for first in reading.chow_firsts for kind in range(first, first + 3))
    if names & (WHOLE - GUARDS if names & (SOME_TRIPLETS | PLACE) else WHOLE):
        return format_tiles(_all_tiles(reading))
    kinds: list[int] = []
    if names & PLACE and reading.place_group >= 0:
        kinds += reading.groups[reading.place_group].tiles
    for name, manners in KONGS.items():
        if name in names:
            kinds += [kind for meld in hand.melds if meld.by in manners for kind in hand.read_meld(meld)]
    if "quads" in names:
        kinds += [kind for kind in reading.quads for _ in range(4)]
    if names & FLOWERS:
        kinds += [kind for kind in hand.flowers if kind in literals or not literals]
    if names & SOME_TRIPLETS:
        kinds += [kind for kind in reading.triplet_firsts if kind in literals or not literals for _ in range(3)]
    if names & SOME_TILES:
        kinds += [kind for kind in literals for _ in range(reading.counts[kind])]
    if names & CHOWS:
        kinds += [kind for first in reading.chow_firsts for kind in range(first, first + 3)]
    if "pair" in names and reading.pair is not None:
        kinds += [reading.pair] * 2
    if not kinds and hand.tile is not None and (names & CIRCUMSTANCE or any(name.startswith("flags.") for name in names)):
        kinds = [hand.tile]
    return format_tiles(kinds or _all_tiles(reading))


def _all_tiles(reading: ReadingEnv) -> list[int]:
    return [kind for kind, copies in enumerate(reading.counts) for _ in range(copies)]


def _facts_in(expressions: Sequence[Expression], ruleset: Ruleset) -> list[Expression]:
    """The expressions of the document's facts that these use, directly or through others."""
    facts = {fact.name: fact.expression for fact in ruleset.facts}
    found: list[Expression] = []
    waiting = list(expressions)
    while waiting:
        for name in waiting.pop().names:
            fact = facts.get(name.removesuffix("()"))
            if fact is not None and fact not in found:
                found.append(fact)
                waiting.append(fact)
    return found


def _literals(sources: Iterable[str]) -> set[int]:
    """The kinds of the tile texts written in expressions."""
    kinds: set[int] = set()
    for source in sources:
        for text in re.findall(r"\"([1-9mpszf]+)\"", source):
            try:
                kinds.update(parse_tiles(text))
            except TileTextError:
                continue
    return kinds
