"""``manage.py demo``: a club with a season, to look at and to try things on."""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import NoReverseMatch, reverse

from rules_app.publishing import load_shipped_rulesets
from scoring_app.demo.making import make_demo
from scoring_app.errors import ClubError


class Command(BaseCommand):
    help = "Make a demo club: members, a season in six games, corrections, settlements, and an evening that is running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seed", type=int, default=1, help="another number plays other evenings (default: 1)")
        parser.add_argument("--password", help="of the account demo; by default a random one, which is printed")
        parser.add_argument("--anyway", action="store_true", help="also where PRODUCTION=1")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PRODUCTION and not options["anyway"]:
            raise CommandError("This is a production site (PRODUCTION=1); say --anyway to put a demo club into it.")
        for _ in load_shipped_rulesets():
            pass
        password = options["password"] or secrets.token_urlsafe(9)
        try:
            club = make_demo(seed=options["seed"], password=password, tell=self.stdout.write)
        except ClubError as error:
            raise CommandError(error.message.en) from error
        self.stdout.write(
            self.style.SUCCESS(
                f"The club is at {_page(club.slug)}; sign in as demo (or demo_referee, demo_scorer, demo_keeper, demo_viewer) "
                f"with the password {password}"
            )
        )


def _page(slug: str) -> str:
    try:
        return reverse("scoring:club", args=[slug])
    except NoReverseMatch:
        return f"/clubs/{slug}/"
