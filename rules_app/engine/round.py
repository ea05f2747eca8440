"""A round as it was entered: its table, its events, the hands and melds in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .tiles import rank_of, suit_of

MAX_EVENTS = 64
MAX_RECORDS = 400
LARGEST = 10**12
MANNERS = ("self_draw", "discard", "rob_kong")


@dataclass(slots=True)
class Meld:
    """A meld: its kind (chow, pong, kong or a special one), tiles as printed, who gave it and how a kong was made."""

    kind: str
    tiles: tuple[int, ...]
    giver: int | None = None
    by: str | None = None

    @property
    def tile(self) -> int:
        """The first kind of the meld as printed."""
        return min(self.tiles)

    @property
    def suit(self) -> str:
        """The suit of its first tile."""
        return suit_of(self.tile)

    @property
    def rank(self) -> int:
        """The rank of its first tile."""
        return rank_of(self.tile)

    @property
    def is_concealed(self) -> bool:
        """Whether it is a concealed kong."""
        return self.by == "concealed"


@dataclass(slots=True)
class Shown:
    """A hand shown at a draw or on another event: concealed tiles, melds, flowers."""

    seat: int
    hand: tuple[int, ...]
    melds: tuple[Meld, ...] = ()
    flowers: tuple[int, ...] = ()


@dataclass(slots=True)
class Event:
    """One thing that happened. Unused fields keep their defaults."""

    type: str
    index: int
    seat: int | None = None
    by: str | None = None
    giver: int | None = None
    tile: int | None = None
    tiles: tuple[int, ...] = ()
    kind: str | None = None
    name: str | None = None
    hand: tuple[int, ...] = ()
    melds: tuple[Meld, ...] = ()
    flowers: tuple[int, ...] = ()
    flags: frozenset[str] = frozenset()
    declared: tuple[str, ...] | None = None
    hands: tuple[Shown, ...] = ()
    fields: dict[str, Any] = field(default_factory=dict)
    first: int = 0
    """Index of the first event of the same happening (several wins on one tile)."""
    together: int = 1
    """How many wins the happening has."""
    robbed: bool = False
    """A kong whose added tile was won on."""
    void: bool = False
    """A win that another one on the same tile takes precedence over."""

    @property
    def shown_melds(self) -> list[Meld]:
        """The melds of all hands shown on the event."""
        return [meld for shown in self.hands for meld in shown.melds]


@dataclass(slots=True)
class Round:
    """Options, table and events of one round, with every default filled in."""

    options: dict[str, Any]
    dealer: int
    streak: int
    round_wind: int
    state: dict[str, Any]
    wild: tuple[int, ...]
    inputs: dict[str, Any]
    given: frozenset[str]
    """Inputs that were entered, as against those that took their default."""
    events: list[Event]
    ask: str | None = None
    """``waits`` of hands shown; what a round that still goes on has come to ``so_far``; None for a whole round."""
