"""Whole evenings of games that differ in what they carry and who pays."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings

from rules_app.models import Revision
from scoring_app.ledger import (
    InvalidEntry,
    add_event,
    close_round,
    correct_entry,
    open_table,
    preview_open_round,
    record_round,
    table_overview,
    verify_table,
)
from tests.factories import publish
from tests.scoring_app.rounds import payload

pytestmark = pytest.mark.django_db

PLAIN = {"hand": "123m456p789p111s78s22z", "tile": "9s"}


def shipped(slug: str) -> Revision:
    return publish(slug, (settings.BASE_DIR / f"rules_app/definitions/{slug}.yaml").read_text())


def wild(event: dict[str, Any]) -> dict[str, Any]:
    return {"round": {"wild": ["5m"], "events": [event]}}


def test_blood_battle_runs_through_three_wins_event_by_event():
    table = open_table(revision=shipped("sichuan"), names=["甲", "乙", "丙", "丁"])
    draft_version = 0
    for event in (
        {"type": "kong", "seat": 0, "kind": "concealed", "tile": "1m"},
        {"type": "win", "seat": 1, "by": "discard", "from": 2, "declared": ["plain"]},
        {"type": "win", "seat": 2, "by": "self_draw", "declared": ["all_triplets"]},
        {"type": "win", "seat": 3, "by": "discard", "from": 0, "declared": ["pure_suit"]},
    ):
        running = preview_open_round(table)
        assert running is None or not running.ended
        draft_version = add_event(table=table, event=event, draft_version=draft_version).version
    recorded = close_round(table=table, draft_version=draft_version, expected_version=0, idempotency_key="a")

    overview = table_overview(recorded.table)
    assert sum(seat.total for seat in overview.seats) == 0
    assert len(overview.entries[0].summary["wins"]) == 3
    assert overview.situation.dealer == 1
    assert verify_table(recorded.table) == []


def test_correction_carries_the_raised_base_through_what_follows():
    table = open_table(revision=shipped("wenzhou"), names=["甲", "乙", "丙", "丁"])
    dealer_wins = {"type": "win", "seat": 0, "by": "discard", "from": 3, **PLAIN}
    for seq in range(3):
        record_round(table=table, payload=wild(dealer_wins), expected_version=seq, idempotency_key=f"k{seq}")
    before = [view.payments[0] for view in table_overview(table).entries]
    assert before == sorted(before, reverse=True)
    assert before[0] > before[-1]

    other_wins = {"type": "win", "seat": 1, "by": "discard", "from": 3, **PLAIN}
    corrected = correct_entry(table=table, seq=1, payload=wild(other_wins), expected_version=3, idempotency_key="c")

    assert [change.seq for change in corrected.changes] == [1, 2, 3]
    last = corrected.changes[-1]
    assert (last.before.before.state["raises"], last.after.before.state["raises"]) == (2, 0)
    assert last.after.payments[0] < last.before.payments[0]
    assert verify_table(corrected.table) == []


def test_two_players_sit_opposite_and_pay_each_other():
    table = open_table(revision=shipped("two_player"), names=["甲", "乙"])
    event = {"type": "win", "seat": 1, "by": "self_draw", "hand": "1112345678999s", "tile": "5s"}
    recorded = record_round(table=table, payload=payload(event), expected_version=0, idempotency_key="a")

    one, other = table_overview(recorded.table).seats
    assert one.total == -other.total < 0
    assert verify_table(recorded.table) == []


def test_bank_and_pool_are_participants_and_players_go_by_number():
    table = open_table(revision=shipped("erbagang"), names=["甲", "乙", "丙", "丁", "戊", "己"])
    showdown = {"type": "showdown", "banker": "34p", "hands": ["27p", "45p", "15p"]}
    bets = [{"player": "1", "hand": 1, "amount": 100}, {"player": "5", "hand": 3, "amount": 200}]
    first = payload({**showdown, "bets": bets}, next={"dealer": 5})
    record_round(table=table, payload=first, expected_version=0, idempotency_key="a")
    second = payload({**showdown, "bets": [{"player": "0", "hand": 1, "amount": 100}]})
    recorded = record_round(table=table, payload=second, expected_version=1, idempotency_key="b")

    overview = table_overview(recorded.table)
    assert [seat.total for seat in overview.seats] == [100 + 99, 99, 0, 0, 0, -202 - 100]
    assert [view.total for view in overview.others] == [0, 4]
    assert overview.situation.state == {"pool": 4}
    assert verify_table(recorded.table) == []

    stranger = payload({**showdown, "bets": [{"player": "A", "hand": 1, "amount": 100}]})
    with pytest.raises(InvalidEntry, match="Nobody at this table"):
        record_round(table=table, payload=stranger, expected_version=2, idempotency_key="c")
