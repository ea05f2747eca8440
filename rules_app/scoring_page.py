"""The scoring page of any game: what it asks, made from the document, and the request that the answers make.

All state of the page is in its query, so that a link reproduces it. Beside the names of `round_fields` and
`round_events` there are ``what`` (the key of the event), ``mode`` (tiles or quick), ``wild``, and for events earlier in
the round ``e1.what``, ``e1.seat`` and so on. ``why`` names a pattern to explain, ``add`` and ``remove`` an earlier event.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict

from rules_app.engine import Refusal, Ruleset
from rules_app.engine.shorthand import parse_melds
from rules_app.engine.tiles import TileTextError, format_tiles, parse_tiles, rank_of, suit_of, tile_name, tile_text
from rules_app.relevance import fitting, table_values_used
from rules_app.results import seat_names
from rules_app.round_events import (
    DeclaredPattern,
    EventChoice,
    declared_patterns,
    event_choices,
    event_fields,
    flag_choices,
    read_event,
)
from rules_app.round_fields import (
    Asking,
    Choice,
    Field,
    input_fields,
    option_fields,
    read_inputs,
    read_options,
    read_table,
    table_fields,
    wild_texts,
)

MAX_EARLIER = 24
COMMON_DEFAULTS = {"seat": "0", "dealer": "0", "streak": "0", "wind": "1z", "mode": "tiles", "rob": "0", "what": ""}
NOT_IN_LINKS = ("add", "remove", "csrfmiddlewaretoken")


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the tile keyboard."""

    text: str
    name: str
    copies: int
    starts_chow: bool


@dataclass(frozen=True, slots=True)
class EarlierEvent:
    """An event entered before the one that is scored."""

    prefix: str
    key: str
    label: str
    fields: list[Field]


@dataclass(frozen=True, slots=True)
class KeyboardPlan:
    """What the tile keyboard of a game offers."""

    rows: list[list[Key]]
    flowers: list[Key]
    has_chow: bool
    has_pong: bool
    kongs: list[Choice]
    special: list[Choice]
    wild: str
    sets: int

    @property
    def has_room(self) -> bool:
        """Whether the last row leaves room for the key that takes a tile back."""
        return bool(self.rows) and len(self.rows[-1]) <= 7


@dataclass(slots=True)
class Sheet:
    """The page's form."""

    slug: str
    asking: Asking
    what: str
    events: list[EventChoice]
    options: list[Field]
    table: list[Field]
    inputs: list[Field]
    flags: list[Choice]
    unfit_flags: frozenset[str]
    earlier: list[EarlierEvent]
    fields: list[Field] = field(default_factory=list)
    """Of an event other than a win."""
    declared: list[DeclaredPattern] = field(default_factory=list)
    seats: list[Choice] = field(default_factory=list)
    givers: list[Choice] = field(default_factory=list)
    """All seats; the winner's own has the note "self"."""
    keyboard: KeyboardPlan | None = None
    request: dict[str, Any] = field(default_factory=dict)
    refusal: Refusal | None = None
    """What was entered cannot even be read."""

    @property
    def ruleset(self) -> Ruleset:
        """The game."""
        return self.asking.ruleset

    @property
    def is_win(self) -> bool:
        """Whether a win is entered."""
        return self.what == "win"

    @property
    def is_quick(self) -> bool:
        """Whether the win is entered by patterns."""
        return self.is_win and self.asking.get("mode") == "quick"

    @property
    def changed_options(self) -> list[Field]:
        """The house rules that differ from the defaults."""
        return [option for option in self.options if option.is_changed]

    @property
    def text(self) -> dict[str, str]:
        """The tile texts as they were sent."""
        return {name: self.asking.get(name) for name in ("hand", "tile", "melds", "flowers", "wild")}

    @property
    def can_rob(self) -> bool:
        """Whether a kong can be robbed at all."""
        return "added" in self.ruleset.document.claims.kongs

    @property
    def addable(self) -> list[EventChoice]:
        """The kinds of events that can stand before a win."""
        if self.ruleset.comparison is not None or len(self.earlier) >= MAX_EARLIER:
            return []
        return [event for event in self.events if event.group in ("kong", "own", "penalty")]


def build_sheet(ruleset: Ruleset, slug: str, data: QueryDict, language: str, names: Sequence[str] | None = None) -> Sheet:
    """The form as it stands after what was sent."""
    names = names or seat_names(ruleset.document.seats)
    data = tidied(ruleset, data)
    asking = Asking(ruleset, data, language, names)
    events = event_choices(ruleset, language)
    what = data.get("what") or ""
    if what not in [event.key for event in events]:
        what = events[0].key if events else "win"
    used = table_values_used(ruleset)
    sheet = Sheet(
        slug,
        asking,
        what,
        events,
        option_fields(asking),
        [one for name, one in table_fields(asking).items() if name in used],
        input_fields(asking, ruleset.document.inputs),
        flag_choices(asking),
        frozenset(),
        _earlier(asking, events),
    )
    if sheet.is_win:
        seat, giver = asking.get("seat", "0"), asking.get("from")
        sheet.seats = asking.seats(seat)
        sheet.givers = [Choice(one.value, one.label, one.checked, "self" if one.value == seat else "") for one in asking.seats(giver)]
        sheet.declared = declared_patterns(asking)
    else:
        sheet.fields = event_fields(asking, what)
    sheet.keyboard = keyboard_plan(ruleset, language)
    try:
        sheet.request = request_of(ruleset, data, what)
    except Refusal as refusal:
        sheet.refusal = refusal
    else:
        inputs, flags = fitting(ruleset, sheet.request)
        for one in sheet.inputs:
            one.relevant = one.name[2:] in inputs
        sheet.unfit_flags = frozenset(flag.value for flag in sheet.flags) - flags
    return sheet


def request_of(ruleset: Ruleset, data: QueryDict, what: str) -> dict[str, Any]:
    """What was sent as a request of the scorer contract.

    :raises Refusal: ``bad_tiles`` where a text names no tiles.
    """
    events = [read_event(ruleset, str(data.get(f"{prefix}what")), data, prefix) for prefix in earlier_prefixes(data)]
    events.append(read_event(ruleset, what, data))
    round_: dict[str, Any] = {"events": events}
    if str(data.get("wild") or "").strip():
        round_["wild"] = wild_texts(str(data.get("wild")))
    inputs = read_inputs(ruleset, ruleset.document.inputs, data)
    if inputs:
        round_["inputs"] = inputs
    request: dict[str, Any] = {"round": round_}
    if options := read_options(ruleset, data):
        request["options"] = options
    if table := read_table(ruleset, data):
        request["table"] = table
    return request


def tidied(ruleset: Ruleset, data: QueryDict) -> QueryDict:
    """What was sent with earlier events added and removed, and a whole hand in one text taken apart.

    A text of one tile too many holds the winning tile, which is taken to be its last.
    """
    tidy = data.copy()
    gone = tidy.pop("remove", [""])[-1]
    if gone:
        for key in [key for key in tidy if key.startswith(f"{gone}.")]:
            del tidy[key]
    added = tidy.pop("add", [""])[-1]
    if added:
        taken = {int(prefix[1:-1]) for prefix in earlier_prefixes(tidy)}
        tidy[f"e{max(taken, default=0) + 1}.what"] = str(added)
    if not tidy.get("tile") and tidy.get("hand"):
        try:
            kinds = parse_tiles(str(tidy["hand"]))
            melds = parse_melds(str(tidy.get("melds") or ""), ruleset.special_melds)
        except (TileTextError, Refusal):
            return tidy
        if len(kinds) == hand_size(ruleset, len(melds)) + 1 > 1:
            tidy["hand"], tidy["tile"] = format_tiles(kinds[:-1]), tile_text(kinds[-1])
    return tidy


def hand_size(ruleset: Ruleset, melds: int) -> int:
    """How many tiles a waiting hand holds beside its melds."""
    return 3 * (ruleset.main_sets - melds) + 1


def earlier_prefixes(data: QueryDict) -> list[str]:
    """The prefixes of the earlier events, in order."""
    numbers = [key[1:-5] for key in data if key.startswith("e") and key.endswith(".what") and key[1:-5].isdecimal() and data.get(key)]
    return [f"e{number}." for number in sorted(numbers, key=int)[:MAX_EARLIER]]


def _earlier(asking: Asking, events: Sequence[EventChoice]) -> list[EarlierEvent]:
    labels = {event.key: event.label for event in events}
    found = []
    for prefix in earlier_prefixes(asking.data):
        key = asking.get(f"{prefix}what")
        found.append(EarlierEvent(prefix, key, labels.get(key, key), event_fields(asking, key, prefix)))
    return found


def canonical_query(sheet: Sheet, data: QueryDict | None = None) -> str:
    """The query that reproduces the page (or the page with other data), without what has its default value."""
    data = sheet.asking.data if data is None else data
    defaults = dict(COMMON_DEFAULTS)
    for one in [*sheet.options, *sheet.table]:
        defaults[one.name] = one.default
    for one in sheet.inputs:
        for part in [one, *one.parts]:
            defaults[part.name] = part.default
    if sheet.events:
        defaults["what"] = sheet.events[0].key
    pairs = []
    for key in data:
        values = data.getlist(key)
        if key in NOT_IN_LINKS or (sheet.is_quick and key in ("hand", "tile", "melds")) or (not sheet.is_quick and key.startswith("p.")):
            continue
        several = key == "flag" or any(one.name == key and one.kind == "many" for one in [*sheet.inputs, *sheet.fields])
        kept = values if several else values[-1:]
        pairs += [(key, value) for value in kept if value not in ("", defaults.get(key)) and not (key.startswith("p.") and value == "0")]
    return urlencode(pairs)


# the tile keyboard


def keyboard_plan(ruleset: Ruleset, language: str) -> KeyboardPlan:
    """The keys and modes of a game's keyboard, from its tile set and claims."""
    claims = ruleset.document.claims
    zh = language.startswith("zh")
    rows = []
    for suit in "mpsz":
        kinds = [kind for kind in range(34) if suit_of(kind) == suit and ruleset.copies[kind] and kind not in ruleset.flower_kinds]
        if kinds:
            rows.append([_key(ruleset, kind, language) for kind in kinds])
    flowers = [_key(ruleset, kind, language) for kind in sorted(ruleset.flower_kinds)]
    loose = [kind for kind in range(34, 42) if ruleset.copies[kind] and kind not in ruleset.flower_kinds]
    if loose:
        rows.append([_key(ruleset, kind, language) for kind in loose])
    kong_words = {
        "exposed": ("明杠", "open kong"),
        "concealed": ("暗杠", "closed kong"),
        "added": ("补杠", "added kong"),
    }
    wild = ruleset.document.wild
    can_enter_wild = wild is not None and wild.turned is None and not (ruleset.fixed_wild and wild.counts == [len(ruleset.fixed_wild)])
    return KeyboardPlan(
        rows,
        flowers,
        claims.chow != "no",
        claims.pong,
        [Choice(kind, words[0] if zh else words[1]) for kind, words in kong_words.items() if kind in claims.kongs],
        [
            Choice(name, special.name.zh if zh else special.name.en, note=format_tiles(ruleset.special_melds[name]))
            for name, special in claims.special.items()
        ],
        (wild.name.zh if zh else wild.name.en) if wild is not None and can_enter_wild else "",
        ruleset.main_sets,
    )


def _key(ruleset: Ruleset, kind: int, language: str) -> Key:
    starts = ruleset.chow_starts
    starts_chow = kind in starts if starts is not None else kind < 27 and rank_of(kind) <= 7
    return Key(tile_text(kind), tile_name(kind).in_language(language), ruleset.copies[kind], starts_chow)
