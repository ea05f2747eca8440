"""Seating a whole session: by lot, a seat on, a table on, by hand; each seating is recorded with its seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from django.db import transaction
from django.utils import timezone

from rules_app import rulings
from rules_app.engine.text import Text
from rules_app.models import Revision
from scoring_app.errors import SessionError
from scoring_app.ledger import NOBODY, Newcomer, Origin, change_seats
from scoring_app.ledger.locking import lock_table
from scoring_app.ledger.rotations import rotation_key
from scoring_app.models import Participant, SeatDraw, Session, SessionPlayer, Standing, Table
from scoring_app.sessions.locking import lock_this
from scoring_app.sessions.seating import Seating, TableSeats, by_lot, moved, new_seed, rested, shifted
from scoring_app.sessions.tables import adopt_strangers, number_at, open_session_table, rounds_open, seats_of

FRESH: dict[str, Any] = {"dealer": 0, "streak": 0, "round_wind": "1z", "state": {}}
"""Where play starts on new seats."""


class StaleRotation(SessionError):
    """Seats were drawn since the organiser looked."""

    status = 409

    def __init__(self) -> None:
        message = Text(zh="座位刚刚已经排过，请看过再排。", en="Seats have just been drawn; look at them, then draw again if need be.")
        super().__init__("stale_rotation", message, "expected_rotation")


Method = Literal["lot", "shift", "movement", "hand"]


def preview_seating(session: Session, *, method: Method = "lot", seed: str, tables: int | None = None) -> Seating:
    """The seating that `seat_players` would make; ``tables`` says how many, None: as many as fill.

    :raises SessionError: too few players, or the method does not fit.
    """
    players = list(session.players.filter(left_at=None).values_list("number", flat=True))
    rests = _rests(session)
    capacities = _capacities(session, len(players), tables)
    current = _current(session)
    if method == "lot" or not current:
        return by_lot(players, capacities, seed, rests)
    if _has_parties(session.revision):
        raise SessionError("no_seats", Text(zh="这种玩法不分座位。", en="This game has no seats to move on."), "method")
    seating = current_seating(session)
    # A table at which nobody sits any more is no place to move on to; a drawing by lot fills it when there are enough.
    seating = Seating(tuple(table for table in seating.tables if any(table.seats)), seating.resting)
    try:
        turned = shifted(seating) if method == "shift" else moved(seating)
    except ValueError as error:
        message = Text(zh="各桌座位数不同，不能整场换桌。", en="The tables have different numbers of seats; nobody can move on.")
        raise SessionError("other_seats", message, "method") from error
    return rested(turned, rests, seed)


def seat_players(
    *,
    session: Session,
    method: Method = "lot",
    seed: str = "",
    seating: Seating | None = None,
    tables: int | None = None,
    expected_rotation: int | None = None,
    origin: Origin = NOBODY,
) -> SeatDraw:
    """Seat everybody who is there: by lot, a seat on, a table on, or by hand (``seating``).

    Tables that are missing are opened; at the others the seats change, the deal starts anew, and the clock waits to
    be started again. All or nothing.

    ``expected_rotation`` is the one that the organiser saw: a form sent twice seats people once.

    :raises StaleRotation: seats have been drawn since.
    :raises SessionError: too few players, or a round is in progress (``round_open``, naming the tables).
    """
    with transaction.atomic():
        session = lock_this(session.pk)
        if session.status == Session.Status.ENDED:
            raise SessionError("ended", Text(zh="这一场已经结束。", en="This session is over."))
        if expected_rotation is not None and expected_rotation != session.rotation:
            raise StaleRotation
        adopt_strangers(session)
        _refuse_open_rounds(session)
        seed = seed or new_seed()
        if method == "hand" and seating is not None:
            _check_by_hand(session, seating)
            chosen = seating
        else:
            chosen = preview_seating(session, method="lot" if method == "hand" else method, seed=seed, tables=tables)
        session.rotation += 1
        players = {player.number: player for player in session.players.select_related("member")}
        if _has_parties(session.revision) and session.tables.filter(status=Table.Status.OPEN).exists():
            raise SessionError("no_seats", Text(zh="这种玩法不分座位。", en="This game has no seats to draw again."), "method")
        existing = {table.number: table for table in session.tables.filter(status=Table.Status.OPEN)}
        for line in chosen.tables:
            people = [players[number] if number is not None else None for number in line.seats]
            table = existing.pop(line.number, None)
            if table is None:
                open_session_table(session=session, players=people, number=line.number, author=origin.author)
            else:
                _reseat(table, people, session.rotation, origin)
        for table in existing.values():
            if any(number is not None for number in seats_of(table)):
                _reseat(table, [None] * len(seats_of(table)), session.rotation, origin)
        session.status = Session.Status.RUNNING
        session.started_at = session.started_at or timezone.now()
        session.clock_started_at, session.clock_paused_at, session.clock_paused_seconds = None, None, 0
        session.changes += 1
        session.save(
            update_fields=[
                "rotation",
                "status",
                "started_at",
                "clock_started_at",
                "clock_paused_at",
                "clock_paused_seconds",
                "changes",
            ]
        )
        return SeatDraw.objects.create(
            session=session,
            rotation=session.rotation,
            method=method,
            seed=seed if method != "hand" else "",
            seating=chosen.as_json(),
            made_by=origin.author,
            device_label=origin.device_label[:60],
        )


def _reseat(table: Table, people: Sequence[SessionPlayer | None], rotation: int, origin: Origin) -> None:
    locked = lock_table(table)
    joining: list[Newcomer] = []
    seats: list[int | None] = []
    for player in people:
        number = None
        if player is not None:
            number, joining = number_at(locked, player, joining)
        seats.append(number)
    change_seats(
        table=locked,
        seats=seats,
        joining=joining,
        position=FRESH,
        expected_version=locked.version,
        idempotency_key=rotation_key(rotation),
        origin=origin,
    )


def current_seating(session: Session) -> Seating:
    """Who sits at the open tables now, and who of those who are there rests."""
    players = list(session.players.filter(left_at=None).values_list("number", flat=True))
    here = set(players)
    tables = tuple(
        TableSeats(number, tuple(seat if seat in here else None for seat in seats))
        for number, (table, seats) in _current(session).items()
        if table.status == Table.Status.OPEN
    )
    seated = {number for table in tables for number in table.seats}
    return Seating(tables, tuple(number for number in players if number not in seated))


def _current(session: Session) -> dict[int, tuple[Table, list[int | None]]]:
    """The players of each numbered table by seat, as they sit now."""
    numbers: dict[int, dict[int, int]] = {}
    rows = Participant.objects.filter(table__session=session).exclude(player=None)
    for table_id, number, player in rows.values_list("table_id", "number", "player__number"):
        numbers.setdefault(table_id, {})[number] = player
    found: dict[int, tuple[Table, list[int | None]]] = {}
    for standing in Standing.objects.filter(table__session=session).select_related("table").order_by("table__number"):
        table = standing.table
        if table.number is not None:
            names = numbers.get(table.pk, {})
            found[table.number] = (table, [names.get(seat) if seat is not None else None for seat in standing.situation["seats"]])
    return found


def _capacities(session: Session, players: int, tables: int | None) -> dict[int, int]:
    """Seats by table number: the tables that are open, and new ones of the session's game as far as they fill."""
    if _has_parties(session.revision):
        if players < 2:
            raise _too_few(2)
        number = session.tables.filter(status=Table.Status.OPEN).values_list("number", flat=True).first()
        return {number or 1: players}
    seats = rulings.ruleset_of(session.revision).document.seats
    known = dict(session.tables.filter(status=Table.Status.OPEN).order_by("number").values_list("number", "seats"))
    used = set(session.tables.values_list("number", flat=True))
    chosen: dict[int, int] = {}
    left = players
    for number, size in known.items():
        if number is not None and left >= size and (tables is None or len(chosen) < tables):
            chosen[number] = size
            left -= size
    number = 0
    while left >= seats and (tables is None or len(chosen) < tables):
        number += 1
        if number not in used:
            chosen[number] = seats
            left -= seats
    if not chosen or (tables is not None and len(chosen) < tables):
        raise _too_few(seats * (tables or 1))
    return chosen


def _rests(session: Session) -> Mapping[int, int]:
    """How often each player has rested in the rotations so far, those taken back apart."""
    rests: dict[int, int] = {}
    for draw in lasting_draws(session):
        for number in draw.seating["resting"]:
            rests[number] = rests.get(number, 0) + 1
    return rests


def lasting_draws(session: Session) -> list[SeatDraw]:
    """The drawings that have not been taken back, old to new: each undo takes the last one."""
    lasting: list[SeatDraw] = []
    for draw in session.draws.order_by("rotation"):
        if draw.method != SeatDraw.Method.UNDO:
            lasting.append(draw)
        elif lasting:
            lasting.pop()
    return lasting


def _has_parties(revision: Revision) -> bool:
    return rulings.ruleset_of(revision).document.parties is not None


def _refuse_open_rounds(session: Session) -> None:
    busy = list(session.tables.filter(status=Table.Status.OPEN, open_round__isnull=False).order_by("number"))
    if busy:
        raise rounds_open(busy)


def _check_by_hand(session: Session, seating: Seating) -> None:
    known = set(session.players.filter(left_at=None).values_list("number", flat=True))
    seated = seating.seated
    if len(seated) != len(set(seated)) or not known >= {*seated, *seating.resting}:
        message = Text(zh="每位在场玩家只能坐一个座位。", en="Each player who is there can sit on one seat only.")
        raise SessionError("bad_input", message, "seating")


def _too_few(needed: int) -> SessionError:
    return SessionError("too_few", Text(zh=f"至少要有 {needed} 位玩家。", en=f"At least {needed} players are needed."), "players")
