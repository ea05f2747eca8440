"""manage.py load_rulesets: publish the shipped documents that are new or changed."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from rules_app.publishing import load_shipped_rulesets
from rules_app.search.building import rebuild_search


class Command(BaseCommand):
    help = "Publish every shipped ruleset whose document is new or has changed; may run at each start."

    def handle(self, *args: Any, **options: Any) -> None:
        published = faulty = count = 0
        for shipped in load_shipped_rulesets():
            count += 1
            published += shipped.published
            for fault in (*shipped.check.faults, *shipped.check.broken_examples):
                self.stderr.write(f"{shipped.slug}.yaml:{fault.line}:{fault.column}: {fault.path}: {fault.message.en}")
            if shipped.clash:
                self.stderr.write(f"{shipped.slug}: a ruleset of that slug exists and is not a shipped one; it was left alone")
            faulty += not shipped.check.ok or shipped.clash
        rebuild_search(missing_only=True)
        self.stdout.write(f"{count} rulesets, {published} newly published")
        if faulty:
            raise CommandError(f"{faulty} of {count} shipped rulesets could not be loaded.")
