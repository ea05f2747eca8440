"""Kinds of tiles: their numbers, names, and text in and out.

A kind is an ``int``: 0-8 characters, 9-17 dots, 18-26 bamboo, 27-33 winds (east, south, west,
north) and dragons (white, green, red), 34-41 flowers. A list of tiles is a list of kinds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from rules_app.engine.text import Text

KINDS: Final = 42
PLAYING: Final = 34
"""Kinds below this one can be part of a set or a pair; the others are flowers."""

SUITS: Final = "mpszf"
_SUIT_START: Final = {"m": 0, "p": 9, "s": 18, "z": 27, "f": 34}
_SUIT_SIZE: Final = {"m": 9, "p": 9, "s": 9, "z": 7, "f": 8}

_TEXTS: Final = tuple(f"{rank}{suit}" for suit in SUITS for rank in range(1, _SUIT_SIZE[suit] + 1))

_NUMERALS: Final = "一二三四五六七八九"
_HONOUR_NAMES: Final = (
    Text("东", "east wind"),
    Text("南", "south wind"),
    Text("西", "west wind"),
    Text("北", "north wind"),
    Text("白", "white dragon"),
    Text("发", "green dragon"),
    Text("中", "red dragon"),
)
_FLOWER_NAMES: Final = (
    Text("春", "spring"),
    Text("夏", "summer"),
    Text("秋", "autumn"),
    Text("冬", "winter"),
    Text("梅", "plum blossom"),
    Text("兰", "orchid"),
    Text("竹", "bamboo flower"),
    Text("菊", "chrysanthemum"),
)
_SUIT_NAMES: Final = {
    "m": Text("万", "characters"),
    "p": Text("筒", "dots"),
    "s": Text("条", "bamboo"),
    "z": Text("字牌", "honours"),
    "f": Text("花牌", "flowers"),
}
_NAMES: Final = (
    *(
        Text(
            f"{_NUMERALS[rank - 1]}{_SUIT_NAMES[suit].zh}",
            f"{rank} {_SUIT_NAMES[suit].en}",
        )
        for suit in "mps"
        for rank in range(1, 10)
    ),
    *_HONOUR_NAMES,
    *_FLOWER_NAMES,
)

_UNICODE: Final = (
    *(chr(0x1F007 + offset) for offset in range(9)),
    *(chr(0x1F019 + offset) for offset in range(9)),
    *(chr(0x1F010 + offset) for offset in range(9)),
    # The standard has the dragons in the order red, green, white.
    *(chr(code) for code in (0x1F000, 0x1F001, 0x1F002, 0x1F003, 0x1F006, 0x1F005, 0x1F004)),
    *(chr(0x1F026 + offset) for offset in range(4)),
    *(chr(0x1F022 + offset) for offset in range(4)),
)

_RANKS: Final = {
    **{str(rank): rank for rank in range(1, 10)},
    **{chr(0xFF10 + rank): rank for rank in range(1, 10)},
    **{numeral: rank for rank, numeral in enumerate(_NUMERALS, start=1)},
}
_SUIT_SIGNS: Final = {
    **{letter: letter for letter in SUITS},
    **{letter.upper(): letter for letter in SUITS},
    **{chr(ord(letter) - 0x61 + 0xFF41): letter for letter in SUITS},
    **dict.fromkeys("万萬", "m"),
    **dict.fromkeys("筒饼餅", "p"),
    **dict.fromkeys("条條索", "s"),
}
_SINGLE_SIGNS: Final = {
    **{sign: kind for kind, sign in enumerate(_UNICODE)},
    **{name.zh: 27 + offset for offset, name in enumerate(_HONOUR_NAMES)},
    **{name.zh: 34 + offset for offset, name in enumerate(_FLOWER_NAMES)},
    "東": 27,
    "發": 32,
    "蘭": 39,
}
_PREFIXES: Final = {"红": "中", "紅": "中"}
_SUFFIXES: Final = {
    **dict.fromkeys("东東南西北", "风風"),
    "白": "板",
    "发": "财財",
    "發": "财財",
}
_IGNORED: Final = frozenset(",，、\ufe0e\ufe0f")
_CACHED_LENGTH: Final = 96


class TileTextError(ValueError):
    """A text that does not name tiles.

    ``message`` says what is wrong, where, and what would be right; ``position`` is the index of
    the character at fault (the length of the text when something is missing at its end).
    """

    def __init__(self, message: Text, position: int) -> None:
        super().__init__(message.en)
        self.message = message
        self.position = position


def parse_tiles(text: str) -> list[int]:
    """The tiles that a text names, in its order; an empty text names none.

    Reads ``123m44p7z``, Chinese (``一二三万 4饼 东东 红中 梅``) and the Unicode mahjong signs, mixed
    as one likes; spaces and commas are ignored.

    :raises TileTextError: for every other text.
    """
    if len(text) <= _CACHED_LENGTH:
        return list(_parse_cached(text))
    return list(_parse(text))


def parse_tile(text: str) -> int:
    """The one tile that a text names, in any of the ways of :func:`parse_tiles`.

    :raises TileTextError: if it is not a text of tiles or names none or several.
    """
    kinds = parse_tiles(text)
    if len(kinds) != 1:
        message = Text(
            f"这里应当只有一张牌，却写了 {len(kinds)} 张；请写一张，例如 5m 或 东。",
            f"Exactly one tile belongs here, but the text has {len(kinds)}; write one, for example 5m or 7z.",
        )
        raise TileTextError(message, 0)
    return kinds[0]


def _parse(text: str) -> tuple[int, ...]:
    kinds: list[int] = []
    pending: list[tuple[int, int]] = []  # (index in the text, rank) of digits before their suit
    index, length = 0, len(text)
    while index < length:
        sign = text[index]
        if (rank := _RANKS.get(sign)) is not None:
            pending.append((index, rank))
        elif (suit := _SUIT_SIGNS.get(sign)) is not None:
            if not pending:
                raise _missing_digit(text, index)
            start, size = _SUIT_START[suit], _SUIT_SIZE[suit]
            for at, rank in pending:
                if rank > size:
                    raise _rank_too_high(text, at, suit)
                kinds.append(start + rank - 1)
            pending.clear()
        elif sign in _IGNORED or sign.isspace():
            pass
        else:
            if _PREFIXES.get(sign, "") == text[index + 1 : index + 2] != "":
                index += 1
                sign = text[index]
            kind = _SINGLE_SIGNS.get(sign)
            if kind is None:
                raise _unknown_sign(text, index)
            if pending:
                raise _missing_suit(text, pending)
            kinds.append(kind)
            if text[index + 1 : index + 2] in _SUFFIXES.get(sign, "") and index + 1 < length:
                index += 1
        index += 1
    if pending:
        raise _missing_suit(text, pending)
    return tuple(kinds)


_parse_cached = lru_cache(maxsize=8192)(_parse)


def _shown(sign: str) -> str:
    """A character as it may stand in a sentence."""
    return sign if sign.isprintable() else f"U+{ord(sign):04X}"


def _unknown_sign(text: str, index: int) -> TileTextError:
    sign = _shown(text[index])
    message = Text(
        f"第 {index + 1} 个字符“{sign}”不是牌；请用 m 万、p 筒、s 条、z 字牌、f 花牌，例如 123m44p7z，或直接写 一万、东、红中。",
        f"Character {index + 1}, “{sign}”, is not a tile; write m characters, p dots, s bamboo, "
        "z honours, f flowers, for example 123m44p7z.",
    )
    return TileTextError(message, index)


def _missing_digit(text: str, index: int) -> TileTextError:
    sign = _shown(text[index])
    message = Text(
        f"第 {index + 1} 个字符“{sign}”前面没有数字；请先写点数，例如 5{sign}。",
        f"There is no digit before “{sign}” (character {index + 1}); write the rank first, for example 5{sign}.",
    )
    return TileTextError(message, index)


def _missing_suit(text: str, pending: Sequence[tuple[int, int]]) -> TileTextError:
    index = pending[0][0]
    digits = "".join(text[at] for at, _ in pending[:14])
    message = Text(
        f"第 {index + 1} 个字符起的“{digits}”后面没有写花色；请补上 m、p、s、z 或 f，例如 {digits}m。",
        f"“{digits}” (from character {index + 1}) has no suit; add m, p, s, z or f, for example {digits}m.",
    )
    return TileTextError(message, index)


def _rank_too_high(text: str, index: int, suit: str) -> TileTextError:
    size, name, sign = _SUIT_SIZE[suit], _SUIT_NAMES[suit], text[index]
    message = Text(
        f"第 {index + 1} 个字符：没有 {sign}{suit} 这张牌；{name.zh}只有 1{suit} 到 {size}{suit}。",
        f"Character {index + 1}: there is no tile {sign}{suit}; {name.en} go from 1{suit} to {size}{suit}.",
    )
    return TileTextError(message, index)


def format_tiles(kinds: Iterable[int]) -> str:
    """The tiles sorted, in the shortest notation: ``123m44p``; the inverse of the parser."""
    parts: list[str] = []
    suit = ""
    for kind in sorted(kinds):
        text = _TEXTS[kind]
        if text[1] != suit:
            parts.append(suit)
            suit = text[1]
        parts.append(text[0])
    parts.append(suit)
    return "".join(parts)


def tile_text(kind: int) -> str:
    """The notation of one kind: ``5m``."""
    return _TEXTS[kind]


def suit_of(kind: int) -> str:
    """``m`` characters, ``p`` dots, ``s`` bamboo, ``z`` winds and dragons, ``f`` flowers."""
    return _TEXTS[kind][1]


def rank_of(kind: int) -> int:
    """1 to 9 within the suit; winds are 1 to 4, dragons 5 to 7, flowers 1 to 8."""
    return int(_TEXTS[kind][0])


def tile_name(kind: int) -> Text:
    """The name that people use: 五万, "5 characters"."""
    return _NAMES[kind]


def counts_of(kinds: Iterable[int]) -> list[int]:
    """How many of each of the 42 kinds."""
    counts = [0] * KINDS
    for kind in kinds:
        counts[kind] += 1
    return counts
