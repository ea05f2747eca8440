"""Statistics as pages show them: rows to sort, a chart, a matrix, bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring_app.access import page_language
from scoring_app.chart import Chart, draw_chart
from scoring_app.club_views.asking import address
from scoring_app.models import Club
from scoring_app.statistics import PatternCount, Person, Series, StandingLine, Statistics

MOST_CURVES = 8
MOST_IN_MATRIX = 16
SHOWN_PATTERNS = 24


def person_name(person: Person) -> str:
    """The name; the house and the pool are called by what they are."""
    if person.kind == "house":
        return _("House")
    if person.kind == "pool":
        return _("Pool")
    return person.name


def player_url(club: Club | None, *, linked: bool = True) -> Callable[[Person], str]:
    """Where a person's page is; nowhere for guests."""

    def url(person: Person) -> str:
        return address("player", club.slug, person.public_id) if club is not None and linked and person.public_id else ""

    return url


SORTS: dict[str, tuple[str, Callable[[StandingLine], float]]] = {
    "points": (gettext_noop("Points"), lambda line: line.points),
    "rounds": (gettext_noop("Rounds played"), lambda line: line.rounds),
    "average": (gettext_noop("A round"), lambda line: line.average or 0),
    "wins": (gettext_noop("Wins"), lambda line: line.wins),
    "self_draws": (gettext_noop("Self-draws"), lambda line: line.self_draws),
    "deal_ins": (gettext_noop("Deal-ins"), lambda line: line.deal_ins),
    "biggest": (gettext_noop("Biggest"), lambda line: line.biggest.points if line.biggest else 0),
    "position": (gettext_noop("Places"), lambda line: -(line.average_position or 99)),
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the standings and the address that sorts by it."""

    key: str
    title: str
    url: str
    sorted: str


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the standings."""

    place: int
    name: str
    url: str
    line: StandingLine
    average: str
    positions: str
    biggest_url: str


@dataclass(frozen=True, slots=True)
class MatrixShown:
    """Who paid whom, in play."""

    names: list[str]
    rows: list[tuple[str, list[int | None]]]


@dataclass(frozen=True, slots=True)
class StatisticsShown:
    """Everything of a statistics page."""

    columns: list[Column]
    rows: list[Row]
    chart: Chart | None
    matrix: MatrixShown | None
    patterns: list[tuple[str, int, int]]
    rounds: int


def show(statistics: Statistics, *, sort: str, query: Mapping[str, str], player_url: Callable[[Person], str]) -> StatisticsShown:
    """``query`` is what the address says already, kept by the links that sort; ``player_url`` may be empty."""
    sort, backwards = (sort[1:], True) if sort.startswith("-") else (sort, False)
    sort = sort if sort in SORTS else "points"
    ranked = {line.person: place for place, line in enumerate(statistics.standings, 1)}
    lines = sorted(statistics.standings, key=lambda line: (SORTS[sort][1](line), -ranked[line.person]), reverse=not backwards)
    columns = [
        Column(key, _(title), _address(query, key, sort, backwards), _sorted(key, sort, backwards)) for key, (title, _key) in SORTS.items()
    ]
    rows = [
        Row(
            ranked[line.person],
            person_name(line.person),
            player_url(line.person),
            line,
            "" if line.average is None else decimal(line.average),
            " · ".join(f"{line.positions.get(place, 0)}" for place in range(1, max([4, *line.positions]) + 1)) if line.positions else "",
            "",
        )
        for line in lines
    ]
    return StatisticsShown(
        columns=columns,
        rows=rows,
        chart=chart_of(statistics.series, [line.person for line in statistics.standings[:MOST_CURVES]]),
        matrix=matrix_of(statistics),
        patterns=bars(statistics.patterns),
        rounds=statistics.rounds,
    )


def _address(query: Mapping[str, str], key: str, sort: str, backwards: bool) -> str:
    from urllib.parse import urlencode  # noqa: PLC0415 - kept beside its one use

    wanted = f"-{key}" if key == sort and not backwards else key
    return "?" + urlencode({**{name: value for name, value in query.items() if name != "sort"}, "sort": wanted})


def _sorted(key: str, sort: str, backwards: bool) -> str:
    return "" if key != sort else "ascending" if backwards else "descending"


def decimal(value: float) -> str:
    """One digit behind the point, with a sign."""
    text = f"{abs(value):.1f}"
    return text if text == "0.0" else f"{'+' if value > 0 else '−'}{text}"


def chart_of(series: Series, people: list[Person]) -> Chart | None:
    """The running points of some people."""
    chosen = [person for person in people if person in series.people]
    numbers = dict(enumerate(chosen))
    start = dict.fromkeys(numbers, 0)
    points = [(0, start)] + [
        (index, {number: point.totals.get(person.key, 0) for number, person in numbers.items()})
        for index, point in enumerate(series.points, 1)
    ]
    return draw_chart(points, {number: person_name(person) for number, person in numbers.items()}) if chosen else None


def matrix_of(statistics: Statistics) -> MatrixShown | None:
    """The matrix, unless it has nothing or too much to show."""
    matrix = statistics.matrix
    if not 1 < len(matrix.people) <= MOST_IN_MATRIX:
        return None
    names = [person_name(person) for person in matrix.people]
    rows: list[tuple[str, list[int | None]]] = [
        (name, [None if i == j else matrix.amounts[i][j] for j in range(len(names))]) for i, name in enumerate(names)
    ]
    return MatrixShown(names, rows)


def bars(patterns: tuple[PatternCount, ...]) -> list[tuple[str, int, int]]:
    """Name, count, and length of the bar in percent of the longest."""
    language = page_language()
    longest = max((one.count for one in patterns), default=1)
    return [(one.name.in_language(language), one.count, max(2, round(100 * one.count / longest))) for one in patterns[:SHOWN_PATTERNS]]


def leaders(statistics: Statistics, url: Callable[[Person], str], count: int = 5) -> list[dict[str, Any]]:
    """The first of the standings."""
    return [{"name": person_name(line.person), "points": line.points, "url": url(line.person)} for line in statistics.standings[:count]]
