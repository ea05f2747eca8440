"""Several devices at one table: who else writes here, and taking the writing over from one that is gone."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring_app.access import DEVICE_COOKIE, Visit, at_table, remember
from scoring_app.clubs import may_at_table
from scoring_app.ledger.links import renew_scorer_link
from scoring_app.sessions import other_writers


@require_safe
@at_table(scorer=True)
def writers(visit: Visit) -> HttpResponse:
    """The notice of who else has written here in the last minutes; empty while nobody has."""
    return render(visit.request, "scoring_app/parts/writers.html", writers_context(visit))


def writers_context(visit: Visit) -> dict[str, object]:
    return {
        "visit": visit,
        "writers": other_writers(visit.table, visit.request.COOKIES.get(DEVICE_COOKIE, "")),
        "may_take_over": _may_take_over(visit),
        "take_over_url": visit.url("take_over"),
        "devices_url": reverse("clubs:table_devices", args=[visit.table.public_id, visit.token]),
    }


@require_http_methods(["GET", "POST"])
@at_table(scorer=True)
def take_over(visit: Visit) -> HttpResponse:
    """Make this the only device that writes: the table gets a new scorer link, the old one stops working."""
    if not _may_take_over(visit):
        return render(visit.request, "scoring_app/take_over.html", {"visit": visit, "table_url": visit.url(), "refused": True}, status=403)
    if visit.request.method == "POST":
        renew_scorer_link(table=visit.table)
        fresh = Visit(visit.request, visit.table, "scorer", visit.table.scorer_token)
        messages.success(visit.request, _("Only this device writes now. Others need the new link."))
        response = HttpResponseRedirect(fresh.url(), status=303)
        remember(response, fresh)
        return response
    context = writers_context(visit) | {"table_url": visit.url(), "post_to": visit.url("take_over")}
    return render(visit.request, "scoring_app/take_over.html", context)


def _may_take_over(visit: Visit) -> bool:
    return visit.has_link and may_at_table("manage_devices", table=visit.table, user=visit.request.user, device_role="scorer")
