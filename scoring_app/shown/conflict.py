"""What happened at a table while somebody was typing, for `scoring_app/entry/conflict.html`."""

from __future__ import annotations

from typing import Any

from scoring_app.access import Visit
from scoring_app.ledger import StaleDraft, StaleVersion, TableOverview
from scoring_app.shown.entries import EntryWriter
from scoring_app.wording import problem_words


def conflict_shown(visit: Visit, overview: TableOverview, error: StaleVersion | StaleDraft) -> dict[str, Any]:
    """Why it was not written, and the entries that came in between (none where only the round in progress moved on)."""
    writer = EntryWriter(visit.ruleset, visit.language, overview.participants, overview.situation)
    fresh = {entry.seq for entry in error.entries_since} if isinstance(error, StaleVersion) else set()
    return {
        "conflict": problem_words(error, visit.language),
        "since": [writer.row_of_act(entry) for entry in overview.entries if entry.seq in fresh],
    }
