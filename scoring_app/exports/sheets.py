"""What a spreadsheet of a table, a session, a season or a club holds: sheets of plain rows, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from rules_app.rulings import ruleset_of
from scoring_app.ledger import TableOverview, table_overview
from scoring_app.models import Club, Entry, Participant, Season, Session, Table
from scoring_app.sessions import open_balances
from scoring_app.shown.entries import EntryWriter
from scoring_app.statistics import Statistics, club_statistics, season_statistics, session_statistics
from scoring_app.wording import participant_name

Cell = str | int | float | date | datetime | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """``key`` names the sheet in addresses; times are local and without a zone, as spreadsheets have them."""

    key: str
    title: str
    columns: list[str]
    rows: list[list[Cell]]


def table_sheets(table: Table, language: str) -> list[Sheet]:
    """The rounds of a table with everybody's change and running total, and each payment."""
    overview = table_overview(table)
    return [_book(overview, language), _payments([overview], language)]


def session_sheets(session: Session, language: str) -> list[Sheet]:
    """Standings, what is open between people, who paid whom, and every payment at every table."""
    statistics = session_statistics(session)
    tables = session.tables.select_related("revision__ruleset").order_by("number", "pk")
    overviews = [table_overview(table) for table in tables]
    settlement = open_balances(session)
    open_rows: list[list[Cell]] = [
        [participant_name(line.payer), participant_name(line.payee), line.amount] for line in settlement.transfers
    ]
    return [
        standings_sheet(statistics),
        Sheet("settling", _("Settling up"), [_("Pays"), _("Receives"), _("Amount")], open_rows),
        matrix_sheet(statistics),
        _entries(overviews, language),
        _payments(overviews, language),
    ]


def season_sheets(season: Season, language: str) -> list[Sheet]:
    sessions = season.sessions.select_related("revision__ruleset").order_by("date", "pk")
    return _season_like(season_statistics(season), sessions, language)


def club_sheets(club: Club, language: str) -> list[Sheet]:
    sessions = club.sessions.select_related("revision__ruleset").order_by("date", "pk")
    return _season_like(club_statistics(club), sessions, language)


def people_of(overview: TableOverview) -> list[Participant]:
    """Those who have a column: the players as they came, then house and pool if anything was paid to them."""
    paid = {number for entry in overview.entries for number in entry.payments}
    people = [person for number, person in sorted(overview.participants.items()) if person.kind == "player" or number in paid]
    return sorted(people, key=lambda person: person.kind != "player")


def standings_sheet(statistics: Statistics) -> Sheet:
    """One row a person, best first."""
    columns = [
        _("Place"),
        _("Name"),
        _("Points"),
        _("Rounds played"),
        _("Wins"),
        _("Self-draws"),
        _("Deal-ins"),
        _("Points a round"),
        _("Average place"),
        _("Biggest win"),
        _("Fees"),
        _("Settled"),
        _("Balance"),
    ]
    rows: list[list[Cell]] = [
        [
            place,
            participant_name(line.person),
            line.points,
            line.rounds,
            line.wins,
            line.self_draws,
            line.deal_ins,
            round(line.average, 2) if line.average is not None else None,
            round(line.average_position, 2) if line.average_position is not None else None,
            line.biggest.points if line.biggest is not None else None,
            line.fees,
            line.settled,
            line.balance,
        ]
        for place, line in enumerate(statistics.standings, start=1)
    ]
    return Sheet("standings", _("Standings"), columns, rows)


def matrix_sheet(statistics: Statistics) -> Sheet:
    """Who paid whom in play: the row paid the column, less what came back."""
    people = [participant_name(person) for person in statistics.matrix.people]
    rows: list[list[Cell]] = [[name, *amounts] for name, amounts in zip(people, statistics.matrix.amounts, strict=True)]
    return Sheet("matrix", _("Who pays whom"), [_("paid"), *people], rows)


def _season_like(statistics: Statistics, sessions: Iterable[Session], language: str) -> list[Sheet]:
    columns = [_("Date"), _("Session"), _("Game"), _("Status")]
    status = {
        Session.Status.PLANNED: _("planned"),
        Session.Status.RUNNING: _("running"),
        Session.Status.ENDED: _("ended"),
    }
    rows: list[list[Cell]] = []
    for session in sessions:
        ruleset = session.revision.ruleset
        game = ruleset.name_zh if language == "zh" else ruleset.name_en
        rows.append([session.date, session.title, game, status[Session.Status(session.status)]])
    people = list(statistics.series.people)
    series: list[list[Cell]] = [
        [point.sitting.day, point.sitting.session_title, *(point.totals[person.key] for person in people)]
        for point in statistics.series.points
    ]
    return [
        standings_sheet(statistics),
        Sheet("sessions", _("Sessions"), columns, rows),
        Sheet("development", _("Over time"), [_("Date"), _("Session"), *(participant_name(person) for person in people)], series),
        matrix_sheet(statistics),
    ]


def _book(overview: TableOverview, language: str) -> Sheet:
    """The book of one table: everybody's change in each entry and what he has then."""
    people = people_of(overview)
    names = [participant_name(person) for person in people]
    totals = dict(overview.series)
    running = {person.number: overview.series[0][1].get(person.number, 0) for person in people}
    writer = _writer(overview, language)
    rows: list[list[Cell]] = []
    for entry in reversed(overview.entries):
        title, detail = writer.words(entry)
        running = totals.get(entry.seq, running)
        moved = bool(entry.lines) or entry.kind == Entry.Kind.ROUND
        rows.append(
            [
                entry.seq,
                entry.number,
                _local(entry.entry.client_time or entry.entry.server_time),
                title,
                detail,
                _mark(entry.voided, entry.corrected),
                *(entry.payments.get(person.number, 0) if moved else None for person in people),
                *(running.get(person.number, 0) for person in people),
                entry.entry.reason,
                entry.entry.device_label,
            ]
        )
    changes = [_("%(name)s +/-") % {"name": name} for name in names]
    columns = [_("Entry no."), _("Round no."), _("Time"), _("What"), _("Detail"), _("Mark"), *changes, *names, _("Reason"), _("Device")]
    return Sheet("book", _("Book"), columns, rows)


def _entries(overviews: list[TableOverview], language: str) -> Sheet:
    """What was entered at every table, without the amounts."""
    rows: list[list[Cell]] = []
    for overview in overviews:
        writer = _writer(overview, language)
        for entry in reversed(overview.entries):
            title, detail = writer.words(entry)
            time = _local(entry.entry.client_time or entry.entry.server_time)
            mark = _mark(entry.voided, entry.corrected)
            rows.append([overview.table.number, entry.seq, entry.number, time, title, detail, mark, entry.entry.reason])
    columns = [_("Table no."), _("Entry no."), _("Round no."), _("Time"), _("What"), _("Detail"), _("Mark"), _("Reason")]
    return Sheet("entries", _("Entries"), columns, rows)


def _payments(overviews: list[TableOverview], language: str) -> Sheet:
    """Every payment that counts, one a row."""
    rows: list[list[Cell]] = []
    for overview in overviews:
        names = {number: participant_name(person) for number, person in overview.participants.items()}
        for entry in reversed(overview.entries):
            rows.extend(
                [
                    overview.table.number,
                    entry.seq,
                    entry.number,
                    names[line.payer],
                    names[line.payee],
                    line.amount,
                    line.reason.in_language(language),
                    line.rule,
                ]
                for line in entry.lines
            )
    columns = [_("Table no."), _("Entry no."), _("Round no."), _("Pays"), _("Receives"), _("Amount"), _("For"), _("Rule")]
    return Sheet("payments", _("Payments"), columns, rows)


def _writer(overview: TableOverview, language: str) -> EntryWriter:
    return EntryWriter(ruleset_of(overview.table.revision), language, overview.participants, overview.situation)


def _mark(voided: bool, corrected: bool) -> str:
    return _("void") if voided else _("corrected") if corrected else ""


def _local(moment: datetime) -> datetime:
    return timezone.localtime(moment).replace(tzinfo=None, microsecond=0)
