"""The page of a job: how far it is, what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from scoring_app.access import page_language
from scoring_app.club_views.visits import private
from scoring_app.export_views.downloads import download
from scoring_app.exports.files import File
from scoring_app.jobs import find_job, made_file
from scoring_app.models import Job, Session, Table

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
    context = {
        "job": found,
        "title": title_of(found),
        "error": found.error_in(page_language()),
        "file": made_file(found) if found.status == Job.Status.DONE else None,
        "links": _links(found) if found.status == Job.Status.DONE else [],
        "faults": found.result.get("faults"),
    }
    polled = bool(request.headers.get("HX-Request")) and not request.headers.get("HX-Boosted")
    template = "scoring_app/exports/job.html" + ("#state" if polled else "")
    return private(request, render(request, template, context, status=STOP_POLLING if polled and found.is_over else 200))


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
    rows = Job.objects.filter(owner=user).exclude(status=Job.Status.DRAFT)[:50]
    return render(request, "scoring_app/exports/jobs.html", {"jobs": [(job, title_of(job)) for job in rows]})


def title_of(job: Job) -> str:
    return {
        "export": _("Export"),
        "import_results": _("Import of old results"),
        "import_document": _("Import of an export"),
        "verify_club": _("Check of all ledgers"),
    }.get(job.kind, job.kind)


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
