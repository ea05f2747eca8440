"""The forms and pages of a session: opening, seats, joining, the clock, the hall, devices, settling."""

from __future__ import annotations

import re
from datetime import datetime

import pytest
from django.test import Client
from django.utils import timezone

from rules_app.models import Revision
from scoring_app.clubs import edit_club
from scoring_app.ledger import answer_dispute, void_entry
from scoring_app.models import Club, DeviceGrant, Entry, ExtraTime, Session, Table
from scoring_app.sessions import (
    add_player,
    edit_session,
    end_session,
    give_extra_time,
    issue_grant,
    leave_session,
    open_balances,
    open_session,
    open_session_table,
    start_clock,
)
from tests.factories import publish
from tests.scoring_app.club_pages.conftest import Place

pytestmark = pytest.mark.django_db


def test_the_game_of_a_session_is_changed_by_its_form(place: Place):
    """G19, G20: tables that are open keep theirs, and the same game stays on its revision until it is asked to move."""
    client, url = place.client("referee"), f"/sessions/{place.session.public_id}/edit/"
    old = place.session.revision
    document = old.document.replace("slug: sichuan", "slug: plain", 1)
    other = publish("plain", document)
    newer = Revision.objects.create(
        ruleset=old.ruleset, number=old.number + 1, document=old.document, status="published", published_at=timezone.now()
    )
    fields = {"length_kind": "none", "start_points": "0", "table_fee": "0", "confirmation": "none"}

    def saved(**sent: str) -> Session:
        assert client.post(url, {**fields, **sent}).status_code == 303
        place.session.refresh_from_db()
        return place.session

    page = client.get(url).content.decode()
    assert '<option value="sichuan" selected>' in page
    assert f"revision {newer.number} in place of {old.number}" in page
    kept = saved(game="sichuan", options_of="sichuan", **{"o.mode": "blood_flow"})
    assert (kept.revision, kept.options) == (old, {"mode": "blood_flow"})
    assert saved(game="sichuan", options_of="plain").options == {"mode": "blood_flow"}
    assert saved(game="sichuan", options_of="sichuan", newest="1", **{"o.mode": "single"}).revision == newer
    assert 'name="options_of" value="plain"' in client.get(url, {"look": "1", "game": "plain", "options_of": "sichuan"}).content.decode()
    moved = saved(game="plain", options_of="sichuan", **{"o.mode": "single"})
    assert (moved.revision, moved.options) == (other, {})
    assert client.post(url, {**fields, "game": "nothing"}).status_code == 422

    place.table.refresh_from_db()
    assert place.table.revision == old


def test_a_session_without_a_club_is_organised_by_the_device_that_opened_it(place: Place):
    client = Client()
    where = client.post("/sessions/new/", {"game": "sichuan", "length_kind": "none"})["Location"]

    assert client.get(where).status_code == 200
    assert client.post(f"{where}players/", {"names": "A, B、C，D"}).status_code == 303
    assert client.get(f"{where}seats/").status_code == 200
    assert Client().get(where).status_code == 302


def test_seats_are_drawn_as_they_were_shown(place: Place):
    client, sid = place.client("referee"), place.session.public_id
    page = client.get(f"/sessions/{sid}/seats/", {"seed": "abc"}).content.decode()
    response = client.post(f"/sessions/{sid}/seats/", {"method": "lot", "seed": "abc", "rotation": "1"})
    draw = place.session.draws.get(rotation=2)
    names = {player.number: player.name for player in place.session.players.all()}
    seats = [names[number] for number in draw.seating["tables"][0]["seats"]]

    assert response.status_code == 303
    assert [page.index(f"<strong>{name}</strong>") for name in seats] == sorted(page.index(f"<strong>{name}</strong>") for name in seats)
    assert client.post(f"/sessions/{sid}/seats/", {"method": "lot", "seed": "abc", "rotation": "1"}).status_code == 409
    assert place.session.draws.count() == 2


def test_players_join_by_code_once_each_device(place: Place):
    phone = Client()
    code = place.session.join_code
    assert phone.get("/join/", {"code": code.upper()})["Location"] == f"/join/{code}/"
    assert phone.get("/join/", {"code": "nosuch"}).status_code == 422
    phone.get(f"/join/{code}/")
    assert phone.post(f"/join/{code}/", {"name": "甲木"}).status_code == 422
    assert phone.post(f"/join/{code}/", {"name": "Late"})["Location"] == f"/sessions/{place.session.public_id}/me/"
    phone.post(f"/join/{code}/", {"name": "Late"})

    assert place.session.players.filter(name="Late").count() == 1
    assert "Late" in phone.get(f"/sessions/{place.session.public_id}/me/").content.decode()
    assert Client().get(f"/sessions/{place.session.public_id}/me/").status_code == 404


def test_extra_time_is_given_to_one_table(place: Place):
    url = f"/sessions/{place.session.public_id}/tables/{place.table.public_id}/time/"
    start_clock(session=edit_session(session=place.session, length_kind="clock", length=60))
    Table.objects.update(length_kind="clock", length=60)
    client = place.client("referee")
    page = client.get(f"/sessions/{place.session.public_id}/").content.decode()
    had = re.findall(r'name="had" value="(-?\d+)"', page)
    sent = {"minutes": "5", "reason": "dispute", "had": had[0]}
    # A second tap, a lost answer: time is given once.
    assert [client.post(url, sent).status_code for _ in range(2)] == [303, 303]
    assert place.client("owner").post(url, {**sent, "minutes": "10"}).status_code == 409

    assert had == ["0"]
    assert [(extra.seconds, extra.reason) for extra in ExtraTime.objects.all()] == [(300, "dispute")]
    assert "+5 min extra" in client.get(f"/sessions/{place.session.public_id}/").content.decode()


def test_a_clock_that_no_table_follows_is_not_offered(place: Place):
    client, url = place.client("referee"), f"/sessions/{place.session.public_id}/"
    form = {"title": "", "game": "sichuan", "length_kind": "clock", "length": "60", "start_points": "0", "table_fee": "0"}
    assert 'name="open_tables"' in client.get(f"{url}edit/").content.decode()

    client.post(f"{url}edit/", form)
    assert 'value="start"' not in client.get(url).content.decode()
    client.post(f"{url}edit/", form | {"open_tables": "1"})
    assert 'value="start"' in client.get(url).content.decode()


def test_the_clock_takes_a_second_tap_for_the_same(place: Place):
    session = edit_session(session=place.session, length_kind="clock", length=60)
    client, url = place.client("referee"), f"/sessions/{session.public_id}/clock/"

    def tap(do: str) -> tuple[datetime | None, bool]:
        for _ in range(2):
            assert client.post(url, {"do": do}).status_code == 303
        session.refresh_from_db()
        return session.clock_started_at, session.clock_paused_at is not None

    started = tap("start")[0]
    assert started is not None
    assert tap("pause") == (started, True)
    assert tap("resume") == (started, False)
    assert tap("restart") == (started, False)  # only a clock that is paused is set back
    tap("pause")
    again, paused = tap("restart")
    assert again is not None
    assert again > started
    assert not paused


def test_a_device_is_let_in_renamed_taken_over_and_out(place: Place):
    owner, phone = place.client("owner"), Client()
    url = f"/sessions/{place.session.public_id}/devices/"
    key = owner.post(url, {"role": "scorer", "label": "Phone 1"}).context["link"]
    assert phone.post(key, {"label": "My phone"})["Location"] == f"/sessions/{place.session.public_id}/"
    assert phone.get(f"/sessions/{place.session.public_id}/").status_code == 200
    grant = DeviceGrant.objects.get(label="My phone")
    over = owner.post(f"{url}{grant.public_id}/", {"do": "over"}).context["link"]
    assert phone.get(f"/sessions/{place.session.public_id}/").status_code == 302
    assert phone.get(key).status_code == 404
    phone.post(over)
    assert phone.get(f"/sessions/{place.session.public_id}/").status_code == 200
    owner.post(f"{url}{DeviceGrant.objects.get(taken_over_from=grant).public_id}/", {"do": "revoke"})
    assert phone.get(f"/sessions/{place.session.public_id}/").status_code == 302


def test_a_payment_is_settled_once_and_taken_back(place: Place):
    """G23, G24."""
    client, sid = place.client("scorer"), place.session.public_id
    data = place.payment()
    before = open_balances(place.session).transfers
    first, again = (client.post(f"/sessions/{sid}/settle/pay/", data) for _ in range(2))
    entry = Entry.objects.get(kind="settlement")

    assert (first.status_code, again.status_code) == (303, 303)
    assert len(open_balances(place.session).transfers) == len(before) - 1
    undo = {"table": place.table.public_id, "seq": entry.seq, "version": entry.seq, "key": "undo"}
    assert client.post(f"/sessions/{sid}/settle/unpay/", undo).status_code == 303
    assert open_balances(place.session).transfers == before


def test_pages_that_poll_answer_nothing_while_nothing_changes(place: Place):
    """G4."""
    client, sid = place.client("owner"), place.session.public_id
    hall = f"/s/{sid}/{place.session.watch_token}/state/"
    version = client.get(f"/s/{sid}/{place.session.watch_token}/").context["version"]

    assert client.get(hall, {"v": version}).status_code == 204
    assert client.get(f"/sessions/{sid}/state/", {"v": version}).status_code == 204
    place.client("referee").post(f"/sessions/{sid}/tables/{place.table.public_id}/time/", {"minutes": "5"})
    assert client.get(hall, {"v": version}).status_code == 200


def test_the_language_of_a_club_is_that_of_its_new_tables_and_of_the_hall(place: Place):
    """Pages follow their reader; what nobody in particular reads follows the club."""
    edit_club(club=place.club, language="zh")
    players = [add_player(session=place.session, name=name) for name in "子丑寅卯"]
    assert open_session_table(session=place.session, players=players).language == "en"
    evening = open_session(club=Club.objects.get(pk=place.club.pk))
    hall = f"/s/{evening.public_id}/{evening.watch_token}/"
    english = Client(headers={"accept-language": "en"})

    page = english.get(hall)
    assert '<html lang="zh-hans"' in page.content.decode()
    assert "还没有排座" in page.content.decode()
    assert page["Content-Language"] == "zh-hans"
    english.cookies["django_language"] = "en"
    assert '<html lang="en"' in english.get(hall).content.decode()
    table = open_session_table(session=evening, players=[add_player(session=evening, name=name) for name in "甲乙丙丁"])
    assert table.language == "zh"
    assert "第 1 桌" in Client(headers={"accept-language": "en"}).get(f"{hall}state/").content.decode()


def test_the_hall_says_how_to_join_until_the_code_is_over(place: Place):
    evening = open_session(club=place.club)
    hall, phone = f"/s/{evening.public_id}/{evening.watch_token}/", Client()
    add_player(session=evening, name="Early")
    page = phone.get(hall).content.decode()
    assert f">{evening.join_code}<" in page
    assert 'class="qr"' in page
    assert "Early" in page
    end_session(session=evening)

    assert evening.join_code not in phone.get(hall).content.decode()


def test_the_table_fee_is_offered_until_it_is_charged(place: Place):
    edit_session(session=place.session, table_fee=3)
    client, url = place.client("referee"), f"/sessions/{place.session.public_id}/"
    assert "Charge the table fee: 3 each" in client.get(url).content.decode()
    assert "Charge the table fee" not in place.client("scorer").get(url).content.decode()
    client.post(f"{url}fees/")
    assert "Charge the table fee" not in client.get(url).content.decode()
    fee = Entry.objects.get(table=place.table, kind="fee")
    place.table.refresh_from_db()
    void_entry(table=place.table, seq=fee.seq, expected_version=place.table.version, idempotency_key="void")

    assert "Charge the table fee" in client.get(url).content.decode()


def test_a_bill_is_split_by_the_form(place: Place):
    """G22"""
    client, url = place.client("referee"), f"/sessions/{place.session.public_id}/fees/"
    assert "4 players were not charged yet" in client.get(url).content.decode()
    refused = client.post(url, {"amount": "ten", "of": "all"})
    assert refused.status_code == 422
    assert 'value="ten"' in refused.content.decode()

    assert client.post(url, {"amount": "10", "of": "all"}).status_code == 303

    lines = Entry.objects.get(table=place.table, kind="fee").contents.get().payload["lines"]
    assert sorted(line["amount"] for line in lines) == [2, 2, 3, 3]
    assert "At present nobody owes it" in client.get(url).content.decode()


def test_a_key_leads_in_under_the_name_of_its_device(place: Place):
    issued = issue_grant(session=place.session, role="scorer", label="Tablet of table two")
    page = Client(headers={"accept-language": "en"}).get(f"/devices/{issued.token}/").content.decode()

    assert 'value="Tablet of table two"' in page


def test_the_session_says_where_somebody_is_missing_and_what_table_is_bare(place: Place):
    answer_dispute(dispute=place.dispute, outcome="rejected")
    client, url = place.client("scorer"), f"/sessions/{place.session.public_id}/"
    assert "lacks a player" not in client.get(url).content.decode()
    seated = place.session.players.get(name=place.members[0].name)
    client.post(f"{url}players/{seated.number}/leave/")
    page = client.get(url).content.decode()
    assert "1 table lacks a player" in page
    assert "1 seat is empty" in page
    assert f'href="/t/{place.table.public_id}/{place.table.scorer_token}/seats/"' in page
    assert "1 seat is empty" in place.client("viewer").get(url).content.decode()
    assert place.table.scorer_token not in place.client("viewer").get(url).content.decode()

    for member in place.members[1:4]:
        leave_session(player=place.session.players.get(member=member))
    page = client.get(url).content.decode()
    assert "Nobody sits here." in page
    assert "lacks a player" not in page
    assert 'class="badge dealer"' not in page


def test_the_clock_for_all_is_not_that_of_the_table_with_extra_time(place: Place):
    start_clock(session=edit_session(session=place.session, length_kind="clock", length=60))
    players = [add_player(session=place.session, name=name) for name in "子丑寅卯"]
    open_session_table(session=place.session, players=players)
    Table.objects.update(length_kind="clock", length=60)
    give_extra_time(table=place.table, seconds=-1800)
    pages = [f"/sessions/{place.session.public_id}/", f"/s/{place.session.public_id}/{place.session.watch_token}/"]

    for url in pages:
        clocks = re.findall(r'class="clock[^>]*>([^<]+)<', place.client().get(url).content.decode())
        # The first is for everybody; the table that lost half an hour shows its own.
        assert clocks[0] in {"60:00", "59:59", "59:58", "59:57"}
        assert any(words.startswith(("29:", "30:")) for words in clocks[1:])


def test_one_more_table_is_for_those_who_sit_nowhere(place: Place):
    client, url = place.client("scorer"), f"/sessions/{place.session.public_id}/table/"
    page = client.get(url).content.decode()
    first = page[page.index('id="f-seat-0"') :]
    offered = re.findall(r'<option value="(\d+)"', first[: first.index("</select>")])
    free = [player.number for player in place.session.players.filter(name__in=[*(one.name for one in place.members[4:]), "Guest"])]
    assert [int(number) for number in offered] == free

    assert client.post(url, {"seat": offered, "game": "sichuan", "length_kind": "none"}).status_code == 303
    assert "Everybody who is here sits at a table already." in client.get(url).content.decode()
