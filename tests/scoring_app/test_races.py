"""Two phones that write at the same moment."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, connection

from rules_app import rulings
from scoring_app.ledger import Recorded, StaleDraft, StaleVersion, add_event, begin_round, locking, record_round, verify_table
from scoring_app.models import Entry
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
