"""Bringing something in: a spreadsheet of old results or an exported document, looked at before it is written."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST

from rules_app.engine import Refusal
from rules_app.languages import page_language
from scoring_app.club_views.asking import chosen_game, games, problem_of
from scoring_app.club_views.visits import ClubVisit, in_club, private
from scoring_app.errors import Refused
from scoring_app.export_views.downloads import job_page
from scoring_app.exports.incoming import LARGEST, Looked, look_at_file
from scoring_app.jobs import confirm_job, find_job
from scoring_app.models import Club, Job


@require_http_methods(["GET", "POST"])
@in_club("import_results")
def club_import(visit: ClubVisit) -> HttpResponse:
    """Into a club: old results or an exported session or table."""
    looked, problem, status = None, None, 200
    if visit.request.method == "POST":
        try:
            looked = _look(visit.request, visit.club)
            status = 422 if looked.results is not None and not looked.results.can_import else 200
        except (Refused, Refusal) as error:
            problem = problem_of(error)
            status = problem.status
    default = visit.club.default_revision
    context = {
        "looked": looked,
        "problem": problem,
        "games": games(),
        "game": visit.request.POST.get("game") or (default.ruleset.slug if default is not None else ""),
        "title": visit.request.POST.get("title", ""),
    }
    return visit.page("exports/club_import.html", context, status=status, tab="standings")


@require_POST
@in_club("import_results")
def club_import_confirm(visit: ClubVisit, job: str) -> HttpResponse:
    found = _draft(visit.request, job, visit.club)
    return job_page(confirm_job(job=found))


@require_http_methods(["GET", "POST"])
@login_required
def own_import(request: HttpRequest) -> HttpResponse:
    """Without a club: an exported table or session."""
    looked, problem, status = None, None, 200
    if request.method == "POST":
        try:
            looked = _look(request, None)
        except (Refused, Refusal) as error:
            problem = problem_of(error)
            status = problem.status
    return private(request, render(request, "scoring_app/exports/own_import.html", {"looked": looked, "problem": problem}, status=status))


@require_POST
@login_required
def own_import_confirm(request: HttpRequest, job: str) -> HttpResponse:
    return job_page(confirm_job(job=_draft(request, job, None)))


def _look(request: HttpRequest, club: Club | None) -> Looked:
    """:raises Refused: no file, or one that cannot be imported."""
    file = request.FILES.get("file")
    user: Any = request.user
    return look_at_file(
        # One byte more than is taken tells that it is too large.
        data=file.read(LARGEST + 1) if file is not None else b"",
        name=(file.name if file is not None else None) or "",
        club=club,
        account=user,
        language=page_language(),
        revision=chosen_game(str(request.POST.get("game", "")), games()),
        title=str(request.POST.get("title", "")),
    )


def _draft(request: HttpRequest, public_id: str, club: Club | None) -> Job:
    try:
        found = find_job(public_id, request.user)
    except Job.DoesNotExist:
        raise Http404(public_id) from None
    if found.owner_id is None or found.club_id != (club.pk if club is not None else None) or not found.kind.startswith("import_"):
        raise Http404(public_id)
    return found
