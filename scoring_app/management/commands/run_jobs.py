"""``manage.py run_jobs``: do the jobs that wait, take up lost ones, forget old ones. Fit for cron."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from scoring_app.jobs import run_waiting


class Command(BaseCommand):
    help = "Do the jobs that wait, take up those whose worker died, and forget old ones."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{run_waiting()} jobs done")
