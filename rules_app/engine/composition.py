"""Names about what tiles a hand is made of, as they are read."""

from __future__ import annotations

from collections.abc import Collection, Set

from .expressions.types import BOOL, INT, KIND, TILES
from .naming import function, lazy, named
from .records import KINDS_LIST, SUIT_TEXT

SUIT_START = {"m": 0, "p": 9, "s": 18}


class Composition:
    """Counts over all tiles of a hand: concealed, melds and the winning tile, a kong with all four.

    In games with wild tiles these are the tiles of a reading, each wild tile as what it stands for; elsewhere they
    are the tiles themselves.
    """

    counts: list[int]
    """Copies by kind, 42 numbers."""
    kong_counts: list[int]
    """Of these, the copies in kongs."""

    @function((KIND,), INT, "这种牌有几张", "number of tiles of the kind", 'copies(tile("5z")) >= 3')
    def copies(self, kind: int) -> int:
        return self.counts[kind]

    @named(INT, "有几门花色（万筒条）", "number of suits (characters, dots, bamboo) present", "suits == 1")
    def suits(self) -> int:
        counts = self.counts
        return any(counts[0:9]) + any(counts[9:18]) + any(counts[18:27])

    @named(INT, "字牌张数", "number of honour tiles", "honors == 0")
    def honors(self) -> int:
        return sum(self.counts[27:34])

    @named(INT, "风牌张数", "number of wind tiles", "winds > 0")
    def winds(self) -> int:
        return sum(self.counts[27:31])

    @named(INT, "箭牌（中发白）张数", "number of dragon tiles", "dragons > 0")
    def dragons(self) -> int:
        return sum(self.counts[31:34])

    @named(INT, "幺九牌（1、9）张数", "number of tiles of rank 1 or 9", "terminals > 0")
    def terminals(self) -> int:
        counts = self.counts
        return counts[0] + counts[8] + counts[9] + counts[17] + counts[18] + counts[26]

    @named(INT, "总张数", "number of tiles", "tile_count")
    def tile_count(self) -> int:
        return sum(self.counts)

    @named(KINDS_LIST, "不算杠而四张齐全的牌种", "the kinds of which all four are held without a kong", "len(quads)")
    def quads(self) -> tuple[int, ...]:
        counts, kongs = self.counts, self.kong_counts
        return tuple(kind for kind in range(34) if counts[kind] - kongs[kind] >= 4)

    @named(KINDS_LIST, "手里有的牌种", "the kinds present", "count(rank(k) == 5 for k in present)")
    def present(self) -> tuple[int, ...]:
        return tuple(kind for kind in range(42) if self.counts[kind])

    @function((SUIT_TEXT,), INT, "某门花色的张数", "number of tiles of a suit", 'suit_tiles("m") >= 8')
    def suit_tiles(self, suit: str) -> int:
        start = SUIT_START.get(suit)
        if start is None:
            return sum(self.counts[27:34] if suit == "z" else self.counts[34:42])
        return sum(self.counts[start : start + 9])

    @function((INT,), INT, "三门中某个数的张数", "number of suit tiles of a rank", "rank_tiles(5)")
    def rank_tiles(self, rank: int) -> int:
        if not 1 <= rank <= 9:
            return 0
        counts = self.counts
        return counts[rank - 1] + counts[rank + 8] + counts[rank + 17]

    @function((TILES,), BOOL, "每张牌都在这一组里", "whether every tile is one of these", 'only(tiles("258m258p258s"))')
    def only(self, kinds: Set[int]) -> bool:
        return self.kinds_held <= kinds

    @lazy
    def kinds_held(self) -> frozenset[int]:
        """The kinds present, as a set."""
        return frozenset(kind for kind, copies in enumerate(self.counts) if copies)

    @function((TILES,), INT, "这一组里有几张", "number of tiles that are one of these", 'among(tiles("19m19p19s"))')
    def among(self, kinds: Collection[int]) -> int:
        return sum(self.counts[kind] for kind in kinds)
