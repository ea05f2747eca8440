"""Emptying the database after a test that commits, although the ledger refuses every deletion.

PostgreSQL truncates, which no row trigger sees. SQLite deletes row by row, so the triggers step aside for the
flush and are put back.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.db.backends.sqlite3.base import DatabaseWrapper


@pytest.fixture(scope="session", autouse=True)
def flush_past_triggers() -> Any:
    operations = DatabaseWrapper.ops_class
    flush = operations.execute_sql_flush

    def execute_sql_flush(self: Any, statements: list[str]) -> None:
        with self.connection.cursor() as cursor:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = cursor.fetchall()
            for name, _ in triggers:
                cursor.execute(f"DROP TRIGGER {name}")
        flush(self, statements)
        with self.connection.cursor() as cursor:
            for _, sql in triggers:
                cursor.execute(sql)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(operations, "execute_sql_flush", execute_sql_flush)
        yield
