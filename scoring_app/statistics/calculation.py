"""Standings, matrices, series and frequencies of facts. Pure: the same facts always give the same figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from fractions import Fraction

from rules_app.engine.text import Text
from scoring_app.statistics.facts import FEES, RESULT, SET, SETTLEMENTS, Fact, Person, Sitting


@dataclass(frozen=True, slots=True)
class Biggest:
    """The round in which somebody won most."""

    points: int
    sitting: Sitting
    seq: int
    patterns: tuple[str, ...]
    ruleset: str


@dataclass(slots=True)
class StandingLine:
    """What somebody did.

    ``points`` are those of play; ``fees``, ``settled`` and ``adjusted`` (scores set) stand apart, and ``balance`` is all
    together.  ``positions`` counts tables by the place he came in there; equal scores share the better place.
    """

    person: Person
    points: int = 0
    rounds: int = 0
    wins: int = 0
    deal_ins: int = 0
    self_draws: int = 0
    draws: int = 0
    tables: int = 0
    fees: int = 0
    settled: int = 0
    adjusted: int = 0
    biggest: Biggest | None = None
    positions: dict[int, int] = field(default_factory=dict)

    @property
    def balance(self) -> int:
        return self.points + self.fees + self.settled + self.adjusted

    @property
    def average(self) -> float | None:
        """Points a round."""
        return float(Fraction(self.points, self.rounds)) if self.rounds else None

    @property
    def average_position(self) -> float | None:
        tables = sum(self.positions.values())
        return float(Fraction(sum(place * count for place, count in self.positions.items()), tables)) if tables else None


@dataclass(frozen=True, slots=True)
class Matrix:
    """``amounts[i][j]``: what ``people[i]`` paid ``people[j]`` in play, less what came back."""

    people: tuple[Person, ...]
    amounts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class SeriesPoint:
    """``totals`` by `Person.key`, after the entry ``seq`` of the table, or after the whole evening (``seq`` None)."""

    when: datetime
    sitting: Sitting
    seq: int | None
    totals: dict[str, int]


@dataclass(frozen=True, slots=True)
class Series:
    """Running points of play, oldest first; everybody starts at zero."""

    people: tuple[Person, ...]
    points: tuple[SeriesPoint, ...]


@dataclass(frozen=True, slots=True)
class PatternCount:
    """How many wins had a pattern; ``share`` is of the wins of that ruleset."""

    ruleset: str
    id: str
    name: Text
    count: int
    share: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """``standings`` best first, players only; ``balances`` of everybody, house and pool included, come to zero."""

    standings: tuple[StandingLine, ...]
    matrix: Matrix
    series: Series
    patterns: tuple[PatternCount, ...]
    rounds: int
    balances: dict[Person, int]
    days: tuple[date, ...] = ()
    rulesets: Mapping[str, Text] = field(default_factory=dict)
    """Their names, by slug."""


def statistics_of(
    facts: Sequence[Fact], names: Mapping[tuple[str, str], Text], rulesets: Mapping[str, Text], *, by_evening: bool = False
) -> Statistics:
    """Everything at once; ``names`` of patterns by ruleset and id; ``by_evening``: a point of the series an evening."""
    return Statistics(
        standings=standings_of(facts),
        matrix=matrix_of(facts),
        series=series_of(facts, by_evening=by_evening),
        patterns=patterns_of(facts, names),
        rounds=sum(fact.is_round for fact in facts),
        balances=balances_of(facts),
        days=tuple(sorted({fact.sitting.day for fact in facts})),
        rulesets=rulesets,
    )


def standings_of(facts: Iterable[Fact]) -> tuple[StandingLine, ...]:
    """A line for each player who sat or whose points moved."""
    lines: dict[Person, StandingLine] = {}
    finals: dict[int, dict[Person, int]] = {}
    played: dict[int, set[Person]] = {}

    def line(person: Person) -> StandingLine:
        return lines.setdefault(person, StandingLine(person))

    for fact in facts:
        payments = fact.payments
        for person, amount in payments.items():
            _add_points(line(person), fact.kind, amount, is_play=fact.is_play)
        if fact.is_play or fact.kind == SET:
            scores = finals.setdefault(fact.sitting.table, {})
            for person, amount in payments.items():
                scores[person] = scores.get(person, 0) + amount
        if fact.is_round:
            played.setdefault(fact.sitting.table, set()).update(fact.players)
            _add_round(line, fact, payments)
        elif fact.kind == RESULT:
            played.setdefault(fact.sitting.table, set()).update(fact.players, payments)
    for table, people in played.items():
        scores = {person: finals.get(table, {}).get(person, 0) for person in people if person.is_player}
        for person, score in scores.items():
            place = 1 + sum(other > score for other in scores.values())
            line(person).tables += 1
            line(person).positions[place] = line(person).positions.get(place, 0) + 1
    ordered = [found for person, found in lines.items() if person.is_player]
    ordered.sort(key=lambda found: (-found.points, -found.wins, found.person.name, found.person.key))
    return tuple(ordered)


def balances_of(facts: Iterable[Fact]) -> dict[Person, int]:
    """What everybody has in the end, of all that moved points; together zero."""
    balances: dict[Person, int] = {}
    for fact in facts:
        for person, amount in fact.payments.items():
            balances[person] = balances.get(person, 0) + amount
    return balances


def matrix_of(facts: Iterable[Fact]) -> Matrix:
    """Who pays whom in play; people in the order of their standing."""
    paid: dict[tuple[Person, Person], int] = {}
    total: dict[Person, int] = {}
    for fact in facts:
        if not fact.is_detailed:
            continue
        for flow in fact.flows:
            for payer, payee, amount in ((flow.payer, flow.payee, flow.amount), (flow.payee, flow.payer, -flow.amount)):
                paid[payer, payee] = paid.get((payer, payee), 0) + amount
                total[payer] = total.get(payer, 0) - amount
    people = tuple(sorted(total, key=lambda person: (not person.is_player, -total[person], person.name, person.key)))
    return Matrix(people, tuple(tuple(paid.get((one, other), 0) if one != other else 0 for other in people) for one in people))


def series_of(facts: Sequence[Fact], *, by_evening: bool = False) -> Series:
    """The running points of play of each player who took part."""
    play = [fact for fact in facts if fact.is_play and (fact.flows or fact.is_round)]
    people: dict[Person, None] = {}
    for fact in play:
        people |= dict.fromkeys(person for person in (*fact.players, *fact.payments) if person.is_player)
    totals = dict.fromkeys((person.key for person in people), 0)
    points: list[SeriesPoint] = []
    for index, fact in enumerate(play):
        for person, amount in fact.payments.items():
            if person.is_player:
                totals[person.key] += amount
        following = play[index + 1] if index + 1 < len(play) else None
        if by_evening and following is not None and following.sitting.occasion == fact.sitting.occasion:
            continue
        points.append(SeriesPoint(fact.when, fact.sitting, None if by_evening else fact.seq, dict(totals)))
    return Series(tuple(people), tuple(points))


def patterns_of(facts: Iterable[Fact], names: Mapping[tuple[str, str], Text], *, winner: Person | None = None) -> tuple[PatternCount, ...]:
    """How often each pattern was won with (by ``winner`` alone), the most frequent first."""
    counts: dict[tuple[str, str], int] = {}
    wins: dict[str, int] = {}
    for fact in facts:
        for win in fact.wins:
            if winner is not None and win.winner != winner:
                continue
            wins[fact.ruleset] = wins.get(fact.ruleset, 0) + 1
            for pattern in set(win.patterns):
                counts[fact.ruleset, pattern] = counts.get((fact.ruleset, pattern), 0) + 1
    found = [
        PatternCount(ruleset, pattern, names.get((ruleset, pattern), Text(zh=pattern, en=pattern)), count, count / wins[ruleset])
        for (ruleset, pattern), count in counts.items()
    ]
    return tuple(sorted(found, key=lambda row: (-row.count, row.ruleset, row.id)))


def _add_points(line: StandingLine, kind: str, amount: int, *, is_play: bool) -> None:
    if is_play:
        line.points += amount
    elif kind == FEES:
        line.fees += amount
    elif kind == SETTLEMENTS:
        line.settled += amount
    else:
        line.adjusted += amount


def _add_round(line: Callable[[Person], StandingLine], fact: Fact, payments: Mapping[Person, int]) -> None:
    for person in fact.players:
        found = line(person)
        found.rounds += 1
        found.draws += fact.draw and not fact.wins
    for win in fact.wins:
        found = line(win.winner)
        found.wins += 1
        if win.payer is None:
            found.self_draws += 1
        gain = payments.get(win.winner, 0)
        if gain > 0 and (found.biggest is None or gain > found.biggest.points):
            found.biggest = Biggest(gain, fact.sitting, fact.seq, win.patterns, fact.ruleset)
    for payer in {win.payer for win in fact.wins if win.payer is not None}:
        line(payer).deal_ins += 1
