"""``manage.py keep_house``: everything that has to be done from time to time. Fit for cron."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from scoring_app.housekeeping import keep_house


class Command(BaseCommand):
    help = "Close abandoned tables, do the jobs that wait, forget old jobs, answers of the API and sign-ins."

    def handle(self, *args: Any, **options: Any) -> None:
        done = keep_house()
        self.stdout.write(f"{done.closed} tables closed, {done.jobs} jobs done, {done.answers} old answers forgotten")
