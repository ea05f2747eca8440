"""Recording rounds and other entries."""

from __future__ import annotations

import pytest

from rules_app.engine.errors import Refusal
from scoring_app.ledger import (
    IdempotencyMismatch,
    InvalidEntry,
    NotAllowed,
    Origin,
    StaleVersion,
    change_seats,
    close_table,
    explain_content,
    open_table,
    preview_round,
    record_note,
    record_penalty,
    record_round,
    record_transfer,
    reopen_table,
    set_scores,
    table_overview,
    verify_table,
)
from scoring_app.models import Content, Entry, Table
from tests.scoring_app.rounds import discard_win, kong, payload, self_draw

pytestmark = pytest.mark.django_db


def totals(table: Table) -> list[int]:
    return [seat.total for seat in table_overview(table).seats]


def test_record_round_pays_and_moves_the_deal(table):
    recorded = record_round(table=table, payload=payload(discard_win(2, payer=1)), expected_version=0, idempotency_key="a")

    overview = table_overview(recorded.table)
    assert [seat.total for seat in overview.seats] == [0, -1, 1, 0]
    assert [seat.change for seat in overview.seats] == [0, -1, 1, 0]
    assert overview.situation.dealer == 1
    assert overview.dealer == overview.participants[1]
    assert [seat.wind for seat in overview.seats] == ["4z", "1z", "2z", "3z"]
    assert (overview.version, overview.changes, overview.rounds) == (1, 1, 1)
    assert overview.entries[0].summary["wins"][0]["seat"] == 2
    assert overview.undoable == overview.entries[0]
    assert verify_table(recorded.table) == []


def test_preview_says_what_recording_would_do_and_writes_nothing(table):
    preview = preview_round(table=table, payload=payload(kong(0), self_draw(3)))

    assert preview.ended
    assert preview.payments == preview.totals_after
    assert sum(preview.payments.values()) == 0
    assert preview.after.dealer == 3
    assert Entry.objects.count() == 0
    recorded = record_round(table=table, payload=payload(kong(0), self_draw(3)), expected_version=0, idempotency_key="a")
    assert recorded.content.after == preview.after.as_json()


def test_preview_of_the_same_round_again_warns(table):
    record_round(table=table, payload=payload(self_draw(3)), expected_version=0, idempotency_key="a")

    assert preview_round(table=table, payload=payload(self_draw(3))).warnings
    assert not preview_round(table=table, payload=payload(self_draw(2))).warnings


def test_explain_content_gives_the_engines_answer(table):
    recorded = record_round(table=table, payload=payload(self_draw(3)), expected_version=0, idempotency_key="a")

    answer = explain_content(recorded.content, language="en")
    assert answer is not None
    assert answer["wins"][0]["patterns"]


def test_same_key_again_gets_the_first_answer(table):
    first = record_round(table=table, payload=payload(self_draw(3)), expected_version=0, idempotency_key="a")
    again = record_round(table=table, payload=payload(self_draw(3)), expected_version=0, idempotency_key="a")

    assert again.repeated
    assert again.entry == first.entry
    assert again.content == first.content
    assert Entry.objects.count() == 1


def test_same_key_with_another_body_is_refused(table):
    record_round(table=table, payload=payload(self_draw(3)), expected_version=0, idempotency_key="a")

    with pytest.raises(IdempotencyMismatch) as caught:
        record_round(table=table, payload=payload(self_draw(2)), expected_version=1, idempotency_key="a")
    assert caught.value.status == 422
    assert caught.value.as_json("zh")["error"]["code"] == "idempotency_mismatch"


def test_stale_version_names_what_happened_since(table):
    record_round(table=table, payload=payload(self_draw(3)), expected_version=0, idempotency_key="a")

    with pytest.raises(StaleVersion) as caught:
        record_round(table=table, payload=payload(self_draw(2)), expected_version=0, idempotency_key="b")
    assert caught.value.current_version == 1
    assert [entry.seq for entry in caught.value.entries_since] == [1]
    assert Entry.objects.count() == 1


def test_refused_round_writes_nothing(table):
    with pytest.raises(Refusal):
        record_round(table=table, payload=payload(self_draw(3), self_draw(3)), expected_version=0, idempotency_key="a")
    assert Entry.objects.count() == 0


def test_round_that_goes_on_is_recorded_only_when_said_so(table):
    with pytest.raises(NotAllowed, match="not ended"):
        record_round(table=table, payload=payload(kong(0)), expected_version=0, idempotency_key="a")

    record_round(table=table, payload=payload(kong(0), unfinished=True), expected_version=0, idempotency_key="a")
    assert totals(table) == [6, -2, -2, -2]


def test_manual_override_of_dealer_and_of_what_follows(table):
    overridden = payload(self_draw(3), table={"dealer": 2}, next={"dealer": 1, "streak": 4})

    recorded = record_round(
        table=table,
        payload=overridden,
        expected_version=0,
        idempotency_key="a",
    )

    assert recorded.content.before["dealer"] == 2
    assert recorded.content.after["dealer"] == 1
    assert recorded.content.after["streak"] == 4


def test_unknown_dealer_has_to_be_named(table):
    record_round(table=table, payload=payload(self_draw(3), next={"dealer": None}), expected_version=0, idempotency_key="a")

    with pytest.raises(InvalidEntry) as caught:
        record_round(table=table, payload=payload(self_draw(3)), expected_version=1, idempotency_key="b")
    assert (caught.value.code, caught.value.path) == ("dealer_unknown", "table.dealer")
    record_round(table=table, payload=payload(self_draw(3), table={"dealer": 0}), expected_version=1, idempotency_key="b")


@pytest.mark.parametrize(
    ("broken", "path"),
    [
        ([], ""),
        ({}, "round"),
        ({"round": []}, "round.events"),
        ({"round": {"events": {}}}, "round.events"),
        ({"round": {}, "hand": 1}, "hand"),
        ({"round": {}, "table": {"dealer": 9}}, "table.dealer"),
        ({"round": {}, "table": {"dealer": True}}, "table.dealer"),
        ({"round": {}, "table": {"wind": "1z"}}, "table"),
        ({"round": {}, "unfinished": 1}, "unfinished"),
        ({"round": {"events": ["\0"]}}, ""),
        ({"round": {"events": ["\ud800"]}}, ""),
        ({"round": {"events": ["x" * 70_000]}}, ""),
        ({"round": {"events": [float("nan")]}}, ""),
        ({"round": {"inputs": {"x": 1e2}}}, ""),
    ],
)
def test_broken_payload_is_refused_with_its_place(table, broken, path):
    with pytest.raises(InvalidEntry) as caught:
        record_round(table=table, payload=broken, expected_version=0, idempotency_key="a")
    assert caught.value.path == path
    assert caught.value.message.zh.endswith("。")


def test_transfer_moves_points_and_leaves_the_deal(table):
    record_transfer(
        table=table, lines=[{"from": 0, "to": 4, "amount": 20}], text="台费", kind="fee", expected_version=0, idempotency_key="a"
    )

    overview = table_overview(table)
    assert overview.seats[0].total == -20
    assert [(str(view.participant), view.total) for view in overview.others] == [("house", 20), ("pool", 0)]
    assert overview.entries[0].lines[0].reason.zh == "台费"


@pytest.mark.parametrize(
    "line",
    [
        {"from": 0, "to": 0, "amount": 1},
        {"from": 0, "to": 9, "amount": 1},
        {"from": 0, "to": 1, "amount": 0},
        {"from": 0},
    ],
)
def test_transfer_that_cannot_be_is_refused(table, line):
    with pytest.raises(InvalidEntry):
        record_transfer(table=table, lines=[line], expected_version=0, idempotency_key="a")


def test_set_scores_reaches_them_and_says_how_far_off_a_sum_is(revision):
    table = open_table(revision=revision, names=["甲", "乙", "丙", "丁"], start_points=1000, options={"mode": "single"})
    record_round(table=table, payload=payload(self_draw(3)), expected_version=0, idempotency_key="a")

    with pytest.raises(InvalidEntry, match="100 too much"):
        set_scores(table=table, totals={0: 1100, 1: 1000, 2: 1000, 3: 1000}, expected_version=1, idempotency_key="b")
    set_scores(table=table, totals={0: 1100, 1: 900, 2: 1001, 3: 999}, position={"dealer": 2}, expected_version=1, idempotency_key="b")

    assert totals(table) == [1100, 900, 1001, 999]
    assert table_overview(table).situation.dealer == 2
    table.refresh_from_db()
    assert verify_table(table) == []


def test_substitute_takes_the_seat_and_gives_it_back(table):
    change_seats(table=table, seats=[0, 6, 2, 3], joining=["戊"], expected_version=0, idempotency_key="a")
    record_round(table=table, payload=payload(discard_win(1, payer=0)), expected_version=1, idempotency_key="b")
    change_seats(table=table, seats=[0, 1, 2, 3], expected_version=2, idempotency_key="c")
    record_round(table=table, payload=payload(discard_win(1, payer=0)), expected_version=3, idempotency_key="d")

    overview = table_overview(table)
    assert [seat.total for seat in overview.seats] == [-2, 1, 0, 0]
    assert {str(view.participant): view.total for view in overview.others} == {"house": 0, "pool": 0, "戊": 1}
    table.refresh_from_db()
    assert verify_table(table) == []


def test_empty_seat_cannot_pay(table):
    change_seats(table=table, seats=[0, None, 2, 3], expected_version=0, idempotency_key="a")

    with pytest.raises(InvalidEntry, match="empty seat"):
        record_round(table=table, payload=payload(self_draw(0)), expected_version=1, idempotency_key="b")


def test_closed_table_takes_no_round_until_it_is_reopened(table):
    close_table(table=table, expected_version=0, idempotency_key="a")
    with pytest.raises(NotAllowed) as caught:
        record_round(table=table, payload=payload(self_draw(0)), expected_version=1, idempotency_key="b")
    assert caught.value.code == "table_closed"

    reopen_table(table=table, expected_version=1, idempotency_key="c")
    record_round(table=table, payload=payload(self_draw(0)), expected_version=2, idempotency_key="d")
    table.refresh_from_db()
    assert table.status == "open"


def test_overview_takes_the_same_queries_for_one_and_for_many(table, django_assert_num_queries):
    for seq in range(4):
        record_round(table=table, payload=payload(self_draw(seq)), expected_version=seq, idempotency_key=f"k{seq}")
        with django_assert_num_queries(6):
            overview = table_overview(table)
            assert [len(view.payments) for view in overview.entries] == [4] * (seq + 1)


def test_content_after_a_note_is_the_note(table):
    record_note(table=table, text=" 争议 ", expected_version=0, idempotency_key="a")

    assert Content.objects.get().payload == {"text": " 争议 "}


def test_penalty_by_rule_pays_what_the_rules_say(table):
    flight = {"type": "penalty", "seat": 1, "name": "flee"}
    assert preview_round(table=table, payload=payload(flight), kind="penalty").payments[1] < 0
    recorded = record_penalty(table=table, payload=payload(flight), expected_version=0, idempotency_key="a")

    assert totals(table) == [16, -48, 16, 16]
    assert table_overview(table).rounds == 0
    assert verify_table(recorded.table) == []


def test_free_penalty_is_paid_to_whom_it_names(table):
    lines = [{"from": 2, "to": 0, "amount": 5}]
    record_penalty(table=table, payload={"lines": lines, "text": "诈胡"}, expected_version=0, idempotency_key="a")

    assert totals(table) == [5, 0, -5, 0]


def test_what_cannot_be_seen_is_left_out_of_device_and_reason(table):
    origin = Origin(device_id="a\0b", device_label="  my\nphone ")
    recorded = record_note(table=table, text="x", expected_version=0, idempotency_key="a", origin=origin)

    assert (recorded.entry.device_id, recorded.entry.device_label) == ("ab", "my phone")
    with pytest.raises(InvalidEntry):
        record_note(table=table, text="x", expected_version=1, idempotency_key="a\0")
