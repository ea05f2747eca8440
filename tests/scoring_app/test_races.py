"""Two phones that write at the same moment; two organisers who draw seats, or take the same payment in."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction

from rules_app import rulings
from scoring_app.ledger import Recorded, StaleDraft, StaleVersion, add_event, begin_round, locking, record_round, verify_table
from scoring_app.models import Entry, SeatDraw, Session
from scoring_app.sessions import StaleRotation, charge_fees, open_balances, open_session, record_settlement, seat_players, settling
from scoring_app.sessions import locking as session_locking
from scoring_app.sessions import rotation as rotating
from scoring_app.sessions.settling import SettledAlready
from tests.scoring_app.evenings import people
from tests.scoring_app.rounds import discard_win, kong, payload, self_draw

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _slow_rules(monkeypatch):
    """Scoring takes long enough for the other phone to come in between."""
    score = rulings.score

    def slowly(*args: Any) -> Any:
        time.sleep(0.3)
        return score(*args)

    monkeypatch.setattr(rulings, "score", slowly)


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """What each act gives or raises, all started together in threads of their own."""
    results: list[Any] = [None] * len(acts)
    barrier = threading.Barrier(len(acts))

    def run(index: int, act: Callable[[], Any]) -> None:
        barrier.wait()
        try:
            results[index] = act()
        except Exception as error:  # noqa: BLE001 -- looked at by the test
            results[index] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=item) for item in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def two_rounds(table: Any, keys: tuple[str, str] = ("a", "b")) -> list[Any]:
    rounds = [payload(discard_win(2, payer=1)), payload(self_draw(3))] if keys[0] != keys[1] else [payload(self_draw(3))] * 2
    return at_once(
        *(
            lambda key=key, said=said: record_round(table=table, payload=said, expected_version=0, idempotency_key=key)
            for key, said in zip(keys, rounds, strict=True)
        )
    )


def test_of_two_rounds_at_one_version_one_is_written_and_one_told(table):
    results = two_rounds(table)

    assert sorted(type(result).__name__ for result in results) == ["Recorded", "StaleVersion"]
    stale = next(result for result in results if isinstance(result, StaleVersion))
    assert [entry.seq for entry in stale.entries_since] == [1]
    table.refresh_from_db()
    assert table.version == 1
    assert verify_table(table) == []


def test_one_round_sent_twice_at_once_is_written_once(table):
    results = two_rounds(table, ("same", "same"))

    assert all(isinstance(result, Recorded) for result in results)
    assert sorted(result.repeated for result in results) == [False, True]
    assert Entry.objects.count() == 1


def test_without_the_lock_the_race_does_happen(table, monkeypatch):
    if connection.vendor == "sqlite":
        pytest.skip("SQLite lets one writer in at a time, lock or not")
    monkeypatch.setattr(locking, "LOCK_TABLES", False)

    results = two_rounds(table)

    assert sorted(type(result).__name__ for result in results) == [IntegrityError.__name__, "Recorded"]


def test_of_two_events_against_one_draft_one_is_added(table):
    draft = begin_round(table=table, expected_version=0)

    results = at_once(
        lambda: add_event(table=table, event=kong(0, "5p"), draft_version=draft.version),
        lambda: add_event(table=table, event=kong(1, "6p"), draft_version=draft.version),
    )

    assert sorted(type(result).__name__ for result in results) == ["OpenRound", StaleDraft.__name__]
    draft.refresh_from_db()
    assert len(draft.events) == 1


# sessions


def slowed(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> None:
    """A function of a module takes long enough for somebody else to come in between."""
    act = getattr(module, name)

    def slowly(*args: Any, **more: Any) -> Any:
        found = act(*args, **more)
        time.sleep(0.3)
        return found

    monkeypatch.setattr(module, name, slowly)


@pytest.fixture
def session(revision) -> Session:
    session = open_session(revision=revision, options={"mode": "single"})
    people(session, "甲乙丙丁戊己庚辛")
    return session


def two_draws(session: Session) -> list[Any]:
    return at_once(*(lambda seed=seed: seat_players(session=session, seed=seed, expected_rotation=0) for seed in ("one", "two")))


def test_of_two_drawings_of_seats_one_seats_and_one_is_told(session, monkeypatch):
    slowed(monkeypatch, rotating, "by_lot")

    results = two_draws(session)

    assert sorted(type(result).__name__ for result in results) == ["SeatDraw", StaleRotation.__name__]
    draw = SeatDraw.objects.get()
    assert session.tables.count() == 2
    names = {player.number: player.name for player in session.players.all()}
    for table, line in zip(session.tables.order_by("number"), draw.seating["tables"], strict=True):
        seats = table.participants.filter(kind="player").order_by("seat").values_list("name", flat=True)
        assert list(seats) == [names[number] for number in line["seats"]]


def test_without_the_lock_of_the_session_seats_are_drawn_twice(session, monkeypatch):
    if connection.vendor == "sqlite":
        pytest.skip("SQLite lets one writer in at a time, lock or not")
    slowed(monkeypatch, rotating, "by_lot")
    monkeypatch.setattr(session_locking, "LOCK_SESSIONS", False)

    results = two_draws(session)

    assert StaleRotation.__name__ not in [type(result).__name__ for result in results]


@pytest.fixture
def owing(session: Session) -> Session:
    """Somebody owes somebody."""
    seat_players(session=session, seed="first")
    for table in session.tables.order_by("number"):
        record_round(table=table, payload=payload(discard_win(2, payer=1)), expected_version=0, idempotency_key="a")
    return session


def two_payments(session: Session) -> list[Any]:
    """The same payment from two phones, each with the key of its own form."""
    due = open_balances(session).transfers[0]
    pay: dict[str, Any] = {"session": session, "payer": due.payer, "payee": due.payee, "amount": due.amount}
    return at_once(*(lambda key=key: record_settlement(**pay, idempotency_key=key) for key in ("here", "there")))


def test_one_payment_that_two_take_in_is_written_once(owing, monkeypatch):
    slowed(monkeypatch, settling, "open_balances")
    before = len(open_balances(owing).transfers)

    results = two_payments(owing)

    assert sorted(type(result).__name__ for result in results) == ["Recorded", SettledAlready.__name__]
    assert Entry.objects.filter(kind="settlement").count() == 1
    assert len(open_balances(owing).transfers) == before - 1


def test_without_the_locks_the_payment_is_written_twice(owing, monkeypatch):
    if connection.vendor == "sqlite":
        pytest.skip("SQLite lets one writer in at a time, lock or not")
    slowed(monkeypatch, settling, "open_balances")
    monkeypatch.setattr(session_locking, "LOCK_SESSIONS", False)
    monkeypatch.setattr(locking, "LOCK_TABLES", False)

    results = two_payments(owing)

    assert SettledAlready.__name__ not in [type(result).__name__ for result in results]


def acts_of_a_session(session: Session) -> list[Callable[[], Any]]:
    """Acts that lock the session and tables: drawing seats anew (both tables) and charging both."""
    return [
        lambda: seat_players(session=session, method="shift"),
        lambda: charge_fees(session=session, amount=2),
        lambda: seat_players(session=session, method="movement"),
    ]


def test_acts_of_one_session_never_wait_for_each_other_in_a_ring(owing, monkeypatch):
    slowed(monkeypatch, rotating, "lock_table")

    results = at_once(*acts_of_a_session(owing))

    assert [result for result in results if isinstance(result, Exception)] == []
    for table in owing.tables.all():
        assert verify_table(table) == []


def test_locking_a_table_before_its_session_does_end_in_a_ring(owing, monkeypatch):
    if connection.vendor == "sqlite":
        pytest.skip("SQLite lets one writer in at a time, lock or not")
    table = owing.tables.get(number=1)

    def table_first() -> Any:
        with transaction.atomic():
            locking.lock_table(table)
            time.sleep(0.6)
            return seat_players(session=owing, method="shift")

    slowed(monkeypatch, session_locking, "lock_this")
    slowed(monkeypatch, rotating, "lock_this")
    results = at_once(table_first, lambda: seat_players(session=owing, method="movement"))

    assert any(isinstance(result, OperationalError) for result in results)  # the server found the deadlock and ended one
