"""manage.py verify_ledger: replay every table and compare with what is stored."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from scoring_app.ledger.verification import verify_table
from scoring_app.models import Table


class Command(BaseCommand):
    help = "Replay the ledgers and compare hashes, sums, postings and standings with what is stored."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("tables", nargs="*", help="public ids; all tables when none is given")

    def handle(self, *args: Any, **options: Any) -> None:
        tables = Table.objects.select_related("revision").order_by("pk")
        if options["tables"]:
            tables = tables.filter(public_id__in=options["tables"])
            missing = set(options["tables"]) - set(tables.values_list("public_id", flat=True))
            if missing:
                raise CommandError(f"There is no table {', '.join(sorted(missing))}.")
        count = wrong = 0
        for table in tables.iterator():
            count += 1
            for discrepancy in verify_table(table):
                wrong += 1
                self.stderr.write(str(discrepancy))
        if wrong:
            raise CommandError(f"{wrong} discrepancies in {count} tables.")
        self.stdout.write(f"{count} tables verified; everything agrees.")
