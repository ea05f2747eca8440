"""A file that comes in: told apart, looked at, and kept as a job that somebody still has to confirm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from rules_app.engine.text import Text
from rules_app.models import Revision
from scoring_app.errors import Refused
from scoring_app.exports.json_in import Imported, preview_document, read_document
from scoring_app.exports.old_results import Preview, preview_results, read_results
from scoring_app.jobs import start_job
from scoring_app.models import Club, Job

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LARGEST = 2_000_000


@dataclass(frozen=True, slots=True)
class Looked:
    """A file that was looked at: what importing it would do, and the draft job that would do it."""

    job: Job | None
    results: Preview | None = None
    document: Imported | None = None


def look_at_file(
    *, name: str, data: bytes, club: Club | None, account: User, language: str, revision: Revision | None = None, title: str = ""
) -> Looked:
    """An exported table or session, or (in a club) a spreadsheet of old results in the game of ``revision``.

    :raises Refused: it is empty, too large, or cannot be imported.
    """
    if not 0 < len(data) <= LARGEST:
        raise Refused("bad_input", Text(zh="请选一个文件，最大 2 MB。", en="Choose a file of at most 2 MB."), "file")

    def keep(kind: str, params: dict[str, Any]) -> Job:
        return start_job(kind=kind, params=params, owner=account, club=club, language=language, given=(name, data), draft=True)

    if club is None or name.lower().endswith(".json") or data.lstrip()[:1] == b"{":
        document = preview_document(read_document(data), club=club, account=account)
        return Looked(keep("import_document", {"name": name}), document=document)
    if revision is None:
        raise Refused("bad_input", Text(zh="请选这些成绩是哪种玩法。", en="Say which game these results are of."), "game")
    preview = preview_results(read_results(data, name), club=club, revision=revision)
    if not preview.can_import:
        return Looked(None, results=preview)
    params = {"revision": revision.pk, "name": name, "title": title[:100] or _("Imported results")}
    return Looked(keep("import_results", params), results=preview)
