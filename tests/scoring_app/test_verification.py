"""What verify_ledger finds when somebody has been at the database."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection

from scoring_app.ledger import Origin, answer_dispute, confirm_entry, raise_dispute, record_round, verify_table
from scoring_app.models import Seal, Standing, Table
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
            for table in ("entry", "content", "posting", "confirmation", "dispute", "disputeanswer", "seal"):
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


@pytest.fixture
def marked(played: Table) -> Table:
    """A confirmation, a dispute and its answer, and one more dispute: four marks."""
    other = Origin(device_id="other", device_label="乙的手机")
    confirm_entry(table=played, seq=1, version=1, origin=other)
    dispute = raise_dispute(table=played, seq=2, text="不是自摸", origin=other)
    answer_dispute(dispute=dispute, outcome="rejected", text="查过了")
    raise_dispute(table=played, seq=2, text="还是不对", origin=other)
    played.refresh_from_db()
    assert verify_table(played) == []
    return played


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (["UPDATE scoring_app_dispute SET text = '没有意见'"], "the hash of the dispute that is mark 2 does not fit"),
        (["UPDATE scoring_app_disputeanswer SET outcome = 'upheld'"], "the hash of the answer that is mark 3 does not fit"),
        (["UPDATE scoring_app_confirmation SET device_label = 'mine'"], "the hash of the confirmation that is mark 1 does not fit"),
        (["UPDATE scoring_app_seal SET previous_hash = hash WHERE number = 3"], "does not continue the hash of the mark before it"),
        (
            ["DELETE FROM scoring_app_seal WHERE number = 1", "DELETE FROM scoring_app_confirmation"],
            "mark 2 stands at place 1",
        ),
        (
            ["DELETE FROM scoring_app_seal WHERE number = 4", "DELETE FROM scoring_app_dispute WHERE text = '还是不对'"],
            "it has 3 sealed marks, but counts 4",
        ),
        (["DELETE FROM scoring_app_seal WHERE number = 4"], "has no seal"),
        (["UPDATE scoring_app_entry SET hash = previous_hash WHERE seq = 1"], "the hash of the confirmation that is mark 1 does not fit"),
    ],
)
def test_what_was_altered_about_marks_is_found(marked, statements, words):
    for statement in statements:
        without_triggers(statement)
    marked.refresh_from_db()

    assert any(words in str(discrepancy) for discrepancy in verify_table(marked)), verify_table(marked)


def test_marks_from_before_there_were_seals_are_sealed_in_their_order(marked):
    before = list(Seal.objects.values_list("number", "hash", "confirmation", "dispute", "answer"))
    without_triggers("DELETE FROM scoring_app_seal")
    without_triggers("UPDATE scoring_app_table SET marks = 0")
    marked.refresh_from_db()
    assert len(verify_table(marked)) == 4

    migration = import_module("scoring_app.migrations.0006_seals_of_marks")
    migration.seal_what_was_said(apps, None)

    marked.refresh_from_db()
    assert verify_table(marked) == []
    assert list(Seal.objects.values_list("number", "hash", "confirmation", "dispute", "answer")) == before


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
