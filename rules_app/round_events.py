"""The events a game knows, as choices, as forms, and read back from what was sent.

An event has a key: ``win``, ``kong:<kind>``, ``draw``, ``penalty:<name>``, or the name of one of the game's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules_app.engine import Ruleset
from rules_app.engine.schema import EventKind, Pattern, Words
from rules_app.engine.shorthand import format_meld, parse_melds
from rules_app.round_fields import (
    Asking,
    Choice,
    Data,
    Field,
    _number,
    flatten_input,
    hands_field,
    input_fields,
    read_hands,
    read_inputs,
)


@dataclass(frozen=True, slots=True)
class EventChoice:
    """A kind of event: its key, its name and the group in which it stands (win, kong, draw, penalty, own)."""

    key: str
    label: str
    group: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class DeclaredPattern:
    """A pattern of quick entry: how often it is declared, and how often it may be."""

    name: str
    id: str
    label: str
    value: str
    count: int
    most: int
    words: str = ""
    """What people may type to find it: its names in both languages, other names, pinyin."""


def event_choices(ruleset: Ruleset, language: str) -> list[EventChoice]:
    """All kinds of events of a game, in the order in which people look for them."""

    def say(words: Words | None) -> str:
        return "" if words is None else words.zh if language.startswith("zh") else words.en

    events = ruleset.document.events
    found = [EventChoice("win", _("Win"), "win")] if events.win else []
    found += [EventChoice(f"kong:{kind}", say(spec.name), "kong") for kind, spec in events.kongs.items()]
    if events.draw is not None:
        found.append(EventChoice("draw", pgettext("end of a round", "Draw"), "draw"))
    found += [EventChoice(f"penalty:{name}", say(spec.name), "penalty", say(spec.help)) for name, spec in events.penalties.items()]
    found += [EventChoice(name, say(spec.name), "own", say(spec.help)) for name, spec in events.own.items()]
    return found


def event_fields(asking: Asking, key: str, prefix: str = "") -> list[Field]:
    """The fields of an event other than a win; empty for a key that the game does not know."""
    events = asking.ruleset.document.events
    kind, _colon, name = key.partition(":")
    if kind == "kong" and name in events.kongs:
        spec = events.kongs[name]
        made = [_seat_field(asking, f"{prefix}seat", _("Who"))]
        if spec.several or spec.group:
            value = asking.get(f"{prefix}tiles")
            if not value and spec.group:
                value = asking.ruleset.document.claims.special[spec.group].tiles
            made.append(Field(f"{prefix}tiles", "tiles", _("Tiles"), value=value, required=True))
        else:
            tile = asking.get(f"{prefix}tile", spec.tile or "")
            made.append(Field(f"{prefix}tile", "tile", _("Tile"), value=tile, required=True, tiles_of="" if spec.tile else "plain"))
        if spec.giver != "none":
            giver = asking.get(f"{prefix}from")
            none = [] if spec.giver == "required" else [Choice("", _("not said"), not giver)]
            label = _("Who gave it") if name == "exposed" else _("Who gave the pong")
            choices = [*none, *asking.seats(giver)]
            made.append(Field(f"{prefix}from", "choice", label, value=giver, choices=choices, required=spec.giver == "required"))
        return made + input_fields(asking, spec.fields, f"{prefix}f.")
    if kind == "draw" and events.draw in ("optional", "required"):
        help_text = _("The hands that settle: of each the tiles without a winning tile.")
        return [hands_field(asking, f"{prefix}hands", _("Hands shown"), help_text)]
    own: EventKind | None = events.penalties.get(name) if kind == "penalty" else events.own.get(key)
    if own is None:
        return []
    seat = [_seat_field(asking, f"{prefix}seat", _("Who"))] if own.seat else []
    return seat + input_fields(asking, own.fields, f"{prefix}f.")


def _seat_field(asking: Asking, name: str, label: str) -> Field:
    value = asking.get(name)
    return Field(name, "choice", label, value=value, choices=asking.seats(value), required=True)


def read_event(ruleset: Ruleset, key: str, data: Data, prefix: str = "") -> dict[str, Any]:
    """The event in the form of the scorer contract.

    :raises Refusal: ``bad_tiles`` for melds that name no tiles.
    """
    kind, _colon, name = key.partition(":")
    events = ruleset.document.events
    if key == "win":
        return read_win(ruleset, data, prefix)
    event: dict[str, Any] = {"type": kind}
    seat = data.get(f"{prefix}seat")
    if seat not in (None, "") and kind != "draw":
        event["seat"] = _number(str(seat))
    if kind == "kong":
        event["kind"] = name
        for part in ("tile", "tiles"):
            if data.get(f"{prefix}{part}"):
                event[part] = str(data.get(f"{prefix}{part}"))
        if data.get(f"{prefix}from") not in (None, ""):
            event["from"] = _number(str(data.get(f"{prefix}from")))
        spec = events.kongs.get(name)
        return event | (read_inputs(ruleset, spec.fields, data, f"{prefix}f.") if spec else {})
    if kind == "draw":
        hands = read_hands(ruleset, data, f"{prefix}hands")
        return event | ({"hands": hands} if hands else {})
    if kind == "penalty":
        event["name"] = name
    own = events.penalties.get(name) if kind == "penalty" else events.own.get(key)
    return event | (read_inputs(ruleset, own.fields, data, f"{prefix}f.") if own else {})


def read_win(ruleset: Ruleset, data: Data, prefix: str = "") -> dict[str, Any]:
    """A win by tiles or, with ``mode`` = quick, by patterns.

    :raises Refusal: ``bad_tiles`` for melds that name no tiles.
    """

    def text(name: str) -> str:
        return str(data.get(f"{prefix}{name}") or "").strip()

    event: dict[str, Any] = {"type": "win", "seat": _number(text("seat") or "0"), "by": "self_draw"}
    if text("from"):
        event["by"] = "rob_kong" if text("rob") in ("1", "on") else "discard"
        event["from"] = _number(text("from"))
    flags = [flag for flag in data.getlist(f"{prefix}flag") if flag]
    if flags:
        event["flags"] = flags
    if text("flowers"):
        event["flowers"] = text("flowers")
    if text("mode") == "quick":
        start = f"{prefix}p."
        declared = []
        for key in data:
            if key.startswith(start):
                times = _number(str(data.get(key) or "0"))
                declared += [key[len(start) :]] * min(times, 20) if isinstance(times, int) else [key[len(start) :]]
        event["declared"] = declared
        return event
    event["hand"] = text("hand")
    if text("tile"):
        event["tile"] = text("tile")
    if text("melds"):
        event["melds"] = parse_melds(text("melds"), ruleset.special_melds, f"{prefix}melds")
    return event


def key_of_event(event: Mapping[str, Any]) -> str:
    """The key of an event of the scorer contract."""
    kind = str(event["type"])
    return f"{kind}:{event.get('kind') or event.get('name')}" if kind in ("kong", "penalty") else kind


def data_of_event(ruleset: Ruleset, event: Mapping[str, Any], prefix: str = "") -> QueryDict:
    """An event as form data, to fill its form again: the inverse of `read_event`."""
    data = QueryDict(mutable=True)

    def put(name: str, *values: Any) -> None:
        data.setlist(f"{prefix}{name}", [str(value) for value in values])

    data[f"{prefix}what"] = key_of_event(event)
    for key, value in event.items():
        if value is None or key in ("type", "kind", "name") or (key == "by" and event["type"] == "win"):
            continue
        if key in ("seat", "from", "tile", "tiles") or (event["type"] == "win" and key in ("hand", "flowers")):
            put(key, value)
        elif key == "flags":
            put("flag", *value)
        elif key == "declared":
            put("mode", "quick")
            for name in value:
                put(f"p.{name}", value.count(name))
        elif key == "melds" and event["type"] == "win":
            put("melds", ", ".join(format_meld(meld, ruleset.special_melds) for meld in value))
        else:
            name = f"{prefix}hands" if key == "hands" and event["type"] == "draw" else f"{prefix}f.{key}"
            for inner, values in flatten_input(name, value, ruleset).items():
                data.setlist(inner, values)
    if event.get("by") == "rob_kong":
        put("rob", 1)
    return data


def flag_choices(asking: Asking, prefix: str = "") -> list[Choice]:
    """The flags of the game."""
    chosen = asking.data.getlist(f"{prefix}flag")
    return [
        Choice(name, asking.say(flag.name), name in chosen, asking.say(flag.help)) for name, flag in asking.ruleset.document.flags.items()
    ]


def declared_patterns(asking: Asking, prefix: str = "") -> list[DeclaredPattern]:
    """The patterns that quick entry asks for: those that the engine does not add by itself."""
    found = []
    for name, pattern in asking.ruleset.document.patterns.items():
        if pattern.follows or not pattern.listed:
            continue
        key = f"{prefix}p.{name}"
        count = _number(asking.get(key, "0"))
        number = count if isinstance(count, int) else 0
        value = value_words(asking.ruleset, pattern, asking.language)
        found.append(DeclaredPattern(key, name, asking.say(pattern.name), value, number, pattern.repeat, search_words(name, pattern)))
    return found


def search_words(name: str, pattern: Pattern) -> str:
    """Everything under which a pattern may be looked for, in small letters."""
    aliases = pattern.aliases
    pinyin = pattern.pinyin or ""
    initials = "".join(word[0] for word in pinyin.split())
    words = [pattern.name.zh, pattern.name.en, name, pinyin, pinyin.replace(" ", ""), initials]
    return " ".join([*words, *aliases.zh, *aliases.zh_hant, *aliases.en, *aliases.pinyin]).lower()


def value_words(ruleset: Ruleset, pattern: Pattern, language: str) -> str:
    """The value of a pattern as the table says it; nothing where it depends on the hand."""
    if pattern.value_text is not None:
        return pattern.value_text.zh if language.startswith("zh") else pattern.value_text.en
    if isinstance(pattern.value, int) and not isinstance(pattern.value, bool):
        return signed_value(ruleset, pattern.unit, pattern.value, language)
    return ""


def signed_value(ruleset: Ruleset, unit_id: str, value: int, language: str) -> str:
    """A value in its unit: ×4, +2 doublings, 24 fan."""
    unit = ruleset.document.units[unit_id]
    if unit.sign == "times" and unit.combine != "sum":
        return f"×{value}"
    name = unit.name.zh if language.startswith("zh") else unit.one if unit.one and value == 1 else unit.name.en
    return f"{'+' if unit.sign == 'times' else ''}{value} {name}"
