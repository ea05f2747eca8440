"""The secret link that may write at a table."""

from __future__ import annotations

from scoring_app.models import Table
from scoring_app.models.table import new_token


def renew_scorer_link(*, table: Table) -> Table:
    """A new scorer link; the old one opens nothing any more."""
    table.scorer_token = new_token()
    table.save(update_fields=["scorer_token"])
    return table
