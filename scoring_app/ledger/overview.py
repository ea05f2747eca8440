"""A table as a page shows it, in a number of queries that does not depend on its length."""

from __future__ import annotations

from dataclasses import dataclass

from scoring_app.ledger.corrections import undoable_among
from scoring_app.ledger.records import Record, read_records
from scoring_app.ledger.ruling import ground_of
from scoring_app.ledger.values import Json, Line, Situation, added, payments_of
from scoring_app.ledger.writing import totals_from
from scoring_app.models import Content, Entry, OpenRound, Participant, Standing, Table


@dataclass(frozen=True, slots=True)
class SeatView:
    """A participant as seated now (``seat`` None: not at the table).

    ``total`` includes start points; ``change`` is what the last round brought; ``wind`` is the seat's wind tile.
    """

    seat: int | None
    participant: Participant | None
    total: int
    change: int
    is_dealer: bool
    wind: str


@dataclass(frozen=True, slots=True)
class ContentView:
    """One content of an entry, with its lines."""

    content: Content
    lines: tuple[Line, ...]

    @property
    def payments(self) -> dict[int, int]:
        return payments_of(self.lines)


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry as it counts now; ``number`` counts the rounds that are not void; ``versions`` old to new."""

    entry: Entry
    number: int | None
    versions: tuple[ContentView, ...]

    @property
    def seq(self) -> int:
        return self.entry.seq

    @property
    def kind(self) -> str:
        return self.entry.kind

    @property
    def content(self) -> Content | None:
        return self.versions[-1].content if self.versions else None

    @property
    def lines(self) -> tuple[Line, ...]:
        return self.versions[-1].lines if self.versions else ()

    @property
    def payments(self) -> dict[int, int]:
        return payments_of(self.lines)

    @property
    def summary(self) -> Json:
        return self.content.summary if self.content else {}

    @property
    def before(self) -> Situation | None:
        return Situation.from_json(self.content.before) if self.content else None

    @property
    def after(self) -> Situation | None:
        return Situation.from_json(self.content.after) if self.content else None

    @property
    def voided(self) -> bool:
        return bool(self.content and self.content.voided)

    @property
    def corrected(self) -> bool:
        return any(view.content.cause == Content.Cause.CORRECTED for view in self.versions)


@dataclass(frozen=True, slots=True)
class TableOverview:
    """``others`` are house, pool and players without a seat; ``series`` holds the running totals after each entry
    that moved points (oldest first, start points included)."""

    table: Table
    version: int
    changes: int
    situation: Situation
    dealer: Participant | None
    rounds: int
    seats: tuple[SeatView, ...]
    others: tuple[SeatView, ...]
    participants: dict[int, Participant]
    entries: tuple[EntryView, ...]
    series: tuple[tuple[int, dict[int, int]], ...]
    undoable: EntryView | None
    open_round: OpenRound | None


def table_overview(table: Table, *, limit: int | None = None) -> TableOverview:
    """Everything a table's page shows; ``limit`` keeps the newest entries only.

    Six queries: standing, participants, entries, contents, postings, round in progress.
    """
    standing = Standing.objects.get(table=table)
    participants = {person.number: person for person in Participant.objects.filter(table=table)}
    records = read_records(table)
    views = _entry_views(records)
    situation, totals = Situation.from_json(standing.situation), totals_from(standing)
    seats, others = _seat_views(table, participants, situation, totals, _last_round(views))
    last_act = undoable_among([view.entry for view in views])
    dealer = situation.seats[situation.dealer] if situation.dealer is not None else None
    newest = views[::-1]
    return TableOverview(
        table=table,
        version=standing.version,
        changes=table.changes,
        situation=situation,
        dealer=participants[dealer] if dealer is not None else None,
        rounds=max((view.number or 0 for view in views), default=0),
        seats=seats,
        others=others,
        participants=participants,
        entries=tuple(newest[:limit]),
        series=_series(table, participants, views),
        undoable=next((view for view in newest if last_act and view.entry.pk == last_act.pk), None),
        open_round=OpenRound.objects.filter(table=table).first(),
    )


def entry_detail(table: Table, seq: int) -> EntryView:
    """One entry with all its versions.

    :raises Entry.DoesNotExist:
    """
    view = next((view for view in _entry_views(read_records(table)) if view.seq == seq), None)
    if view is None:
        raise Entry.DoesNotExist(f"table {table.public_id} has no entry {seq}")
    return view


def _entry_views(records: list[Record]) -> list[EntryView]:
    views = []
    number = 0
    for record in records:
        counts = record.entry.kind == Entry.Kind.ROUND and not record.current.voided
        number += counts
        versions = tuple(ContentView(content, record.lines_of(content)) for content in record.contents)
        views.append(EntryView(record.entry, number if counts else None, versions))
    return views


def _last_round(views: list[EntryView]) -> dict[int, int]:
    return next((view.payments for view in reversed(views) if view.number), {})


def _seat_views(
    table: Table, participants: dict[int, Participant], situation: Situation, totals: dict[int, int], last: dict[int, int]
) -> tuple[tuple[SeatView, ...], tuple[SeatView, ...]]:
    ground = ground_of(table, participants=len(participants))
    count = len(situation.seats)

    def view(seat: int | None, number: int | None) -> SeatView:
        wind = f"{(seat - situation.dealer) % count % 4 + 1}z" if seat is not None and situation.dealer is not None else ""
        return SeatView(
            seat=seat,
            participant=participants[number] if number is not None else None,
            total=totals.get(number, 0) + ground.start_points_of(number) if number is not None else 0,
            change=last.get(number, 0) if number is not None else 0,
            is_dealer=seat is not None and seat == situation.dealer,
            wind=wind,
        )

    seated = tuple(view(seat, number) for seat, number in enumerate(situation.seats))
    apart = [number for number in sorted(participants) if number not in situation.seats]
    return seated, tuple(view(None, number) for number in apart)


def _series(table: Table, participants: dict[int, Participant], views: list[EntryView]) -> tuple[tuple[int, dict[int, int]], ...]:
    ground = ground_of(table, participants=len(participants))
    totals = {number: ground.start_points_of(number) for number in sorted(participants)}
    points = [(0, totals)]
    for view in views:
        if view.lines:
            totals = added(totals, view.payments)
            points.append((view.seq, totals))
    return tuple(points)
