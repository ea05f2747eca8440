"""Payments between people: in words, as amounts by seat, as arrows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules_app.payment_arrows import Picture, draw
from rules_app.results import rule_url
from scoring_app.ledger import Line, Situation
from scoring_app.ledger.values import payments_of
from scoring_app.models import Participant
from scoring_app.wording import names_by_seat, participant_name


@dataclass(frozen=True, slots=True)
class LineShown:
    """A payment between two people with its reason and the rule it follows."""

    payer: str
    payee: str
    amount: int
    reason: str
    url: str


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


def amounts_by_seat(payments: Mapping[int, int], situation: Situation) -> tuple[int, ...]:
    return tuple(payments.get(number, 0) if number is not None else 0 for number in situation.seats)


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
