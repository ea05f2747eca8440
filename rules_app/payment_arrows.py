"""Who pays whom, as a picture: seats around a table and an arrow for each pair between whom something moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot
from typing import Any
from unicodedata import east_asian_width

BOX_WIDTH = 96
BOX_HEIGHT = 50
FULL_WIDTH, HALF_WIDTH = 14, 8
"""How wide signs are, with something to spare."""
GAP = 6
PLACES: Mapping[int, tuple[tuple[int, int], ...]] = {
    2: ((160, 171), (160, 29)),
    3: ((160, 191), (268, 60), (52, 60)),
    4: ((160, 211), (268, 120), (160, 29), (52, 120)),
}
HEIGHTS: Mapping[int, int] = {2: 200, 3: 220, 4: 240}
"""Centres by seat: 0 at the foot, the next player at the right, as they play."""


@dataclass(frozen=True, slots=True)
class Box:
    """A seat: its box, its name, its net change."""

    x: int
    y: int
    name: str
    amount: int
    is_dealer: bool
    is_winner: bool

    @property
    def short_name(self) -> str:
        """As much of the name as the box holds."""
        room, kept = BOX_WIDTH - 10, ""
        for sign in self.name:
            room -= FULL_WIDTH if east_asian_width(sign) in "WF" else HALF_WIDTH
            if room < 0:
                return f"{kept[:-1].rstrip()}…"
            kept += sign
        return kept

    @property
    def left(self) -> int:
        """The left edge."""
        return self.x - BOX_WIDTH // 2

    @property
    def top(self) -> int:
        """The upper edge."""
        return self.y - BOX_HEIGHT // 2

    @property
    def badge_x(self) -> int:
        """The middle of the dealer's badge, which hangs over the corner."""
        return self.left + 2

    @property
    def badge_y(self) -> int:
        """The baseline of the dealer's badge."""
        return self.top + 5

    @property
    def name_y(self) -> int:
        """The baseline of the name."""
        return self.y - 5

    @property
    def amount_y(self) -> int:
        """The baseline of the amount."""
        return self.y + 16


@dataclass(frozen=True, slots=True)
class Arrow:
    """A payment: from edge to edge, with its amount in the middle and the head as a triangle."""

    x1: float
    y1: float
    x2: float
    y2: float
    label_x: float
    label_y: float
    head: str
    amount: int

    @property
    def label_width(self) -> int:
        """Room for the amount."""
        return 12 + 9 * len(str(self.amount))

    @property
    def label_left(self) -> float:
        """The left edge of the label."""
        return round(self.label_x - self.label_width / 2, 1)

    @property
    def label_top(self) -> float:
        """The upper edge of the label."""
        return self.label_y - 10

    @property
    def label_baseline(self) -> float:
        """The baseline of the amount."""
        return self.label_y + 4.5


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that `templates/rules_app/score/arrows.html` draws; no boxes for more parties than four."""

    width: int
    height: int
    boxes: list[Box] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    box_width: int = BOX_WIDTH
    box_height: int = BOX_HEIGHT


def draw(
    names: Sequence[str],
    payments: Sequence[int],
    transfers: Sequence[Mapping[str, Any]],
    *,
    dealer: int | None = None,
    winners: Sequence[int] = (),
) -> Picture | None:
    """The picture of the transfers (``from``, ``to``, ``amount``) between two to four parties; None for more."""
    places = PLACES.get(len(names))
    if places is None:
        return None
    boxes = [
        Box(*places[seat], name, payments[seat] if seat < len(payments) else 0, seat == dealer, seat in winners)
        for seat, name in enumerate(names)
    ]
    between: dict[tuple[int, int], int] = {}
    for transfer in transfers:
        if transfer.get("deducted"):
            continue
        payer, payee, amount = int(transfer["from"]), int(transfer["to"]), int(transfer["amount"])
        key, sign = ((payer, payee), 1) if payer < payee else ((payee, payer), -1)
        between[key] = between.get(key, 0) + sign * amount
    moving = [
        (abs(places[second][0] - places[first][0]), abs(places[second][1] - places[first][1]))
        for (first, second), sum_ in between.items()
        if sum_
    ]
    do_cross = any(not dx for dx, _dy in moving) and any(not dy for _dx, dy in moving)
    arrows = []
    for (first, second), amount in sorted(between.items()):
        if amount:
            payer, payee = (first, second) if amount > 0 else (second, first)
            is_level = places[payer][1] == places[payee][1]
            # Where a level arrow crosses an upright one, their amounts would lie on each other in the middle.
            arrows.append(_arrow(places[payer], places[payee], abs(amount), 0.2 if is_level and do_cross else 0.5))
    return Picture(320, HEIGHTS[len(names)], boxes, arrows)


def _arrow(start: tuple[int, int], end: tuple[int, int], amount: int, share: float) -> Arrow:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy)
    ux, uy = dx / length, dy / length
    x1, y1 = _edge(start, ux, uy, GAP)
    x2, y2 = _edge(end, -ux, -uy, GAP)
    back_x, back_y = x2 - 10 * ux, y2 - 10 * uy
    head = " ".join(f"{x:.1f},{y:.1f}" for x, y in ((x2, y2), (back_x - 5 * uy, back_y + 5 * ux), (back_x + 5 * uy, back_y - 5 * ux)))
    return Arrow(
        round(x1, 1), round(y1, 1), round(back_x, 1), round(back_y, 1),
        round(x1 + (x2 - x1) * share, 1), round(y1 + (y2 - y1) * share, 1), head, amount,
    )  # fmt: skip


def _edge(centre: tuple[int, int], ux: float, uy: float, gap: float) -> tuple[float, float]:
    """The point where a ray from the centre of a box leaves it, and a gap further."""
    reach = min(BOX_WIDTH / 2 / abs(ux) if ux else 1e9, BOX_HEIGHT / 2 / abs(uy) if uy else 1e9) + gap
    return centre[0] + ux * reach, centre[1] + uy * reach
