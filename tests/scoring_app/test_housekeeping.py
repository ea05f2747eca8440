"""What is done from time to time: by one command, and by Celery beat."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session as SignIn
from django.core.management import call_command
from django.utils import timezone

from mahjong_site.celery import app
from scoring_app.jobs import start_job
from scoring_app.ledger import record_round
from scoring_app.ledger.locking import lock_table
from scoring_app.models import ApiAnswer, Entry, Job, Table
from scoring_app.sessions import ending
from tests.factories import UserFactory
from tests.scoring_app.rounds import payload, self_draw

pytestmark = pytest.mark.django_db

LONG_AGO = timedelta(days=15)


@pytest.fixture(autouse=True)
def _later(settings):
    settings.JOBS_IN_PROCESS = "later"


@pytest.fixture
def left_behind(table):
    """A table that everybody has left, a job that waits, an old job, an old and a new answer, a sign-in that has run out."""
    now = timezone.now()
    Table.objects.update(created_at=now - LONG_AGO)
    start_job(kind="export", params={"of": "table", "id": table.public_id, "form": "csv"})
    old = Job.objects.create(kind="export", status=Job.Status.DONE)
    Job.objects.filter(pk=old.pk).update(created_at=now - LONG_AGO)
    account = UserFactory.create()
    for key in ("old", "new"):
        ApiAnswer.objects.create(account=account, key=key, request_hash="0" * 64, status=201)
    ApiAnswer.objects.filter(key="old").update(created_at=now - LONG_AGO)
    SignIn.objects.create(session_key="gone", session_data="", expire_date=now - timedelta(days=1))


def assert_tidy() -> None:
    assert Table.objects.get().status == Table.Status.CLOSED
    assert list(Job.objects.values_list("status", flat=True)) == [Job.Status.DONE]
    assert list(ApiAnswer.objects.values_list("key", flat=True)) == ["new"]
    assert not SignIn.objects.exists()


def test_one_command_does_all_of_it_and_nothing_more_when_run_again(left_behind):
    call_command("keep_house", stdout=(said := StringIO()))
    assert said.getvalue() == "1 tables closed, 1 jobs done, 1 old answers forgotten\n"
    assert_tidy()

    call_command("keep_house", stdout=(said := StringIO()))
    assert said.getvalue() == "0 tables closed, 0 jobs done, 0 old answers forgotten\n"


def test_celery_beat_asks_for_all_of_it(left_behind):
    app.loader.import_default_modules()
    for line in settings.CELERY_BEAT_SCHEDULE.values():
        app.tasks[line["task"]].apply(throw=True)

    assert_tidy()


def test_a_table_at_which_something_happens_stays_open(table):
    Table.objects.update(created_at=timezone.now() - LONG_AGO)
    record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key="a")

    call_command("close_abandoned_tables", stdout=StringIO())

    table.refresh_from_db()
    assert table.status == Table.Status.OPEN
    assert Entry.objects.filter(table=table, kind="status").count() == 0


def test_a_table_that_somebody_comes_back_to_meanwhile_stays_open(table, monkeypatch):
    Table.objects.update(created_at=timezone.now() - LONG_AGO)

    def come_back(found):
        monkeypatch.setattr(ending, "lock_table", lock_table)
        record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key="a")
        return lock_table(found)

    monkeypatch.setattr(ending, "lock_table", come_back)

    assert ending.close_abandoned() == []
    assert Table.objects.get().status == Table.Status.OPEN
