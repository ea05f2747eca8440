"""A single entry: its reading, payments and history; correcting it, making it void."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from rules_app.engine import Refusal
from scoring_app.access import Visit, at_table
from scoring_app.entry_forms import form_of_entry
from scoring_app.ledger import EntryView, LedgerError, StaleVersion, entry_detail, table_overview, void_entry
from scoring_app.ledger.rotations import rotation_of
from scoring_app.models import Entry
from scoring_app.shown.conflict import conflict_shown
from scoring_app.shown.detail import show_entry
from scoring_app.views.correct_round import correct_round
from scoring_app.views.correcting import changes_of, look_at, sheet, take_correction
from scoring_app.views.recording import finished
from scoring_app.views.table import number
from scoring_app.wording import names_by_seat, problem_words


def find_entry(visit: Visit, seq: int) -> EntryView:
    """:raises Http404: there is no such entry."""
    try:
        return entry_detail(visit.table, seq)
    except Entry.DoesNotExist:
        raise Http404(str(seq)) from None


@require_safe
@at_table()
def detail(visit: Visit, seq: int) -> HttpResponse:
    """Everything about an entry."""
    entry = find_entry(visit, seq)
    overview = table_overview(visit.table)
    shown = show_entry(visit, entry, overview.participants, overview.situation)
    rotation = rotation_of(entry.entry)
    context = {
        "visit": visit,
        "entry": shown,
        "names": names_by_seat(overview.situation, overview.participants),
        "table_url": visit.url(),
        "correct_url": visit.url("correct", seq),
        "void_url": visit.url("void", seq),
        "about": entry.entry.target,
        "reason": entry.entry.reason,
        "about_url": visit.url("entry", entry.entry.target.seq) if entry.entry.target else "",
        "rotation": rotation,
        "may_void": visit.may_write and entry.content is not None and rotation is None,
        "may_correct": visit.may_write and entry.content is not None and entry.kind != Entry.Kind.RULES and not (rotation and entry.voided),
    }
    template = "scoring_app/entry/detail.html" if visit.by_htmx else "scoring_app/entry.html"
    return render(visit.request, template, context)


@require_http_methods(["GET", "POST"])
@at_table(scorer=True)
def void(visit: Visit, seq: int) -> HttpResponse:
    """Make an entry void, after seeing what follows from it."""
    entry = find_entry(visit, seq)
    if entry.content is None:  # a correction: what it is about is corrected
        raise Http404(str(seq))
    data = visit.request.POST
    problem, status = "", 200
    conflict: dict[str, Any] = {}
    if visit.request.method == "POST":
        try:
            void_entry(
                table=visit.table,
                seq=seq,
                reason=str(data.get("reason") or ""),
                expected_version=number(data.get("version")),
                idempotency_key=str(data.get("key") or ""),
                origin=visit.origin,
            )
        except StaleVersion as error:
            visit.table.refresh_from_db()
            conflict, status = conflict_shown(visit, table_overview(visit.table), error), 409
        except (Refusal, LedgerError) as error:
            problem, status = problem_words(error, visit.language), error.status if isinstance(error, LedgerError) else 422
        else:
            visit.table.refresh_from_db()
            return finished(visit, _("The entry is void."))
    visit.table.refresh_from_db()
    overview = table_overview(visit.table)
    changes, trouble = changes_of(visit, overview, seq, None)
    context = {
        "visit": visit,
        "entry": show_entry(visit, entry, overview.participants, overview.situation),
        "names": names_by_seat(overview.situation, overview.participants),
        "changes": changes,
        "problem": problem or trouble,
        "version": overview.version,
        "key": data.get("key") or uuid.uuid4().hex,
        "reason": data.get("reason", ""),
        "post_to": visit.url("void", seq),
        "entry_url": visit.url("entry", seq),
        "table_url": visit.url(),
        **conflict,
    }
    return sheet(visit, "void", context, status)


@require_http_methods(["GET", "POST"])
@at_table(scorer=True)
def correct(visit: Visit, seq: int) -> HttpResponse:
    """Put an entry right, on the form that made it, with all that changes after it before one confirms."""
    entry = find_entry(visit, seq)
    if entry.content is not None and "round" in entry.content.payload:
        return correct_round(visit, entry)
    posted = visit.request.method == "POST"
    data = visit.request.POST
    overview = table_overview(visit.table)
    form = form_of_entry(entry, overview, ruleset=visit.ruleset, language=visit.language, data=data if posted else None)
    if form is None:
        raise Http404(str(seq))
    context = {
        "visit": visit,
        "form": form,
        "entry": show_entry(visit, entry, overview.participants, overview.situation),
        "key": data.get("key") or uuid.uuid4().hex,
        "version": data.get("version", overview.version),
        "reason": data.get("reason", ""),
        "post_to": visit.url("correct", seq),
        "table_url": visit.url(),
        "hint": _("Change what was wrong."),
    }
    if posted:
        return take_correction(visit, entry, "correct_other", context, form.payload)
    if entry.voided:
        context |= look_at(visit, overview, entry, form.payload())
    return sheet(visit, "correct_other", context)
