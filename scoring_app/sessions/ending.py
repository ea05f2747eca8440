"""Ending: a session with all its tables, and tables that everybody has walked away from."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from scoring_app.ledger import NOBODY, Origin, close_table
from scoring_app.ledger.locking import lock_table
from scoring_app.models import OpenRound, Session, Table
from scoring_app.sessions.locking import lock_this
from scoring_app.sessions.organising import touch_session

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


def _close(table: Table, origin: Origin, text: str) -> Table:
    locked = lock_table(table)
    key = f"end-{locked.version}"
    return close_table(table=locked, text=text, expected_version=locked.version, idempotency_key=key, origin=origin).table
