"""A scored round as a page shows it: totals, patterns with links to their rules, sets, the sum in words, payments.

Made from the answer of the engine (`Outcome.answer`), so that a round that was stored can be shown as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules_app.engine import Ruleset
from rules_app.engine.tiles import parse_tile, parse_tiles, tile_name, tile_text
from rules_app.payment_arrows import Picture, draw
from rules_app.round_events import signed_value

SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
MOST_IN_A_LINE = 6


@dataclass(frozen=True, slots=True)
class PatternLine:
    """A counted pattern: ``url`` leads to its rule; ``tiles`` make it, where these are not most of the hand."""

    id: str
    name: str
    value: str
    count: int
    url: str
    tiles: str = ""


@dataclass(frozen=True, slots=True)
class SetTile:
    """A tile of a set as it is read; ``wild`` for a wild tile that became it, ``mark`` for the winning tile."""

    text: str
    wild: bool = False
    mark: bool = False


@dataclass(frozen=True, slots=True)
class SetShown:
    """A set of the reading: its tiles, what it is, whether it lies open, and what its wild tiles became."""

    tiles: list[SetTile]
    caption: str
    melded: bool
    became: str = ""


@dataclass(frozen=True, slots=True)
class TransferLine:
    """A payment, its reason and the rule it follows."""

    payer: str
    payee: str
    amount: int
    reason: str
    url: str
    deducted: bool


@dataclass(slots=True)
class WinShown:
    """A win: who, how, what it brings in all, and how that comes about."""

    seat: int
    who: str
    how: str
    total: int | None
    fan: int | None
    points: int | None
    patterns: list[PatternLine]
    sets: list[SetShown]
    shape: str
    arithmetic: str
    event: int


@dataclass(slots=True)
class ResultShown:
    """A whole round."""

    wins: list[WinShown]
    payments: list[tuple[str, int]]
    transfers: list[TransferLine]
    picture: Picture | None
    next_words: list[str] = field(default_factory=list)
    ended: bool = True
    paid: bool = True


def rule_url(slug: str, rule: str = "", kind: str = "") -> str:
    """The address of a rule; ``kind`` (pattern, payment, condition …) tells apart rules of one id. Of the game without one."""
    page = reverse("rules:game", args=[slug])
    return f"{page}#{kind}-{rule}" if rule and kind else f"{page}#{rule}" if rule else page


def seat_names(seats: int) -> list[str]:
    """Names for seats without players: A, B, C, D in playing order."""
    names = [pgettext("seat", "A"), pgettext("seat", "B"), pgettext("seat", "C"), pgettext("seat", "D")]
    return names[:seats]


def party_names(ruleset: Ruleset, parties: Sequence[str], names: Sequence[str], language: str) -> list[str]:
    """The names of those who stand in the payments: the seats, or the parties of a comparing game."""
    fixed = ruleset.document.parties
    if fixed is None:
        return list(names)
    words = {**fixed.first, **fixed.last}
    zh = language.startswith("zh")
    return [(words[party].zh if zh else words[party].en) if party in words else party for party in parties]


def present(
    answer: Mapping[str, Any],
    ruleset: Ruleset,
    language: str,
    *,
    slug: str,
    names: Sequence[str] | None = None,
    dealer: int | None = None,
) -> ResultShown:
    """An explained answer of the engine as a page shows it. ``names``: of the seats."""
    names = list(names) if names is not None else seat_names(ruleset.document.seats)
    parties = party_names(ruleset, answer.get("parties", []), names, language)
    payments = list(answer.get("payments", []))
    transfers = [
        TransferLine(
            parties[item["from"]],
            parties[item["to"]],
            item["amount"],
            item["reason"],
            rule_url(slug, item["rule"], "payment"),
            bool(item.get("deducted")),
        )
        for item in answer.get("transfers", [])
    ]
    wins = [_win(win, answer, ruleset, language, slug, parties) for win in answer.get("wins", [])]
    winners = [win.seat for win in wins if win.event >= 0]
    picture = draw(parties, payments, answer.get("transfers", []), dealer=dealer, winners=winners)
    return ResultShown(
        wins,
        list(zip(parties, payments, strict=False)),
        transfers,
        picture,
        next_round_words(answer.get("next"), ruleset, names, language),
        bool(answer.get("ended")),
        any(payments),
    )


def _win(win: Mapping[str, Any], answer: Mapping[str, Any], ruleset: Ruleset, language: str, slug: str, parties: Sequence[str]) -> WinShown:
    event = win.get("event", -1)
    seat = win["seat"]
    total = sum(
        item["amount"] * ((item["to"] == seat) - (item["from"] == seat))
        for item in answer.get("transfers", [])
        if item["event"] == event and not item.get("deducted")
    )
    patterns = [
        PatternLine(
            value["id"],
            value["name"],
            signed_value(ruleset, value["unit"], value["value"], language),
            value["count"],
            rule_url(slug, value["id"], "pattern"),
            _few(value.get("tiles", "")),
        )
        for value in win.get("values", [])
    ]
    reading = win.get("reading") or {}
    name = reading.get("name")
    side = win.get("side")
    return WinShown(
        seat,
        parties[seat] if side is None else _("Hand %(number)s") % {"number": side},
        _manner(win, parties) if side is None else (_("beats the banker") if seat else _("loses to the banker")),
        total if side is None else None,
        win.get("fan"),
        win.get("points"),
        patterns,
        _sets(reading, win.get("tile"), ruleset, language),
        "" if name is None else name["zh" if language.startswith("zh") else "en"],
        raised(win.get("arithmetic", "")),
        event,
    )


def _few(tiles: str) -> str:
    """The tiles that make a pattern, where they are few enough to stand in its line."""
    return tiles if sum(char.isdigit() for char in tiles) <= MOST_IN_A_LINE else ""


def raised(text: str) -> str:
    """A sum with its exponents raised: 4 × 2² for 4 × 2^2."""
    return re.sub(r"\^(\d+)", lambda found: found.group(1).translate(SUPERSCRIPTS), text)


def _manner(win: Mapping[str, Any], parties: Sequence[str]) -> str:
    if win.get("by") is None:
        return ""  # won on the tiles dealt: the name of the shape says it
    giver = win.get("from")
    if giver is None:
        return pgettext("manner of a win", "self-draw")
    words = {"payer": parties[giver]}
    if win.get("by") == "rob_kong":
        return _("robs the kong of %(payer)s") % words
    return _("on the discard of %(payer)s") % words


def set_caption(kind: str, *, melded: bool, by: str | None, ruleset: Ruleset, language: str) -> str:
    """What a set is called."""
    special = ruleset.document.claims.special.get(kind)
    if special is not None:
        return special.name.zh if language.startswith("zh") else special.name.en
    if kind == "kong":
        return {"concealed": _("concealed kong"), "exposed": _("exposed kong"), "added": _("added kong")}.get(by or "", _("kong"))
    if melded and kind == "chow":
        return pgettext("claimed", "chow")
    names = {
        "chow": pgettext("in hand", "chow"),
        "triplet": _("triplet"),
        "pong": _("pong"),
        "pair": pgettext("tiles", "pair"),
        "single": _("single"),
        "loose": "",
    }
    return names.get(kind, kind)


def _sets(reading: Mapping[str, Any], winning: str | None, ruleset: Ruleset, language: str) -> list[SetShown]:
    sets = list(reading.get("sets", []))
    place = next(((index, item["winning"]) for index, item in enumerate(sets) if item.get("winning") is not None), None)
    if place is None and winning:
        place = _place_of(sets, reading.get("tile_as") or winning)
    shown = []
    for index, item in enumerate(sets):
        kinds = parse_tiles(item["tiles"])
        wild = set(item.get("wild", []))
        tiles = [SetTile(tile_text(kind), at in wild, place == (index, at)) for at, kind in enumerate(kinds)]
        became = [tile_name(kind).in_language(language) for at, kind in enumerate(kinds) if at in wild]
        caption = set_caption(item["kind"], melded=item["melded"], by=item.get("by"), ruleset=ruleset, language=language)
        shown.append(SetShown(tiles, caption, item["melded"], _became(became, ruleset, language)))
    return shown


def _place_of(sets: Sequence[Mapping[str, Any]], winning: str) -> tuple[int, int] | None:
    kind = parse_tile(winning)
    for index, item in enumerate(sets):
        if item["melded"]:
            continue
        kinds = parse_tiles(item["tiles"])
        for at in reversed(range(len(kinds))):
            if kinds[at] == kind and at not in item.get("wild", []):
                return index, at
    return None


def _became(names: Sequence[str], ruleset: Ruleset, language: str) -> str:
    wild = ruleset.document.wild
    if not names or wild is None:
        return ""
    word = wild.name.zh if language.startswith("zh") else wild.name.en
    joined = ("、" if language.startswith("zh") else ", ").join(names)
    return _("%(wild)s as %(tiles)s") % {"wild": word, "tiles": joined}


def next_round_words(following: Mapping[str, Any] | None, ruleset: Ruleset, names: Sequence[str], language: str) -> list[str]:
    """What the next round starts from, in short sentences."""
    if not following:
        return []
    words = []
    dealer = following.get("dealer")
    if dealer is None:
        words.append(_("Dice choose the next dealer"))
    elif ruleset.document.events.win:
        words.append(_("%(name)s deals next") % {"name": names[dealer]})
        if following.get("streak"):
            words.append(_("round %(number)s in a row") % {"number": following["streak"] + 1})
    for name, value in (following.get("state") or {}).items():
        state = ruleset.document.state.get(name)
        if state is None or state.show is None or value in (None, 0, False, []):
            continue
        template = state.show.zh if language.startswith("zh") else state.show.en
        words.append(template.replace("{value}", str(value)))
    return words
