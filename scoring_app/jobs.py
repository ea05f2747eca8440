"""Long work: a row says what was asked for, somebody does it, the row says what came of it.

With a broker the work goes to Celery.  Without one it is done in this process: by a thread that starts when the
transaction is through, or at once where ``JOBS_IN_PROCESS`` is ``inline``.  A poke that is lost, or a worker that
dies, is made good by ``manage.py run_jobs``, which anybody may run at any time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog
from django.conf import settings
from django.db import close_old_connections, connections, transaction
from django.db.models import F, Q
from django.utils import timezone

from rules_app.engine.text import Text
from scoring_app.errors import Refused
from scoring_app.models import Club, Job, JobFile

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User

log = structlog.get_logger("jobs")

LOST_AFTER = timedelta(minutes=10)
MOST_ATTEMPTS = 3
KEPT_FOR = timedelta(days=14)
SAYS_EVERY = 0.5
FAILED = Text(zh="处理时出了错，已记录；请稍后再试。", en="Something went wrong and has been logged; try again later.")
LOST = Text(zh="处理程序中断了三次，已放弃。", en="The worker stopped in the middle three times; it was given up.")


@dataclass(frozen=True, slots=True)
class Made:
    """What a job comes to: JSON for the page, and perhaps a file."""

    result: dict[str, Any] = field(default_factory=dict)
    name: str = ""
    content_type: str = ""
    content: bytes | None = None


class Progress:
    """Tells the row how far the work is, and that somebody is at it; not more than twice a second."""

    def __init__(self, job: Job) -> None:
        self.pk = job.pk
        self.said = 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self.said < SAYS_EVERY and done < total:
            return
        self.said = now
        percent = min(99, 100 * done // total) if total > 0 else 0
        # Inside the work's own transaction the row is seen by others only at its end; that is no harm.
        Job.objects.filter(pk=self.pk).update(progress=percent, seen_at=timezone.now())


Worker = Callable[[Job, Progress], Made]
KINDS: dict[str, Worker] = {}
"""What each kind of job calls.  Filled by `scoring_app.job_kinds`."""


def job_kind(name: str) -> Callable[[Worker], Worker]:
    def keep(worker: Worker) -> Worker:
        KINDS[name] = worker
        return worker

    return keep


def start_job(
    *,
    kind: str,
    params: dict[str, Any],
    owner: User | AnonymousUser | None = None,
    club: Club | None = None,
    language: str = "zh",
    given: tuple[str, bytes] | None = None,
    draft: bool = False,
) -> Job:
    """A new job, begun once the transaction is through; ``given`` is a file (name, content) that it works on.

    A ``draft`` waits for `confirm_job`: its file has been looked at, and somebody still has to say yes.
    """
    known = owner if owner is not None and owner.is_authenticated else None
    with transaction.atomic():
        status = Job.Status.DRAFT if draft else Job.Status.QUEUED
        job = Job.objects.create(kind=kind, params=params, owner=known, club=club, language=language, status=status)
        if given is not None:
            name, content = given
            JobFile.objects.create(job=job, role=JobFile.Role.GIVEN, name=name[:120], content_type="", content=content)
        if not draft:
            transaction.on_commit(partial(poke, job.pk))
    return job


def confirm_job(*, job: Job) -> Job:
    """Begin a draft; a second confirmation changes nothing."""
    with transaction.atomic():
        if Job.objects.filter(pk=job.pk, status=Job.Status.DRAFT).update(status=Job.Status.QUEUED):
            transaction.on_commit(partial(poke, job.pk))
    job.refresh_from_db()
    return job


def poke(pk: int) -> None:
    """Let somebody do the job; where nobody can be reached it waits for ``run_jobs``."""
    if settings.CELERY_BROKER_URL:
        from scoring_app.tasks import run_job_task  # noqa: PLC0415 - circular import

        try:
            run_job_task.delay(pk)
        except Exception:
            log.warning("job_not_poked", job=pk, exc_info=True)
    elif settings.JOBS_IN_PROCESS == "inline":
        run_job(pk)
    elif settings.JOBS_IN_PROCESS == "thread":
        threading.Thread(target=_run_in_thread, args=(pk,), name=f"job-{pk}", daemon=True).start()


def run_job(pk: int) -> bool:
    """Do a job that waits; whether it was this call that did it. Two callers never do the same."""
    from scoring_app import job_kinds  # noqa: F401, PLC0415 - circular import; fills KINDS

    now = timezone.now()
    waiting = Job.objects.filter(pk=pk, status=Job.Status.QUEUED)
    if not waiting.update(status=Job.Status.RUNNING, started_at=now, seen_at=now, attempts=F("attempts") + 1):
        return False
    job = Job.objects.select_related("owner", "club").get(pk=pk)
    started = time.perf_counter()
    try:
        with transaction.atomic():
            made = KINDS[job.kind](job, Progress(job))
            if made.content is not None:
                JobFile.objects.update_or_create(
                    job=job,
                    role=JobFile.Role.MADE,
                    defaults={"name": made.name[:120], "content_type": made.content_type, "content": made.content},
                )
        _finish(job, Job.Status.DONE, progress=100, result=made.result)
    except Refused as refused:
        _finish(job, Job.Status.FAILED, error_zh=refused.message.zh[:500], error_en=refused.message.en[:500])
    except Exception:
        log.exception("job_failed", job=pk, kind=job.kind)
        _finish(job, Job.Status.FAILED, error_zh=FAILED.zh, error_en=FAILED.en)
    log.info("job", job=pk, kind=job.kind, ms=round((time.perf_counter() - started) * 1000))
    return True


def run_waiting(*, limit: int = 100) -> int:
    """Do what waits, take up what was left by a worker that died, forget what is old; how many were done."""
    now = timezone.now()
    lost = Job.objects.filter(Q(status=Job.Status.RUNNING), Q(seen_at__lt=now - LOST_AFTER) | Q(seen_at=None))
    lost.filter(attempts__gte=MOST_ATTEMPTS).update(status=Job.Status.FAILED, finished_at=now, error_zh=LOST.zh, error_en=LOST.en)
    lost.filter(attempts__lt=MOST_ATTEMPTS).update(status=Job.Status.QUEUED)
    Job.objects.filter(created_at__lt=now - KEPT_FOR, status__in=[Job.Status.DRAFT, Job.Status.DONE, Job.Status.FAILED]).delete()
    keys = list(Job.objects.filter(status=Job.Status.QUEUED).order_by("created_at").values_list("pk", flat=True)[:limit])
    return sum(run_job(pk) for pk in keys)


def find_job(public_id: str, user: User | AnonymousUser | None) -> Job:
    """:raises Job.DoesNotExist: there is none, or it is somebody else's."""
    job = Job.objects.select_related("club").get(public_id=public_id)
    if job.owner_id is not None and (user is None or user.pk != job.owner_id):
        raise Job.DoesNotExist(public_id)
    return job


def given_file(job: Job) -> bytes:
    """What was handed in with the job."""
    return bytes(JobFile.objects.get(job=job, role=JobFile.Role.GIVEN).content)


def made_file(job: Job) -> JobFile | None:
    return JobFile.objects.filter(job=job, role=JobFile.Role.MADE).first()


def _finish(job: Job, status: str, **facts: Any) -> None:
    Job.objects.filter(pk=job.pk).update(status=status, finished_at=timezone.now(), **facts)


def _run_in_thread(pk: int) -> None:
    close_old_connections()
    try:
        run_job(pk)
    finally:
        connections.close_all()
