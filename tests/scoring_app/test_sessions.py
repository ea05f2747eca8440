"""Sessions: joining, seats by lot, rotation, rests, substitutes, leavers (G16, G17, G18, G19)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from scoring_app.errors import SessionError
from scoring_app.ledger import begin_round, close_table, record_round, table_overview, undo_last
from scoring_app.models import Participant, SeatDraw, Session, SessionPlayer
from scoring_app.sessions import (
    Seating,
    add_player,
    edit_session,
    find_by_code,
    join_by_code,
    leave_session,
    next_to_rest,
    open_session,
    open_session_table,
    preview_seating,
    renew_join_code,
    return_to_session,
    rotate_rest,
    seat_players,
    session_access,
    session_overview,
    substitute,
)
from tests.factories import publish
from tests.scoring_app.rounds import discard_win, discrepancies, payload

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(revision) -> Session:
    return open_session(revision=revision, options={"mode": "single"}, title="周五")


def people(session, count):
    return [add_player(session=session, name=f"玩家{number}") for number in range(1, count + 1)]


def names_at(table):
    return [seat.participant.name if seat.participant else None for seat in table_overview(table).seats]


def write(table, **more):
    table.refresh_from_db()
    return {"table": table, "expected_version": table.version, "idempotency_key": f"k{table.version}", **more}


def test_players_join_by_a_code_that_does_not_last(session):
    first = join_by_code(code=f" {session.join_code.upper()} ", name="小王", device_id="phone")
    again = join_by_code(code=session.join_code, name="小王", device_id="phone")
    assert (again, first.number) == (first, 1)
    with pytest.raises(SessionError) as refusal:
        join_by_code(code=session.join_code, name="小王", device_id="other")
    assert refusal.value.code == "name_taken"

    old = session.join_code
    renew_join_code(session=session)
    with pytest.raises(Session.DoesNotExist):
        find_by_code(old)
    Session.objects.filter(pk=session.pk).update(join_code_expires=timezone.now() - timedelta(seconds=1))
    with pytest.raises(Session.DoesNotExist):
        find_by_code(session.join_code)


def test_secret_links_say_who_organises(session):
    assert session_access(session, session.host_token) == "host"
    assert session_access(session, session.watch_token) == "watch"
    assert session_access(session, "guess") is None


def test_seats_are_drawn_by_a_seed_that_draws_them_again(session):
    people(session, 9)

    draw = seat_players(session=session, seed="abc")

    session.refresh_from_db()
    tables = list(session.tables.order_by("number"))
    assert [table.number for table in tables] == [1, 2]
    assert (session.status, session.rotation, draw.seed) == ("running", 1, "abc")
    seating = Seating.from_json(draw.seating)
    assert sorted([*seating.seated, *seating.resting]) == list(range(1, 10))
    numbers = {player.number: player.name for player in session.players.all()}
    for table, line in zip(tables, seating.tables, strict=True):
        assert names_at(table) == [numbers[number] for number in line.seats]
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        SeatDraw.objects.filter(pk=draw.pk).update(seed="other")


def test_the_same_seed_gives_the_same_seats(session):
    people(session, 8)
    assert preview_seating(session, seed="abc") == preview_seating(session, seed="abc")
    assert preview_seating(session, seed="abc") != preview_seating(session, seed="abd")


@pytest.mark.parametrize("method", ["lot", "shift", "movement"])
def test_rotations_keep_everybody_and_let_those_who_rested_in(session, method):
    people(session, 9)
    first = Seating.from_json(seat_players(session=session, seed="a").seating)
    session.refresh_from_db()
    for table in session.tables.all():
        record_round(**write(table, payload=payload(discard_win(1, payer=0))))

    second = Seating.from_json(seat_players(session=session, method=method, seed="b").seating)

    assert sorted([*second.seated, *second.resting]) == list(range(1, 10))
    assert set(first.resting).isdisjoint(second.resting)
    for table in session.tables.all():
        overview = table_overview(table)
        assert (overview.situation.dealer, overview.situation.streak) == (0, 0)
        assert discrepancies(table) == []


def test_a_movement_sends_seats_to_other_tables(session):
    people(session, 8)
    first = Seating.from_json(seat_players(session=session, seed="a").seating)
    second = Seating.from_json(seat_players(session=session, method="movement", seed="b").seating)
    assert [table.seats[0] for table in second.tables] == [table.seats[0] for table in first.tables]
    assert second.tables[1].seats[1] == first.tables[0].seats[1]
    assert second.tables[0].seats[2] == first.tables[0].seats[2]


def test_nobody_is_reseated_during_a_round(session):
    people(session, 4)
    seat_players(session=session)
    table = session.tables.get()
    begin_round(table=table, expected_version=0)
    with pytest.raises(SessionError) as refusal:
        seat_players(session=session)
    assert refusal.value.code == "round_open"
    assert "1" in refusal.value.message.zh
    assert SeatDraw.objects.count() == 1


def test_a_draw_sent_twice_is_made_once(session):
    # G1
    people(session, 4)
    seat_players(session=session, expected_rotation=0)
    with pytest.raises(SessionError) as refusal:
        seat_players(session=session, expected_rotation=0)
    assert (refusal.value.code, refusal.value.status) == ("stale_rotation", 409)
    assert SeatDraw.objects.count() == 1


def test_too_few_players(session):
    people(session, 3)
    with pytest.raises(SessionError) as refusal:
        seat_players(session=session)
    assert refusal.value.code == "too_few"


def test_a_fifth_player_rests_in_turn(session):
    # G19
    five = people(session, 5)
    table = open_session_table(session=session, players=five[:4], resting=five[4:])
    turn = next_to_rest(table)
    assert turn is not None
    assert (turn.seat, turn.number, turn.name) == (0, 6, "玩家5")
    seen = []
    for number in range(6):
        record_round(**write(table, payload=payload(discard_win(number % 4, payer=(number + 1) % 4))))
        table.refresh_from_db()
        rotate_rest(table=table, expected_version=table.version, idempotency_key=f"rest{number}")
        seen += [view.participant.name for view in table_overview(table).others if view.participant and view.participant.kind == "player"]
    assert seen[:5] == ["玩家1", "玩家2", "玩家3", "玩家4", "玩家5"]
    assert discrepancies(table) == []


def test_who_rests_beside_the_only_table_comes_in_by_turn(session):
    # G19: seats drawn for one table, and a late comer by the code; both take their turns without further ado.
    people(session, 5)
    seat_players(session=session)
    table = session.tables.get()
    late = add_player(session=session, name="晚到")
    first = session.draws.get().seating["resting"][0]
    names = {player.number: player.name for player in session.players.all()}

    came = []
    for number in range(12):
        record_round(**write(table, payload=payload(discard_win(number % 4, payer=(number + 1) % 4))))
        turn = next_to_rest(table)
        assert turn is not None
        came.append(turn.name)
        table.refresh_from_db()
        rotate_rest(table=table, expected_version=table.version, idempotency_key=f"rest{number}")
    assert came[:2] == [names[first], late.name]
    # Whoever rests comes back in the order of going: in twelve turns each of six comes in twice.
    assert sorted(came) == sorted([player.name for player in session.players.all()] * 2)
    assert discrepancies(table) == []

    open_session_table(session=session, players=[add_player(session=session, name=name) for name in "子丑寅卯"])
    stranger = add_player(session=session, name="路人")
    turn = next_to_rest(table)
    assert turn is not None
    assert turn.name != stranger.name  # with two tables nobody knows where he will play


def test_after_tables_have_changed_nobody_rests_where_he_only_was_before(session):
    # G19: nine people at two tables, moved on twice; the ninth rests from the session, whoever he is.
    people(session, 9)
    seat_players(session=session)
    for _ in range(3):
        seat_players(session=session, method="movement")
        overview = session_overview(session)
        seated = {seat.participant.player_id for line in overview.tables for seat in line.seats if seat.participant}
        assert len(seated) == 8
        assert [player.pk for player in overview.resting] == [player.pk for player in overview.players if player.pk not in seated]
        at_tables = [one.player_id for line in overview.tables for one in line.resting]
        assert set(at_tables) <= {player.pk for player in overview.resting}
        for line in overview.tables:
            turn = next_to_rest(line.table)
            assert turn is None or turn.name == overview.resting[0].name


def test_a_table_that_nobody_sits_at_waits_for_enough_players(session):
    # Nine, then two go home: one table and three who rest; two come back, and the second table is used again.
    nine = people(session, 9)
    seat_players(session=session)
    for player in nine[:2]:
        leave_session(player=player)
    seat_players(session=session)
    bare = session.tables.get(number=2)
    assert [seat.participant for seat in session_overview(session).tables[1].seats] == [None] * 4
    written = bare.entries.count()

    for method in ("movement", "shift", "lot"):
        draw = seat_players(session=session, method=method)
        assert [table["number"] for table in draw.seating["tables"]] == [1]
        assert len(draw.seating["resting"]) == 3
    assert bare.entries.count() == written
    turn = next_to_rest(session.tables.get(number=1))
    assert turn is not None
    for player in nine[:2]:
        return_to_session(player=player)
    draw = seat_players(session=session)
    assert [table["number"] for table in draw.seating["tables"]] == [1, 2]
    assert all(discrepancies(table) == [] for table in session.tables.all())


def test_tables_that_are_open_take_a_new_length_when_asked(session):
    eight = people(session, 8)
    one, other = (open_session_table(session=session, players=four) for four in (eight[:4], eight[4:]))
    close_table(table=other, expected_version=other.version, idempotency_key="c")

    edit_session(session=session, length_kind="clock", length=90)
    assert {*session.tables.values_list("length_kind", "length")} == {("none", 0)}
    edit_session(session=session, open_tables=True)

    one.refresh_from_db()
    other.refresh_from_db()
    assert (one.length_kind, one.length) == ("clock", 90)
    assert other.length_kind == "none"


def test_each_table_may_have_rules_and_length_of_its_own(session):
    # G19
    two = publish("two_player", (settings.BASE_DIR / "rules_app/definitions/two_player.yaml").read_text())
    one, other = people(session, 2)
    edit_session(session=session, length_kind="clock", length=90)
    session.refresh_from_db()

    table = open_session_table(session=session, players=[one, other], revision=two, start_points=100, length_kind="rounds", length=8)

    assert (table.revision, table.seats, table.start_points, table.length_kind, table.length) == (two, 2, 100, "rounds", 8)
    with pytest.raises(SessionError) as refusal:
        open_session_table(session=session, players=[one, other], revision=two)
    assert refusal.value.code == "seated_elsewhere"


def test_a_substitute_comes_and_goes_and_each_gets_what_he_played(session):
    # G17, G18
    five = people(session, 5)
    table = open_session_table(session=session, players=five[:4])
    record_round(**write(table, payload=payload(discard_win(0, payer=1))))

    substitute(seat=0, player=five[4], **write(table))
    assert names_at(table)[0] == "玩家5"
    record_round(**write(table, payload=payload(discard_win(0, payer=1))))
    substitute(seat=0, player=five[0], **write(table))

    totals = {
        view.participant.name: view.total for view in (*table_overview(table).seats, *table_overview(table).others) if view.participant
    }
    assert (totals["玩家1"], totals["玩家5"], totals["玩家2"]) == (1, 1, -2)
    assert Participant.objects.filter(player=five[4]).count() == 1
    undo_last(**write(table))
    assert names_at(table)[0] == "玩家5"
    assert discrepancies(table) == []


def test_who_sits_at_the_table_exchanges_seats(session):
    four = people(session, 4)
    table = open_session_table(session=session, players=four)
    substitute(seat=0, player=four[2], **write(table))
    assert names_at(table) == ["玩家3", "玩家2", "玩家1", "玩家4"]


def test_nobody_sits_at_two_tables(session):
    eight = people(session, 8)
    open_session_table(session=session, players=eight[:4])
    table = open_session_table(session=session, players=eight[4:])
    with pytest.raises(SessionError) as refusal:
        substitute(seat=0, player=eight[0], **write(table))
    assert refusal.value.code == "seated_elsewhere"


def test_a_leaver_frees_his_seat_and_may_return(session):
    four = people(session, 4)
    table = open_session_table(session=session, players=four)
    leave_session(player=four[1])
    assert names_at(table) == ["玩家1", None, "玩家3", "玩家4"]
    assert SessionPlayer.objects.get(pk=four[1].pk).left_at is not None
    late = add_player(session=session, name="迟到")
    substitute(seat=1, player=late, **write(table))
    record_round(**write(table, payload=payload(discard_win(1, payer=2))))
    return_to_session(player=four[1])
    assert names_at(table)[1] == "迟到"
    assert discrepancies(table) == []
