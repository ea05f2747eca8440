"""A round as the address of the scoring page, so that anybody may change a tile of it and see what becomes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from rules_app.engine import Ruleset
from rules_app.round_events import data_of_event
from rules_app.round_fields import flatten_input


def query_of_request(ruleset: Ruleset, request: Mapping[str, Any]) -> str:
    """The query with which the scoring page asks what this request asks; the last event stands in its form."""
    data = QueryDict(mutable=True)
    round_ = request.get("round", {})
    *earlier, last = round_.get("events") or [{"type": "win"}]
    for place, event in enumerate(earlier, start=1):
        _add(data, data_of_event(ruleset, event, f"e{place}."))
    _add(data, data_of_event(ruleset, last))
    if round_.get("wild"):
        data["wild"] = "".join(round_["wild"])
    for name, value in (round_.get("inputs") or {}).items():
        spec = ruleset.document.inputs.get(name)
        if spec is not None and spec.type == "names":
            data[f"i.{name}"] = ", ".join(map(str, value))
        else:
            _put(data, f"i.{name}", value, ruleset)
    for name, value in (request.get("options") or {}).items():
        _put(data, f"o.{name}", value, ruleset)
    table = request.get("table") or {}
    for name, key in (("dealer", "dealer"), ("streak", "streak"), ("round_wind", "wind")):
        if table.get(name) is not None:
            data[key] = str(table[name])
    for name, value in (table.get("state") or {}).items():
        _put(data, f"s.{name}", value, ruleset)
    return urlencode([(key, value) for key in data for value in data.getlist(key) if value != ""])


def try_url(ruleset: Ruleset, slug: str, request: Mapping[str, Any]) -> str:
    """The address of the scoring page with this round in it."""
    return f"{reverse('rules:score', args=[slug])}?{query_of_request(ruleset, request)}"


def _add(data: QueryDict, more: QueryDict) -> None:
    for name in more:
        data.setlist(name, more.getlist(name))


def _put(data: QueryDict, key: str, value: Any, ruleset: Ruleset) -> None:
    for name, values in flatten_input(key, value, ruleset).items():
        data.setlist(name, values)
