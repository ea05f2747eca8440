"""Random evenings of two tables: substitutes, swapped seats, settlements, corrections, other rules; all of it holds (G21)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules_app.engine.errors import Refusal
from scoring_app.errors import Refused
from scoring_app.ledger import correct_entry, move_to_revision, record_round, swap_seats_and_replay, undo_last, void_entry
from scoring_app.models import Posting, Session, Standing, Table
from scoring_app.sessions import charge_fees, open_balances, open_session, record_settlement, seat_players, substitute, undo_seating
from scoring_app.statistics import session_statistics
from tests.scoring_app.evenings import people, place
from tests.scoring_app.rounds import discard_win, discrepancies, payload
from tests.scoring_app.test_property import amended

pytestmark = pytest.mark.django_db

SEATS = st.integers(0, 3)
PAIRS = st.tuples(SEATS, SEATS).filter(lambda pair: pair[0] != pair[1])
WHICH = st.integers(0, 1)
ACTS = st.one_of(
    st.tuples(st.just("round"), WHICH, PAIRS),
    st.tuples(st.just("round"), WHICH, PAIRS),
    st.tuples(st.just("correct"), WHICH, st.integers(1, 8), PAIRS),
    st.tuples(st.just("amend"), WHICH, st.integers(1, 14), st.integers(1, 9)),
    st.tuples(st.just("void"), WHICH, st.integers(1, 8)),
    st.tuples(st.just("undo"), WHICH),
    st.tuples(st.just("substitute"), WHICH, SEATS, st.integers(0, 9)),
    st.tuples(st.just("swap"), WHICH, st.integers(1, 8), st.permutations([0, 1, 2, 3])),
    st.tuples(st.just("rules"), WHICH, st.integers(1, 4), st.one_of(st.none(), st.integers(1, 6))),
    st.tuples(st.just("rotate"), st.sampled_from(["lot", "shift", "movement"])),
    st.tuples(st.just("fees")),
    st.tuples(st.just("settle")),
)


def do(session: Session, one: tuple[Any, ...]) -> None:
    name, *rest = one
    tables = list(session.tables.order_by("number"))
    players = list(session.players.order_by("number"))
    if name == "rotate":
        before = [standing(table) for table in tables]
        seat_players(session=session, method=rest[0], seed="seed")
        undo_seating(session=session)
        assert [standing(table) for table in session.tables.order_by("number")] == before
        seat_players(session=session, method=rest[0], seed="seed")
    elif name == "fees":
        charge_fees(session=session, amount=2)
    elif name == "settle":
        for number, transfer in enumerate(open_balances(session).transfers):
            key = f"s{session.tables.count()}-{sum(table.version for table in tables)}-{number}"
            record_settlement(session=session, payer=transfer.payer, payee=transfer.payee, amount=transfer.amount, idempotency_key=key)
        assert open_balances(session).is_settled
    else:
        at_table(tables[rest[0]], players, name, rest[1:])


def at_table(table: Table, players: list[Any], name: str, rest: list[Any]) -> None:
    """Do it, take it back, and do it again for good."""
    before = standing(table)
    act(table, players, name, rest)
    if name == "undo":
        return
    undo_last(**place(table))
    assert standing(table) == before
    act(table, players, name, rest)


def act(table: Table, players: list[Any], name: str, rest: list[Any]) -> None:
    if name == "round":
        record_round(**place(table, payload=payload(discard_win(rest[0][0], payer=rest[0][1]))))
    elif name == "correct":
        correct_entry(seq=rest[0], **place(table, payload=payload(discard_win(rest[1][0], payer=rest[1][1]))))
    elif name == "amend":
        correct_entry(seq=rest[0], **place(table, payload=amended(table, *rest)))
    elif name == "void":
        void_entry(seq=rest[0], **place(table))
    elif name == "substitute":
        substitute(seat=rest[0], player=players[rest[1]], **place(table))
    elif name == "swap":
        swap_seats_and_replay(from_seq=rest[0], seats=rest[1], **place(table))
    elif name == "rules":
        move_to_revision(revision=table.revision, options={"mode": "single", "base": rest[0]}, rescore_from=rest[1], **place(table))
    else:
        undo_last(**place(table))


def standing(table: Table) -> Any:
    row = Standing.objects.select_related("table").get(table=table)
    totals = {number: total for number, total in row.totals.items() if total}
    return row.situation, totals, row.table.revision_id, row.table.options


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=st.lists(ACTS, min_size=3, max_size=14))
def test_random_evenings_hold(revision, acts):
    session = open_session(revision=revision, options={"mode": "single"})
    people(session, "甲乙丙丁戊己庚辛壬癸")
    seat_players(session=session, seed="first")
    for table in session.tables.order_by("number"):
        for winner, payer in ((0, 1), (2, 3)):
            record_round(**place(table, payload=payload(discard_win(winner, payer=payer))))
    for one in acts:
        try:
            do(session, one)
        except (Refused, Refusal):
            continue

    statistics = session_statistics(session)
    assert sum(statistics.balances.values()) == 0
    assert sum(line.points for line in statistics.standings) == 0
    assert sum(Posting.objects.filter(content__entry__table__session=session).values_list("amount", flat=True)) == 0
    for table in session.tables.all():
        assert discrepancies(table) == []
    # Whoever is counted is counted once, whatever table he sat at.
    assert len({line.person for line in statistics.standings}) == len(statistics.standings)
    assert {line.person.name for line in statistics.standings} <= set("甲乙丙丁戊己庚辛壬癸")
