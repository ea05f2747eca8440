"""The clock, ending early, abandoned tables, settling (G13, G15, G16, G23, G24)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from scoring_app.clubs import create_club
from scoring_app.errors import SessionError
from scoring_app.ledger import Origin, begin_round, open_table, record_penalty, record_round, table_overview, void_entry
from scoring_app.models import Entry, ExtraTime, Session
from scoring_app.sessions import (
    charge_fees,
    clock_of,
    close_abandoned,
    end_of,
    end_session,
    give_extra_time,
    open_balances,
    open_session,
    pause_clock,
    penalties_of,
    record_settlement,
    reopen_session,
    resume_clock,
    seat_players,
    session_overview,
    session_pulse,
    sessions_of,
    start_clock,
)
from scoring_app.sessions.clock import StaleTime
from tests.factories import UserFactory, publish
from tests.scoring_app.evenings import people, place, table_of
from tests.scoring_app.rounds import discard_win, discrepancies, payload

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(revision) -> Session:
    return open_session(revision=revision, options={"mode": "single"}, length_kind="clock", length=60, table_fee=3)


def test_one_table_gets_extra_time(session):
    # G15
    one, other = table_of(session, "甲乙丙丁"), table_of(session, "戊己庚辛")
    assert clock_of(one).seconds_left is None
    start_clock(session=session)
    for table in (one, other):
        table.refresh_from_db()
    started = session.clock_started_at
    assert started is not None
    extra = give_extra_time(table=one, seconds=300, reason="争议")

    now = started + timedelta(minutes=59)
    assert clock_of(one, now=now).seconds_left == 360
    assert clock_of(other, now=now).seconds_left == 60
    assert end_of(other, now=started + timedelta(minutes=61)).reason == "clock"
    assert end_of(one, now=started + timedelta(minutes=61)).reason == ""
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        ExtraTime.objects.filter(pk=extra.pk).delete()


def test_extra_time_sent_twice_is_given_once(session):
    # G1, G15: whoever saw no extra time gives five minutes; the same tap again gives nothing more.
    table = table_of(session, "甲乙丙丁")
    first = give_extra_time(table=table, seconds=300, expected_extra=0, origin=Origin(device_label="A"))
    assert give_extra_time(table=table, seconds=300, expected_extra=0, origin=Origin(device_label="A")) == first
    for seconds, label in ((300, "B"), (600, "A")):
        with pytest.raises(StaleTime):
            give_extra_time(table=table, seconds=seconds, expected_extra=0, origin=Origin(device_label=label))
    give_extra_time(table=table, seconds=300, expected_extra=300, origin=Origin(device_label="A"))

    assert clock_of(table).extra_seconds == 600


def test_a_rotation_sets_the_clock_back_and_extra_time_with_it(session):
    people(session, "甲乙丙丁")
    seat_players(session=session)
    session.refresh_from_db()
    table = session.tables.get()
    start_clock(session=session)
    give_extra_time(table=table, seconds=300)
    seat_players(session=session, method="shift")
    table = session.tables.select_related("session").get()
    assert clock_of(table).seconds_left is None
    start_clock(session=table.session)
    give_extra_time(table=table, seconds=60)

    assert clock_of(table).seconds_left == pytest.approx(61 * 60, abs=2)


def test_a_pause_does_not_count(session):
    table = table_of(session, "甲乙丙丁")
    with pytest.raises(SessionError):
        pause_clock(session=session)
    start_clock(session=session)
    Session.objects.update(clock_started_at=timezone.now() - timedelta(minutes=30), clock_paused_at=timezone.now() - timedelta(minutes=10))
    session.refresh_from_db()
    table.refresh_from_db()
    clock = clock_of(table)
    assert (clock.paused, clock.running, clock.ends_at) == (True, False, None)
    assert clock.seconds_left == pytest.approx(40 * 60, abs=2)
    resume_clock(session=session)
    table.refresh_from_db()
    assert clock_of(table).seconds_left == pytest.approx(40 * 60, abs=2)


def test_a_number_of_rounds_ends_a_table_and_a_rotation_begins_anew(revision):
    session = open_session(revision=revision, options={"mode": "single"}, length_kind="rounds", length=2)
    people(session, "甲乙丙丁")
    seat_players(session=session)
    table = session.tables.get()
    for _ in range(2):
        record_round(**place(table, payload=payload(discard_win(0, payer=1))))
    assert (end_of(table).reason, end_of(table).rounds_left) == ("rounds", 0)
    seat_players(session=session, method="shift")
    assert (end_of(table).reason, end_of(table).rounds_played, end_of(table).rounds_left) == ("", 0, 2)


def test_ending_early_invents_no_round(session):
    # G16
    table = table_of(session, "甲乙丙丁")
    record_round(**place(table, payload=payload(discard_win(0, payer=1))))
    table.refresh_from_db()
    begin_round(table=table, expected_version=table.version)

    end_session(session=session, text="停电")

    session.refresh_from_db()
    table.refresh_from_db()
    assert (session.status, table.status) == ("ended", "closed")
    assert list(Entry.objects.filter(table=table).values_list("kind", flat=True)) == ["round", "status"]
    assert discrepancies(table) == []
    reopen_session(session=session)
    assert Session.objects.get().status == "running"


def test_abandoned_tables_are_closed(session, table, capsys):
    # G16
    busy = table_of(session, "甲乙丙丁")
    later = timezone.now() + timedelta(hours=13)
    assert close_abandoned(now=timezone.now() + timedelta(hours=11)) == []
    record_round(**place(busy, payload=payload(discard_win(0, payer=1))))

    closed = close_abandoned(now=later)

    assert {one.pk for one in closed} == {table.pk, busy.pk}
    assert Session.objects.get().status == "ended"
    assert discrepancies(table) == []
    call_command("close_abandoned_tables", "--hours", "1")
    assert "0 tables closed" in capsys.readouterr().out


def test_an_evening_is_settled_and_a_mistake_taken_back(session):
    # G23, G24
    one, other = table_of(session, "甲乙丙丁"), table_of(session, "戊己庚辛")
    record_round(**place(one, payload=payload(discard_win(0, payer=1))))
    record_round(**place(one, payload=payload(discard_win(0, payer=2))))
    record_round(**place(other, payload=payload(discard_win(1, payer=0))))
    charge_fees(session=session, amount=1)

    settlement = open_balances(session)
    assert sum(balance for _, balance in settlement.balances) == 0
    assert len(settlement.transfers) == 6
    for number, transfer in enumerate(settlement.transfers):
        given: dict[str, Any] = {
            "payer": transfer.payer,
            "payee": transfer.payee,
            "amount": transfer.amount,
            "idempotency_key": f"s{number}",
        }
        first = record_settlement(session=session, **given)
        assert record_settlement(session=session, **given).entry == first.entry

    assert open_balances(session).is_settled
    for table in (one, other):
        assert discrepancies(table) == []
    void_entry(seq=first.entry.seq, **place(first.table))
    last = settlement.transfers[-1]
    assert open_balances(session).transfers == (last,)


def test_a_false_win_costs_what_the_rules_say(db):
    # G11, G13
    nanjing = publish("nanjing", (settings.BASE_DIR / "rules_app/definitions/nanjing.yaml").read_text())
    table = open_table(revision=nanjing, names=["甲", "乙", "丙", "丁"])
    event = {"type": "penalty", "seat": 2, "name": "false_win", "flowers": 15}
    recorded = record_penalty(payload=payload(event), **place(table))
    totals = {seat.participant.name: seat.total for seat in table_overview(recorded.table).seats if seat.participant}
    assert totals["丙"] < 0
    assert totals["甲"] == totals["乙"] == totals["丁"] == -totals["丙"] // 3
    void_entry(seq=1, reason="没有诈胡", **place(table))
    assert not any(seat.total for seat in table_overview(table).seats)


@pytest.mark.parametrize("tables", [1, 5])
def test_a_session_is_shown_in_a_fixed_number_of_queries(session, tables, django_assert_num_queries):
    for number in range(tables):
        table = table_of(session, [f"{number}-{seat}" for seat in range(4)])
        record_round(**place(table, payload=payload(discard_win(0, payer=1))))
    people(session, ["休息"])
    session = Session.objects.get()
    with django_assert_num_queries(9):
        overview = session_overview(session)
        assert [player.name for player in overview.resting] == ["休息"]
        assert overview.tables[0].seats[0].total == 1
    with django_assert_num_queries(1):
        assert session_pulse(session.public_id) == overview.pulse
    assert session_pulse("nothing") is None


def test_sessions_of_a_club_come_newest_first_in_one_query(revision, django_assert_num_queries):
    club = create_club(name="会", owner=UserFactory.create())
    for day in (2, 3, 1):
        table_of(open_session(club=club, revision=revision, options={"mode": "single"}, date=date(2026, 1, day)), "甲乙丙丁")
    with django_assert_num_queries(1):
        lines = sessions_of(club)

    assert [(line.session.date.day, line.tables, line.players) for line in lines] == [(3, 1, 4), (2, 1, 4), (1, 1, 4)]


@pytest.mark.parametrize("count", [2, 20])
def test_penalties_are_listed_with_sums_that_can_be_checked(session, count, django_assert_num_queries):
    # G11, G12
    table = table_of(session, "甲乙丙丁")
    for _ in range(count):
        record_penalty(payload={"lines": [{"from": 0, "to": 1, "amount": 5}], "text": "迟到"}, **place(table))
    void_entry(seq=1, reason="没迟到", **place(table))

    with django_assert_num_queries(8):
        found = penalties_of(session=session)

    assert [row.voided for row in found.rows] == [True] + [False] * (count - 1)
    assert {row.reason.zh for row in found.rows} == {"迟到"}
    assert sum(found.totals.values()) == 0
    assert sorted(found.totals.values()) == [-5 * (count - 1), 5 * (count - 1)]
