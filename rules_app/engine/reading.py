"""What an expression can see of one reading of a hand, and of a reading whose patterns have been counted."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from .composition import SUIT_START, Composition
from .expressions.types import BOOL, INT, KIND, TILES, VALUES, OptionalType, TextType
from .groups import Group
from .hand import HandEnv
from .naming import function, lazy, named, plain
from .records import SETS, SUIT_TEXT, TEXT
from .tiles import rank_of, suit_of

if TYPE_CHECKING:
    from .schema import Shape

PLACE = TextType(frozenset({"edge", "closed", "open", "triplet", "pair", "spare", "none"}))


class SetView:
    """A set of a reading, concealed or melded."""

    __slots__ = ("by", "concealed", "form", "giver", "melded", "tile", "tiles", "wild", "wilds", "won")

    def __init__(
        self, form: str, tiles: Sequence[int], *, melded: bool, concealed: bool, won: bool = False, wilds: int = 0,
        giver: int | None = None, by: str | None = None, wild: Sequence[bool] = (),
    ) -> None:  # fmt: skip
        self.form = form
        self.tiles = tiles
        self.tile = min(tiles)
        self.melded = melded
        self.concealed = concealed
        self.won = won
        self.wilds = wilds
        self.wild = wild
        self.giver = giver
        self.by = by

    @property
    def suit(self) -> str:
        """The suit of its first tile."""
        return suit_of(self.tile)

    @property
    def rank(self) -> int:
        """The rank of its first tile."""
        return rank_of(self.tile)


class ReadingEnv(Composition):
    """One way to read a hand: a shape, its groups, and the place that the winning tile takes.

    ``place_group`` is the index of that group (-1: not told apart), ``place_position`` the position in a chow.
    """

    NAMES = {
        "shape": plain(TEXT, "胡牌的形", "the shape of the reading", 'shape == "seven_pairs"'),
    }

    def __init__(
        self, hand: HandEnv, shape: str, form: Shape | None, groups: Sequence[Group], place_group: int = -1,
        place_position: int = -1,
    ) -> None:  # fmt: skip
        self.h = hand
        self.r = hand.r
        self.shape = shape
        self.form = form
        self.groups = groups
        self.place_group = place_group
        self.place_position = place_position
        chows, triplets, pair = [], [], None
        for group in groups:
            if group.form == "chow":
                chows.append(group.first)
            elif group.form == "triplet":
                triplets.append(group.first)
            elif group.form == "pair":
                pair = group
        self.chow_firsts = chows
        self.triplet_firsts = triplets
        self.pair_group = pair if form is not None and form.sets is not None else None
        for meld in hand.melds:
            tiles = hand.read_meld(meld)
            if meld.kind == "chow":
                chows.append(min(tiles))
            elif meld.kind in ("pong", "kong"):
                triplets.append(tiles[0])

    @lazy
    def counts(self) -> list[int]:
        """Copies by kind as read."""
        if not self.h.wild_count:
            return self.h.counts
        counts = [0] * 42
        for group in self.groups:
            for kind in group.tiles:
                counts[kind] += 1
        if not self.groups:
            for kind, copies in enumerate(self.h.natural):
                counts[kind] += copies
        for meld in self.h.melds:
            for kind in self.h.read_meld(meld):
                counts[kind] += 1
        return counts

    @lazy
    def kong_counts(self) -> list[int]:
        """Copies by kind that lie in kongs."""
        return self.h.kong_counts

    @named(INT, "顺子数（含吃）", "number of chows, melded ones included", "chows == 4")
    def chows(self) -> int:
        return len(self.chow_firsts)

    @named(INT, "刻子数（含碰与杠）", "number of triplets, pongs and kongs included", "triplets == 4")
    def triplets(self) -> int:
        return len(self.triplet_firsts)

    @named(OptionalType(KIND), "将牌（按所代的牌）", "the pair of a standard hand, as read", 'pair == "5s"')
    def pair(self) -> int | None:
        return None if self.pair_group is None else self.pair_group.first

    @named(INT, "将牌中的百搭数", "number of wild tiles in the pair", "pair_wilds")
    def pair_wilds(self) -> int:
        return 0 if self.pair_group is None else self.pair_group.wilds

    @named(SETS, "各副牌（不含将）", "the sets, without the pair", 'any(x.form == "chow" for x in sets)')
    def sets(self) -> list[SetView]:
        hand = self.h
        taken = hand.by != "self_draw"
        views = []
        for index, group in enumerate(self.groups):
            if group.form in ("pair", "single"):
                continue
            won = index == self.place_group
            views.append(
                SetView(
                    group.form,
                    group.tiles,
                    melded=False,
                    concealed=not (won and taken),
                    won=won,
                    wilds=group.wilds,
                    wild=group.wild,
                )
            )
        for meld in hand.melds:
            form = {"pong": "triplet"}.get(meld.kind, meld.kind)
            views.append(SetView(form, hand.read_meld(meld), melded=True, concealed=meld.by == "concealed", giver=meld.giver, by=meld.by))
        return views

    @named(INT, "暗刻数（含暗杠；点来的刻不算）", "number of concealed triplets, concealed kongs included", "concealed_triplets == 3")
    def concealed_triplets(self) -> int:
        found = sum(1 for group in self.groups if group.form == "triplet") + self.h.concealed_kongs
        if self.h.by != "self_draw" and self.place_group >= 0 and self.groups[self.place_group].form == "triplet":
            found -= 1
        return found

    @function((KIND,), BOOL, "有这种牌的刻或杠", "whether there is a triplet or kong of the kind", 'has_triplet(tile("7z"))')
    def has_triplet(self, kind: int) -> bool:
        return kind in self.triplet_firsts

    @function((TILES,), INT, "这一组牌里有几副刻或杠", "number of triplets and kongs of these kinds", 'triplets_of(tiles("567z"))')
    def triplets_of(self, kinds: Collection[int]) -> int:
        return sum(1 for kind in self.triplet_firsts if kind in kinds)

    @function(
        (SUIT_TEXT, INT), BOOL, "有某门某数的刻或杠", "whether there is a triplet or kong of that suit and rank", 'triplet_at("s", 5)'
    )
    def triplet_at(self, suit: str, rank: int) -> bool:
        start = SUIT_START.get(suit)
        return start is not None and 1 <= rank <= 9 and start + rank - 1 in self.triplet_firsts

    @function((SUIT_TEXT, INT), INT, "某门从某数起的顺子有几副", "number of chows of that suit from that rank", 'chow_at("m", 1) > 0')
    def chow_at(self, suit: str, rank: int) -> int:
        start = SUIT_START.get(suit)
        if start is None or not 1 <= rank <= 7:
            return 0
        return self.chow_firsts.count(start + rank - 1)

    @function(
        (SUIT_TEXT,),
        BOOL,
        "某门有 123、456、789",
        "whether a suit has the chows 123, 456 and 789",
        "any(straight(s) for s in number_suits)",
    )
    def straight(self, suit: str) -> bool:
        start, firsts = SUIT_START.get(suit), self.chow_firsts
        return start is not None and start in firsts and start + 3 in firsts and start + 6 in firsts

    @function((TILES,), BOOL, "每副与将都带有这些牌", "whether every set and the pair holds one of these", 'outside(tiles("19m19p19s"))')
    def outside(self, kinds: Collection[int]) -> bool:
        if self.pair_group is None or self.pair_group.first not in kinds:
            return False
        if any(kind not in kinds for kind in self.triplet_firsts):
            return False
        return all(first in kinds or first + 1 in kinds or first + 2 in kinds for first in self.chow_firsts)

    # the winning tile and the wild tiles

    @named(
        PLACE, "胡的那张所在：edge 边、closed 卡、open 两面、triplet 对倒、pair 单吊、spare 闲张、none 不论",
        "the place of the winning tile: edge, closed or open in a chow, triplet, pair, spare, none", 'place == "closed"',
    )  # fmt: skip
    def place(self) -> str:
        if self.place_group < 0:
            return "none"
        group = self.groups[self.place_group]
        if group.form != "chow":
            return "spare" if group.form == "single" else group.form
        if self.place_position == 1:
            return "closed"
        low, high = self.r.ruleset.rank_range
        rank = rank_of(group.first)
        if (self.place_position == 2 and rank == low) or (self.place_position == 0 and rank == high - 2):
            return "edge"
        return "open"

    @named(OptionalType(KIND), "胡的那张所当的牌", "the kind as which the winning tile is read", 'place_tile == "5m"')
    def place_tile(self) -> int | None:
        if self.place_group < 0:
            return None
        group = self.groups[self.place_group]
        return group.tiles[self.place_position if group.form == "chow" else 0]

    @named(INT, "胡的那张所在一组里其余的百搭数", "wild tiles beside the winning tile in its group", 'place == "pair" and place_wilds == 1')
    def place_wilds(self) -> int:
        if self.place_group < 0:
            return 0
        group = self.groups[self.place_group]
        return group.wilds - (group.wild[self.place_position] if self.h.all_drawn else self.h.winning_wild)

    @named(INT, "归位（当本身用）的百搭数", "number of wild tiles that stand for themselves", "homes == wilds")
    def homes(self) -> int:
        wild_set = self.r.wild_set
        return sum(kind in wild_set for group in self.groups for kind in group.stood)

    @named(BOOL, "没有百搭，或百搭全部归位", "no wild tile stands for another kind", "home")
    def home(self) -> bool:
        wild_set = self.r.wild_set
        if not self.groups:
            return not self.h.wild_count
        for group in self.groups:
            for kind in group.stood:
                if kind not in wild_set:
                    return False
        return True

    @lazy
    def hits(self) -> list[tuple[int, int]]:
        """Patterns that hold, with their number, before anything is absorbed."""
        hits: list[tuple[int, int]] = self.r.ruleset.hits(self)
        return hits


class ScoredEnv:
    """A reading with its counted patterns; units and totals are attributes."""

    NAMES = {
        "listed": plain(INT, "列出的番种数", "number of patterns listed", "listed"),
    }

    def __init__(self, reading: ReadingEnv) -> None:
        self.g = reading
        self.h = reading.h
        self.r = reading.r
        self.times_of: dict[str, int] = {}
        self.items: list[tuple[int, int, int]] = []
        """Counted patterns: index, number, value of one."""
        self.units: dict[str, int] = {}
        self.joined: Any = None

    @property
    def listed(self) -> int:
        """Number of ids listed."""
        return len(self.items)

    @function((TEXT,), BOOL, "这个番种计了", "whether the pattern is counted", 'counted("pure_suit")', literal=True)
    def counted(self, pattern: str) -> bool:
        return pattern in self.times_of

    @function((TEXT,), INT, "这个番种计了几次", "how often the pattern is counted", 'times("root")', literal=True)
    def times(self, pattern: str) -> int:
        return self.times_of.get(pattern, 0)

    @function((TEXT,), INT, "这个单位里计了几种番", "number of patterns counted so far in a unit", 'counted_in("big") == 0', literal=True)
    def counted_in(self, unit: str) -> int:
        unit_of = self.r.ruleset.unit_of
        return sum(1 for name in self.times_of if unit_of[name] == unit)

    @named(VALUES, "各番的值从大到小", "the values from the greatest down", "values")
    def values(self) -> tuple[int, ...]:
        return tuple(sorted((value for _, times, value in self.items for _ in range(times)), reverse=True))

    @named(VALUES, "各番在表中的先后", "the places of the patterns in the table: those that stand first are preferred", "table_order")
    def table_order(self) -> tuple[int, ...]:
        return tuple(-index for index in sorted(index for index, times, _ in self.items for _ in range(times)))


__all__ = ["ReadingEnv", "ScoredEnv", "SetView"]
