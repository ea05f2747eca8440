"""Sessions, as plain functions: players, seats, clock, devices, ending and settling.

Each writing function is one transaction and takes keyword arguments; what it refuses is a `SessionError`, or an error of
the ledger that it writes to.
"""

from __future__ import annotations

from scoring_app.errors import SessionError
from scoring_app.sessions.clock import Clock, End, clock_of, end_of, give_extra_time, pause_clock, resume_clock, start_clock
from scoring_app.sessions.devices import (
    Issued,
    Writer,
    grant_of,
    grants_of,
    issue_grant,
    other_writers,
    rename_grant,
    revoke_grant,
    role_at,
    take_over,
)
from scoring_app.sessions.ending import close_abandoned, end_session, reopen_session
from scoring_app.sessions.fees import charge_fees, count_owing
from scoring_app.sessions.organising import (
    add_player,
    edit_session,
    find_by_code,
    find_session,
    join_by_code,
    open_session,
    rename_player,
    renew_join_code,
    return_to_session,
    session_access,
)
from scoring_app.sessions.overview import (
    SeatLine,
    SessionLine,
    SessionOverview,
    TableLine,
    session_overview,
    session_pulse,
    sessions_of,
)
from scoring_app.sessions.penalties import Penalties, PenaltyRow, penalties_of
from scoring_app.sessions.resting import next_to_rest, rotate_rest
from scoring_app.sessions.rotation import StaleRotation, preview_seating, seat_players
from scoring_app.sessions.seating import Seating, TableSeats, new_seed
from scoring_app.sessions.settling import (
    Paid,
    Settlement,
    open_balances,
    open_balances_of_table,
    payments_made,
    record_settlement,
    settle_table,
)
from scoring_app.sessions.tables import leave_session, open_session_table, substitute
from scoring_app.sessions.taking_back import undo_seating

__all__ = [
    "Clock",
    "End",
    "Issued",
    "Paid",
    "Penalties",
    "PenaltyRow",
    "SeatLine",
    "Seating",
    "SessionError",
    "SessionLine",
    "SessionOverview",
    "Settlement",
    "StaleRotation",
    "TableLine",
    "TableSeats",
    "Writer",
    "add_player",
    "charge_fees",
    "clock_of",
    "close_abandoned",
    "count_owing",
    "edit_session",
    "end_of",
    "end_session",
    "find_by_code",
    "find_session",
    "give_extra_time",
    "grant_of",
    "grants_of",
    "issue_grant",
    "join_by_code",
    "leave_session",
    "new_seed",
    "next_to_rest",
    "open_balances",
    "open_balances_of_table",
    "open_session",
    "open_session_table",
    "other_writers",
    "pause_clock",
    "payments_made",
    "penalties_of",
    "preview_seating",
    "record_settlement",
    "rename_grant",
    "rename_player",
    "renew_join_code",
    "reopen_session",
    "resume_clock",
    "return_to_session",
    "revoke_grant",
    "role_at",
    "rotate_rest",
    "seat_players",
    "session_access",
    "session_overview",
    "session_pulse",
    "sessions_of",
    "settle_table",
    "start_clock",
    "substitute",
    "take_over",
    "undo_seating",
]
