"""Table fees: once an evening each, or a bill split evenly (G22)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring_app.errors import SessionError
from scoring_app.ledger import correct_entry, record_round, table_overview, void_entry
from scoring_app.models import Participant, Session, Table
from scoring_app.sessions import add_player, charge_fees, count_owing, open_session, open_session_table, substitute
from scoring_app.sessions.fees import split_evenly
from tests.scoring_app.evenings import people, place, table_of
from tests.scoring_app.rounds import discard_win, discrepancies, payload, self_draw

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(revision) -> Session:
    return open_session(revision=revision, options={"mode": "single"}, table_fee=3)


def play(table: Table, event: Any = None) -> None:
    record_round(**place(table, payload=payload(event or discard_win(0, payer=1))))


def house_has(table: Table) -> int:
    table.refresh_from_db()
    return next(view.total for view in table_overview(table).others if view.participant and view.participant.kind == Participant.Kind.HOUSE)


def test_fees_are_charged_once_and_again_after_a_void(session):
    table = table_of(session, "甲乙丙丁")
    assert charge_fees(session=session) == []
    record_round(**place(table, payload=payload(discard_win(0, payer=1))))
    (recorded,) = charge_fees(session=session)
    assert charge_fees(session=session) == []
    house = next(view for view in table_overview(table).others if view.participant and view.participant.kind == "house")
    assert house.total == 12
    void_entry(seq=recorded.entry.seq, **place(table))
    assert len(charge_fees(table=table, amount=1)) == 1


def test_who_sits_at_two_tables_pays_once(session):
    first = table_of(session, "甲乙丙丁")
    play(first)
    substitute(**place(first, seat=0, player=add_player(session=session, name="壬")))
    moved = people(session, "戊己庚")
    second = open_session_table(session=session, players=[*moved, session.players.get(name="甲")])
    play(second)
    assert count_owing(session) == 7

    charge_fees(session=session)

    assert (house_has(first), house_has(second)) == (12, 9)
    assert count_owing(session) == 0
    assert charge_fees(table=second) == []
    assert discrepancies(first) == discrepancies(second) == []


def test_who_comes_after_the_charge_pays_alone(session):
    table = table_of(session, "甲乙丙丁")
    play(table)
    charge_fees(session=session)
    substitute(**place(table, seat=2, player=add_player(session=session, name="戊")))
    assert count_owing(session) == 0
    play(table)
    assert count_owing(session) == 1

    (recorded,) = charge_fees(session=session)

    assert [line["amount"] for line in recorded.content.payload["lines"]] == [3]
    assert house_has(table) == 15


def test_a_bill_is_split_to_the_last_point_and_the_odd_ones_fall_on_the_winners(session):
    # G22
    table, other = table_of(session, "甲乙丙丁"), table_of(session, "戊己庚辛")
    play(table, self_draw(2))
    play(other, discard_win(0, payer=1))

    charge_fees(session=session, total=101)

    lines = [line for one in (table, other) for line in one.entries.get(kind="fee").contents.get().payload["lines"]]
    assert sorted(line["amount"] for line in lines) == [12, 12, 12, 13, 13, 13, 13, 13]
    assert house_has(table) + house_has(other) == 101
    paid = {line["from"]: line["amount"] for line in table.entries.get(kind="fee").contents.get().payload["lines"]}
    assert paid[2] == 13


def test_a_bill_smaller_than_the_table_is_paid_by_whoever_won(session):
    table = table_of(session, "甲乙丙丁")
    play(table, self_draw(2))

    (recorded,) = charge_fees(table=table, total=1)

    assert [(line["from"], line["amount"]) for line in recorded.content.payload["lines"]] == [(2, 1)]


def test_a_corrected_charge_still_counts_as_charged(session):
    table = table_of(session, "甲乙丙丁")
    play(table)
    (recorded,) = charge_fees(session=session)
    lines = [{**line, "amount": 5} for line in recorded.content.payload["lines"]]

    correct_entry(**place(table, seq=recorded.entry.seq, payload={"lines": lines, "text": ""}))

    assert charge_fees(session=session) == []
    assert house_has(table) == 20


def test_each_and_all_together_exclude_one_another(session):
    with pytest.raises(SessionError, match="not both"):
        charge_fees(session=session, amount=1, total=4)


@given(total=st.integers(0, 10**9), people=st.integers(1, 40))
def test_shares_come_to_the_sum_and_differ_by_one_at_most(total: int, people: int):
    shares = split_evenly(total, range(people))

    assert sum(shares.values()) == total
    assert max(shares.values()) - min(shares.values()) <= 1
    assert list(shares.values()) == sorted(shares.values(), reverse=True)
