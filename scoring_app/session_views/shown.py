"""A session as its pages show it: tables with names and amounts, what to attend to, what comes next."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring_app.models import Session, SessionPlayer, Table
from scoring_app.session_views.visits import SessionVisit
from scoring_app.sessions import Clock, TableLine, session_overview
from scoring_app.wording import participant_name


@dataclass(frozen=True, slots=True)
class ClockShown:
    """Time left at a table: ``words`` as minutes and seconds, with the end for the browser to count down to.

    ``extra``: the seconds that the table was given beyond the clock of the session.
    """

    words: str
    ends_at: datetime | None
    running: bool
    paused: bool
    over: bool
    extra: int
    extra_minutes: int


@dataclass(frozen=True, slots=True)
class SeatShown:
    """Somebody at a table with the total; ``player`` is who that is in the session."""

    name: str
    total: int
    is_dealer: bool
    player: int | None


@dataclass(frozen=True, slots=True)
class TableCard:
    """A table among the others of the session; ``bare``: it is open, and nobody sits there since seats were drawn again."""

    table: Table
    title: str
    seats: list[SeatShown]
    rounds: int
    rounds_left: int | None
    clock: ClockShown | None
    ended: str
    closed: bool
    disputes: int
    unconfirmed: int
    url: str
    write_url: str
    more_url: str
    marks_url: str
    seats_url: str
    players: frozenset[int]
    resting: list[str]
    empty_seats: int
    bare: bool


@dataclass(frozen=True, slots=True)
class SessionShown:
    """All tables of a session and everybody in it; ``version`` is what live pages poll with.

    ``short`` are tables at which somebody is missing; ``rotation`` how people most likely move on next.
    """

    tables: list[TableCard]
    players: list[SessionPlayer]
    resting: list[SessionPlayer]
    unseated: list[SessionPlayer]
    version: int
    next: str
    attend: list[TableCard]
    time_up: list[TableCard]
    short: list[TableCard]
    rotation: str
    only_table: bool
    clock: ClockShown | None


def show_session(visit: SessionVisit) -> SessionShown:
    """The session as it stands, in a fixed number of queries."""
    overview = session_overview(visit.session)
    writes, host = visit.may("record_round"), visit.may("answer_dispute")
    cards = [table_card(line, secret=visit.secret_of(line.table) if writes else "", looks=writes or host) for line in overview.tables]
    open_cards = [card for card in cards if not card.closed and not card.bare]
    bare_cards = [card for card in cards if card.bare]
    if len(open_cards) == 1:  # whoever sits nowhere rests at the only table
        open_cards = [replace(open_cards[0], resting=[player.name for player in overview.resting])]
    full = len(open_cards) > 1 and not any(card.empty_seats for card in open_cards)
    closed_cards = [card for card in cards if card.closed]
    return SessionShown(
        tables=[*open_cards, *bare_cards, *closed_cards],
        players=list(overview.players),
        resting=list(overview.resting) if open_cards else [],
        unseated=list(overview.resting),
        version=overview.pulse,
        next=next_step(visit.session, list(overview.resting), cards, open_cards),
        attend=[card for card in [*open_cards, *closed_cards] if card.disputes or card.unconfirmed],
        time_up=[card for card in open_cards if card.ended],
        short=[card for card in open_cards if card.empty_seats],
        rotation="movement" if full else "lot",
        only_table=len(open_cards) == 1,
        clock=clock_of_all(open_cards),
    )


def clock_of_all(cards: list[TableCard]) -> ClockShown | None:
    """The clock for everybody: of the tables that are open, one without extra time if there is any."""
    clocks = [card.clock for card in cards if card.clock is not None and not card.closed]
    return min(clocks, key=lambda clock: abs(clock.extra), default=None)


def next_step(session: Session, present: list[SessionPlayer], cards: list[TableCard], open_cards: list[TableCard]) -> str:
    """What the organiser does next: ``players``, ``seats``, ``play``, ``settle`` or ``again``."""
    if session.status == Session.Status.ENDED:
        return "settle"
    if open_cards:
        return "play"
    if cards:
        return "again"
    return "seats" if len(present) >= 2 else "players"


def table_card(line: TableLine, *, secret: str = "", looks: bool = False) -> TableCard:
    """One line of the overview with its words and links.

    ``secret``: under which this visitor writes there, if he may; ``looks``: disputes and confirmations are his.
    """
    table = line.table
    token = secret or table.watch_token
    empty = sum(seat.participant is None for seat in line.seats)
    return TableCard(
        table=table,
        title=table.title or (_("Table %(number)s") % {"number": table.number} if table.number else table.public_id),
        seats=[
            SeatShown(
                participant_name(seat.participant) if seat.participant is not None else _("(empty)"),
                seat.total,
                seat.is_dealer and seat.participant is not None,
                seat.participant.player_id if seat.participant is not None else None,
            )
            for seat in line.seats
        ],
        rounds=line.end.rounds_played,
        rounds_left=line.end.rounds_left,
        clock=clock_shown(line.end.clock),
        ended=end_words(line.end.reason),
        closed=table.status == Table.Status.CLOSED,
        disputes=line.disputes,
        unconfirmed=line.unconfirmed,
        url=reverse("scoring:table", args=[table.public_id, token]),
        write_url=reverse("scoring:table", args=[table.public_id, secret]) if secret else "",
        more_url=reverse("clubs:table_tools", args=[table.public_id, secret]) if secret else "",
        marks_url=reverse("clubs:table_marks", args=[table.public_id, token]) if looks else "",
        seats_url=reverse("clubs:table_seats", args=[table.public_id, secret]) if secret else "",
        players=frozenset(seat.participant.player_id for seat in line.seats if seat.participant and seat.participant.player_id),
        resting=[participant_name(one) for one in line.resting],
        empty_seats=empty,
        bare=empty == len(line.seats) and table.status == Table.Status.OPEN,
    )


def end_words(reason: str) -> str:
    return {"rounds": _("all rounds are played"), "clock": _("time is up")}.get(reason, "")


def clock_shown(clock: Clock) -> ClockShown | None:
    """The time left; None for a table without a clock."""
    if clock.seconds_left is None:
        return None
    left = int(clock.seconds_left)
    minutes = round(clock.extra_seconds / 60)
    return ClockShown(clock_words(left), clock.ends_at, clock.running, clock.paused, left <= 0, clock.extra_seconds, minutes)


def clock_words(seconds: int) -> str:
    """Minutes and seconds, with a minus when time is over: 12:05, −0:30."""
    minutes, rest = divmod(abs(seconds), 60)
    return f"{'−' if seconds < 0 else ''}{minutes}:{rest:02}"
