"""Correcting, voiding and undoing any entry."""

from __future__ import annotations

from typing import Any

import pytest

from scoring_app.ledger import (
    FollowingRefused,
    InvalidEntry,
    NotAllowed,
    Origin,
    StaleVersion,
    close_table,
    correct_entry,
    entry_detail,
    preview_correction,
    record_note,
    record_round,
    record_transfer,
    set_scores,
    table_overview,
    undo_last,
    undoable_entry,
    verify_table,
    void_entry,
)
from scoring_app.models import Content, Entry, Standing, Table
from tests.scoring_app.rounds import discard_win, kong, payload, self_draw

pytestmark = pytest.mark.django_db


class Writer:
    """Writes at a table with the version it has, and a key of its own each time."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def __call__(self, function: Any, **arguments: Any) -> Any:
        self.table.refresh_from_db()
        key = f"key-{self.table.version}"
        return function(table=self.table, expected_version=self.table.version, idempotency_key=key, **arguments)


@pytest.fixture
def write(table: Table) -> Writer:
    return Writer(table)


def totals(table: Table) -> list[int]:
    return [seat.total for seat in table_overview(table).seats]


def standing(table: Table) -> tuple[Any, dict[str, int]]:
    row = Standing.objects.get(table=table)
    return row.situation, {number: total for number, total in row.totals.items() if total}


def check(table: Table) -> None:
    table.refresh_from_db()
    assert verify_table(table) == []


def test_correcting_the_last_round_replaces_what_it_says(table, write):
    write(record_round, payload=payload(self_draw(3)))
    corrected = write(correct_entry, seq=1, payload=payload(discard_win(2, payer=1)), reason="看错了", origin=Origin(device_label="桌上"))

    assert totals(table) == [0, -1, 1, 0]
    assert corrected.entry.kind == "correction"
    assert corrected.entry.target.seq == 1
    assert corrected.content.version == 2
    detail = entry_detail(table, 1)
    assert detail.corrected
    assert detail.versions[0].payments[3] > 0
    assert detail.payments == {1: -1, 2: 1}
    check(table)


def test_correcting_an_earlier_round_rules_what_follows_again(table, write):
    write(record_round, payload=payload(discard_win(2, payer=1)))
    write(record_note, text="茶歇")
    write(record_round, payload=payload(self_draw(1)))
    write(record_round, payload=payload(self_draw(1)))

    changes = preview_correction(table=table, seq=1, payload=payload(discard_win(2, payer=3)))
    corrected = write(correct_entry, seq=1, payload=payload(discard_win(2, payer=3)))

    assert tuple(changes) == corrected.changes
    assert [change.seq for change in changes] == [1, 3, 4]
    assert changes[0].before.payments == {1: -1, 2: 1}
    assert changes[0].after.payments == {2: 1, 3: -1}
    assert (changes[1].before.before.dealer, changes[1].after.before.dealer) == (1, 3)
    assert (changes[2].before.before.streak, changes[2].after.before.streak) == (1, 0)
    assert [content.cause for content in Content.objects.filter(version=2).order_by("entry__seq")] == [
        "corrected",
        "rescored",
        "rescored",
    ]
    check(table)


def test_correction_that_leaves_the_deal_alone_touches_nothing_else(table, write):
    write(record_round, payload=payload(self_draw(1)))
    write(record_round, payload=payload(self_draw(1)))

    corrected = write(correct_entry, seq=1, payload=payload(kong(0), self_draw(1)))

    assert [change.seq for change in corrected.changes] == [1]
    check(table)


def test_voided_round_counts_no_longer_and_can_be_brought_back(table, write):
    write(record_round, payload=payload(self_draw(3)))
    before = standing(table)
    write(record_round, payload=payload(discard_win(2, payer=1)))
    write(void_entry, seq=2, reason="没打完")

    assert standing(table) == before
    view = table_overview(table).entries[1]
    assert (view.voided, view.number, view.payments) == (True, None, {})
    with pytest.raises(NotAllowed, match="void already"):
        write(void_entry, seq=2)

    write(correct_entry, seq=2, payload=payload(discard_win(2, payer=1)))
    assert totals(table)[2] == before[1]["2"] + 1
    check(table)


def test_undo_goes_back_step_by_step_and_undoes_corrections_too(table, write):
    states = [standing(table)]
    write(record_round, payload=payload(self_draw(3)))
    states.append(standing(table))
    write(record_transfer, lines=[{"from": 0, "to": 1, "amount": 5}])
    states.append(standing(table))
    write(correct_entry, seq=1, payload=payload(discard_win(0, payer=2)))
    states.append(standing(table))
    write(void_entry, seq=2)

    for state in reversed(states):
        write(undo_last)
        assert standing(table) == state
        check(table)
    with pytest.raises(NotAllowed) as caught:
        write(undo_last)
    assert caught.value.code == "nothing_to_undo"
    assert undoable_entry(table) is None
    assert Entry.objects.count() == 8


def test_undoing_what_brought_a_voided_entry_back_leaves_its_old_words(table, write):
    write(record_note, text="茶歇")
    write(void_entry, seq=1)
    write(correct_entry, seq=1, payload={"text": "吃饭"})
    write(undo_last)

    detail = entry_detail(table, 1)
    assert (detail.voided, detail.versions[-1].content.payload) == (True, {"text": "茶歇"})
    check(table)


def test_undo_again_with_the_same_key_undoes_once(table, write):
    write(record_round, payload=payload(self_draw(3)))
    write(record_round, payload=payload(self_draw(3)))

    undo_last(table=table, expected_version=2, idempotency_key="once")
    again = undo_last(table=table, expected_version=2, idempotency_key="once")

    assert again.repeated
    assert Entry.objects.count() == 3


def test_undoing_the_closing_opens_the_table(table, write):
    write(close_table)
    write(undo_last)

    table.refresh_from_db()
    assert table.status == "open"


def test_last_round_can_be_corrected_after_the_table_is_closed(table, write):
    write(record_round, payload=payload(self_draw(3)))
    write(close_table)
    write(correct_entry, seq=1, payload=payload(self_draw(2)))

    table.refresh_from_db()
    assert table.status == "closed"
    assert totals(table)[2] > 0
    check(table)


def test_set_scores_still_hold_after_an_earlier_correction(table, write):
    write(record_round, payload=payload(self_draw(3)))
    write(set_scores, totals={0: 10, 1: -10, 2: 0, 3: 0})
    write(correct_entry, seq=1, payload=payload(self_draw(2)))

    assert totals(table) == [10, -10, 0, 0]
    check(table)


def test_correction_that_breaks_a_later_entry_is_refused_with_its_number(table, write):
    write(record_round, payload=payload(self_draw(3)))
    write(record_round, payload=payload(self_draw(3)))

    with pytest.raises(FollowingRefused) as caught:
        write(correct_entry, seq=1, payload=payload(self_draw(3), next={"dealer": None}))
    assert caught.value.seq == 2
    assert Entry.objects.count() == 2


@pytest.mark.parametrize(("seq", "code"), [(9, "no_such_entry"), (2, "not_correctable")])
def test_what_cannot_be_corrected(table, write, seq, code):
    write(record_round, payload=payload(self_draw(3)))
    write(void_entry, seq=1)

    with pytest.raises(NotAllowed) as caught:
        write(correct_entry, seq=seq, payload=payload(self_draw(2)))
    assert caught.value.code == code


def test_correction_that_changes_nothing_is_refused(table, write):
    write(record_round, payload=payload(self_draw(3)))

    with pytest.raises(NotAllowed, match="already"):
        write(correct_entry, seq=1, payload=payload(self_draw(3)))


def test_correction_against_an_old_version_is_refused(table, write):
    write(record_round, payload=payload(self_draw(3)))
    write(record_round, payload=payload(self_draw(3)))

    with pytest.raises(StaleVersion):
        correct_entry(table=table, seq=1, payload=payload(self_draw(2)), expected_version=1, idempotency_key="x")


def test_correction_to_what_cannot_be_stored_is_refused(table, write):
    write(record_round, payload=payload(self_draw(3)))

    for broken in ({"round": {"events": [float("nan")]}}, {"round": {"events": ["\ud800"]}}, {"round": 1}):
        with pytest.raises(InvalidEntry):
            write(correct_entry, seq=1, payload=broken)
