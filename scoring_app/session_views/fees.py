"""The table fee: so much each, or a bill split among all who have played; for a whole evening or one table."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring_app.club_views.asking import attempt, whole
from scoring_app.session_views.at_table import ToolVisit, at_the_table
from scoring_app.session_views.visits import SessionVisit, in_session
from scoring_app.sessions import charge_fees, count_owing


@require_http_methods(["GET", "POST"])
@in_session("charge_fees")
def of_session(visit: SessionVisit) -> HttpResponse:
    """Of everybody who has played this evening, to the house; without an amount the fee of the session."""
    data, problem = visit.request.POST, None
    if visit.request.method == "POST":
        problem = attempt(lambda: charge_fees(session=visit.session, origin=visit.origin, **asked(data)))
        if problem is None:
            return visit.done(_("The table fee is charged; undo it at each table."))
    context = fields(data, visit.session.table_fee) | {"owing": count_owing(visit.session), "problem": problem}
    return visit.page("fees.html", context, status=problem.status if problem else 200)


@require_http_methods(["GET", "POST"])
@at_the_table("charge_fees")
def at_one_table(visit: ToolVisit) -> HttpResponse:
    """Of everybody who has played here, to the house."""
    data, problem, session = visit.request.POST, None, visit.table.session
    if visit.request.method == "POST":
        problem = attempt(lambda: charge_fees(table=visit.table, origin=visit.origin, **asked(data)))
        if problem is None:
            return visit.done(_("The table fee is charged."))
    context = fields(data, session.table_fee if session else 0) | {"problem": problem}
    return visit.page("fee.html", context, status=problem.status if problem else 200)


def asked(data: QueryDict) -> dict[str, Any]:
    """What is asked of everybody, as `charge_fees` takes it.

    :raises Refused: the amount is no whole number.
    """
    if not str(data.get("amount") or "").strip():
        return {}
    return {"total" if data.get("of") == "all" else "amount": whole(data, "amount")}


def fields(data: QueryDict, usual: int) -> dict[str, Any]:
    return {"amount": data.get("amount", usual or ""), "of_all": data.get("of") == "all"}
