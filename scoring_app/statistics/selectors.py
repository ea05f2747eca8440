"""Facts read from the ledgers, and the statistics of a table, a session, a season, a club, a member.

Each takes the same number of queries whatever is in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from rules_app import rulings
from rules_app.engine.text import Text
from rules_app.models import Revision, Ruleset
from scoring_app.models import Club, Content, Member, Participant, Posting, Season, Session, Table
from scoring_app.statistics.calculation import (
    PatternCount,
    Series,
    StandingLine,
    Statistics,
    patterns_of,
    series_of,
    standings_of,
    statistics_of,
)
from scoring_app.statistics.facts import Fact, Flow, Person, Sitting, Win

HOUSE, POOL = Person("house", 0, "house"), Person("pool", 0, "pool")


@dataclass(frozen=True, slots=True)
class Facts:
    """All that happened, in order of time; pattern names by ruleset slug and id; names of rulesets by slug."""

    facts: tuple[Fact, ...]
    people: dict[int, Person]
    """By the key of the participant."""
    patterns: dict[tuple[str, str], Text] = field(default_factory=dict)
    rulesets: dict[str, Text] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evening:
    """What somebody won or lost in one session, or at one table without a session."""

    sitting: Sitting
    points: int
    rounds: int


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """A member's page: ``line`` is None where he has not played; ``opponents`` with what he won from each."""

    member: Member
    line: StandingLine | None
    by_ruleset: tuple[tuple[str, Text, StandingLine], ...]
    series: Series
    patterns: tuple[PatternCount, ...]
    sessions: tuple[Evening, ...]
    opponents: tuple[tuple[Person, int], ...]


def table_statistics(table: Table) -> Statistics:
    return _statistics(Table.objects.filter(pk=table.pk))


def session_statistics(session: Session) -> Statistics:
    """All tables of a session together: who played at two of them is one line."""
    return _statistics(Table.objects.filter(session=session))


def season_statistics(season: Season, ruleset: Ruleset | None = None) -> Statistics:
    """All sessions of a season (in one game); the series has a point an evening."""
    return _statistics(Table.objects.filter(session__season=season), ruleset, by_evening=True)


def club_statistics(club: Club, ruleset: Ruleset | None = None, *, since: date | None = None, until: date | None = None) -> Statistics:
    """All sessions of a club (from one day to another, both included)."""
    tables = Table.objects.filter(session__club=club)
    if since is not None:
        tables = tables.filter(session__date__gte=since)
    if until is not None:
        tables = tables.filter(session__date__lte=until)
    return _statistics(tables, ruleset, by_evening=True)


def player_page(member: Member, ruleset: Ruleset | None = None) -> PlayerPage:
    """What a member has played, under the names merged into his as well."""
    his = _names_of(member)
    seats = Participant.objects.filter(Q(member__in=his) | Q(player__member__in=his)).values("table")
    read = read_facts(Table.objects.filter(pk__in=seats), ruleset)
    me = Person("member", member.pk, member.name, member.public_id)
    facts = read.facts
    own = [fact for fact in facts if me in fact.players or me in fact.payments]
    by_ruleset = []
    for slug, name in read.rulesets.items():
        line = _line_of(me, [fact for fact in facts if fact.ruleset == slug])
        if line is not None:
            by_ruleset.append((slug, name, line))
    return PlayerPage(
        member=member,
        line=_line_of(me, facts),
        by_ruleset=tuple(by_ruleset),
        series=_only(series_of(own, by_evening=True), me),
        patterns=patterns_of(facts, read.patterns, winner=me),
        sessions=_evenings(own, me),
        opponents=_opponents(own, me),
    )


def read_facts(tables: QuerySet[Table], ruleset: Ruleset | None = None) -> Facts:
    """The facts of some tables in six queries: tables, participants, members, contents, postings, revisions."""
    keys = tables.order_by().values("pk")
    sittings = _sittings(keys)
    people, numbers = _people(keys)
    contents = Content.objects.filter(entry__table__in=keys, voided=False).current()
    postings = Posting.objects.filter(content__entry__table__in=keys, content__voided=False, amount__gt=0)
    if ruleset is not None:
        contents = contents.filter(revision__ruleset=ruleset)
        postings = postings.filter(content__revision__ruleset=ruleset)
    flows: dict[Any, list[Flow]] = {}
    for content, payer, payee, amount in postings.order_by("transfer").values_list(
        "content_id", "counterparty_id", "participant_id", "amount"
    ):
        flows.setdefault(content, []).append(Flow(people[payer], people[payee], amount))
    fields = ("pk", "entry__table_id", "entry__seq", "entry__kind", "entry__server_time", "before", "summary", "revision_id")
    rows = list(contents.order_by("entry__server_time", "entry__table_id", "entry__seq").values_list(*fields))
    patterns, rulesets, slugs = _names({row[-1] for row in rows})
    facts = []
    for pk, table, seq, kind, when, before, summary, revision in rows:
        found = tuple(flows.get(pk, ()))
        if kind != "round" and not found:
            continue
        at = numbers[table]
        seats = [at.get(number) if number is not None else None for number in before["seats"]]
        facts.append(
            Fact(
                sitting=sittings[table],
                seq=seq,
                kind=kind,
                when=when,
                ruleset=slugs[revision],
                players=tuple(person for person in seats if person is not None),
                flows=found,
                wins=_wins(summary, seats) if kind == "round" else (),
                draw=bool(summary.get("draw")),
            )
        )
    return Facts(tuple(facts), people, patterns, rulesets)


def _names_of(member: Member) -> set[int]:
    """The member, and all who turned out to be he."""
    merged = dict(Member.objects.filter(club=member.club_id).exclude(merged_into=None).values_list("pk", "merged_into_id"))
    found = {member.pk}
    while more := {key for key, into in merged.items() if into in found and key not in found}:
        found |= more
    return found


def _statistics(tables: QuerySet[Table], ruleset: Ruleset | None = None, *, by_evening: bool = False) -> Statistics:
    read = read_facts(tables, ruleset)
    return statistics_of(read.facts, read.patterns, read.rulesets, by_evening=by_evening)


def _sittings(keys: Any) -> dict[int, Sitting]:
    rows = Table.objects.filter(pk__in=keys).order_by("pk").select_related("session")
    fields = ("public_id", "number", "title", "created_at", "session__public_id", "session__title", "session__date")
    found = {}
    for table in rows.only("session_id", *fields):
        session = table.session
        found[table.pk] = Sitting(
            table=table.pk,
            public_id=table.public_id,
            number=table.number,
            title=table.title,
            day=session.date if session is not None else timezone.localdate(table.created_at),
            session=table.session_id,
            session_public_id=session.public_id if session is not None else "",
            session_title=session.title if session is not None else "",
        )
    return found


def _people(keys: Any) -> tuple[dict[int, Person], dict[int, dict[int, Person]]]:
    """Who each participant is, by its key, and by table and number."""
    participants = Participant.objects.filter(table__in=keys).select_related("player__session", "table").order_by("pk")
    clubs = Member.objects.filter(Q(participants__table__in=keys) | Q(played__participants__table__in=keys)).values("club")
    members = {member.pk: member for member in Member.objects.filter(club__in=clubs)}
    people: dict[int, Person] = {}
    numbers: dict[int, dict[int, Person]] = {}
    for participant in participants:
        person = _person(participant, members)
        people[participant.pk] = person
        numbers.setdefault(participant.table_id, {})[participant.number] = person
    return people, numbers


def _person(participant: Participant, members: dict[int, Member]) -> Person:
    if participant.kind == Participant.Kind.HOUSE:
        return HOUSE
    if participant.kind == Participant.Kind.POOL:
        return POOL
    player = participant.player
    key = participant.member_id or (player.member_id if player is not None else None)
    if key is not None:
        member = members[key]
        while member.merged_into_id is not None:
            member = members[member.merged_into_id]
        return Person("member", member.pk, member.name, member.public_id)
    if player is not None:
        return Person("player", player.pk, player.name, day=player.session.date)
    return Person("participant", participant.pk, participant.name, day=timezone.localdate(participant.table.created_at))


def _names(revisions: set[int]) -> tuple[dict[tuple[str, str], Text], dict[str, Text], dict[int, str]]:
    """Names of patterns and of rulesets, and the slug of each revision; the newest revision names them."""
    patterns: dict[tuple[str, str], Text] = {}
    rulesets: dict[str, Text] = {}
    slugs: dict[int, str] = {}
    for revision in Revision.objects.filter(pk__in=revisions).select_related("ruleset").order_by("number"):
        slug = revision.ruleset.slug
        slugs[revision.pk] = slug
        rulesets[slug] = Text(zh=revision.ruleset.name_zh, en=revision.ruleset.name_en)
        for pattern, defined in rulings.ruleset_of(revision).document.patterns.items():
            patterns[slug, pattern] = Text(zh=defined.name.zh, en=defined.name.en)
    return patterns, rulesets, slugs


def _wins(summary: dict[str, Any], seats: list[Person | None]) -> tuple[Win, ...]:
    wins = []
    for win in summary.get("wins", ()):
        winner = _at(win.get("seat"), seats)
        if winner is not None:
            wins.append(Win(winner, _at(win.get("from"), seats), tuple(map(str, win.get("patterns", ()))), win))
    return tuple(wins)


def _at(seat: Any, seats: list[Person | None]) -> Person | None:
    return seats[seat] if isinstance(seat, int) and 0 <= seat < len(seats) else None


def _line_of(person: Person, facts: Sequence[Fact]) -> StandingLine | None:
    return next((line for line in standings_of(facts) if line.person == person), None)


def _only(series: Series, person: Person) -> Series:
    """The series of one person."""
    if person not in series.people:
        return Series((), ())
    return Series((person,), tuple(replace(point, totals={person.key: point.totals[person.key]}) for point in series.points))


def _evenings(own: list[Fact], me: Person) -> tuple[Evening, ...]:
    """Newest first."""
    found: dict[tuple[str, int], Evening] = {}
    for fact in own:
        before = found.get(fact.sitting.occasion) or Evening(fact.sitting, 0, 0)
        points = fact.payments.get(me, 0) if fact.is_play else 0
        rounds = int(fact.is_round and me in fact.players)
        found[fact.sitting.occasion] = Evening(before.sitting, before.points + points, before.rounds + rounds)
    return tuple(reversed(found.values()))


def _opponents(own: list[Fact], me: Person) -> tuple[tuple[Person, int], ...]:
    """From whom he won most comes first."""
    net: dict[Person, int] = {}
    for fact in own:
        if not fact.is_detailed:
            continue
        for flow in fact.flows:
            if flow.payee == me and flow.payer.is_player:
                net[flow.payer] = net.get(flow.payer, 0) + flow.amount
            elif flow.payer == me and flow.payee.is_player:
                net[flow.payee] = net.get(flow.payee, 0) - flow.amount
    return tuple(sorted(((person, amount) for person, amount in net.items() if person != me), key=lambda row: (-row[1], row[0].name)))
