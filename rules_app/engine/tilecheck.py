"""Whether the tiles of a round can lie on a table: counts, kinds, copies, melds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .environment import RoundEnv
from .errors import Refusal
from .round import Event, Meld
from .text import Text
from .tiles import format_tiles, suit_of, tile_name


def _bad(zh: str, en: str, path: str) -> Refusal:
    return Refusal("bad_tiles", Text(zh, en), path)


def check_tiles(env: RoundEnv, events: Sequence[Event]) -> None:
    """Check every tile that is shown.

    :raises Refusal: ``bad_tiles`` at the first that cannot be.
    """
    per_seat: dict[int, list[int]] = {}
    aside: list[int] = []
    taken: dict[tuple[int, int], int] = {}
    first = 0
    """Index of the first of the wins that claim one and the same tile, allowed or not."""
    dealt: list[int] = []
    for event in events:
        path = f"round.events[{event.index}]"
        if event.type == "win":
            if event.declared is None:
                check_hand(env, event.hand, event.melds, event.flowers, path)
                _winning_tile(env, event, path)
                own = [*event.hand, *event.flowers, *(kind for meld in event.melds for kind in meld.tiles)]
                assert event.tile is not None
                assert event.seat is not None
                _copies(env, [*own, event.tile], path)
                if event.by == "self_draw":
                    own.append(event.tile)
                else:
                    before = events[event.index - 1] if event.index else None
                    if (
                        before is None
                        or before.seat == event.seat
                        or (before.by, before.giver, before.tile) != (event.by, event.giver, event.tile)
                    ):
                        first = event.index
                    taken[first, event.tile] = event.tile
                per_seat[event.seat] = own
            else:
                _flowers(env, event.flowers, f"{path}.flowers")
                if event.seat is not None:
                    per_seat[event.seat] = list(event.flowers)
        elif event.type == "kong":
            _kong(env, event, path)
            if env.ruleset.document.events.kongs[event.kind or ""].aside and event.tile is not None:
                aside.append(event.tile)
        elif event.type in env.ruleset.dealt_events:
            check_dealt(env, event, path)
            dealt += event.hand
        for place, shown in enumerate(event.hands):
            here = f"{path}.hands[{place}]"
            check_hand(env, shown.hand, shown.melds, shown.flowers, here)
            own = [*shown.hand, *shown.flowers, *(kind for meld in shown.melds for kind in meld.tiles)]
            _copies(env, own, here)
            per_seat[shown.seat] = own
        for name, value in event.fields.items():
            kinds = value if isinstance(value, tuple) and all(isinstance(item, int) for item in value) else ()
            for kind in (value,) if isinstance(value, int) and _is_tile_field(env, name) else kinds:
                _in_set(env, kind, f"{path}.{name}")
    entered: dict[int, list[int]] = {}
    for seat, melds, path in entered_melds(env):
        for place, meld in enumerate(melds):
            _meld(env, meld, f"{path}[{place}]")
        shown_tiles = entered.setdefault(seat, [])
        shown_tiles += [kind for meld in melds for kind in meld.tiles]
        _copies(env, shown_tiles, path)
    per_seat = {**entered, **per_seat}
    if env.ruleset.document.tiles.count_over == "table" and (len(per_seat) > 1 or aside):
        together = [kind for own in per_seat.values() for kind in own] + list(taken.values()) + aside
        _copies(env, together, "round.events")
    if env.ruleset.document.tiles.count_over == "table":
        _copies(env, dealt, "round.events")
    for name, value in env.inputs.items():
        if env.ruleset.document.inputs[name].type == "tile" and isinstance(value, int):
            _in_set(env, value, f"round.inputs.{name}")


def entered_melds(env: RoundEnv) -> Iterator[tuple[int, Sequence[Meld], str]]:
    """The melds of seats that an input of records tells of: seat, melds and their place in the request.

    These are the fields ``seat`` and of type ``melds`` of one record.
    """
    for name, spec in env.ruleset.document.inputs.items():
        for key, field in (spec.fields or {}).items():
            if field.type == "melds" and "seat" in (spec.fields or {}):
                for place, record in enumerate(env.inputs[name] or ()):
                    yield record.seat, getattr(record, key) or (), f"round.inputs.{name}[{place}].{key}"


def _is_tile_field(env: RoundEnv, name: str) -> bool:
    return any(name in specs and specs[name].type == "tile" for specs in env.ruleset.scopes.event_fields())


def check_hand(env: RoundEnv, hand: Sequence[int], melds: Sequence[Meld], flowers: Sequence[int], path: str) -> None:
    """Check one player's tiles: their number, their kinds, the form of the melds.

    :raises Refusal: ``bad_tiles``
    """
    ruleset = env.ruleset
    wanted = 3 * (ruleset.main_sets - len(melds)) + 1
    if wanted < 1:
        raise _bad(
            f"副露最多 {ruleset.main_sets} 组，这里有 {len(melds)} 组",
            f"a hand has at most {ruleset.main_sets} melds; here are {len(melds)}", f"{path}.melds",
        )  # fmt: skip
    for kind in hand:
        if kind not in ruleset.hand_kinds and kind not in env.wild_set:
            raise _foreign(kind, f"{path}.hand")
    if len(hand) != wanted:
        raise _bad(
            f"手牌应为 {wanted} 张（不含胡的那张），这里有 {len(hand)} 张",
            f"the hand has {wanted} tiles without the winning one; here are {len(hand)}", f"{path}.hand",
        )  # fmt: skip
    for place, meld in enumerate(melds):
        _meld(env, meld, f"{path}.melds[{place}]")
    _flowers(env, flowers, f"{path}.flowers")


def check_dealt(env: RoundEnv, event: Event, path: str) -> None:
    """Check the tiles dealt to a player, one more to the dealer.

    :raises Refusal: ``bad_tiles``
    """
    wanted = 3 * env.ruleset.main_sets + 1 + (event.seat == env.dealer)
    for kind in event.hand:
        if kind not in env.ruleset.hand_kinds and kind not in env.wild_set:
            raise _foreign(kind, f"{path}.hand")
    if len(event.hand) != wanted:
        raise _bad(
            f"起手牌应为 {wanted} 张，这里有 {len(event.hand)} 张",
            f"this player is dealt {wanted} tiles; here are {len(event.hand)}", f"{path}.hand",
        )  # fmt: skip
    _copies(env, event.hand, f"{path}.hand")


def _flowers(env: RoundEnv, flowers: Sequence[int], path: str) -> None:
    for kind in flowers:
        if kind not in env.ruleset.flower_kinds:
            name = tile_name(kind)
            raise _bad(f"{name.zh}在这种玩法里不是花牌", f"{name.en} is no flower in this game", path)
    _copies(env, flowers, path)


def _winning_tile(env: RoundEnv, event: Event, path: str) -> None:
    ruleset = env.ruleset
    kind = event.tile
    assert kind is not None
    if kind in ruleset.hand_kinds or kind in env.wild_set:
        return
    if kind in ruleset.flower_kinds and ruleset.document.tiles.winning_flower and event.by == "self_draw":
        return
    raise _foreign(kind, f"{path}.tile")


def _foreign(kind: int, path: str) -> Refusal:
    name = tile_name(kind)
    return _bad(
        f"{name.zh}不能在这里：这种玩法的手牌里没有这种牌", f"{name.en} cannot stand here: hands of this game hold no such tile", path
    )


def _in_set(env: RoundEnv, kind: int, path: str) -> None:
    if not env.ruleset.copies[kind]:
        name = tile_name(kind)
        raise _bad(f"这副牌里没有{name.zh}", f"there is no {name.en} in this set", path)


def _copies(env: RoundEnv, kinds: Sequence[int], path: str) -> None:
    ruleset = env.ruleset
    counts: dict[int, int] = {}
    for kind in kinds:
        counts[kind] = counts.get(kind, 0) + 1
    fixed = ruleset.limit is None
    for kind, number in counts.items():
        most = ruleset.copies[kind] if fixed else ruleset.copy_limit(env, kind)
        if number > most:
            name = tile_name(kind)
            if most < 1:
                raise _bad(f"{name.zh}这一局不在牌里", f"{name.en} is not in play this round", path)
            raise _bad(f"{name.zh}有 {number} 张，最多只有 {most} 张", f"{number} copies of {name.en}; there are only {most}", path)
    wild = ruleset.document.wild
    if wild is not None and wild.most is not None and path != "round.events":
        held = sum(counts.get(kind, 0) for kind in env.wild_set)
        if held > wild.most:
            raise _bad(
                f"{wild.name.zh}有 {held} 张，最多只有 {wild.most} 张",
                f"{held} wild tiles; there are only {wild.most}", path,
            )  # fmt: skip


def _meld(env: RoundEnv, meld: Meld, path: str) -> None:
    ruleset = env.ruleset
    tiles = meld.tiles
    for kind in tiles:
        in_hands = kind in ruleset.hand_kinds or kind in env.wild_set or meld.kind in ruleset.special_melds
        if not ruleset.copies[kind] or not in_hands:
            raise _foreign(kind, f"{path}.tiles")
    reads = ruleset.reads(env)
    read = sorted(reads.get(kind, kind) for kind in tiles)
    text = format_tiles(tiles)
    if meld.kind == "chow":
        if len(read) == 3 and all(suit_of(kind) == "z" for kind in read):
            code = ruleset.document.claims.honor_chow
            raise Refusal(code, Text(f"{text}：字牌不能吃", f"{text}: honours form no chow"), f"{path}.tiles")
        starts = ruleset.chow_starts
        good = (
            len(read) == 3 and read[0] + 1 == read[1] and read[1] + 1 == read[2]
            and (read[0] in starts if starts is not None else read[0] < 27 and read[0] % 9 <= 6)
        )  # fmt: skip
        if not good:
            raise _bad(f"{text} 不是一副顺子", f"{text} is no chow: three tiles in a row of one suit are wanted", f"{path}.tiles")
    elif meld.kind in ("pong", "kong"):
        size = 3 if meld.kind == "pong" else 4
        if len(read) != size or len(set(read)) != 1:
            what = ("碰", "a pong") if size == 3 else ("杠", "a kong")
            raise _bad(f"{text} 不是一副{what[0]}", f"{text} is not {what[1]}: {size} equal tiles are wanted", f"{path}.tiles")
    else:
        check_group(env, meld.kind, tiles, f"{path}.tiles")


def check_group(env: RoundEnv, name: str, tiles: Sequence[int], path: str) -> None:
    """Check a special meld: its basic tiles complete, nothing foreign.

    :raises Refusal: ``bad_tiles``
    """
    basic = env.ruleset.special_melds[name]
    words = env.ruleset.document.claims.special[name].name
    if not set(basic) <= set(tiles) or not set(tiles) <= set(basic):
        text = format_tiles(basic)
        raise _bad(f"{words.zh}要有 {text} 各一张，不能有别的牌", f"{words.en} needs each of {text} and nothing else", path)


def _kong(env: RoundEnv, event: Event, path: str) -> None:
    spec = env.ruleset.document.events.kongs[event.kind or ""]
    place = f"{path}.tiles" if event.tiles else f"{path}.tile"
    kinds = list(event.tiles) if event.tile is None else [event.tile]
    for kind in kinds:
        _in_set(env, kind, place)
        if event.tile is not None and spec.tile is None and kind not in env.ruleset.hand_kinds | env.wild_set:
            raise _foreign(kind, place)
    if spec.group is not None:
        check_group(env, spec.group, event.tiles, place)
    _copies(env, kinds, place)


def check_kinds(env: RoundEnv, kinds: Sequence[int], path: str) -> None:
    """Check that tiles are of the set and not more than there are.

    :raises Refusal: ``bad_tiles``
    """
    for kind in kinds:
        _in_set(env, kind, path)
    _copies(env, kinds, path)


def check_claims(env: RoundEnv, seat: int, melds: Sequence[Meld], path: str) -> None:
    """Check that the game has the melds shown.

    :raises Refusal: ``not_allowed``
    """
    claims = env.ruleset.document.claims
    for place, meld in enumerate(melds):
        here = f"{path}.melds[{place}]"
        if meld.kind == "chow":
            if claims.chow == "no":
                raise Refusal("not_allowed", Text("这种玩法不能吃", "this game has no chow"), here)
            before = (seat - 1) % len(env.seats)
            if claims.chow == "previous" and meld.giver not in (None, before):
                raise Refusal("not_allowed", Text("只能吃上家的牌", "a chow takes the discard of the seat before only"), here)
        elif meld.kind == "pong" and not claims.pong:
            raise Refusal("not_allowed", Text("这种玩法不能碰", "this game has no pong"), here)
        elif meld.kind == "kong" and meld.by not in claims.kongs:
            raise Refusal("not_allowed", Text("这种玩法不能这样杠", "this game has no such kong"), here)
