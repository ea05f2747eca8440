"""The form of a ruleset document.

A document is one YAML mapping.  These models say which keys exist, what they hold and which may be left out;
what the expressions in them may say is checked when the document is compiled (`rules_app.engine.ruleset`).
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

RefusalCode = Literal["bad_input", "bad_tiles", "not_allowed", "not_a_win", "below_minimum"]
Expr = str | int | bool | None
"""Source of an expression; numbers and truth values stand for themselves."""

Ident = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
TileText = Annotated[str, Field(min_length=1, max_length=200)]


class Part(BaseModel):
    """Base of all parts: unknown keys are faults, values are never coerced."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Words(Part):
    """A name or sentence in simplified Chinese and in English."""

    zh: Annotated[str, Field(min_length=1)]
    en: Annotated[str, Field(min_length=1)]

    def in_language(self, language: str) -> str:
        """As `Text.in_language`."""
        return self.zh if language.startswith("zh") else self.en


class Aliases(Part):
    """Other names under which people look for a thing."""

    zh: list[str] = []
    zh_hant: list[str] = []
    en: list[str] = []
    pinyin: list[str] = []


class Source(Part):
    """Where the rules stand: a document and a place in it."""

    title: Words
    place: Words | None = None


class Glance(Part):
    """One cell of the box at the head of a rule page."""

    title: Words
    text: Words


class TileGroup(Part):
    """Some kinds and how many copies of each belong to the set."""

    kinds: TileText
    copies: Annotated[int, Field(ge=1, le=8)] = 4


class TileSet(Part):
    """The tiles of the game.

    ``limit`` (an expression over the kind ``k``) says how many copies of a kind can be in play this round where
    that differs from the set, e.g. because one is turned up.  ``count_over`` says whether copies are counted
    over all hands shown in a round or over one seat's hand only.
    """

    groups: Annotated[list[TileGroup], Field(min_length=1)]
    limit: Expr = None
    count_over: Literal["table", "seat"] = "table"
    flowers: TileText | None = None
    """Kinds that are laid out beside the hand (``flowers`` of a win)."""
    flowers_in_hand: bool = False
    """Whether such a kind may stand in the hand (where it completes nothing unless it is wild)."""
    winning_flower: bool = False
    """Whether a flower may be the winning tile."""


class Turned(Part):
    """An input holding the tile turned up; the wild kind is its successor in the rings.

    ``instead`` names the successor of kinds that stand in no ring.
    """

    input: Ident
    instead: dict[str, str] = {}


class StandIn(Part):
    """A kind that is always read as the wild kind's face."""

    tile: TileText
    when: Expr = True


class Wild(Part):
    """Wild tiles (财神, 混, 百搭, 赖子)."""

    most: int | None = None
    """How many wild tiles of all kinds together are in play."""
    counts: list[int] = [1]
    """How many kinds ``round.wild`` may name; 0 allows a round without."""
    kinds: TileText | None = None
    """Kinds that are wild in every round, where nothing is entered."""
    stands_for: TileText | None = None
    """What a wild tile may stand for; default: every kind of the set but flowers."""
    discarded: Literal["wild", "face"] = "wild"
    """How a winning tile of a wild kind is read when it was discarded by another seat."""
    stand_in: StandIn | None = None
    rings: list[TileText] = []
    """In which order kinds follow each other (`successor`); the last is followed by the first."""
    turned: Turned | None = None
    name: Words


class Shape(Part):
    """A form that a complete hand can take; exactly one of ``sets``, ``pairs``, ``listed`` and ``free`` is given."""

    name: Words
    sets: Annotated[int, Field(ge=0, le=6)] | None = None
    pairs: Annotated[int, Field(ge=1, le=9)] | None = None
    spare: Literal[0, 1] = 0
    listed: TileText | None = None
    free: Expr = None
    when: Expr = True
    otherwise: bool = False
    """Tried only where no other shape fits."""

    @model_validator(mode="after")
    def one_form(self) -> Shape:
        given = [key for key in ("sets", "pairs", "listed", "free") if getattr(self, key) is not None]
        if len(given) != 1:
            raise ValueError("a shape has exactly one of: sets, pairs, listed, free")
        return self


class SpecialMeld(Part):
    """A meld of a game's own kind: the basic tiles once each, and further tiles of the same group."""

    name: Words
    tiles: TileText


class Claims(Part):
    """Which melds a hand may hold. ``previous``: a chow only from the seat before."""

    chow: Literal["no", "previous", "yes"] = "no"
    pong: bool = True
    kongs: list[Literal["concealed", "exposed", "added"]] = ["concealed", "exposed", "added"]
    special: dict[Ident, SpecialMeld] = {}
    honor_chow: RefusalCode = "bad_tiles"
    """How a chow of honours is refused."""


FieldKind = Literal["integer", "flag", "choice", "seat", "seats", "tile", "tiles", "dice", "names", "name", "hands", "melds", "records"]


class Input(Part):
    """A fact of a round that no tile shows, or a field of an event."""

    name: Words
    help: Words | None = None
    type: FieldKind
    per_seat: bool = False
    """One value for every seat, in seat order."""
    min: int | None = None
    max: Expr = None
    values: dict[str, Words] | None = None
    size: int | None = None
    """Number of tiles (``tiles``) or of entries."""
    fields: dict[Ident, Input] | None = None
    """Fields of each record."""
    default: Any = None
    required: bool = False
    ask: Literal["deal", "win", "draw", "end", "event"] = "end"
    """When a form asks for it."""
    when: Expr = True
    """Whether it bears on this round (forms hide it otherwise)."""


class State(Part):
    """A value that the table carries from round to round. ``initial`` may be an expression."""

    name: Words
    type: Literal["integer", "flag", "seat", "seats"]
    per_seat: bool = False
    min: int | None = None
    initial: Expr = None
    show: Words | None = None
    """How the table header says it; ``{value}`` is replaced."""


class Option(Part):
    """A house rule. ``values`` names the choices (``choice``) or lists the allowed numbers (``integer``)."""

    name: Words
    help: Words | None = None
    type: Literal["integer", "flag", "choice"]
    min: int | None = None
    max: int | None = None
    values: dict[str, Words] | list[int] | None = None
    default: int | bool | str

    @model_validator(mode="after")
    def default_fits(self) -> Option:
        kinds = {"integer": int, "flag": bool, "choice": str}
        if type(self.default) is not kinds[self.type]:
            raise ValueError(f"the default of this option must be a {self.type}")
        if self.type == "choice" and (not isinstance(self.values, dict) or self.default not in self.values):
            raise ValueError("a choice names its values, and the default is one of them")
        if isinstance(self.values, list) and self.default not in self.values:
            raise ValueError("the default is not among the values")
        return self


class Flag(Part):
    """A circumstance of a win that tiles do not show. ``when`` must hold where the flag is set."""

    name: Words
    help: Words | None = None
    when: Expr = True
    refuse: RefusalCode = "bad_input"
    say: Words | None = None


class KongKind(Part):
    """A kind of ``kong`` event."""

    name: Words
    tile: TileText | None = None
    """The only kinds it can be made of."""
    group: Ident | None = None
    """A special meld: the event carries ``tiles``."""
    several: bool = False
    """The event carries ``tiles`` instead of ``tile``."""
    aside: bool = False
    """A single tile that is laid aside and counts as a copy in sight; it is no meld."""
    giver: Literal["none", "optional", "required"] = "optional"
    """Who gave the tile: must be said, may be said, or bears on nothing (a seat given is then left aside)."""
    fields: dict[Ident, Input] = {}


class EventKind(Part):
    """A kind of event of the game's own, or a penalty: its name and fields beside ``seat``."""

    name: Words
    help: Words | None = None
    seat: bool = True
    fields: dict[Ident, Input] = {}
    dealt: bool = False
    """A win on the tiles as they were dealt (its field ``hand``): it is scored with the patterns ``on`` this event, of
    which one must hold, and needs no shape. The dealer holds one tile more than the others."""


class Events(Part):
    """What can happen in a round besides wins."""

    win: bool = True
    kongs: dict[Ident, KongKind] = {}
    draw: Literal["none", "optional", "required"] | None = "optional"
    """Whether a draw shows hands; null: the game knows no draw."""
    penalties: dict[Ident, EventKind] = {}
    own: dict[Ident, EventKind] = {}


class Check(Part):
    """Something that must hold of a round or an event, with the refusal where it does not."""

    id: Ident
    on: str = "round"
    when: Expr = True
    require: Expr
    refuse: RefusalCode
    say: Words
    at: str | None = None
    """The field to blame."""
    finished: bool = False
    """Judged of a whole round only, not of one that still goes on."""


class Condition(Part):
    """What a complete hand must satisfy in the reading scored."""

    id: Ident
    require: Expr
    refuse: RefusalCode = "below_minimum"
    say: Words
    waits: bool = True
    """Whether a wait must satisfy it too."""
    quick: bool = False
    """Whether it is judged in quick entry too (it then needs no tiles)."""


class Waits(Part):
    """What counts as a wait of a hand that is one tile short."""

    by: Literal["self_draw", "discard"] = "discard"
    conditions: bool = True
    """Whether the conditions (those with ``waits``) must hold."""
    shapes: list[Ident] | None = None
    kinds: TileText | None = None
    """Which kinds may be waits; default: every kind of the set but flowers."""


class Unit(Part):
    """What patterns are counted in.

    ``sum``: values add; ``product``: they multiply; ``choose``: one pattern counts, the one that makes the best
    score; ``highest``: the highest value counts and every pattern of that value is listed.
    """

    name: Words
    one: str | None = None
    """What a single one is called in English, where that is another word."""
    combine: Literal["sum", "product", "choose", "highest"]
    sign: Literal["add", "times"] = "add"


class Join(Part):
    """A pattern made of several chows (or triplets) none of which may be joined twice.

    ``when`` is an expression over the first ranks ``a <= b <= c <= d`` of one suit; what else must hold of the hand
    says the ``when`` of the pattern.
    """

    chows: Annotated[int, Field(ge=2, le=4)]
    when: Expr


class HandExample(Part):
    """A hand that makes a pattern (or, as a counter-example, does not)."""

    hand: str = ""
    tile: str | None = None
    melds: list[str] = []
    """Short form: ``222s``, ``123m from 0``, ``5555p concealed``."""
    flowers: str = ""
    by: Literal["self_draw", "discard", "rob_kong"] = "discard"
    seat: int = 1
    giver: int | None = None
    flags: list[str] = []
    wild: list[str] = []
    options: dict[str, Any] = {}
    inputs: dict[str, Any] = {}
    table: dict[str, Any] = {}
    before: list[dict[str, Any]] = []
    """Events before the win."""
    event: dict[str, Any] | None = None
    """An event of another type in place of the win."""
    text: Words | None = None
    """What to see in it; for a counter-example why it does not count."""


class Pattern(Part):
    """A pattern (番型): when it holds, how often, what it is worth and what it absorbs."""

    name: Words
    pinyin: str | None = None
    aliases: Aliases = Aliases()
    on: str = "win"
    """The event whose hands it is looked for in: a win, or an own event won on dealt tiles."""
    exists: Expr = True
    when: Expr = True
    count: Expr = 1
    value: Expr = 1
    unit: Ident
    absorbs: list[Ident] = []
    listed: bool = True
    at_zero: bool = False
    """Listed even where it is worth 0 (others then do not count)."""
    join: Join | None = None
    follows: bool = False
    """Quick entry adds it by itself (from ``by``, flags and flowers)."""
    declare: Expr = True
    """Quick entry: what must hold where it is declared."""
    repeat: int = 1
    """Quick entry: how often it may be declared."""
    value_text: Words | None = None
    text: Words
    examples: list[HandExample] = []
    counters: list[HandExample] = []


class Score(Part):
    """How counted patterns become fan and points."""

    totals: dict[Ident, Expr]
    """Named results in order; each may use those before."""
    best: Ident
    """The total by which readings are compared; the greatest counts."""
    prefer: list[Expr] = []
    """Among equal readings, the greatest of these, one after the other."""
    union: bool = False
    """The patterns of all readings count together (tiers)."""
    fan: Ident | None = None
    points: Ident | None = None
    points_from_payments: bool = False
    """The points of a win are all that it brings the winner."""
    arithmetic: Words | None = None
    """The sum in words; ``{name}`` is replaced by a unit, total or option (``{options.base}``), ``{patterns}`` by the
    patterns with their values, ``{names}`` by their names alone, ``{fan}`` in a comparing game by the odds."""


class Course(Part):
    """How a round runs."""

    together: Expr = False
    """Whether several seats may win on one tile (consecutive wins with the same tile, manner and giver)."""
    prevail: list[Expr] = []
    """Where several seats win together, only the win with the greatest of these stands; the others are void."""
    over: Expr = "wins > 0 or drawn"
    """Whether the round has ended, judged after each happening."""
    after: list[str] = []
    """Types of event that may still be entered when the round has ended, such as ``penalty``."""
    after_over: Words = Words(zh="这一局已经结束，不能再记", en="the round has ended; nothing can follow")
    refuse_in_turn: bool = False
    """Whether an earlier event is refused before a later one, whatever their codes; otherwise the codes come in order."""


class Payment(Part):
    """Who pays whom how much on which event."""

    id: Ident
    on: str
    name: Words
    text: Words | None = None
    when: Expr = True
    each: dict[Ident, Expr] = {}
    """Further variables and the lists over which they run."""
    payer: Expr = Field(alias="from")
    payee: Expr = Field(alias="to", default="seat")
    only_if: Expr = True
    """Judged for every pair; may use ``payer`` and ``payee``."""
    amount: Expr
    about: Expr = None
    """The event whose income this moves, where that is not the event itself."""
    deduct: bool = False
    """Taken from the payer and received by nobody: kept apart from the payments."""
    examples: list[str] = []

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True)


class Next(Part):
    """What the next round starts from."""

    when: Expr = True
    dealer: Expr = "dealer"
    streak: Expr = "streak + 1 if next_dealer == dealer else 0"
    round_wind: Expr = "round_wind"
    state: dict[Ident, Expr] = {}
    text: Words | None = None


class Clash(Part):
    """None of ``these`` may stand beside any of ``beside``."""

    these: list[Ident]
    beside: list[Ident]


class Quick(Part):
    """What may not be declared together in quick entry."""

    exclusive: list[list[Ident]] = []
    """At most one of each list."""
    clashes: list[Clash] = []
    checks: list[Check] = []


class Page(Part):
    """A chapter of the rule book; ``body`` is Markdown."""

    id: Ident
    title: Words
    body: Words


class Gap(Part):
    """A gap or contradiction of the sources, how it is decided, and the option that decides otherwise."""

    id: Ident
    text: Words
    option: Ident | None = None


class Term(Part):
    """An entry of the glossary."""

    term: Words
    pinyin: str | None = None
    text: Words


class Example(Part):
    """A whole round with what must be paid. ``rules`` are the ids it shows."""

    id: Ident
    title: Words
    rules: list[Ident] = []
    options: dict[str, Any] = {}
    table: dict[str, Any] = {}
    round: dict[str, Any]
    expect: dict[str, Any]
    text: Words | None = None


class Feature(Part):
    """A feature by which games are compared: present or not, with a few words and the rule it follows from."""

    present: bool
    text: Words | None = None
    rule: str | None = None


FeatureId = Literal[
    "chow", "wild", "flowers", "kong_payments", "multiple_wins", "goes_on", "liability", "minimum", "dealer_matters",
    "declared_ready", "draw_settlement", "carried_state", "seven_pairs", "self_draw_only", "stakes", "penalties",
]  # fmt: skip


class Parties(Part):
    """Who stands in the payments where these are not the seats: fixed names and a list of players between them."""

    first: dict[Ident, Words]
    players: Expr
    """The list of names, in order."""
    last: dict[Ident, Words] = {}


class Comparison(Part):
    """A game that compares small hands with one hand.

    ``event`` is the own event that shows them; its fields ``against`` (tiles) and ``sides`` (a list of tiles) hold
    the hands.  Each hand is scored by itself; ``order`` ranks them, from left to right, and a side wins only when it
    ranks strictly higher.  ``odds`` is evaluated for the winning hand; ``side`` is its number, 0 for the one all meet.
    """

    event: Ident
    against: Ident
    sides: Ident
    count: Annotated[int, Field(ge=1, le=8)]
    size: Annotated[int, Field(ge=1, le=5)]
    order: list[Expr]
    odds: Expr


class Document(Part):
    """A ruleset document."""

    format: Literal[1]
    slug: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{1,39}$")]
    name: Words
    pinyin: str | None = None
    aliases: Aliases = Aliases()
    region: Words
    summary: Words
    sources: list[Source] = []
    glance: list[Glance] = []
    features: dict[FeatureId, Feature] = {}
    seats: Annotated[int, Field(ge=2, le=4)] = 4
    parties: Parties | None = None
    comparison: Comparison | None = None
    tiles: TileSet
    deal: Words | None = None
    options: dict[Ident, Option] = {}
    inputs: dict[Ident, Input] = {}
    state: dict[Ident, State] = {}
    flags: dict[Ident, Flag] = {}
    wild: Wild | None = None
    treasure: Expr = None
    """Whether the winning tile may stand for any wait of the hand."""
    all_drawn: Expr = None
    """Whether every concealed tile counts as drawn last, so that any of them may be taken as the winning tile."""
    shapes: dict[Ident, Shape]
    claims: Claims = Claims()
    events: Events = Events()
    facts: dict[str, Expr] = {}
    checks: list[Check] = []
    conditions: list[Condition] = []
    waits: Waits = Waits()
    units: dict[Ident, Unit]
    patterns: dict[Ident, Pattern]
    score: Score
    course: Course = Course()
    payments: list[Payment] = []
    next: Next = Next()
    quick: Quick = Quick()
    pages: list[Page] = []
    gaps: list[Gap] = []
    glossary: list[Term] = []
    examples: list[Example] = []

    @field_validator("facts")
    @classmethod
    def fact_names(cls, facts: dict[str, Expr]) -> dict[str, Expr]:
        for name in facts:
            if not re.fullmatch(r"[a-z][a-z0-9_]*(\(\w+(: ?\w+)?(, ?\w+(: ?\w+)?)*\))?", name):
                raise ValueError(f"{name!r} is no name of a fact; write name or name(s: seat)")
        return facts
