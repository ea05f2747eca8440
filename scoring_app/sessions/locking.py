"""One organiser at a session at a time."""

from __future__ import annotations

from scoring_app.models import Session

LOCK_SESSIONS = True
"""Only a test turns this off, to show that it is the lock that keeps two organisers apart."""


def lock_session(key: int | None) -> Session | None:
    """The session (None: of a table without one), locked until the transaction ends."""
    return lock_this(key) if key is not None else None


def lock_this(key: int) -> Session:
    """The session as it is now, locked until the transaction ends.

    Whoever locks a session and tables locks the session first, so that two never wait for each other.
    """
    rows = Session.objects.select_related("revision").defer("revision__document")
    return (rows.select_for_update(of=("self",)) if LOCK_SESSIONS else rows).get(pk=key)
