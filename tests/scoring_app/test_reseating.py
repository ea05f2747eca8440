"""Seats that were written down wrong, found out later (G10)."""

from __future__ import annotations

import pytest

from scoring_app.ledger import (
    NotAllowed,
    change_seats,
    preview_swap,
    record_round,
    record_transfer,
    swap_seats_and_replay,
    table_overview,
    undo_last,
)
from scoring_app.models import Standing
from tests.scoring_app.rounds import discard_win, discrepancies, payload

pytestmark = pytest.mark.django_db


def totals(table):
    return {int(number): total for number, total in Standing.objects.get(table=table).totals.items() if total}


@pytest.fixture
def played(table):
    """Three rounds, a transfer between named people, a substitute, and a fourth round."""
    place = {"table": table}
    for number, (seat, payer) in enumerate([(0, 1), (0, 1), (1, 2)]):
        record_round(**place, payload=payload(discard_win(seat, payer=payer)), expected_version=number, idempotency_key=f"r{number}")
    record_transfer(**place, lines=[{"from": 0, "to": 3, "amount": 7}], expected_version=3, idempotency_key="t")
    change_seats(**place, seats=[0, 1, 2, 6], joining=["戊"], expected_version=4, idempotency_key="s")
    record_round(**place, payload=payload(discard_win(0, payer=3)), expected_version=5, idempotency_key="r4")
    table.refresh_from_db()
    return table


def swap(table, **given):
    return swap_seats_and_replay(table=table, expected_version=table.version, idempotency_key="swap", reason="坐错", **given)


def test_seats_are_swapped_from_a_round_on_and_everything_is_replayed(played):
    # G10
    before = totals(played)

    changes = preview_swap(table=played, from_seq=2, seats=[1, 0, 2, 3])
    assert totals(played) == before
    swap(played, from_seq=2, seats=[1, 0, 2, 3])

    # The first round stands; in the second 乙 won from 甲, in the third 甲 from 丙, in the last 乙 from 戊.
    assert totals(played) == {0: 1 - 1 + 1 - 7, 1: -1 + 1 + 1, 2: -1, 3: 7, 6: -1}
    assert [change.seq for change in changes if change.before.payments != change.after.payments] == [2, 3, 6]
    assert table_overview(played).situation.seats == (1, 0, 2, 6)
    assert discrepancies(played) == []


def test_one_undo_takes_the_whole_swap_back(played):
    # G10
    before = Standing.objects.get(table=played)
    swap(played, from_seq=1, seats=[1, 0, 2, 3])
    played.refresh_from_db()

    undo_last(table=played, expected_version=played.version, idempotency_key="u")

    after = Standing.objects.get(table=played)
    assert (after.totals, after.situation) == (before.totals, before.situation)
    assert discrepancies(played) == []


def test_somebody_else_sat_there_all_the_time(played):
    # The substitute 戊 really came before the third round: 丁 goes where 戊 was written, and the reverse.
    swap(played, from_seq=3, seats=[0, 1, 6, 3])

    assert table_overview(played).situation.seats == (0, 1, 6, 2)
    assert totals(played) == {0: 1 + 1 + 1 - 7, 1: -1 - 1 + 1, 6: -1, 2: -1, 3: 7}
    assert discrepancies(played) == []


def test_a_change_of_seats_can_be_the_start(played):
    swap(played, from_seq=4, seats=[6, 1, 2, 0])

    assert totals(played)[6] == 1
    assert discrepancies(played) == []


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"from_seq": 1, "seats": [0, 1, 2, 3]}, "nothing_changed"),
        ({"from_seq": 7, "seats": [1, 0, 2, 3]}, "nothing_to_replay"),
    ],
)
def test_what_makes_no_sense_is_refused(played, given, code):
    with pytest.raises(NotAllowed) as refusal:
        swap(played, **given)
    assert refusal.value.code == code
