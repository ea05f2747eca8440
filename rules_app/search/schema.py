"""The full-text index: an FTS5 table that triggers keep, or GIN indexes over lexemes.

Both hold the tokens of `SearchDocument` as they are: no parser of the database looks at them.  SQLite's
`unicode61` splits at spaces only, since a token has nothing else to split at; PostgreSQL makes a `tsvector` of
the list of tokens, as ``to_tsvector('simple', …)`` would if its parser knew where a Chinese word ends.
"""

from __future__ import annotations

from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython

TABLE = "rules_app_searchdocument"
INDEX = "rules_app_searchindex"
COLUMNS = ("names", "aliases", "initials", "title_tokens", "context_tokens", "tokens")


def lexemes(column: str) -> str:
    """The expression over which PostgreSQL keeps an index."""
    return f"array_to_tsvector(string_to_array({column}, ' '))"


def create_statements(vendor: str) -> list[str]:
    """The statements that make the index."""
    if vendor == "sqlite":
        listed = ", ".join(COLUMNS)
        new = ", ".join(f"new.{column}" for column in COLUMNS)
        insert = f"INSERT INTO {INDEX}(rowid, {listed}) VALUES (new.id, {new});"  # noqa: S608 - constants
        delete = f"DELETE FROM {INDEX} WHERE rowid = old.id;"  # noqa: S608 - constants
        return [
            f"CREATE VIRTUAL TABLE {INDEX} USING fts5({listed}, tokenize = 'unicode61 remove_diacritics 0')",
            f"CREATE TRIGGER {INDEX}_insert AFTER INSERT ON {TABLE} BEGIN {insert} END",
            f"CREATE TRIGGER {INDEX}_delete AFTER DELETE ON {TABLE} BEGIN {delete} END",
            f"CREATE TRIGGER {INDEX}_update AFTER UPDATE ON {TABLE} BEGIN {delete} {insert} END",
        ]
    expressions = ", ".join(lexemes(column) for column in COLUMNS)
    return [f"CREATE INDEX {INDEX} ON {TABLE} USING gin ({expressions})"]


def drop_statements(vendor: str) -> list[str]:
    """The statements that remove it."""
    if vendor == "sqlite":
        return [*(f"DROP TRIGGER IF EXISTS {INDEX}_{what}" for what in ("insert", "delete", "update")), f"DROP TABLE IF EXISTS {INDEX}"]
    return [f"DROP INDEX IF EXISTS {INDEX}"]


def operation() -> RunPython:
    """The migration operation that makes the index of the database at hand."""

    def create(_apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
        _run(editor, create_statements(editor.connection.vendor))

    def drop(_apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
        _run(editor, drop_statements(editor.connection.vendor))

    return RunPython(create, drop)


def _run(editor: BaseDatabaseSchemaEditor, statements: list[str]) -> None:
    with editor.connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
