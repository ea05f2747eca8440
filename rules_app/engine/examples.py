"""The examples of a document, run: does the engine say what the document says?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .errors import Refusal
from .text import Text
from .tiles import parse_tiles

if TYPE_CHECKING:
    from .ruleset import Ruleset
    from .schema import Example, HandExample
    from .settlement import Outcome

HARMLESS = ("not_a_win", "below_minimum", "not_allowed")
"""Refusals with which a counter-example may end."""


@dataclass(frozen=True, slots=True)
class BrokenExample:
    """An example with which the engine disagrees: its path in the document, what is wrong, the request it makes."""

    path: str
    message: Text
    request: dict[str, Any]


def meld_of(text: str, seat: int, seats: int) -> dict[str, Any]:
    """A meld from its short form: ``222s``, ``123m from 0``, ``5555p concealed``, ``joy 567z``.

    :raises ValueError: where the text is none.
    """
    words = text.split()
    kind = by = None
    giver: int | None = None
    tiles = ""
    place = 0
    while place < len(words):
        word = words[place]
        if word == "from" and place + 1 < len(words) and words[place + 1].isdigit():
            giver = int(words[place + 1])
            place += 1
        elif word in ("concealed", "exposed", "added"):
            by = word
        elif word[0].isdigit():
            tiles += word
        else:
            kind = word
        place += 1
    kinds = parse_tiles(tiles)
    if kind is None:
        kind = "chow" if len(set(kinds)) > 1 else "pong" if len(kinds) == 3 else "kong"
    if kind == "kong" and by is None:
        by = "exposed"
    if giver is None and by != "concealed" and kind in ("chow", "pong", "kong"):
        giver = (seat - 1) % seats
    meld: dict[str, Any] = {"kind": kind, "tiles": tiles}
    if giver is not None:
        meld["from"] = giver
    if by is not None:
        meld["by"] = by
    return meld


def request_of_hand(ruleset: Ruleset, example: HandExample) -> dict[str, Any]:
    """The round that a hand example stands for."""
    seats = ruleset.document.seats
    if example.event is not None:
        event = dict(example.event)
    else:
        event = {
            "type": "win", "seat": example.seat, "by": example.by, "hand": example.hand, "tile": example.tile,
            "melds": [meld_of(meld, example.seat, seats) for meld in example.melds],
        }  # fmt: skip
        if example.flowers:
            event["flowers"] = example.flowers
        if example.flags:
            event["flags"] = list(example.flags)
        if example.by != "self_draw":
            event["from"] = example.giver if example.giver is not None else (0 if example.seat != 0 else 1)
    round_: dict[str, Any] = {"events": [*(dict(before) for before in example.before), event]}
    if example.wild:
        round_["wild"] = list(example.wild)
    if example.inputs:
        round_["inputs"] = dict(example.inputs)
    request: dict[str, Any] = {"round": round_}
    if example.options:
        request["options"] = dict(example.options)
    if example.table:
        request["table"] = dict(example.table)
    return request


def request_of_example(example: Example) -> dict[str, Any]:
    """The request of a whole-round example."""
    request: dict[str, Any] = {"round": dict(example.round)}
    if example.options:
        request["options"] = dict(example.options)
    if example.table:
        request["table"] = dict(example.table)
    return request


def outcome_of(ruleset: Ruleset, request: Mapping[str, Any]) -> Outcome | Refusal:
    """The outcome of a request, or its refusal as a value."""
    try:
        outcome: Outcome = ruleset.score(request)
    except Refusal as refusal:
        return refusal
    return outcome


def broken_examples(ruleset: Ruleset) -> list[BrokenExample]:
    """Every example of the document with which the engine disagrees."""
    return [*_broken_hands(ruleset), *_broken_rounds(ruleset)]


def _broken_hands(ruleset: Ruleset) -> Iterator[BrokenExample]:
    for name, pattern in ruleset.document.patterns.items():
        rows = [("examples", example, True) for example in pattern.examples]
        rows += [("counters", example, False) for example in pattern.counters]
        places = {"examples": 0, "counters": 0}
        for key, example, wanted in rows:
            path = f"patterns.{name}.{key}[{places[key]}]"
            places[key] += 1
            try:
                request = request_of_hand(ruleset, example)
            except ValueError as error:
                yield BrokenExample(path, Text(f"副露写法有误：{error}", f"a meld is written wrongly: {error}"), {})
                continue
            result = outcome_of(ruleset, request)
            message = _disagreement(result, name, wanted=wanted)
            if message is not None:
                yield BrokenExample(path, message, request)


def _disagreement(result: Outcome | Refusal, name: str, *, wanted: bool) -> Text | None:
    if isinstance(result, Refusal):
        if wanted or result.code not in HARMLESS:
            return Text(f"引擎不收：{result.message.zh}", f"the engine refuses it: {result.message.en}")
        return None
    found = [name for win in result.answer("en", explain=False)["wins"] for name in win["patterns"]]
    if wanted and name not in found:
        listed = ", ".join(found) or "-"
        return Text(f"引擎计的是 {listed}，没有 {name}", f"the engine counts {listed}, not {name}")
    if not wanted and name in found:
        return Text(f"这是反例，引擎却计了 {name}", f"this is a counter-example, yet the engine counts {name}")
    return None


def _broken_rounds(ruleset: Ruleset) -> Iterator[BrokenExample]:
    for place, example in enumerate(ruleset.document.examples):
        request = request_of_example(example)
        result = outcome_of(ruleset, request)
        answer = {"error": {"code": result.code}} if isinstance(result, Refusal) else result.answer("en", explain=False)
        found = differences(example.expect, answer)
        if found:
            refused = f" ({result.message.en})" if isinstance(result, Refusal) else ""
            text = "; ".join(found) + refused
            yield BrokenExample(f"examples[{place}]", Text(f"与引擎不符：{text}", f"the engine differs: {text}"), request)


def differences(expect: Mapping[str, Any], answer: Mapping[str, Any]) -> list[str]:
    """Where an answer differs from what is expected; only the keys present are compared."""
    error = answer.get("error")
    if "error" in expect or error:
        code = error.get("code") if error else None
        return [] if code == expect.get("error") else [f"error: expected {expect.get('error')}, got {code}"]
    found = []
    if "payments" in expect and answer.get("payments") != expect["payments"]:
        found.append(f"payments: expected {expect['payments']}, got {answer.get('payments')}")
    if "waits" in expect:
        wanted, got = (_waits(value) for value in (expect["waits"], answer.get("waits") or ""))
        if wanted != got:
            found.append(f"waits: expected {expect['waits']}, got {answer.get('waits')}")
    wins = answer.get("wins") or []
    for index, win in enumerate(expect.get("wins", [])):
        if index >= len(wins):
            found.append(f"win {index}: missing")
            continue
        for key, value in win.items():
            theirs = wins[index].get(key)
            same = sorted(theirs or []) == sorted(value) if key == "patterns" else theirs == value
            if not same:
                found.append(f"win {index} {key}: expected {value}, got {theirs}")
    following = answer.get("next") or {}
    for key, value in expect.get("next", {}).items():
        theirs = following.get(key)
        if isinstance(value, dict):
            theirs = {name: (theirs or {}).get(name) for name in value}
        if theirs != value:
            found.append(f"next {key}: expected {value}, got {theirs}")
    return found


def _waits(value: Any) -> list[list[int]]:
    return [sorted(parse_tiles(text)) for text in (value if isinstance(value, list) else [value])]
