"""What is done at a table beside rounds: scores set, other rules, disputes, confirmations, settling."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404, HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from rules_app.languages import page_language
from rules_app.models import Revision
from rules_app.rulings import ruleset_of
from scoring_app.club_views.asking import (
    REFUSALS,
    Problem,
    as_sent,
    attempt,
    game_name,
    house_rule_fields,
    house_rules,
    problem_of,
    whole,
)
from scoring_app.club_views.clubs import policies
from scoring_app.entry_forms import PositionForm, ScoresForm, everybody
from scoring_app.ledger import (
    TableOverview,
    answer_dispute,
    confirm_entry,
    marks_of,
    move_to_revision,
    preview_revision,
    raise_dispute,
    set_confirmation,
    set_position,
    set_scores,
)
from scoring_app.models import Dispute, DisputeAnswer, Entry
from scoring_app.session_views.at_table import ToolVisit, at_the_table
from scoring_app.sessions import other_writers
from scoring_app.shown.changes import ChangeShown
from scoring_app.shown.entries import EntryWriter
from scoring_app.wording import names_by_seat


@require_safe
@at_the_table("view_table")
def tools(visit: ToolVisit) -> HttpResponse:
    """Everything that can be done here by who asks."""
    marks = marks_of(visit.table)
    open_disputes = sum(1 for mark in marks.values() if mark.open_dispute)
    unconfirmed = sum(1 for mark in marks.values() if mark.needs_confirmation)
    writers = other_writers(visit.table, visit.device_id)
    context = {"open_disputes": open_disputes, "unconfirmed": unconfirmed, "writers": writers, "game": game_name(visit.table.revision)}
    return visit.page("tools.html", context)


@require_http_methods(["GET", "POST"])
@at_the_table("set_scores")
def scores(visit: ToolVisit) -> HttpResponse:
    """Bring totals, dealer and round to given values, as after a disaster."""
    posted = visit.request.method == "POST"
    overview = visit.overview()
    totals = {seat.participant.number: seat.total for seat in (*overview.seats, *overview.others) if seat.participant is not None}
    people = [one for one in everybody(overview) if one.is_player]
    values = {one.number: totals[one.number] for one in people if one.number in totals}
    position, text = _position_form(visit, overview), str(visit.request.POST.get("text") or "")
    form = ScoresForm.of(people, values, data=visit.request.POST if posted else None, position=position, text=text)
    problem = None
    if posted:
        problem = attempt(
            lambda: set_scores(table=visit.table, totals=form.totals(), position=position.position(), text=text, **visit.writing())
        )
        if problem is None:
            return visit.done(_("The scores are set."))
        visit.table.refresh_from_db()
    context = {"form": form, "sum": sum(values.values()), "problem": problem, "version": visit.table.version}
    return visit.page("scores.html", context, status=problem.status if problem else 200)


@require_http_methods(["GET", "POST"])
@at_the_table("record_round")
def position(visit: ToolVisit) -> HttpResponse:
    """Who deals, how often he has, which wind blows, what is carried: put right between rounds, without touching points."""
    form = _position_form(visit, visit.overview())
    problem = None
    if visit.request.method == "POST":
        problem = attempt(lambda: set_position(table=visit.table, position=form.position(), text=form.text, **visit.writing()))
        if problem is None:
            return visit.done(_("Dealer and round are set."))
        visit.table.refresh_from_db()
    context = {"form": form, "problem": problem, "version": visit.table.version}
    return visit.page("position.html", context, status=problem.status if problem else 200)


def _position_form(visit: ToolVisit, overview: TableOverview) -> PositionForm:
    form = PositionForm.over(
        overview.situation,
        ruleset=ruleset_of(visit.table.revision),
        names=names_by_seat(overview.situation, overview.participants),
        language=page_language(),
        data=visit.request.POST if visit.request.method == "POST" else None,
    )
    form.text = str(visit.request.POST.get("text") or "")
    return form


@require_http_methods(["GET", "POST"])
@at_the_table("change_rules")
def rules(visit: ToolVisit) -> HttpResponse:
    """Another revision or other options, from now on or for what was played as well; what that changes, then confirm."""
    table = visit.table
    data: Any = visit.request.POST if visit.request.method == "POST" else visit.request.GET
    revisions = (
        Revision.objects.filter(ruleset=table.revision.ruleset_id, status=Revision.Status.PUBLISHED).defer("document").order_by("-number")
    )
    chosen_number = data.get("revision") or str(table.revision.number)
    chosen = next((one for one in revisions if str(one.number) == chosen_number), None)
    if chosen is None:
        raise Http404(str(chosen_number))
    sent: QueryDict = data if "options_of" in data else as_sent(table.options)
    options = house_rules(chosen, sent) if "options_of" in data else table.options
    asked = "look" in data or data.get("go") == "confirm"
    rescore = data.get("rescore") == "1"
    problem: Problem | None = None
    changes: list[ChangeShown] = []
    try:
        if visit.request.method == "POST" and data.get("go") == "confirm":
            move_to_revision(
                table=table,
                revision=chosen,
                options=options,
                rescore_from=1 if rescore else None,
                reason=str(data.get("reason") or ""),
                **visit.writing(),
            )
            return visit.done(_("The table plays by these rules from now on."))
        if asked:
            changes = visit.changes(preview_revision(table=table, revision=chosen, options=options))
    except REFUSALS as error:
        problem = problem_of(error)
        table.refresh_from_db()
    context = {
        "revisions": revisions,
        "chosen": chosen,
        "game": game_name(table.revision),
        "options": house_rule_fields(chosen, sent),
        "rescore": rescore,
        "asked": asked and problem is None,
        "changes": changes,
        "problem": problem,
        "reason": data.get("reason", ""),
        "version": table.version,
    }
    return visit.page("rules.html", context, status=problem.status if problem and visit.request.method == "POST" else 200)


@require_safe
@at_the_table("view_table")
def marks(visit: ToolVisit) -> HttpResponse:
    """What waits for a second pair of eyes, what is disputed, and the form to dispute something."""
    return marks_page(visit)


def marks_page(visit: ToolVisit, problem: Problem | None = None) -> HttpResponse:
    overview = visit.overview()
    found = marks_of(visit.table)
    writer = EntryWriter(ruleset_of(visit.table.revision), page_language(), overview.participants, overview.situation)
    entries = {entry.seq: entry for entry in overview.entries if entry.content is not None}
    rows: list[dict[str, Any]] = []
    for seq, mark in sorted(found.items(), reverse=True):
        entry = entries.get(seq)
        if entry is None:
            continue
        rows.append(
            {
                "row": writer.row(entry),
                "mark": mark,
                "version": entry.content.version if entry.content else 0,
                "amounts": _amounts(overview, entry),
            }
        )
    context = {
        "disputed": [row for row in rows if row["mark"].open_dispute],
        "unconfirmed": [row for row in rows if row["mark"].needs_confirmation],
        "settled": [row for row in rows if row["mark"].disputes and not row["mark"].open_dispute],
        "entries": [
            writer.row(entry)
            for entry in overview.entries
            if entry.content is not None and not entry.voided and entry.kind != Entry.Kind.STATUS
        ][:40],
        "chosen": visit.request.GET.get("seq", ""),
        "outcomes": [
            (DisputeAnswer.Outcome.UPHELD.value, _("Right: corrected")),
            (DisputeAnswer.Outcome.REJECTED.value, _("Stays as it is")),
            (DisputeAnswer.Outcome.WITHDRAWN.value, _("Withdrawn")),
        ],
        "policies": policies(),
        "data": {**visit.request.POST.dict(), "confirmation": visit.table.confirmation},
        "problem": problem,
        "version": overview.version,
        "key": uuid.uuid4().hex,
    }
    return visit.page("marks.html", context, status=problem.status if problem else 200)


def _amounts(overview: Any, entry: Any) -> list[tuple[str, int]]:
    return [(overview.participants[number].name, amount) for number, amount in entry.payments.items() if amount]


@require_POST
@at_the_table("set_scores")
def policy(visit: ToolVisit) -> HttpResponse:
    """Who besides the writer has to say that an entry is right, at this table from now on."""
    wanted = str(visit.request.POST.get("confirmation") or "")
    problem = attempt(lambda: set_confirmation(table=visit.table, policy=wanted))
    return marks_page(visit, problem) if problem else visit.done(_("Saved."), "table_marks")


@require_POST
@at_the_table("confirm_entry")
def confirm(visit: ToolVisit) -> HttpResponse:
    """It is right, says somebody else than who wrote it."""
    data = visit.request.POST
    problem = attempt(
        lambda: confirm_entry(
            table=visit.table, seq=whole(data, "seq", default=-1), version=whole(data, "content", default=-1), origin=visit.origin
        )
    )
    return marks_page(visit, problem) if problem else visit.done(_("Confirmed."), "table_marks")


@require_POST
@at_the_table("raise_dispute")
def dispute(visit: ToolVisit) -> HttpResponse:
    """It is not right, says somebody; play goes on."""
    data = visit.request.POST
    problem = attempt(
        lambda: raise_dispute(table=visit.table, seq=whole(data, "seq", default=-1), text=str(data.get("text") or ""), origin=visit.origin)
    )
    return marks_page(visit, problem) if problem else visit.done(_("Noted. Play goes on; a referee looks at it."), "table_marks")


@require_POST
@at_the_table("answer_dispute")
def answer(visit: ToolVisit, pk: int) -> HttpResponse:
    """What came of a dispute."""
    found = Dispute.objects.filter(entry__table=visit.table, pk=pk).select_related("entry__table").first()
    if found is None:
        raise Http404(str(pk))
    data = visit.request.POST
    problem = attempt(
        lambda: answer_dispute(dispute=found, outcome=str(data.get("outcome") or ""), text=str(data.get("text") or ""), origin=visit.origin)
    )
    return marks_page(visit, problem) if problem else visit.done(_("The dispute is settled."), "table_marks")
