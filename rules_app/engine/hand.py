"""What an expression can see of one hand: a winning hand, or one shown at a draw."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from .composition import Composition
from .environment import EventEnv, RoundEnv
from .expressions.types import BOOL, INT, KIND, TILES, ListType, TextType
from .naming import function, lazy, named, plain
from .records import KINDS_LIST, MELDS, TEXT
from .round import Event, Meld, Shown
from .tiles import counts_of
from .waits import completes, pairs_complete, standard_waits

if TYPE_CHECKING:
    from .schema import Shape

MANNER = TextType(frozenset({"self_draw", "discard", "rob_kong"}))


class HandEnv(EventEnv, Composition):
    """A hand with its melds, flowers and, where it wins, the winning tile.

    ``tile_as`` is the kind as which the winning tile is read before wild tiles come in (a stand-in, a treasure).
    """

    NAMES = {
        "by": plain(MANNER, "怎样胡的", "manner of the win", 'by == "self_draw"'),
        "melds": plain(MELDS, "副露（含暗杠）", "the melds, concealed kongs included", 'count(m.kind == "chow" for m in melds)'),
        "flowers": plain(KINDS_LIST, "摆出的花牌", "the flower tiles laid out", "len(flowers)"),
        "quick": plain(BOOL, "按番种快速记分，没有牌", "entered by patterns, without tiles", "not quick"),
        "winning_wild": plain(BOOL, "胡的那张是当百搭用的", "the winning tile acts as a wild tile", "winning_wild"),
        "treasured": plain(BOOL, "胡的那张当作听的牌", "the winning tile stands for a wait", "treasured"),
    }

    def __init__(
        self, env: RoundEnv, event: Event | None, upto: int, *, seat: int, by: str, concealed: Sequence[int],
        tile: int | None, melds: Sequence[Meld], flowers: Sequence[int], flags: Collection[str], quick: bool = False,
        tile_as: int | None = None,
    ) -> None:  # fmt: skip
        EventEnv.__init__(self, env, event, upto)
        self.seat = seat
        self.by = by
        self.concealed_given = concealed
        self.tile = tile
        self.melds = melds
        self.flowers = flowers
        self.flags = flags
        self.quick = quick
        self.treasured = tile_as is not None and tile_as != tile
        natural = [0] * 42
        wilds = 0
        wild_set = env.wild_set
        if wild_set:
            reads = env.ruleset.reads(env)
            for kind in concealed:
                if kind in wild_set:
                    wilds += 1
                else:
                    natural[reads.get(kind, kind)] += 1
            self.resting = tuple(natural)
            self.resting_wilds = wilds
            self.winning_wild = False
            if tile is not None:
                as_wild = by == "self_draw" or env.ruleset.wild_when_discarded
                if tile in wild_set and as_wild:
                    wilds += 1
                    self.winning_wild = True
                    self.tile_as = tile
                else:
                    self.tile_as = reads.get(tile, tile) if tile_as is None else tile_as
                    natural[self.tile_as] += 1
        else:
            for kind in concealed:
                natural[kind] += 1
            self.resting = tuple(natural)
            self.resting_wilds = 0
            self.winning_wild = False
            if tile is not None:
                self.tile_as = tile if tile_as is None else tile_as
                natural[self.tile_as] += 1
        self.natural = natural
        self.wild_count = wilds

    @classmethod
    def of_win(cls, env: RoundEnv, event: Event) -> HandEnv:
        """The hand of a winning event."""
        return cls(
            env, event, event.first, seat=event.seat or 0, by=event.by or "self_draw", concealed=event.hand,
            tile=event.tile, melds=event.melds, flowers=event.flowers, flags=event.flags,
            quick=event.declared is not None,
        )  # fmt: skip

    @classmethod
    def of_dealt(cls, env: RoundEnv, event: Event) -> HandEnv:
        """The tiles dealt, on which an own event is won; nobody gave a tile."""
        return cls(
            env, event, event.first, seat=event.seat or 0, by="self_draw", concealed=event.hand, tile=None, melds=(),
            flowers=(), flags=frozenset(),
        )  # fmt: skip

    @classmethod
    def of_shown(cls, at: EventEnv, shown: Shown) -> HandEnv:
        """A hand shown on an event, without a winning tile."""
        return cls(
            at.r, at.event_record, at.upto, seat=shown.seat, by=at.r.ruleset.document.waits.by,
            concealed=shown.hand, tile=None, melds=shown.melds, flowers=shown.flowers, flags=frozenset(),
        )  # fmt: skip

    def with_tile(self, tile: int, by: str, tile_as: int | None = None, flags: Collection[str] = frozenset()) -> HandEnv:
        """The same hand won on a tile."""
        return type(self)(
            self.r, self.event_record, self.upto, seat=self.seat, by=by, concealed=self.concealed_given, tile=tile,
            melds=self.melds, flowers=self.flowers, flags=flags, tile_as=tile_as,
        )  # fmt: skip

    # melds

    @named(INT, "副露数（含暗杠）", "number of melds, concealed kongs included", "melded == 4")
    def melded(self) -> int:
        return len(self.melds)

    @named(INT, "杠数", "number of kongs", "kongs >= 3")
    def kongs(self) -> int:
        return sum(1 for meld in self.melds if meld.kind == "kong")

    @named(INT, "暗杠数", "number of concealed kongs", "concealed_kongs == 2")
    def concealed_kongs(self) -> int:
        return sum(1 for meld in self.melds if meld.by == "concealed")

    @named(INT, "明杠数（直杠与加杠）", "number of exposed and added kongs", "exposed_kongs > 0")
    def exposed_kongs(self) -> int:
        return sum(1 for meld in self.melds if meld.by in ("exposed", "added"))

    @named(INT, "吃牌的副露数", "number of chow melds", "chow_melds == 0")
    def chow_melds(self) -> int:
        return sum(1 for meld in self.melds if meld.kind == "chow")

    @named(INT, "吃、碰、明杠的总数", "number of chows, pongs and exposed or added kongs", "openings >= 1")
    def openings(self) -> int:
        return sum(
            1 for meld in self.melds
            if meld.kind in ("chow", "pong") or (meld.kind == "kong" and meld.by != "concealed")
        )  # fmt: skip

    @named(BOOL, "门前清：没有吃、碰、明杠", "no chow, pong, exposed or added kong", "concealed")
    def concealed(self) -> bool:
        return self.openings == 0

    # the tiles themselves

    @named(INT, "手中当百搭用的牌数（含胡的那张）", "number of tiles that act as wild, the winning tile included", "wilds == 3")
    def wilds(self) -> int:
        return self.wild_count

    @named(INT, "摸到手的百搭数（不含点来的）", "number of wild tiles in the concealed hand, a self-drawn one included", "wilds_drawn >= 3")
    def wilds_drawn(self) -> int:
        return self.resting_wilds + (self.winning_wild and self.by == "self_draw")

    @function(
        (KIND,),
        INT,
        "暗牌中这种牌有几张（印的牌面，不含胡的那张）",
        "copies of a kind in the concealed tiles, as printed, without the winning tile",
        "resting_copies(tile)",
    )
    def resting_copies(self, kind: int) -> int:
        return sum(1 for other in self.concealed_given if other == kind)

    @function(
        (KIND,),
        INT,
        "全部牌中这种牌有几张（印的牌面，含胡的那张与副露）",
        "copies of a kind in all tiles, as printed, melds and winning tile included",
        'printed(tile("7z"))',
    )
    def printed(self, kind: int) -> int:
        found: int = self.resting_copies(kind) + (self.tile == kind)
        return found + sum(1 for meld in self.melds for other in meld.tiles if other == kind)

    @function(
        (KIND,),
        INT,
        "不当百搭的牌中这种牌有几张（替身按所替的牌，含副露）",
        "copies of a kind among the tiles that do not act as wild, stand-ins as what they stand in for, melds included",
        "naturals(wild_kinds[0])",
    )
    def naturals(self, kind: int) -> int:
        copies: int = self.counts[kind]
        return copies

    @function((TEXT,), BOOL, "快速记分时申报了这个番种", "whether quick entry declares the pattern", 'declares("pure_suit")', literal=True)
    def declares(self, pattern: str) -> bool:
        return self.quick and self.event_record is not None and pattern in (self.event_record.declared or ())

    @function(
        (TILES,),
        BOOL,
        "不当百搭的牌都在这一组里",
        "whether every tile that is not wild is one of these",
        'natural_only(tiles("258m258p258s"))',
    )
    def natural_only(self, kinds: Collection[int]) -> bool:
        if any(copies and kind not in kinds for kind, copies in enumerate(self.natural)):
            return False
        return all(kind in kinds for meld in self.melds for kind in self.read_meld(meld))

    @function((KIND,), BOOL, "摆出了这张花", "whether a flower is laid out", 'has_flower(tile("1f"))')
    def has_flower(self, kind: int) -> bool:
        return kind in self.flowers

    @function((TILES,), INT, "摆出的花中这一组有几张", "number of flowers laid out that are one of these", 'flowers_among(tiles("1234f"))')
    def flowers_among(self, kinds: Collection[int]) -> int:
        return sum(1 for kind in self.flowers if kind in kinds)

    @lazy
    def all_drawn(self) -> bool:
        """Whether any concealed tile may be taken as the winning one."""
        all_drawn = self.r.ruleset.all_drawn
        return all_drawn is not None and bool(all_drawn.function(self))

    @lazy
    def flag_map(self) -> dict[str, bool]:
        """Every flag of the game and whether it is set."""
        none: dict[str, bool] = self.r.ruleset.no_flags
        return {name: name in self.flags for name in none} if self.flags else none

    def read_meld(self, meld: Meld) -> Sequence[int]:
        """The tiles of a meld as they are read."""
        if not self.r.wild_set:
            return meld.tiles
        reads = self.r.ruleset.reads(self.r)
        return [reads.get(kind, kind) for kind in meld.tiles]

    @lazy
    def counts(self) -> list[int]:
        """Copies by kind of all natural tiles."""
        counts = list(self.natural)
        for meld in self.melds:
            for kind in self.read_meld(meld):
                counts[kind] += 1
        return counts

    @lazy
    def kong_counts(self) -> list[int]:
        """Copies by kind that lie in kongs."""
        return counts_of(kind for meld in self.melds if meld.kind == "kong" for kind in self.read_meld(meld))

    # waits

    @named(ListType(KIND, 42), "胡之前所听的牌种", "the kinds the hand waited for before the winning tile", "len(waits) == 1")
    def waits(self) -> tuple[int, ...]:
        if self.quick:
            return ()
        return tuple(find_waits(self))

    @named(BOOL, "已听牌", "the hand waits for something", "ready")
    def ready(self) -> bool:
        return bool(self.waits)

    @named(BOOL, "胡之前只听一种牌", "the hand waited for exactly one kind", "only_wait")
    def only_wait(self) -> bool:
        return len(self.waits) == 1

    @named(
        INT,
        "所听各张中最大的得分（没听为 0）",
        "the best score over the waits of the hand, 0 where it waits for nothing",
        "hand_of(payee).best_wait",
    )
    def best_wait(self) -> int:
        from .scoring import best_over_waits  # noqa: PLC0415 - circular: scoring reads hands

        return best_over_waits(self)

    @named(
        BOOL,
        "百搭单吊：去掉一张百搭，其余都成副（什么都能胡）",
        "without one wild tile the waiting hand is complete sets: any tile wins",
        "lone_wild",
    )
    def lone_wild(self) -> bool:
        shape = self.r.ruleset.main_shape
        if shape is None or shape.sets is None or self.resting_wilds < 1 or self.quick:
            return False
        return completes(
            self.resting, self.resting_wilds - 1, sets=shape.sets - len(self.melds), pairs=0,
            stands_for=self.r.ruleset.stands_for(self.r), chows=self.r.ruleset.chow_starts,
        )  # fmt: skip


def find_waits(hand: HandEnv) -> list[int]:
    """The waits of a hand one tile short, in order of kinds.

    A kind of which the hand itself shows all copies in play is left out.
    """
    ruleset, env = hand.r.ruleset, hand.r
    rule = ruleset.document.waits
    own = counts_of([*hand.concealed_given, *(kind for meld in hand.melds for kind in meld.tiles)])
    candidates = [kind for kind in ruleset.wait_kinds(env) if own[kind] < ruleset.copy_limit(env, kind, own)]
    as_wild = env.wild_set if rule.by == "self_draw" or ruleset.wild_when_discarded else frozenset()
    reads = ruleset.reads(env)
    faces: dict[int, list[int]] = {}
    wild_candidates = []
    for kind in candidates:
        if kind in as_wild:
            wild_candidates.append(kind)
        else:
            faces.setdefault(reads.get(kind, kind), []).append(kind)
    found: set[int] = set()
    stands = ruleset.stands_for(env)
    plain_faces = [kind for kind in faces if kind < 34]
    for shape in ruleset.wait_shapes:
        before = set(found) if ruleset.shape_when else found
        if shape.sets is not None:
            sets = shape.sets - len(hand.melds)
            if sets < 0:
                continue
            fits = standard_waits(
                hand.resting, hand.resting_wilds, sets=sets, candidates=plain_faces, stands_for=stands,
                chows=ruleset.chow_starts,
            )  # fmt: skip
            for face in fits:
                found.update(faces[face])
            if wild_candidates and completes(
                hand.resting, hand.resting_wilds + 1, sets=sets, pairs=1, stands_for=stands, chows=ruleset.chow_starts
            ):
                found.update(wild_candidates)
        elif shape.pairs is not None:
            if hand.melds:
                continue
            found.update(_pair_waits(hand, shape, faces, wild_candidates))
        else:
            for kind in candidates:
                if kind not in found and ruleset.fits(shape, hand.with_tile(kind, rule.by)):
                    found.add(kind)
            continue
        when = ruleset.shape_when.get(ruleset.shape_id(shape)) if ruleset.shape_when else None
        if when is not None:
            found -= {kind for kind in found - before if not when.function(hand.with_tile(kind, rule.by))}
    if rule.conditions and ruleset.judges_waits:
        from .scoring import is_legal_wait  # noqa: PLC0415 - circular: scoring reads hands

        found = {kind for kind in found if is_legal_wait(hand.with_tile(kind, rule.by))}
    return sorted(found)


def _pair_waits(hand: HandEnv, shape: Shape, faces: dict[int, list[int]], wild_candidates: list[int]) -> set[int]:
    pairs = shape.pairs or 0
    found: set[int] = set()
    resting = list(hand.resting)
    for face, kinds in faces.items():
        resting[face] += 1
        if pairs_complete(resting, hand.resting_wilds, pairs, shape.spare):
            found.update(kinds)
        resting[face] -= 1
    if wild_candidates and pairs_complete(resting, hand.resting_wilds + 1, pairs, shape.spare):
        found.update(wild_candidates)
    return found
