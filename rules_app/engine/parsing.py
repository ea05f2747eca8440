"""From a request to a round: its form checked, nothing scored.

Everything refused here is ``bad_input`` (fields, types, ranges, unknown names), an event that the game does not know
(``not_allowed``) or text that is no tile (``bad_tiles``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .errors import Refusal
from .fields import (
    bad_input,
    only_fields,
    read_fields,
    read_hands,
    read_integer,
    read_list,
    read_mapping,
    read_melds,
    read_seat,
    read_tile,
    read_tiles,
    read_value,
)
from .round import MANNERS, MAX_EVENTS, Event, Round
from .schema import EventKind, Input, KongKind
from .text import Text

if TYPE_CHECKING:
    from .ruleset import Ruleset

BUILT_IN_EVENTS = ("win", "kong", "draw", "penalty")
"""Events that most games know; where one does not, entering it is not allowed."""


def parse_round(ruleset: Ruleset, request: Mapping[str, Any]) -> Round:
    """Read a request of the form of the scorer contract.

    :raises Refusal: with code ``bad_input`` or ``bad_tiles``, at the first fault.
    """
    if not isinstance(request, Mapping):
        raise bad_input("请求应为一个对象", "the request must be an object", "")
    only_fields(request, ("variant", "options", "table", "round", "ask"), "")
    ask = request.get("ask")
    if ask not in (None, "waits", "so_far"):
        raise bad_input("ask 只能是 waits 或 so_far", "ask can only be waits or so_far", "ask")
    body = read_mapping(request.get("round"), "round")
    only_fields(body, ("wild", "inputs", "events"), "round")
    options = parse_options(ruleset, request.get("options"))
    seats = ruleset.document.seats
    dealer, streak, wind, state = _table(ruleset, request.get("table"), seats)
    if ruleset.comparison is not None:
        _shown_once(ruleset, body)
    inputs, given = _inputs(ruleset, body.get("inputs"))
    wild = _wild(ruleset, body.get("wild"))
    events = body.get("events")
    if events is None:
        events = []
    if not isinstance(events, Sequence) or isinstance(events, str) or len(events) > MAX_EVENTS:
        raise bad_input(f"events 应为列表，最多 {MAX_EVENTS} 项", f"events must be a list of at most {MAX_EVENTS}", "round.events")
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
    for name, value in read_mapping(given, "options").items():
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
            if not isinstance(value, str) or not isinstance(option.values, dict) or value not in option.values:
                known = ", ".join(option.values or ())  # type: ignore[arg-type]
                raise bad_input(f"{label.zh}应为其中之一：{known}", f"{label.en} must be one of {known}", path)
        else:
            allowed = option.values if isinstance(option.values, list) else None
            read_integer(value, path, label.zh, label.en, option.min, option.max, allowed)
        values[name] = value
    return values


def _table(ruleset: Ruleset, given: Any, seats: int) -> tuple[int, int, int, dict[str, Any]]:
    if given is None:
        return 0, 0, 27, {}
    table = read_mapping(given, "table")
    only_fields(table, ("dealer", "streak", "round_wind", "state"), "table")
    dealer = read_seat(table.get("dealer", 0), "table.dealer", seats)
    streak = read_integer(table.get("streak", 0), "table.streak", "连庄", "streak", 0, 100_000)
    wind = 27
    if "round_wind" in table:
        kinds = read_tiles(table["round_wind"], "table.round_wind")
        if len(kinds) != 1 or not 27 <= kinds[0] <= 30:
            raise bad_input("圈风应为 1z 到 4z", "the round wind is one of 1z to 4z", "table.round_wind")
        wind = kinds[0]
    state = {}
    carried = table.get("state")
    if carried is not None:
        for name, value in read_mapping(carried, "table.state").items():
            state[name] = _carried(ruleset, name, value)
    return dealer, streak, wind, state


def _carried(ruleset: Ruleset, name: str, value: Any) -> Any:
    """A value that the table carries, checked against its declaration."""
    path, seats = f"table.state.{name}", ruleset.document.seats
    spec = ruleset.document.state.get(name)
    if spec is None:
        known = ", ".join(ruleset.document.state) or "-"
        raise bad_input(f"没有 {name}；可用：{known}", f"there is no {name}; known: {known}", path)
    zh, en = spec.name.zh, spec.name.en
    if spec.per_seat:
        if not isinstance(value, list) or len(value) != seats:
            raise bad_input(f"{zh}应为每家一项", f"{en} has one value a seat", path)
        return [read_integer(item, path, zh, en, spec.min, None) for item in value]
    if spec.type == "integer":
        return read_integer(value, path, zh, en, spec.min, None)
    if spec.type == "seat":
        return read_seat(value, path, seats)
    if spec.type == "flag":
        if not isinstance(value, bool):
            raise bad_input(f"{zh}应为 true 或 false", f"{en} must be true or false", path)
        return value
    return [read_seat(item, path, seats) for item in read_list(value, path, zh, en, seats)]


def _inputs(ruleset: Ruleset, given: Any) -> tuple[dict[str, Any], frozenset[str]]:
    if not given:
        if given not in (None, {}):
            raise bad_input("inputs 应为一个对象", "inputs must be an object", "round.inputs")
        return ruleset.default_inputs, frozenset()
    values = dict(ruleset.default_inputs)
    entered = read_mapping(given, "round.inputs")
    for name, value in entered.items():
        path = f"round.inputs.{name}"
        spec = _known_input(ruleset, name)
        if value is None and not spec.required:
            continue
        values[name] = read_value(ruleset, spec, value, path)
    return values, frozenset(name for name in entered if entered[name] is not None)


def _known_input(ruleset: Ruleset, name: str) -> Input:
    spec = ruleset.document.inputs.get(name)
    if spec is None:
        known = ", ".join(ruleset.document.inputs) or "-"
        raise bad_input(f"没有 {name} 这一项；可用：{known}", f"there is no input {name}; known: {known}", f"round.inputs.{name}")
    return spec


def _shown_once(ruleset: Ruleset, body: Mapping[str, Any]) -> None:
    """A comparing game knows one event, once: that comes before the values of inputs and fields.

    :raises Refusal: ``bad_input`` for an unknown input or wild kinds, ``not_allowed`` for another event or a second one.
    """
    for name in read_mapping(body.get("inputs") or {}, "round.inputs"):
        _known_input(ruleset, name)
    _wild(ruleset, body.get("wild"))
    comparison = ruleset.document.comparison
    events = body.get("events")
    shown = False
    for index, event in enumerate(events if isinstance(events, list) else []):
        kind = event.get("type") if isinstance(event, Mapping) else None
        if comparison is not None and kind == comparison.event:
            if shown:
                say = ruleset.document.course.after_over
                raise Refusal("not_allowed", Text(say.zh, say.en), f"round.events[{index}]")
            shown = True
        elif isinstance(kind, str) and kind not in ruleset.event_types:
            raise _no_such_event(index)


def _no_such_event(index: int) -> Refusal:
    return Refusal("not_allowed", Text("这种玩法没有这种事件", "this game has no such event"), f"round.events[{index}].type")


def _wild(ruleset: Ruleset, given: Any) -> tuple[int, ...]:
    path = "round.wild"
    if given is None:
        return ruleset.fixed_wild
    if not isinstance(given, list) or not all(isinstance(item, str) for item in given):
        raise bad_input("wild 应为牌的列表", "wild must be a list of tiles", path)
    if given and ruleset.document.wild is None:
        raise bad_input("这种玩法没有百搭牌", "this game has no wild tiles", path)
    try:
        kinds = tuple(kind for item in given for kind in read_tiles(item, path) or (-1,))
    except Refusal as refusal:
        raise Refusal("bad_input", refusal.message, path) from refusal
    if -1 in kinds:
        raise bad_input("wild 里有一项是空的", "wild holds an empty item", path)
    if len(set(kinds)) != len(kinds):
        raise bad_input("同一种牌写了两次", "a kind is named twice", path)
    return kinds


def _event(ruleset: Ruleset, index: int, given: Any) -> Event:
    path = f"round.events[{index}]"
    event = read_mapping(given, path)
    kind = event.get("type")
    known = ruleset.event_types
    if not isinstance(kind, str) or kind not in known:
        if isinstance(kind, str) and kind in BUILT_IN_EVENTS:
            raise _no_such_event(index)
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
    only_fields(event, WIN_FIELDS, path)
    seats = ruleset.document.seats
    seat = read_seat(event.get("seat"), f"{path}.seat", seats)
    by = event.get("by")
    if by not in MANNERS:
        raise bad_input("by 应为 self_draw、discard 或 rob_kong", "by must be self_draw, discard or rob_kong", f"{path}.by")
    giver = event.get("from")
    if by == "self_draw":
        if giver is not None:
            raise bad_input("自摸没有放铳者", "a self-draw has no payer: leave out from", f"{path}.from")
    else:
        giver = read_seat(giver, f"{path}.from", seats)
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
                raise bad_input(f"没有标记 {flag}；可用：{names}", f"there is no flag {flag}; known: {names}", f"{path}.flags")
    flowers = read_tiles(event.get("flowers") or "", f"{path}.flowers")
    declared = event.get("declared")
    if declared is None:
        if event.get("tile") is None:
            raise bad_input("缺少胡的那张牌", "the winning tile is missing", f"{path}.tile")
        if event.get("hand") is None:
            raise bad_input("缺少手牌", "the hand is missing", f"{path}.hand")
    else:
        for key in ("hand", "melds"):
            if event.get(key):
                raise bad_input("快速记分不写手牌", "quick entry takes patterns in place of tiles", f"{path}.{key}")
        if not isinstance(declared, list) or len(declared) > 200:
            raise bad_input("declared 应为番种列表", "declared must be a list of patterns", f"{path}.declared")
        for name in declared:
            if not isinstance(name, str) or name not in ruleset.document.patterns:
                raise bad_input(f"没有番种 {name}", f"there is no pattern {name}", f"{path}.declared")
    tile = read_tile(event["tile"], f"{path}.tile") if event.get("tile") is not None else None
    hand = tuple(read_tiles(event.get("hand") or "", f"{path}.hand"))
    melds = read_melds(ruleset, event.get("melds"), f"{path}.melds")
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
    only_fields(event, ("type", "seat", "kind", "tile", "tiles", "from", *spec.fields), path)
    seats = ruleset.document.seats
    seat = read_seat(event.get("seat"), f"{path}.seat", seats)
    tiles: tuple[int, ...] = ()
    tile = None
    if spec.several or spec.group:
        tiles = tuple(read_tiles(event.get("tiles") or "", f"{path}.tiles"))
        if not tiles:
            raise bad_input("缺少杠的牌", "the tiles of the kong are missing", f"{path}.tiles")
    elif "tile" in event:
        tile = read_tile(event["tile"], f"{path}.tile")
    else:
        tiles = tuple(read_tiles(event.get("tiles") or "", f"{path}.tiles"))
        if len(set(tiles)) != 1:
            raise bad_input("缺少杠的牌", "the tile of the kong is missing", f"{path}.tile")
        tile = tiles[0]
    giver = event.get("from")
    if giver is not None:
        giver = read_seat(giver, f"{path}.from", seats)
        if spec.giver == "none":
            giver = None
        elif giver == seat:
            raise bad_input("杠不能由自己点", "a seat cannot give itself a kong", f"{path}.from")
    if spec.giver == "required" and giver is None:
        raise bad_input("缺少点杠的一家", "who gave the kong is missing", f"{path}.from")
    fields = read_fields(ruleset, spec.fields, event, path)
    return Event("kong", index, seat, giver=giver, tile=tile, tiles=tiles, kind=kind, fields=fields)


def _draw(ruleset: Ruleset, index: int, event: Mapping[str, Any], path: str) -> Event:
    only_fields(event, ("type", "hands"), path)
    hands = event.get("hands")
    if hands is None and ruleset.document.events.draw == "required":
        raise bad_input("流局要写明各家手牌", "a draw must show the hands that settle", f"{path}.hands")
    return Event("draw", index, hands=read_hands(ruleset, hands or [], f"{path}.hands"))


def _own(
    ruleset: Ruleset, index: int, event: Mapping[str, Any], path: str, spec: EventKind, own: tuple[str, ...],
    name: str | None,
) -> Event:  # fmt: skip
    only_fields(event, (*own, *(("seat",) if spec.seat else ()), *spec.fields), path)
    seat = read_seat(event.get("seat"), f"{path}.seat", ruleset.document.seats) if spec.seat else None
    fields = read_fields(ruleset, spec.fields, event, path)
    hands = next((fields[key] for key, field_spec in spec.fields.items() if field_spec.type == "hands"), None) or ()
    hand = fields.get("hand") or ()
    tiles = tuple(hand) if spec.dealt else ()
    return Event(str(event["type"]), index, seat, name=name, tiles=tiles, hands=hands, hand=hand, fields=fields)
