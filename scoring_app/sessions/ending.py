"""Ending: a session with all its tables, tables that everybody has walked away from, and the table fees."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, Max, OuterRef
from django.utils import timezone

from scoring_app.ledger import NOBODY, Origin, Recorded, close_table, record_transfer
from scoring_app.ledger.locking import lock_table
from scoring_app.models import Content, Entry, OpenRound, Participant, Session, Table
from scoring_app.sessions.locking import lock_session, lock_this
from scoring_app.sessions.organising import touch_session

FEE_KEY = "table-fee"
IDLE = {"zh": "无人记录，自动结束", "en": "closed because nothing was recorded any more"}


def end_session(*, session: Session, origin: Origin = NOBODY, text: str = "") -> Session:
    """End a session as it stands: open tables are closed, no round is invented, rounds in progress are dropped."""
    with transaction.atomic():
        session = lock_this(session.pk)
        for table in session.tables.filter(status=Table.Status.OPEN).order_by("pk"):
            _close(table, origin, text)
        session.status, session.ended_at = Session.Status.ENDED, timezone.now()
        session.save(update_fields=["status", "ended_at"])
        touch_session(session)
    return session


def reopen_session(*, session: Session) -> Session:
    """Go on after all; its tables are reopened one by one, as needed."""
    with transaction.atomic():
        session.status, session.ended_at = Session.Status.RUNNING, None
        session.save(update_fields=["status", "ended_at"])
        touch_session(session)
    return session


def close_abandoned(*, idle_hours: int = 12, now: datetime | None = None) -> list[Table]:
    """Close every table at which nothing has happened for so long, and sessions that have no open table left.

    What was played stays; a table can be reopened.
    """
    before = (now or timezone.now()) - timedelta(hours=idle_hours)
    closed = []
    tables = Table.objects.filter(status=Table.Status.OPEN, created_at__lt=before).annotate(last=Max("entries__server_time"))
    for table in tables.order_by("pk"):
        if table.last is not None and table.last >= before:
            continue
        if OpenRound.objects.filter(table=table, updated_at__gte=before).exists():
            continue
        with transaction.atomic():
            locked = lock_table(table)
            if locked.status == Table.Status.OPEN and locked.version == table.version:  # nobody has come back meanwhile
                closed.append(_close(table, NOBODY, IDLE[table.language]))
    running = Session.objects.filter(status=Session.Status.RUNNING, started_at__lt=before)
    for session in running.exclude(tables__status=Table.Status.OPEN).distinct():
        end_session(session=session)
    return closed


def charge_fees(
    *, session: Session | None = None, table: Table | None = None, amount: int | None = None, origin: Origin = NOBODY
) -> list[Recorded]:
    """Each player of a table (of each table of a session) pays the house ``amount``, by default the session's fee.

    A table that was charged already is left alone, unless that entry was voided.  Players are all who have played a round.
    """
    recorded = []
    with transaction.atomic():
        lock_session(session.pk if session is not None else None)
        tables = [table] if table is not None else list(session.tables.order_by("number")) if session is not None else []
        for one in tables:
            due = amount if amount is not None else one.session.table_fee if one.session is not None else 0
            locked = lock_table(one)
            charges = _charges(locked)
            if due <= 0 or any(not content.voided for content in charges):
                continue
            house = Participant.objects.values_list("number", flat=True).get(table=locked, kind=Participant.Kind.HOUSE)
            lines = [{"from": number, "to": house, "amount": due} for number in _have_played(locked)]
            if lines:
                recorded.append(
                    record_transfer(
                        table=locked,
                        lines=lines,
                        text={"zh": "台费", "en": "table fee"}[locked.language],
                        kind="fee",
                        expected_version=locked.version,
                        idempotency_key=f"{FEE_KEY}-{len(charges)}",
                        origin=origin,
                    )
                )
    return recorded


def tables_without_fee(session: Session) -> int:
    """How many tables have played and were not charged so far, in one query."""
    rounds = Content.objects.filter(entry__table=OuterRef("pk"), entry__kind=Entry.Kind.ROUND, voided=False).current()
    charges = Content.objects.filter(
        entry__table=OuterRef("pk"), entry__kind=Entry.Kind.FEE, entry__idempotency_key__startswith=FEE_KEY, voided=False
    ).current()
    return session.tables.filter(Exists(rounds), ~Exists(charges)).count()


def _close(table: Table, origin: Origin, text: str) -> Table:
    locked = lock_table(table)
    key = f"end-{locked.version}"
    return close_table(table=locked, text=text, expected_version=locked.version, idempotency_key=key, origin=origin).table


def _charges(table: Table) -> list[Content]:
    charges = Content.objects.filter(entry__table=table, entry__kind=Entry.Kind.FEE, entry__idempotency_key__startswith=FEE_KEY)
    return list(charges.current())


def _have_played(table: Table) -> list[int]:
    rounds = Content.objects.filter(entry__table=table, entry__kind=Entry.Kind.ROUND, voided=False).current()
    seated = {number for before in rounds.values_list("before", flat=True) for number in before["seats"] if number is not None}
    return sorted(seated)
