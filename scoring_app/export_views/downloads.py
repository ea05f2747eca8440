"""What can be taken away: of a table, a session, a club."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET, require_http_methods

from rules_app.languages import page_language
from scoring_app.access import Visit, at_table
from scoring_app.club_views.asking import see
from scoring_app.club_views.visits import ClubVisit, in_club
from scoring_app.exports.files import FORMS, File, club_file, season_file, session_file, table_file
from scoring_app.jobs import start_job
from scoring_app.models import Club, Job, Season
from scoring_app.session_views.visits import SessionVisit, in_session

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User

QUICK = ("csv", "json", "blank")
"""What of a session is made while one waits; the rest is a job."""


@require_GET
@at_table()
def table_exports(visit: Visit) -> HttpResponse:
    """The files of a table; whoever may watch it may take them along."""
    return render(visit.request, "scoring_app/exports/table.html", {"visit": visit, "table": visit.table})


@require_GET
@at_table()
def table_download(visit: Visit, form: str) -> HttpResponse:
    if form not in FORMS:
        raise Http404(form)
    return download(table_file(visit.table, form, page_language()))


@require_http_methods(["GET", "POST"])
@in_session("view_table")
def session_exports(visit: SessionVisit) -> HttpResponse:
    """The files of a session; a POST with ``form`` starts the job that makes one."""
    if visit.request.method == "POST":
        form = str(visit.request.POST.get("form", ""))
        if form not in FORMS:
            raise Http404(form)
        session = visit.session
        return job_page(export_job(visit.request.user, "session", session.public_id, form, label=str(session), club=session.club))
    return render(visit.request, "scoring_app/exports/session.html", visit.frame())


@require_GET
@in_session("view_table")
def session_download(visit: SessionVisit, form: str) -> HttpResponse:
    if form not in QUICK:
        raise Http404(form)
    return download(session_file(visit.session, form, page_language()))


@require_http_methods(["GET", "POST"])
@in_club("export")
def club_exports(visit: ClubVisit) -> HttpResponse:
    """The files of a club and its seasons, and the check of all its ledgers."""
    if visit.request.method == "POST":
        data = visit.request.POST
        if data.get("verify"):
            job = start_job(kind="verify_club", params={}, owner=visit.user, club=visit.club, language=page_language())
            return job_page(job)
        season = get_object_or_404(Season, club=visit.club, public_id=data["season"]) if data.get("season") else None
        if season is not None:
            return job_page(export_job(visit.user, "season", season.public_id, "xlsx", label=season.name, club=visit.club))
        return job_page(export_job(visit.user, "club", visit.club.slug, "xlsx", label=visit.club.name, club=visit.club))
    return visit.page("exports/club.html", {"seasons": visit.club.seasons.all()}, tab="standings")


@require_GET
@in_club("export")
def club_download(visit: ClubVisit) -> HttpResponse:
    """The standings of the club, or of ``?season=``, as CSV."""
    season = visit.request.GET.get("season")
    if season:
        return download(season_file(get_object_or_404(Season, club=visit.club, public_id=season), "csv", page_language()))
    return download(club_file(visit.club, "csv", page_language()))


def export_job(user: User | AnonymousUser, what: str, name: str, form: str, *, label: str, club: Club | None) -> Job:
    words = f"{label} · {'PDF' if form == 'blank' else form.upper()}"
    params = {"of": what, "id": name, "form": form, "label": words}
    return start_job(kind="export", params=params, owner=user, club=club, language=page_language())


def job_page(job: Job) -> HttpResponse:
    return see(reverse("exports:job", args=[job.public_id]))


def download(file: File) -> HttpResponse:
    """A file to be kept; its name may be Chinese."""
    headers = {"Content-Disposition": content_disposition_header(True, file.name) or "attachment", "Cache-Control": "private, no-store"}
    return HttpResponse(file.content, content_type=file.content_type, headers=headers)
