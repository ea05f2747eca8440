"""What all corrections share: what would change, the write, the sheet and its outcome."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from rules_app.engine import Refusal
from scoring_app.access import Visit
from scoring_app.ledger import EntryView, LedgerError, StaleVersion, TableOverview, correct_entry, preview_correction, table_overview
from scoring_app.ledger.values import Json
from scoring_app.shown.changes import ChangeShown, changes_shown
from scoring_app.shown.conflict import conflict_shown
from scoring_app.views.recording import finished
from scoring_app.views.table import number
from scoring_app.wording import problem_words


def changes_of(visit: Visit, overview: TableOverview, seq: int, payload: Json | None) -> tuple[list[ChangeShown], str]:
    """What a correction (a voiding: ``payload`` None) would change, entry by entry; or why it cannot be."""
    try:
        changes = preview_correction(table=visit.table, seq=seq, payload=payload)
    except (Refusal, LedgerError) as error:
        return [], problem_words(error, visit.language)
    return changes_shown(overview, changes, ruleset=visit.ruleset, language=visit.language), ""


def look_at(visit: Visit, overview: TableOverview, entry: EntryView, wanted: Json) -> dict[str, Any]:
    """The same for a sheet; nothing to look at while it says what the entry says."""
    if entry.content is not None and not entry.voided and wanted == entry.content.payload:
        return {"hint": _("Change what was wrong.")}
    changes, problem = changes_of(visit, overview, entry.seq, wanted)
    return {"changes": changes, "problem": problem}


def take_correction(visit: Visit, entry: EntryView, name: str, context: dict[str, Any], wanted: Callable[[], Json | None]) -> HttpResponse:
    """Look at a correction or write it, as ``go`` says; ``wanted`` gives None while too little is said.

    409 keeps everything that was typed, says what happened meanwhile, and goes on against the new state.
    """
    data = visit.request.POST
    confirms = data.get("go") == "confirm"
    payload: Json | None = None
    try:
        payload = wanted()
        if payload is None:
            return outcome(visit, name, context, 422 if confirms else 200)
        if confirms:
            correct_entry(
                table=visit.table,
                seq=entry.seq,
                payload=payload,
                reason=str(data.get("reason") or ""),
                expected_version=number(data.get("version")),
                idempotency_key=str(data.get("key") or ""),
                origin=visit.origin,
            )
            visit.table.refresh_from_db()
            return finished(visit, _("The entry is corrected."))
    except StaleVersion as error:
        visit.table.refresh_from_db()
        overview = table_overview(visit.table)
        context |= conflict_shown(visit, overview, error) | {"version": overview.version}
        return sheet(visit, name, context | look_at(visit, overview, entry, payload or {}), 409)
    except (Refusal, LedgerError) as error:
        status = error.status if isinstance(error, LedgerError) else 422
        return outcome(visit, name, context | {"problem": problem_words(error, visit.language)}, status)
    seen = look_at(visit, table_overview(visit.table), entry, payload)
    return outcome(visit, name, context | seen, 422 if seen.get("problem") else 200)


def sheet(visit: Visit, name: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """The sheet of this name for htmx, its page otherwise."""
    template = f"scoring_app/entry/{name}.html" if visit.by_htmx else f"scoring_app/{name}.html"
    response = render(visit.request, template, context, status=status)
    if visit.by_htmx:
        response["HX-Retarget"] = "#sheet"
        response["HX-Reswap"] = "innerHTML"
    return response


def outcome(visit: Visit, name: str, context: dict[str, Any], status: int) -> HttpResponse:
    """What came of it alone, for htmx; the whole page otherwise."""
    if not visit.by_htmx:
        return sheet(visit, name, context, status)
    response = render(visit.request, "scoring_app/record/outcome.html", context, status=status)
    response["HX-Retarget"] = "#outcome"
    response["HX-Reswap"] = "outerHTML"
    return response
