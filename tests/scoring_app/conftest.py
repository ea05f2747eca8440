"""A table to write at."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_app import rulings
from rules_app.models import Revision
from scoring_app.ledger import open_table
from scoring_app.models import Table
from tests.factories import publish

DEFINITIONS = Path("rules_app/definitions")


@pytest.fixture
def revision(db, monkeypatch) -> Revision:
    """A game that ends with the first win, deals by winner and payer, and pays kongs at once."""
    document = DEFINITIONS / "sichuan.yaml"
    if document.is_file():
        return publish("sichuan", document.read_text())
    from tests.scoring_app.fakes import FakeRuleset

    monkeypatch.setattr(rulings, "ruleset_of", lambda revision: FakeRuleset())
    monkeypatch.setattr(rulings, "check_table", lambda revision, request: None)
    rulings._outcome.cache_clear()
    return publish("sichuan", "format: 1\n")


@pytest.fixture
def table(revision: Revision) -> Table:
    return open_table(revision=revision, names=["甲", "乙", "丙", "丁"], options={"mode": "single"})
