"""Random evenings: whatever is done, the ledger holds."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules_app.engine.errors import Refusal
from scoring_app.ledger import (
    LedgerError,
    Line,
    Origin,
    change_seats,
    close_table,
    correct_entry,
    open_table,
    record_note,
    record_penalty,
    record_round,
    record_transfer,
    reopen_table,
    set_position,
    set_scores,
    undo_last,
    verify_table,
    void_entry,
)
from scoring_app.ledger.records import read_records
from scoring_app.ledger.writing import plan_entry, write
from scoring_app.models import Content, Posting, Standing, Table
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
    st.tuples(st.just("amend"), st.integers(1, 12), st.integers(1, 60)),
    st.tuples(st.just("moved"), st.sampled_from(["fee", "settlement", "penalty", "result"]), PAIRS, st.integers(1, 500)),
    st.tuples(st.just("position"), SEATS, st.integers(0, 3), st.sampled_from(["1z", "2z"])),
    st.tuples(st.just("penalty"), PAIRS),
    st.tuples(st.just("status"), st.booleans()),
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
    elif name == "amend":
        correct_entry(seq=rest[0], payload=amended(table, *rest), **place)
    elif name == "moved":
        record_transfer(kind=rest[0], lines=[{"from": rest[1][0], "to": rest[1][1], "amount": rest[2]}], **place)
    elif name == "position":
        set_position(position={"dealer": rest[0], "streak": rest[1], "round_wind": rest[2]}, **place)
    elif name == "penalty":
        record_penalty(payload=payload(discard_win(rest[0][0], payer=rest[0][1])), **place)
    elif name == "status":
        (close_table if rest[0] else reopen_table)(**place)
    else:
        set_scores(totals={**dict(enumerate(rest[0])), 3: -sum(rest[0])}, **place)


def amended(table: Table, seq: int, turn: int) -> dict[str, Any]:
    """What an entry says, a little otherwise: every kind in its own way."""
    content = Content.objects.filter(entry__table=table, entry__seq=seq).order_by("version").last()
    if content is None:
        return {}
    said: dict[str, Any] = json.loads(json.dumps(content.payload))
    if "round" in said:
        event = said["round"]["events"][-1]
        if event.get("from") is not None:
            event["from"] = (event["seat"] + 1 + turn % 3) % 4
        else:
            event["seat"] = (event["seat"] + turn) % 4
    elif "lines" in said:
        said["lines"][0]["amount"] += turn
        said["lines"].append({"from": turn % 4, "to": 4, "amount": turn})
    elif "totals" in said:
        said["totals"]["0"] += turn
        said["totals"]["3"] -= turn
    elif "seats" in said:
        said["seats"] = said["seats"][turn % 4 :] + said["seats"][: turn % 4]
    elif said.get("table"):
        said["table"]["dealer"] = turn % 4
    else:
        said["text"] = f"{turn}"
    return said


def standing(table: Table) -> Any:
    row = Standing.objects.get(table=table)
    return row.situation, {number: total for number, total in row.totals.items() if total}


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
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
            do(table, act)
            assert standing(table) == after
            table.refresh_from_db()

    assert verify_table(table) == []
    assert stored_lines(table) == replayed_lines(table)
    assert sum(Posting.objects.filter(content__entry__table=table).values_list("amount", flat=True)) == 0


def stored_lines(table: Table) -> dict[int, tuple[Line, ...]]:
    """What counts, by entry, as the postings have it."""
    return {record.seq: record.current_lines for record in read_records(table) if record.contents}


def replayed_lines(table: Table) -> dict[int, tuple[Line, ...]]:
    """The same, of a table at which what counts is written anew, one entry after the other."""
    again = open_table(revision=table.revision, names=["甲", "乙", "丙", "丁"], options=table.options)
    found: dict[int, tuple[Line, ...]] = {}
    for old in read_records(table):
        if not old.contents:
            continue
        found[old.seq] = ()
        if old.current.voided:
            continue
        again.refresh_from_db()
        plan = partial(plan_entry, kind=old.entry.kind, payload=old.current.payload)
        place: dict[str, Any] = {"expected_version": again.version, "key": f"k{again.version}", "body": {}, "origin": Origin()}
        written = write(table=again, plan=plan, **place)
        found[old.seq] = read_records(again, only={written.entry.seq})[0].current_lines
    assert Standing.objects.get(table=again).situation == Standing.objects.get(table=table).situation
    return found


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=st.lists(ACTS, min_size=2, max_size=8), seq=st.integers(1, 8), turn=st.integers(1, 60))
def test_a_correction_and_its_reverse_leave_everything_as_it_was(revision, acts, seq, turn):
    table = open_table(revision=revision, names=["甲", "乙", "丙", "丁"], options={"mode": "single"})
    for act in acts:
        try:
            do(table, act)
        except (LedgerError, Refusal):
            continue
        table.refresh_from_db()
    content = Content.objects.filter(entry__table=table, entry__seq=seq).order_by("version").last()
    before, lines = standing(table), stored_lines(table)
    try:
        do(table, ("amend", seq, turn))
    except (LedgerError, Refusal):
        return
    table.refresh_from_db()
    assert content is not None
    do(table, ("correct", seq, content.payload) if not content.voided else ("void", seq))
    table.refresh_from_db()

    assert (standing(table), stored_lines(table)) == (before, lines)
    assert verify_table(table) == []
