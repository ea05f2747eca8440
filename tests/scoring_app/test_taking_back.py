"""A drawing of seats is taken back at all its tables at once, and never at one alone (G17)."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from scoring_app.errors import SessionError
from scoring_app.ledger import (
    NotAllowed,
    begin_round,
    correct_entry,
    preview_correction,
    record_round,
    table_overview,
    undo_last,
    void_entry,
)
from scoring_app.models import Content, Entry, SeatDraw, Session
from scoring_app.sessions import StaleRotation, open_session, preview_seating, seat_players, undo_seating
from scoring_app.sessions.clock import rounds_by_table
from tests.factories import UserFactory
from tests.scoring_app.evenings import people, place
from tests.scoring_app.rounds import discard_win, discrepancies, payload

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(revision) -> Session:
    """Two tables and one who rests; a round each, so that somebody else deals."""
    session = open_session(revision=revision, options={"mode": "single"}, title="周五")
    people(session, "甲乙丙丁戊己庚辛壬")
    seat_players(session=session, seed="first")
    for table in session.tables.all():
        record_round(payload=payload(discard_win(2, payer=1)), **place(table))
    session.refresh_from_db()
    return session


def sitting(session: Session) -> dict[int | None, Any]:
    """Who sits where, and what each table begins its next round with."""
    found = {}
    for table in session.tables.order_by("number"):
        overview = table_overview(table)
        names = [seat.participant.name if seat.participant else None for seat in overview.seats]
        found[table.number] = (names, overview.situation, [seat.total for seat in overview.seats])
    return found


@pytest.mark.parametrize("method", ["lot", "shift", "movement"])
def test_everybody_sits_again_as_before(session, method):
    before = sitting(session)
    seat_players(session=session, method=method, seed="second")
    assert sitting(session) != before

    draw = undo_seating(session=session, expected_rotation=2)

    assert sitting(session) == before
    session.refresh_from_db()
    assert (draw.method, draw.rotation, session.rotation) == ("undo", 3, 3)
    assert draw.seating["resting"] == SeatDraw.objects.get(session=session, rotation=1).seating["resting"]
    for table in session.tables.all():
        assert discrepancies(table) == []
        assert rounds_by_table([table]) == {table.pk: 1}


def test_after_the_undo_the_same_drawing_comes_out_again(session):
    first = seat_players(session=session, seed="second")
    undo_seating(session=session)

    assert preview_seating(session, seed="second").as_json() == first.seating
    assert seat_players(session=session, seed="second").rotation == 4
    assert [draw.method for draw in SeatDraw.objects.filter(session=session)] == ["lot", "lot", "undo", "lot"]


def test_undo_again_goes_further_back(session):
    before = sitting(session)
    seat_players(session=session, method="shift")
    between = sitting(session)
    seat_players(session=session, method="movement")

    undo_seating(session=session)
    assert sitting(session) == between
    undo_seating(session=session)
    assert sitting(session) == before
    with pytest.raises(SessionError) as refused:  # the first drawing opened the tables, and they have been played at
        undo_seating(session=session)
    assert refused.value.code == "played_since"


def test_a_table_that_was_opened_by_mistake_goes_away(revision):
    session = open_session(revision=revision, options={"mode": "single"})
    people(session, "甲乙丙丁戊己庚辛")
    seat_players(session=session, seed="first")
    assert session.tables.count() == 2

    undo_seating(session=session)

    assert session.tables.count() == 0
    with pytest.raises(SessionError) as refused:
        undo_seating(session=session)
    assert refused.value.code == "nothing_to_undo"
    seat_players(session=session, seed="again")
    assert [table.number for table in session.tables.order_by("number")] == [1, 2]


def test_what_was_written_since_stands_in_the_way(session):
    seat_players(session=session, method="shift")
    table = session.tables.get(number=2)
    record_round(payload=payload(discard_win(0, payer=1)), **place(table))
    count = Entry.objects.count()

    with pytest.raises(SessionError, match="table 2") as refused:
        undo_seating(session=session)

    assert refused.value.code == "played_since"
    assert Entry.objects.count() == count
    undo_last(**place(table))
    undo_seating(session=session)


def test_a_round_in_progress_and_a_late_click_stand_in_the_way(session):
    seat_players(session=session, method="shift")
    table = session.tables.get(number=1)
    begin_round(table=table, expected_version=table.version)
    with pytest.raises(SessionError) as refused:
        undo_seating(session=session)
    assert refused.value.code == "round_open"
    with pytest.raises(StaleRotation):
        undo_seating(session=session, expected_rotation=1)


def test_at_one_table_it_is_neither_undone_nor_voided_nor_brought_back(session):
    seat_players(session=session, method="shift")
    table = session.tables.get(number=1)
    for act in (
        lambda: undo_last(**place(table)),
        lambda: void_entry(seq=2, **place(table)),
        lambda: preview_correction(table=table, seq=2),
        lambda: correct_entry(seq=2, payload={"seats": [0, 1, 2, None]}, **place(table)),
    ):
        with pytest.raises(NotAllowed) as refused:
            act()
        assert refused.value.code == "part_of_rotation"
    undo_seating(session=session)
    with pytest.raises(NotAllowed) as refused:
        correct_entry(seq=2, payload=Content.objects.get(entry__table=table, entry__seq=2, version=1).payload, **place(table))
    assert refused.value.code == "part_of_rotation"


def test_who_of_them_sits_where_can_still_be_corrected_at_the_table(session):
    seat_players(session=session, method="shift")
    table = session.tables.get(number=1)
    seats = Content.objects.get(entry__table=table, entry__seq=2, version=1).payload["seats"]
    correct_entry(seq=2, payload={"seats": [seats[1], seats[0], *seats[2:]]}, **place(table))

    assert list(table_overview(table).situation.seats) == [seats[1], seats[0], *seats[2:]]
    assert discrepancies(table) == []


def test_a_key_that_only_looks_like_one_is_no_drawing(table):
    record_round(table=table, payload=payload(discard_win(2, payer=1)), expected_version=0, idempotency_key="rotation-1")
    table.refresh_from_db()

    assert undo_last(**place(table)).entry.kind == "void"


def test_the_pages_lead_to_the_session(client, session):
    seat_players(session=session, method="shift")
    table = session.tables.get(number=1)
    at = [table.public_id, table.scorer_token]
    shown = client.get(reverse("scoring:table", args=at)).content.decode()
    detail = client.get(reverse("scoring:entry", args=[*at, 2])).content.decode()

    assert "undo-form" not in shown
    assert "全场排座" in shown
    assert reverse("clubs:session_seats", args=[session.public_id]) in detail
    assert reverse("scoring:void", args=[*at, 2]) not in detail


def test_the_organiser_takes_it_back(client, session):
    before = sitting(session)
    seat_players(session=session, method="shift")
    session.created_by = UserFactory.create()
    session.save(update_fields=["created_by"])
    client.force_login(session.created_by)
    url = reverse("clubs:session_seats", args=[session.public_id])
    assert "撤回上次排座" in client.get(url).content.decode()

    late = client.post(url, {"go": "undo", "rotation": "1"})
    done = client.post(url, {"go": "undo", "rotation": "2"})

    assert (late.status_code, done.status_code) == (409, 303)
    assert sitting(session) == before
