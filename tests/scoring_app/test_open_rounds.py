"""A round in progress."""

from __future__ import annotations

import pytest

from rules_app.engine.errors import Refusal
from scoring_app.ledger import (
    NotAllowed,
    StaleDraft,
    StaleVersion,
    add_event,
    begin_round,
    close_round,
    close_table,
    discard_round,
    open_round_of,
    preview_open_round,
    record_note,
    record_round,
    remove_event,
    replace_event,
    set_round,
    table_overview,
)
from scoring_app.models import Entry
from tests.scoring_app.rounds import discard_win, kong, payload, self_draw

pytestmark = pytest.mark.django_db


def test_events_are_added_as_they_happen_and_closed_into_an_entry(table):
    draft = add_event(table=table, event=kong(0), draft_version=0)
    running = preview_open_round(table)
    draft = add_event(table=table, event=self_draw(3), draft_version=draft.version)
    recorded = close_round(table=table, draft_version=draft.version, expected_version=0, idempotency_key="a")

    assert running is not None
    assert running.payments == {0: 6, 1: -2, 2: -2, 3: -2}
    assert not running.ended
    assert recorded.content.payload == payload(kong(0), self_draw(3))
    assert open_round_of(table) is None
    assert table_overview(table).rounds == 1


def test_closing_again_with_the_same_key_gives_the_first_answer(table):
    draft = add_event(table=table, event=self_draw(3), draft_version=0)
    first = close_round(table=table, draft_version=draft.version, expected_version=0, idempotency_key="a")
    again = close_round(table=table, draft_version=draft.version, expected_version=0, idempotency_key="a")

    assert again.repeated
    assert again.entry == first.entry


def test_round_that_goes_on_is_closed_only_when_said_so(table):
    draft = add_event(table=table, event=kong(0), draft_version=0)

    with pytest.raises(NotAllowed, match="not ended"):
        close_round(table=table, draft_version=draft.version, expected_version=0, idempotency_key="a")
    assert open_round_of(table) is not None
    close_round(table=table, draft_version=draft.version, expected_version=0, idempotency_key="a", unfinished=True)
    assert Entry.objects.count() == 1


def test_refused_event_is_not_added(table):
    draft = add_event(table=table, event=self_draw(3), draft_version=0)

    with pytest.raises(Refusal):
        add_event(table=table, event=self_draw(3), draft_version=draft.version)
    kept = open_round_of(table)
    assert kept is not None
    assert kept.events == [self_draw(3)]


def test_same_key_adds_an_event_once(table):
    add_event(table=table, event=kong(0), draft_version=0, key="k")
    draft = add_event(table=table, event=kong(0), draft_version=0, key="k")

    assert draft.events == [kong(0)]


def test_second_phone_is_told_what_the_first_one_did(table):
    draft = add_event(table=table, event=kong(0), draft_version=0)

    with pytest.raises(StaleDraft) as caught:
        add_event(table=table, event=kong(1, "6p"), draft_version=0)
    assert caught.value.draft == draft
    assert caught.value.as_json("en")["error"]["draft_version"] == draft.version


def test_events_can_be_replaced_and_taken_back(table):
    draft = add_event(table=table, event=kong(0), draft_version=0)
    draft = add_event(table=table, event=kong(1, "6p"), draft_version=draft.version)
    draft = replace_event(table=table, index=0, event=kong(2), draft_version=draft.version)
    draft = remove_event(table=table, index=1, draft_version=draft.version)

    assert draft.events == [kong(2)]
    with pytest.raises(NotAllowed, match="no such event"):
        remove_event(table=table, index=1, draft_version=draft.version)


def test_every_change_is_seen_by_pages_that_poll(table):
    draft = begin_round(table=table, expected_version=0)
    table.refresh_from_db()
    seen = table.changes
    set_round(table=table, table_override={"dealer": 2}, draft_version=draft.version)

    table.refresh_from_db()
    assert table.changes == seen + 1
    assert table.version == 0
    preview = preview_open_round(table)
    assert preview is not None
    assert preview.before.dealer == 2


def test_begin_round_needs_the_current_version_and_returns_the_open_one(table):
    record_note(table=table, text="x", expected_version=0, idempotency_key="a")

    with pytest.raises(StaleVersion):
        begin_round(table=table, expected_version=0)
    draft = begin_round(table=table, expected_version=1)
    assert begin_round(table=table, expected_version=0) == draft


def test_no_round_overtakes_the_one_in_progress(table):
    draft = add_event(table=table, event=kong(0), draft_version=0)

    with pytest.raises(NotAllowed) as caught:
        record_round(table=table, payload=payload(discard_win(1, payer=0)), expected_version=0, idempotency_key="a")
    assert caught.value.code == "round_open"
    discard_round(table=table, draft_version=draft.version)
    record_round(table=table, payload=payload(discard_win(1, payer=0)), expected_version=0, idempotency_key="a")


def test_closing_the_table_drops_the_round_in_progress(table):
    add_event(table=table, event=kong(0), draft_version=0)
    close_table(table=table, expected_version=0, idempotency_key="a")

    assert open_round_of(table) is None
