"""Groups of tiles as they are read: sets, pairs and single tiles, with what each wild tile stands for.

Groups are interned: equal groups are one object, so readings compare and hash fast.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from rules_app.engine.tiles import PLAYING

Form = Literal["chow", "triplet", "pair", "single", "kong"]

FORMS: Final[tuple[Form, ...]] = ("triplet", "chow", "pair", "single", "kong")
_SIZES: Final[dict[Form, int]] = {"chow": 3, "triplet": 3, "pair": 2, "single": 1, "kong": 4}


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """A set, a pair or a single tile as it is read; made by :func:`group` only."""

    form: Form
    first: int
    """The kind of the tile, or the lowest kind of a chow."""
    tiles: tuple[int, ...]
    """The kinds as read."""
    wild: tuple[bool, ...]
    """Which of ``tiles`` a wild fills; in groups of equal tiles the last ones."""
    wilds: int
    natural: tuple[int, ...]
    """The kinds of the natural tiles in it."""
    stood: tuple[int, ...]
    """The kinds that its wild tiles stand for."""
    order: int
    """Sorts groups: by first kind, then form, then the wild tiles."""

    def __repr__(self) -> str:
        mask = sum(1 << place for place, wild in enumerate(self.wild) if wild)
        return f"group({self.form!r}, {self.first}, {mask})"

    def __reduce__(self) -> tuple[Callable[[Form, int, int], Group], tuple[Form, int, int]]:
        mask = sum(1 << place for place, wild in enumerate(self.wild) if wild)
        return group, (self.form, self.first, mask)


Reading = tuple[Group, ...]
Part = tuple[Reading, Reading]
"""Sets and pairs (none or one) that are part of a reading."""


@cache
def _interned(form: Form, first: int, wilds: int, mask: int) -> Group:
    size = _SIZES[form]
    tiles = tuple(range(first, first + 3)) if form == "chow" else (first,) * size
    wild = tuple(bool(mask >> place & 1) for place in range(size))
    natural = tuple(kind for kind, is_wild in zip(tiles, wild, strict=True) if not is_wild)
    stood = tuple(kind for kind, is_wild in zip(tiles, wild, strict=True) if is_wild)
    order = (first * len(FORMS) + FORMS.index(form)) * 16 + mask
    return Group(form, first, tiles, wild, wilds, natural, stood, order)


@cache
def group(form: Form, first: int, wild_mask: int = 0) -> Group:
    """The group with a wild tile at each place whose bit is set (bit 0: the first place).

    Equal tiles have no places of their own: there only the number of wild tiles counts.
    """
    size = _SIZES[form]
    if wild_mask >> size:
        raise ValueError(f"a {form} has {size} places; the mask {wild_mask:b} has more")
    if not 0 <= first < PLAYING or (form == "chow" and (first >= 27 or first % 9 > 6)):
        raise ValueError(f"no {form} begins at kind {first}")
    wilds = wild_mask.bit_count()
    if form != "chow":
        wild_mask = (1 << size) - (1 << size - wilds)
    return _interned(form, first, wilds, wild_mask)
