"""What the database itself refuses, on SQLite and on PostgreSQL alike."""

from __future__ import annotations

import uuid

import pytest
from django.db import IntegrityError, connection, transaction

from scoring_app.ledger import record_round, verify_table
from scoring_app.models import Content, Entry, Participant, Posting
from tests.scoring_app.rounds import discard_win, payload

pytestmark = pytest.mark.django_db


@pytest.fixture
def recorded(table):
    return record_round(table=table, payload=payload(discard_win(2, payer=1)), expected_version=0, idempotency_key="a")


@pytest.mark.parametrize("model", [Entry, Content, Posting])
def test_nothing_written_is_changed_or_deleted(recorded, model):
    first = model.objects.first()

    for act in (
        lambda: model.objects.filter(pk=first.pk).update(**{_a_field(model): None}),
        first.save,
        lambda: model.objects.filter(pk=first.pk)._raw_delete("default"),
    ):
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            act()


def test_raw_sql_changes_nothing_either(recorded):
    for statement in (
        "UPDATE scoring_app_posting SET amount = 100 WHERE amount > 0",
        "DELETE FROM scoring_app_posting",
        "UPDATE scoring_app_entry SET seq = 7",
        "DELETE FROM scoring_app_content",
    ):
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    assert verify_table(recorded.table) == []


def test_postings_of_a_content_sum_to_zero(recorded):
    content = _copy(recorded.content)
    one, other = Participant.objects.filter(table=recorded.table)[:2]

    Posting.objects.create(content_id=content.pk, transfer=0, participant=one, counterparty=other, amount=5)
    with pytest.raises(IntegrityError, match="sum to zero"), transaction.atomic():
        content.save(force_insert=True)
    # The other half makes it whole; without a content the test could not commit.
    Posting.objects.create(content_id=content.pk, transfer=0, participant=other, counterparty=one, amount=-5)
    content.save(force_insert=True)


def test_no_posting_is_added_to_what_is_written(recorded):
    one, other = Participant.objects.filter(table=recorded.table)[:2]

    with pytest.raises(IntegrityError, match="sealed"), transaction.atomic():
        Posting.objects.create(content=recorded.content, transfer=9, participant=one, counterparty=other, amount=5)


@pytest.mark.django_db(transaction=True)
def test_posting_without_a_content_is_refused_at_the_end(recorded):
    one, other = Participant.objects.filter(table=recorded.table)[:2]

    with pytest.raises(IntegrityError), transaction.atomic():
        Posting.objects.create(content_id=uuid.uuid4(), transfer=0, participant=one, counterparty=other, amount=5)


def _copy(content: Content) -> Content:
    return Content(
        entry=content.entry,
        version=content.version + 1,
        cause=content.cause,
        written_by=content.written_by,
        payload=content.payload,
        revision=content.revision,
        before=content.before,
        after=content.after,
    )


def _a_field(model: type) -> str:
    return {"Entry": "client_time", "Content": "summary", "Posting": "event"}[model.__name__]
