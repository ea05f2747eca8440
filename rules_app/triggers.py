"""Database triggers that keep what is written as it was written.

SQLite and PostgreSQL refuse the same things in their own words.  A migration states a `Guard` for each
statement it forbids and installs it with `Guard.operation`; both databases answer with an integrity error
whose text is the guard's message.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython


@dataclass(frozen=True, slots=True)
class Guard:
    """One trigger.

    ``when`` is a condition in SQL that both databases understand, over ``OLD`` and ``NEW``; the statement is
    refused while it holds.  ``message`` must not hold a quote or a percent sign.
    """

    name: str
    table: str
    statement: Literal["INSERT", "UPDATE", "DELETE"]
    message: str
    when: str = "1 = 1"

    def sql(self, vendor: str) -> list[str]:
        """The statements that install the trigger, each to be executed as it stands."""
        if vendor == "sqlite":
            refuse = f"SELECT RAISE(ABORT, '{self.message}');"
            return [f"CREATE TRIGGER {self.name} BEFORE {self.statement} ON {self.table} WHEN {self.when} BEGIN {refuse} END"]
        refuse = f"RAISE EXCEPTION '{self.message}' USING ERRCODE = 'integrity_constraint_violation';"
        body = f"BEGIN IF {self.when} THEN {refuse} END IF; RETURN {'OLD' if self.statement == 'DELETE' else 'NEW'}; END"
        trigger = f"CREATE TRIGGER {self.name} BEFORE {self.statement} ON {self.table}"
        return [
            f"CREATE FUNCTION {self.name}() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$",
            f"{trigger} FOR EACH ROW EXECUTE FUNCTION {self.name}()",
        ]

    def reverse_sql(self, vendor: str) -> list[str]:
        if vendor == "sqlite":
            return [f"DROP TRIGGER IF EXISTS {self.name}"]
        return [f"DROP TRIGGER IF EXISTS {self.name} ON {self.table}", f"DROP FUNCTION IF EXISTS {self.name}()"]

    def operation(self) -> RunPython:
        """The migration operation that installs the trigger, and removes it when reversed."""
        return RunPython(_runner(self.sql), _runner(self.reverse_sql))


def append_only(table: str) -> list[Guard]:
    """Guards that refuse every change and removal of a row of ``table``."""
    return [
        Guard(f"{table}_no_update", table, "UPDATE", f"append-only: a row of {table} is never changed"),
        Guard(f"{table}_no_delete", table, "DELETE", f"append-only: a row of {table} is never deleted"),
    ]


def _runner(statements: Callable[[str], list[str]]) -> Callable[[Any, BaseDatabaseSchemaEditor], None]:
    def run(_apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
        with schema_editor.connection.cursor() as cursor:
            for statement in statements(schema_editor.connection.vendor):
                cursor.execute(statement)

    return run
