"""The round in progress: an event taken back, the round forgotten, the round closed as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from rules_app.engine import Refusal
from scoring_app.access import Visit, at_table
from scoring_app.ledger import LedgerError, close_round, discard_round, remove_event
from scoring_app.views.recording import finished, goes_on
from scoring_app.views.table import answer_table, number
from scoring_app.wording import problem_words


@require_POST
@at_table(scorer=True)
def remove(visit: Visit, index: int) -> HttpResponse:
    """Take an event of the round in progress back."""
    return _change_draft(visit, lambda version: remove_event(table=visit.table, index=index, draft_version=version), back_to_sheet=True)


@require_POST
@at_table(scorer=True)
def discard(visit: Visit) -> HttpResponse:
    """Forget the round in progress."""
    return _change_draft(visit, lambda version: discard_round(table=visit.table, draft_version=version))


@require_POST
@at_table(scorer=True)
def end(visit: Visit) -> HttpResponse:
    """Close the round in progress as it is, although the rules would let it go on."""
    data = visit.request.POST

    def close(version: int) -> Any:
        return close_round(
            table=visit.table,
            draft_version=version,
            expected_version=number(data.get("version")),
            idempotency_key=str(data.get("key") or ""),
            origin=visit.origin,
            unfinished=True,
        )

    return _change_draft(visit, close)


def _change_draft(visit: Visit, change: Callable[[int], Any], *, back_to_sheet: bool = False) -> HttpResponse:
    data = visit.request.POST
    try:
        change(number(data.get("draft")))
    except (Refusal, LedgerError) as error:
        visit.table.refresh_from_db()
        status = error.status if isinstance(error, LedgerError) else 422
        return answer_table(visit, status=status, problem=problem_words(error, visit.language))
    visit.table.refresh_from_db()
    if back_to_sheet and data.get("from") == "sheet":
        return goes_on(visit)
    return finished(visit, "")
