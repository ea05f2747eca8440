"""Entries in words: a row of the book."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules_app.engine import Ruleset
from scoring_app.ledger import EntryView, Situation
from scoring_app.ledger.rotations import is_of_rotation
from scoring_app.ledger.values import Json
from scoring_app.models import Entry, Participant
from scoring_app.wording import (
    carried_words,
    comma,
    event_words,
    names_by_seat,
    participant_name,
    pattern_names,
    position_words,
    seat_name,
    win_words,
)


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
    lines: tuple[str, ...] = ()
    """Instead of title and detail where more happened than a win."""


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
            self.event_lines(entry),
        )

    def row_of_act(self, entry: EntryView) -> EntryShown:
        """The same, where it also matters which entry a correction is about."""
        row = self.row(entry)
        return replace(row, title=self.undo_words(entry)) if entry.entry.target_id else row

    def event_lines(self, entry: EntryView) -> tuple[str, ...]:
        """A line for each event, where somebody won and more happened: what a player paid for is in the list."""
        events = entry.content.payload.get("round", {}).get("events", []) if entry.content else []
        wins = [win for win in entry.summary.get("wins", []) if win.get("by")]
        if not wins or len(events) < 2:
            return ()
        names, coming, found = self.names(entry), iter(wins), []
        for event in events:
            win = next(coming, None) if event.get("type") == "win" else None
            words = win_words(win, names) if win else event_words(event, self.ruleset, names, self.language)
            patterns = pattern_names(self.ruleset, win.get("patterns", []), self.language, after=words) if win else ""
            found.append(f"{words} · {patterns}" if patterns else words)
        return tuple(found)

    def names(self, entry: EntryView) -> list[str]:
        """The names by seat as they were when the entry was played."""
        return self._names_in(entry.before or self.situation)

    def _names_in(self, situation: Situation) -> list[str]:
        if self.ruleset.document.parties is not None:
            return [participant_name(self.participants[number]) for number in sorted(self.participants)]
        return names_by_seat(situation, self.participants)

    def words(self, entry: EntryView) -> tuple[str, str]:
        """Title and detail of an entry."""
        payload = entry.content.payload if entry.content else {}
        title, detail = self.words_of(entry.kind, payload, entry.summary, entry.before or self.situation)
        return (_("Seats drawn for all tables") if is_of_rotation(entry.entry) else title), detail

    def words_of(self, kind: str, payload: Json, summary: Json, before: Situation) -> tuple[str, str]:
        """The same of what an entry of this kind says, or would say."""
        if "round" in payload:
            return self._round_words(payload, summary, self._names_in(before))
        text = str(payload.get("text", ""))
        title = {
            Entry.Kind.TRANSFER: _("Transfer"),
            Entry.Kind.FEE: _("Fee"),
            Entry.Kind.SETTLEMENT: _("Settlement"),
            Entry.Kind.RESULT: _("Imported result"),
            Entry.Kind.PENALTY: _("Penalty"),
            Entry.Kind.SET_SCORES: _("Scores set"),
            Entry.Kind.POSITION: _("Dealer and round set"),
            Entry.Kind.SEAT_CHANGE: _("Change of seats"),
            Entry.Kind.RULES: _("Other rules"),
            Entry.Kind.NOTE: _("Note"),
            Entry.Kind.STATUS: _("Table closed") if payload.get("closed") else _("Table reopened"),
            Entry.Kind.CORRECTION: _("Correction"),
            Entry.Kind.VOID: _("Voided"),
        }.get(Entry.Kind(kind), kind)
        if kind == Entry.Kind.NOTE:
            return text, title
        facts = [*self._seat_words(payload, before), *self._position_words(payload, before), text]
        return title, " · ".join(fact for fact in facts if fact)

    def _seat_words(self, payload: Json, before: Situation) -> list[str]:
        """Who sits down for whom."""
        if "seats" not in payload:
            return []
        moved = [
            f"{seat_name(seat)} {self._name(old)} → {self._name(new)}"
            for seat, (old, new) in enumerate(zip(before.seats, payload["seats"], strict=False))
            if old != new
        ]
        return [comma(self.language).join(moved)]

    def _position_words(self, payload: Json, before: Situation) -> list[str]:
        """The dealer, the wind and what is carried, as far as an entry sets them by hand."""
        set_by_hand = payload.get("table", {})
        if not set_by_hand:
            return []
        after = before.overridden(set_by_hand)
        if "seats" in payload:
            after = replace(after, seats=tuple(payload["seats"]))
        names = names_by_seat(after, self.participants)
        told = {name for name in set_by_hand if getattr(after, name) != getattr(before, name)}
        if "seats" in payload and "dealer" in set_by_hand:
            told.add("dealer")
        return [*position_words(after, told, names), *carried_words(after, self.ruleset, names, self.language)]

    def _name(self, number: int | None) -> str:
        return participant_name(self.participants[number]) if number is not None else _("(empty)")

    def _round_words(self, payload: Json, summary: Json, names: list[str]) -> tuple[str, str]:
        events = payload["round"]["events"]
        wins = [win for win in summary.get("wins", []) if win.get("by")]
        if wins:
            won = [event_words({"type": "win", **win}, self.ruleset, names, self.language) for win in wins]
            title = comma(self.language).join(won)
            named = [
                pattern_names(self.ruleset, win.get("patterns", []), self.language, after=words)
                for win, words in zip(wins, won, strict=True)
            ]
            detail = " / ".join(text for text in named if text)
            extra = [event for event in events if event.get("type") != "win"]
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
