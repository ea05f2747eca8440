"""What an expression can see of a round and of one of its events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .expressions.types import BOOL, INT, KIND, SEAT, ListType, OptionalType
from .naming import function, lazy, named, plain
from .records import EVENT, EVENTS, HAND, KINDS_LIST, SEATS, SUIT_TEXT, TEXT
from .round import MAX_RECORDS, Event, Round
from .tiles import rank_of, suit_of

if TYPE_CHECKING:
    from .comparison import ComparedSide
    from .hand import HandEnv
    from .reading import ScoredEnv
    from .ruleset import Ruleset
    from .settlement import Transfer

HONOR_SEAT_WINDS = 27


class RoundEnv:
    """The table before the round, its options and inputs, and all its events."""

    NAMES = {
        "dealer": plain(SEAT, "庄家的座位", "the dealer's seat", "seat == dealer"),
        "streak": plain(INT, "这位庄家此前连坐的局数", "how many rounds in a row this dealer had dealt before", "streak + 1"),
        "round_wind": plain(KIND, "圈风", "the round wind", "round_wind"),
        "wild_kinds": plain(KINDS_LIST, "本局的百搭牌种", "the kinds that are wild this round", "len(wild_kinds) == 1"),
        "events": plain(EVENTS, "本局的全部事件", "all events of the round", 'any(x.type == "kong" for x in events)'),
        "seats": plain(SEATS, "全部座位", "all seats", "sum(1 for s in seats if s != dealer)"),
    }

    def __init__(self, ruleset: Ruleset, round_: Round) -> None:
        self.ruleset = ruleset
        self.options = round_.options
        self.inputs = round_.inputs
        self.given = round_.given
        self.state = round_.state
        self.dealer = round_.dealer
        self.streak = round_.streak
        self.round_wind = round_.round_wind
        self.wild_kinds = round_.wild
        self.wild_set = frozenset(round_.wild)
        self.events = round_.events
        self.seats = ruleset.seats
        self.transfers: list[Transfer] = []
        self.parties: list[str] = []
        self.party: dict[str, int] = {}
        self.sides: dict[int, ComparedSide] = {}
        self.hands: dict[int, HandEnv] = {}
        """The hand of each win, by the index of its event."""
        self.scored: dict[int, ScoredEnv] = {}
        """How each win was scored, by the index of its event."""

    @named(ListType(SUIT_TEXT, 3), "三种花色", "the suits with numbers", "sum(1 for s in number_suits if suit_tiles(s) > 0)")
    def number_suits(self) -> tuple[str, ...]:
        return self.ruleset.number_suits

    @named(ListType(INT, 9), "花色牌的各个数", "the ranks of suit tiles in the set", "sum(max(0, rank_tiles(r) - 4) for r in ranks)")
    def ranks(self) -> tuple[int, ...]:
        return self.ruleset.ranks

    @named(KINDS_LIST, "这副牌的全部牌种（不含花）", "all kinds of the set but flowers", "count(copies(k) == 4 for k in kinds)")
    def kinds(self) -> tuple[int, ...]:
        return self.ruleset.playing_kinds

    @function((INT,), INT, "能折半几次（以 2 为底的对数，取整）", "how often the number can be halved", "log2(8) == 3")
    def log2(self, number: int) -> int:
        return max(0, number.bit_length() - 1)

    @function((KIND,), BOOL, "是否百搭牌种", "whether the kind is wild", "is_wild(tile)")
    def is_wild(self, kind: int) -> bool:
        return kind in self.wild_set

    @function((SEAT,), SEATS, "其余各家", "the other seats", "others(seat)")
    def others(self, seat: int) -> tuple[int, ...]:
        return tuple(other for other in self.seats if other != seat)

    @function((SEAT,), SEAT, "下家", "the seat that plays next", "next_seat(dealer)")
    def next_seat(self, seat: int) -> int:
        return (seat + 1) % len(self.seats)

    @function((SEAT,), SEAT, "上家", "the seat that plays before", "previous_seat(dealer)")
    def previous_seat(self, seat: int) -> int:
        return (seat - 1) % len(self.seats)

    @function(
        (SEAT, SEAT), INT, "按出牌次序从前者到后者隔几家", "how many seats after the first the second plays", "distance(dealer, seat)"
    )
    def distance(self, first: int, second: int) -> int:
        return (second - first) % len(self.seats)

    @function((SEAT,), KIND, "这家的门风", "the seat's wind", "copies(wind_of(seat)) >= 3")
    def wind_of(self, seat: int) -> int:
        return HONOR_SEAT_WINDS + (seat - self.dealer) % len(self.seats)

    @function((KIND,), INT, "牌的数", "the rank of a kind", "rank(tile)")
    def rank(self, kind: int) -> int:
        return rank_of(kind)

    @function((KIND,), SUIT_TEXT, "牌的花色", "the suit of a kind", 'suit(tile) == "m"')
    def suit(self, kind: int) -> str:
        return suit_of(kind)

    @function((KIND,), OptionalType(KIND), "环中的下一种牌", "the next kind in the rings of the wild tiles", "successor(wild_kinds[0])")
    def successor(self, kind: int) -> int | None:
        return self.ruleset.successors.get(kind)

    @function((TEXT,), SEAT, "这位玩家是第几方", "the party of a player's name", "party_of(b.player)")
    def party_of(self, player: str) -> int:
        return self.parties.index(player)

    @function(
        (ListType(TEXT, MAX_RECORDS),),
        ListType(TEXT, MAX_RECORDS),
        "去掉重复，保持先后",
        "the names without repetition, in order",
        "distinct(list(b.player for b in event.bets))",
    )
    def distinct(self, names: list[str]) -> list[str]:
        return list(dict.fromkeys(names))

    @function(
        (TEXT,),
        EVENTS,
        "本局带有这个标记的各次胡",
        "the wins of the round that carry a flag",
        'any(x.seat == payer for x in flagged("heavenly"))',
        literal=True,
    )
    def flagged(self, name: str) -> list[Event]:
        return [event for event in self.events if name in event.flags and not event.void]

    @function((TEXT,), BOOL, "这一项是否填了", "whether the input was entered", 'entered("buy")', literal=True)
    def entered(self, name: str) -> bool:
        return name in self.given


class EventEnv:
    """An event (or the end of the round), with all that happened before it.

    ``upto`` is the number of events before its happening: wins on the same tile do not see each other.
    """

    NAMES = {
        "type": plain(TEXT, "事件种类", "type of the event", 'type == "win"'),
        "seat": plain(SEAT, "事件的主人", "the seat whose event it is", "seat == dealer"),
        "giver": plain(
            OptionalType(SEAT), "给出这张牌的一家（放铳者、点杠者）", "who gave the tile: the discarder or robbed seat", "giver == dealer"
        ),
        "tile": plain(OptionalType(KIND), "那张牌", "the tile of the event", "tile"),
        "tiles": plain(KINDS_LIST, "那几张牌", "the tiles of the event", "len(tiles)"),
        "kind": plain(OptionalType(TEXT), "杠的种类", "kind of the kong", 'kind == "concealed"'),
        "name": plain(OptionalType(TEXT), "罚的名目", "name of the penalty", 'name == "false_win"'),
    }

    def __init__(self, env: RoundEnv, event: Event | None, upto: int) -> None:
        self.r = env
        self.event_record = event
        self.upto = upto
        if event is None:
            self.type = "end"
            self.seat = env.dealer
            self.giver = self.tile = self.kind = self.name = None
            self.tiles: tuple[int, ...] = ()
            self.fields: dict[str, Any] = {}
        else:
            self.type = event.type
            self.seat = env.dealer if event.seat is None else event.seat
            self.giver = event.giver
            self.tile = event.tile
            self.tiles = event.tiles
            self.kind = event.kind
            self.name = event.name
            self.fields = event.fields

    @lazy
    def field_map(self) -> dict[str, Any]:
        """The own fields of the event, null for those of other kinds of event."""
        return {**self.r.ruleset.no_fields, **self.fields}

    @named(EVENT, "这个事件自己", "the event itself", "paid(this, payer, seat)")
    def this(self) -> Event:
        assert self.event_record is not None
        return self.event_record

    @named(EVENTS, "此前的事件", "the events before", 'any(x.type == "kong" and x.seat == seat for x in past)')
    def past(self) -> list[Event]:
        return self.r.events[: self.upto]

    @named(INT, "到此为止有几次胡", "number of wins so far", "wins >= 3")
    def wins(self) -> int:
        return sum(1 for event in self.past if event.type == "win" and not event.void)

    @named(SEATS, "到此为止胡过的各家，按先后", "the seats that have won so far, in order", "seat in winners")
    def winners(self) -> tuple[int, ...]:
        seen: list[int] = []
        for event in self.past:
            if event.type == "win" and not event.void and event.seat not in seen and event.seat is not None:
                seen.append(event.seat)
        return tuple(seen)

    @named(BOOL, "已经流局", "the round was drawn", "drawn")
    def drawn(self) -> bool:
        return any(event.type == "draw" for event in self.past)

    @named(OptionalType(EVENT), "第一次胡", "the first win", "first_win.seat")
    def first_win(self) -> Event | None:
        return next((event for event in self.past if event.type == "win" and not event.void), None)

    @named(OptionalType(EVENT), "最近一次胡", "the latest win", "last_win.seat")
    def last_win(self) -> Event | None:
        return next((event for event in reversed(self.past) if event.type == "win" and not event.void), None)

    @named(INT, "同一张牌上有几家胡", "how many seats win on this tile", "together > 1")
    def together(self) -> int:
        return 1 if self.event_record is None else self.event_record.together

    @named(OptionalType(EVENT), "被抢的那个杠（记过才有）", "the kong that is robbed, where it was entered", 'robs.kind == "added"')
    def robs(self) -> Event | None:
        if self.event_record is None or self.event_record.by != "rob_kong":
            return None
        for event in reversed(self.r.events[: self.event_record.index]):
            if event.type == "kong" and event.seat == self.giver and event.tile == self.tile:
                return event
        return None

    @named(OptionalType(EVENT), "同一家上一次胡", "the previous win of the same seat", "given(previous_win)")
    def previous_win(self) -> Event | None:
        for event in reversed(self.past):
            if event.type == "win" and event.seat == self.seat and not event.void:
                return event
        return None

    @named(
        BOOL,
        "手牌与上次胡时相同（此后所杠的除外）",
        "the concealed tiles are those of the seat's previous win, less kongs made since",
        "kept_hand",
    )
    def kept_hand(self) -> bool:
        previous, event = self.previous_win, self.event_record
        if previous is None or event is None or event.declared is not None or previous.declared is not None:
            return True
        konged = {meld.tile for meld in event.melds if meld.kind == "kong" and meld.by != "added"}
        konged -= {meld.tile for meld in previous.melds}
        konged |= {
            other.tile
            for other in self.r.events[previous.index : event.index]
            if other.type == "kong" and other.seat == self.seat and other.tile is not None
        }
        return sorted(kind for kind in previous.hand if kind not in konged) == sorted(event.hand)

    @function((SEAT,), BOOL, "这家已经胡过", "whether the seat has won before", "won(payer)")
    def won(self, seat: int) -> bool:
        return seat in self.winners

    @named(SEAT, "给出这张牌的一家，没有则为 -1", "who gave the tile, -1 where nobody did", "payer == discarder")
    def discarder(self) -> int:
        return -1 if self.giver is None else self.giver

    @function(
        (OptionalType(SEAT),),
        OptionalType(EVENT),
        "这家最近的一个杠（被抢的不算）",
        "the seat's latest kong that was not robbed",
        "last_kong(giver)",
    )
    def last_kong(self, seat: int | None) -> Event | None:
        for event in reversed(self.r.events[: self.upto]):
            if event.type == "kong" and event.seat == seat and not event.robbed:
                return event
        return None

    @function(
        (EVENT, SEAT, SEAT),
        INT,
        "这个事件上前者付给后者的数",
        "what the first seat has paid the second for the event",
        "paid(x, payer, payee)",
    )
    def paid(self, event: Event, payer: int, payee: int) -> int:
        total = 0
        for transfer in self.r.transfers:
            if transfer.event == event.index and transfer.about is None:
                if transfer.payer == payer and transfer.payee == payee:
                    total += transfer.amount
                elif transfer.payer == payee and transfer.payee == payer:
                    total -= transfer.amount
        return total

    @function(
        (OptionalType(EVENT),),
        INT,
        "这个事件给它主人带来的收入",
        "what the event has brought its seat; 0 for none",
        "income(last_kong(giver))",
    )
    def income(self, event: Event | None) -> int:
        total = 0
        if event is None:
            return total
        for transfer in self.r.transfers:
            if transfer.event == event.index and transfer.about is None:
                total += transfer.amount * ((transfer.payee == event.seat) - (transfer.payer == event.seat))
        return total

    @function((SEAT,), INT, "本局到此为止净得多少", "what a party has received in the round so far, less what it paid", "net(party.pool)")
    def net(self, party: int) -> int:
        return sum(
            transfer.amount * ((transfer.payee == party) - (transfer.payer == party))
            for transfer in self.r.transfers
            if not transfer.deduct
        )

    @function((INT,), BOOL, "这一手赢了（比牌）", "whether a side beats the hand it meets", "side_wins(h)")
    def side_wins(self, side: int) -> bool:
        return self.r.sides[side].wins

    @function((INT,), INT, "这一手的赔率（比牌）", "the odds of a side's result", "side_odds(h)")
    def side_odds(self, side: int) -> int:
        return self.r.sides[side].odds

    @function((INT, TEXT), BOOL, "这一手是某种牌型（比牌）", "whether a side shows the pattern", 'side_shows(h, "green_pair")')
    def side_shows(self, side: int, pattern: str) -> bool:
        return pattern in self.r.sides[side].scored.times_of

    @function((SEAT,), INT, "这家本局被扣而无人得的数", "what the seat loses this round that nobody receives", "deducted(seat)")
    def deducted(self, seat: int) -> int:
        return sum(transfer.amount for transfer in self.r.transfers if transfer.deduct and transfer.payer == seat)

    @function(
        (TEXT, EVENT),
        INT,
        "一次胡在某个单位或得分的某一步上的数（没胡为 0）",
        "a unit or total of the score of a win; 0 where it is no win",
        'win_worth("big", x) > 0',
        literal=True,
    )
    def win_worth(self, name: str, event: Event) -> int:
        scored = self.r.scored.get(event.index)
        return 0 if scored is None or event.void else scored.__dict__[name]

    @function((EVENT,), BOOL, "这个事件的收入已经转走或退回", "whether the event's income has been moved on", "not moved(x)")
    def moved(self, event: Event) -> bool:
        return any(transfer.about == event.index for transfer in self.r.transfers)

    @function(
        (SEAT,),
        OptionalType(HAND),
        "这家亮出的手牌（没亮的取它最近一次胡的牌）",
        "the hand the seat shows, else that of its latest win",
        "given(hand_of(payer))",
    )
    def hand_of(self, seat: int) -> HandEnv | None:
        found = self.shown_hands.get(seat)
        if found is not None:
            return found
        for event in reversed(self.past):
            if event.type == "win" and event.seat == seat and not event.void:
                return self.r.hands.get(event.index)
        return None

    @function(
        (EVENT,),
        OptionalType(HAND),
        "那次胡的手牌（被截的也算；不是胡则没有）",
        "the hand of a win, superseded ones too; null for other events",
        "hand_at(x).wilds",
    )
    def hand_at(self, event: Event) -> HandEnv | None:
        return self.r.hands.get(event.index)

    @function((SEAT,), BOOL, "这家亮了手牌", "whether the seat shows its hand here", "shows(payer)")
    def shows(self, seat: int) -> bool:
        return seat in self.shown_hands

    @named(SEATS, "亮牌的各家", "the seats that show a hand here", "len(showing)")
    def showing(self) -> tuple[int, ...]:
        return tuple(sorted(self.shown_hands))

    @property
    def shown_hands(self) -> dict[int, HandEnv]:
        """The hands shown on this event, by seat."""
        cached: dict[int, HandEnv] | None = self.__dict__.get("_shown_hands")
        if cached is None:
            shown = () if self.event_record is None else self.event_record.hands
            make: type[HandEnv] = self.r.ruleset.hand_class
            cached = {hand.seat: make.of_shown(self, hand) for hand in shown}
            self.__dict__["_shown_hands"] = cached
        return cached


__all__ = ["EventEnv", "RoundEnv"]
