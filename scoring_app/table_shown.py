"""A table as its pages show it: seats in their places, rounds in words, amounts by player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules_app.engine import Refusal, Ruleset
from rules_app.engine.text import Text
from rules_app.payment_arrows import Picture, draw
from rules_app.results import ResultShown, present, rule_url
from rules_app.round_fields import Asking, option_fields
from scoring_app.access import Visit
from scoring_app.ledger import (
    ContentView,
    EntryView,
    LedgerError,
    Line,
    Preview,
    Situation,
    TableOverview,
    explain_content,
    preview_open_round,
    table_overview,
)
from scoring_app.ledger.values import Json, payments_of
from scoring_app.models import Content, Entry, Participant
from scoring_app.wording import (
    carried_words,
    comma,
    event_words,
    name_at,
    names_by_seat,
    participant_name,
    pattern_names,
    say,
    win_words,
    wind_name,
)

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


@dataclass(frozen=True, slots=True)
class LineShown:
    """A payment between two people with its reason and the rule it follows."""

    payer: str
    payee: str
    amount: int
    reason: str
    url: str


@dataclass(frozen=True, slots=True)
class EntryShown:
    """A row of the book."""

    seq: int
    kind: str
    number: int | None
    title: str
    detail: str
    amounts: tuple[int | None, ...]
    others: tuple[tuple[str, int], ...]
    time: datetime
    device: str
    voided: bool
    corrected: bool
    has_detail: bool
    lines: tuple[str, ...] = ()
    """Instead of title and detail where several won."""


@dataclass(frozen=True, slots=True)
class DraftEvent:
    """An event of the round in progress with what it moved."""

    index: int
    words: str
    tiles: str
    amounts: tuple[int, ...]

    @property
    def moved(self) -> bool:
        return any(self.amounts)


@dataclass(frozen=True, slots=True)
class DraftShown:
    """The round in progress: ``totals`` of the round so far by seat, ``problem`` where it does not hold together."""

    version: int
    wild: str
    events: list[DraftEvent]
    totals: tuple[int, ...]
    problem: str
    can_end: bool
    wild_name: str = ""


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
        undoable=writer.undo_words(overview.undoable) if overview.undoable else "",
    )


def option_words(ruleset: Ruleset, options: Json, language: str) -> list[str]:
    """The house rules that differ from the document's defaults."""
    from django.http import QueryDict  # noqa: PLC0415 - kept beside its one use

    data = QueryDict(mutable=True)
    for name, value in options.items():
        data[f"o.{name}"] = ("1" if value else "0") if isinstance(value, bool) else str(value)
    fields = option_fields(Asking(ruleset, data, language, ()))
    return [f"{one.label} {one.shown_value}" for one in fields if one.is_changed]


def show_draft(visit: Visit, overview: TableOverview) -> DraftShown | None:
    """The round in progress with what each event moved so far."""
    draft = overview.open_round
    if draft is None:
        return None
    language = visit.language
    problem, preview = "", None
    try:
        preview = preview_open_round(visit.table, language=language)
    except (Refusal, LedgerError) as error:
        problem = error.message.in_language(language)
    situation = preview.before if preview else overview.situation
    names = names_by_seat(overview.situation, overview.participants)
    events = []
    for index, event in enumerate(draft.events):
        lines = [line for line in (preview.lines if preview else ()) if line.event == index]
        moved = payments_of(lines)
        words = event_words(event, visit.ruleset, names, language)
        patterns = win_patterns(preview.answer, index, visit.ruleset, language) if preview and event.get("type") == "win" else ""
        events.append(
            DraftEvent(
                index,
                f"{words} · {patterns}" if patterns else words,
                str(event.get("tile") or event.get("tiles") or "") if event.get("type") == "kong" else "",
                amounts_by_seat(moved, situation),
            )
        )
    wild = visit.ruleset.document.wild
    totals = amounts_by_seat(preview.payments if preview else {}, situation)
    return DraftShown(
        draft.version,
        " ".join(draft.payload["round"].get("wild", [])),
        events,
        totals,
        problem,
        bool(events) and not problem,
        say(wild.name, language) if wild else "",
    )


def win_patterns(answer: Mapping[str, Any], event: int, ruleset: Ruleset, language: str) -> str:
    """The patterns of the win that an event is."""
    return next((pattern_names(ruleset, win["patterns"], language) for win in answer.get("wins", []) if win.get("event") == event), "")


def amounts_by_seat(payments: Mapping[int, int], situation: Situation) -> tuple[int, ...]:
    return tuple(payments.get(number, 0) if number is not None else 0 for number in situation.seats)


@dataclass(frozen=True, slots=True)
class EntryWriter:
    """Puts entries into words; ``situation`` is the present one, whose seats order the columns of amounts."""

    ruleset: Ruleset
    language: str
    participants: Mapping[int, Participant]
    situation: Situation

    def row(self, entry: EntryView) -> EntryShown:
        payments = entry.payments
        seated = [number for number in self.situation.seats if number is not None]
        moved = bool(entry.lines) or entry.kind == Entry.Kind.ROUND
        others = tuple(
            (participant_name(self.participants[number]), amount)
            for number, amount in sorted(payments.items())
            if number not in seated and amount
        )
        title, detail = self.words(entry)
        record = entry.entry
        return EntryShown(
            entry.seq,
            entry.kind,
            entry.number,
            title,
            detail,
            tuple(payments.get(number, 0) for number in seated) if moved else (),
            others,
            record.client_time or record.server_time,
            record.device_label,
            entry.voided,
            entry.corrected,
            entry.content is not None,
            self.win_lines(entry),
        )

    def win_lines(self, entry: EntryView) -> tuple[str, ...]:
        """A line a win, where several won in a round."""
        wins = [win for win in entry.summary.get("wins", []) if win.get("by")]
        if len(wins) < 2:
            return ()
        names = self.names(entry)
        found = []
        for win in wins:
            words, patterns = win_words(win, names), pattern_names(self.ruleset, win.get("patterns", []), self.language)
            found.append(f"{words} · {patterns}" if patterns else words)
        return tuple(found)

    def names(self, entry: EntryView) -> list[str]:
        """The names by seat as they were when the entry was played."""
        if self.ruleset.document.parties is not None:
            return [participant_name(self.participants[number]) for number in sorted(self.participants)]
        return names_by_seat(entry.before or self.situation, self.participants)

    def words(self, entry: EntryView) -> tuple[str, str]:
        """Title and detail of an entry."""
        content = entry.content
        payload = content.payload if content else {}
        if "round" in payload:
            return self.round_words(entry, payload)
        text = str(payload.get("text", ""))
        title = {
            Entry.Kind.TRANSFER: _("Transfer"),
            Entry.Kind.FEE: _("Fee"),
            Entry.Kind.SETTLEMENT: _("Settlement"),
            Entry.Kind.RESULT: _("Imported result"),
            Entry.Kind.PENALTY: _("Penalty"),
            Entry.Kind.SET_SCORES: _("Scores set"),
            Entry.Kind.SEAT_CHANGE: _("Change of seats"),
            Entry.Kind.NOTE: _("Note"),
            Entry.Kind.STATUS: _("Table closed") if payload.get("closed") else _("Table reopened"),
            Entry.Kind.CORRECTION: _("Correction"),
            Entry.Kind.VOID: _("Voided"),
        }.get(Entry.Kind(entry.kind), entry.kind)
        if entry.kind == Entry.Kind.NOTE:
            return text, title
        return title, text

    def round_words(self, entry: EntryView, payload: Json) -> tuple[str, str]:
        names, summary = self.names(entry), entry.summary
        events = payload["round"]["events"]
        wins = [win for win in summary.get("wins", []) if win.get("by")]
        if wins:
            title = comma(self.language).join(event_words({"type": "win", **win}, self.ruleset, names, self.language) for win in wins)
            named = [pattern_names(self.ruleset, win.get("patterns", []), self.language) for win in wins]
            detail = " / ".join(text for text in named if text)
            extra = [event for event in events if event.get("type") not in ("win", "draw")]
            if extra:
                also = comma(self.language).join(event_words(event, self.ruleset, names, self.language) for event in extra)
                detail = f"{detail} · {also}" if detail else also
            return title, detail
        if any(event.get("type") == "draw" for event in events):
            extra = [event for event in events if event.get("type") != "draw"]
            also = comma(self.language).join(event_words(event, self.ruleset, names, self.language) for event in extra)
            return pgettext("end of a round", "Draw"), also
        words = [event_words(event, self.ruleset, names, self.language) for event in events]
        return comma(self.language).join(words) or _("Empty round"), ""

    def undo_words(self, entry: EntryView) -> str:
        """What undo would take back."""
        if entry.kind == Entry.Kind.CORRECTION:
            return _("the correction of entry %(number)s") % {"number": entry.entry.target.seq if entry.entry.target else ""}
        if entry.kind == Entry.Kind.VOID:
            return _("the voiding of entry %(number)s") % {"number": entry.entry.target.seq if entry.entry.target else ""}
        return self.words(entry)[0]


def show_lines(lines: Sequence[Line], participants: Mapping[int, Participant], slug: str, language: str) -> list[LineShown]:
    """Payments in words."""
    return [
        LineShown(
            participant_name(participants[line.payer]),
            participant_name(participants[line.payee]),
            line.amount,
            line.reason.in_language(language),
            rule_url(slug, line.rule) if line.rule else "",
        )
        for line in lines
    ]


def picture_of(
    lines: Sequence[Line],
    situation: Situation,
    participants: Mapping[int, Participant],
    winners: Sequence[int] = (),
    dealer: int | None = None,
) -> Picture | None:
    """Who pays whom as arrows; None where somebody away from the table pays or is paid, or where they are too many."""
    seat_of = {number: seat for seat, number in enumerate(situation.seats) if number is not None}
    if any(line.payer not in seat_of or line.payee not in seat_of for line in lines):
        return None
    names = names_by_seat(situation, participants)
    transfers = [{"from": seat_of[line.payer], "to": seat_of[line.payee], "amount": line.amount} for line in lines]
    return draw(names, amounts_by_seat(payments_of(list(lines)), situation), transfers, dealer=dealer, winners=winners)


@dataclass(frozen=True, slots=True)
class PreviewShown:
    """What a round would come to: the result to look at, the amounts by seat, what may look wrong."""

    result: ResultShown
    amounts: tuple[tuple[str, int], ...]
    totals: tuple[tuple[str, int], ...]
    ended: bool
    warnings: tuple[str, ...]


def show_preview(preview: Preview, visit: Visit, participants: Mapping[int, Participant]) -> PreviewShown:
    """A preview in the visitor's language."""
    result = result_of(preview.answer, preview.before, visit.ruleset, visit.slug, visit.language, participants)
    named = {number: participant_name(participants[number]) for number in participants}
    start = visit.table.start_points
    return PreviewShown(
        result,
        tuple((named[number], amount) for number, amount in preview.payments.items()),
        tuple((named[number], total + (start if number < visit.table.seats else 0)) for number, total in preview.totals_after.items()),
        preview.ended,
        tuple(warning.in_language(visit.language) for warning in preview.warnings),
    )


def result_of(
    answer: Json, before: Situation, ruleset: Ruleset, slug: str, language: str, participants: Mapping[int, Participant]
) -> ResultShown:
    """An answer of the engine with the names of those who played."""
    names = names_by_seat(before, participants)
    if ruleset.document.parties is None:
        return present(answer, ruleset, language, slug=slug, names=names, dealer=before.dealer)
    people = {str(number): participant_name(person) for number, person in participants.items()}
    named = {**answer, "parties": [people.get(str(party), party) for party in answer.get("parties", [])]}
    return present(named, ruleset, language, slug=slug, names=names)


@dataclass(frozen=True, slots=True)
class VersionShown:
    """What an entry said at some time, and why that changed."""

    number: int
    cause: str
    time: datetime
    device: str
    author: str
    reason: str
    words: str
    amounts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class EntryDetail:
    """Everything about an entry."""

    row: EntryShown
    result: ResultShown | None
    lines: list[LineShown]
    picture: Picture | None
    versions: list[VersionShown]
    author: str
    is_round: bool


def show_entry(visit: Visit, entry: EntryView, participants: Mapping[int, Participant], situation: Situation) -> EntryDetail:
    """An entry with its reading, payments and history."""
    writer = EntryWriter(visit.ruleset, visit.language, participants, situation)
    content = entry.content
    answer = explain_content(content, language=visit.language) if content is not None else None
    before = entry.before or situation
    result = result_of(answer, before, visit.ruleset, visit.slug, visit.language, participants) if answer is not None else None
    return EntryDetail(
        writer.row(entry),
        result,
        show_lines(entry.lines, participants, visit.slug, visit.language),
        picture_of(entry.lines, before, participants) if result is None else None,
        [_version(entry, view, participants, writer) for view in entry.versions],
        str(entry.entry.author or ""),
        bool(content and "round" in content.payload),
    )


def _version(entry: EntryView, view: ContentView, participants: Mapping[int, Participant], writer: EntryWriter) -> VersionShown:
    causes = {
        Content.Cause.ENTERED: _("entered"),
        Content.Cause.CORRECTED: _("corrected"),
        Content.Cause.VOIDED: _("voided"),
        Content.Cause.RESCORED: _("scored again"),
    }
    record = view.content.written_by
    alone = EntryView(entry.entry, entry.number, (view,))
    title, detail = writer.words(alone)
    return VersionShown(
        view.content.version,
        causes[Content.Cause(view.content.cause)],
        record.client_time or record.server_time,
        record.device_label,
        str(record.author or ""),
        record.reason,
        f"{title} · {detail}" if detail else title,
        tuple((participant_name(participants[number]), amount) for number, amount in sorted(view.payments.items())),
    )


def problem_words(error: Refusal | LedgerError, language: str) -> str:
    """Why something is refused, in the page's language."""
    message: Text = error.message
    return message.in_language(language)


__all__ = ["EntryShown", "TableShown", "name_at", "problem_words", "show_entry", "show_preview", "show_table"]
