"""The tables of a session: opening one, substitutes, leavers, and the players behind the names at a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from rules_app.engine.text import Text
from rules_app.models import Revision
from scoring_app.errors import SessionError
from scoring_app.ledger import NOBODY, Newcomer, Origin, Recorded, change_seats, open_table
from scoring_app.ledger.locking import lock_table
from scoring_app.ledger.writing import first_answer
from scoring_app.models import Entry, Member, OpenRound, Participant, Session, SessionPlayer, Standing, Table
from scoring_app.sessions.locking import lock_session, lock_this
from scoring_app.sessions.organising import checked_length, touch_session

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def open_session_table(
    *,
    session: Session,
    players: Sequence[SessionPlayer | None],
    resting: Sequence[SessionPlayer] = (),
    number: int | None = None,
    revision: Revision | None = None,
    options: dict[str, Any] | None = None,
    start_points: int | None = None,
    length_kind: str | None = None,
    length: int | None = None,
    author: User | None = None,
) -> Table:
    """One more table, with rules, start points and length of its own where they are given.

    ``players`` in seat order; ``resting`` belong to the table and come in later.

    :raises SessionError: somebody sits elsewhere already; :raises scoring_app.ledger.InvalidEntry: as `open_table`.
    """
    people = [player for player in players if player is not None]
    if len(people) < len(players):
        raise SessionError(
            "empty_seat", Text(zh="开桌时每个座位都要有人。", en="Every seat needs a player when a table is opened."), "players"
        )
    with transaction.atomic():
        session = lock_this(session.pk)
        for player in (*people, *resting):
            _require_free(session, player, apart_from=None)
        last: int | None = session.tables.aggregate(last=Max("number"))["last"]
        own_rules = revision is not None
        kind, size = checked_length(length_kind or session.length_kind, session.length if length is None else length)
        chosen = options if options is not None else {} if own_rules else session.options
        table = open_table(
            revision=revision or session.revision,
            names=[player.name for player in (*people, *resting)],
            options=chosen,
            language="en" if session.language == "en" else "zh",
            start_points=session.start_points if start_points is None else start_points,
            author=author,
        )
        table.session, table.number = session, number or (last or 0) + 1
        table.confirmation, table.length_kind, table.length = session.confirmation, kind, size
        table.save(update_fields=["session", "number", "confirmation", "length_kind", "length"])
        by_name = {player.name: player for player in (*people, *resting)}
        participants = list(table.participants.filter(kind=Participant.Kind.PLAYER))
        for participant in participants:
            participant.player = by_name[participant.name]
            participant.member_id = by_name[participant.name].member_id
        Participant.objects.bulk_update(participants, ["player", "member"])
        if session.status == Session.Status.PLANNED:
            session.status, session.started_at = Session.Status.RUNNING, timezone.now()
            session.save(update_fields=["status", "started_at"])
        touch_session(session)
    return table


def substitute(
    *,
    table: Table,
    seat: int,
    player: SessionPlayer | None,
    expected_version: int,
    idempotency_key: str,
    origin: Origin = NOBODY,
    text: str = "",
) -> Recorded:
    """Put ``player`` on a seat: a substitute, a late comer, somebody who is back; None frees the seat.

    Who sits at this table already exchanges seats. What each one plays counts for the one who sat there.

    :raises SessionError: he sits at another table, or is of another session.
    """
    with transaction.atomic():
        session = lock_session(table.session_id)
        locked = lock_table(table)
        repeated = first_answer(locked, kind=Entry.Kind.SEAT_CHANGE, key=idempotency_key)
        if repeated is not None:
            return repeated
        seats = seats_of(locked)
        if not 0 <= seat < len(seats):
            message = Text(zh=f"这一桌有 {len(seats)} 个座位。", en=f"This table has {len(seats)} seats.")
            raise SessionError("bad_input", message, "seat")
        joining: list[Newcomer] = []
        number: int | None = None
        if player is not None:
            if player.session_id != locked.session_id:
                raise SessionError("bad_input", Text(zh="这位玩家不在这一场。", en="This player is of another session."), "player")
            _require_free(player.session, player, apart_from=locked)
            number, joining = number_at(locked, player, joining)
            if number in seats:
                seats[seats.index(number)] = seats[seat]
        seats[seat] = number
        recorded = change_seats(
            table=locked,
            seats=seats,
            joining=joining,
            text=text,
            expected_version=expected_version,
            idempotency_key=idempotency_key,
            origin=origin,
        )
        if player is not None and player.left_at is not None:
            SessionPlayer.objects.filter(pk=player.pk).update(left_at=None)
        if session is not None:
            touch_session(session)
    return recorded


def leave_session(*, player: SessionPlayer, origin: Origin = NOBODY) -> SessionPlayer:
    """He goes home: his seat is free from now on, what he played stays.

    :raises SessionError: a round in which he plays is in progress.
    """
    with transaction.atomic():
        session = lock_this(player.session_id)
        for table in session.tables.filter(status=Table.Status.OPEN, participants__player=player):
            locked = lock_table(table)
            seats = seats_of(locked)
            number = Participant.objects.values_list("number", flat=True).get(table=locked, player=player)
            if number not in seats:
                continue
            if OpenRound.objects.filter(table=locked).exists():
                raise rounds_open([locked])
            change_seats(
                table=locked,
                seats=[None if seated == number else seated for seated in seats],
                expected_version=locked.version,
                idempotency_key=f"leaves-{player.number}-{locked.version}",
                origin=origin,
            )
        player.left_at = timezone.now()
        player.save(update_fields=["left_at"])
        touch_session(session)
    return player


def adopt_strangers(session: Session) -> None:
    """Let names that were added at a table itself be players of the session too."""
    strangers = Participant.objects.filter(table__session=session, kind=Participant.Kind.PLAYER, player=None).order_by("pk")
    known = {player.name.casefold(): player for player in session.players.all()}
    last = max((player.number for player in known.values()), default=0)
    for stranger in strangers:
        player = known.get(stranger.name.casefold())
        if player is None:
            last += 1
            player = SessionPlayer.objects.create(session=session, number=last, name=stranger.name, member=stranger.member)
            known[stranger.name.casefold()] = player
        if Participant.objects.filter(table=stranger.table_id, player=player).exists():
            continue
        stranger.player = player
        stranger.save(update_fields=["player"])


def number_at(table: Table, player: SessionPlayer, joining: list[Newcomer]) -> tuple[int, list[Newcomer]]:
    """The number of a player at a table, and whoever joins there, he included if he is new."""
    known = Participant.objects.filter(table=table, player=player).first()
    if known is None:
        known = Participant.objects.filter(table=table, name__iexact=player.name, player=None, kind=Participant.Kind.PLAYER).first()
        if known is not None:
            known.player, known.member_id = player, known.member_id or player.member_id
            known.save(update_fields=["player", "member"])
    if known is not None:
        return known.number, joining
    number = Participant.objects.filter(table=table).count() + len(joining)
    member = Member.objects.get(pk=player.member_id) if player.member_id else None
    return number, [*joining, Newcomer(player.name, player=player, member=member)]


def seats_of(table: Table) -> list[int | None]:
    seats: list[int | None] = Standing.objects.get(table=table).situation["seats"]
    return list(seats)


def rounds_open(tables: Sequence[Table]) -> SessionError:
    numbers = "、".join(str(table.number or table) for table in tables)
    return SessionError(
        "round_open",
        Text(
            zh=f"第 {numbers} 桌有一局正在进行，请先结束或放弃。",
            en=f"A round is in progress at table {numbers.replace('、', ', ')}; close or discard it first.",
        ),
    )


def _require_free(session: Session, player: SessionPlayer, *, apart_from: Table | None) -> None:
    """:raises SessionError: the player sits at another open table."""
    rows = Participant.objects.filter(player=player, table__session=session, table__status=Table.Status.OPEN).select_related(
        "table__standing"
    )
    for participant in rows:
        table = participant.table
        if (apart_from is None or table.pk != apart_from.pk) and participant.number in table.standing.situation["seats"]:
            message = Text(
                zh=f"{player.name} 正坐在第 {table.number} 桌，请先让他离座。",
                en=f"{player.name} sits at table {table.number}; free that seat first.",
            )
            raise SessionError("seated_elsewhere", message, "player")
