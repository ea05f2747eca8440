"""Slow and plain answers to compare the engine's fast ones with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product

PlainGroup = tuple[str, int, int]
"""Form, first kind, wild mask (in groups of equal tiles the highest places)."""


def plain_divisions(counts: Sequence[int], sets: int, pairs: int, chows: frozenset[int]) -> set[tuple[tuple[str, int], ...]]:
    """All divisions of natural tiles, each as sorted (form, first kind)."""
    lowest = next((kind for kind, count in enumerate(counts) if count), None)
    if lowest is None:
        return {()} if sets == pairs == 0 else set()
    found = set()
    choices: list[tuple[str, tuple[int, ...]]] = []
    if sets:
        choices.append(("triplet", (lowest,) * 3))
        if lowest in chows:
            choices.append(("chow", (lowest, lowest + 1, lowest + 2)))
    if pairs:
        choices.append(("pair", (lowest,) * 2))
    for form, tiles in choices:
        left = list(counts)
        for kind in tiles:
            left[kind] -= 1
        if min(left) < 0:
            continue
        is_pair = form == "pair"
        for rest in plain_divisions(left, sets - (not is_pair), pairs - is_pair, chows):
            found.add(tuple(sorted(((form, lowest), *rest))))
    return found


def assignments(counts: Sequence[int], wilds: int, allowed: Sequence[int]) -> Iterator[list[int]]:
    """The counts of all tiles for every way to read the wilds."""
    for kinds in combinations_with_replacement(allowed, wilds):
        full = list(counts)
        for kind in kinds:
            full[kind] += 1
        yield full


def _masks(form: str) -> list[int]:
    if form == "chow":
        return list(range(8))
    size = {"triplet": 3, "pair": 2, "single": 1}[form]
    return [(1 << size) - (1 << size - wilds) for wilds in range(size + 1)]


def plain_readings(
    counts: Sequence[int],
    wilds: int,
    *,
    sets: int,
    pairs: int,
    allowed: Sequence[int],
    chows: frozenset[int],
) -> set[tuple[PlainGroup, ...]]:
    """All readings with wilds, each as sorted groups."""
    found = set()
    for full in assignments(counts, wilds, allowed):
        for division in plain_divisions(full, sets, pairs, chows):
            for masks in product(*(_masks(form) for form, _ in division)):
                stood_for = list(counts)
                for (form, first), mask in zip(division, masks, strict=True):
                    for place in range(2 if form == "pair" else 3):
                        kind = first + place if form == "chow" else first
                        stood_for[kind] += mask >> place & 1
                if stood_for == full:
                    found.add(tuple(sorted((form, first, mask) for (form, first), mask in zip(division, masks, strict=True))))
    return found
