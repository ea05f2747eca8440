"""Jobs in this process: begun when the transaction is through, done once, and made good when lost."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.utils import timezone

from rules_app.engine.text import Text
from scoring_app import jobs
from scoring_app.errors import Refused
from scoring_app.jobs import (
    Kind,
    Made,
    cancel_job,
    confirm_job,
    find_job,
    is_lost,
    made_file,
    progress_of,
    restart_job,
    run_job,
    start_job,
)
from scoring_app.models import Job
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _in_line(settings):
    settings.JOBS_IN_PROCESS = "inline"
    settings.CELERY_BROKER_URL = None
    cache.clear()


@pytest.fixture
def kind(monkeypatch):
    """A kind of job whose calls are counted."""
    calls = []

    def work(job, progress):
        calls.append(job.pk)
        progress(1, 4)
        if job.params.get("refuse"):
            raise Refused("bad", Text(zh="不行", en="not so"))
        if job.params.get("fail"):
            raise ZeroDivisionError
        return Made({"twice": job.params["number"] * 2}, "two.txt", "text/plain", b"two")

    monkeypatch.setitem(jobs.KINDS, "test", Kind(work))
    return calls


def test_a_job_is_begun_after_the_transaction_and_done_once(kind, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        job = start_job(kind="test", params={"number": 4})
        assert job.status == Job.Status.QUEUED
        assert kind == []

    job.refresh_from_db()
    file = made_file(job)
    assert (job.status, job.progress, job.result) == (Job.Status.DONE, 100, {"twice": 8})
    assert file is not None
    assert bytes(file.content) == b"two"
    assert not run_job(job.pk)
    assert kind == [job.pk]


@pytest.mark.parametrize(("params", "said"), [({"refuse": 1}, "not so"), ({"fail": 1}, "try again later")])
def test_a_job_that_fails_says_why(kind, params, said):
    job = start_job(kind="test", params=params)

    run_job(job.pk)

    job.refresh_from_db()
    assert job.status == Job.Status.FAILED
    assert said in job.error_en
    assert job.error_zh


def test_run_jobs_does_what_waits_and_takes_up_what_was_lost(kind):
    waiting = start_job(kind="test", params={"number": 1})
    lost = start_job(kind="test", params={"number": 1})
    hopeless = start_job(kind="test", params={"number": 1})
    busy = start_job(kind="test", params={"number": 1})
    draft = start_job(kind="test", params={"number": 1}, draft=True)
    old = timezone.now() - timedelta(hours=1)
    Job.objects.filter(pk=lost.pk).update(status=Job.Status.RUNNING, seen_at=old, attempts=1)
    Job.objects.filter(pk=hopeless.pk).update(status=Job.Status.RUNNING, seen_at=old, attempts=3)
    Job.objects.filter(pk=busy.pk).update(status=Job.Status.RUNNING, seen_at=timezone.now(), attempts=1)

    call_command("run_jobs", stdout=(said := StringIO()))

    assert said.getvalue() == "2 jobs done\n"
    statuses = {job.pk: job.status for job in Job.objects.all()}
    assert statuses == {waiting.pk: "done", lost.pk: "done", hopeless.pk: "failed", busy.pk: "running", draft.pk: "draft"}


def test_old_jobs_are_forgotten(kind):
    job = start_job(kind="test", params={"number": 1})
    run_job(job.pk)
    Job.objects.update(created_at=timezone.now() - timedelta(days=30))

    jobs.run_waiting()

    assert not Job.objects.exists()


def test_a_draft_begins_when_it_is_confirmed_and_only_once(kind, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True) as called:
        job = start_job(kind="test", params={"number": 1}, draft=True)
        confirm_job(job=job)
        confirm_job(job=job)

    assert len(called) == 1
    assert kind == [job.pk]


def test_a_job_with_an_owner_is_his_alone(kind):
    owner, other = UserFactory.create(), UserFactory.create()
    his, anybodys = start_job(kind="test", params={}, owner=owner), start_job(kind="test", params={})

    assert find_job(his.public_id, owner) == his
    assert find_job(anybodys.public_id, None) == anybodys
    for stranger in (other, None):
        with pytest.raises(Job.DoesNotExist):
            find_job(his.public_id, stranger)


def test_progress_is_seen_while_the_work_is_in_its_own_transaction(monkeypatch):
    seen = []

    def work(job, progress):
        progress(3, 4)
        seen.append((progress_of(Job.objects.get(pk=job.pk)), is_lost(job)))
        return Made()

    monkeypatch.setitem(jobs.KINDS, "test", Kind(work, whole=True))
    run_job(start_job(kind="test", params={}).pk)

    assert seen == [(75, False)]


def test_what_was_cancelled_in_the_middle_does_not_count(monkeypatch):
    def work(job, progress):
        cancel_job(job=job)
        return Made({"done": True}, "two.txt", "text/plain", b"two")

    monkeypatch.setitem(jobs.KINDS, "test", Kind(work))
    job = start_job(kind="test", params={})
    run_job(job.pk)

    job.refresh_from_db()
    assert (job.status, job.result, made_file(job)) == (Job.Status.FAILED, {}, None)
    assert "nothing was changed" in job.error_en


def test_a_job_that_waits_is_cancelled_for_good_and_begun_again_when_wanted(kind):
    job = cancel_job(job=start_job(kind="test", params={"number": 1}))

    assert not run_job(job.pk)
    assert kind == []
    restart_job(job=job)
    assert run_job(job.pk)
    job.refresh_from_db()
    assert (job.status, job.error_zh) == (Job.Status.DONE, "")
    assert restart_job(job=job).status == Job.Status.DONE
    assert cancel_job(job=job).status == Job.Status.DONE


def test_only_a_job_that_nobody_is_at_is_begun_again(kind):
    job = start_job(kind="test", params={"number": 1})
    Job.objects.update(status=Job.Status.RUNNING, seen_at=timezone.now(), attempts=1)
    job.refresh_from_db()

    assert not is_lost(job)
    assert restart_job(job=job).status == Job.Status.RUNNING
    Job.objects.update(seen_at=timezone.now() - timedelta(hours=1))
    job.refresh_from_db()
    assert is_lost(job)
    assert restart_job(job=job).status == Job.Status.QUEUED


def test_a_worker_that_was_taken_for_dead_does_not_end_the_job_of_another(monkeypatch):
    def work(job, progress):
        if job.attempts == 1:
            Job.objects.filter(pk=job.pk).update(status=Job.Status.QUEUED)
            run_job(job.pk)
        return Made({"attempt": job.attempts})

    monkeypatch.setitem(jobs.KINDS, "test", Kind(work))
    job = start_job(kind="test", params={})
    run_job(job.pk)

    job.refresh_from_db()
    assert (job.status, job.result, job.attempts) == (Job.Status.DONE, {"attempt": 2}, 2)
