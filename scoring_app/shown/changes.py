"""What a correction changes, entry by entry, as it was and as it will be: for `scoring_app/entry/changes.html`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules_app.engine import Ruleset
from scoring_app.ledger import Change, Situation, TableOverview, Version
from scoring_app.shown.entries import EntryWriter
from scoring_app.wording import carried_words, names_by_seat, participant_name, position_words


@dataclass(frozen=True, slots=True)
class AmountChange:
    """What somebody gets by an entry."""

    name: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class WordChange:
    """Something that is said in words; both sides differ."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ChangeShown:
    """An entry that changes: what it says, what it begins with, and, for the last one, what it leaves behind."""

    seq: int
    number: int | None
    amounts: tuple[AmountChange, ...]
    says: WordChange | None
    begins: WordChange | None
    leaves: WordChange | None

    @property
    def lines(self) -> int:
        """How many lines of the table it takes."""
        return len(self.amounts) + sum(1 for words in (self.says, self.begins, self.leaves) if words is not None)


def changes_shown(overview: TableOverview, changes: Sequence[Change], *, ruleset: Ruleset, language: str) -> list[ChangeShown]:
    """The changes in the reader's words; the round that only begins otherwise is among them."""
    numbers = {entry.seq: entry.number for entry in overview.entries}
    writer = EntryWriter(ruleset, language, overview.participants, overview.situation)
    shown = []
    for change in changes:
        old, new = change.before, change.after
        is_last = change is changes[-1]
        shown.append(
            ChangeShown(
                change.seq,
                numbers.get(change.seq),
                tuple(
                    AmountChange(participant_name(overview.participants[person]), old.payments.get(person, 0), new.payments.get(person, 0))
                    for person in sorted(overview.participants)
                    if person in old.payments or person in new.payments
                ),
                _differing(_says(writer, change.kind, old), _says(writer, change.kind, new)),
                _differing(*(_position(writer, *pair) for pair in ((old.before, new.before), (new.before, old.before)))),
                _differing(*(_position(writer, *pair) for pair in ((old.after, new.after), (new.after, old.after)))) if is_last else None,
            )
        )
    return shown


def _says(writer: EntryWriter, kind: str, version: Version) -> str:
    if version.voided:
        return _("void")
    title, detail = writer.words_of(kind, version.payload, version.summary, version.before)
    return f"{title} · {detail}" if detail else title


def _position(writer: EntryWriter, situation: Situation, other: Situation) -> str:
    """Dealer and carried state; streak and wind where the other situation has others."""
    names = names_by_seat(situation, writer.participants)
    told = {"dealer", *(name for name in ("streak", "round_wind") if getattr(situation, name) != getattr(other, name))}
    words = [*position_words(situation, told, names), *carried_words(situation, writer.ruleset, names, writer.language)]
    if situation.closed != other.closed:
        words.append(_("closed") if situation.closed else _("reopened"))
    return " · ".join(words)


def _differing(before: str, after: str) -> WordChange | None:
    return WordChange(before, after) if before != after else None
