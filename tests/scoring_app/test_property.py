"""Random evenings: whatever is done, the ledger holds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules_app.engine.errors import Refusal
from scoring_app.ledger import (
    LedgerError,
    change_seats,
    correct_entry,
    open_table,
    record_note,
    record_round,
    record_transfer,
    set_scores,
    undo_last,
    verify_table,
    void_entry,
)
from scoring_app.models import Posting, Standing, Table
from tests.scoring_app.rounds import discard_win, kong, payload, self_draw

pytestmark = pytest.mark.django_db

SEATS = st.integers(0, 3)
PAIRS = st.tuples(SEATS, SEATS).filter(lambda pair: pair[0] != pair[1])
ROUNDS = st.one_of(
    st.builds(lambda pair: payload(discard_win(pair[0], payer=pair[1])), PAIRS),
    st.builds(lambda seat: payload(self_draw(seat)), SEATS),
    st.builds(lambda seat, pair: payload(kong(seat), discard_win(pair[0], payer=pair[1])), SEATS, PAIRS),
)
ACTS = st.one_of(
    st.tuples(st.just("round"), ROUNDS),
    st.tuples(st.just("correct"), st.integers(1, 12), ROUNDS),
    st.tuples(st.just("void"), st.integers(1, 12)),
    st.tuples(st.just("undo")),
    st.tuples(st.just("transfer"), PAIRS, st.integers(1, 500)),
    st.tuples(st.just("note")),
    st.tuples(st.just("seats"), st.permutations([0, 1, 2, 3])),
    st.tuples(st.just("scores"), st.tuples(*[st.integers(-100, 100)] * 3)),
)


def do(table: Table, act: tuple[Any, ...]) -> None:
    name, *rest = act
    place: dict[str, Any] = {"table": table, "expected_version": table.version, "idempotency_key": f"k{table.version}"}
    if name == "round":
        record_round(payload=rest[0], **place)
    elif name == "correct":
        correct_entry(seq=rest[0], payload=rest[1], **place)
    elif name == "void":
        void_entry(seq=rest[0], **place)
    elif name == "undo":
        undo_last(**place)
    elif name == "transfer":
        record_transfer(lines=[{"from": rest[0][0], "to": rest[0][1], "amount": rest[1]}], **place)
    elif name == "note":
        record_note(text="note", **place)
    elif name == "seats":
        change_seats(seats=rest[0], **place)
    else:
        set_scores(totals={**dict(enumerate(rest[0])), 3: -sum(rest[0])}, **place)


def standing(table: Table) -> Any:
    row = Standing.objects.get(table=table)
    return row.situation, {number: total for number, total in row.totals.items() if total}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=st.lists(ACTS, max_size=12))
def test_random_ledgers_hold(revision, acts):
    table = open_table(revision=revision, names=["甲", "乙", "丙", "丁"], options={"mode": "single"})
    for act in acts:
        before = standing(table)
        try:
            do(table, act)
        except (LedgerError, Refusal):
            assert standing(table) == before
            continue
        table.refresh_from_db()
        if act[0] != "undo":
            after = standing(table)
            do(table, ("undo",))
            assert standing(table) == before
            table.refresh_from_db()
            assert after is not None

    assert verify_table(table) == []
    assert sum(Posting.objects.filter(content__entry__table=table).values_list("amount", flat=True)) == 0
