"""The running score of an evening, or of a season, as lines, drawn on the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

RIGHT, TOP, BOTTOM = 14, 12, 24
NAMES_BESIDE = 98
LABEL_GAP = 15
DIGIT = 7
"""Width of a figure of the scale."""
MOST_TICKS = 5


@dataclass(frozen=True, slots=True)
class Curve:
    """The line of one player: its points, and where its name may stand at the end."""

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
class Tick:
    """What stands below the chart: the number of a round, or a day."""

    x: float
    words: str


@dataclass(frozen=True, slots=True)
class Chart:
    """What `templates/scoring_app/parts/chart.html` draws; ``steps`` are the same as figures, by curve."""

    curves: list[Curve]
    marks: list[Mark]
    ticks: list[Tick]
    steps: list[tuple[str, list[int]]]
    width: int
    height: int
    left: int
    right: int

    @property
    def label_x(self) -> int:
        return self.right + 10


def draw_chart(
    series: Sequence[tuple[int, Mapping[int, int]]],
    names: Mapping[int, str],
    *,
    words: Sequence[str] = (),
    names_beside: bool = False,
) -> Chart | None:
    """The totals of the people in ``names`` after each entry; None before anything has moved.

    ``words`` name the points of the series, otherwise they are counted from 0.  Names stand below the chart, where any
    length fits, or for paper beside the ends of the lines.
    """
    if len(series) < 2:
        return None
    values = [totals.get(number, 0) for _seq, totals in series for number in names]
    low, high = min(0, *values), max(0, *values)
    step = _step(high - low or 1)
    low, high = low // step * step, -(-high // step) * step
    if low == high:  # everybody stands at zero all along
        low, high = -step, step
    span = high - low
    width, height = (440, 240) if names_beside else (360, 230)
    left = 14 + DIGIT * max(len(f"{value:+}") for value in (low, high))
    right = width - (NAMES_BESIDE if names_beside else RIGHT)

    def x(index: int) -> float:
        return round(left + (right - left) * index / (len(series) - 1), 1)

    def y(value: int) -> float:
        return round(TOP + (height - TOP - BOTTOM) * (high - value) / span, 1)

    ends = {number: series[-1][1].get(number, 0) for number in names}
    labels = _spread({number: y(total) for number, total in ends.items()}, height)
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
    named = [words[index] if index < len(words) else str(index) for index in range(len(series))]
    return Chart(
        curves=curves,
        marks=[Mark(y(value), value, value == 0) for value in range(low, high + 1, step)],
        ticks=[Tick(x(index), named[index]) for index in _tick_places(len(series))],
        steps=[(named[index], [totals.get(number, 0) for number in names]) for index, (_seq, totals) in enumerate(series)],
        width=width,
        height=height,
        left=left,
        right=right,
    )


def _step(span: int) -> int:
    """A round distance between the marks: four to seven of them."""
    size = 1
    while True:
        for factor in (1, 2, 5):
            if span / (size * factor) <= 6:
                return size * factor
        size *= 10


def _tick_places(count: int) -> list[int]:
    """The points to be named: the first, the last, and at even distances between them."""
    last = count - 1
    gaps = next((gaps for gaps in range(MOST_TICKS - 1, 1, -1) if last % gaps == 0), min(last, MOST_TICKS - 1))
    return [round(last * place / gaps) for place in range(gaps + 1)]


def _spread(wanted: Mapping[int, float], height: int) -> dict[int, float]:
    """Heights for the names, near those wanted and far enough from each other to be read."""
    found: dict[int, float] = {}
    last = -1e9
    for number in sorted(wanted, key=lambda number: wanted[number]):
        last = max(wanted[number], last + LABEL_GAP)
        found[number] = last
    over = last - (height - 6)
    if over > 0:
        last = 1e9
        for number in sorted(found, key=lambda number: -found[number]):
            last = min(found[number], last - LABEL_GAP, height - 6)
            found[number] = last
    return {number: round(height, 1) for number, height in found.items()}
