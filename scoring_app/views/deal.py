"""What is said once when the tiles of a round are dealt: the wild tile, and the facts of that moment."""

from __future__ import annotations

import uuid

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods

from rules_app.engine import Refusal, Ruleset
from rules_app.scoring_page import keyboard_plan
from scoring_app.access import Visit, at_table
from scoring_app.deal_form import DEAL, deal_fields, needs_start, wild_choices
from scoring_app.ledger import LedgerError, TableOverview, table_overview
from scoring_app.ledger.values import Json
from scoring_app.record_sheet import read_facts
from scoring_app.taking import Facts, start_round
from scoring_app.views.table import number
from scoring_app.wording import names_by_seat, problem_words

EMPTY: Json = {"round": {"events": []}}


def overview_names(overview: TableOverview) -> list[str]:
    """Who sits at each seat."""
    return names_by_seat(overview.situation, overview.participants)


def must_start(visit: Visit, overview: TableOverview) -> bool:
    """Whether the deal has to be told before anything else of a round."""
    if overview.open_round is not None:
        return False
    fields = deal_fields(
        visit.ruleset, QueryDict(), language=visit.language, names=overview_names(overview), payload=EMPTY, options=visit.table.options
    )
    return needs_start(visit.ruleset, fields)


def has_deal(visit: Visit, overview: TableOverview) -> bool:
    """Whether anything can be said about the deal of a round at this table."""
    if wild_choices(visit.ruleset, visit.language, ""):
        return True
    if not any(spec.ask in DEAL and spec.type != "names" for spec in visit.ruleset.document.inputs.values()):
        return False
    payload = overview.open_round.payload if overview.open_round else EMPTY
    names, options = overview_names(overview), visit.table.options
    fields = deal_fields(visit.ruleset, QueryDict(), language=visit.language, names=names, payload=payload, options=options)
    return any(one.relevant for one in fields)


def lacks_turned(ruleset: Ruleset, facts: Facts) -> bool:
    """Whether the wild tile of these facts could only follow from a tile turned up, which they do not name."""
    wild = ruleset.document.wild
    if wild is None or wild.turned is None or 0 in wild.counts:
        return False
    return not facts.wild and not (facts.inputs or {}).get(wild.turned.input)


def sheet_urls(visit: Visit) -> dict[str, str]:
    """The pages that a sheet leads to."""
    return {name: visit.url(name) for name in ("table", "record", "deal", "discard", "end", "more")}


@require_http_methods(["GET", "POST"])
@at_table(scorer=True)
def deal(visit: Visit) -> HttpResponse:
    """What is said once when the tiles are dealt: the wild tile, and the inputs of that moment."""
    request = visit.request
    overview = table_overview(visit.table)
    draft = overview.open_round
    payload = draft.payload if draft else EMPTY
    data = request.POST if request.method == "POST" else request.GET
    wild = " ".join(data.getlist("wild")) if "wild" in data else " ".join(payload["round"].get("wild", []))
    fields = deal_fields(
        visit.ruleset, data, language=visit.language, names=overview_names(overview), payload=payload, options=visit.table.options
    )
    problem, status = "", 200
    if request.method == "POST":
        facts = read_facts(visit.ruleset, data, asked=DEAL)
        counts = visit.ruleset.document.wild.counts if visit.ruleset.document.wild is not None else [0]
        choices = wild_choices(visit.ruleset, visit.language, wild)
        try:
            if choices and len(facts.wild or []) not in counts:
                problem = ngettext("Tap the wild tile.", "Tap %(number)s wild tiles.", max(counts)) % {"number": max(counts)}
                status = 422
            elif lacks_turned(visit.ruleset, facts):
                problem, status = gettext("Say which tile was turned up."), 422
            else:
                start_round(
                    table=visit.table,
                    facts=facts,
                    draft_version=number(data.get("draft")),
                    expected_version=number(data.get("version")),
                    key=str(data.get("key") or ""),
                )
                visit.table.refresh_from_db()
                return HttpResponseRedirect(visit.url("record"), status=303)
        except LedgerError as error:
            problem, status = problem_words(error, visit.language), error.status
            overview = table_overview(visit.table)
            draft = overview.open_round
        except Refusal as error:
            problem, status = problem_words(error, visit.language), 422
    wild_spec = visit.ruleset.document.wild
    context = {
        "visit": visit,
        "urls": sheet_urls(visit),
        "fields": fields,
        "wild": wild_choices(visit.ruleset, visit.language, wild),
        "wild_name": (wild_spec.name.zh if visit.language == "zh" else wild_spec.name.en) if wild_spec else "",
        "wild_one": wild_spec is not None and max(wild_spec.counts) == 1,
        "version": overview.version,
        "draft_version": draft.version if draft else 0,
        "number": overview.rounds + 1,
        "problem": problem,
        "keyboard": keyboard_plan(visit.ruleset, visit.language) if any(one.kind == "tile" and one.relevant for one in fields) else None,
        "only_wild": not any(one.relevant for one in fields),
        "key": str(data.get("key") or uuid.uuid4().hex),
    }
    template = "scoring_app/record/deal.html" if visit.by_htmx else "scoring_app/deal.html"
    response = render(request, template, context, status=status)
    if visit.by_htmx:
        response["HX-Retarget"] = "#sheet"
        response["HX-Reswap"] = "innerHTML"
    return response
