"""Statistics as pages show them: rows to sort, a chart, a matrix, bars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from rules_app.engine.text import Text
from rules_app.languages import page_language
from scoring_app.chart import Chart, draw_chart
from scoring_app.club_views.asking import address
from scoring_app.models import Club
from scoring_app.statistics import PatternCount, Person, Series, StandingLine, Statistics
from scoring_app.wording import participant_name

MOST_CURVES = 8
MOST_IN_MATRIX = 16
MOST_FLOWS = 12
FIRST_PATTERNS, MOST_PATTERNS = 8, 30


def names_of(people: Iterable[Person]) -> dict[Person, str]:
    """What each is called where all of them are listed: guests of one name with the day on which they came."""
    listed = list(people)
    often = Counter(person.name.casefold() for person in listed)
    return {
        person: f"{person.name} · {person.day:%m-%d}" if person.day and often[person.name.casefold()] > 1 else participant_name(person)
        for person in listed
    }


def namesakes(people: Iterable[Person]) -> list[tuple[str, int]]:
    """Names that several guests have, and how many: perhaps they are one person."""
    guests = [person for person in people if person.day]
    often = Counter(person.name.casefold() for person in guests)
    return [(name, often[key]) for key, name in {person.name.casefold(): person.name for person in guests}.items() if often[key] > 1]


def player_url(club: Club | None, *, linked: bool = True) -> Callable[[Person], str]:
    """Where a person's page is; nowhere for guests."""

    def url(person: Person) -> str:
        return address("player", club.slug, person.public_id) if club is not None and linked and person.public_id else ""

    return url


SORTS: dict[str, tuple[str, Callable[[StandingLine], float]]] = {
    "points": (gettext_noop("Points"), lambda line: line.points),
    "rounds": (gettext_noop("Rounds played"), lambda line: line.rounds),
    "average": (gettext_noop("Per round"), lambda line: line.average or 0),
    "wins": (gettext_noop("Wins"), lambda line: line.wins),
    "self_draws": (gettext_noop("Self-draws"), lambda line: line.self_draws),
    "deal_ins": (gettext_noop("Deal-ins"), lambda line: line.deal_ins),
    "biggest": (gettext_noop("Biggest win"), lambda line: line.biggest.points if line.biggest else 0),
    "position": (gettext_noop("Finishes"), lambda line: -(line.average_position or 99)),
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


@dataclass(frozen=True, slots=True)
class Cell:
    """What one paid another in play; ``shade`` 0 to 4, by the largest amount there is."""

    amount: int
    shade: int


@dataclass(frozen=True, slots=True)
class MatrixShown:
    """Who paid whom, in play; None: oneself."""

    names: list[str]
    rows: list[tuple[str, list[Cell | None]]]


@dataclass(frozen=True, slots=True)
class Bar:
    """A pattern, in how many wins it was (and in what share of them), and the bar in percent of the longest."""

    name: str
    count: int
    share: int
    length: int


@dataclass(frozen=True, slots=True)
class BarsOfGame:
    """The patterns of one game: patterns of the same name in two games are two."""

    game: str
    first: list[Bar]
    more: list[Bar]


@dataclass(frozen=True, slots=True)
class StatisticsShown:
    """Everything of a statistics page."""

    columns: list[Column]
    rows: list[Row]
    chart: Chart | None
    curves_left_out: int
    matrix: MatrixShown | None
    flows: list[tuple[str, str, int]]
    patterns: list[BarsOfGame]
    rounds: int
    namesakes: list[tuple[str, int]]


def show(statistics: Statistics, *, sort: str, query: Mapping[str, str], player_url: Callable[[Person], str]) -> StatisticsShown:
    """``query`` is what the address says already, kept by the links that sort; ``player_url`` may be empty."""
    sort, backwards = (sort[1:], True) if sort.startswith("-") else (sort, False)
    sort = sort if sort in SORTS else "points"
    points = [line.points for line in statistics.standings]
    names = names_of(line.person for line in statistics.standings)
    ranked = {line.person: 1 + sum(other > line.points for other in points) for line in statistics.standings}
    lines = sorted(statistics.standings, key=lambda line: (SORTS[sort][1](line), -ranked[line.person]), reverse=not backwards)
    columns = [
        Column(key, _(title), _address(query, key, sort, backwards), _sorted(key, sort, backwards)) for key, (title, _key) in SORTS.items()
    ]
    rows = [
        Row(
            ranked[line.person],
            names[line.person],
            player_url(line.person),
            line,
            "" if line.average is None else decimal(line.average),
            places(line),
        )
        for line in lines
    ]
    return StatisticsShown(
        columns=columns,
        rows=rows,
        chart=chart_of(statistics.series, [line.person for line in statistics.standings[:MOST_CURVES]], names),
        curves_left_out=max(0, len(statistics.standings) - MOST_CURVES),
        matrix=matrix_of(statistics, names),
        flows=flows_of(statistics, names),
        patterns=bars(statistics.patterns, statistics.rulesets),
        rounds=statistics.rounds,
        namesakes=namesakes(names),
    )


def places(line: StandingLine) -> str:
    """How often first, second, third and so on: 3 · 0 · 1 · 2."""
    last = max([4, *line.positions])
    return " · ".join(str(line.positions.get(place, 0)) for place in range(1, last + 1)) if line.positions else ""


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


def chart_of(series: Series, people: list[Person], names: Mapping[Person, str]) -> Chart | None:
    """The running points of some people, by round or by evening as the series has it."""
    by_evening = any(point.seq is None for point in series.points)
    chosen = [person for person in people if person in series.people]
    numbers = dict(enumerate(chosen))
    start = dict.fromkeys(numbers, 0)
    points = [(0, start)] + [
        (index, {number: point.totals.get(person.key, 0) for number, person in numbers.items()})
        for index, point in enumerate(series.points, 1)
    ]
    days = ["", *(f"{point.sitting.day:%m-%d}" for point in series.points)] if by_evening else []
    return draw_chart(points, {number: names[person] for number, person in numbers.items()}, words=days) if chosen else None


def matrix_of(statistics: Statistics, known: Mapping[Person, str]) -> MatrixShown | None:
    """The matrix, unless it has nothing or too much to show."""
    matrix = statistics.matrix
    if not 1 < len(matrix.people) <= MOST_IN_MATRIX:
        return None
    names = [known.get(person) or participant_name(person) for person in matrix.people]
    largest = max((abs(amount) for row in matrix.amounts for amount in row), default=0) or 1
    rows: list[tuple[str, list[Cell | None]]] = [
        (
            name,
            [None if i == j else Cell(matrix.amounts[i][j], -(-4 * max(0, matrix.amounts[i][j]) // largest)) for j in range(len(names))],
        )
        for i, name in enumerate(names)
    ]
    return MatrixShown(names, rows)


def flows_of(statistics: Statistics, known: Mapping[Person, str]) -> list[tuple[str, str, int]]:
    """Among more people than a matrix can show: the largest amounts that one has paid another."""
    people, amounts = statistics.matrix.people, statistics.matrix.amounts
    if len(people) <= MOST_IN_MATRIX:
        return []
    pairs = [(amounts[i][j], i, j) for i in range(len(people)) for j in range(len(people)) if amounts[i][j] > 0]
    pairs.sort(key=lambda pair: (-pair[0], *pair[1:]))
    names = [known.get(person) or participant_name(person) for person in people]
    return [(names[i], names[j], amount) for amount, i, j in pairs[:MOST_FLOWS]]


def bars(patterns: tuple[PatternCount, ...], rulesets: Mapping[str, Text]) -> list[BarsOfGame]:
    """The patterns of each game, the most frequent first, the game with the most of them first."""
    language = page_language()
    games: dict[str, list[PatternCount]] = {}
    for one in patterns:
        games.setdefault(one.ruleset, []).append(one)
    groups = []
    for slug, counted in sorted(games.items(), key=lambda game: -sum(one.count for one in game[1])):
        rows = [
            Bar(one.name.in_language(language), one.count, round(100 * one.share), max(2, round(100 * one.count / counted[0].count)))
            for one in counted[:MOST_PATTERNS]
        ]
        name = rulesets[slug].in_language(language) if slug in rulesets else slug
        first = FIRST_PATTERNS if len(rows) > FIRST_PATTERNS + 2 else len(rows)
        groups.append(BarsOfGame(name, rows[:first], rows[first:]))
    return groups


def leaders(statistics: Statistics, url: Callable[[Person], str], count: int = 5) -> list[dict[str, Any]]:
    """The first of the standings."""
    return [
        {"name": participant_name(line.person), "points": line.points, "url": url(line.person)} for line in statistics.standings[:count]
    ]
