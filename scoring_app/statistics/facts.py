"""What statistics are made of, free of the database: people, and what happened among them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal

PLAY = frozenset({"round", "penalty", "transfer", "result"})
"""Kinds of entries whose points are won and lost in play; fees, settlements and set scores are not."""
FEES, SETTLEMENTS, SET, RESULT = "fee", "settlement", "set_scores", "result"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody beyond one table: a member, else a player of a session, else a name at a table; or house or pool."""

    kind: Literal["member", "player", "participant", "house", "pool"]
    id: int
    name: str = field(compare=False)
    public_id: str = field(default="", compare=False)
    """Of a member: names his page."""
    day: date | None = field(default=None, compare=False)
    """Of a guest: when he came, which tells him from another guest of his name."""

    @property
    def key(self) -> str:
        """``member-12``: fit for a form or an address."""
        return f"{self.kind}-{self.id}"

    @property
    def is_player(self) -> bool:
        return self.kind not in {"house", "pool"}


@dataclass(frozen=True, slots=True)
class Sitting:
    """A table as far as statistics name it: its session, if it has one, and when it was."""

    table: int
    public_id: str
    number: int | None
    title: str
    day: date
    session: int | None = None
    session_public_id: str = ""
    session_title: str = ""

    @property
    def occasion(self) -> tuple[str, int]:
        """What counts as one evening: the session, else the table."""
        return ("session", self.session) if self.session is not None else ("table", self.table)


@dataclass(frozen=True, slots=True)
class Win:
    """``payer`` is who dealt in; None when it was self-drawn."""

    winner: Person
    payer: Person | None
    patterns: tuple[str, ...] = ()
    summary: dict[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Flow:
    """``payer`` paid ``payee`` ``amount`` > 0."""

    payer: Person
    payee: Person
    amount: int


@dataclass(frozen=True, slots=True)
class Fact:
    """An entry that counts; ``players`` are those who sat at the table."""

    sitting: Sitting
    seq: int
    kind: str
    when: datetime
    ruleset: str
    players: tuple[Person, ...]
    flows: tuple[Flow, ...]
    wins: tuple[Win, ...] = ()
    draw: bool = False

    @property
    def is_round(self) -> bool:
        return self.kind == "round"

    @property
    def is_play(self) -> bool:
        return self.kind in PLAY

    @property
    def is_detailed(self) -> bool:
        """Whether it is known who paid whom; of an imported result only the sums are."""
        return self.is_play and self.kind != RESULT

    @property
    def payments(self) -> dict[Person, int]:
        """The net change of each person."""
        net: dict[Person, int] = {}
        for flow in self.flows:
            net[flow.payer] = net.get(flow.payer, 0) - flow.amount
            net[flow.payee] = net.get(flow.payee, 0) + flow.amount
        return net
