"""What the engine answers to a round, with the names of those who play: before it is written, and afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules_app.engine import Ruleset
from rules_app.results import ResultShown, present
from scoring_app.access import Visit
from scoring_app.ledger import Preview, Situation
from scoring_app.ledger.values import Json
from scoring_app.models import Participant
from scoring_app.wording import names_by_seat, participant_name


@dataclass(frozen=True, slots=True)
class PreviewShown:
    """What a round would come to: the result to look at, the amounts by seat, what may look wrong."""

    result: ResultShown
    amounts: tuple[tuple[str, int], ...]
    totals: tuple[tuple[str, int], ...]
    ended: bool
    warnings: tuple[str, ...]
    earlier: int
    """How many events of the round came before the one that is looked at."""
    reasons: tuple[str, ...]
    """Of the payments for that event."""

    @property
    def because(self) -> str:
        """Why, in a line, of the event that is looked at: the patterns and the sum of a win, else what is paid for."""
        win = next((win for win in self.result.wins if win.event in (-1, self.earlier)), None)
        if win is not None:
            names = [f"{line.name} ×{line.count}" if line.count > 1 else line.name for line in win.patterns]
            told = [line.name for line in win.patterns if line.name in win.arithmetic]  # a sum that names them says it all
            return win.arithmetic if told else " · ".join(part for part in (_(", ").join(names), win.arithmetic) if part)
        return _(", ").join(self.reasons)


def show_preview(preview: Preview, visit: Visit, participants: Mapping[int, Participant], *, earlier: int) -> PreviewShown:
    """A preview in the visitor's language, of an event that ``earlier`` ones came before."""
    result = result_of(preview.answer, preview.before, visit.ruleset, visit.slug, visit.language, participants)
    named = {number: participant_name(participants[number]) for number in participants}
    start = visit.table.start_points
    return PreviewShown(
        result,
        tuple((named[number], amount) for number, amount in preview.payments.items()),
        tuple((named[number], total + (start if number < visit.table.seats else 0)) for number, total in preview.totals_after.items()),
        preview.ended,
        tuple(warning.in_language(visit.language) for warning in preview.warnings),
        earlier,
        tuple(dict.fromkeys(line["reason"] for line in preview.answer.get("transfers", []) if line["event"] == earlier)),
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
