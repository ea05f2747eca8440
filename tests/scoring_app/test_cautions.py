"""Questions asked before confirming: duplicates, outliers, unlikely payers (G27)."""

from __future__ import annotations

import pytest

from scoring_app.ledger import open_table, preview_round, record_round, record_transfer
from tests.scoring_app.rounds import discard_win, payload, self_draw

pytestmark = pytest.mark.django_db


def play(table, *rounds):
    for events in rounds:
        table.refresh_from_db()
        recorded = record_round(table=table, payload=payload(*events), expected_version=table.version, idempotency_key=f"r{table.version}")
    return recorded


def codes(warnings):
    return [warning.code for warning in warnings]


def test_the_same_round_again(table):
    # G27
    play(table, [discard_win(0, payer=1)])
    preview = preview_round(table=table, payload=payload(discard_win(0, payer=1)))
    assert codes(preview.warnings) == ["same_round"]
    assert preview.warnings[0].seq == 1
    assert preview.warnings[0].in_language("zh")


def test_the_same_winner_with_the_same_tiles_within_minutes(table):
    # G27
    recorded = play(table, [discard_win(0, payer=1)], [self_draw(2)], [discard_win(0, payer=3)])
    assert codes(recorded.warnings) == ["duplicate"]
    assert recorded.warnings[0].seq == 1


def test_far_more_than_usual(table):
    # G27
    play(table, *[[discard_win(number % 4, payer=(number + 1) % 4)] for number in range(6)])
    dear = {"type": "win", "seat": 2, "by": "self_draw", "declared": ["pure_suit"]}
    assert "outlier" in codes(preview_round(table=table, payload=payload(dear)).warnings)
    assert "outlier" not in codes(preview_round(table=table, payload=payload(discard_win(3, payer=0))).warnings)


def test_one_discarder_all_the_time(table):
    # G27
    play(table, *[[discard_win(seat, payer=1)] for seat in (0, 2, 3, 0)])
    preview = preview_round(table=table, payload=payload(discard_win(2, payer=1)))
    assert "unlikely_payer" in codes(preview.warnings)


def test_payers_who_are_not_there_or_have_not_enough(revision):
    # G27
    table = open_table(revision=revision, names=["甲", "乙", "丙", "丁", "戊"], options={"mode": "single"}, start_points=1)
    line = {"from": 6, "to": 0, "amount": 1}
    recorded = record_transfer(table=table, lines=[line], expected_version=0, idempotency_key="t")
    assert codes(recorded.warnings) == ["unlikely_payer"]
    assert "戊" in recorded.warnings[0].zh

    assert codes(preview_round(table=table, payload=payload(discard_win(0, payer=1))).warnings) == []
    play(table, [discard_win(0, payer=1)])
    assert "unlikely_payer" in codes(preview_round(table=table, payload=payload(discard_win(2, payer=1))).warnings)
