"""Hands as pages draw them: what lies concealed, the winning tile, melds, flowers, which kinds are wild."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from rules_app.engine import Ruleset
from rules_app.engine.examples import request_of_hand
from rules_app.engine.schema import HandExample
from rules_app.engine.tiles import TileTextError, format_tiles, parse_tiles

Melds = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HandShown:
    """Tile texts of a hand; ``others`` are hands beside it (of a showdown), one text each."""

    hand: str = ""
    tile: str = ""
    melds: Melds = ()
    flowers: str = ""
    wild: str = ""
    others: tuple[str, ...] = field(default=())

    @property
    def is_empty(self) -> bool:
        return not (self.hand or self.tile or self.melds or self.flowers or self.others)

    @property
    def is_long(self) -> bool:
        """Whether it is drawn smaller so that it fits a line."""
        return sum(letter.isdigit() for text in (self.hand, self.tile, *self.melds) for letter in text) > 14

    def as_data(self) -> dict[str, Any]:
        """JSON-able, without what is empty."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items() if value}


def hand_of_event(ruleset: Ruleset, event: Mapping[str, Any], wild: str = "") -> HandShown:
    """The tiles of a win, or of an own event that shows tiles."""
    comparison = ruleset.document.comparison
    if comparison is not None and event.get("type") == comparison.event:
        sides = tuple(tidy(str(side)) for side in event.get(comparison.sides) or ())
        return HandShown(hand=tidy(str(event.get(comparison.against) or "")), others=sides)
    melds = tuple(tidy(str(meld["tiles"])) for meld in event.get("melds") or () if isinstance(meld, Mapping))
    return HandShown(
        hand=tidy(str(event.get("hand") or "")),
        tile=str(event.get("tile") or "") if event.get("type") == "win" else "",
        melds=melds,
        flowers=tidy(str(event.get("flowers") or "")),
        wild=wild,
    )


def hand_of_example(ruleset: Ruleset, example: HandExample, request: Mapping[str, Any]) -> HandShown:
    """The hand of a pattern's example; ``request`` is the round that it stands for."""
    shown = hand_of_event(ruleset, request["round"]["events"][-1], wild_of(ruleset, request))
    return shown if shown.hand or shown.others else HandShown(hand=tidy(example.hand))


def first_hand(ruleset: Ruleset, pattern: str) -> HandShown | None:
    """The hand of the first example of a pattern that has one."""
    for example in ruleset.document.patterns[pattern].examples:
        try:
            shown = hand_of_example(ruleset, example, request_of_hand(ruleset, example))
        except ValueError:
            continue
        if not shown.is_empty:
            return shown
    return None


def wild_of(ruleset: Ruleset, request: Mapping[str, Any]) -> str:
    """The kinds that are wild in a round, as a tile text."""
    round_ = request.get("round", {})
    kinds: list[int] = []
    try:
        for text in round_.get("wild") or ():
            kinds += parse_tiles(str(text))
        wild = ruleset.document.wild
        if wild is not None and wild.turned is not None:
            turned = (round_.get("inputs") or {}).get(wild.turned.input)
            if turned:
                kind = parse_tiles(str(turned))[0]
                kinds += [ruleset.turned[kind]] if kind in ruleset.turned else []
    except (TileTextError, IndexError):
        return ""
    return format_tiles([*kinds, *ruleset.fixed_wild])


def tidy(text: str) -> str:
    """A tile text in the usual order; as it is where it cannot be read."""
    try:
        return format_tiles(sorted(parse_tiles(text)))
    except TileTextError:
        return text


def holds_wild(shown: HandShown) -> bool:
    """Whether a wild tile is in the hand."""
    try:
        wild = set(parse_tiles(shown.wild))
        return bool(wild & set(parse_tiles(f"{shown.hand}{shown.tile}{''.join(shown.melds)}")))
    except TileTextError:
        return False
