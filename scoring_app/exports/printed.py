"""Sheets of paper as PDF: a table's score sheet, filled and blank, and the report of a session."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _

from rules_app.book.values import value_of
from rules_app.models import Revision
from rules_app.rulings import ruleset_of
from scoring_app.chart import Chart, draw_chart
from scoring_app.exports.sheets import people_of
from scoring_app.ledger import TableOverview, table_overview
from scoring_app.models import Entry, Participant, Session, Table
from scoring_app.sessions import open_balances
from scoring_app.shown.entries import EntryWriter
from scoring_app.statistics import Person, Statistics, session_statistics
from scoring_app.wording import participant_name, say

# One line a step of each sheet would drown the log of requests.
logging.getLogger("weasyprint.progress").setLevel(logging.WARNING)

PDF_TYPE = "application/pdf"
BLANK_ROUNDS = 24
MOST_PATTERNS = 60
MOST_CURVES = 8


@dataclass(frozen=True, slots=True)
class Row:
    """One entry on a score sheet; ``cells`` hold change and total of each player, or None where nothing moved."""

    number: int | None
    time: str
    title: str
    detail: str
    cells: list[tuple[int, int] | None]
    mark: str


def score_sheet(table: Table, language: str) -> bytes:
    """The filled score sheet of a table."""
    return as_pdf("scoring_app/printed/score_sheet.html", {"sheet": _sheet(table, language), "language": language})


def blank_sheet(revision: Revision, language: str, *, names: list[str] | None = None, title: str = "") -> bytes:
    """A score sheet to write on: columns for the players, and what the game pays beside them."""
    ruleset = ruleset_of(revision)
    document = ruleset.document
    seats = max(2, document.seats)
    patterns = [
        (say(pattern.name, language), say(value_of(ruleset, name).words, language))
        for name, pattern in document.patterns.items()
        if pattern.listed
    ]
    context = {
        "title": title,
        "seated": bool(names),
        "game": say(document.name, language),
        "names": [*(names or []), *[""] * seats][: max(seats, len(names or []))],
        "rounds": range(1, BLANK_ROUNDS + 1),
        "patterns": patterns[:MOST_PATTERNS],
        "language": language,
    }
    return as_pdf("scoring_app/printed/blank_sheet.html", context)


def session_report(session: Session, language: str) -> bytes:
    """Standings, tables, who pays whom, what is open, and the running score of an evening."""
    statistics = session_statistics(session)
    settlement = open_balances(session)
    tables = session.tables.select_related("revision__ruleset").order_by("number", "pk")
    people = [participant_name(person) for person in statistics.matrix.people]
    context = {
        "session": session,
        "game": say(ruleset_of(session.revision).document.name, language),
        "standings": [(line, participant_name(line.person)) for line in statistics.standings],
        "chart": _chart(statistics),
        "people": people,
        "matrix": list(zip(people, statistics.matrix.amounts, strict=True)),
        "patterns": [(count.name.in_language(language), count.count, f"{count.share:.0%}") for count in statistics.patterns[:12]],
        "transfers": [(participant_name(line.payer), participant_name(line.payee), line.amount) for line in settlement.transfers],
        "rounds": statistics.rounds,
        "tables": [_sheet(table, language) for table in tables],
        "language": language,
    }
    return as_pdf("scoring_app/printed/session_report.html", context)


def as_pdf(template: str, context: dict[str, Any]) -> bytes:
    """A template with the style of the printed sheets; nothing is fetched from anywhere."""
    from weasyprint import CSS, HTML  # noqa: PLC0415 - slow import

    found = finders.find("css/printed.css")
    if not isinstance(found, str):
        raise FileNotFoundError("static/css/printed.css")
    html = render_to_string(template, {"printed_at": timezone.localtime(), **context})
    style = CSS(string=Path(found).read_text(encoding="utf-8"), url_fetcher=_fetch_nothing)
    pdf: bytes = HTML(string=html, url_fetcher=_fetch_nothing).write_pdf(stylesheets=[style])
    return pdf


def _fetch_nothing(url: str, *_args: Any, **_kwargs: Any) -> Any:
    raise ValueError(f"a printed sheet fetches nothing: {url}")


def title_of(table: Table) -> str:
    """What a sheet of paper is headed with: the table's own title, else the evening's and its number."""
    if table.title or table.session is None:
        return table.title
    return f"{table.session} · {_('Table no.')} {table.number}"


def _sheet(table: Table, language: str) -> dict[str, Any]:
    overview = table_overview(table)
    writer = EntryWriter(ruleset_of(table.revision), language, overview.participants, overview.situation)
    people = people_of(overview)
    totals = dict(overview.series)
    final = overview.series[-1][1]
    running = overview.series[0][1]
    rows = []
    for entry in reversed(overview.entries):
        if entry.content is None:
            continue
        title, detail = writer.words(entry)
        detail = "" if detail == title else detail
        moved = bool(entry.lines) or (entry.kind == Entry.Kind.ROUND and not entry.voided)
        cells: list[tuple[int, int] | None] = [None] * len(people)
        if moved:
            running = totals.get(entry.seq, running)
            cells = [(entry.payments.get(person.number, 0), running.get(person.number, 0)) for person in people]
        time = timezone.localtime(entry.entry.client_time or entry.entry.server_time).strftime("%H:%M")
        rows.append(Row(entry.number, time, title, detail, cells, "void" if entry.voided else "corrected" if entry.corrected else ""))
    names = [participant_name(person) for person in people]
    players = [person for person in people if person.kind == Participant.Kind.PLAYER]
    return {
        "table": table,
        "title": title_of(table),
        "game": say(ruleset_of(table.revision).document.name, language),
        "names": names,
        "players": [participant_name(person) for person in players],
        "rows": rows,
        "totals": [final.get(person.number, 0) for person in people],
        "rounds": overview.rounds,
        "chart": draw_chart(_play(overview), {person.number: participant_name(person) for person in players}, names_beside=True),
    }


def _play(overview: TableOverview) -> list[tuple[int, dict[int, int]]]:
    """The running totals until the last hand was played: settling up leads every line back to nothing."""
    after = (Entry.Kind.FEE, Entry.Kind.SETTLEMENT, Entry.Kind.STATUS, Entry.Kind.NOTE)
    last = max((entry.seq for entry in overview.entries if entry.kind not in after), default=0)
    return [(seq, totals) for seq, totals in overview.series if seq <= last]


def _chart(statistics: Statistics) -> Chart | None:
    """The running score of those who stand at the top and at the bottom."""
    lines = statistics.standings
    shown = lines if len(lines) <= MOST_CURVES else [*lines[: MOST_CURVES // 2], *lines[-MOST_CURVES // 2 :]]
    people: dict[int, Person] = {index: line.person for index, line in enumerate(shown)}
    series: list[tuple[int, dict[int, int]]] = [(0, dict.fromkeys(people, 0))]
    for number, point in enumerate(statistics.series.points, start=1):
        series.append((number, {index: point.totals.get(person.key, 0) for index, person in people.items()}))
    return draw_chart(series, {index: participant_name(person) for index, person in people.items()}, names_beside=True)
