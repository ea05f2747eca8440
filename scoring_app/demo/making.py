"""Making the demo: the club, its people, and its season of evenings."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from ruamel.yaml import YAML

from rules_app.engine.text import Text
from rules_app.publishing import published_revision
from scoring_app.clubs import add_member, create_club, edit_club, grant_role, open_season
from scoring_app.demo.clock import demo_clock
from scoring_app.demo.evening import Evening, Plan
from scoring_app.errors import ClubError
from scoring_app.models import Club, Member

SEASON = Path(__file__).with_name("season.yaml")
EVENING_STARTS = timedelta(hours=19, minutes=30)
LATEST_START = timedelta(minutes=75)
"""How long ago the evening that is running began."""


def make_demo(*, seed: int, password: str | None, tell: Callable[[str], None]) -> Club:
    """A club whose season has been played, and whose evening of today is running.

    The same seed plays the same evenings.  Without a ``password`` nobody can sign in by one.
    ``tell`` hears of each evening.

    :raises ClubError: the demo is there already.
    """
    script: dict[str, Any] = YAML(typ="safe").load(SEASON)
    slug = script["club"]["slug"]
    if Club.objects.filter(slug=slug).exists():
        raise ClubError("slug_taken", Text(zh="演示俱乐部已经有了。", en="The demo club is there already."), "slug")
    random = Random(seed)  # noqa: S311 - a demo, not a secret
    plans = [Plan(**evening) for evening in script["evenings"]]
    with demo_clock() as clock:
        today = timezone.localtime(clock.now).replace(hour=0, minute=0, second=0, microsecond=0)
        first = today - timedelta(weeks=len(plans) - 1)
        really_now = clock.now
        clock.set(first - timedelta(days=3))
        club, members = _found(script, password)
        season = open_season(club=club, name=script["season"], starts=(first - timedelta(days=3)).date())
        for number, plan in enumerate(plans):
            starts = really_now - LATEST_START if plan.running else first + timedelta(weeks=number) + EVENING_STARTS
            evening = Evening(
                plan=plan,
                club=club,
                season=season,
                revision=published_revision(plan.game),
                phones=script["phones"],
                random=random,
                clock=clock,
            )
            random.shuffle(members)
            with transaction.atomic():
                session = evening.play(members=members, guests=script["guests"], starts=starts)
            tell(f"{session.date} {session.title}")
    return club


@transaction.atomic
def _found(script: dict[str, Any], password: str | None) -> tuple[Club, list[Member]]:
    about = script["owner"]
    owner = _account(about["account"], password)
    club = create_club(name=script["club"]["name"], owner=owner, slug=script["club"]["slug"])
    club = edit_club(club=club, table_fee=script["club"]["table_fee"], default_revision=published_revision(script["evenings"][0]["game"]))
    club.members.update(name=about["name"])
    for line in script["members"]:
        account = _account(line["account"], password) if "account" in line else None
        member = add_member(club=club, name=line["name"], account=account)
        for role in line.get("roles", ()):
            grant_role(member=member, role=role, by=owner)
    return club, list(Member.objects.active().filter(club=club).order_by("pk"))


def _account(username: str, password: str | None) -> User:
    return User.objects.filter(username=username).first() or User.objects.create_user(username, password=password)
