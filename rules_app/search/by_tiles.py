"""Which patterns of all games a hand makes.

The hand is played in every ruleset: self-drawn and on a discard, by a player who does not deal, with the last tile
as the winning one.  A game that determines wild tiles by the round takes the kind asked for, or one that the hand
does not hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules_app.book.asking import try_url
from rules_app.book.hands import HandShown, hand_of_event, wild_of
from rules_app.engine import Refusal, Ruleset
from rules_app.engine.probing import find_waits_of_win
from rules_app.engine.schema import Comparison
from rules_app.engine.shorthand import parse_melds
from rules_app.engine.tiles import format_tiles, parse_tiles, tile_text

SEAT, GIVER = 1, 0


@dataclass(frozen=True, slots=True)
class TilesAsked:
    """The tiles of a search: the concealed ones as they were typed, melds, and the kinds that are wild."""

    kinds: tuple[int, ...]
    melds: str = ""
    wild: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The tiles in the usual order."""
        return format_tiles(sorted(self.kinds))


@dataclass(frozen=True, slots=True)
class Made:
    """A pattern that the hand makes; ``only`` says where it needs one way to win: self_draw or discard."""

    id: str
    name: str
    only: str = ""


@dataclass(slots=True)
class GameAnswer:
    """What a game says of the tiles.

    ``state``: made (``patterns``), waiting (``waits``, a tile text), refused (``message``), no_win, size (``needs``
    tiles beside melds) or foreign (the game has no such tile).
    """

    slug: str
    state: str
    patterns: list[Made] = field(default_factory=list)
    totals: Mapping[str, int] = field(default_factory=dict)
    waits: str = ""
    message: str = ""
    needs: int = 0
    url: str = ""
    shown: HandShown = field(default_factory=HandShown)


def read_tiles(text: str, melds: str = "", wild: str = "") -> TilesAsked:
    """The tiles that somebody typed; ``+`` and spaces only part them.

    :raises TileTextError: where a text names no tiles.
    """
    kinds = tuple(parse_tiles(text.replace("+", " ").strip()))
    return TilesAsked(kinds, melds.strip(), tuple(parse_tiles(wild.strip())) if wild.strip() else ())


def answer_of_game(slug: str, ruleset: Ruleset, asked: TilesAsked, language: str) -> GameAnswer:
    """What one game says of the tiles."""
    if ruleset.comparison is not None and len(asked.kinds) != ruleset.comparison.rule.size:
        return GameAnswer(slug, "size", needs=ruleset.comparison.rule.size)
    if any(not ruleset.copies[kind] for kind in asked.kinds):
        return GameAnswer(slug, "foreign")
    if ruleset.comparison is not None:
        return _compared(slug, ruleset, ruleset.comparison.rule, asked, language)
    try:
        melds = parse_melds(asked.melds, ruleset.special_melds)
    except Refusal as refusal:
        return GameAnswer(slug, "refused", message=refusal.message.in_language(language))
    flowers = [kind for kind in asked.kinds if kind in ruleset.flower_kinds]
    kinds = [kind for kind in asked.kinds if kind not in ruleset.flower_kinds]
    needs = 3 * (ruleset.main_sets - len(melds)) + 2
    if len(kinds) not in (needs, needs - 1):
        return GameAnswer(slug, "size", needs=needs)
    win: dict[str, Any] = {"type": "win", "seat": SEAT, "hand": format_tiles(kinds[: needs - 1]), "melds": melds}
    if flowers:
        win["flowers"] = format_tiles(flowers)
    round_ = wild_round(ruleset, asked)
    if len(kinds) == needs - 1:
        return _waiting(slug, ruleset, {**round_, "events": [{**win, "by": "self_draw"}]})
    win["tile"] = tile_text(kinds[-1])
    ways = {
        "self_draw": {"round": {**round_, "events": [{**win, "by": "self_draw"}]}},
        "discard": {"round": {**round_, "events": [{**win, "by": "discard", "from": GIVER}]}},
    }
    return _complete(slug, ruleset, ways, language)


def _compared(slug: str, ruleset: Ruleset, rule: Comparison, asked: TilesAsked, language: str) -> GameAnswer:
    """What a small hand is, in a game that compares hands: it stands on the first side, among hands of other tiles."""
    spare = [kind for kind in ruleset.playing_kinds for _ in range(ruleset.copies[kind] - asked.kinds.count(kind))]
    others = [format_tiles(spare[at * rule.size : (at + 1) * rule.size]) for at in range(rule.count)]
    fields = ruleset.document.events.own[rule.event].fields
    empty: dict[str, Any] = {name: [] for name, spec in fields.items() if spec.type == "records"}
    event = {**empty, "type": rule.event, rule.against: others[0], rule.sides: [asked.text, *others[1:]]}
    request = {"round": {"events": [event]}}
    try:
        side = ruleset.score(request).answer(language)["wins"][0]
    except (Refusal, IndexError):
        return GameAnswer(slug, "no_win")
    names = {name: ruleset.document.patterns[name].name for name in side.get("own", ())}
    made = [Made(name, words.in_language(language)) for name, words in names.items()]
    return GameAnswer(slug, "made", made, url=try_url(ruleset, slug, request))


def wild_round(ruleset: Ruleset, asked: TilesAsked) -> dict[str, Any]:
    """The fields of a round that make tiles wild, as the game determines them."""
    wild = ruleset.document.wild
    if wild is None:
        return {}
    kinds = [kind for kind in asked.wild if ruleset.copies[kind]]
    held = set(asked.kinds)
    if wild.turned is not None:
        turned = next((up for up, named in ruleset.turned.items() if named in kinds), None)
        if turned is None:
            turned = next((up for up, named in ruleset.turned.items() if named not in held and up not in held), None)
        return {"inputs": {wild.turned.input: tile_text(turned)}} if turned is not None else {}
    if ruleset.fixed_wild or (0 in wild.counts and not kinds):
        return {"wild": [tile_text(kind) for kind in kinds]} if kinds and not ruleset.fixed_wild else {}
    wanted = max(wild.counts)
    spare = [kind for kind in ruleset.playing_kinds if kind not in held and kind < 27]
    chosen = (kinds or spare)[:wanted]
    return {"wild": [tile_text(kind) for kind in chosen]} if chosen else {}


def _waiting(slug: str, ruleset: Ruleset, round_: Mapping[str, Any]) -> GameAnswer:
    try:
        waits = find_waits_of_win(ruleset, {"round": dict(round_)})
    except Refusal:
        return GameAnswer(slug, "no_win")
    request = {"round": dict(round_)}
    if not waits:
        return GameAnswer(slug, "no_win")
    return GameAnswer(slug, "waiting", waits=format_tiles(waits), url=try_url(ruleset, slug, request))


def _complete(slug: str, ruleset: Ruleset, ways: Mapping[str, Mapping[str, Any]], language: str) -> GameAnswer:
    counted: dict[str, list[str]] = {}
    values: dict[str, str] = {}
    totals: dict[str, int] = {}
    refusals: list[Refusal] = []
    first: Mapping[str, Any] | None = None
    for way, request in ways.items():
        try:
            answer = ruleset.score(request).answer(language)
        except Refusal as refusal:
            refusals.append(refusal)
            continue
        first = first or request
        totals[way] = answer["payments"][SEAT] if len(answer["payments"]) > SEAT else 0
        for value in answer["wins"][-1].get("values", []) if answer["wins"] else []:
            counted.setdefault(value["id"], []).append(way)
            values[value["id"]] = value["name"]
    if first is None:
        nearest = next((one for one in refusals if one.code != "not_a_win"), None)
        if nearest is None:
            return GameAnswer(slug, "no_win")
        return GameAnswer(slug, "refused", message=nearest.message.in_language(language))
    made = [Made(name, values[name], where[0] if len(where) < len(totals) else "") for name, where in _in_order(ruleset, counted)]
    shown = hand_of_event(ruleset, first["round"]["events"][-1], wild_of(ruleset, first))
    return GameAnswer(slug, "made", made, totals, url=try_url(ruleset, slug, first), shown=shown)


def _in_order(ruleset: Ruleset, counted: Mapping[str, Sequence[str]]) -> list[tuple[str, Sequence[str]]]:
    return sorted(counted.items(), key=lambda item: ruleset.by_id[item[0]].index)
