"""Long work: a row says what was asked for, somebody does it, the row says what came of it.

With a broker the work goes to Celery.  Without one it is done in this process: by a thread that starts when the
transaction is through, or at once where ``JOBS_IN_PROCESS`` is ``inline``.  A poke that is lost, or a worker that
dies, is made good by ``manage.py run_jobs``, which anybody may run at any time, or by whoever looks at the job.
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
from django.core.cache import cache
from django.db import close_old_connections, connection, connections, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from rules_app.engine.text import Text
from scoring_app.errors import Refused
from scoring_app.models import Club, Job, JobFile

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User

log = structlog.get_logger("jobs")

LOST_AFTER = timedelta(minutes=5)
MOST_ATTEMPTS = 3
KEPT_FOR = timedelta(days=14)
SAYS_EVERY = 0.5
FAILED = Text(zh="处理时出了错，已记录；请稍后再试。", en="Something went wrong and has been logged; try again later.")
LOST = Text(zh="处理程序中断了三次，已放弃。", en="The worker stopped in the middle three times; it was given up.")
CANCELLED = Text(zh="已取消，什么也没有改动。", en="Cancelled; nothing was changed.")


@dataclass(frozen=True, slots=True)
class Made:
    """What a job comes to: JSON for the page, and perhaps a file."""

    result: dict[str, Any] = field(default_factory=dict)
    name: str = ""
    content_type: str = ""
    content: bytes | None = None


class TakenAwayError(Exception):
    """The job was cancelled, or taken for lost and begun by somebody else: what was done here does not count."""


class Progress:
    """Says how far the work is, and that somebody is at it; not more than twice a second.

    :raises TakenAwayError: the work is no longer wanted.
    """

    def __init__(self, job: Job) -> None:
        self.job = job
        self.said = 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self.said < SAYS_EVERY and done < total:
            return
        self.said = now
        percent = min(99, 100 * done // total) if total > 0 else 0
        # What is written to the row within the work's own transaction nobody sees before its end; the cache is seen.
        cache.set(_said_key(self.job.pk), percent, LOST_AFTER.total_seconds())
        if not connection.in_atomic_block and not _mine(self.job).update(progress=percent, seen_at=timezone.now()):
            raise TakenAwayError


Worker = Callable[[Job, Progress], Made]


@dataclass(frozen=True, slots=True)
class Kind:
    """``whole``: the work writes, so it and the row's end are one transaction; an export must not hold a lock so long."""

    work: Worker
    whole: bool = False


KINDS: dict[str, Kind] = {}
"""What each kind of job calls.  Filled by `scoring_app.job_kinds`."""


def job_kind(name: str, *, whole: bool = False) -> Callable[[Worker], Worker]:
    def keep(work: Worker) -> Worker:
        KINDS[name] = Kind(work, whole)
        return work

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
    return _queue(job, Job.objects.filter(pk=job.pk, status=Job.Status.DRAFT))


def restart_job(*, job: Job) -> Job:
    """Begin again what failed, or what a worker that died has left; a job that is waiting or being done stays as it is."""
    if job.status == Job.Status.RUNNING and not is_lost(job):
        return job
    return _queue(job, Job.objects.filter(pk=job.pk, status=job.status, attempts=job.attempts).exclude(status=Job.Status.DONE))


def cancel_job(*, job: Job) -> Job:
    """Stop what waits or is being done: a worker notices with its next step, and what it has written does not count."""
    over = [Job.Status.DONE, Job.Status.FAILED]
    failed = {"status": Job.Status.FAILED, "error_zh": CANCELLED.zh, "error_en": CANCELLED.en, "finished_at": timezone.now()}
    Job.objects.filter(pk=job.pk).exclude(status__in=over).update(**failed)
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
    if not waiting.update(status=Job.Status.RUNNING, progress=0, started_at=now, seen_at=now, attempts=F("attempts") + 1):
        return False
    job = Job.objects.select_related("owner", "club").get(pk=pk)
    cache.delete(_said_key(pk))
    started = time.perf_counter()
    try:
        kind = KINDS[job.kind]
        if kind.whole:
            with transaction.atomic():
                _keep(job, kind.work(job, Progress(job)))
        else:
            _keep(job, kind.work(job, Progress(job)))
    except TakenAwayError:
        log.info("job_taken_away", job=pk, kind=job.kind)
    except Refused as refused:
        _fail(job, refused.message)
    except Exception:
        log.exception("job_failed", job=pk, kind=job.kind)
        _fail(job, FAILED)
    log.info("job", job=pk, kind=job.kind, ms=round((time.perf_counter() - started) * 1000))
    return True


def run_waiting(*, limit: int = 100) -> int:
    """Do what waits, take up what was left by a worker that died, forget what is old; how many were done."""
    now = timezone.now()
    lost = [job for job in Job.objects.filter(status=Job.Status.RUNNING) if is_lost(job)]
    for job in lost:
        if job.attempts < MOST_ATTEMPTS:
            _mine(job).update(status=Job.Status.QUEUED)
        else:
            _fail(job, LOST)
    Job.objects.filter(created_at__lt=now - KEPT_FOR).exclude(status__in=[Job.Status.QUEUED, Job.Status.RUNNING]).delete()
    keys = list(Job.objects.filter(status=Job.Status.QUEUED).order_by("created_at").values_list("pk", flat=True)[:limit])
    return sum(run_job(pk) for pk in keys)


def find_job(public_id: str, user: User | AnonymousUser | None) -> Job:
    """:raises Job.DoesNotExist: there is none, or it is somebody else's."""
    job = Job.objects.select_related("club").get(public_id=public_id)
    if job.owner_id is not None and (user is None or user.pk != job.owner_id):
        raise Job.DoesNotExist(public_id)
    return job


def progress_of(job: Job) -> int:
    """How far it is, in per cent."""
    if job.status != Job.Status.RUNNING:
        return job.progress
    said: int = cache.get(_said_key(job.pk), 0)
    return max(job.progress, said)


def is_lost(job: Job) -> bool:
    """Whether nothing has been heard for long of a job that is being done: its worker must have died."""
    if job.status != Job.Status.RUNNING or cache.get(_said_key(job.pk)) is not None:
        return False
    return job.seen_at is None or job.seen_at < timezone.now() - LOST_AFTER


def given_file(job: Job) -> bytes:
    """What was handed in with the job."""
    return bytes(JobFile.objects.get(job=job, role=JobFile.Role.GIVEN).content)


def made_file(job: Job) -> JobFile | None:
    return JobFile.objects.filter(job=job, role=JobFile.Role.MADE).first()


def _queue(job: Job, rows: QuerySet[Job]) -> Job:
    with transaction.atomic():
        if rows.update(status=Job.Status.QUEUED, progress=0, error_zh="", error_en="", finished_at=None):
            transaction.on_commit(partial(poke, job.pk))
    job.refresh_from_db()
    return job


def _mine(job: Job) -> QuerySet[Job]:
    """The row, as long as this attempt is the one that counts."""
    return Job.objects.filter(pk=job.pk, status=Job.Status.RUNNING, attempts=job.attempts)


def _keep(job: Job, made: Made) -> None:
    """The end of a job that went well.

    :raises TakenAwayError: it is no longer ours to end.
    """
    with transaction.atomic():
        done = {"status": Job.Status.DONE, "progress": 100, "result": made.result, "finished_at": timezone.now()}
        if not _mine(job).update(**done):
            raise TakenAwayError
        if made.content is not None:
            facts = {"name": made.name[:120], "content_type": made.content_type, "content": made.content}
            JobFile.objects.update_or_create(job=job, role=JobFile.Role.MADE, defaults=facts)


def _fail(job: Job, message: Text) -> None:
    failed = {"status": Job.Status.FAILED, "error_zh": message.zh[:500], "error_en": message.en[:500], "finished_at": timezone.now()}
    _mine(job).update(**failed)


def _said_key(pk: int) -> str:
    return f"job-{pk}"


def _run_in_thread(pk: int) -> None:
    close_old_connections()
    try:
        run_job(pk)
    finally:
        connections.close_all()
