"""All shipped games in the search, for the tests of a module; made once, and taken away again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from rules_app.models import Ruleset, SearchDocument
from rules_app.search.building import index_ruleset
from tests.engine.rulesets import shipped, slugs


def index_shipped(only: Sequence[str] = ()) -> None:
    """Rulesets with rows in the search; their documents are answered from the files."""
    for slug in only or slugs():
        name = shipped(slug).document.name
        stored = Ruleset.objects.create(slug=slug, name_zh=name.zh, name_en=name.en, shipped=True)
        index_ruleset(stored, shipped(slug))


@pytest.fixture(scope="module")
def library(django_db_setup: None, django_db_blocker: pytest.FixtureRequest) -> Iterator[None]:
    """The shipped games, indexed."""
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        index_shipped()
    yield
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        SearchDocument.objects.all().delete()
        Ruleset.objects.all().delete()
