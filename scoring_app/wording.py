"""What happened at a table, in the words of whoever reads: events, entries, the situation."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from rules_app.engine import Refusal, Ruleset
from rules_app.engine.schema import Words
from scoring_app.ledger import LedgerError, Situation
from scoring_app.models import Participant
from scoring_app.statistics import Person

Names = Sequence[str]
"""Names by seat, or by participant number in games whose parties are not seats."""


def say(words: Words | None, language: str) -> str:
    """The wording in a language; nothing for none."""
    return "" if words is None else words.in_language(language)


def comma(language: str) -> str:
    return "、" if language.startswith("zh") else ", "


def participant_name(person: Participant | Person) -> str:
    """The name; the house and the pool are called by what they are."""
    if person.kind == Participant.Kind.HOUSE:
        return _("House")
    if person.kind == Participant.Kind.POOL:
        return _("Pool")
    return person.name


def names_by_seat(situation: Situation, participants: Mapping[int, Participant]) -> list[str]:
    """The names at the table in seat order."""
    return [participant_name(participants[number]) if number is not None else _("(empty)") for number in situation.seats]


def pattern_names(ruleset: Ruleset, ids: Sequence[str], language: str, *, after: str = "") -> str:
    """Patterns by name, each once, with how often where that is more than once; not the one with which ``after`` ends."""
    document = ruleset.document
    named = []
    for name in dict.fromkeys(ids):
        pattern = document.patterns.get(name)
        times = ids.count(name)
        text = say(pattern.name, language) if pattern else name
        if times > 1 or not after.endswith(text):
            named.append(f"{text} ×{times}" if times > 1 else text)
    return comma(language).join(named)


def win_words(win: Mapping[str, Any], names: Names) -> str:
    """Who won, and from whom."""
    seat, giver = win.get("seat"), win.get("from")
    winner = name_at(names, seat)
    if giver is None:
        return _("%(winner)s: self-draw") % {"winner": winner}
    if win.get("by") == "rob_kong":
        return _("%(winner)s robs the kong of %(payer)s") % {"winner": winner, "payer": name_at(names, giver)}
    return _("%(winner)s wins from %(payer)s") % {"winner": winner, "payer": name_at(names, giver)}


def name_at(names: Names, seat: Any) -> str:
    return names[seat] if isinstance(seat, int) and 0 <= seat < len(names) else "?"


def event_words(event: Mapping[str, Any], ruleset: Ruleset, names: Names, language: str) -> str:
    """An event in a line, without its tiles and amounts."""
    events = ruleset.document.events
    kind = event.get("type")
    who = name_at(names, event.get("seat")) if "seat" in event else ""
    if kind == "win":
        return win_words(event, names)
    if kind == "draw":
        return pgettext("end of a round", "Draw")
    if kind == "kong":
        spec = events.kongs.get(str(event.get("kind")))
        name = say(spec.name, language) if spec else str(event.get("kind"))
        if event.get("from") is not None:
            return _("%(who)s: %(what)s from %(giver)s") % {"who": who, "what": name, "giver": name_at(names, event["from"])}
    elif kind == "penalty":
        own = events.penalties.get(str(event.get("name")))
        name = say(own.name, language) if own else str(event.get("name"))
    else:
        own = events.own.get(str(kind))
        name = say(own.name, language) if own else str(kind)
    return _("%(who)s: %(what)s") % {"who": who, "what": name} if who else name


def carried_words(situation: Situation, ruleset: Ruleset, names: Names, language: str) -> list[str]:
    """What the table carries from round to round, as its document says it."""
    words = []
    for name, spec in ruleset.document.state.items():
        value = situation.state.get(name)
        if spec.show is None or value in (None, 0, False, []):
            continue
        if spec.type == "seat":
            value = name_at(names, value)
        elif spec.type == "seats":
            value = comma(language).join(name_at(names, seat) for seat in value)
        words.append(say(spec.show, language).replace("{value}", str(value)))
    return words


def position_words(situation: Situation, told: Collection[str], names: Names) -> list[str]:
    """Dealer, streak and round wind of a situation, those that are to be ``told``."""
    words = []
    if "dealer" in told and situation.dealer is not None:
        words.append(_("%(name)s deals") % {"name": name_at(names, situation.dealer)})
    if "streak" in told:
        words.append(
            ngettext("%(count)s round dealt before", "%(count)s rounds dealt before", situation.streak) % {"count": situation.streak}
        )
    if "round_wind" in told:
        words.append(_("%(wind)s round") % {"wind": wind_name(situation.round_wind)})
    return words


def seat_names() -> list[str]:
    """What the seats of a table are called."""
    return [pgettext("seat", "East"), pgettext("seat", "South"), pgettext("seat", "West"), pgettext("seat", "North")]


def seat_name(seat: int) -> str:
    names = seat_names()
    return names[seat] if seat < len(names) else str(seat + 1)


def wind_name(tile: str) -> str:
    """A wind tile as a word."""
    return {
        "1z": pgettext("wind", "East"),
        "2z": pgettext("wind", "South"),
        "3z": pgettext("wind", "West"),
        "4z": pgettext("wind", "North"),
    }.get(tile, "")


def problem_words(error: Refusal | LedgerError, language: str) -> str:
    """Why something is refused, in the page's language."""
    return error.message.in_language(language)
