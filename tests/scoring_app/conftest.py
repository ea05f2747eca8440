"""A table to write at."""

from __future__ import annotations

import pytest
from django.conf import settings

from rules_app.models import Revision
from scoring_app.ledger import open_table
from scoring_app.models import Table
from tests.factories import publish


@pytest.fixture
def revision(db) -> Revision:
    """A game that ends with the first win, deals by winner and payer, and pays kongs at once."""
    return publish("sichuan", (settings.BASE_DIR / "rules_app/definitions/sichuan.yaml").read_text())


@pytest.fixture
def table(revision: Revision) -> Table:
    return open_table(revision=revision, names=["甲", "乙", "丙", "丁"], options={"mode": "single"})
