"""Melds as people write them: ``222s``, ``123m from 0``, ``5555p concealed``, ``暗5555p``.

The short form is that of the examples in documents, of links to the scoring page and of its text field.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .errors import Refusal
from .text import Text
from .tiles import TileTextError, format_tiles, parse_tiles, suit_of

MANNERS = {
    "concealed": "concealed", "暗": "concealed", "暗杠": "concealed",
    "exposed": "exposed", "明": "exposed", "明杠": "exposed", "直": "exposed", "直杠": "exposed",
    "added": "added", "加": "added", "加杠": "added", "补": "added", "补杠": "added", "碰杠": "added",
}  # fmt: skip
_WORD = re.compile(r"[A-Za-z_]{2,}|[暗明直加补碰]杠?")
_FROM = re.compile(r"(?:\bfrom\s*|@\s*|来自\s*)(\d)\s*$", re.IGNORECASE)


def parse_meld(text: str, special: Mapping[str, Sequence[int]] | None = None, path: str = "") -> dict[str, Any]:
    """A meld in the form of the scorer contract: ``{"kind", "tiles", "from"?, "by"?}``.

    ``special`` gives the basic tiles of the game's own kinds of melds by name; such a meld is told by its tiles or
    by its name written before or after them. What is no meld at all is returned as a pong or chow for the scorer to refuse.

    :raises Refusal: ``bad_tiles`` where the text names no tiles.
    """
    rest = text.strip()
    giver = None
    if (found := _FROM.search(rest)) is not None:
        giver = int(found.group(1))
        rest = rest[: found.start()].strip()
    by, named = None, None
    for word in _WORD.findall(rest):
        if word in MANNERS:
            by = MANNERS[word]
        elif special and word in special:
            named = word
        else:
            continue
        rest = rest.replace(word, " ", 1)
    try:
        kinds = sorted(parse_tiles(rest))
    except TileTextError as fault:
        raise Refusal("bad_tiles", fault.message, path) from None
    if not kinds:
        raise Refusal("bad_tiles", Text(f"“{text}”里没有牌", f"“{text}” names no tiles"), path)
    kind = named or _kind(kinds, special or {})
    meld: dict[str, Any] = {"kind": kind, "tiles": format_tiles(kinds)}
    if kind == "kong":
        meld["by"] = by or "exposed"
    if giver is not None:
        meld["from"] = giver
    return meld


def parse_melds(text: str, special: Mapping[str, Sequence[int]] | None = None, path: str = "") -> list[dict[str, Any]]:
    """Melds separated by commas, semicolons or line ends.

    :raises Refusal: as `parse_meld`.
    """
    parts = [part for part in re.split(r"[,，;；、\n]+", text) if part.strip()]
    return [parse_meld(part, special, f"{path}[{place}]" if path else "") for place, part in enumerate(parts)]


def format_meld(meld: Mapping[str, Any], special: Mapping[str, Sequence[int]] | None = None) -> str:
    """The short form of a meld of the scorer contract; the inverse of `parse_meld`."""
    words = [str(meld["tiles"])]
    kind = meld["kind"]
    if kind == "kong":
        words.append(str(meld["by"]))
    elif special and kind in special and _kind(parse_tiles(str(meld["tiles"])), special) != kind:
        words.insert(0, str(kind))
    if meld.get("from") is not None:
        words.append(f"from {meld['from']}")
    return " ".join(words)


def _kind(kinds: Sequence[int], special: Mapping[str, Sequence[int]]) -> str:
    if len(set(kinds)) == 1:
        return "kong" if len(kinds) == 4 else "pong"
    run = len(kinds) == 3 and kinds[0] + 1 == kinds[1] == kinds[2] - 1 and suit_of(kinds[0]) == suit_of(kinds[2])
    if run and suit_of(kinds[0]) in "mps":
        return "chow"
    for name, basic in special.items():
        if set(kinds) == set(basic):
            return name
    return "chow" if run or len(kinds) == 3 else "pong"
