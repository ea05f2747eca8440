"""Who sits where: by lot, a seat on, or a table on. Pure: numbers of players in, a seating out.

A lot is drawn with a recorded seed: the same seed and the same players give the same seats, so that everybody can
draw again and see that nothing was arranged.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TableSeats:
    """The players of a table by seat; None: an empty seat."""

    number: int
    seats: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Seating:
    """All tables, and who rests."""

    tables: tuple[TableSeats, ...]
    resting: tuple[int, ...] = ()

    @property
    def seated(self) -> tuple[int, ...]:
        return tuple(number for table in self.tables for number in table.seats if number is not None)

    def as_json(self) -> dict[str, Any]:
        tables = [{"number": table.number, "seats": list(table.seats)} for table in self.tables]
        return {"tables": tables, "resting": list(self.resting)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Seating:
        tables = tuple(TableSeats(table["number"], tuple(table["seats"])) for table in data["tables"])
        return cls(tables, tuple(data["resting"]))


def new_seed() -> str:
    return secrets.token_hex(8)


def drawn(players: Iterable[int], seed: str) -> list[int]:
    """The players in the order in which a seed draws them."""
    return sorted(players, key=lambda number: (hashlib.sha256(f"{seed}:{number}".encode()).hexdigest(), number))


def by_lot(players: Sequence[int], capacities: Mapping[int, int], seed: str, rests: Mapping[int, int]) -> Seating:
    """Draw all seats.

    ``capacities`` are seats by table number, ``rests`` how often each player has rested: those who rested most play.
    """
    lots = drawn(players, seed)
    places = sum(capacities.values())
    playing = set(sorted(lots, key=lambda number: (-rests.get(number, 0), lots.index(number)))[:places])
    order = iter([number for number in lots if number in playing])
    tables = tuple(TableSeats(table, tuple(next(order, None) for _ in range(seats))) for table, seats in sorted(capacities.items()))
    return Seating(tables, tuple(number for number in lots if number not in playing))


def shifted(seating: Seating) -> Seating:
    """Everybody one seat on at the same table."""
    tables = tuple(TableSeats(table.number, (table.seats[-1], *table.seats[:-1])) for table in seating.tables)
    return Seating(tables, seating.resting)


def moved(seating: Seating) -> Seating:
    """Seat 0 stays, seat 1 moves one table on, seat 2 two, and so on; everybody keeps the seat's number.

    Tables have equally many seats, else a ``ValueError``.
    """
    sizes = {len(table.seats) for table in seating.tables}
    if len(sizes) > 1:
        raise ValueError("the tables have different numbers of seats")
    count = len(seating.tables)
    tables = tuple(
        TableSeats(table.number, tuple(seating.tables[(index - seat) % count].seats[seat] for seat in range(len(table.seats))))
        for index, table in enumerate(seating.tables)
    )
    return Seating(tables, seating.resting)


def rested(seating: Seating, rests: Mapping[int, int], seed: str) -> Seating:
    """Let those who rested in: first on empty seats, then for those who have rested less; the lot decides among equals."""
    waiting = sorted(drawn(seating.resting, seed), key=lambda number: -rests.get(number, 0))
    seats = {(table.number, seat): number for table in seating.tables for seat, number in enumerate(table.seats)}
    for place, number in seats.items():
        if number is None and waiting:
            seats[place] = waiting.pop(0)
    lots = drawn([number for number in seats.values() if number is not None], seed)
    leaving = sorted(lots, key=lambda number: rests.get(number, 0))
    resting = []
    for number in waiting:
        other = leaving[0] if leaving else None
        if other is None or rests.get(other, 0) >= rests.get(number, 0):
            resting.append(number)
            continue
        leaving.pop(0)
        place = next(place for place, seated in seats.items() if seated == other)
        seats[place] = number
        resting.append(other)
    tables = tuple(
        TableSeats(table.number, tuple(seats[table.number, seat] for seat in range(len(table.seats)))) for table in seating.tables
    )
    return Seating(tables, tuple(resting))
