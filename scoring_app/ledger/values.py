"""The values that the ledger's functions take and give."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rules_app.engine.text import Text

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from scoring_app.models import Content, Entry, Member, SessionPlayer, Table

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Origin:
    """Who writes, on which device, and what the clock of that device said."""

    device_id: str = ""
    device_label: str = ""
    author: User | None = None
    client_time: datetime | None = None


NOBODY = Origin()


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Someone new at a table, and who that is beyond it."""

    name: str
    player: SessionPlayer | None = None
    member: Member | None = None


@dataclass(frozen=True, slots=True)
class Situation:
    """What a table carries from entry to entry.

    ``dealer`` is a seat, or None while it has to be thrown for; ``streak`` counts the rounds in a row that this
    dealer had dealt before; ``seats`` says by seat which participant number sits there (None: empty).
    """

    dealer: int | None
    streak: int
    round_wind: str
    state: Json
    seats: tuple[int | None, ...]
    closed: bool = False

    @classmethod
    def from_json(cls, data: Json) -> Situation:
        return cls(
            dealer=data["dealer"],
            streak=data["streak"],
            round_wind=data["round_wind"],
            state=data["state"],
            seats=tuple(data["seats"]),
            closed=data["closed"],
        )

    def as_json(self) -> Json:
        return {
            "dealer": self.dealer,
            "streak": self.streak,
            "round_wind": self.round_wind,
            "state": self.state,
            "seats": list(self.seats),
            "closed": self.closed,
        }

    def overridden(self, facts: Json) -> Situation:
        """This situation with those of dealer, streak, round_wind and state that ``facts`` names."""
        known = ("dealer", "streak", "round_wind", "state")
        return replace(self, **{name: facts[name] for name in known if name in facts})

    def request_table(self) -> Json:
        """The ``table`` of a scoring request."""
        return {"dealer": self.dealer, "streak": self.streak, "round_wind": self.round_wind, "state": self.state}


NO_REASON = Text("", "")


@dataclass(frozen=True, slots=True)
class Caution(Text):
    """What a careful person would ask before confirming; ``seq`` is the entry that it is about, if one.

    ``code``: ``same_round``, ``duplicate``, ``outlier``, ``unlikely_payer``.
    """

    code: str = ""
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """``payer`` pays ``payee`` (participant numbers) ``amount`` > 0."""

    payer: int
    payee: int
    amount: int
    reason: Text = NO_REASON
    rule: str = ""
    event: int | None = None


def payments_of(lines: tuple[Line, ...] | list[Line]) -> dict[int, int]:
    """The net change of each participant number that pays or is paid."""
    payments: dict[int, int] = {}
    for line in lines:
        payments[line.payer] = payments.get(line.payer, 0) - line.amount
        payments[line.payee] = payments.get(line.payee, 0) + line.amount
    return payments


def added(totals: dict[int, int], payments: dict[int, int]) -> dict[int, int]:
    """Totals after payments; participants who come out at zero are kept."""
    return {number: totals.get(number, 0) + payments.get(number, 0) for number in sorted({*totals, *payments})}


@dataclass(frozen=True, slots=True)
class Preview:
    """What a round would do if it were recorded now.

    ``answer`` is the engine's own, with sentences in the language asked for; totals are by participant number
    and without start points.
    """

    answer: Json
    lines: tuple[Line, ...]
    payments: dict[int, int]
    totals_after: dict[int, int]
    before: Situation
    after: Situation
    ended: bool
    warnings: tuple[Caution, ...] = ()


@dataclass(frozen=True, slots=True)
class Version:
    """What an entry says and does, as one of its contents has it or would have it."""

    payload: Json
    payments: dict[int, int]
    before: Situation
    after: Situation
    summary: Json
    voided: bool


@dataclass(frozen=True, slots=True)
class Change:
    """An entry that a correction changes."""

    seq: int
    kind: str
    before: Version
    after: Version


@dataclass(frozen=True, slots=True)
class Recorded:
    """A write that succeeded; ``repeated`` when the same key had already been written and this is its first answer.

    ``content`` is what the write says of its own entry, or of the entry that it corrects.
    """

    entry: Entry
    table: Table
    content: Content
    repeated: bool = False
    changes: tuple[Change, ...] = field(default=())
    warnings: tuple[Caution, ...] = field(default=())
