"""The ledger: everything that may be done at a table, as plain functions.

Each writing function is one transaction and takes keyword arguments: the ``expected_version`` the writer saw, an
``idempotency_key`` (a repeat gets the first answer), and an `Origin`. Reading functions take a fixed number of
queries.
"""

from __future__ import annotations

from scoring_app.ledger.corrections import correct_entry, preview_correction, undo_last, undoable_entry, void_entry
from scoring_app.ledger.entries import (
    change_seats,
    close_table,
    explain_content,
    preview_round,
    record_note,
    record_penalty,
    record_round,
    record_transfer,
    reopen_table,
    set_position,
    set_scores,
)
from scoring_app.ledger.errors import (
    FollowingRefused,
    IdempotencyMismatch,
    InvalidEntry,
    LedgerError,
    NotAllowed,
    StaleDraft,
    StaleVersion,
    UnbalancedRuling,
)
from scoring_app.ledger.marks import Marks, answer_dispute, confirm_entry, marks_of, raise_dispute
from scoring_app.ledger.open_rounds import (
    add_event,
    begin_round,
    close_round,
    discard_round,
    open_round_of,
    preview_open_round,
    remove_event,
    replace_event,
    set_round,
)
from scoring_app.ledger.opening import (
    access_of,
    find_table,
    open_table,
    rename_table,
    set_confirmation,
)
from scoring_app.ledger.overview import ContentView, EntryView, SeatView, TableOverview, entry_detail, table_overview
from scoring_app.ledger.reseating import preview_swap, swap_seats_and_replay
from scoring_app.ledger.rule_changes import move_to_revision, preview_revision
from scoring_app.ledger.values import NOBODY, Caution, Change, Line, Newcomer, Origin, Preview, Recorded, Situation, Version
from scoring_app.ledger.verification import Discrepancy, verify_table

__all__ = [
    "NOBODY",
    "Caution",
    "Change",
    "ContentView",
    "Discrepancy",
    "EntryView",
    "FollowingRefused",
    "IdempotencyMismatch",
    "InvalidEntry",
    "LedgerError",
    "Line",
    "Marks",
    "Newcomer",
    "NotAllowed",
    "Origin",
    "Preview",
    "Recorded",
    "SeatView",
    "Situation",
    "StaleDraft",
    "StaleVersion",
    "TableOverview",
    "UnbalancedRuling",
    "Version",
    "access_of",
    "add_event",
    "answer_dispute",
    "begin_round",
    "change_seats",
    "close_round",
    "close_table",
    "confirm_entry",
    "correct_entry",
    "discard_round",
    "entry_detail",
    "explain_content",
    "find_table",
    "marks_of",
    "move_to_revision",
    "open_round_of",
    "open_table",
    "preview_correction",
    "preview_open_round",
    "preview_revision",
    "preview_round",
    "preview_swap",
    "raise_dispute",
    "record_note",
    "record_penalty",
    "record_round",
    "record_transfer",
    "remove_event",
    "rename_table",
    "reopen_table",
    "replace_event",
    "set_confirmation",
    "set_position",
    "set_round",
    "set_scores",
    "swap_seats_and_replay",
    "table_overview",
    "undo_last",
    "undoable_entry",
    "verify_table",
    "void_entry",
]
