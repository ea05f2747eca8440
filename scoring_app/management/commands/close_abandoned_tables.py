"""manage.py close_abandoned_tables: close the tables that everybody has walked away from."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from scoring_app.sessions import close_abandoned


class Command(BaseCommand):
    help = "Close every open table at which nothing has been recorded for some hours, and sessions without an open table."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--hours", type=int, default=12, help="how long nothing may have happened (12)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["hours"] < 1:
            raise CommandError("--hours must be 1 or more.")
        closed = close_abandoned(idle_hours=options["hours"])
        for table in closed:
            self.stdout.write(f"closed {table.public_id} {table}")
        self.stdout.write(f"{len(closed)} tables closed.")
