"""The search itself: one ranking on both databases.

A row is as near as its nearest match: the whole name, another whole name, the initials, the beginning of a name,
words of the title, words of the title beside those of the game, words of the text.  Equal matches stand in the
order of their `weight`.  The database only says which rows match; all else is the same SQL.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum

from django.db import connection

from rules_app.search.models import SearchDocument
from rules_app.search.schema import INDEX, TABLE, lexemes
from rules_app.search.tokens import Query, key, read_query

MOST_HITS = 120


class Nearness(IntEnum):
    """How near a match is."""

    NAME = 0
    ALIAS = 1
    INITIALS = 2
    NAME_BEGINS = 3
    ALIAS_BEGINS = 4
    TITLE = 5
    TITLE_AND_GAME = 6
    TEXT = 7
    SOME_WORDS = 8


@dataclass(frozen=True, slots=True)
class Filters:
    """What the results are narrowed to; empty means all."""

    games: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    needs_wild: bool | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A rule that matches, and how nearly."""

    row: SearchDocument
    nearness: Nearness


@dataclass(slots=True)
class GameHits:
    """The hits of one game, nearest first."""

    slug: str
    hits: list[Hit] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Lookup:
    """One way to match: a column, and its tokens joined by ``and`` (or ``or``); True for tokens that may go on."""

    nearness: Nearness
    column: str
    tokens: tuple[tuple[str, bool], ...]
    any_of: bool = False

    def for_sqlite(self) -> str:
        parts = [f'"{token}"{" *" if goes_on else ""}' for token, goes_on in self.tokens]
        return f"{self.column} : ({(' OR ' if self.any_of else ' AND ').join(parts)})"

    def for_postgresql(self) -> str:
        parts = [f"'{token}'{':*' if goes_on else ''}" for token, goes_on in self.tokens]
        return (" | " if self.any_of else " & ").join(parts)


def search(text: str, filters: Filters | None = None, *, most: int = MOST_HITS) -> list[GameHits]:
    """The rules that a text finds, grouped by game; the game with the nearest match comes first."""
    filters = filters or Filters()
    if not filters.games:
        game, rest = split_game(text)
        within = search(rest, replace(filters, games=(game,)), most=most) if game else []
        if within and within[0].hits[0].nearness < Nearness.TEXT:
            return within
    query = read_query(text)
    if query.is_empty:
        return []
    found = _ranked(_lookups(query), filters, most)
    if not found and len(query.tokens) > 1:
        some = [_Lookup(Nearness.SOME_WORDS, "title_tokens", _telling(query), any_of=True)]
        found = _ranked(some, filters, most)
    shown = SearchDocument.objects.defer("names", "aliases", "initials", "context_tokens", "tokens")
    rows = shown.in_bulk([row for row, _ in found])
    hits = [Hit(rows[row], Nearness(nearness)) for row, nearness in found if row in rows]
    if hits and hits[0].nearness is Nearness.SOME_WORDS:
        hits = _most_words_first(hits, query)
    groups: dict[str, GameHits] = {}
    for hit in hits:
        groups.setdefault(hit.row.slug, GameHits(hit.row.slug)).hits.append(hit)
    return list(groups.values())


def split_game(text: str) -> tuple[str, str]:
    """A query that begins or ends with the name of a game, as the game's slug and the rest; else two empty texts."""
    words = text.split()
    if len(words) == 1 and not words[0].isascii():
        # 四川清一色: the name of a game is not set apart from what follows.
        pairs = [(words[0][:at], words[0][at:]) for at in range(len(words[0]) - 1, 1, -1)]
    else:
        pairs = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(len(words) - 1, 0, -1)]
        pairs += [(" ".join(words[at:]), " ".join(words[:at])) for at in range(1, len(words))]
    rest_after = {key(game): rest for game, rest in reversed(pairs[:16])}
    if not rest_after:
        return "", ""
    known = {name: slug for slug, names in _game_names() for name in names}
    if key(text) in known:
        return "", ""
    return next(((known[name], rest) for name, rest in rest_after.items() if name in known), ("", ""))


def _game_names() -> Iterator[tuple[str, set[str]]]:
    """The names of each game as keys, also without the word mahjong."""
    games = SearchDocument.objects.filter(kind="game").order_by("-weight", "-slug")
    for slug, names, aliases in games.values_list("slug", "names", "aliases"):
        full = {*names.split(" "), *aliases.split(" ")}
        short = {name.removesuffix(ending) for name in full for ending in ("麻将", "mahjong", "majiang")}
        yield slug, {name for name in full | short if len(name) > 1}


def _lookups(query: Query) -> list[_Lookup]:
    whole, beginning = ((query.key, False),), ((query.key, True),)
    return [
        _Lookup(Nearness.NAME, "names", whole),
        _Lookup(Nearness.ALIAS, "aliases", whole),
        _Lookup(Nearness.INITIALS, "initials", whole),
        _Lookup(Nearness.NAME_BEGINS, "names", beginning),
        _Lookup(Nearness.ALIAS_BEGINS, "aliases", beginning),
        _Lookup(Nearness.TITLE, "title_tokens", query.tokens),
        # One word that only the game is called by would list all of its rules.
        *([_Lookup(Nearness.TITLE_AND_GAME, "context_tokens", query.tokens)] if len(query.tokens) > 1 else []),
        _Lookup(Nearness.TEXT, "tokens", query.tokens),
    ]


def _telling(query: Query) -> tuple[tuple[str, bool], ...]:
    """The tokens that say something by themselves: no single letters."""
    return tuple((token, goes_on) for token, goes_on in query.tokens if len(token) > 1) or query.tokens


def _ranked(lookups: Sequence[_Lookup], filters: Filters, most: int) -> list[tuple[int, int]]:
    """The nearest rows as pairs of id and nearness."""
    parts: list[str] = []
    parameters: list[str | bool] = []
    for lookup in lookups:
        if connection.vendor == "sqlite":
            parts.append(f"SELECT rowid AS id, {int(lookup.nearness)} AS nearness FROM {INDEX} WHERE {INDEX} MATCH %s")  # noqa: S608 - constants
            parameters.append(lookup.for_sqlite())
        else:
            matches = f"{lexemes(lookup.column)} @@ %s::tsquery"
            parts.append(f"SELECT id, {int(lookup.nearness)} AS nearness FROM {TABLE} WHERE {matches}")  # noqa: S608 - constants
            parameters.append(lookup.for_postgresql())
    wheres, values = _conditions(filters)
    statement = f"""
        SELECT d.id, MIN(m.nearness) AS nearness FROM ({" UNION ALL ".join(parts)}) AS m
        JOIN {TABLE} AS d ON d.id = m.id {wheres}
        GROUP BY d.id, d.weight, d.slug, d.position
        ORDER BY nearness, d.weight, d.slug, d.position LIMIT {int(most)}
    """  # noqa: S608 - built from constants; whatever was typed is a parameter
    with connection.cursor() as cursor:
        cursor.execute(statement, [*parameters, *values])
        return [(row, nearness) for row, nearness in cursor.fetchall()]


def _conditions(filters: Filters) -> tuple[str, list[str | bool]]:
    wheres: list[str] = []
    values: list[str | bool] = []
    lists: list[tuple[str, tuple[str, ...]]] = [("d.slug", filters.games), ("d.region_en", filters.regions), ("d.kind", filters.kinds)]
    for column, wanted in lists:
        if wanted:
            wheres.append(f"{column} IN ({', '.join(['%s'] * len(wanted))})")
            values += wanted
    if filters.needs_wild is not None:
        wheres.append("d.kind = 'pattern' AND d.needs_wild = %s")
        values.append(filters.needs_wild)
    return (f"WHERE {' AND '.join(wheres)}" if wheres else ""), values


def _most_words_first(hits: list[Hit], query: Query) -> list[Hit]:
    """Rows that hold more of the words first."""

    def shared(hit: Hit) -> int:
        tokens = hit.row.title_tokens.split(" ")
        return sum(any(token.startswith(word) if goes_on else token == word for token in tokens) for word, goes_on in query.tokens)

    return sorted(hits, key=lambda hit: -shared(hit))
