"""Reading single values of a request: each is of its declared type or refused with a sentence.

Everything refused here is ``bad_input``, but for text that is no tile: ``bad_tiles``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .errors import Refusal
from .round import LARGEST, MAX_EVENTS, MAX_RECORDS, Meld, Shown
from .schema import Input
from .text import Text
from .tiles import TileTextError, format_tiles, parse_tiles

if TYPE_CHECKING:
    from .ruleset import Ruleset


def bad_input(zh: str, en: str, path: str) -> Refusal:
    """A refusal with the code ``bad_input``."""
    return Refusal("bad_input", Text(zh, en), path)


def read_fields(ruleset: Ruleset, specs: Mapping[str, Input], event: Mapping[str, Any], path: str) -> dict[str, Any]:
    """The own fields of an event or record, each checked against its declaration; text that is no tile is blamed last."""
    values = {}
    no_tile: Refusal | None = None
    for name, spec in specs.items():
        if event.get(name) is None:
            if spec.required:
                raise bad_input(f"缺少{spec.name.zh}", f"{spec.name.en} is missing", f"{path}.{name}")
            values[name] = spec.default
            continue
        try:
            values[name] = read_value(ruleset, spec, event[name], f"{path}.{name}")
        except Refusal as refusal:
            if refusal.code == "bad_input":
                raise
            no_tile = no_tile or refusal
    if no_tile is not None:
        raise no_tile
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
            return read_integer(value, path, zh, en, spec.min, most)
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
            return read_seat(value, path, seats)
        case "seats":
            items = read_list(value, path, zh, en, seats)
            found = [read_seat(item, f"{path}[{place}]", seats) for place, item in enumerate(items)]
            if len(set(found)) != len(found):
                raise bad_input(f"{zh}里有重复的座位", f"{en} names a seat twice", path)
            return sorted(found)
        case "tile":
            return read_tile(value, path)
        case "tiles":
            if isinstance(value, list):
                return [tuple(read_tiles(item, f"{path}[{place}]")) for place, item in enumerate(value[:MAX_EVENTS])]
            return tuple(read_tiles(value, path))
        case "dice":
            items = read_list(value, path, zh, en, 2)
            if len(items) != 2:
                raise bad_input(f"{zh}应为两粒骰子的点数", f"{en} are two numbers from 1 to 6", path)
            return [read_integer(item, path, zh, en, 1, 6) for item in items]
        case "name":
            if not isinstance(value, str) or not value.strip() or len(value) > 60:
                raise bad_input(f"{zh}应为一个名字", f"{en} must be a name", path)
            return value
        case "names":
            items = read_list(value, path, zh, en, MAX_RECORDS)
            names = []
            for item in items:
                if not isinstance(item, str) or not item.strip() or len(item) > 60:
                    raise bad_input(f"{zh}应为名字的列表", f"{en} must be a list of names", path)
                if item in names:
                    raise bad_input(f"{zh}里 {item} 写了两次", f"{en} names {item} twice", path)
                names.append(item)
            return names
        case "hands":
            return read_hands(ruleset, value, path)
        case "melds":
            return read_melds(ruleset, value, path)
        case "records":
            items = read_list(value, path, zh, en, MAX_RECORDS)
            return [_record(ruleset, spec, item, f"{path}[{place}]") for place, item in enumerate(items)]
    raise AssertionError(spec.type)


class Record:
    """One entry of an input of type ``records``; its fields are attributes."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.__dict__.update(fields)


def _record(ruleset: Ruleset, spec: Input, value: Any, path: str) -> Record:
    fields = spec.fields or {}
    record = read_mapping(value, path)
    only_fields(record, tuple(fields), path)
    return Record(read_fields(ruleset, fields, record, path))


def read_hands(ruleset: Ruleset, given: Any, path: str) -> tuple[Shown, ...]:
    """Hands shown, one a seat."""
    seats = ruleset.document.seats
    shown: list[Shown] = []
    for place, item in enumerate(read_list(given, path, "亮出的手牌", "hands", seats)):
        here = f"{path}[{place}]"
        hand = read_mapping(item, here)
        only_fields(hand, ("seat", "hand", "melds", "flowers"), here)
        seat = read_seat(hand.get("seat"), f"{here}.seat", seats)
        if any(other.seat == seat for other in shown):
            raise bad_input("同一家的手牌写了两次", "a seat shows two hands", f"{here}.seat")
        if hand.get("hand") is None:
            raise bad_input("缺少手牌", "the hand is missing", f"{here}.hand")
        shown.append(
            Shown(
                seat,
                tuple(read_tiles(hand["hand"], f"{here}.hand")),
                read_melds(ruleset, hand.get("melds"), f"{here}.melds"),
                tuple(read_tiles(hand.get("flowers") or "", f"{here}.flowers")),
            )
        )
    return tuple(shown)


def read_melds(ruleset: Ruleset, given: Any, path: str) -> tuple[Meld, ...]:
    """Melds; their form is checked with the tiles."""
    if not given:
        if given not in (None, []):
            raise bad_input("melds 应为列表", "melds must be a list", path)
        return ()
    seats = ruleset.document.seats
    melds = []
    for place, item in enumerate(read_list(given, path, "副露", "melds", 9)):
        here = f"{path}[{place}]"
        meld = read_mapping(item, here)
        only_fields(meld, ("kind", "tiles", "from", "by"), here)
        kind = meld.get("kind")
        if not isinstance(kind, str) or kind not in ("chow", "pong", "kong", *ruleset.document.claims.special):
            names = ", ".join(("chow", "pong", "kong", *ruleset.document.claims.special))
            raise bad_input(f"kind 应为其中之一：{names}", f"kind must be one of {names}", f"{here}.kind")
        by = meld.get("by")
        if kind == "kong":
            if by not in ("concealed", "exposed", "added"):
                raise bad_input("杠要写明 by：concealed、exposed 或 added", "a kong says by: concealed, exposed or added", f"{here}.by")
        elif by is not None:
            raise bad_input("只有杠才写 by", "only a kong says by", f"{here}.by")
        giver = meld.get("from")
        if giver is not None:
            giver = read_seat(giver, f"{here}.from", seats)
        melds.append(Meld(str(kind), tuple(read_tiles(meld.get("tiles") or "", f"{here}.tiles")), giver, by))
    return tuple(melds)


def read_tiles(text: Any, path: str) -> Sequence[int]:
    """Tiles given as text."""
    if not isinstance(text, str):
        raise bad_input("牌应写成文字，如 123m", "tiles are written as text, such as 123m", path)
    if len(text) > 400:
        raise bad_input("牌太多", "too many tiles", path)
    try:
        return parse_tiles(text)
    except TileTextError as fault:
        raise Refusal("bad_tiles", fault.message, path) from None


def read_tile(text: Any, path: str) -> int:
    """One tile given as text."""
    kinds = read_tiles(text, path)
    if len(kinds) != 1:
        raise Refusal(
            "bad_tiles",
            Text(f"这里应是一张牌，而不是 {format_tiles(kinds) or '空'}", f"one tile is wanted here, not {text!r}"),
            path,
        )
    return kinds[0]


def read_seat(value: Any, path: str, seats: int) -> int:
    """A seat of the table."""
    if type(value) is not int or not 0 <= value < seats:
        raise bad_input(f"座位应为 0 到 {seats - 1}", f"a seat is a number from 0 to {seats - 1}", path)
    return value


def read_integer(value: Any, path: str, zh: str, en: str, least: int | None, most: int | None, allowed: list[int] | None = None) -> int:
    """A whole number within its range or among the allowed ones."""
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


def read_list(value: Any, path: str, zh: str, en: str, most: int) -> list[Any]:
    """A list of at most so many entries."""
    if not isinstance(value, list):
        raise bad_input(f"{zh}应为列表", f"{en} must be a list", path)
    if len(value) > most:
        raise bad_input(f"{zh}最多 {most} 项", f"{en}: at most {most} entries", path)
    return value


def read_mapping(value: Any, path: str) -> Mapping[str, Any]:
    """An object."""
    if not isinstance(value, Mapping):
        name = path or "request"
        raise bad_input(f"{name} 应为一个对象", f"{name} must be an object", path)
    return value


def only_fields(value: Mapping[str, Any], allowed: Sequence[str], path: str) -> None:
    """Refuse fields that are not known."""
    for key in value:
        if key not in allowed:
            place = f"{path}.{key}" if path else str(key)
            raise bad_input(f"没有字段 {key}；可用：{', '.join(allowed)}", f"unknown field {key}; known: {', '.join(allowed)}", place)
