"""One writer at a table at a time."""

from __future__ import annotations

from scoring_app.models import Table

LOCK_TABLES = True
"""Only a test turns this off, to show that it is the lock that keeps two writers apart."""


def lock_table(table: Table) -> Table:
    """The table as it is now, locked until the transaction ends.

    PostgreSQL locks the row; on SQLite the transaction is an immediate one and keeps every other writer out.
    """
    rows = Table.objects.select_related("revision").defer("revision__document")
    if LOCK_TABLES:
        rows = rows.select_for_update(of=("self",))
    return rows.get(pk=table.pk)
