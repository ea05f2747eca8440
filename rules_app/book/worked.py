"""The examples of a document with what the engine says of them now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules_app.book.anchors import anchor
from rules_app.book.asking import try_url
from rules_app.book.hands import HandShown, hand_of_example
from rules_app.book.happenings import Detail, Happening, Teller
from rules_app.engine import Outcome, Refusal, Ruleset
from rules_app.engine.examples import HARMLESS, differences, outcome_of, request_of_example, request_of_hand
from rules_app.engine.schema import Example, HandExample
from rules_app.results import ResultShown, present
from rules_app.round_events import signed_value


@dataclass(frozen=True, slots=True)
class Counted:
    """A pattern that the engine counts in an example; ``is_own`` for the one that the example shows."""

    name: str
    value: str
    count: int
    anchor: str
    is_own: bool


@dataclass(slots=True)
class HandWorked:
    """An example or counter-example of a pattern. ``agrees``: the engine says what the document says."""

    shown: HandShown
    is_counter: bool
    agrees: bool
    text: str
    setting: list[Detail]
    before: list[Happening]
    counted: list[Counted] = field(default_factory=list)
    fan: int | None = None
    refusal: str = ""
    try_url: str = ""


@dataclass(slots=True)
class RoundWorked:
    """A whole round: what happens in it and what it comes to."""

    id: str
    title: str
    text: str
    setting: list[Detail]
    happenings: list[Happening]
    agrees: bool
    rules: tuple[str, ...]
    result: ResultShown | None = None
    refusal: str = ""
    try_url: str = ""
    bare: str = ""
    """A further anchor: the id itself, where no other rule owns it."""


def seat_numbers(seats: int) -> list[str]:
    """The seats as the examples call them, from 0 in playing order."""
    return [_("Seat 0"), _("Seat 1"), _("Seat 2"), _("Seat 3")][:seats]


def hands_worked(ruleset: Ruleset, slug: str, pattern: str, language: str) -> Iterator[HandWorked]:
    """The examples of a pattern, then its counter-examples."""
    spec = ruleset.document.patterns[pattern]
    for example in spec.examples:
        yield hand_worked(ruleset, slug, pattern, example, language, is_counter=False)
    for example in spec.counters:
        yield hand_worked(ruleset, slug, pattern, example, language, is_counter=True)


def hand_worked(ruleset: Ruleset, slug: str, pattern: str, example: HandExample, language: str, *, is_counter: bool) -> HandWorked:
    """One example of a pattern, scored."""
    teller = Teller(ruleset, language, seat_numbers(ruleset.document.seats))
    text = teller.say(example.text)
    try:
        request = request_of_hand(ruleset, example)
    except ValueError:
        return HandWorked(HandShown(hand=example.hand), is_counter, agrees=False, text=text, setting=[], before=[])
    *before, last = request["round"]["events"]
    result = outcome_of(ruleset, request)
    setting = [*_manner(ruleset, example, last, teller), *teller.setting(request)]
    worked = HandWorked(
        hand_of_example(ruleset, example, request),
        is_counter,
        agrees=_agrees(result, pattern, wanted=not is_counter),
        text=text,
        setting=setting,
        before=[teller.happening(event) for event in before],
        try_url=try_url(ruleset, slug, request),
    )
    if isinstance(result, Refusal):
        worked.refusal = result.message.in_language(language)
        return worked
    for win in result.answer(language)["wins"]:
        worked.fan = win.get("fan")
        worked.counted += [
            Counted(
                value["name"],
                signed_value(ruleset, value["unit"], value["value"], language),
                value["count"],
                anchor("pattern", value["id"]),
                value["id"] == pattern,
            )
            for value in win.get("values", ())
        ]
    return worked


def _manner(ruleset: Ruleset, example: HandExample, event: dict[str, Any], teller: Teller) -> list[Detail]:
    """How the hand is won, as far as that is no matter of course."""
    if event.get("type") != "win":
        name = str(event.get("type"))
        spec = ruleset.document.events.own.get(name)
        fields = {key: value for key, value in event.items() if key not in ("type", "seat", "hand", "melds")}
        comparison = ruleset.document.comparison
        if comparison is not None and name == comparison.event:
            return []
        return [Detail(teller.say(spec.name)), *teller.details(spec.fields, fields)] if spec else []
    words = {
        "self_draw": pgettext("manner of a win", "self-draw"),
        "discard": pgettext("manner of a win", "discard"),
        "rob_kong": pgettext("manner of a win", "robs a kong"),
    }
    details = [Detail(words[example.by])]
    dealer = example.table.get("dealer", 0)
    if event.get("seat") == dealer:
        details.append(Detail(_("the dealer wins")))
    return details + teller.win_details(event)


def _agrees(result: Outcome | Refusal, pattern: str, *, wanted: bool) -> bool:
    if isinstance(result, Refusal):
        return not wanted and result.code in HARMLESS
    found = {name for win in result.answer("en", explain=False)["wins"] for name in win["patterns"]}
    return (pattern in found) is wanted


def rounds_worked(ruleset: Ruleset, slug: str, language: str) -> list[RoundWorked]:
    """The whole-round examples, scored."""
    return [round_worked(ruleset, slug, example, language) for example in ruleset.document.examples]


def round_worked(ruleset: Ruleset, slug: str, example: Example, language: str) -> RoundWorked:
    """One whole-round example, scored."""
    names = seat_numbers(ruleset.document.seats)
    teller = Teller(ruleset, language, names)
    request = request_of_example(example)
    result = outcome_of(ruleset, request)
    answer = {"error": {"code": result.code}} if isinstance(result, Refusal) else result.answer(language)
    wild = next((detail.tiles for detail in teller.setting(request) if detail.name == teller.say(_wild_name(ruleset))), "")
    worked = RoundWorked(
        example.id,
        teller.say(example.title),
        teller.say(example.text),
        teller.setting(request),
        [teller.happening(event, wild) for event in request["round"].get("events") or ()],
        agrees=not differences(example.expect, answer),
        rules=tuple(example.rules),
        try_url=try_url(ruleset, slug, request),
    )
    if isinstance(result, Refusal):
        worked.refusal = result.message.in_language(language)
    else:
        worked.result = present(answer, ruleset, language, slug=slug, names=names, dealer=_dealer(ruleset, request))
    return worked


def _wild_name(ruleset: Ruleset) -> Any:
    return ruleset.document.wild.name if ruleset.document.wild is not None else None


def _dealer(ruleset: Ruleset, request: dict[str, Any]) -> int | None:
    dealer = (request.get("table") or {}).get("dealer", 0)
    return dealer if isinstance(dealer, int) and ruleset.document.parties is None else None
