"""The forms of entries that are no rounds: the same to make one and to correct it.

Each form is filled with what was sent or with what an entry says, names the template that shows it, and gives the
payload that it stands for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django.http import QueryDict

from rules_app.engine import Ruleset
from rules_app.engine.text import Text
from rules_app.round_fields import Asking, Field, flatten_input, read_table, table_fields
from scoring_app.ledger import EntryView, InvalidEntry, Situation, TableOverview
from scoring_app.ledger.values import Json
from scoring_app.models import Entry, Participant
from scoring_app.statistics import settle_up
from scoring_app.wording import names_by_seat, participant_name, seat_names

Kind = Entry.Kind
LINE_KINDS = frozenset({Kind.TRANSFER, Kind.FEE, Kind.PENALTY, Kind.SETTLEMENT})
"""Kinds that move points between people who are named."""
SPARE_LINES = 2


@dataclass(frozen=True, slots=True)
class Somebody:
    """Who can be chosen in a form."""

    number: int
    name: str
    is_player: bool


def everybody(overview: TableOverview) -> list[Somebody]:
    """All participants of a table, the house and the pool among them."""
    return [
        Somebody(number, participant_name(person), person.kind == Participant.Kind.PLAYER)
        for number, person in overview.participants.items()
    ]


@dataclass(slots=True)
class LinesForm:
    """Points from some to others: from one or several the same to one, or line by line.

    Of a settlement the form names who paid with money; in the book the points go back the other way.
    """

    template: ClassVar[str] = "scoring_app/entry/forms/lines.html"

    kind: str
    people: list[Somebody]
    data: Mapping[str, Any]
    each_line: bool = False
    payers: list[str] = field(default_factory=list)
    lines: list[tuple[str, str, str]] = field(default_factory=list)

    @classmethod
    def sent(cls, kind: str, people: list[Somebody], data: QueryDict) -> LinesForm:
        lines: list[tuple[str, str, str]] = []
        while f"amount.{len(lines)}" in data and len(lines) < 200:
            payer, payee, amount = (str(data.get(f"{side}.{len(lines)}") or "") for side in ("payer", "payee", "amount"))
            lines.append((payer, payee, amount))
        return cls(kind, people, data, "amount.0" in data, [str(value) for value in data.getlist("payer")], _spared(lines))

    @classmethod
    def filled(cls, kind: str, people: list[Somebody], payload: Json) -> LinesForm:
        sides = ("to", "from") if kind == Kind.SETTLEMENT else ("from", "to")
        lines = [(str(line[sides[0]]), str(line[sides[1]]), str(line["amount"])) for line in payload["lines"]]
        data = {"text": payload.get("text", ""), "payee": lines[0][1], "amount": lines[0][2]}
        payers = [line[0] for line in lines]
        alike = len({line[1:] for line in lines}) == 1 and len(set(payers)) == len(payers)
        return cls(kind, people, data, not alike, payers, _spared(lines))

    @property
    def is_settlement(self) -> bool:
        return self.kind == Kind.SETTLEMENT

    def payload(self) -> Json:
        if self.each_line:
            lines = [line for line in self.lines if line[2].strip()]
        else:
            lines = [(payer, str(self.data.get("payee") or ""), str(self.data.get("amount") or "")) for payer in self.payers]
        first, second = ("to", "from") if self.is_settlement else ("from", "to")
        numbered = [
            {first: _number(payer, "payer"), second: _number(payee, "payee"), "amount": _number(amount, "amount")}
            for payer, payee, amount in lines
        ]
        return {"lines": numbered, "text": str(self.data.get("text") or "")}


@dataclass(slots=True)
class PositionForm:
    """Dealer, streak, round wind and carried state; what is left as it was is not part of the payload."""

    template: ClassVar[str] = "scoring_app/entry/forms/position.html"

    ruleset: Ruleset
    data: QueryDict
    shown: QueryDict
    """As the form was before anything was changed in it."""
    fields: list[Field]
    text: str = ""

    @classmethod
    def over(
        cls,
        situation: Situation,
        *,
        ruleset: Ruleset,
        names: Sequence[str],
        language: str,
        data: QueryDict | None,
        set_by_hand: Json | None = None,
    ) -> PositionForm:
        """The form in a situation, as sent or (``data`` None) as it is, but for what an entry had ``set_by_hand``."""
        shown = _position_data(situation, ruleset)
        filled = data if data is not None else _position_data(situation.overridden(set_by_hand or {}), ruleset)
        fields = table_fields(Asking(ruleset, filled, language, names))
        if ruleset.document.parties is not None:
            fields = {name: one for name, one in fields.items() if name not in ("dealer", "streak", "wind")}
        return cls(ruleset, filled, shown, list(fields.values()))

    def position(self) -> Json:
        before, after = ({"state": {}, **read_table(self.ruleset, data)} for data in (self.shown, self.data))
        if self.ruleset.document.parties is not None:
            after = {"state": after["state"]}
        return {name: value for name, value in after.items() if _said(before.get(name)) != _said(value)}

    def payload(self) -> Json:
        return {"table": self.position(), "text": self.text}


@dataclass(slots=True)
class ScoresForm:
    """A score for each: totals to be reached, or what an imported result brought; and perhaps the position."""

    template: ClassVar[str] = "scoring_app/entry/forms/scores.html"

    rows: list[tuple[Somebody, str]]
    position: PositionForm | None
    text: str
    as_result: bool = False

    @classmethod
    def of(
        cls, people: list[Somebody], values: Mapping[int, Any], *, data: QueryDict | None, position: PositionForm | None, text: str
    ) -> ScoresForm:
        """``values`` by number, as they are or were; what was sent wins."""
        named = {one.number: one for one in people}
        rows = [
            (named[number], str(value if data is None else data.get(f"total.{number}", value)))
            for number, value in values.items()
            if number in named
        ]
        return cls(rows, position, text)

    def totals(self) -> dict[int, int]:
        return {one.number: _number(value, f"total.{one.number}") for one, value in self.rows}

    def payload(self) -> Json:
        totals = self.totals()
        if not self.as_result:
            table = self.position.position() if self.position else {}
            return {"totals": {str(number): total for number, total in totals.items()}, "table": table, "text": self.text}
        off = sum(totals.values())
        if off:
            zh, en = (
                f"各人得分之和应为零，现在{'多' if off > 0 else '少'}了 {abs(off)}。",
                f"The points must come to zero; they are {off:+}.",
            )
            raise InvalidEntry("unbalanced", Text(zh=zh, en=en), "total")
        lines = [{"from": line.payer, "to": line.payee, "amount": line.amount} for line in settle_up(totals)]
        return {"lines": lines, "text": self.text}


@dataclass(slots=True)
class SeatsForm:
    """Who sits on which seat."""

    template: ClassVar[str] = "scoring_app/entry/forms/seats.html"

    people: list[Somebody]
    chosen: list[int | None]
    text: str | None = None
    """What is said about it; None where nothing is asked."""
    table: Json = field(default_factory=dict)

    @property
    def places(self) -> list[dict[str, Any]]:
        names = seat_names()
        return [{"name": names[seat] if seat < len(names) else str(seat + 1), "chosen": one} for seat, one in enumerate(self.chosen)]

    @staticmethod
    def read(data: QueryDict) -> list[int | None]:
        return [int(text) if text.isdecimal() and len(text) < 5 else None for text in data.getlist("seat")]

    def payload(self) -> Json:
        return {"seats": self.chosen, "text": self.text or "", **({"table": self.table} if self.table else {})}


@dataclass(slots=True)
class TextForm:
    """Nothing but words: a note, what was said when the table was closed."""

    template: ClassVar[str] = "scoring_app/entry/forms/text.html"

    text: str
    rest: Json = field(default_factory=dict)

    def payload(self) -> Json:
        return {**self.rest, "text": self.text}


EntryForm = LinesForm | PositionForm | ScoresForm | SeatsForm | TextForm


def form_of_entry(
    entry: EntryView, overview: TableOverview, *, ruleset: Ruleset, language: str, data: QueryDict | None
) -> EntryForm | None:
    """The form of what an entry says, with what was sent instead where something was; None for what has no form."""
    content, before = entry.content, entry.before
    if content is None or before is None or entry.kind == Kind.RULES:
        return None
    payload = content.payload
    people = everybody(overview)
    text = str(payload.get("text", "") if data is None else data.get("text") or "")
    if entry.kind in LINE_KINDS:
        return LinesForm.filled(entry.kind, people, payload) if data is None else LinesForm.sent(entry.kind, people, data)
    if entry.kind == Kind.RESULT:
        brought = _brought(payload)
        values = {one.number: brought.get(one.number, 0) for one in people if one.is_player or one.number in brought}
        form = ScoresForm.of(people, values, data=data, position=None, text=text)
        form.as_result = True
        return form
    if entry.kind == Kind.SEAT_CHANGE:
        chosen = payload["seats"] if data is None else SeatsForm.read(data)
        return SeatsForm([one for one in people if one.is_player], list(chosen), text, payload.get("table", {}))
    if entry.kind not in (Kind.SET_SCORES, Kind.POSITION):
        return TextForm(text, {name: value for name, value in payload.items() if name != "text"})
    position = PositionForm.over(
        before,
        ruleset=ruleset,
        names=names_by_seat(before, overview.participants),
        language=language,
        data=data,
        set_by_hand=payload.get("table"),
    )
    position.text = text
    if entry.kind == Kind.POSITION:
        return position
    totals = {int(number): total for number, total in payload["totals"].items()}
    return ScoresForm.of(people, totals, data=data, position=position, text=text)


def _brought(payload: Json) -> dict[int, int]:
    """What the lines of a payload bring each."""
    brought: dict[int, int] = {}
    for line in payload["lines"]:
        brought[line["from"]] = brought.get(line["from"], 0) - line["amount"]
        brought[line["to"]] = brought.get(line["to"], 0) + line["amount"]
    return brought


def _position_data(situation: Situation, ruleset: Ruleset) -> QueryDict:
    """A situation as its form would send it."""
    data = QueryDict(mutable=True)
    data["dealer"] = "" if situation.dealer is None else str(situation.dealer)
    data["streak"], data["wind"] = str(situation.streak), situation.round_wind
    for name in ruleset.document.state:
        if name in situation.state:
            for key, values in flatten_input(f"s.{name}", situation.state[name], ruleset).items():
                data.setlist(key, values)
    return data


def _said(value: Any) -> Any:
    """A value to compare: a switch that is off says as much as one that is not there."""
    if not isinstance(value, dict):
        return value
    return {name: one for name, one in value.items() if one is not None and one is not False and one != []}


def _spared(lines: list[Any]) -> list[tuple[str, str, str]]:
    """The lines that say something, and a few to be filled in."""
    return [line for line in lines if any(line)] + [("", "", "")] * SPARE_LINES


def _number(text: str, path: str) -> int:
    """:raises InvalidEntry: it is no whole number."""
    cleaned = str(text).strip().replace("−", "-")
    try:
        if not cleaned or len(cleaned) > 15:
            raise ValueError(cleaned)
        return int(cleaned)
    except ValueError:
        message = Text(zh=f"“{cleaned[:20]}”不是整数。", en=f"“{cleaned[:20]}” is no whole number.")
        if not cleaned:
            message = Text(zh="还没有填完。", en="Something is not filled in yet.")
        raise InvalidEntry("bad_input", message, path) from None
