"""A table as its pages show it: seats in their places, the book, the round in progress."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.http import QueryDict
from django.utils.translation import gettext as _

from rules_app.engine import Ruleset
from rules_app.results import rule_url
from rules_app.round_fields import Asking, option_fields
from scoring_app.access import Visit
from scoring_app.ledger import Situation, TableOverview, table_overview
from scoring_app.ledger.rotations import is_of_rotation
from scoring_app.ledger.values import Json
from scoring_app.models import Dispute, Entry, Participant
from scoring_app.shown.draft import DraftShown, show_draft
from scoring_app.shown.entries import EntryShown, EntryWriter
from scoring_app.wording import carried_words, names_by_seat, participant_name, say, wind_name

PLACES = {2: ("south", "north"), 3: ("south", "east", "west"), 4: ("south", "east", "north", "west")}
SHOWN_AT_FIRST = 30


@dataclass(frozen=True, slots=True)
class SeatShown:
    """Somebody at the table: ``place`` on the felt, ``number`` of the participant."""

    place: str
    number: int
    name: str
    total: int
    change: int
    is_dealer: bool
    wind: str


@dataclass(slots=True)
class TableShown:
    """All that the table page and the watch page show."""

    overview: TableOverview
    ruleset: Ruleset
    game: str
    title: str
    rules_url: str
    options: list[str]
    seats: list[SeatShown]
    others: list[SeatShown]
    names: list[str]
    number: int
    wind: str
    carried: list[str]
    entries: list[EntryShown]
    hidden: int
    draft: DraftShown | None
    on_felt: bool
    closed: bool
    disputed: frozenset[int]
    """The entries about which a dispute is open."""
    undoable: str = ""
    last: list[EntryShown] = field(default_factory=list)

    @property
    def version(self) -> int:
        return self.overview.version

    @property
    def changes(self) -> int:
        return self.overview.changes

    @property
    def situation(self) -> Situation:
        return self.overview.situation


def show_table(visit: Visit, *, everything: bool = False) -> TableShown:
    """The table as it stands, for a page in the visitor's language."""
    table, language, ruleset = visit.table, visit.language, visit.ruleset
    overview = table_overview(table)
    document = ruleset.document
    names = names_by_seat(overview.situation, overview.participants)
    uses_dealer = document.parties is None
    seats = [
        SeatShown(
            PLACES.get(len(overview.seats), ("",) * len(overview.seats))[seat.seat or 0],
            seat.participant.number if seat.participant else -1,
            participant_name(seat.participant) if seat.participant else _("(empty)"),
            seat.total,
            seat.change,
            seat.is_dealer,
            wind_name(seat.wind) if uses_dealer else "",
        )
        for seat in overview.seats
    ]
    others = [
        SeatShown("", seat.participant.number, participant_name(seat.participant), seat.total, seat.change, False, "")
        for seat in overview.others
        if seat.participant and (seat.total or seat.participant.kind == Participant.Kind.PLAYER)
    ]
    writer = EntryWriter(ruleset, language, overview.participants, overview.situation)
    rows = [entry for entry in overview.entries if entry.kind not in (Entry.Kind.CORRECTION, Entry.Kind.VOID)]
    shown = rows if everything else rows[:SHOWN_AT_FIRST]
    return TableShown(
        overview=overview,
        ruleset=ruleset,
        game=say(document.name, language),
        title=table.title,
        rules_url=rule_url(visit.slug),
        options=option_words(ruleset, table.options, language),
        seats=seats,
        others=others,
        names=names,
        number=overview.rounds + 1,
        wind=wind_name(overview.situation.round_wind),
        carried=carried_words(overview.situation, ruleset, names, language),
        entries=[writer.row(entry) for entry in shown],
        hidden=len(rows) - len(shown),
        draft=show_draft(visit, overview),
        on_felt=len(seats) in PLACES and uses_dealer,
        closed=overview.situation.closed,
        disputed=frozenset(Dispute.objects.filter(entry__table=table, answer=None).values_list("entry__seq", flat=True)),
        undoable=writer.undo_words(overview.undoable) if overview.undoable and not is_of_rotation(overview.undoable.entry) else "",
    )


def option_words(ruleset: Ruleset, options: Json, language: str) -> list[str]:
    """The house rules that differ from the document's defaults."""
    data = QueryDict(mutable=True)
    for name, value in options.items():
        data[f"o.{name}"] = ("1" if value else "0") if isinstance(value, bool) else str(value)
    fields = option_fields(Asking(ruleset, data, language, ()))
    return [f"{one.label} {one.shown_value}" for one in fields if one.is_changed]
