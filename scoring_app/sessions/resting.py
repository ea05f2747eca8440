"""A table with more players than seats: whose turn it is to rest."""

from __future__ import annotations

from dataclasses import dataclass

from rules_app.engine.text import Text
from scoring_app.errors import SessionError
from scoring_app.ledger import NOBODY, Origin, Recorded, change_seats
from scoring_app.ledger.writing import first_answer
from scoring_app.models import Content, Entry, Participant, SessionPlayer, Table
from scoring_app.sessions.tables import seats_of, substitute


@dataclass(frozen=True, slots=True)
class Turn:
    """Who comes in on ``seat``: participant ``number`` of the table, or a ``player`` of the session new to it."""

    seat: int
    name: str
    number: int | None = None
    player: SessionPlayer | None = None


def next_to_rest(table: Table) -> Turn | None:
    """Who comes in next, and where; None while nobody rests.

    Whoever has rested longest comes in, on an empty seat, else for whoever has played longest without a rest.  While
    this is the only table of a session where anybody sits, everybody else who is there rests at it.
    """
    people = Participant.objects.filter(table=table, kind=Participant.Kind.PLAYER).select_related("player")
    away = _seated_elsewhere(table)
    here = {
        person.number: person
        for person in people
        if person.player is None or (person.player.left_at is None and person.player_id not in away)
    }
    seats = seats_of(table)
    in_a_row = dict.fromkeys(here, 0)
    rounds = list(
        Content.objects.filter(entry__table=table, entry__kind=Entry.Kind.ROUND, voided=False)
        .current()
        .order_by("entry__seq")
        .values_list("before", flat=True)
    )
    for before in rounds:
        for number in here:
            plays = number in before["seats"]
            row = in_a_row[number]
            in_a_row[number] = (row + 1 if row > 0 else 1) if plays else (row - 1 if row < 0 else -1)
    resting = [(in_a_row[number], number, Turn(-1, here[number].name, number=number)) for number in here if number not in seats]
    # While people sit at another table, nobody knows where those will play who rest.
    beside = _resting_beside(table, here) if table.session_id is not None else []
    resting += [(-len(rounds), player.number, Turn(-1, player.name, player=player)) for player in beside if not away]
    if not resting:
        return None
    turn = min(resting, key=lambda row: row[:2])[2]
    empty = next((seat for seat, number in enumerate(seats) if number is None), None)
    seat = empty if empty is not None else max(range(len(seats)), key=lambda seat: (in_a_row.get(seats[seat] or 0, 0), -seat))
    return Turn(seat, turn.name, turn.number, turn.player)


def _seated_elsewhere(table: Table) -> set[int | None]:
    """The players who sit at another open table of the session."""
    if table.session_id is None:
        return set()
    others = Participant.objects.filter(table__session=table.session_id, table__status=Table.Status.OPEN).exclude(table=table)
    rows = others.exclude(player=None).values_list("player_id", "number", "table__standing__situation")
    return {player for player, number, situation in rows if number in situation["seats"]}


def _resting_beside(table: Table, here: dict[int, Participant]) -> list[SessionPlayer]:
    """The players of the session who have not been at this table and have not left."""
    known = [person.player_id for person in here.values() if person.player_id]
    return list(SessionPlayer.objects.filter(session=table.session_id, left_at=None).exclude(pk__in=known))


def rotate_rest(*, table: Table, expected_version: int, idempotency_key: str, origin: Origin = NOBODY) -> Recorded:
    """The fifth player comes in for whose turn it is to rest.

    :raises SessionError: nobody rests at this table.
    """
    repeated = first_answer(table, kind=Entry.Kind.SEAT_CHANGE, key=idempotency_key)
    if repeated is not None:
        return repeated
    turn = next_to_rest(table)
    if turn is None:
        raise SessionError("nobody_rests", Text(zh="这一桌没有人轮休。", en="Nobody rests at this table."))
    if turn.player is not None:
        return substitute(
            table=table,
            seat=turn.seat,
            player=turn.player,
            expected_version=expected_version,
            idempotency_key=idempotency_key,
            origin=origin,
        )
    seats = seats_of(table)
    seats[turn.seat] = turn.number
    return change_seats(table=table, seats=seats, expected_version=expected_version, idempotency_key=idempotency_key, origin=origin)
