"""Tile literals of the expression language: ``"5m"`` for a kind, ``"19m123z"`` for a set of kinds."""

from __future__ import annotations

import re

_FIRST = {"m": 0, "p": 9, "s": 18, "z": 27, "f": 34}
_LAST_RANK = {"m": 9, "p": 9, "s": 9, "z": 7, "f": 8}
_GROUP = re.compile(r"([1-9]+)([mpszf])", re.ASCII)


def read_kinds(text: str) -> frozenset[int] | None:
    """The kinds of a literal such as ``"19m 19p 1234567z"``, or None when it is none."""
    text = text.replace(" ", "")
    kinds: set[int] = set()
    position = 0
    while position < len(text):
        group = _GROUP.match(text, position)
        if group is None:
            return None
        ranks, suit = group.groups()
        for rank in ranks:
            if int(rank) > _LAST_RANK[suit]:
                return None
            kinds.add(_FIRST[suit] + int(rank) - 1)
        position = group.end()
    return frozenset(kinds) or None


def read_kind(text: str) -> int | None:
    """The kind of a literal such as ``"5m"``, or None when it is none."""
    if len(text) != 2:
        return None
    kinds = read_kinds(text)
    return None if kinds is None else next(iter(kinds))
