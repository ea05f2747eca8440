"""What verify_ledger finds when somebody has been at the database."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from scoring_app.ledger import record_round, verify_table
from scoring_app.models import Standing, Table
from tests.scoring_app.rounds import discard_win, payload, self_draw

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(table: Table) -> Table:
    record_round(table=table, payload=payload(discard_win(2, payer=1)), expected_version=0, idempotency_key="a")
    return record_round(table=table, payload=payload(self_draw(1)), expected_version=1, idempotency_key="b").table


def without_triggers(statement: str) -> None:
    """Run a statement as somebody could who owns the database."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (name,) in cursor.fetchall():
                cursor.execute(f"DROP TRIGGER {name}")
            cursor.execute(statement)
        else:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            for table in ("entry", "content", "posting"):
                cursor.execute(f"ALTER TABLE scoring_app_{table} DISABLE TRIGGER USER")
            cursor.execute(statement)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE scoring_app_posting SET amount = amount * 2", "replay"),
        ("UPDATE scoring_app_posting SET amount = 7 WHERE amount = 1", "do not come to zero"),
        ("UPDATE scoring_app_posting SET reason_en = 'gift'", "hash"),
        ("UPDATE scoring_app_entry SET device_label = 'mine' WHERE seq = 1", "hash"),
        ("UPDATE scoring_app_entry SET previous_hash = hash WHERE seq = 2", "does not continue"),
        ("UPDATE scoring_app_entry SET seq = 5 WHERE seq = 2", "stands at place 2"),
        ("UPDATE scoring_app_content SET version = 2", "numbered from 1"),
        ("UPDATE scoring_app_table SET version = 5", "but it has 2 entries"),
        ("UPDATE scoring_app_table SET status = 'closed'", "closed"),
        ("UPDATE scoring_app_standing SET version = 1", "standing is of version 1"),
    ],
)
def test_what_was_altered_is_found(played, statement, words):
    without_triggers(statement)
    played.refresh_from_db()

    assert any(words in str(discrepancy) for discrepancy in verify_table(played))


def test_standing_that_differs_from_a_replay_is_found(played):
    Standing.objects.filter(table=played).update(totals={"0": 3, "1": -3})

    assert [str(discrepancy).split(": ")[1] for discrepancy in verify_table(played)] == ["its standing names other totals than a replay"]


def test_command_counts_tables_and_fails_on_discrepancies(played, capsys):
    call_command("verify_ledger")
    assert "1 tables verified" in capsys.readouterr().out

    Standing.objects.filter(table=played).update(totals={})
    with pytest.raises(CommandError, match="1 discrepancies"):
        call_command("verify_ledger", played.public_id)
    with pytest.raises(CommandError, match="no table nowhere"):
        call_command("verify_ledger", "nowhere")
