"""The events and circumstances of an example in words and tiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules_app.book.hands import HandShown, hand_of_event, tidy, wild_of
from rules_app.book.rules import default_words
from rules_app.engine import Ruleset
from rules_app.engine.schema import Input, Words


@dataclass(frozen=True, slots=True)
class Detail:
    """A further fact: its name, then words or tiles."""

    name: str
    words: str = ""
    tiles: str = ""


@dataclass(frozen=True, slots=True)
class Happening:
    """An event: who did what, the hand it shows, and what else belongs to it."""

    words: str
    tiles: str = ""
    shown: HandShown | None = None
    details: list[Detail] = field(default_factory=list)
    hands: list[tuple[str, HandShown]] = field(default_factory=list)
    """Hands of several seats, by the seat's name."""


class Teller:
    """Says events of a ruleset in one language, with given names of the seats."""

    def __init__(self, ruleset: Ruleset, language: str, names: Sequence[str]) -> None:
        self.ruleset = ruleset
        self.document = ruleset.document
        self.zh = language.startswith("zh")
        self.names = names

    def say(self, words: Words | None) -> str:
        """The wording in the language; nothing for none."""
        return "" if words is None else words.zh if self.zh else words.en

    def seat(self, seat: object) -> str:
        """The name of a seat."""
        return self.names[seat] if isinstance(seat, int) and 0 <= seat < len(self.names) else str(seat)

    def join(self, parts: Sequence[str]) -> str:
        """A list in words."""
        return ("、" if self.zh else ", ").join(part for part in parts if part)

    def happening(self, event: Mapping[str, Any], wild: str = "") -> Happening:
        """An event of the scorer contract."""
        match event.get("type"):
            case "win":
                return self.win(event, wild)
            case "kong":
                return self.kong(event)
            case "draw":
                hands = [(self.seat(hand.get("seat")), hand_of_event(self.ruleset, hand, wild)) for hand in event.get("hands") or ()]
                return Happening(pgettext("end of a round", "Draw"), hands=hands)
            case "penalty":
                spec = self.document.events.penalties.get(str(event.get("name")))
            case kind:
                spec = self.document.events.own.get(str(kind))
        name = self.say(spec.name) if spec else str(event.get("name") or event.get("type"))
        who = self.seat(event["seat"]) if "seat" in event else ""
        shown = hand_of_event(self.ruleset, event, wild)
        drawn = {"type", "name", "seat", "hand", "melds", "flowers"}
        comparison = self.document.comparison
        if comparison is not None and event.get("type") == comparison.event:
            drawn |= {comparison.against, comparison.sides}
        details = self.details(spec.fields if spec else {}, {key: value for key, value in event.items() if key not in drawn})
        return Happening(_("%(who)s: %(what)s") % {"who": who, "what": name} if who else name, shown=shown, details=details)

    def win(self, event: Mapping[str, Any], wild: str) -> Happening:
        """A win."""
        words = {"who": self.seat(event.get("seat")), "payer": self.seat(event.get("from"))}
        if event.get("by") == "rob_kong":
            text = _("%(who)s wins by robbing the kong of %(payer)s") % words
        elif event.get("from") is None:
            text = _("%(who)s wins by self-draw") % words
        else:
            text = _("%(who)s wins on the discard of %(payer)s") % words
        return Happening(text, shown=hand_of_event(self.ruleset, event, wild), details=self.win_details(event))

    def win_details(self, event: Mapping[str, Any]) -> list[Detail]:
        """Flags and declared patterns of a win."""
        details = []
        flags = [self.say(self.document.flags[flag].name) for flag in event.get("flags") or () if flag in self.document.flags]
        if flags:
            details.append(Detail(self.join(flags)))
        declared = [self.say(self.document.patterns[name].name) for name in event.get("declared") or () if name in self.document.patterns]
        if declared:
            details.append(Detail(_("declared"), self.join(declared)))
        return details

    def kong(self, event: Mapping[str, Any]) -> Happening:
        """A kong."""
        kind = self.document.events.kongs.get(str(event.get("kind")))
        words = {"who": self.seat(event.get("seat")), "what": self.say(kind.name) if kind else _("kong")}
        details = self.details(kind.fields if kind else {}, {k: v for k, v in event.items() if kind and k in kind.fields})
        if event.get("from") is not None:
            details.insert(0, Detail(_("from %(payer)s") % {"payer": self.seat(event["from"])}))
        return Happening(_("%(who)s: %(what)s") % words, tiles=str(event.get("tile") or event.get("tiles") or ""), details=details)

    def details(self, specs: Mapping[str, Input], values: Mapping[str, Any]) -> list[Detail]:
        """Fields of an event or inputs of a round, those that say something."""
        found = []
        for name, value in values.items():
            spec = specs.get(name)
            if spec is not None and value not in (None, False, [], ""):
                found.append(self.detail(spec, value))
        return [one for one in found if one is not None]

    def detail(self, spec: Input, value: Any) -> Detail | None:
        """One field."""
        name = self.say(spec.name)
        if spec.per_seat and isinstance(value, list):
            parts = [f"{self.seat(seat)} {self.plain(spec, one)}".strip() for seat, one in enumerate(value) if one not in (None, 0, False)]
            return Detail(name, self.join(parts)) if parts else None
        if spec.type == "flag":
            return Detail(name)
        if spec.type in ("tile", "tiles"):
            return Detail(name, tiles=" ".join(tidy(str(one)) for one in value) if isinstance(value, list) else str(value))
        if spec.type == "seats":
            return Detail(name, self.join([self.seat(one) for one in value]))
        if spec.type == "records" and isinstance(value, list):
            return Detail(name, ("；" if self.zh else "; ").join(self.record(spec.fields or {}, record) for record in value))
        if isinstance(value, list):
            return Detail(name, self.join([self.plain(spec, one) for one in value]))
        return Detail(name, self.plain(spec, value))

    def record(self, specs: Mapping[str, Input], record: Mapping[str, Any]) -> str:
        """One record of a list."""
        parts = []
        for key, value in record.items():
            spec = specs.get(key)
            if spec is None:
                continue
            said = self.plain(spec, value)
            parts.append(said if spec.type in ("name", "seat") else f"{self.say(spec.name)} {said}")
        return " ".join(parts)

    def plain(self, spec: Input, value: Any) -> str:
        """A single value."""
        if spec.type == "seat":
            return self.seat(value)
        if spec.type == "choice" and spec.values and value in spec.values:
            return self.say(spec.values[value])
        if isinstance(value, bool):
            return ""
        if isinstance(value, Mapping):
            return self.join([f"{self.seat(item) if key == 'seat' else item}" for key, item in value.items()])
        return str(value)

    def options(self, options: Mapping[str, Any]) -> list[Detail]:
        """The house rules of an example."""
        found = []
        for name, value in options.items():
            option = self.document.options.get(name)
            if option is not None:
                found.append(Detail(self.say(option.name), self.say(default_words(option.model_copy(update={"default": value})))))
        return found

    def setting(self, request: Mapping[str, Any]) -> list[Detail]:
        """What holds before the events: house rules, wild tiles, inputs, what the table carries."""
        details = self.options(request.get("options") or {})
        table = request.get("table") or {}
        if table.get("dealer"):
            details.append(Detail(_("Dealer"), self.seat(table["dealer"])))
        if table.get("streak"):
            details.append(Detail(_("Rounds dealt in a row before"), str(table["streak"])))
        if table.get("round_wind"):
            details.append(Detail(_("Round wind"), tiles=str(table["round_wind"])))
        for name, value in (table.get("state") or {}).items():
            state = self.document.state.get(name)
            if state is not None and value not in (None, False, [], ""):
                spec = Input(name=state.name, type=state.type, per_seat=state.per_seat)
                details += [one for one in [self.detail(spec, value)] if one is not None]
        details += self.details(self.document.inputs, request.get("round", {}).get("inputs") or {})
        wild = wild_of(self.ruleset, request)
        if wild and self.document.wild is not None and not self.ruleset.fixed_wild:
            details.append(Detail(self.say(self.document.wild.name), tiles=wild))
        return details
