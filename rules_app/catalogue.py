"""Which games there are: the published rulesets, and the shipped documents where none is published yet.

A shipped game without a published revision is answered from its file, by a revision that is not stored: scoring
works on a fresh clone, before any migration.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from django.db import DatabaseError
from django.db.models import OuterRef, Subquery

from rules_app.engine import Ruleset as EngineRuleset
from rules_app.models import Revision, Ruleset, content_hash
from rules_app.rulings import ruleset_of

DEFINITIONS = Path(__file__).resolve().parent / "definitions"


class UnknownGame(LookupError):
    """No game has this slug."""


def shipped_files() -> Mapping[str, Path]:
    """The shipped documents by slug."""
    return {path.stem: path for path in sorted(DEFINITIONS.glob("*.yaml"))}


@lru_cache(maxsize=64)
def _revision_of_text(slug: str, text: str) -> Revision:
    ruleset = Ruleset(slug=slug, shipped=True)
    revision = Revision(ruleset=ruleset, number=0, document=text, status=Revision.Status.PUBLISHED)
    revision.content_hash = content_hash(text)
    return revision


def shipped_revision(slug: str) -> Revision | None:
    """The shipped document as a revision that is not stored."""
    path = shipped_files().get(slug)
    return None if path is None else _revision_of_text(slug, path.read_text(encoding="utf-8"))


def published_revision_or_none(slug: str) -> Revision | None:
    """The newest published revision under a slug; its document is read only when it is needed."""
    published = Revision.objects.filter(ruleset__slug=slug, status=Revision.Status.PUBLISHED)
    return published.select_related("ruleset").defer("document").order_by("-number").first()


def revision_of_game(slug: str) -> Revision:
    """The revision a game is scored with now.

    :raises UnknownGame: no such game.
    """
    revision = published_revision_or_none(slug) or shipped_revision(slug)
    if revision is None:
        raise UnknownGame(slug)
    return revision


def revisions_of_all_games() -> list[Revision]:
    """The revision of every game, by slug."""
    newest = Revision.objects.filter(ruleset=OuterRef("ruleset"), status=Revision.Status.PUBLISHED).order_by("-number")
    published = Revision.objects.filter(number=Subquery(newest.values("number")[:1]), status=Revision.Status.PUBLISHED)
    published = published.select_related("ruleset").defer("document")
    found = {revision.ruleset.slug: revision for revision in published}
    for slug in shipped_files():
        if slug not in found and (revision := shipped_revision(slug)) is not None:
            found[slug] = revision
    return [found[slug] for slug in sorted(found)]


def scoring_ruleset(slug: str) -> EngineRuleset:
    """The ruleset for scoring outside the site: a shipped game from its file, another one from the database.

    :raises UnknownGame: no such game, or no database to look for it in.
    """
    revision = shipped_revision(slug)
    if revision is None:
        try:
            revision = published_revision_or_none(slug)
        except DatabaseError:
            revision = None
    if revision is None:
        raise UnknownGame(slug)
    return ruleset_of(revision)
