"""The tables that were last open on a device, for the home page."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import RequestContext
from django.urls import reverse

from rules_app.languages import page_language
from rules_app.rulings import ruleset_of
from scoring_app.access import access_of_recent
from scoring_app.models import Participant, Standing
from scoring_app.wording import say

register = template.Library()


@register.inclusion_tag("scoring_app/parts/recent.html", takes_context=True)
def recent_tables(context: RequestContext) -> dict[str, Any]:
    """The recent tables with their totals; nothing where there are none."""
    request = context.get("request")
    found = access_of_recent(request) if request is not None else []
    totals = {
        standing.table_id: standing.totals for standing in Standing.objects.filter(table__in=[table for table, _token, _role in found])
    }
    people: dict[int, list[Participant]] = {}
    players = Participant.objects.filter(table__in=[table for table, _token, _role in found], kind=Participant.Kind.PLAYER)
    for person in players.order_by("number"):
        people.setdefault(person.table_id, []).append(person)
    rows = [
        {
            "url": reverse("scoring:table", args=[table.public_id, token]),
            "game": say(ruleset_of(table.revision).document.name, page_language()),
            "title": table.title,
            "may_write": role == "scorer",
            "time": table.created_at,
            "people": [
                {"name": person.name, "total": totals.get(table.pk, {}).get(str(person.number), 0) + table.start_points}
                for person in people.get(table.pk, [])
            ],
        }
        for table, token, role in found
    ]
    return {"tables": rows}
