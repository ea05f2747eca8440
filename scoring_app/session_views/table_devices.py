"""The devices of one table: who may write there, taking one in, out, or over."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from scoring_app.club_views.asking import Problem, attempt
from scoring_app.session_views.at_table import ToolVisit, at_the_table
from scoring_app.sessions import Issued, grants_of, issue_grant, other_writers, rename_grant, revoke_grant, take_over
from scoring_app.views.opening import code_of


@require_http_methods(["GET", "POST"])
@at_the_table("manage_devices")
def devices(visit: ToolVisit) -> HttpResponse:
    """All devices that may come to this table; POST lets one more in."""
    if visit.request.method != "POST":
        return _page(visit)
    data, made = visit.request.POST, list[Issued]()
    role = "viewer" if data.get("role") == "viewer" else "scorer"
    problem = attempt(lambda: made.append(issue_grant(table=visit.table, role=role, label=str(data.get("label") or "").strip())))
    return _page(visit, problem) if problem else _key_page(visit, made[0])


def _page(visit: ToolVisit, problem: Problem | None = None) -> HttpResponse:
    context = {
        "grants": [grant for grant in grants_of(table=visit.table) if grant.is_valid],
        "own": visit.grant,
        "writers": other_writers(visit.table, visit.device_id, minutes=24 * 60),
        "problem": problem,
    }
    return visit.page("devices.html", context, status=problem.status if problem else 200)


def _key_page(visit: ToolVisit, issued: Issued) -> HttpResponse:
    link = visit.request.build_absolute_uri(reverse("clubs:let_in", args=[issued.token]))
    return visit.page("device_key.html", {"grant": issued.grant, "link": link, "code": code_of(link)})


@require_POST
@at_the_table("manage_devices")
def change(visit: ToolVisit, grant: str) -> HttpResponse:
    """``do``: rename, revoke, or over."""
    found = next((one for one in grants_of(table=visit.table) if one.public_id == grant and one.table_id == visit.table.pk), None)
    if found is None:
        raise Http404(grant)
    data = visit.request.POST
    do = str(data.get("do") or "rename")
    if do == "over":
        made: list[Issued] = []
        problem = attempt(lambda: made.append(take_over(grant=found, label=found.label)))
        return _page(visit, problem) if problem else _key_page(visit, made[0])
    act = (lambda: revoke_grant(grant=found)) if do == "revoke" else (lambda: rename_grant(grant=found, label=str(data.get("label") or "")))
    problem = attempt(act)
    return _page(visit, problem) if problem else visit.done(_("The device is out.") if do == "revoke" else _("Saved."), "table_devices")
