"""Which part of a name or text was meant: characters, words, or the characters whose pinyin was typed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules_app.search.tokens import ARTICLES, ASKING, Query, fold, is_characters, runs, stem, synonyms

AROUND = {"zh": 34, "en": 90}
WORD = re.compile(r"[A-Za-z0-9']+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text, and whether it is marked."""

    text: str
    marked: bool = False


def mark(text: str, query: Query, pinyin: Sequence[str] = ()) -> list[Piece]:
    """The text in pieces, those marked that the query means."""
    return _pieces(text, _spots(text, query, pinyin))


def is_marked(pieces: Sequence[Piece]) -> bool:
    """Whether any piece is marked."""
    return any(piece.marked for piece in pieces)


def excerpt(text: str, query: Query, language: str) -> list[Piece]:
    """The stretch of a text around what the query means, or its beginning."""
    spots = _spots(text, query, ())
    around = AROUND["zh" if language.startswith("zh") else "en"]
    first = min(spots, default=0)
    start, end = max(0, first - around // 2), first + around * 2
    if not language.startswith("zh") and start:
        start = text.rfind(" ", 0, start) + 1
    if not language.startswith("zh") and end < len(text):
        end = text.rfind(" ", start, end) if " " in text[start:end] else end
    pieces = _pieces(text[start:end], {spot - start for spot in spots if start <= spot < end})
    before = [Piece("…")] if start else []
    return [*before, *pieces, *([Piece("…")] if end < len(text) else [])]


def _pieces(text: str, spots: set[int]) -> list[Piece]:
    found: list[Piece] = []
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or (at in spots) != (start in spots):
            found.append(Piece(text[start:at], start in spots))
            start = at
    return found


def _spots(text: str, query: Query, pinyin: Sequence[str]) -> set[int]:
    """The places of the letters to mark."""
    asked = runs(query.text)
    spots: set[int] = set()
    for run in asked:
        if is_characters(run):
            spots |= _characters(text, run)
        elif run not in ARTICLES | ASKING:
            spots |= _words(text, stem(run))
    if not spots and pinyin and not any(is_characters(run) for run in asked):
        spots = _spoken(text, query, pinyin)
    return spots


def _plain(text: str) -> str:
    """The text folded letter by letter, so that places stay the same."""
    letters = []
    for letter in text:
        if letter.isascii():
            letters.append(letter.lower())
            continue
        folded = fold(letter).translate(synonyms().characters)
        letters.append(folded if len(folded) == 1 else letter)
    return "".join(letters)


def _characters(text: str, run: str) -> set[int]:
    plain = _plain(text)
    whole = set(_all(plain, run))
    if whole:
        return {at + step for at in whole for step in range(len(run))}
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    return {at + step for pair in pairs for at in _all(plain, pair) for step in (0, 1)}


def _all(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _words(text: str, word: str) -> set[int]:
    found: set[int] = set()
    if len(word) < 2:
        return found
    for match in WORD.finditer(text):
        if stem(match.group().lower()).startswith(word):
            found |= set(range(match.start(), match.end()))
    return found


def _spoken(text: str, query: Query, pinyin: Sequence[str]) -> set[int]:
    """The characters whose syllables were typed, joined, apart, or by their initials."""
    places = [at for at, letter in enumerate(text) if is_characters(letter)]
    if len(places) != len(pinyin):
        return set()
    if query.key == "".join(part[:1] for part in pinyin):
        return set(places)
    for start in range(len(pinyin)):
        joined = ""
        for end in range(start, len(pinyin)):
            joined += pinyin[end]
            if joined.startswith(query.key):
                return set(places[start : end + 1])
    words = [word for word, _goes_on in query.tokens]
    return {place for place, part in zip(places, pinyin, strict=True) if any(part.startswith(word) for word in words)}
