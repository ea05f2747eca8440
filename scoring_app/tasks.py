"""What Celery calls. Tasks take primitives and call one function."""

from __future__ import annotations

from celery import shared_task

from scoring_app.jobs import run_job, run_waiting
from scoring_app.sessions import close_abandoned


@shared_task(name="jobs.run")  # type: ignore[untyped-decorator]
def run_job_task(pk: int) -> bool:
    return run_job(pk)


@shared_task(name="jobs.run_waiting")  # type: ignore[untyped-decorator]
def run_waiting_task() -> int:
    return run_waiting()


@shared_task(name="tables.close_abandoned")  # type: ignore[untyped-decorator]
def close_abandoned_task() -> int:
    return len(close_abandoned())
