"""A ledger exported and imported is the same ledger."""

from __future__ import annotations

import copy
import json

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules_app.engine.errors import Refusal
from scoring_app.exports.documents import DocumentError
from scoring_app.exports.json_in import import_document, preview_document, read_document
from scoring_app.exports.json_out import session_document, table_document
from scoring_app.ledger import (
    LedgerError,
    Origin,
    answer_dispute,
    change_seats,
    confirm_entry,
    correct_entry,
    open_table,
    raise_dispute,
    record_round,
    verify_table,
)
from scoring_app.models import Entry, Provenance, Session, Table
from scoring_app.sessions import add_player, give_extra_time, open_session, pause_clock, seat_players, start_clock, substitute
from tests.factories import UserFactory
from tests.scoring_app.rounds import discard_win, kong, payload, self_draw
from tests.scoring_app.test_property import ACTS, do

pytestmark = pytest.mark.django_db


def through_text(document):
    """As it comes back from a file."""
    return read_document(json.dumps(document))


def without_time(document):
    return {key: value for key, value in document.items() if key != "exported_at"}


def elsewhere(make):
    """What ``make`` exports, made in a transaction that is taken back: as if it came from another site."""
    sid = transaction.savepoint()
    document = make()
    transaction.savepoint_rollback(sid)
    return document


def test_import_gives_the_same_document_with_the_same_hashes(revision):
    author = UserFactory.create()

    def make():
        table = open_table(revision=revision, names=["甲", "乙", "丙", "丁"], options={"mode": "single"})
        origin = Origin(device_id="one", device_label="手机", author=author)
        record_round(table=table, payload=payload(discard_win(1, payer=2)), expected_version=0, idempotency_key="a", origin=origin)
        record_round(table=table, payload=payload(self_draw(0)), expected_version=1, idempotency_key="b", origin=origin)
        fixed = payload(kong(1), discard_win(1, payer=3))
        correct_entry(table=table, seq=1, payload=fixed, reason="记错", expected_version=2, idempotency_key="c", origin=origin)
        change_seats(table=table, seats=[0, 1, 2, 6], joining=["戊"], expected_version=3, idempotency_key="d", origin=origin)
        confirm_entry(table=table, seq=2, version=2, origin=Origin(device_id="two"))
        dispute = raise_dispute(table=table, seq=1, text="不对", origin=Origin(device_id="two"))
        answer_dispute(dispute=dispute, outcome="rejected", text="对的", origin=origin)
        table.refresh_from_db()
        return table_document(table)

    document = elsewhere(make)
    assert not Table.objects.exists()

    looked = preview_document(through_text(document))
    assert not Table.objects.exists()
    imported = import_document(through_text(document))

    table = Table.objects.get(public_id=imported.tables[0].public_id)
    assert looked == imported
    assert imported.tables[0].kept
    assert without_time(table_document(table)) == without_time(document)
    assert verify_table(table) == []
    assert Provenance.objects.get(table=table).source_head == document["table"]["entries"][-1]["hash"]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=st.lists(ACTS, max_size=10))
def test_random_ledgers_come_back(revision, acts):
    def make():
        table = open_table(revision=revision, names=["甲", "乙", "丙", "丁"], options={"mode": "single"})
        for act in acts:
            try:
                do(table, act)
            except (LedgerError, Refusal):
                continue
            table.refresh_from_db()
        return table_document(table)

    document = elsewhere(make)
    sid = transaction.savepoint()
    table = Table.objects.get(public_id=import_document(through_text(document)).tables[0].public_id)

    assert without_time(table_document(table)) == without_time(document)
    transaction.savepoint_rollback(sid)


def test_a_table_that_is_here_already_comes_in_as_another(table):
    record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key="a")
    table.refresh_from_db()
    document = table_document(table)

    imported = import_document(through_text(document))

    copied = Table.objects.exclude(pk=table.pk).get()
    assert imported.tables[0].public_id == copied.public_id
    assert not imported.tables[0].kept
    assert Provenance.objects.get(table=copied).source_id == table.public_id
    assert verify_table(copied) == []
    assert list(copied.standing.totals.items()) == list(table.standing.totals.items())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d["table"]["entries"][0]["wrote"][0]["lines"][0].update(amount=99), "the file was changed"),
        (lambda d: d["table"]["entries"][0].update(reason="x"), "the file was changed"),
        (lambda d: d["table"]["entries"].pop(), None),
        (lambda d: d["table"].update(start_points=5), "the file was changed"),
        (lambda d: d.update(format="other"), "no table or session"),
        (lambda d: d["table"].pop("seats"), "At table.seats"),
        (lambda d: d["revisions"].update({"0" * 64: {"game": "gone", "number": 3}}), "Revision 3 of gone"),
    ],
)
def test_a_changed_file_is_refused_by_a_sentence(table, change, said):
    record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key="a")
    record_round(table=table, payload=payload(self_draw(0)), expected_version=1, idempotency_key="b")
    table.refresh_from_db()
    document = copy.deepcopy(table_document(table))
    change(document)

    if said is None:  # a file that ends early is a ledger of its own
        assert import_document(through_text(document)).tables[0].entries == 1
        return
    with pytest.raises(DocumentError) as refused:
        import_document(through_text(document))

    assert said in refused.value.message.en
    assert Table.objects.count() == 1
    assert Entry.objects.count() == 2


def test_a_session_comes_back_with_players_and_tables(revision):
    def make():
        session = open_session(revision=revision, options={"mode": "single"}, title="周五", length_kind="clock", length=90)
        for name in ("甲", "乙", "丙", "丁", "戊"):
            add_player(session=session, name=name)
        seat_players(session=session, seed="x")
        table = session.tables.get()
        record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key="a")
        resting = session.players.exclude(participants__table=table).get()
        substitute(table=table, seat=2, player=resting, expected_version=1, idempotency_key="b")
        start_clock(session=session)
        pause_clock(session=session)
        give_extra_time(table=table, seconds=300, reason="洗牌")
        session.refresh_from_db()
        return session_document(session)

    document = elsewhere(make)
    imported = import_document(through_text(document))

    session = Session.objects.get(public_id=imported.session)
    assert imported.players == 5
    assert without_time(session_document(session)) == without_time(document)
    assert (session.length, session.clock_paused_at is not None) == (90, True)
    assert [extra.seconds for extra in session.tables.get().extra_times.all()] == [300]


def test_a_file_of_the_first_version_is_read(table):
    record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key="a")
    table.refresh_from_db()
    document = table_document(table) | {"version": 1}
    del document["table"]["extra_times"]
    for part in document["revisions"].values():
        del part["document"]

    assert import_document(through_text(document)).tables[0].entries == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda entry: entry["disputes"][0].update(text="没有意见"),
        lambda entry: entry["disputes"][0]["answer"].update(outcome="upheld"),
        lambda entry: entry["disputes"][0].update(number=2),
    ],
)
def test_a_file_whose_marks_were_changed_is_refused(table, change):
    record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key="a")
    answer_dispute(dispute=raise_dispute(table=table, seq=1, text="不对"), outcome="rejected")
    table.refresh_from_db()
    document = table_document(table)
    change(document["table"]["entries"][0])

    with pytest.raises(DocumentError, match="does not fit its hash"):
        import_document(through_text(document))


def test_a_file_from_before_marks_were_sealed_comes_in_and_is_sealed(table):
    record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key="a")
    answer_dispute(dispute=raise_dispute(table=table, seq=1, text="不对"), outcome="rejected")
    table.refresh_from_db()
    document = table_document(table)
    dispute = document["table"]["entries"][0]["disputes"][0]
    for said in (dispute, dispute["answer"]):
        del said["number"], said["hash"]

    imported = import_document(through_text(document))

    again = Table.objects.get(public_id=imported.tables[0].public_id)
    assert (again.marks, verify_table(again)) == (2, [])
