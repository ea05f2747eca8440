"""The running score of an evening as lines, drawn on the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 440, 240
LEFT, RIGHT, TOP, BOTTOM = 42, 98, 14, 16
LABEL_GAP = 15


@dataclass(frozen=True, slots=True)
class Curve:
    """The line of one player: its points, and where its name stands at the end."""

    name: str
    points: str
    end_x: float
    end_y: float
    label_y: float
    total: int
    style: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A horizontal line with its value."""

    y: float
    value: int
    is_zero: bool


@dataclass(frozen=True, slots=True)
class Chart:
    """What `templates/scoring_app/parts/chart.html` draws."""

    curves: list[Curve]
    marks: list[Mark]
    rounds: int
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    label_x: int = WIDTH - RIGHT + 10


def draw_chart(series: Sequence[tuple[int, Mapping[int, int]]], names: Mapping[int, str]) -> Chart | None:
    """The totals of the people in ``names`` after each entry; None before anything has moved."""
    if len(series) < 2:
        return None
    values = [totals.get(number, 0) for _seq, totals in series for number in names]
    low, high = min(0, *values), max(0, *values)
    step = _step(high - low or 1)
    low, high = low // step * step, -(-high // step) * step
    if low == high:  # everybody stands at zero all along
        low, high = -step, step
    span = high - low

    def x(index: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * index / (len(series) - 1), 1)

    def y(value: int) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / span, 1)

    ends = {number: series[-1][1].get(number, 0) for number in names}
    labels = _spread({number: y(total) for number, total in ends.items()})
    curves = [
        Curve(
            name,
            " ".join(f"{x(index)},{y(totals.get(number, 0))}" for index, (_seq, totals) in enumerate(series)),
            x(len(series) - 1),
            y(ends[number]),
            labels[number],
            ends[number],
            place % 8,
        )
        for place, (number, name) in enumerate(names.items())
    ]
    marks = [Mark(y(value), value, value == 0) for value in range(low, high + 1, step)]
    return Chart(curves, marks, len(series) - 1)


def _step(span: int) -> int:
    """A round distance between the marks: four to seven of them."""
    size = 1
    while True:
        for factor in (1, 2, 5):
            if span / (size * factor) <= 6:
                return size * factor
        size *= 10


def _spread(wanted: Mapping[int, float]) -> dict[int, float]:
    """Heights for the names, near those wanted and far enough from each other to be read."""
    found: dict[int, float] = {}
    last = -1e9
    for number in sorted(wanted, key=lambda number: wanted[number]):
        last = max(wanted[number], last + LABEL_GAP)
        found[number] = last
    over = last - (HEIGHT - 6)
    if over > 0:
        last = 1e9
        for number in sorted(found, key=lambda number: -found[number]):
            last = min(found[number], last - LABEL_GAP, HEIGHT - 6)
            found[number] = last
    return {number: round(height, 1) for number, height in found.items()}
