"""What of a group the rules of a game can tell apart.

With many wild tiles a hand has tens of thousands of readings, most of which no rule of the game can tell from one
another: where only straights are asked for, it is all one whether three wild tiles are a triplet of ones or of twos.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable

from .groups import Group

Sight = Callable[[Group], Hashable]
"""What is seen of a group: groups of which the same is seen may stand for one another."""

_STRAIGHT_RANKS = (0, 3, 6)


def _nothing(_group: Group) -> Hashable:
    return None


def _form(group: Group) -> Hashable:
    return group.form


def _first_of(form: str) -> Sight:
    return lambda group: group.first if group.form == form else group.form


def _straights(group: Group) -> Hashable:
    return group.first if group.form == "chow" and group.first % 9 in _STRAIGHT_RANKS else group.form == "chow"


SIGHTS: dict[str, Sight] = {
    "shape": _nothing,
    "place": _nothing,
    "place_tile": _nothing,
    "place_wilds": _nothing,
    "chows": _form,
    "triplets": _form,
    "concealed_triplets": _form,
    "pair": _first_of("pair"),
    "has_triplet()": _first_of("triplet"),
    "triplets_of()": _first_of("triplet"),
    "triplet_at()": _first_of("triplet"),
    "chow_at()": _first_of("chow"),
    "straight()": _straights,
}
"""What each name of a reading sees of a group in which the winning tile is not; a name that is missing sees everything."""


def sight_of(names: Iterable[str], of_reading: Collection[str]) -> Sight | None:
    """What all ``names`` together see of a group; None where one of those ``of_reading`` sees everything."""
    used = [name for name in names if name.removesuffix("()") in of_reading]
    if any(name not in SIGHTS for name in used):
        return None
    sights = tuple({SIGHTS[name] for name in used})
    return lambda group: (group.form, *(sight(group) for sight in sights))
