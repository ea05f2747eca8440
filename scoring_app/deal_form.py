"""The form of a deal: which kinds can be named wild, which facts of that moment a game asks for."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import QueryDict

from rules_app.engine import Ruleset
from rules_app.relevance import fitting
from rules_app.round_fields import Asking, Choice, Field, flatten_input, input_fields, wild_texts
from rules_app.scoring_page import keyboard_plan
from scoring_app.ledger.values import Json

DEAL = frozenset({"deal"})


def deal_fields(ruleset: Ruleset, data: QueryDict, *, language: str, names: Sequence[str], payload: Json, options: Json) -> list[Field]:
    """What is asked once when the tiles are dealt: the inputs of that moment that bear on the round."""
    data = data.copy()
    for name, value in payload["round"].get("inputs", {}).items():
        for key, values in flatten_input(f"i.{name}", value, ruleset).items():
            if key not in data:
                data.setlist(key, values)
    asking = Asking(ruleset, data, language, names)
    specs = {name: spec for name, spec in ruleset.document.inputs.items() if spec.ask in DEAL and spec.type != "names"}
    fields = input_fields(asking, specs)
    relevant, _flags = fitting(ruleset, {"options": options, "table": payload.get("table", {}), "round": {"events": []}})
    for one in fields:
        one.relevant = one.name[2:] in relevant
    return fields


def wild_choices(ruleset: Ruleset, language: str, chosen: str) -> list[list[Choice]]:
    """The kinds that a round can name as wild, in rows; none in games that name none."""
    plan = keyboard_plan(ruleset, language)
    if not plan.wild:
        return []
    named = wild_texts(chosen) if chosen.strip() else []
    wild = ruleset.document.wild
    # A whole group of flowers can be wild only where as many kinds may be.
    rows = [*plan.rows, plan.flowers] if wild is not None and plan.flowers and max(wild.counts) > 3 else plan.rows
    return [[Choice(key.text, key.name, key.text in named) for key in row] for row in rows]


def needs_start(ruleset: Ruleset, fields: Sequence[Field]) -> bool:
    """Whether a round is recorded only after something was said about its deal: its wild tile (or that there is none), a fact."""
    wild = ruleset.document.wild
    needs_wild = wild is not None and max(wild.counts) > 0 and not ruleset.fixed_wild
    return needs_wild or any(one.required and one.relevant for one in fields)
