"""How long there is to play: the session's clock, extra time of a table, and what ends a table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Sum
from django.utils import timezone

from rules_app.engine.text import Text
from scoring_app.errors import SessionError
from scoring_app.ledger import NOBODY, Origin
from scoring_app.ledger.rotations import rotation_key
from scoring_app.models import Content, Entry, ExtraTime, LengthKind, SeatDraw, Session, Table
from scoring_app.sessions.locking import lock_session
from scoring_app.sessions.organising import touch_session

MOST_EXTRA = 12 * 3600


class StaleTime(SessionError):
    """The table was given time since the organiser looked."""

    status = 409

    def __init__(self, seconds: int) -> None:
        minutes = f"{seconds / 60:+g}"
        message = Text(
            zh=f"这一桌刚刚已经加过时，现在共 {minutes} 分钟；请看过再加。",
            en=f"The table has just been given time, {minutes} minutes in all now; look, then give more if need be.",
        )
        super().__init__("stale_time", message, "minutes")


@dataclass(frozen=True, slots=True)
class Clock:
    """``seconds_left`` (negative once it is over) and ``ends_at`` are None where no clock runs for the table."""

    seconds_left: int | None
    ends_at: datetime | None
    running: bool
    paused: bool
    extra_seconds: int = 0

    @property
    def is_over(self) -> bool:
        return self.seconds_left is not None and self.seconds_left <= 0


@dataclass(frozen=True, slots=True)
class End:
    """Whether a table has reached its end, and by what; play is not cut off by it."""

    reason: Literal["", "rounds", "clock"]
    rounds_played: int
    rounds_left: int | None
    clock: Clock


def start_clock(*, session: Session) -> Session:
    """Start the clock (again) from the full length."""
    session.clock_started_at, session.clock_paused_at, session.clock_paused_seconds = timezone.now(), None, 0
    return _save_clock(session)


def pause_clock(*, session: Session) -> Session:
    """:raises SessionError: it does not run."""
    if session.clock_started_at is None or session.clock_paused_at is not None:
        raise SessionError("not_running", Text(zh="计时没有在走。", en="The clock is not running."))
    session.clock_paused_at = timezone.now()
    return _save_clock(session)


def resume_clock(*, session: Session) -> Session:
    """:raises SessionError: it is not paused."""
    if session.clock_paused_at is None:
        raise SessionError("not_paused", Text(zh="计时没有暂停。", en="The clock is not paused."))
    session.clock_paused_seconds += int((timezone.now() - session.clock_paused_at).total_seconds())
    session.clock_paused_at = None
    return _save_clock(session)


def give_extra_time(
    *, table: Table, seconds: int, reason: str = "", expected_extra: int | None = None, origin: Origin = NOBODY
) -> ExtraTime:
    """Give one table more time (or, below zero, take some back); it stays on record.

    ``expected_extra`` are the seconds of extra time that the organiser saw: a form sent twice gives time once.

    :raises SessionError: none, or more than half a day; :raises StaleTime: somebody else has given some since.
    """
    if not 0 < abs(seconds) <= MOST_EXTRA:
        message = Text(zh="加时须在 1 秒到 12 小时之间。", en="Extra time lies between a second and twelve hours.")
        raise SessionError("bad_input", message, "seconds")
    given = ExtraTime(
        table=table,
        seconds=seconds,
        reason=" ".join(reason.split())[:200],
        given_by=origin.author,
        device_label=origin.device_label[:60],
    )
    with transaction.atomic():
        session = lock_session(table.session_id)
        if expected_extra is not None:
            now = extra_seconds_of([table]).get(table.pk, 0)
            last = ExtraTime.objects.filter(table=table).order_by("-pk").first()
            if last is not None and now - seconds == expected_extra and _is_repeat(last, given):
                return last
            if now != expected_extra:
                raise StaleTime(now)
        given.save()
        Table.objects.filter(pk=table.pk).update(changes=F("changes") + 1)
        if session is not None:
            touch_session(session)
    return given


def _is_repeat(last: ExtraTime, given: ExtraTime) -> bool:
    names = ("seconds", "reason", "given_by_id", "device_label")
    return all(getattr(last, name) == getattr(given, name) for name in names)


def clock_of(table: Table, *, now: datetime | None = None, extra_seconds: int | None = None) -> Clock:
    """The clock of a table; ``extra_seconds`` spare the query where they are known."""
    session = table.session
    extra = extra_seconds if extra_seconds is not None else extra_seconds_of([table]).get(table.pk, 0)
    started = session.clock_started_at if session is not None else table.created_at
    if table.length_kind != LengthKind.CLOCK or started is None:
        return Clock(None, None, running=False, paused=False, extra_seconds=extra)
    now = now or timezone.now()
    paused_at = session.clock_paused_at if session is not None else None
    paused = timedelta(seconds=session.clock_paused_seconds if session is not None else 0)
    total = timedelta(minutes=table.length, seconds=extra)
    left = total - ((paused_at or now) - started - paused)
    ends_at = None if paused_at is not None else started + paused + total
    return Clock(int(left.total_seconds()), ends_at, running=paused_at is None, paused=paused_at is not None, extra_seconds=extra)


def end_of(table: Table, *, now: datetime | None = None) -> End:
    """Three queries: extra time, the last rotation, rounds."""
    rounds = rounds_by_table([table]).get(table.pk, 0)
    return end_from(table, rounds=rounds, clock=clock_of(table, now=now))


def end_from(table: Table, *, rounds: int, clock: Clock) -> End:
    """The end of a table, of rounds and a clock that are known."""
    left = max(0, table.length - rounds) if table.length_kind == LengthKind.ROUNDS else None
    reason: Literal["", "rounds", "clock"] = "rounds" if left == 0 else "clock" if clock.is_over else ""
    return End(reason, rounds, left, clock)


def extra_seconds_of(tables: list[Table]) -> dict[int, int]:
    """Extra time by table since its seats were last drawn, in one query."""
    drawn_since = SeatDraw.objects.filter(session=OuterRef("table__session"), made_at__gt=OuterRef("given_at"))
    rows = ExtraTime.objects.filter(~Exists(drawn_since), table__in=[table.pk for table in tables]).order_by()
    return dict(rows.values("table_id").annotate(total=Sum("seconds")).values_list("table_id", "total"))


def rounds_by_table(tables: list[Table]) -> dict[int, int]:
    """Rounds that count, of each table since its seats were last drawn, in two queries."""
    keys = [table.pk for table in tables]
    since: dict[int, int] = {}
    drawn = Entry.objects.filter(table__in=keys, idempotency_key__startswith=rotation_key(0)[:-1], undone_by=None)
    for table, key, seq in drawn.values_list("table_id", "idempotency_key", "seq"):
        if key[len(rotation_key(0)) - 1 :].isdecimal():
            since[table] = max(seq, since.get(table, 0))
    counts: dict[int, int] = {}
    rounds = Content.objects.filter(entry__table__in=keys, entry__kind=Entry.Kind.ROUND, voided=False).current()
    for table, seq in rounds.order_by().values_list("entry__table_id", "entry__seq"):
        counts[table] = counts.get(table, 0) + (seq > since.get(table, 0))
    return counts


def _save_clock(session: Session) -> Session:
    with transaction.atomic():
        session.save(update_fields=["clock_started_at", "clock_paused_at", "clock_paused_seconds"])
        touch_session(session)
    return session
