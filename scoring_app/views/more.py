"""What is written at a table beside rounds: transfers, fees, notes; its name, its end, the device's name."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from rules_app.engine import Refusal
from scoring_app.access import Visit, at_table, device_label, name_device
from scoring_app.clubs import PERMISSIONS, ROLES, may_at_table
from scoring_app.entry_forms import LinesForm, TextForm, everybody
from scoring_app.ledger import (
    LedgerError,
    StaleVersion,
    close_table,
    record_note,
    record_transfer,
    rename_table,
    reopen_table,
    table_overview,
)
from scoring_app.models import Participant
from scoring_app.session_views.visits import is_host
from scoring_app.shown.conflict import conflict_shown
from scoring_app.views.recording import finished
from scoring_app.views.table import number
from scoring_app.wording import comma, problem_words

TRANSFERS = {"transfer": "record_transfer", "penalty": "record_penalty", "fee": "charge_fees"}
"""The kinds of points from one to another, with what of the permission table each needs."""


@require_http_methods(["GET", "POST"])
@at_table(scorer=True)
def more(visit: Visit) -> HttpResponse:
    """The forms for everything that is no round; ``kind`` says which one was sent."""
    data = visit.request.POST
    kinds = _kinds(visit)
    kind = str(data.get("kind") or visit.request.GET.get("kind") or next(iter(kinds), "note"))
    problem, status = "", 200
    conflict: dict[str, Any] = {}
    if visit.request.method == "POST" and kind in TRANSFERS and kind not in kinds:
        problem, status = _forbidden(kind, visit.language), 403
    elif visit.request.method == "POST":
        try:
            said = _write(visit, kind)
        except StaleVersion as error:
            visit.table.refresh_from_db()
            conflict, status = conflict_shown(visit, table_overview(visit.table), error), 409
        except (Refusal, LedgerError) as error:
            problem, status = problem_words(error, visit.language), error.status if isinstance(error, LedgerError) else 422
        else:
            visit.table.refresh_from_db()
            return finished(visit, said)
    visit.table.refresh_from_db()
    overview = table_overview(visit.table)
    people = everybody(overview)
    lines = LinesForm.sent(kind, people, data)
    if "each" in visit.request.GET:
        lines.each_line = True
    context = {
        "visit": visit,
        "kind": kind,
        "kinds": kinds,
        "lines": lines,
        "note": TextForm(str(data.get("text") or "") if kind == "note" else ""),
        "players": [(one.number, data.get(f"name.{one.number}", one.name)) for one in people if one.is_player],
        "problem": problem,
        "version": overview.version,
        "key": data.get("key") or uuid.uuid4().hex,
        "post_to": visit.url("more"),
        "table_url": visit.url(),
        "close_url": visit.url("close"),
        "device_url": visit.url("device"),
        "links_url": visit.url("links") if visit.has_link else "",
        "watch_url": visit.url() + "?view=watch",
        "device": device_label(visit.request),
        "title": data.get("title", visit.table.title),
        "closed": overview.situation.closed,
        **conflict,
    }
    template = "scoring_app/more/sheet.html" if visit.by_htmx else "scoring_app/more.html"
    return render(visit.request, template, context, status=status)


def _kinds(visit: Visit) -> dict[str, str]:
    """The kinds that whoever asks may enter here, by the permission table, with their names."""
    names = {"transfer": _("Transfer"), "penalty": _("Penalty"), "fee": _("Fee")}
    session = visit.table.session
    host = session is not None and is_host(visit.request, session)
    asks: dict[str, Any] = {"table": visit.table, "user": visit.request.user, "host": host, "device_role": "scorer"}
    return {kind: names[kind] for kind, action in TRANSFERS.items() if may_at_table(action, **asks)}


def _forbidden(kind: str, language: str) -> str:
    permission = PERMISSIONS[TRANSFERS[kind]]
    roles = comma(language).join(words.in_language(language) for role, words in ROLES.items() if role in permission.roles)
    return _("In this club it takes one of these roles to %(action)s: %(roles)s.") % {
        "action": permission.label.in_language(language),
        "roles": roles,
    }


def _write(visit: Visit, kind: str) -> str:
    """Write what was sent; what to say of it."""
    data = visit.request.POST
    safe: dict[str, Any] = {
        "table": visit.table,
        "expected_version": number(data.get("version")),
        "idempotency_key": str(data.get("key") or ""),
        "origin": visit.origin,
    }
    if kind in TRANSFERS:
        record_transfer(**LinesForm.sent(kind, [], data).payload(), kind=kind, **safe)  # type: ignore[arg-type]
        return _("Recorded.")
    if kind == "note":
        record_note(text=str(data.get("text") or ""), **safe)
        return _("Noted.")
    players = Participant.objects.filter(table=visit.table, kind=Participant.Kind.PLAYER).values_list("number", "name")
    sent = {number: (name, str(data.get(f"name.{number}", name))) for number, name in players}
    names = {number: new for number, (old, new) in sent.items() if new.strip() != old}
    rename_table(table=visit.table, title=str(data.get("title") or ""), names=names)
    return _("Saved.")


@require_POST
@at_table(scorer=True)
def close(visit: Visit) -> HttpResponse:
    """End the evening at this table, or go on."""
    data = visit.request.POST
    act = reopen_table if data.get("open") == "1" else close_table
    try:
        act(
            table=visit.table,
            expected_version=number(data.get("version")),
            idempotency_key=str(data.get("key") or ""),
            origin=visit.origin,
        )
    except LedgerError as error:
        from scoring_app.views.table import answer_table  # noqa: PLC0415 - kept beside its one use

        visit.table.refresh_from_db()
        return answer_table(visit, status=error.status, problem=problem_words(error, visit.language))
    visit.table.refresh_from_db()
    return finished(visit, _("The table is open again.") if data.get("open") == "1" else _("The table is closed."))


@require_POST
@at_table(scorer=True)
def device(visit: Visit) -> HttpResponse:
    """Name the device that writes; entries carry the name."""
    response = finished(visit, _("Saved.")) if visit.by_htmx else HttpResponseRedirect(visit.url(), status=303)
    name_device(response, str(visit.request.POST.get("label") or ""))
    return response
