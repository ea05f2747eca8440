"""One phone lying in the middle of the table: each player reads his quarter from where he sits and taps it when he wins."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring_app.access import Visit, at_table, remember
from scoring_app.views.table import table_context


@require_safe
@at_table(scorer=True)
def middle(visit: Visit) -> HttpResponse:
    """The quarters; with ``?v=`` and htmx what changes of them, 204 while nothing has."""
    if visit.by_htmx:
        if visit.request.GET.get("v") == str(visit.table.changes):
            return HttpResponse(status=204)
        return render(visit.request, "scoring_app/middle.html#body", table_context(visit))
    response = render(visit.request, "scoring_app/middle.html", table_context(visit))
    remember(response, visit)
    return response
