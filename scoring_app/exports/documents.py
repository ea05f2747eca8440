"""The form of an exported table or session: JSON that holds everything of a ledger, history and hashes included."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from typing_extensions import TypedDict

from rules_app.engine.text import Text
from scoring_app.errors import Refused

FORMAT = "mahjong-referee"
VERSION = 2
"""2 carries the documents of the rules, the clock and extra time; files of version 1 are read as well."""
AMOUNT = 10**15
KIND_NAMES = Literal[
    "round",
    "penalty",
    "transfer",
    "fee",
    "settlement",
    "set_scores",
    "position",
    "seat_change",
    "rules",
    "result",
    "note",
    "status",
    "correction",
    "void",
]


def _moment(text: str) -> str:
    moment = datetime.datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("a time needs its zone")
    if not 1 < moment.year < 9999:
        raise ValueError("a time so far away may leave the calendar in another zone")
    return text


def _day(text: str) -> str:
    datetime.date.fromisoformat(text)
    return text


Moment = Annotated[str, Field(max_length=40), AfterValidator(_moment)]
Day = Annotated[str, Field(max_length=10), AfterValidator(_day)]
Number = Annotated[int, Field(ge=0, lt=10_000)]
Count = Annotated[int, Field(ge=0, lt=2**31)]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Name = Annotated[str, Field(min_length=1, max_length=40)]
Amount = Annotated[int, Field(ge=-AMOUNT, le=AMOUNT)]
Json = dict[str, Any]


class DocumentError(Refused):
    """A document that cannot be imported; the sentence says what is wrong, and where."""


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class RevisionPart(Part):
    """A revision of rules, by its hash; ``game`` and ``number`` say to people which that is, ``document`` what it says."""

    game: Annotated[str, Field(max_length=60)]
    number: Count
    document: Annotated[str, Field(max_length=400_000)] | None = None


class Who(Part):
    id: int
    name: Annotated[str, Field(max_length=150)]


class SituationPart(Part):
    dealer: Number | None
    streak: Count
    round_wind: Annotated[str, Field(max_length=4)]
    state: Json
    seats: list[Number | None]
    closed: bool


class LinePart(Part):
    payer: Number
    payee: Number
    amount: Annotated[int, Field(gt=0, le=AMOUNT)]
    zh: Annotated[str, Field(max_length=300)]
    en: Annotated[str, Field(max_length=300)]
    rule: Annotated[str, Field(max_length=100)]
    event: Count | None


Win = TypedDict(
    "Win",
    {"seat": int, "by": str | None, "from": int | None, "tile": str | None, "patterns": list[str], "fan": int | None, "points": int | None},
    total=False,
)


class Summary(TypedDict, total=False):
    wins: list[Win]
    draw: bool
    ended: bool


class ContentPart(Part):
    """What an entry wrote of entry ``entry``: of itself, or of one that it corrects or has ruled again."""

    entry: Annotated[int, Field(ge=1, lt=2**31)]
    version: Annotated[int, Field(ge=1, lt=2**31)]
    cause: Literal["entered", "corrected", "voided", "rescored"]
    voided: bool
    payload: Json
    revision: Hash
    options: Json
    before: SituationPart
    after: SituationPart
    summary: Summary
    lines: list[LinePart]


class Said(Part):
    device_id: Annotated[str, Field(max_length=64)]
    device_label: Annotated[str, Field(max_length=60)]
    author: Who | None
    made_at: Moment
    number: Annotated[int, Field(ge=1, lt=2**31)] | None = None
    hash: Hash | None = None
    """Its place in the chain of what was said, and its hash there; files from before there was one have none."""


class ConfirmationPart(Said):
    version: Annotated[int, Field(ge=1)]


class AnswerPart(Said):
    outcome: Literal["upheld", "rejected", "withdrawn"]
    text: Annotated[str, Field(max_length=500)]


class DisputePart(Said):
    text: Annotated[str, Field(max_length=500)]
    answer: AnswerPart | None


class EntryPart(Part):
    seq: Annotated[int, Field(ge=1, lt=2**31)]
    kind: KIND_NAMES
    target: int | None
    undoes: int | None
    reason: Annotated[str, Field(max_length=300)]
    client_time: Moment | None
    server_time: Moment
    device_id: Annotated[str, Field(max_length=64)]
    device_label: Annotated[str, Field(max_length=60)]
    author: Who | None
    key: Annotated[str, Field(min_length=1, max_length=100)]
    body_hash: Hash
    previous_hash: Hash
    hash: Hash
    wrote: list[ContentPart]
    confirmations: list[ConfirmationPart]
    disputes: list[DisputePart]


class ParticipantPart(Part):
    number: Number
    name: Name
    kind: Literal["player", "house", "pool"]
    seat: Number | None
    player: Number | None
    """The number of the player in the session."""
    member: Annotated[str, Field(max_length=16)] | None


class ExtraTimePart(Part):
    seconds: Annotated[int, Field(gt=-(2**31), lt=2**31)]
    reason: Annotated[str, Field(max_length=200)]
    given_by: Who | None
    device_label: Annotated[str, Field(max_length=60)]
    given_at: Moment


class TablePart(Part):
    id: Annotated[str, Field(pattern=r"^[0-9a-z]{6,16}$")]
    number: Number | None
    title: Annotated[str, Field(max_length=100)]
    language: Literal["zh", "en"]
    seats: Annotated[int, Field(ge=1, le=12)]
    start_points: Amount
    length_kind: Literal["none", "rounds", "clock"]
    length: Count
    confirmation: Literal["none", "device", "person"]
    revision: Hash
    options: Json
    opening: SituationPart
    created_at: Moment
    participants: Annotated[list[ParticipantPart], Field(min_length=2, max_length=300)]
    entries: Annotated[list[EntryPart], Field(max_length=20_000)]
    extra_times: Annotated[list[ExtraTimePart], Field(max_length=1000)] = []

    @model_validator(mode="after")
    def _sits_right(self) -> Self:
        """Its people are numbered as at every table, with house and pool behind the seats; on seats are players only."""
        kinds = {person.number: person.kind for person in self.participants}
        apart = {self.seats: "house", self.seats + 1: "pool"}
        if kinds != {number: apart.get(number, "player") for number in range(max(len(self.participants), self.seats + 2))}:
            message = Text(zh="参与者的编号不对。", en="The participants are not numbered as at a table.")
            raise DocumentError("bad_document", message, "participants")
        written = [wrote for entry in self.entries for wrote in entry.wrote]
        for situation in (self.opening, *(side for wrote in written for side in (wrote.before, wrote.after))):
            seated = [number for number in situation.seats if number is not None]
            known = len(seated) == len(set(seated)) and all(kinds.get(number) == "player" for number in seated)
            if not known or len(situation.seats) != self.seats or (situation.dealer or 0) >= self.seats:
                message = Text(zh="有一笔的座位或庄家不对。", en="Somewhere seats or dealer are none of this table.")
                raise DocumentError("bad_document", message, "entries")
        return self


class PlayerPart(Part):
    number: Number
    name: Name
    member: Annotated[str, Field(max_length=16)] | None
    left_at: Moment | None


class TableSeatsPart(Part):
    number: Number
    seats: list[Number | None]


class SeatingPart(Part):
    tables: list[TableSeatsPart]
    resting: list[Number]


class DrawPart(Part):
    rotation: Count
    method: Literal["lot", "shift", "movement", "hand", "undo"]
    seed: Annotated[str, Field(max_length=64)]
    seating: SeatingPart
    device_label: Annotated[str, Field(max_length=60)]
    made_at: Moment


class ClockPart(Part):
    started_at: Moment | None
    paused_at: Moment | None
    paused_seconds: Count


class SessionPart(Part):
    id: Annotated[str, Field(pattern=r"^[0-9a-z]{6,16}$")]
    title: Annotated[str, Field(max_length=100)]
    language: Literal["zh", "en"]
    date: Day
    status: Literal["planned", "running", "ended"]
    revision: Hash
    options: Json
    start_points: Amount
    length_kind: Literal["none", "rounds", "clock"]
    length: Count
    confirmation: Literal["none", "device", "person"]
    table_fee: Count
    rotation: Count
    season: Annotated[str, Field(max_length=60)] | None
    started_at: Moment | None
    ended_at: Moment | None
    clock: ClockPart | None = None
    players: Annotated[list[PlayerPart], Field(max_length=200)]
    draws: list[DrawPart]
    tables: Annotated[list[TablePart], Field(max_length=100)]


class TableDocument(Part):
    format: Literal["mahjong-referee/table"]
    version: Literal[1, 2]
    exported_at: Moment
    revisions: Annotated[dict[Hash, RevisionPart], Field(max_length=20)]
    members: dict[str, Name]
    """Names of the club's members by their id, where seats are theirs."""
    table: TablePart


class SessionDocument(Part):
    format: Literal["mahjong-referee/session"]
    version: Literal[1, 2]
    exported_at: Moment
    revisions: Annotated[dict[Hash, RevisionPart], Field(max_length=20)]
    members: dict[str, Name]
    session: SessionPart
