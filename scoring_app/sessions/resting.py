"""A table with more players than seats: whose turn it is to rest."""

from __future__ import annotations

from rules_app.engine.text import Text
from scoring_app.errors import SessionError
from scoring_app.ledger import NOBODY, Origin, Recorded, change_seats
from scoring_app.models import Content, Entry, Participant, Table
from scoring_app.sessions.tables import seats_of


def next_to_rest(table: Table) -> tuple[int, int] | None:
    """The seat to be given up and the participant number that comes in, where somebody rests at this table.

    Whoever has rested longest comes in for whoever has played longest without a rest.
    """
    people = Participant.objects.filter(table=table, kind=Participant.Kind.PLAYER).select_related("player")
    here = {person.number for person in people if person.player is None or person.player.left_at is None}
    seats = seats_of(table)
    in_a_row = dict.fromkeys(here, 0)
    rounds = Content.objects.filter(entry__table=table, entry__kind=Entry.Kind.ROUND, voided=False).current()
    for before in rounds.order_by("entry__seq").values_list("before", flat=True):
        for number in here:
            plays = number in before["seats"]
            row = in_a_row[number]
            in_a_row[number] = (row + 1 if row > 0 else 1) if plays else (row - 1 if row < 0 else -1)
    resting = sorted((number for number in here if number not in seats), key=lambda number: (in_a_row[number], number))
    if not resting:
        return None
    empty = next((seat for seat, number in enumerate(seats) if number is None), None)
    if empty is not None:
        return empty, resting[0]
    seat = max(range(len(seats)), key=lambda seat: (in_a_row.get(seats[seat] or 0, 0), -seat))
    return seat, resting[0]


def rotate_rest(*, table: Table, expected_version: int, idempotency_key: str, origin: Origin = NOBODY) -> Recorded:
    """The fifth player comes in for whose turn it is to rest.

    :raises SessionError: nobody rests at this table.
    """
    turn = next_to_rest(table)
    if turn is None:
        raise SessionError("nobody_rests", Text(zh="这一桌没有人轮休。", en="Nobody rests at this table."))
    seats = seats_of(table)
    seats[turn[0]] = turn[1]
    return change_seats(table=table, seats=seats, expected_version=expected_version, idempotency_key=idempotency_key, origin=origin)
