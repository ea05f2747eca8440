"""The page of a job: how far it is, what came of it; to cancel it, to begin it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from rules_app.languages import page_language
from scoring_app.club_views.asking import see
from scoring_app.club_views.visits import private
from scoring_app.clubs import may
from scoring_app.export_views.downloads import download
from scoring_app.exports.files import File
from scoring_app.jobs import cancel_job, find_job, is_lost, made_file, progress_of, restart_job
from scoring_app.models import Job, Session, Table
from scoring_app.session_views.visits import SessionVisit

STOP_POLLING = 286
"""To htmx: swap this in, and ask no more."""


@dataclass(frozen=True, slots=True)
class Link:
    words: str
    url: str


@require_GET
def job(request: HttpRequest, public_id: str) -> HttpResponse:
    """The page, or its live part for a poll; 286 tells htmx to stop asking."""
    found = _find(request, public_id)
    lost = is_lost(found)
    over = found.is_over or lost
    context = {
        "job": found,
        "title": title_of(found),
        "about": about(found),
        "error": found.error_in(page_language()),
        "progress": progress_of(found),
        "is_lost": lost,
        "is_over": over,
        "may_begin": over and found.status != Job.Status.DONE and may_begin(request, found),
        "file": made_file(found) if found.status == Job.Status.DONE else None,
        "links": _links(found) if found.status == Job.Status.DONE else [],
        "faults": found.result.get("faults"),
    }
    polled = bool(request.headers.get("HX-Request")) and not request.headers.get("HX-Boosted")
    template = "scoring_app/exports/job.html" + ("#state" if polled else "")
    return private(request, render(request, template, context, status=STOP_POLLING if polled and over else 200))


@require_POST
def job_cancel(request: HttpRequest, public_id: str) -> HttpResponse:
    cancelled = cancel_job(job=_find(request, public_id))
    return see(reverse("exports:job", args=[cancelled.public_id]))


@require_POST
def job_restart(request: HttpRequest, public_id: str) -> HttpResponse:
    """Begin a failed job again, for whoever may still ask for it."""
    found = _find(request, public_id)
    if not may_begin(request, found):
        raise PermissionDenied
    restart_job(job=found)
    return see(reverse("exports:job", args=[found.public_id]))


@require_GET
def job_file(request: HttpRequest, public_id: str) -> HttpResponse:
    file = made_file(_find(request, public_id))
    if file is None:
        raise Http404(public_id)
    return download(File(file.name, file.content_type, bytes(file.content)))


@require_GET
@login_required
def my_jobs(request: HttpRequest) -> HttpResponse:
    """The latest jobs of the account."""
    user: Any = request.user
    rows = Job.objects.filter(owner=user).exclude(status=Job.Status.DRAFT).select_related("club")[:50]
    lines = [
        {"job": job, "title": title_of(job), "about": about(job), "progress": progress_of(job), "is_lost": is_lost(job)} for job in rows
    ]
    return private(request, render(request, "scoring_app/exports/jobs.html", {"lines": lines}))


def title_of(job: Job) -> str:
    return {
        "export": _("Export"),
        "import_results": _("Import of old results"),
        "import_document": _("Import of an export"),
        "verify_club": _("Check of all ledgers"),
    }.get(job.kind, job.kind)


def about(job: Job) -> str:
    """What it is done with: the session and the form of the file, the name of the file that came in."""
    named = str(job.params.get("label") or job.params.get("name") or "")
    return named or (job.club.name if job.club is not None else "")


def may_begin(request: HttpRequest, job: Job) -> bool:
    """Whether he who looks at the job may still ask for what it does; rights may have been taken since."""
    if job.club is not None:
        action = "import_results" if job.kind.startswith("import_") else "export"
        if job.params.get("of") != "session":
            return may(request.user, action, job.club)
    if job.kind == "import_document":
        return job.owner_id is not None
    session = Session.objects.select_related("club").filter(public_id=job.params.get("id")).first()
    return job.kind == "export" and session is not None and SessionVisit(request, session).may("view_table")


def _find(request: HttpRequest, public_id: str) -> Job:
    try:
        return find_job(public_id, request.user)
    except Job.DoesNotExist:
        raise Http404(public_id) from None


def _links(job: Job) -> list[Link]:
    """The pages of what was imported."""
    wanted = job.result.get("sessions") or [job.result.get("session")]
    sessions = Session.objects.filter(public_id__in=[name for name in wanted if name]).order_by("date")
    links = [Link(f"{session.date} {session.title}", reverse("clubs:session", args=[session.public_id])) for session in sessions]
    if links or job.kind != "import_document":
        return links
    tables = Table.objects.filter(public_id__in=job.result.get("tables", []))
    return [Link(str(table), reverse("scoring:table", args=[table.public_id, table.scorer_token])) for table in tables]
