"""Jobs with a real worker of Celery and the real Redis."""

from __future__ import annotations

import datetime
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.cache import cache
from django.db import connection, connections
from django.utils import timezone

from scoring_app.clubs import create_club
from scoring_app.jobs import LOST_AFTER, cancel_job, confirm_job, is_lost, made_file, progress_of, restart_job, start_job
from scoring_app.ledger import record_round
from scoring_app.models import Job, Session
from tests.factories import UserFactory
from tests.scoring_app.rounds import payload, self_draw

pytestmark = [pytest.mark.redis, pytest.mark.django_db(transaction=True)]

EVENINGS = 60


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(true, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.2)


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def forget_connections(app) -> None:
    """Let the application connect anew, to the broker that it is told now."""
    app._pool = None
    app.amqp._producer_pool = None


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of Redis for these tests alone; without the program they are left out, but never in CI."""
    program = shutil.which("redis-server")
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("redis-server is missing: apt-get install redis-server")
        pytest.skip("redis-server is not installed")
    port = free_port()
    folder = tmp_path_factory.mktemp("redis")
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", str(folder)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: answers(port))
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait(10)


@pytest.fixture
def begin_worker(redis_url: str, settings, tmp_path: Path) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    """Begins a worker in a process of its own, on the database of the tests."""
    from mahjong_site.celery import app

    database = connections["default"].settings_dict
    if "sqlite" in database["ENGINE"]:
        address = f"sqlite:///{database['NAME']}"
    else:
        address = f"postgres://{database['USER']}:{database['PASSWORD']}@{database['HOST']}:{database['PORT'] or 5432}/{database['NAME']}"
    environment = {**os.environ, "DATABASE_URL": address, "REDIS_URL": redis_url, "VAR_DIR": str(tmp_path / "var")}
    command = [sys.executable, "-m", "celery", "-A", "mahjong_site", "worker", "--concurrency", "1", "--pool", "solo"]
    command += ["--loglevel", "warning", "--without-gossip", "--without-mingle"]
    processes: list[subprocess.Popen[bytes]] = []

    def begin() -> subprocess.Popen[bytes]:
        processes.append(subprocess.Popen(command, env=environment, cwd=site.BASE_DIR))
        return processes[-1]

    settings.CELERY_BROKER_URL = redis_url
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": redis_url, "KEY_PREFIX": "mahjong"}
    }
    before = app.conf.broker_url, app.conf.task_always_eager
    app.conf.update(broker_url=redis_url, task_always_eager=False)
    forget_connections(app)
    try:
        yield begin
    finally:
        for process in processes:
            process.terminate()
            process.wait(20)
        app.conf.update(broker_url=before[0], task_always_eager=before[1])
        forget_connections(app)


@pytest.fixture
def worker(begin_worker: Callable[[], subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
    return begin_worker()


@pytest.fixture
def long_import(revision) -> Job:
    """An import of evenings that takes some seconds, ready to be confirmed."""
    club = create_club(name="会", owner=UserFactory.create(username="owner"), slug="hui")
    days = [datetime.date(2024, 1, 1) + datetime.timedelta(days=number) for number in range(EVENINGS)]
    rows = [f"{day},{name},{points}" for day in days for name, points in (("甲", 3), ("乙", -1), ("丙", -1), ("丁", -1))]
    sheet = "\n".join(["日期,姓名,分数", *rows]).encode()
    params = {"revision": revision.pk, "name": "old.csv", "title": "旧账"}
    return start_job(kind="import_results", params=params, owner=club.created_by, club=club, given=("old.csv", sheet), draft=True)


def under_way(job: Job) -> bool:
    """Whether its progress is seen from outside, and it is not over."""
    found = Job.objects.get(pk=job.pk)
    assert not found.is_over, "the import was over before it could be looked at"
    return found.status == Job.Status.RUNNING and 0 < progress_of(found) < 100


def test_a_worker_makes_an_export(worker, table):
    record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key="a")

    job = start_job(kind="export", params={"of": "table", "id": table.public_id, "form": "csv"})
    wait_until(lambda: Job.objects.get(pk=job.pk).is_over)

    job.refresh_from_db()
    file = made_file(job)
    assert worker.poll() is None
    assert (job.status, job.attempts, job.progress) == (Job.Status.DONE, 1, 100)
    assert file is not None
    assert "甲" in bytes(file.content).decode()


def test_a_job_that_fails_in_a_worker_says_why(worker, table):
    job = start_job(kind="export", params={"of": "table", "id": "gone", "form": "csv"})
    wait_until(lambda: Job.objects.get(pk=job.pk).is_over)

    job.refresh_from_db()
    assert (job.status, job.error_en) == (Job.Status.FAILED, "What was to be exported is no longer there.")


def test_a_worker_that_dies_in_the_middle_leaves_nothing_but_a_job_that_begins_again(begin_worker, long_import):
    first = begin_worker()
    confirm_job(job=long_import)
    wait_until(lambda: under_way(long_import))
    first.kill()
    first.wait(20)

    assert Session.objects.count() == 0
    job = Job.objects.get(pk=long_import.pk)
    assert job.status == Job.Status.RUNNING
    assert not is_lost(job)
    cache.clear()
    Job.objects.filter(pk=job.pk).update(seen_at=timezone.now() - LOST_AFTER * 2)
    job.refresh_from_db()
    assert is_lost(job)

    begin_worker()
    restart_job(job=job)
    wait_until(lambda: Job.objects.get(pk=job.pk).is_over)
    job.refresh_from_db()
    assert (job.status, job.attempts, job.progress) == (Job.Status.DONE, 2, 100)
    assert Session.objects.count() == EVENINGS


def test_an_import_that_is_cancelled_in_the_middle_writes_nothing(worker, long_import):
    if connection.vendor == "sqlite":
        pytest.skip("SQLite lets nobody write while an import does: whoever cancels waits until it is done")
    confirm_job(job=long_import)
    wait_until(lambda: under_way(long_import))
    cancel_job(job=long_import)

    other = start_job(kind="export", params={"of": "club", "id": "hui", "form": "csv"})
    wait_until(lambda: Job.objects.get(pk=other.pk).is_over)
    job = Job.objects.get(pk=long_import.pk)
    assert (job.status, job.result) == (Job.Status.FAILED, {})
    assert Session.objects.count() == 0


def test_a_job_outlives_a_broker_that_is_down(settings, table, monkeypatch):
    from mahjong_site.celery import app
    from scoring_app.jobs import run_waiting

    monkeypatch.setitem(app.conf, "task_always_eager", False)
    address = f"redis://127.0.0.1:{free_port()}/0"
    settings.CELERY_BROKER_URL = address
    monkeypatch.setitem(app.conf, "broker_url", address)
    monkeypatch.setitem(app.conf, "task_publish_retry", False)
    forget_connections(app)

    job = start_job(kind="export", params={"of": "table", "id": table.public_id, "form": "csv"})
    job.refresh_from_db()
    assert job.status == Job.Status.QUEUED

    assert run_waiting() == 1
    forget_connections(app)
