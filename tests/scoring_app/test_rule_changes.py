"""House rules that change while a table or a season is under way (G20)."""

from __future__ import annotations

import pytest
from django.conf import settings

from rules_app.engine.errors import Refusal
from scoring_app.ledger import (
    NotAllowed,
    correct_entry,
    move_to_revision,
    preview_revision,
    record_round,
    undo_last,
    void_entry,
)
from scoring_app.models import Content, Standing
from tests.factories import publish
from tests.scoring_app.rounds import discard_win, discrepancies, payload

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(table):
    for number, (seat, payer) in enumerate([(0, 1), (2, 3)]):
        record_round(table=table, payload=payload(discard_win(seat, payer=payer)), expected_version=number, idempotency_key=f"r{number}")
    table.refresh_from_db()
    return table


@pytest.fixture
def dearer(table):
    """The same game in a later revision."""
    text = table.revision.document
    return publish("sichuan_club", text.replace("slug: sichuan", "slug: sichuan_club", 1))


def totals(table):
    return {int(number): total for number, total in Standing.objects.get(table=table).totals.items() if total}


def move(table, **given):
    table.refresh_from_db()
    return move_to_revision(table=table, expected_version=table.version, idempotency_key=f"m{table.version}", **given)


def test_what_was_played_keeps_its_rules(played, dearer):
    # G20
    move(played, revision=dearer, options={"mode": "single", "base": 10})
    played.refresh_from_db()
    record_round(table=played, payload=payload(discard_win(0, payer=1)), expected_version=3, idempotency_key="n")

    assert totals(played) == {0: 11, 1: -11, 2: 1, 3: -1}
    assert played.revision == dearer
    assert discrepancies(played) == []


def test_what_would_change_is_seen_before_the_past_is_ruled_anew(played, dearer):
    # G20
    changes = preview_revision(table=played, revision=dearer, options={"mode": "single", "base": 10}, rescore_from=2)
    assert [(change.seq, change.before.payments, change.after.payments) for change in changes] == [(2, {3: -1, 2: 1}, {3: -10, 2: 10})]
    assert totals(played) == {0: 1, 1: -1, 2: 1, 3: -1}

    recorded = move(played, revision=dearer, options={"mode": "single", "base": 10}, rescore_from=2)

    assert [change.seq for change in recorded.changes] == [2]
    assert totals(played) == {0: 1, 1: -1, 2: 10, 3: -10}
    assert discrepancies(played) == []


@pytest.mark.parametrize("back", ["undo", "void"])
def test_a_move_is_taken_back_whole(played, dearer, back):
    # G20
    old = played.revision
    move(played, revision=dearer, options={"mode": "single", "base": 10}, rescore_from=1)
    correct_entry(table=played, seq=1, payload=payload(discard_win(0, payer=2)), expected_version=3, idempotency_key="c")
    if back == "undo":
        undo_last(table=played, expected_version=4, idempotency_key="u1")
        undo_last(table=played, expected_version=5, idempotency_key="u2")
        expected = {0: 1, 1: -1, 2: 1, 3: -1}
    else:
        void_entry(table=played, seq=3, expected_version=4, idempotency_key="v")
        expected = {0: 1, 3: -1}
    played.refresh_from_db()

    assert (played.revision, played.options) == (old, {"mode": "single"})
    assert totals(played) == expected
    assert set(Content.objects.filter(entry__table=played, entry__kind="round").current().values_list("revision", flat=True)) == {old.pk}
    assert discrepancies(played) == []


def test_other_seats_or_unknown_options_are_refused(played):
    two = publish("two_player", (settings.BASE_DIR / "rules_app/definitions/two_player.yaml").read_text())
    with pytest.raises(NotAllowed) as refusal:
        move(played, revision=two, options={})
    assert refusal.value.code == "other_seats"

    with pytest.raises(Refusal):
        move(played, revision=played.revision, options={"nonsense": 1})
    with pytest.raises(NotAllowed) as refusal:
        move(played, revision=played.revision)
    assert refusal.value.code == "nothing_changed"


def test_a_move_cannot_be_corrected_only_voided(played, dearer):
    move(played, revision=dearer)
    with pytest.raises(NotAllowed) as refusal:
        correct_entry(table=played, seq=3, payload={"options": {}}, expected_version=3, idempotency_key="c")
    assert refusal.value.code == "not_correctable"
