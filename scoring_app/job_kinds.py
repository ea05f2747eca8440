"""What can be asked for as a job. Each loads what its parameters name and calls one function."""

from __future__ import annotations

from django.core.exceptions import ObjectDoesNotExist

from rules_app.engine.text import Text
from rules_app.models import Revision
from scoring_app.errors import Refused
from scoring_app.exports.files import File, club_file, season_file, session_file, table_file
from scoring_app.exports.json_in import import_document, read_document
from scoring_app.exports.old_results import import_results, read_results
from scoring_app.jobs import Made, Progress, given_file, job_kind
from scoring_app.ledger import find_table, verify_table
from scoring_app.models import Club, Job, Season, Table
from scoring_app.sessions import find_session

GONE = Text(zh="要导出的内容已经不在了。", en="What was to be exported is no longer there.")


@job_kind("export")
def export(job: Job, progress: Progress) -> Made:
    """``of`` (table, session, season, club), ``id`` (public id or slug), ``form``."""
    what, name, form = job.params["of"], job.params["id"], job.params["form"]
    progress(0, 2)
    try:
        file = _file(what, name, form, job.language)
    except (ObjectDoesNotExist, KeyError) as error:
        raise Refused("not_found", GONE) from error
    progress(1, 2)
    return Made({"size": len(file.content)}, file.name, file.content_type, file.content)


@job_kind("import_results", whole=True)
def import_old_results(job: Job, progress: Progress) -> Made:
    """``revision`` (primary key), ``title``; the file is the spreadsheet."""
    if job.club is None:
        raise Refused("not_found", GONE)
    revision = Revision.objects.get(pk=job.params["revision"])
    sheet = read_results(given_file(job), str(job.params.get("name", "")))
    title = str(job.params.get("title", ""))
    sessions = import_results(sheet, club=job.club, revision=revision, author=job.owner, title=title, report=progress)
    return Made({"sessions": [session.public_id for session in sessions], "tables": len(sheet.results)})


@job_kind("import_document", whole=True)
def import_exported(job: Job, progress: Progress) -> Made:
    """The file is an exported table or session."""
    progress(0, 2)
    imported = import_document(read_document(given_file(job)), club=job.club, account=job.owner)
    return Made({"session": imported.session, "tables": [table.public_id for table in imported.tables]})


@job_kind("verify_club")
def verify_club(job: Job, progress: Progress) -> Made:
    """Play every ledger of the club again, and say where it does not hold."""
    found: list[str] = []
    tables = list(Table.objects.filter(session__club=job.club).select_related("revision").order_by("pk"))
    for number, table in enumerate(tables, start=1):
        found += map(str, verify_table(table))
        progress(number, len(tables))
    return Made({"tables": len(tables), "faults": found[:200]})


def _file(what: str, name: str, form: str, language: str) -> File:
    if what == "table":
        return table_file(find_table(name), form, language)
    if what == "session":
        return session_file(find_session(name), form, language)
    if what == "season":
        return season_file(Season.objects.select_related("club").get(public_id=name), form, language)
    return club_file(Club.objects.get(slug=name), form, language)
