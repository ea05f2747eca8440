"""Confirmations by another device or person (G25, G26), and disputes."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from scoring_app.ledger import (
    NotAllowed,
    Origin,
    answer_dispute,
    confirm_entry,
    correct_entry,
    marks_of,
    raise_dispute,
    record_note,
    record_round,
    set_confirmation,
)
from scoring_app.models import Confirmation, Dispute, DisputeAnswer, Seal
from tests.factories import UserFactory
from tests.scoring_app.rounds import discard_win, payload

pytestmark = pytest.mark.django_db

ONE, OTHER = Origin(device_id="one", device_label="甲的手机"), Origin(device_id="other", device_label="乙的手机")


@pytest.fixture
def recorded(table):
    set_confirmation(table=table, policy="device")
    record_round(table=table, payload=payload(discard_win(0, payer=1)), expected_version=0, idempotency_key="a", origin=ONE)
    table.refresh_from_db()
    return table


def test_an_entry_waits_for_another_device(recorded):
    # G26
    assert marks_of(recorded)[1].needs_confirmation

    with pytest.raises(NotAllowed) as refusal:
        confirm_entry(table=recorded, seq=1, version=1, origin=ONE)
    assert refusal.value.code == "same_device"
    before = recorded.changes
    confirmation = confirm_entry(table=recorded, seq=1, version=1, origin=OTHER)
    assert confirm_entry(table=recorded, seq=1, version=1, origin=OTHER) == confirmation

    mark = marks_of(recorded)[1]
    assert (mark.needs_confirmation, [one.device_label for one in mark.confirmations]) == (False, ["乙的手机"])
    recorded.refresh_from_db()
    assert recorded.changes == before + 1


def test_another_person_means_another_account(recorded):
    # G25, G26
    writer, other = UserFactory.create(), UserFactory.create()
    recorded.confirmation = "person"
    recorded.save()
    by_writer = Origin(device_id="one", author=writer)
    record_round(table=recorded, payload=payload(discard_win(0, payer=1)), expected_version=1, idempotency_key="b", origin=by_writer)

    for origin in (OTHER, Origin(device_id="third", author=writer)):
        with pytest.raises(NotAllowed) as refusal:
            confirm_entry(table=recorded, seq=2, version=1, origin=origin)
        assert refusal.value.code == "same_person"
    confirm_entry(table=recorded, seq=2, version=1, origin=Origin(author=other))
    assert marks_of(recorded)[2].confirmations[0].author == other


def test_a_correction_has_to_be_confirmed_again_a_rescoring_has_not(recorded):
    record_round(table=recorded, payload=payload(discard_win(1, payer=2)), expected_version=1, idempotency_key="b", origin=ONE)
    for seq in (1, 2):
        confirm_entry(table=recorded, seq=seq, version=1, origin=OTHER)

    fixed = payload(discard_win(3, payer=1))
    correct_entry(table=recorded, seq=1, payload=fixed, expected_version=2, idempotency_key="c", origin=ONE)

    marks = marks_of(recorded)
    assert (marks[1].needs_confirmation, marks[2].needs_confirmation) == (True, False)
    with pytest.raises(NotAllowed) as refusal:
        confirm_entry(table=recorded, seq=1, version=1, origin=OTHER)
    assert refusal.value.code == "content_changed"


def test_what_moves_no_points_needs_no_confirmation(recorded):
    record_note(table=recorded, text="茶", expected_version=1, idempotency_key="n")
    assert 2 not in marks_of(recorded)
    with pytest.raises(NotAllowed):
        confirm_entry(table=recorded, seq=2, version=1, origin=OTHER)


def test_a_dispute_flags_an_entry_and_holds_nothing_up(recorded):
    dispute = raise_dispute(table=recorded, seq=1, text="不是自摸", origin=OTHER)
    assert marks_of(recorded)[1].open_dispute
    record_round(table=recorded, payload=payload(discard_win(1, payer=2)), expected_version=1, idempotency_key="b", origin=ONE)

    answer_dispute(dispute=dispute, outcome="rejected", text="查过了", origin=ONE)

    mark = marks_of(recorded)[1]
    assert not mark.open_dispute
    assert mark.disputes[0].resolution == DisputeAnswer.objects.get(text="查过了")
    with pytest.raises(NotAllowed):
        answer_dispute(dispute=dispute, outcome="upheld")


@pytest.mark.parametrize("model", [Confirmation, Dispute, DisputeAnswer, Seal])
def test_what_was_said_stays(recorded, model):
    confirm_entry(table=recorded, seq=1, version=1, origin=OTHER)
    answer_dispute(dispute=raise_dispute(table=recorded, seq=1, text="?"), outcome="upheld")
    row = model.objects.last()
    for act in (row.save, lambda: model.objects.filter(pk=row.pk)._raw_delete("default")):
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            act()


def test_marks_take_a_fixed_number_of_queries(recorded, django_assert_num_queries):
    for number in range(1, 12):
        record_round(
            table=recorded,
            payload=payload(discard_win(number % 4, payer=(number + 1) % 4)),
            expected_version=number,
            idempotency_key=str(number),
        )
        raise_dispute(table=recorded, seq=number, text="?")
        confirm_entry(table=recorded, seq=number, version=1, origin=OTHER)
    with django_assert_num_queries(3):
        marks_of(recorded)
