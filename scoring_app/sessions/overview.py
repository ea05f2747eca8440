"""Sessions as pages show them, in a fixed number of queries."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db.models import Count, Q, Sum
from django.utils import timezone

from scoring_app.ledger.marks import CONFIRMED
from scoring_app.ledger.ruling import ground_of
from scoring_app.models import Club, Confirmation, ConfirmationPolicy, Content, Dispute, Participant, Season, Session, SessionPlayer, Table
from scoring_app.sessions.clock import End, clock_of, end_from, extra_seconds_of, rounds_by_table


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat as it is now; ``total`` includes start points; ``wind`` is its tile, empty while nobody deals."""

    seat: int
    participant: Participant | None
    total: int
    is_dealer: bool
    wind: str


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table of a session; ``disputes`` are open ones, ``unconfirmed`` entries that still wait.

    ``resting`` belong to this table alone and sit nowhere.
    """

    table: Table
    seats: tuple[SeatLine, ...]
    resting: tuple[Participant, ...]
    end: End
    disputes: int
    unconfirmed: int
    round_open: bool

    @property
    def number(self) -> int | None:
        return self.table.number


@dataclass(frozen=True, slots=True)
class SessionOverview:
    """``resting`` are the players who are there and sit nowhere; ``pulse`` grows with every visible change."""

    session: Session
    tables: tuple[TableLine, ...]
    players: tuple[SessionPlayer, ...]
    resting: tuple[SessionPlayer, ...]
    pulse: int


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A session in a list."""

    session: Session
    tables: int
    players: int


def session_overview(session: Session) -> SessionOverview:
    """Everything the page of a session and the screen of the hall show."""
    now = timezone.now()
    tables = list(
        Table.objects.filter(session=session)
        .select_related("standing", "revision__ruleset", "open_round")
        .defer("revision__document")
        .order_by("number", "pk")
    )
    people: dict[int, dict[int, Participant]] = {}
    for participant in Participant.objects.filter(table__session=session).select_related("player").order_by("number"):
        people.setdefault(participant.table_id, {})[participant.number] = participant
    players = tuple(session.players.select_related("member").order_by("number"))
    extra, rounds = extra_seconds_of(tables), rounds_by_table(tables)
    disputes, unconfirmed = _open_disputes(session), _unconfirmed(session)
    seated = {table.pk: set(table.standing.situation["seats"]) for table in tables}
    at_open = [(table.pk, one) for table in tables if table.status == Table.Status.OPEN for one in people.get(table.pk, {}).values()]
    busy = {one.player_id for key, one in at_open if one.player_id is not None and one.number in seated[key]}
    belongs = Counter(one.player_id for _key, one in at_open)
    lines = []
    for table in tables:
        table.session = session
        clock = clock_of(table, now=now, extra_seconds=extra.get(table.pk, 0))
        here = people.get(table.pk, {})
        waiting = [one for number, one in here.items() if number not in seated[table.pk] and one.kind == Participant.Kind.PLAYER]
        lines.append(
            TableLine(
                table=table,
                seats=_seats(table, here),
                resting=tuple(one for one in waiting if one.player is None or _rests_here(one.player, busy, belongs)),
                end=end_from(table, rounds=rounds.get(table.pk, 0), clock=clock),
                disputes=disputes.get(table.pk, 0),
                unconfirmed=unconfirmed.get(table.pk, 0),
                round_open=hasattr(table, "open_round"),
            )
        )
    return SessionOverview(
        session=session,
        tables=tuple(lines),
        players=players,
        resting=tuple(player for player in players if player.left_at is None and player.pk not in busy),
        pulse=session.changes + sum(table.changes for table in tables),
    )


def _rests_here(player: SessionPlayer, busy: set[int], belongs: Counter[int | None]) -> bool:
    """Whoever has been at several tables rests from the session, and at none of them."""
    return player.left_at is None and player.pk not in busy and belongs[player.pk] == 1


def session_pulse(public_id: str) -> int | None:
    """What `SessionOverview.pulse` is now, in one indexed read, for pages that poll; None: there is no such session."""
    rows = Session.objects.filter(public_id=public_id).annotate(of_tables=Sum("tables__changes"))
    row = rows.values_list("changes", "of_tables").first()
    return row[0] + (row[1] or 0) if row is not None else None


def sessions_of(club: Club, season: Season | None = None, status: str | None = None) -> list[SessionLine]:
    """The sessions of a club (of one season, in one state), newest first."""
    sessions = Session.objects.filter(club=club).select_related("season", "revision__ruleset").defer("revision__document")
    if season is not None:
        sessions = sessions.filter(season=season)
    if status is not None:
        sessions = sessions.filter(status=status)
    counted = sessions.annotate(table_count=Count("tables", distinct=True), player_count=Count("players", distinct=True))
    # Counting makes Django forget the order of the model.
    return [SessionLine(session, session.table_count, session.player_count) for session in counted.order_by("-date", "-pk")]


def _seats(table: Table, people: dict[int, Participant]) -> tuple[SeatLine, ...]:
    situation, totals = table.standing.situation, table.standing.totals
    ground = ground_of(table, participants=len(people))
    dealer, count = situation["dealer"], len(situation["seats"])
    seats = []
    for seat, number in enumerate(situation["seats"]):
        total = totals.get(str(number), 0) + ground.start_points_of(number) if number is not None else 0
        wind = f"{(seat - dealer) % count % 4 + 1}z" if dealer is not None else ""
        seats.append(SeatLine(seat, people.get(number) if number is not None else None, total, seat == dealer, wind))
    return tuple(seats)


def _open_disputes(session: Session) -> dict[int, int]:
    rows = Dispute.objects.filter(entry__table__session=session, answer=None).order_by()
    return dict(rows.values("entry__table").annotate(count=Count("pk")).values_list("entry__table", "count"))


def _unconfirmed(session: Session) -> dict[int, int]:
    """Entries by table that wait for a confirmation, as `marks_of` finds them, in two queries."""
    asking = Q(entry__table__session=session, entry__kind__in=CONFIRMED) & ~Q(entry__table__confirmation=ConfirmationPolicy.NONE)
    confirmed = set(Confirmation.objects.filter(content__entry__table__session=session).values_list("content_id", flat=True))
    current: dict[tuple[int, int], tuple[object, bool]] = {}
    waiting: dict[tuple[int, int], bool] = {}
    rows = Content.objects.filter(asking).order_by("entry__table", "entry__seq", "-version")
    for table, seq, pk, payload, voided in rows.values_list("entry__table_id", "entry__seq", "pk", "payload", "voided"):
        says = (payload, voided)
        if current.setdefault((table, seq), says) != says:
            current[table, seq] = (None, True)
            continue
        waiting[table, seq] = waiting.get((table, seq), not voided) and pk not in confirmed
    counts: dict[int, int] = {}
    for (table, _), waits in waiting.items():
        counts[table] = counts.get(table, 0) + waits
    return counts
