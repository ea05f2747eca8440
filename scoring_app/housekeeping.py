"""What has to be done from time to time: by Celery beat, by cron, or at each start of a site of one's own."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.core.management import call_command
from django.utils import timezone

from scoring_app.jobs import run_waiting
from scoring_app.models import ApiAnswer
from scoring_app.sessions import close_abandoned

ANSWERS_KEPT_FOR = timedelta(days=14)
"""A program that repeats a write does so within minutes; a phone that was without a network, within days."""


@dataclass(frozen=True, slots=True)
class Done:
    """How many tables were closed, jobs done, answers of the API forgotten."""

    closed: int
    jobs: int
    answers: int


def keep_house() -> Done:
    """All of it; may be run at any time, and twice at once."""
    answers = forget_answers()
    call_command("clearsessions", verbosity=0)
    return Done(closed=len(close_abandoned()), jobs=run_waiting(), answers=answers)


def forget_answers() -> int:
    """Forget what old writes over the API were answered; their keys are free again."""
    forgotten, _ = ApiAnswer.objects.filter(created_at__lt=timezone.now() - ANSWERS_KEPT_FOR).delete()
    return forgotten
