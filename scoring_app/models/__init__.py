"""What happened at the tables.

`table` holds what a table is, `ledger` what is written there for good, `draft` the round in progress.
"""

from __future__ import annotations

from scoring_app.models.draft import OpenRound
from scoring_app.models.ledger import Content, Entry, Posting, Standing
from scoring_app.models.table import Participant, Table

__all__ = ["Content", "Entry", "OpenRound", "Participant", "Posting", "Standing", "Table"]
