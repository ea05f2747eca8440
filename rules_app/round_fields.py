"""Form fields of a round, made from a ruleset document: what to ask, and how to read what was answered.

A field is plain data for a template (`templates/rules_app/round/field.html` draws any of them); its HTML name leads back
to the place in the request of the scorer contract. Names: ``o.<option>``, ``i.<input>``, ``s.<state>``; for an event
(all behind the event's prefix) ``seat``, ``from``, ``tile``, ``tiles``, ``hands`` and ``f.<own field>``. A value a seat has
the seat behind a dot, an entry of a list of records its row: ``f.bets.0.amount``.

What cannot be read is passed on as it was typed: the engine refuses it with a sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from rules_app.engine import Refusal, Ruleset
from rules_app.engine.schema import Input, Option, State, Words
from rules_app.engine.shorthand import format_meld, parse_melds
from rules_app.engine.tiles import TileTextError, parse_tiles, tile_text

MAX_ROWS = 60
SPARE_ROWS = 1
FEW = 4
"""Of so many numbers one is tapped rather than typed."""
WINDS = ("1z", "2z", "3z", "4z")


Data = QueryDict
"""What was sent."""


@dataclass(slots=True)
class Choice:
    """One of the values of a field."""

    value: str
    label: str
    checked: bool = False
    note: str = ""


@dataclass(slots=True)
class Field:
    """One thing to ask. ``kind``: integer, flag, choice, many, tile, tiles, melds, text; group (of ``parts``) and records (``rows``)."""

    name: str
    kind: str
    label: str
    help: str = ""
    value: str = ""
    choices: list[Choice] = field(default_factory=list)
    parts: list[Field] = field(default_factory=list)
    rows: list[list[Field]] = field(default_factory=list)
    minimum: int | None = None
    maximum: int | None = None
    required: bool = False
    relevant: bool = True
    default: str = ""
    tiles_of: str = ""
    """Which keys a field of tiles needs: ``plain`` (no flowers), ``flowers``, all without a word."""

    @property
    def id(self) -> str:
        """The HTML id."""
        return "f-" + self.name.replace(".", "-")

    @property
    def is_changed(self) -> bool:
        """Whether the value is another than the default."""
        return self.value != self.default

    @property
    def shown_value(self) -> str:
        """The value in words."""
        if self.kind == "flag":
            return _("yes") if self.value == "1" else _("no")
        return next((choice.label for choice in self.choices if choice.value == self.value), self.value)


@dataclass(frozen=True, slots=True)
class Asking:
    """For whom fields are made: the ruleset, what was sent, the language, the names of the seats."""

    ruleset: Ruleset
    data: Data
    language: str
    seat_names: Sequence[str]

    def say(self, words: Words | None) -> str:
        """The wording in the language; nothing for none."""
        if words is None:
            return ""
        return words.zh if self.language.startswith("zh") else words.en

    def seats(self, value: str = "", *, without: int | None = None) -> list[Choice]:
        """The seats to choose from."""
        return [Choice(str(seat), name, str(seat) == value) for seat, name in enumerate(self.seat_names) if seat != without]

    def get(self, name: str, default: str = "") -> str:
        """The last value sent under a name."""
        value = self.data.get(name)
        return default if value is None else str(value)


# options and what the table carries


def option_fields(asking: Asking) -> list[Field]:
    """The house rules, with their defaults where nothing was sent."""
    return [_option_field(asking, name, option) for name, option in asking.ruleset.document.options.items()]


def _option_field(asking: Asking, name: str, option: Option) -> Field:
    key = f"o.{name}"
    default = _plain(option.default)
    value = asking.get(key, default)
    made = Field(key, option.type, asking.say(option.name), asking.say(option.help), value, default=default)
    if option.type == "integer":
        made.minimum, made.maximum = option.min, option.max
        if isinstance(option.values, list):
            made.kind = "choice"
            made.choices = [Choice(str(item), str(item), str(item) == value) for item in option.values]
    elif isinstance(option.values, dict):
        made.choices = [Choice(item, asking.say(words), item == value) for item, words in option.values.items()]
    return made


def read_options(ruleset: Ruleset, data: Data) -> dict[str, Any]:
    """The options that differ from their defaults; unknown ones too, for the engine to refuse."""
    found: dict[str, Any] = {}
    for key in _keys(data, "o."):
        name = key[2:]
        option = ruleset.document.options.get(name)
        text = str(data.get(key))
        value: Any = text
        if option is not None and text == "":
            continue
        if option is not None and option.type == "integer":
            value = _number(text)
        elif option is not None and option.type == "flag":
            value = _flag(text)
        if option is None or value != option.default or type(value) is not type(option.default):
            found[name] = value
    return found


def table_fields(asking: Asking) -> dict[str, Field]:
    """``dealer``, ``streak``, ``wind`` and one field for each carried value."""
    dealer, wind = asking.get("dealer", "0"), asking.get("wind", "1z")
    names = {"1z": _("East"), "2z": _("South"), "3z": _("West"), "4z": _("North")}
    found = {
        "dealer": Field("dealer", "choice", _("Dealer"), value=dealer, choices=asking.seats(dealer), default="0"),
        "streak": Field("streak", "integer", _("Rounds dealt in a row before"), value=asking.get("streak", "0"), minimum=0, default="0"),
        "wind": Field(
            "wind", "choice", _("Round wind"), value=wind, choices=[Choice(key, names[key], key == wind) for key in WINDS], default="1z"
        ),
    }
    for name, state in asking.ruleset.document.state.items():
        found[name] = _state_field(asking, name, state)
    return found


def _state_field(asking: Asking, name: str, state: State) -> Field:
    spec = Input(name=state.name, type=state.type, per_seat=state.per_seat, min=state.min)
    return input_field(asking, f"s.{name}", spec)


def read_table(ruleset: Ruleset, data: Data) -> dict[str, Any]:
    """The table before the round, as far as it was sent."""
    found: dict[str, Any] = {}
    if data.get("dealer") not in (None, ""):
        found["dealer"] = _number(str(data.get("dealer")))
    if data.get("streak") not in (None, ""):
        found["streak"] = _number(str(data.get("streak")))
    if data.get("wind") not in (None, ""):
        found["round_wind"] = str(data.get("wind"))
    state = {}
    for name, carried in ruleset.document.state.items():
        spec = Input(name=carried.name, type=carried.type, per_seat=carried.per_seat, min=carried.min)
        value = read_input(ruleset, spec, data, f"s.{name}")
        if value is not None:
            state[name] = value
    if state:
        found["state"] = state
    return found


# inputs and own fields of events


def input_fields(asking: Asking, specs: Mapping[str, Input], prefix: str = "i.") -> list[Field]:
    """A field for each input or own field of an event."""
    return [input_field(asking, f"{prefix}{name}", spec) for name, spec in specs.items()]


def input_field(asking: Asking, key: str, spec: Input) -> Field:
    """The field of one input; a group with a part a seat where there is one value a seat."""
    made = Field(key, "group", asking.say(spec.name), asking.say(spec.help), required=spec.required)
    if spec.per_seat:
        default = spec.default if isinstance(spec.default, list) else [None] * len(asking.seat_names)
        made.parts = [
            _single_field(asking, f"{key}.{seat}", spec, label=name, default=default[seat] if seat < len(default) else None)
            for seat, name in enumerate(asking.seat_names)
        ]
        for part in made.parts:
            part.help = ""
        return made
    if spec.type == "dice":
        made.parts = [
            Field(f"{key}.{die}", "integer", label, value=asking.get(f"{key}.{die}"), minimum=1, maximum=6)
            for die, label in enumerate((_("First die"), _("Second die")))
        ]
        return made
    if spec.type == "hands":
        return hands_field(asking, key, made.label, made.help)
    if spec.type == "records":
        made.kind = "records"
        count = min(len(_rows(asking.data, key)) + SPARE_ROWS, MAX_ROWS)
        made.rows = [input_fields(asking, spec.fields or {}, f"{key}.{row}.") for row in range(max(count, 1))]
        return made
    comparison = asking.ruleset.document.comparison
    if spec.type == "tiles" and comparison is not None and key.rsplit(".", 1)[-1] == comparison.sides:
        made.parts = [
            Field(f"{key}.{place}", "tiles", _("Hand %(number)s") % {"number": place + 1}, value=asking.get(f"{key}.{place}"))
            for place in range(comparison.count)
        ]
        return made
    return _single_field(asking, key, spec, label=made.label, default=spec.default)


def _single_field(asking: Asking, key: str, spec: Input, *, label: str, default: Any) -> Field:
    value = asking.get(key, _plain(default))
    made = Field(key, spec.type, label, asking.say(spec.help), value, required=spec.required, default=_plain(default))
    match spec.type:
        case "integer":
            made.minimum = spec.min
            made.maximum = spec.max if isinstance(spec.max, int) and not isinstance(spec.max, bool) else None
            if spec.required and made.minimum is not None and made.maximum is not None and made.maximum - made.minimum < FEW:
                numbers = [str(number) for number in range(made.minimum, made.maximum + 1)]
                made.kind, made.choices = "choice", [Choice(number, number, number == value) for number in numbers]
        case "choice":
            made.choices = [Choice(item, asking.say(words), item == value) for item, words in (spec.values or {}).items()]
            if not spec.required and default is None:
                made.choices.insert(0, Choice("", _("not said"), not value))
        case "seat":
            made.kind, made.choices = "choice", asking.seats(value)
            if not spec.required and default is None:  # what was tapped can be taken back
                made.choices.insert(0, Choice("", _("nobody"), not value))
        case "seats":
            chosen = asking.data.getlist(key)
            made.kind = "many"
            made.choices = [Choice(str(seat), name, str(seat) in chosen) for seat, name in enumerate(asking.seat_names)]
        case "name" | "names":
            made.kind = "text"
            made.help = made.help or (_("Names with commas between them") if spec.type == "names" else "")
    return made


def hands_field(asking: Asking, key: str, label: str, help_text: str = "") -> Field:
    """A hand, melds and flowers for each seat."""
    made = Field(key, "hands", label, help_text)
    for seat, name in enumerate(asking.seat_names):
        parts = [
            Field(f"{key}.{seat}.hand", "tiles", _("Tiles in hand"), value=asking.get(f"{key}.{seat}.hand"), tiles_of="plain"),
            Field(f"{key}.{seat}.melds", "melds", _("Melds"), value=asking.get(f"{key}.{seat}.melds"), tiles_of="plain"),
        ]
        if asking.ruleset.flower_kinds:
            flowers = asking.get(f"{key}.{seat}.flowers")
            parts.append(Field(f"{key}.{seat}.flowers", "tiles", _("Flowers"), value=flowers, tiles_of="flowers"))
        made.parts.append(Field(f"{key}.{seat}", "group", name, parts=parts))
    return made


def read_inputs(ruleset: Ruleset, specs: Mapping[str, Input], data: Data, prefix: str = "i.") -> dict[str, Any]:
    """The inputs (or own fields of an event) that were sent."""
    found = {}
    for name, spec in specs.items():
        value = read_input(ruleset, spec, data, f"{prefix}{name}")
        if value is not None:
            found[name] = value
    return found


def read_input(ruleset: Ruleset, spec: Input, data: Data, key: str) -> Any:
    """The value of one input, None where nothing was sent."""
    seats = ruleset.document.seats
    if spec.per_seat:
        values = [_read_single(ruleset, spec, data, f"{key}.{seat}") for seat in range(seats)]
        if all(value in (None, False) for value in values):
            return None
        empty = {"integer": 0, "flag": False}.get(spec.type)
        return [empty if value is None else value for value in values]
    if spec.type == "dice":
        dice = [str(data.get(f"{key}.{die}") or "") for die in (0, 1)]
        return [_number(die) for die in dice] if any(dice) else None
    if spec.type == "hands":
        return read_hands(ruleset, data, key) or None
    if spec.type == "records":
        records = [read_inputs(ruleset, spec.fields or {}, data, f"{key}.{row}.") for row in _rows(data, key)]
        return [record for record in records if any(value is not False for value in record.values())] or None
    comparison = ruleset.document.comparison
    if spec.type == "tiles" and comparison is not None and key.rsplit(".", 1)[-1] == comparison.sides:
        hands = [str(data.get(f"{key}.{place}") or "") for place in range(comparison.count)]
        return hands if any(hands) else None
    return _read_single(ruleset, spec, data, key)


def _read_single(ruleset: Ruleset, spec: Input, data: Data, key: str) -> Any:
    if spec.type == "seats":
        return [_number(item) for item in data.getlist(key) if item != ""] or None
    value = data.get(key)
    if value is None or str(value).strip() == "":
        return None
    text = str(value)
    match spec.type:
        case "integer" | "seat":
            return _number(text)
        case "flag":
            return _flag(text)
        case "names":
            return [part.strip() for part in text.replace("，", ",").replace("、", ",").split(",") if part.strip()]
        case "melds":
            return parse_melds(text, ruleset.special_melds)
    return text


def read_hands(ruleset: Ruleset, data: Data, key: str) -> list[dict[str, Any]]:
    """The hands shown, of every seat for which one was sent.

    :raises Refusal: ``bad_tiles`` for melds that name no tiles.
    """
    found: list[dict[str, Any]] = []
    for seat in range(ruleset.document.seats):
        hand, melds, flowers = (str(data.get(f"{key}.{seat}.{part}") or "").strip() for part in ("hand", "melds", "flowers"))
        if hand or melds or flowers:
            shown: dict[str, Any] = {"seat": seat, "hand": hand}
            if melds:
                shown["melds"] = parse_melds(melds, ruleset.special_melds, f"{key}[{len(found)}].melds")
            if flowers:
                shown["flowers"] = flowers
            found.append(shown)
    return found


def flatten_input(key: str, value: Any, ruleset: Ruleset) -> dict[str, list[str]]:
    """A value of the scorer contract as form data under ``key``: the inverse of `read_input`."""
    if value is None:
        return {}
    if isinstance(value, bool):
        return {key: ["1" if value else "0"]}
    if isinstance(value, list):
        if value and isinstance(value[0], dict):
            if "kind" in value[0]:
                return {key: [", ".join(format_meld(meld, ruleset.special_melds) for meld in value)]}
            found: dict[str, list[str]] = {}
            for row, record in enumerate(value):
                place = record.get("seat", row) if "hand" in record and isinstance(record.get("hand"), str) else row
                for name, item in record.items():
                    if not (name == "seat" and place == item and "hand" in record):
                        found |= flatten_input(f"{key}.{place}.{name}", item, ruleset)
            return found
        return {key: [str(item) for item in value], **{f"{key}.{place}": [_plain(item)] for place, item in enumerate(value)}}
    return {key: [str(value)]}


def wild_texts(text: str) -> list[str]:
    """The kinds named in a text, one tile text each; the text itself where it cannot be read."""
    try:
        return [tile_text(kind) for kind in parse_tiles(text)]
    except TileTextError:
        return [text]


def _keys(data: Data, prefix: str) -> list[str]:
    return [key for key in data if key.startswith(prefix)]


def _rows(data: Data, key: str) -> list[int]:
    start = f"{key}."
    found = {part[0] for name in _keys(data, start) if (part := name[len(start) :].split("."))[0].isdecimal() and data.get(name)}
    return sorted(int(row) for row in found if len(row) < 4)[:MAX_ROWS]


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return "" if value is None else str(value)


def _number(text: str) -> int | str:
    text = text.strip().replace("−", "-")
    try:
        return int(text) if len(text) < 20 else text
    except ValueError:
        return text


def _flag(text: str) -> bool | str:
    return {"1": True, "true": True, "on": True, "0": False, "false": False}.get(text, text)


__all__ = ["Asking", "Choice", "Data", "Field", "Refusal", "flatten_input", "input_field", "input_fields", "option_fields", "read_input"]
