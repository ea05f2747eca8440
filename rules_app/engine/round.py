"""A round as it was entered: parsed and typed, its form checked, nothing scored.

Everything refused here is ``bad_input`` (fields, types, ranges, unknown names) or, for tiles that belong to no set
of the game, ``bad_tiles``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .errors import Refusal
from .schema import EventKind, Input, KongKind
from .text import Text
from .tiles import TileTextError, format_tiles, parse_tiles, rank_of, suit_of

if TYPE_CHECKING:
    from .ruleset import Ruleset

MAX_EVENTS = 64
MAX_RECORDS = 200
LARGEST = 10**12
MANNERS = ("self_draw", "discard", "rob_kong")


@dataclass(slots=True)
class Meld:
    """A meld: its kind (chow, pong, kong or a special one), tiles as printed, who gave it and how a kong was made."""

    kind: str
    tiles: tuple[int, ...]
    giver: int | None = None
    by: str | None = None

    @property
    def tile(self) -> int:
        """The first kind of the meld as printed."""
        return min(self.tiles)

    @property
    def suit(self) -> str:
        """The suit of its first tile."""
        return suit_of(self.tile)

    @property
    def rank(self) -> int:
        """The rank of its first tile."""
        return rank_of(self.tile)

    @property
    def is_concealed(self) -> bool:
        """Whether it is a concealed kong."""
        return self.by == "concealed"


@dataclass(slots=True)
class Shown:
    """A hand shown at a draw or on another event: concealed tiles, melds, flowers."""

    seat: int
    hand: tuple[int, ...]
    melds: tuple[Meld, ...] = ()
    flowers: tuple[int, ...] = ()


@dataclass(slots=True)
class Event:
    """One thing that happened. Unused fields keep their defaults."""

    type: str
    index: int
    seat: int | None = None
    by: str | None = None
    giver: int | None = None
    tile: int | None = None
    tiles: tuple[int, ...] = ()
    kind: str | None = None
    name: str | None = None
    hand: tuple[int, ...] = ()
    melds: tuple[Meld, ...] = ()
    flowers: tuple[int, ...] = ()
    flags: frozenset[str] = frozenset()
    declared: tuple[str, ...] | None = None
    hands: tuple[Shown, ...] = ()
    fields: dict[str, Any] = field(default_factory=dict)
    first: int = 0
    """Index of the first event of the same happening (several wins on one tile)."""
    together: int = 1
    """How many wins the happening has."""
    robbed: bool = False
    """A kong whose added tile was won on."""
    void: bool = False
    """A win that another one on the same tile takes precedence over."""

    @property
    def shown_melds(self) -> list[Meld]:
        """The melds of all hands shown on the event."""
        return [meld for shown in self.hands for meld in shown.melds]


@dataclass(slots=True)
class Round:
    """Options, table and events of one round, with every default filled in."""

    options: dict[str, Any]
    dealer: int
    streak: int
    round_wind: int
    state: dict[str, Any]
    wild: tuple[int, ...]
    inputs: dict[str, Any]
    given: frozenset[str]
    """Inputs that were entered, as against those that took their default."""
    events: list[Event]
    ask: str | None = None


def bad_input(zh: str, en: str, path: str) -> Refusal:
    """A refusal with the code ``bad_input``."""
    return Refusal("bad_input", Text(zh, en), path)


def parse_round(ruleset: Ruleset, request: Mapping[str, Any]) -> Round:
    """Read a request of the form of the scorer contract.

    :raises Refusal: with code ``bad_input`` or ``bad_tiles``, at the first fault.
    """
    if not isinstance(request, Mapping):
        raise bad_input("请求应为一个对象", "the request must be an object", "")
    _only(request, ("variant", "options", "table", "round", "ask"), "")
    ask = request.get("ask")
    if ask not in (None, "waits"):
        raise bad_input("ask 只能是 waits", "ask can only be waits", "ask")
    body = _mapping(request.get("round"), "round")
    _only(body, ("wild", "inputs", "events"), "round")
    options = parse_options(ruleset, request.get("options"))
    seats = ruleset.document.seats
    dealer, streak, wind, state = _table(ruleset, request.get("table"), seats)
    inputs, given = _inputs(ruleset, body.get("inputs"))
    wild = _wild(ruleset, body.get("wild"))
    events = body.get("events")
    if events is None:
        events = []
    if not isinstance(events, Sequence) or isinstance(events, str) or len(events) > MAX_EVENTS:
        raise bad_input(
            f"events 应为列表，最多 {MAX_EVENTS} 项", f"events must be a list of at most {MAX_EVENTS}", "round.events"
        )
    parsed = [_event(ruleset, index, event) for index, event in enumerate(events)]
    return Round(options, dealer, streak, wind, state, wild, inputs, given, parsed, ask)


def parse_options(ruleset: Ruleset, given: Any) -> dict[str, Any]:
    """The options of the ruleset with those given in place of their defaults.

    :raises Refusal: ``bad_input`` for an unknown option or a value out of range.
    """
    if not given:
        if given not in (None, {}):
            raise bad_input("options 应为一个对象", "options must be an object", "options")
        return ruleset.default_options
    values = dict(ruleset.default_options)
    for name, value in _mapping(given, "options").items():
        path = f"options.{name}"
        option = ruleset.document.options.get(name)
        if option is None:
            known = ", ".join(ruleset.document.options)
            raise bad_input(f"没有选项 {name}；可用：{known}", f"there is no option {name}; known: {known}", path)
        label = option.name
        if option.type == "flag":
            if not isinstance(value, bool):
                raise bad_input(f"{label.zh}应为 true 或 false", f"{label.en} must be true or false", path)
        elif option.type == "choice":
            if not isinstance(option.values, dict) or value not in option.values or not isinstance(value, str):
                known = ", ".join(option.values or ())  # type: ignore[arg-type]
                raise bad_input(f"{label.zh}应为其中之一：{known}", f"{label.en} must be one of {known}", path)
        else:
            allowed = option.values if isinstance(option.values, list) else None
            _integer(value, path, label.zh, label.en, option.min, option.max, allowed)
        values[name] = value
    return values


def _table(ruleset: Ruleset, given: Any, seats: int) -> tuple[int, int, int, dict[str, Any]]:
    if given is None:
        return 0, 0, 27, {}
    table = _mapping(given, "table")
    _only(table, ("dealer", "streak", "round_wind", "state"), "table")
    dealer = _seat(table.get("dealer", 0), "table.dealer", seats)
    streak = _integer(table.get("streak", 0), "table.streak", "连庄", "streak", 0, 100_000)
    wind = 27
    if "round_wind" in table:
        kinds = _tiles(table["round_wind"], "table.round_wind")
        if len(kinds) != 1 or not 27 <= kinds[0] <= 30:
            raise bad_input("圈风应为 1z 到 4z", "the round wind is one of 1z to 4z", "table.round_wind")
        wind = kinds[0]
    state = {}
    carried = table.get("state")
    if carried is not None:
        for name, value in _mapping(carried, "table.state").items():
            path = f"table.state.{name}"
            spec = ruleset.document.state.get(name)
            if spec is None:
                known = ", ".join(ruleset.document.state) or "-"
                raise bad_input(f"没有 {name}；可用：{known}", f"there is no {name}; known: {known}", path)
            label = spec.name
            if spec.per_seat:
                if not isinstance(value, list) or len(value) != seats:
                    raise bad_input(f"{label.zh}应为每家一项", f"{label.en} has one value a seat", path)
                for item in value:
                    _integer(item, path, label.zh, label.en, spec.min, None)
            elif spec.type == "integer":
                _integer(value, path, label.zh, label.en, spec.min, None)
            elif spec.type == "flag":
                if not isinstance(value, bool):
                    raise bad_input(f"{label.zh}应为 true 或 false", f"{label.en} must be true or false", path)
            elif spec.type == "seat":
                _seat(value, path, seats)
            else:
                if not isinstance(value, list):
                    raise bad_input(f"{label.zh}应为座位列表", f"{label.en} must be a list of seats", path)
                value = [_seat(item, path, seats) for item in value]
            state[name] = value
    return dealer, streak, wind, state


def _inputs(ruleset: Ruleset, given: Any) -> tuple[dict[str, Any], frozenset[str]]:
    if not given:
        if given not in (None, {}):
            raise bad_input("inputs 应为一个对象", "inputs must be an object", "round.inputs")
        return ruleset.default_inputs, frozenset()
    values = dict(ruleset.default_inputs)
    entered = _mapping(given, "round.inputs")
    for name, value in entered.items():
        path = f"round.inputs.{name}"
        spec = ruleset.document.inputs.get(name)
        if spec is None:
            known = ", ".join(ruleset.document.inputs) or "-"
            raise bad_input(f"没有 {name} 这一项；可用：{known}", f"there is no input {name}; known: {known}", path)
        if value is None and not spec.required:
            continue
        values[name] = read_value(ruleset, spec, value, path)
    return values, frozenset(name for name in entered if entered[name] is not None)


def _wild(ruleset: Ruleset, given: Any) -> tuple[int, ...]:
    path = "round.wild"
    if given is None:
        return ruleset.fixed_wild
    if not isinstance(given, list) or not all(isinstance(item, str) for item in given):
        raise bad_input("wild 应为牌的列表", "wild must be a list of tiles", path)
    kinds = tuple(kind for item in given for kind in _tiles(item, path))
    if len(set(kinds)) != len(kinds):
        raise bad_input("同一种牌写了两次", "a kind is named twice", path)
    if kinds and ruleset.document.wild is None:
        raise bad_input("这种玩法没有百搭牌", "this game has no wild tiles", path)
    return kinds


def _event(ruleset: Ruleset, index: int, given: Any) -> Event:
    path = f"round.events[{index}]"
    event = _mapping(given, path)
    kind = event.get("type")
    known = ruleset.event_types
    if not isinstance(kind, str) or kind not in known:
        if isinstance(kind, str) and kind in ("win", "kong", "draw", "penalty"):
            raise Refusal("not_allowed", Text("这种玩法没有这种事件", "this game has no such event"), f"{path}.type")
        names = ", ".join(known)
        raise bad_input(f"type 应为其中之一：{names}", f"type must be one of {names}", f"{path}.type")
    if kind == "win":
        return _win(ruleset, index, event, path)
    if kind == "kong":
        return _kong(ruleset, index, event, path)
    if kind == "draw":
        return _draw(ruleset, index, event, path)
    if kind == "penalty":
        name = event.get("name")
        spec = ruleset.document.events.penalties.get(name) if isinstance(name, str) else None
        if spec is None:
            names = ", ".join(ruleset.document.events.penalties)
            raise bad_input(f"name 应为其中之一：{names}", f"name must be one of {names}", f"{path}.name")
        return _own(ruleset, index, event, path, spec, ("type", "name"), name)
    return _own(ruleset, index, event, path, ruleset.document.events.own[kind], ("type",), None)


WIN_FIELDS = ("type", "seat", "by", "from", "tile", "hand", "melds", "flowers", "flags", "declared")


def _win(ruleset: Ruleset, index: int, event: Mapping[str, Any], path: str) -> Event:
    _only(event, WIN_FIELDS, path)
    seats = ruleset.document.seats
    seat = _seat(event.get("seat"), f"{path}.seat", seats)
    by = event.get("by")
    if by not in MANNERS:
        raise bad_input(
            "by 应为 self_draw、discard 或 rob_kong", "by must be self_draw, discard or rob_kong", f"{path}.by"
        )
    giver = event.get("from")
    if by == "self_draw":
        if giver is not None:
            raise bad_input("自摸没有放铳者", "a self-draw has no payer: leave out from", f"{path}.from")
    else:
        giver = _seat(giver, f"{path}.from", seats)
        if giver == seat:
            raise bad_input("自己不能点自己的炮", "a seat cannot win from itself", f"{path}.from")
    flags = event.get("flags")
    if flags is None:
        flag_set: frozenset[str] = frozenset()
    else:
        if not isinstance(flags, list) or not all(isinstance(flag, str) for flag in flags):
            raise bad_input("flags 应为列表", "flags must be a list", f"{path}.flags")
        flag_set = frozenset(flags)
        for flag in flags:
            if flag not in ruleset.document.flags:
                names = ", ".join(ruleset.document.flags) or "-"
                raise bad_input(
                    f"没有标记 {flag}；可用：{names}", f"there is no flag {flag}; known: {names}", f"{path}.flags"
                )
    flowers = _tiles(event.get("flowers") or "", f"{path}.flowers")
    declared = event.get("declared")
    if declared is None:
        if "tile" not in event:
            raise bad_input("缺少胡的那张牌", "the winning tile is missing", f"{path}.tile")
        if "hand" not in event:
            raise bad_input("缺少手牌", "the hand is missing", f"{path}.hand")
    else:
        for key in ("hand", "melds"):
            if event.get(key):
                raise bad_input(
                    "快速记分不写手牌", "quick entry takes patterns in place of tiles", f"{path}.{key}"
                )
        if not isinstance(declared, list) or len(declared) > 200:
            raise bad_input("declared 应为番种列表", "declared must be a list of patterns", f"{path}.declared")
        for name in declared:
            if not isinstance(name, str) or name not in ruleset.document.patterns:
                raise bad_input(f"没有番种 {name}", f"there is no pattern {name}", f"{path}.declared")
    tile = _one_tile(event["tile"], f"{path}.tile") if event.get("tile") is not None else None
    hand = tuple(_tiles(event.get("hand") or "", f"{path}.hand"))
    melds = _melds(ruleset, event.get("melds"), f"{path}.melds")
    return Event(
        "win", index, seat, by, giver, tile, hand=hand, melds=melds, flowers=tuple(flowers), flags=flag_set,
        declared=None if declared is None else tuple(declared),
    )  # fmt: skip


def _kong(ruleset: Ruleset, index: int, event: Mapping[str, Any], path: str) -> Event:
    kind = event.get("kind")
    spec: KongKind | None = ruleset.document.events.kongs.get(kind) if isinstance(kind, str) else None
    if spec is None:
        if kind in ("concealed", "exposed", "added"):
            raise Refusal("not_allowed", Text("这种玩法不能这样杠", "this game has no such kong"), f"{path}.kind")
        names = ", ".join(ruleset.document.events.kongs)
        raise bad_input(f"kind 应为其中之一：{names}", f"kind must be one of {names}", f"{path}.kind")
    _only(event, ("type", "seat", "kind", "tile", "tiles", "from", *spec.fields), path)
    seats = ruleset.document.seats
    seat = _seat(event.get("seat"), f"{path}.seat", seats)
    tiles: tuple[int, ...] = ()
    tile = None
    if spec.several or spec.group:
        tiles = tuple(_tiles(event.get("tiles") or "", f"{path}.tiles"))
        if not tiles:
            raise bad_input("缺少杠的牌", "the tiles of the kong are missing", f"{path}.tiles")
    elif "tile" in event:
        tile = _one_tile(event["tile"], f"{path}.tile")
    else:
        tiles = tuple(_tiles(event.get("tiles") or "", f"{path}.tiles"))
        if len(set(tiles)) != 1:
            raise bad_input("缺少杠的牌", "the tile of the kong is missing", f"{path}.tile")
        tile = tiles[0]
    giver = event.get("from")
    if giver is not None:
        giver = _seat(giver, f"{path}.from", seats)
        if giver == seat:
            raise bad_input("杠不能由自己点", "a seat cannot give itself a kong", f"{path}.from")
    if spec.giver == "none" and giver is not None:
        raise bad_input(f"{spec.name.zh}没有点杠者", f"nobody gives a {spec.name.en}: leave out from", f"{path}.from")
    if spec.giver == "required" and giver is None:
        raise bad_input("缺少点杠的一家", "who gave the kong is missing", f"{path}.from")
    fields = _fields(ruleset, spec.fields, event, path)
    return Event("kong", index, seat, giver=giver, tile=tile, tiles=tiles, kind=kind, fields=fields)


def _draw(ruleset: Ruleset, index: int, event: Mapping[str, Any], path: str) -> Event:
    _only(event, ("type", "hands"), path)
    hands = event.get("hands")
    if hands is None and ruleset.document.events.draw == "required":
        raise bad_input("流局要写明各家手牌", "a draw must show the hands that settle", f"{path}.hands")
    return Event("draw", index, hands=_hands(ruleset, hands or [], f"{path}.hands"))


def _own(
    ruleset: Ruleset, index: int, event: Mapping[str, Any], path: str, spec: EventKind, own: tuple[str, ...],
    name: str | None,
) -> Event:  # fmt: skip
    _only(event, (*own, *(("seat",) if spec.seat else ()), *spec.fields), path)
    seat = _seat(event.get("seat"), f"{path}.seat", ruleset.document.seats) if spec.seat else None
    fields = _fields(ruleset, spec.fields, event, path)
    hands = next((fields[key] for key, field_spec in spec.fields.items() if field_spec.type == "hands"), None) or ()
    hand = fields.get("hand") or ()
    tiles = tuple(hand) if spec.dealt else ()
    return Event(str(event["type"]), index, seat, name=name, tiles=tiles, hands=hands, hand=hand, fields=fields)


def _fields(ruleset: Ruleset, specs: Mapping[str, Input], event: Mapping[str, Any], path: str) -> dict[str, Any]:
    values = {}
    for name, spec in specs.items():
        if event.get(name) is None:
            if spec.required:
                raise bad_input(f"缺少{spec.name.zh}", f"{spec.name.en} is missing", f"{path}.{name}")
            values[name] = spec.default
        else:
            values[name] = read_value(ruleset, spec, event[name], f"{path}.{name}")
    return values


def read_value(ruleset: Ruleset, spec: Input, value: Any, path: str) -> Any:
    """The value of an input or field, checked against its declaration."""
    if spec.per_seat:
        seats = ruleset.document.seats
        if not isinstance(value, list) or len(value) != seats:
            raise bad_input(f"{spec.name.zh}应为每家一项，共 {seats} 项", f"{spec.name.en}: one value a seat", path)
        return [_single(ruleset, spec, item, f"{path}[{seat}]") for seat, item in enumerate(value)]
    return _single(ruleset, spec, value, path)


def _single(ruleset: Ruleset, spec: Input, value: Any, path: str) -> Any:
    seats = ruleset.document.seats
    zh, en = spec.name.zh, spec.name.en
    match spec.type:
        case "integer":
            most = spec.max if isinstance(spec.max, int) and not isinstance(spec.max, bool) else None
            return _integer(value, path, zh, en, spec.min, most)
        case "flag":
            if not isinstance(value, bool):
                raise bad_input(f"{zh}应为 true 或 false", f"{en} must be true or false", path)
            return value
        case "choice":
            if not isinstance(value, str) or value not in (spec.values or {}):
                known = ", ".join(spec.values or {})
                raise bad_input(f"{zh}应为其中之一：{known}", f"{en} must be one of {known}", path)
            return value
        case "seat":
            return _seat(value, path, seats)
        case "seats":
            items = _list(value, path, zh, en, seats)
            found = [_seat(item, f"{path}[{place}]", seats) for place, item in enumerate(items)]
            if len(set(found)) != len(found):
                raise bad_input(f"{zh}里有重复的座位", f"{en} names a seat twice", path)
            return sorted(found)
        case "tile":
            return _one_tile(value, path)
        case "tiles":
            if isinstance(value, list):
                return [read_value(ruleset, spec.model_copy(), item, path) for item in value[:MAX_EVENTS]]
            return tuple(_tiles(value, path))
        case "dice":
            items = _list(value, path, zh, en, 2)
            if len(items) != 2:
                raise bad_input(f"{zh}应为两粒骰子的点数", f"{en} are two numbers from 1 to 6", path)
            return [_integer(item, path, zh, en, 1, 6) for item in items]
        case "name":
            if not isinstance(value, str) or not value.strip() or len(value) > 60:
                raise bad_input(f"{zh}应为一个名字", f"{en} must be a name", path)
            return value
        case "names":
            items = _list(value, path, zh, en, MAX_RECORDS)
            names = []
            for item in items:
                if not isinstance(item, str) or not item.strip() or len(item) > 60:
                    raise bad_input(f"{zh}应为名字的列表", f"{en} must be a list of names", path)
                if item in names:
                    raise bad_input(f"{zh}里 {item} 写了两次", f"{en} names {item} twice", path)
                names.append(item)
            return names
        case "hands":
            return _hands(ruleset, value, path)
        case "melds":
            return _melds(ruleset, value, path)
        case "records":
            items = _list(value, path, zh, en, MAX_RECORDS)
            return [_record(ruleset, spec, item, f"{path}[{place}]") for place, item in enumerate(items)]
    raise AssertionError(spec.type)


class Record:
    """One entry of an input of type ``records``; its fields are attributes."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.__dict__.update(fields)


def _record(ruleset: Ruleset, spec: Input, value: Any, path: str) -> Record:
    fields = spec.fields or {}
    record = _mapping(value, path)
    _only(record, tuple(fields), path)
    return Record(_fields(ruleset, fields, record, path))


def _hands(ruleset: Ruleset, given: Any, path: str) -> tuple[Shown, ...]:
    seats = ruleset.document.seats
    shown: list[Shown] = []
    for place, item in enumerate(_list(given, path, "亮出的手牌", "hands", seats)):
        here = f"{path}[{place}]"
        hand = _mapping(item, here)
        _only(hand, ("seat", "hand", "melds", "flowers"), here)
        seat = _seat(hand.get("seat"), f"{here}.seat", seats)
        if any(other.seat == seat for other in shown):
            raise bad_input("同一家的手牌写了两次", "a seat shows two hands", f"{here}.seat")
        if "hand" not in hand:
            raise bad_input("缺少手牌", "the hand is missing", f"{here}.hand")
        shown.append(
            Shown(
                seat,
                tuple(_tiles(hand["hand"], f"{here}.hand")),
                _melds(ruleset, hand.get("melds"), f"{here}.melds"),
                tuple(_tiles(hand.get("flowers") or "", f"{here}.flowers")),
            )
        )
    return tuple(shown)


def _melds(ruleset: Ruleset, given: Any, path: str) -> tuple[Meld, ...]:
    if not given:
        if given not in (None, []):
            raise bad_input("melds 应为列表", "melds must be a list", path)
        return ()
    seats = ruleset.document.seats
    melds = []
    for place, item in enumerate(_list(given, path, "副露", "melds", 9)):
        here = f"{path}[{place}]"
        meld = _mapping(item, here)
        _only(meld, ("kind", "tiles", "from", "by"), here)
        kind = meld.get("kind")
        if kind not in ("chow", "pong", "kong") and kind not in ruleset.document.claims.special:
            names = ", ".join(("chow", "pong", "kong", *ruleset.document.claims.special))
            raise bad_input(f"kind 应为其中之一：{names}", f"kind must be one of {names}", f"{here}.kind")
        by = meld.get("by")
        if kind == "kong":
            if by not in ("concealed", "exposed", "added"):
                raise bad_input(
                    "杠要写明 by：concealed、exposed 或 added", "a kong says by: concealed, exposed or added", f"{here}.by"
                )
        elif by is not None:
            raise bad_input("只有杠才写 by", "only a kong says by", f"{here}.by")
        giver = meld.get("from")
        if giver is not None:
            giver = _seat(giver, f"{here}.from", seats)
        melds.append(Meld(str(kind), tuple(_tiles(meld.get("tiles") or "", f"{here}.tiles")), giver, by))
    return tuple(melds)


def _tiles(text: Any, path: str) -> Sequence[int]:
    if not isinstance(text, str):
        raise bad_input("牌应写成文字，如 123m", "tiles are written as text, such as 123m", path)
    if len(text) > 400:
        raise bad_input("牌太多", "too many tiles", path)
    try:
        return parse_tiles(text)
    except TileTextError as fault:
        raise Refusal("bad_tiles", fault.message, path) from None


def _one_tile(text: Any, path: str) -> int:
    kinds = _tiles(text, path)
    if len(kinds) != 1:
        raise Refusal(
            "bad_tiles",
            Text(f"这里应是一张牌，而不是 {format_tiles(kinds) or '空'}", f"one tile is wanted here, not {text!r}"),
            path,
        )
    return kinds[0]


def _seat(value: Any, path: str, seats: int) -> int:
    if type(value) is not int or not 0 <= value < seats:
        raise bad_input(f"座位应为 0 到 {seats - 1}", f"a seat is a number from 0 to {seats - 1}", path)
    return value


def _integer(
    value: Any, path: str, zh: str, en: str, least: int | None, most: int | None, allowed: list[int] | None = None
) -> int:
    if type(value) is not int:
        raise bad_input(f"{zh}应为整数", f"{en} must be a whole number", path)
    if allowed is not None:
        if value not in allowed:
            known = ", ".join(map(str, allowed))
            raise bad_input(f"{zh}应为其中之一：{known}", f"{en} must be one of {known}", path)
        return value
    if least is not None and value < least:
        raise bad_input(f"{zh}不能小于 {least}", f"{en} must not be below {least}", path)
    limit = LARGEST if most is None else most
    if value > limit:
        raise bad_input(f"{zh}不能大于 {limit}", f"{en} must not be above {limit}", path)
    if value < -LARGEST:
        raise bad_input(f"{zh}太小", f"{en} is too small", path)
    return value


def _list(value: Any, path: str, zh: str, en: str, most: int) -> list[Any]:
    if not isinstance(value, list):
        raise bad_input(f"{zh}应为列表", f"{en} must be a list", path)
    if len(value) > most:
        raise bad_input(f"{zh}最多 {most} 项", f"{en}: at most {most} entries", path)
    return value


def _mapping(value: Any, path: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        name = path or "request"
        raise bad_input(f"{name} 应为一个对象", f"{name} must be an object", path)
    return value


def _only(value: Mapping[str, Any], allowed: Sequence[str], path: str) -> None:
    for key in value:
        if key not in allowed:
            place = f"{path}.{key}" if path else str(key)
            raise bad_input(
                f"没有字段 {key}；可用：{', '.join(allowed)}", f"unknown field {key}; known: {', '.join(allowed)}", place
            )
