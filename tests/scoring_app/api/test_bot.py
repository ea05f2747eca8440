"""The bot of the documentation plays against a live server."""

from __future__ import annotations

import subprocess
import sys

import pytest
from django.conf import settings

from scoring_app.api_tokens import create_token
from scoring_app.clubs import create_club, edit_club
from scoring_app.ledger import verify_table
from scoring_app.models import Session, Table
from tests.factories import UserFactory, publish

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_bot_plays_an_evening(live_server):
    revision = publish("sichuan", (settings.BASE_DIR / "rules_app/definitions/sichuan.yaml").read_text())
    owner = UserFactory.create()
    club = create_club(name="会", owner=owner, slug="hui")
    edit_club(club=club, default_revision=revision)
    secret = create_token(account=owner, name="bot", scopes=["read", "play"]).secret

    bot = [sys.executable, str(settings.BASE_DIR / "docs/bot/bot.py"), live_server.url, secret, "hui"]
    said = subprocess.run(bot, capture_output=True, text=True, timeout=120, check=False)

    assert said.returncode == 0, said.stdout + said.stderr
    assert "Round 1:" in said.stdout
    assert "Corrected 1: " in said.stdout
    assert "1. " in said.stdout
    assert said.stdout.count(" pays ") == 3
    assert Session.objects.get().status == Session.Status.ENDED
    assert verify_table(Table.objects.get()) == []
