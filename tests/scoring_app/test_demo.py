"""The demo club: a season that the ledger itself finds in order."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from scoring_app.ledger import verify_table
from scoring_app.models import Club, Entry, Session, Table

pytestmark = pytest.mark.django_db


def test_demo_plays_a_season_that_verifies():
    real = timezone.now
    call_command("demo", password="a password to try", stdout=(said := StringIO()))

    club = Club.objects.get(slug="demo")
    assert timezone.now is real
    assert "a password to try" in said.getvalue()
    assert len(set(club.sessions.values_list("revision__ruleset", flat=True))) == 6
    assert club.sessions.filter(status=Session.Status.RUNNING).count() == 1
    kinds = set(Entry.objects.values_list("kind", flat=True))
    assert {"round", "correction", "void", "penalty", "seat_change", "fee", "settlement", "note", "status"} <= kinds
    assert [fault for table in Table.objects.all() for fault in verify_table(table)] == []
    with pytest.raises(CommandError, match="already"):
        call_command("demo", stdout=StringIO())


def test_demo_is_not_put_into_a_production_site(settings):
    settings.PRODUCTION = True

    with pytest.raises(CommandError, match="--anyway"):
        call_command("demo", stdout=StringIO())

    assert not Club.objects.exists()
