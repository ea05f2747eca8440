"""The sheet on which a happening of a round is entered, generated from the game's document.

Names of form fields are those of `rules_app.round_fields` and `rules_app.round_events`; beside them there are ``what``,
``wild``, ``dealer`` (where the dice have not chosen one yet) and what makes a write safe: ``key``, ``version``, ``draft``.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from rules_app.engine import Refusal, Ruleset
from rules_app.engine.tiles import TileTextError, format_tiles, parse_tiles
from rules_app.relevance import fitting
from rules_app.round_events import (
    DeclaredPattern,
    EventChoice,
    data_of_event,
    declared_patterns,
    event_choices,
    event_fields,
    flag_choices,
    read_event,
)
from rules_app.round_fields import Asking, Choice, Field, flatten_input, input_fields, read_inputs, wild_texts
from rules_app.scoring_page import KeyboardPlan, keyboard_plan, tidied
from scoring_app.ledger import Situation
from scoring_app.ledger.values import Json
from scoring_app.models import OpenRound
from scoring_app.taking import Facts

ASKED_AT: Mapping[str, frozenset[str]] = {"win": frozenset({"win", "end"}), "draw": frozenset({"draw", "end"})}
"""Which inputs the form of an event asks for, by their ``ask``; other events ask for none."""
ASKED_FIRST = ("choice", "tile", "tiles", "integer")
"""Required fields of these kinds are waited for before the engine is asked."""
MANY_PATTERNS = 24
QUICK_FLOWERS = "quick.flowers"
"""The field of the flowers beside declared patterns: the field of the hand is in the same form."""


@dataclass(frozen=True, slots=True)
class Tab:
    """One of the things that can have happened: ``key`` of its first event, whether it is being entered."""

    group: str
    label: str
    key: str
    chosen: bool


@dataclass(slots=True)
class RecordSheet:
    """Everything the sheet shows."""

    asking: Asking
    what: str
    events: list[EventChoice]
    key: str
    version: int
    draft_version: int
    is_party_game: bool
    seats: list[Choice] = field(default_factory=list)
    givers: list[Choice] = field(default_factory=list)
    out: frozenset[str] = frozenset()
    """Seats that have won already and play no further."""
    flags: list[Choice] = field(default_factory=list)
    unfit_flags: frozenset[str] = frozenset()
    declared: list[DeclaredPattern] = field(default_factory=list)
    fields: list[Field] = field(default_factory=list)
    inputs: list[Field] = field(default_factory=list)
    dealer: Field | None = None
    flowers: Field | None = None
    """The flowers of a win by patterns; a win by tiles has them with its hand."""
    keyboard: KeyboardPlan | None = None
    wild: str = ""
    wild_name: str = ""

    @property
    def ruleset(self) -> Ruleset:
        return self.asking.ruleset

    @property
    def is_win(self) -> bool:
        return self.what == "win"

    @property
    def is_quick(self) -> bool:
        return self.is_win and self.asking.get("mode", "quick") == "quick"

    @property
    def is_complete(self) -> bool:
        """Whether enough is said to look at it: of a win who won, and how."""
        data = self.asking.data
        if self.is_win:
            chosen = bool(data.get("seat")) and "from" in data and (self.is_quick or bool(data.get("tile")))
        else:
            chosen = all(data.get(one.name) for one in self.fields if one.required and one.kind in ASKED_FIRST)
        return chosen and (self.dealer is None or bool(data.get("dealer")))

    @property
    def needs_keyboard(self) -> bool:
        """Whether the fields of the event take tiles."""
        return any(_takes_tiles(one) for one in self.fields)

    @property
    def missing_words(self) -> str:
        """What to do next, while it is not complete."""
        if self.is_complete:
            return ""
        data = self.asking.data
        if self.dealer is not None and not data.get("dealer"):
            return _("Tap who deals.")
        if not self.is_win:
            missing = next((one.label for one in self.fields if one.required and one.kind in ASKED_FIRST and not data.get(one.name)), None)
            return _("Next: %(field)s") % {"field": missing} if missing else _("Fill in what happened.")
        if not data.get("seat"):
            return _("Tap who won.")
        if "from" not in data:
            return _("Tap self-draw or who paid.")
        return _("Enter the tiles of the hand.")

    @property
    def tabs(self) -> list[Tab]:
        """Win, kong, draw, penalty, others: the groups of this game's events."""
        words = {"win": _("Win"), "kong": _("Kong"), "penalty": _("Penalty")}
        tabs: list[Tab] = []
        for event in self.events:
            known = [tab for tab in tabs if tab.group == event.group]
            if event.group in ("kong", "penalty") and known:
                continue
            chosen = event.key == self.what or (event.group in ("kong", "penalty") and self.group == event.group)
            tabs.append(Tab(event.group, words.get(event.group, event.label), event.key, chosen))
        return tabs

    @property
    def group(self) -> str:
        return next((event.group for event in self.events if event.key == self.what), "")

    @property
    def siblings(self) -> list[EventChoice]:
        """The kinds within the group, where there are several."""
        found = [event for event in self.events if event.group == self.group]
        return found if self.group in ("kong", "penalty") and len(found) > 1 else []

    @property
    def help(self) -> str:
        return next((event.help for event in self.events if event.key == self.what), "")

    @property
    def has_many_patterns(self) -> bool:
        return len(self.declared) > MANY_PATTERNS

    @property
    def can_rob(self) -> bool:
        return "added" in self.ruleset.document.claims.kongs

    @property
    def text(self) -> dict[str, str]:
        return {name: self.asking.get(name) for name in ("hand", "tile", "melds", "flowers", "wild")}

    @property
    def canonical(self) -> dict[str, str]:
        """The tile texts in the short notation, for the keyboard to go on from."""
        found = {}
        for name in ("hand", "tile", "flowers", "wild"):
            try:
                found[name] = format_tiles(parse_tiles(self.text[name][:400]))
            except TileTextError:
                found[name] = ""
        return found

    @property
    def facts(self) -> Facts:
        """What the form says of the round beside the event."""
        return read_facts(self.ruleset, self.asking.data, asked=ASKED_AT.get(self.what, frozenset()), dealer=self.dealer is not None)

    def event(self) -> Json:
        """:raises Refusal: the melds cannot be read."""
        event = read_event(self.ruleset, self.what, self.asking.data)
        if event.get("from") == event.get("seat") and self.is_win:
            event.pop("from")
            event["by"] = "self_draw"
        return event


def build_record_sheet(
    ruleset: Ruleset,
    data: QueryDict,
    *,
    language: str,
    names: Sequence[str],
    situation: Situation,
    draft: OpenRound | None,
    payload: Json,
    options: Json,
    version: int,
    usual: Sequence[str] = (),
) -> RecordSheet:
    """The sheet as it stands after what was sent.

    ``payload`` is the round so far (without the event being entered); ``usual`` the patterns seen at this table, which
    come first.
    """
    data = tidied(ruleset, data)
    if QUICK_FLOWERS in data and data.get("mode", "quick") == "quick":
        data["flowers"] = str(data[QUICK_FLOWERS])
    if ruleset.document.parties is not None and situation.dealer is not None:
        data.setdefault("dealer", str(situation.dealer))
    events = event_choices(ruleset, language)
    what = str(data.get("what") or "")
    if what not in [event.key for event in events]:
        what = events[0].key if events else "win"
    for name, value in payload["round"].get("inputs", {}).items():
        for key, values in flatten_input(f"i.{name}", value, ruleset).items():
            if key not in data:
                data.setlist(key, values)
    asking = Asking(ruleset, data, language, names)
    draft_version = draft.version if draft else 0
    sheet = RecordSheet(
        asking,
        what,
        events,
        str(data.get("key") or uuid.uuid4().hex),
        version,
        draft_version,
        ruleset.document.parties is not None,
    )
    if ruleset.document.wild is not None:
        sheet.wild_name = asking.say(ruleset.document.wild.name)
    sheet.wild = " ".join(payload["round"].get("wild", []))
    carried = {**({"dealer": situation.dealer} if situation.dealer is not None else {}), **payload.get("table", {})}
    if carried.get("dealer") is None or sheet.is_party_game:
        chosen = asking.get("dealer")
        label = _("Who holds the bank") if sheet.is_party_game else _("Who deals this round")
        sheet.dealer = Field("dealer", "choice", label, value=chosen, choices=asking.seats(chosen), required=True)
    asked = ASKED_AT.get(what, frozenset())
    specs = {name: spec for name, spec in ruleset.document.inputs.items() if spec.ask in asked}
    sheet.inputs = input_fields(asking, specs)
    sheet.out = _seats_out(ruleset, {"options": options, "table": _table_of(payload, situation), "round": payload["round"]})
    if sheet.is_win:
        seat, giver = asking.get("seat"), asking.get("from", "-")
        sheet.seats, sheet.givers = asking.seats(seat), asking.seats(giver)
        sheet.flags = flag_choices(asking)
        sheet.declared = _usual_first(declared_patterns(asking), usual)
        if ruleset.flower_kinds:
            sheet.flowers = Field(QUICK_FLOWERS, "tiles", _("Flowers"), value=asking.get("flowers"), tiles_of="flowers")
    else:
        sheet.fields = event_fields(asking, what)
        for one in sheet.fields:
            if one.kind == "hands":
                one.parts = [part for part in one.parts if part.name.rsplit(".", 1)[-1] not in sheet.out]
        if sheet.is_party_game:
            _name_parties(sheet.fields, names, banker=asking.get("dealer"))
    sheet.keyboard = _keyboard(keyboard_plan(ruleset, language), payload["round"].get("wild", []))
    _judge_relevance(sheet, payload, situation, options)
    return sheet


def read_facts(ruleset: Ruleset, data: QueryDict, *, asked: frozenset[str], dealer: bool = False) -> Facts:
    """The facts of the round that a form sent."""
    specs = {name: spec for name, spec in ruleset.document.inputs.items() if spec.ask in asked and spec.type != "names"}
    wild = " ".join(str(part) for part in data.getlist("wild")).strip()
    seat = str(data.get("dealer") or "")
    return Facts(
        wild=wild_texts(wild) if wild else None,
        inputs=read_inputs(ruleset, specs, data) or None,
        table={"dealer": int(seat)} if dealer and seat.isdecimal() and len(seat) < 5 else None,
    )


def data_of_payload(ruleset: Ruleset, payload: Json, index: int) -> QueryDict:
    """One event of a stored round, and the round's facts, as form data."""
    events = payload["round"]["events"]
    data = data_of_event(ruleset, events[index]) if 0 <= index < len(events) else QueryDict(mutable=True)
    if data.get("what") == "win":
        data.setdefault("from", "")
        data.setdefault("mode", "tiles" if "hand" in events[index] else "quick")
    return data


def _keyboard(plan: KeyboardPlan, wild: Sequence[str]) -> KeyboardPlan:
    """The keys of a round whose wild kinds are known: a flower that is wild is held in the hand."""
    held = [key for key in plan.flowers if key.text in wild]
    laid_out = [key for key in plan.flowers if key.text not in wild]
    return replace(plan, wild="", flowers=laid_out, rows=[*plan.rows, held] if held else plan.rows)


def _takes_tiles(one: Field) -> bool:
    return one.kind in ("tile", "tiles") or any(map(_takes_tiles, [*one.parts, *(part for row in one.rows for part in row)]))


def _usual_first(patterns: list[DeclaredPattern], usual: Sequence[str]) -> list[DeclaredPattern]:
    place = {name: at for at, name in enumerate(usual)}
    return sorted(patterns, key=lambda pattern: place.get(pattern.id, len(place)))


def _table_of(payload: Json, situation: Situation) -> dict[str, Any]:
    """The table as a round finds it, with what was said of it."""
    table = {**situation.request_table(), **payload.get("table", {})}
    return {key: value for key, value in table.items() if value is not None}


def _seats_out(ruleset: Ruleset, request: Json) -> frozenset[str]:
    """Winners who play no further, as the engine tells: it refuses them one more win for who they are."""
    out, events = set(), request["round"]["events"]
    for seat in {event["seat"] for event in events if event.get("type") == "win"}:
        again = {"type": "win", "seat": seat, "by": "self_draw", "declared": []}
        try:
            ruleset.score({**request, "round": {**request["round"], "events": [*events, again]}})
        except Refusal as error:
            if error.path == f"round.events[{len(events)}].seat":
                out.add(str(seat))
    return frozenset(out)


def _name_parties(fields: Sequence[Field], names: Sequence[str], *, banker: str) -> None:
    """Let players be chosen by name where the events of the game speak of them."""
    for one in fields:
        for row in one.rows:
            for part in row:
                if part.name.endswith(".player"):
                    part.kind = "choice"
                    part.choices = [
                        Choice(str(number), name, str(number) == part.value) for number, name in enumerate(names) if str(number) != banker
                    ]


def _judge_relevance(sheet: RecordSheet, payload: Json, situation: Situation, options: Json) -> None:
    """Hide the inputs and flags that do not bear on what is being entered."""
    try:
        event, inputs_sent = sheet.event(), sheet.facts.inputs or {}
    except Refusal:
        return
    table = _table_of(payload, situation)
    if sheet.is_party_game:
        table.pop("dealer", None)
    round_ = {
        **payload["round"],
        "inputs": {**payload["round"].get("inputs", {}), **inputs_sent},
        "events": [*payload["round"]["events"], event],
    }
    inputs, flags = fitting(sheet.ruleset, {"options": options, "table": table, "round": round_})
    for one in sheet.inputs:
        one.relevant = one.name[2:] in inputs
    sheet.unfit_flags = frozenset(flag.value for flag in sheet.flags) - flags
