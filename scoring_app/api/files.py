"""Files: exports of tables, sessions, clubs; imports that are looked at first; the jobs that make or read them."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from rules_app.engine.text import Text
from rules_app.languages import page_language
from scoring_app.api.acts import reads, writes
from scoring_app.api.base import CREATED, AccountView, Paged, SessionView, TableView, or_404, stored
from scoring_app.api.callers import IsAccount
from scoring_app.api.describe import Json, describe_job
from scoring_app.api.schema import files as schema
from scoring_app.api.schema.clubs import Nothing
from scoring_app.errors import Refused
from scoring_app.export_views.downloads import download, export_job
from scoring_app.exports.files import FORMS, File, table_file
from scoring_app.exports.incoming import Looked, look_at_file
from scoring_app.jobs import cancel_job, confirm_job, find_job, made_file, restart_job, start_job
from scoring_app.models import Club, Job, Season
from scoring_app.sessions import find_session

ACCEPTED = status.HTTP_202_ACCEPTED
BINARY = {(200, "application/octet-stream"): OpenApiTypes.BINARY}


class TableExport(TableView):
    @reads("export_table", "A file of a table: csv, xlsx, pdf, blank (a score sheet to write on), json (imports again)", BINARY)
    def get(self, _request: Request, public_id: str, form: str) -> HttpResponse:
        table = self.table_for(public_id)
        if form not in FORMS:
            raise Http404
        return download(table_file(table, form, page_language()))


class SessionExports(SessionView):
    writing = "export"
    # Only an account comes back for its jobs.
    permission_classes = (IsAccount,)

    @writes("export_session", "Make a file of a session, as a job", schema.NewExport, schema.JobBody, status=202)
    def post(self, _request: Request, public_id: str) -> Response:
        session, form = self.session_for(public_id), self.body(schema.NewExport)["form"]
        return begun(export_job(self.caller.user, "session", session.public_id, form, label=str(session), club=session.club))


class ClubExports(AccountView):
    writing = "export"

    @writes("export_club", "Make a spreadsheet of a club or a season, as a job", schema.NewExport, schema.JobBody, status=202)
    def post(self, _request: Request, slug: str) -> Response:
        club = self.club_for(slug, "export")
        facts = self.body(schema.NewExport)
        if "season" in facts:
            season = get_object_or_404(Season, club=club, public_id=facts["season"])
            return begun(export_job(self.account, "season", season.public_id, facts["form"], label=season.name, club=club))
        return begun(export_job(self.account, "club", club.slug, facts["form"], label=club.name, club=club))


class ClubVerification(AccountView):
    writing = "export"

    @writes("verify_club", "Play every ledger of the club again and compare, as a job", Nothing, schema.JobBody, status=202)
    def post(self, _request: Request, slug: str) -> Response:
        club = self.club_for(slug, "export")
        return begun(start_job(kind="verify_club", params={}, owner=self.account, club=club, language=page_language()))


class Jobs(Paged, AccountView):
    reading = "export"
    serializer_class = schema.JobBody
    queryset = Job.objects.none()

    @reads("list_jobs", "My jobs, newest first", schema.JobBody(many=True))
    def get(self, _request: Request) -> Response:
        rows = Job.objects.filter(owner=self.account).exclude(status=Job.Status.DRAFT)
        return self.page_of(rows, lambda page: [describe_job(job, page_language()) for job in page])


class JobView(AccountView):
    """An endpoint of one job."""

    reading = writing = "export"

    def job_for(self, job: str) -> Job:
        return or_404(lambda: find_job(job, self.account))

    def job_to_begin(self, job: str) -> Job:
        """A job of his, as far as he may still ask for what it does: rights may have been taken since."""
        found = self.job_for(job)
        if found.params.get("of") == "session":
            session = or_404(lambda: find_session(found.params["id"]))
            if not self.caller.may_in(session, "view_table"):
                raise Http404
        elif found.club is not None:
            self.club_for(found.club.slug, "import_results" if found.kind.startswith("import_") else "export")
        return found


class JobDetail(JobView):
    @reads("get_job", "How far a job is", schema.JobBody)
    def get(self, _request: Request, job: str) -> Response:
        return Response(describe_job(self.job_for(job), page_language()))


class JobFile(JobView):
    @reads("get_job_file", "The file that a job made", BINARY)
    def get(self, _request: Request, job: str) -> HttpResponse:
        file = made_file(self.job_for(job))
        if file is None:
            raise Http404
        return download(File(file.name, file.content_type, bytes(file.content)))


class JobConfirmation(JobView):
    writing = "manage"

    @writes("confirm_import", "Import what was looked at", Nothing, schema.JobBody, status=202)
    def post(self, _request: Request, job: str) -> Response:
        return begun(confirm_job(job=self.job_to_begin(job)))


class JobCancellation(JobView):
    @writes("cancel_job", "Stop a job that waits or is being done", Nothing, schema.JobBody, status=200)
    def post(self, _request: Request, job: str) -> Response:
        return Response(describe_job(cancel_job(job=self.job_for(job)), page_language()))


class JobRestart(JobView):
    @writes("restart_job", "Begin a job again that failed, or whose worker has died", Nothing, schema.JobBody, status=202)
    def post(self, _request: Request, job: str) -> Response:
        return begun(restart_job(job=self.job_to_begin(job)))


class OwnImports(AccountView):
    writing = "manage"

    @writes("look_at_document", "Look at an exported table or session, to import it", schema.NewDocument, schema.ImportPreview)
    def post(self, _request: Request) -> Response:
        facts = self.body(schema.NewDocument)
        return Response(self.looked_at(facts, None), status=CREATED)

    def looked_at(self, facts: Json, club: Club | None) -> Json:
        revision = stored(facts["variant"]) if "variant" in facts else None
        looked = look_at_file(
            name=facts["name"],
            data=content_of(facts["content"]),
            club=club,
            account=self.account,
            language=page_language(),
            revision=revision,
            title=facts.get("title", ""),
        )
        return describe_looked(looked)


class ClubImports(OwnImports):
    @writes("look_at_import", "Look at old results or an export, to import it into a club", schema.NewImport, schema.ImportPreview)
    def post(self, _request: Request, slug: str) -> Response:
        club = self.club_for(slug, "import_results")
        return Response(self.looked_at(self.body(schema.NewImport), club), status=CREATED)


def begun(job: Job) -> Response:
    """202: somebody is at it."""
    return Response(describe_job(job, page_language()), status=ACCEPTED)


def content_of(text: str) -> bytes:
    """:raises Refused: it is no base64."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Refused("bad_input", Text(zh="content 须是 base64。", en="content must be base64."), "content") from None


def describe_looked(looked: Looked) -> Json:
    """What an import would do, as JSON."""
    results: Any = None
    if looked.results is not None:
        preview = looked.results
        results = {
            "tables": len(preview.results),
            "dates": [day.isoformat() for day in preview.dates],
            "members": list(preview.members),
            "guests": list(preview.guests),
            "totals": dict(preview.totals),
            "faults": [{"row": fault.row, "message": fault.message.in_language(page_language())} for fault in preview.faults],
        }
    document: Any = None
    if looked.document is not None:
        imported = looked.document
        document = {
            "title": imported.title,
            "date": imported.date.isoformat() if imported.date is not None else None,
            "players": imported.players,
            "members": list(imported.matched),
            "tables": [
                {
                    "title": table.title,
                    "number": table.number,
                    "variant": table.game,
                    "entries": table.entries,
                    "totals": dict(table.totals),
                    "kept": table.kept,
                }
                for table in imported.tables
            ],
        }
    return {"job": looked.job.public_id if looked.job is not None else None, "results": results, "document": document}
