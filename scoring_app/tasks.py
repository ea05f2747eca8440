"""What Celery calls. Tasks take primitives and call one function."""

from __future__ import annotations

from celery import shared_task
from django.core.management import call_command

from scoring_app.housekeeping import forget_answers
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


@shared_task(name="api.forget_answers")  # type: ignore[untyped-decorator]
def forget_answers_task() -> int:
    return forget_answers()


@shared_task(name="accounts.clear_sessions")  # type: ignore[untyped-decorator]
def clear_sessions_task() -> None:
    call_command("clearsessions", verbosity=0)
