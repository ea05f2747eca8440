"""The rules that an exported document was played by: those of this site where it has them, else those it brings along.

A document from elsewhere is as hostile as one typed here.  It is taken only word for word (its hash is the one that the
ledger names), only when it passes what a draft has to pass, and only from somebody who may publish rules for the club that
it comes into.  A ruleset that this site has is left as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.db.models import Max

from rules_app.catalogue import shipped_files
from rules_app.engine.text import Text
from rules_app.models import Revision, Ruleset, content_hash
from rules_app.publishing import CannotPublish, PublishingError, accept_revision
from scoring_app.clubs import adopt_ruleset, may
from scoring_app.exports.documents import DocumentError, RevisionPart
from scoring_app.models import Club

if TYPE_CHECKING:
    from django.contrib.auth.models import User

BROUGHT = "came along with an imported ledger"


def known_rules(keys: Mapping[str, RevisionPart]) -> dict[str, Revision]:
    """The published revisions of this site, by hash."""
    rows = Revision.objects.filter(content_hash__in=keys, status=Revision.Status.PUBLISHED).select_related("ruleset").defer("document")
    return {revision.content_hash: revision for revision in rows.order_by("-pk")}


def bring_rules(
    parts: Mapping[str, RevisionPart], *, club: Club | None, account: User | None
) -> tuple[dict[str, Revision], list[Revision]]:
    """All revisions that a document names, by hash; and those of them that were new here and are published now.

    :raises DocumentError: one is not here and cannot be taken from the file.
    """
    found = known_rules(parts)
    missing = sorted(((key, part) for key, part in parts.items() if key not in found), key=lambda item: (item[1].game, item[1].number))
    brought = [_bring(key, part, club, account) for key, part in missing]
    return found | {revision.content_hash: revision for revision in brought}, brought


def _bring(key: str, part: RevisionPart, club: Club | None, account: User | None) -> Revision:
    path = f"revisions.{key}"
    zh, en = f"本站没有 {part.game} 的第 {part.number} 版规则", f"Revision {part.number} of {part.game} is not on this site"
    if part.document is None:
        raise _missing(path, f"{zh}；请先发布同一份规则。", f"{en}; publish the same rules here first.")
    if content_hash(part.document) != key:
        raise _missing(path, f"{zh}，文件里带的也不是那一版。", f"{en}, and what the file brings along is not what its hash names.")
    if club is None or account is None or not may(account, "publish_rulesets", club):
        raise _missing(
            path,
            f"{zh}。文件带着这份规则，但只有能发布规则的人把它导入俱乐部时才会一并收下。",
            f"{en}. The file brings it along; it is taken when somebody who may publish the rules of a club imports it there.",
        )

    def place(slug: str) -> str:
        return _place(slug, part.number, key, club)

    try:
        revision = accept_revision(text=part.document, number=part.number, place=place, owner=account, note=BROUGHT)
    except CannotPublish as error:
        fault = (*error.check.faults, *error.check.broken_examples)[0]
        raise _missing(
            path,
            f"{zh}，而文件带的这份规则在本站通不过检查：第 {fault.line} 行，{fault.message.zh}",
            f"{en}, and what the file brings along does not pass here: line {fault.line}, {fault.message.en}",
        ) from error
    except PublishingError as error:
        raise _missing(path, f"{zh}：{error.message.zh}", f"{en}: {error.message.en}") from error
    ruleset = revision.ruleset
    if ruleset.slug.endswith(key[:8]):  # told apart by name too, in lists of games
        ruleset.name_zh, ruleset.name_en = f"{ruleset.name_zh}（{club.name}）"[:100], f"{ruleset.name_en} ({club.name})"[:100]
        ruleset.save(update_fields=["name_zh", "name_en"])
    adopt_ruleset(club=club, ruleset=ruleset, by=account)
    return revision


def _place(slug: str, number: int, key: str, club: Club) -> str:
    """Its own slug where nobody has that, or where the club's earlier imports are; else one that ends with its hash."""
    apart = f"{slug}_{key[:8]}"
    if slug in shipped_files():
        return apart
    taken = Ruleset.objects.filter(slug=slug).annotate(highest=Max("revisions__number")).first()
    if taken is None:
        return slug
    own = Ruleset.objects.filter(pk=taken.pk, club_link__club=club, shipped=False).exists()
    all_brought = not taken.revisions.exclude(note=BROUGHT, status=Revision.Status.PUBLISHED).exists()
    return slug if own and all_brought and number > (taken.highest or 0) else apart


def _missing(path: str, zh: str, en: str) -> DocumentError:
    return DocumentError("rules_missing", Text(zh=zh, en=en), path)
