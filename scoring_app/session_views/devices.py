"""The devices that were let in: at a session or at one table; rename, revoke, hand over to another phone."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from scoring_app.access import device_label, name_device
from scoring_app.club_views.asking import Problem, address, attempt, see
from scoring_app.club_views.visits import private
from scoring_app.models import DeviceGrant
from scoring_app.session_views.page import is_local
from scoring_app.session_views.visits import GRANT_COOKIE, SessionVisit, in_session, keep
from scoring_app.sessions import Issued, grant_of, grants_of, issue_grant, rename_grant, revoke_grant, take_over
from scoring_app.views.opening import code_of


@require_http_methods(["GET", "POST"])
@in_session("manage_devices")
def devices(visit: SessionVisit) -> HttpResponse:
    """All devices of the session; POST lets one more in."""
    if visit.request.method == "POST":
        data, made = visit.request.POST, list[Issued]()
        problem = attempt(
            lambda: made.append(
                issue_grant(
                    session=visit.session,
                    role="viewer" if data.get("role") == "viewer" else "scorer",
                    label=str(data.get("label") or "").strip(),
                )
            )
        )
        return _page(visit, problem) if problem else _key_page(visit, made[0])
    return _page(visit)


def _page(visit: SessionVisit, problem: Problem | None = None) -> HttpResponse:
    grants = [grant for grant in grants_of(session=visit.session) if grant.is_valid]
    context = {"grants": grants, "own": visit.grant, "problem": problem, "data": visit.request.POST}
    return visit.page("devices.html", context, status=problem.status if problem else 200)


def _key_page(visit: SessionVisit, issued: Issued) -> HttpResponse:
    """The key, shown once: the server itself does not know it afterwards."""
    link = visit.request.build_absolute_uri(reverse("clubs:let_in", args=[issued.token]))
    context = {"grant": issued.grant, "link": link, "code": code_of(link), "local_only": is_local(visit)}
    return visit.page("device_key.html", context)


def grant_in(visit: SessionVisit, public_id: str) -> DeviceGrant:
    found = next((grant for grant in grants_of(session=visit.session) if grant.public_id == public_id), None)
    if found is None:
        raise Http404(public_id)
    return found


@require_POST
@in_session("manage_devices")
def change(visit: SessionVisit, grant: str) -> HttpResponse:
    """``do``: rename, revoke, or over (a new key, the old one stops working)."""
    found, data = grant_in(visit, grant), visit.request.POST
    do = str(data.get("do") or "rename")
    if do == "over":
        made: list[Issued] = []
        problem = attempt(lambda: made.append(take_over(grant=found, label=found.label)))
        return _page(visit, problem) if problem else _key_page(visit, made[0])
    if do == "revoke":
        problem = attempt(lambda: revoke_grant(grant=found))
        return _page(visit, problem) if problem else visit.done(_("The device is out."), "session_devices")
    problem = attempt(lambda: rename_grant(grant=found, label=str(data.get("label") or "")))
    return _page(visit, problem) if problem else visit.done(_("Saved."), "session_devices")


@require_http_methods(["GET", "POST"])
@never_cache
def let_in(request: HttpRequest, token: str) -> HttpResponse:
    """What a key leads to: a look at what it opens, then this device keeps it."""
    grant = grant_of(token)
    if grant is None:
        return render(request, "scoring_app/session/key_over.html", status=404)
    session = grant.session or (grant.table.session if grant.table else None)
    if request.method == "POST":
        label = str(request.POST.get("label") or "").strip()[:60]
        if label and label != grant.label:
            rename_grant(grant=grant, label=label)
        if session is not None and grant.session_id:
            response = see(address("session", session.public_id))
        else:
            assert grant.table is not None  # noqa: S101 - a grant is for one of both
            # Its own key and not the table's link: that one would still open the table once the device is out.
            response = see(reverse("scoring:table", args=[grant.table.public_id, token]))
        keep(response, request, GRANT_COOKIE, token)
        if label:
            name_device(response, label)
        messages.success(request, _("This device is in."))
        return private(request, response)
    context = {"grant": grant, "session": session, "called": grant.label or device_label(request), "token": token}
    return private(request, render(request, "scoring_app/session/let_in.html", context))
