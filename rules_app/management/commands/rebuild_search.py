"""manage.py rebuild_search: index the rules of every published ruleset anew."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from rules_app.search.building import rebuild_search


class Command(BaseCommand):
    help = "Index the rules of every published ruleset anew; publishing keeps the index by itself."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{rebuild_search()} rulesets indexed")
