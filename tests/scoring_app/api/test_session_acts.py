"""All that can be done in a session: by accounts, by the organiser's link, by a device that was let in."""

from __future__ import annotations

from typing import Any

import pytest

from scoring_app.models import ExtraTime, Session
from scoring_app.sessions import issue_grant
from tests.scoring_app.api.world import World, make_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(revision) -> World:
    return make_world(revision)


def call(world: World, who: str, method: str, rest: str, body: Any = None, status: int = 200, **more: Any) -> Any:
    """As somebody, at the session of the world."""
    return world.ask(who, method, f"sessions/{world.session.public_id}/{rest}", body, status, **more)


def test_a_session_is_changed_and_says_its_links(world):
    changed = call(world, "referee", "PATCH", "", {"title": "周六", "length_kind": "rounds", "length": 8, "confirmation": "device"})
    wrong = call(world, "referee", "PATCH", "", {"length_kind": "rounds", "length": 0}, 422)
    links = call(world, "referee", "GET", "links/")
    renewed = call(world, "referee", "POST", "code/", {"minutes": 5}, 201)

    assert (changed["title"], changed["length"], changed["confirmation"]) == ("周六", 8, "device")
    assert wrong["error"]["path"] == "length"
    assert links["host_link"].endswith(f"/{world.session.host_token}/")
    assert (links["code"], links["code_open"]) == (world.session.join_code, True)
    assert renewed["code"] != links["code"]
    assert renewed["code"] in renewed["join_link"]
    assert world.call("viewer", "GET", f"/api/v1/join/{links['code']}/").status_code == 404


def test_joining_by_the_code_twice_is_joining_once(world):
    path = f"/api/v1/join/{world.session.join_code}/"
    about = world.call("stranger", "GET", path).json()
    first = world.call("stranger", "POST", path, {"name": "庚"})
    retried = world.call("stranger", "POST", path, {"name": "庚"})
    taken = world.call("stranger", "POST", path, {"name": "甲"})
    place = call(world, "stranger", "GET", "me/")

    assert about["session"] == world.session.public_id
    assert (first.status_code, retried.status_code, taken.status_code) == (201, 201, 422)
    assert first.json() == retried.json()
    assert (place["number"], place["table"]) == (first.json()["number"], None)
    assert world.session.players.filter(name="庚").count() == 1
    call(world, "stranger", "GET", "", status=404)


def test_a_member_who_joins_is_the_member_and_sees_his_seat(world):
    joined = world.call("scorer", "POST", f"/api/v1/join/{world.session.join_code}/", {}).json()
    seated = {"seat": 2, "player": joined["number"], "expected_version": 1}
    assert world.call("referee", "POST", f"/api/v1/tables/{world.table.public_id}/substitute/", seated).status_code == 201
    place = call(world, "scorer", "GET", "me/")

    assert joined["member"] == world.club.members.get(name="scorer").public_id
    assert (place["table"], place["seat"], place["watch_token"]) == (world.table.public_id, 2, world.table.watch_token)


def test_players_are_renamed_linked_leave_and_return(world):
    keeper = world.keeper.public_id
    renamed = call(world, "scorer", "PATCH", "players/5/", {"name": "辛"})
    linked = call(world, "referee", "PATCH", "players/5/", {"member": keeper})
    call(world, "scorer", "PATCH", "players/5/", {"member": None}, 403)
    call(world, "referee", "PATCH", "players/5/", {"member": "nobody"}, 404)
    left = call(world, "scorer", "POST", "players/5/leave/", {})
    back = call(world, "scorer", "POST", "players/5/return/", {})

    assert (renamed["name"], linked["member"]) == ("辛", keeper)
    assert (left["left"], back["left"]) == (True, False)


def test_a_draw_is_seen_first_and_drawn_once(world):
    seen = call(world, "referee", "GET", "seating/?seed=abc&method=lot")
    call(world, "referee", "GET", "seating/?method=magic", status=400)
    drawn = call(world, "referee", "POST", "seating/", {"seed": "abc", "method": "lot", "expected_rotation": seen["rotation"]}, 201)
    late = call(world, "referee", "POST", "seating/", {"expected_rotation": seen["rotation"]}, 409)

    assert drawn["seating"] == seen["seating"]
    assert late["error"]["code"] == "stale_rotation"


def test_a_drawing_is_taken_back_as_a_whole(world):
    before = world.ask("viewer", "GET", f"tables/{world.table.public_id}/")["situation"]["seats"]
    drawn = call(world, "referee", "POST", "seating/", {"seed": "other"}, 201)
    alone = world.ask("referee", "POST", f"tables/{world.table.public_id}/undo/", {"expected_version": 2}, 422)
    back = call(world, "referee", "POST", "seating/undo/", {"expected_rotation": drawn["rotation"]}, key="k")
    again = call(world, "referee", "POST", "seating/undo/", {"expected_rotation": drawn["rotation"]}, key="k")

    assert alone["error"]["code"] == "part_of_rotation"
    assert back["rotation"] == drawn["rotation"] + 1
    assert again == back
    assert world.ask("viewer", "GET", f"tables/{world.table.public_id}/")["situation"]["seats"] == before


def test_a_table_has_a_length_and_start_points_of_its_own(world):
    for name in ("A", "B", "C", "D"):
        call(world, "scorer", "POST", "players/", {"name": name}, 201)
    body = {"players": [6, 7, 8, 9], "start_points": 100, "length_kind": "rounds", "length": 4, "options": {}}
    opened = call(world, "scorer", "POST", "tables/", body, 201)
    table = world.session.tables.get(public_id=opened["id"])

    assert [seat["total"] for seat in opened["seats"]] == [100] * 4
    assert (table.length_kind, table.length, table.options) == ("rounds", 4, {})


def test_fees_are_charged_once_and_a_session_goes_on(world):
    charged = call(world, "referee", "POST", "fees/", {"amount": 5}, 201)
    again = call(world, "referee", "POST", "fees/", {"amount": 5}, 201)
    ended = call(world, "referee", "POST", "end/", {"text": "停电"})
    reopened = call(world, "referee", "POST", "reopen/", {})

    assert ([one["table"] for one in charged], again) == ([world.table.public_id], [])
    assert (ended["status"], reopened["status"]) == ("ended", "running")
    assert world.table.entries.latest("seq").contents.get().payload["text"] == "停电"


def test_extra_time_is_given_once_however_often_it_is_sent(world):
    path = f"tables/{world.table.public_id}/extra-time/"
    first = call(world, "referee", "POST", path, {"seconds": 300}, 201, key="k")
    again = call(world, "referee", "POST", path, {"seconds": 300}, 201, key="k")
    host = world.session.host_token
    for _ in range(2):
        call(world, "", "POST", path, {"seconds": 60, "expected_extra": 300}, 201, secret=host)
    late = call(world, "", "POST", path, {"seconds": 120, "expected_extra": 300}, 409, secret=host)

    assert again == first
    assert late["error"]["code"] == "stale_time"
    assert [one.seconds for one in ExtraTime.objects.order_by("pk")] == [300, 60]


def test_devices_of_a_session_are_renamed_and_taken_over(world):
    made = call(world, "referee", "POST", "devices/", {"role": "scorer", "label": "前台"}, 201)
    over = call(world, "referee", "POST", f"devices/{made['id']}/take-over/", {"label": "后台"}, 201)
    twice = call(world, "referee", "POST", f"devices/{made['id']}/take-over/", {}, 422)

    assert (made["table"], over["label"]) == (None, "后台")
    assert twice["error"]["code"] == "grant_ended"
    call(world, "", "GET", "", status=404, secret=made["token"])
    assert call(world, "", "GET", "", secret=over["token"])["id"] == world.session.public_id


def test_the_organisers_link_runs_a_session_and_the_hall_link_watches_it(world):
    host, hall = world.session.host_token, world.session.watch_token
    added = call(world, "", "POST", "players/", {"name": "壬"}, 201, secret=host)
    call(world, "", "POST", "players/", {"name": "癸"}, 403, secret=hall)
    call(world, "", "POST", "exports/", {"form": "json"}, 401, secret=host)
    watched = call(world, "", "GET", "", secret=hall)
    call(world, "", "GET", "links/", status=403, secret=hall)
    call(world, "", "GET", "", status=404, secret="nothing")

    assert added["name"] in [player["name"] for player in watched["players"]]


def test_a_device_of_a_session_does_what_a_scorer_does(world):
    token = issue_grant(session=world.session, role="scorer", label="一号").token
    call(world, "", "POST", "players/", {"name": "壬"}, 201, secret=token)
    call(world, "", "POST", "seating/", {}, 403, secret=token)
    call(world, "", "PATCH", "", {"title": "x"}, 403, secret=token)
    call(world, "", "GET", "devices/", status=403, secret=token)


def test_a_session_without_a_club_is_its_openers(world):
    opened = world.call("stranger", "POST", "/api/v1/sessions/", {"variant": "sichuan", "title": "家里", "options": {"mode": "single"}})
    session = Session.objects.get(public_id=opened.json()["id"])
    path = f"/api/v1/sessions/{session.public_id}/"

    assert opened.status_code == 201
    assert opened.json()["host_link"].endswith(f"/{session.host_token}/")
    assert world.call("stranger", "PATCH", path, {"table_fee": 3}).json()["table_fee"] == 3
    assert world.call("owner", "GET", path).status_code == 404
    assert world.call("", "PATCH", path, {"table_fee": 4}, secret=session.host_token).json()["table_fee"] == 4
    assert world.call("stranger", "POST", "/api/v1/sessions/", {}).status_code == 422


def test_penalties_are_listed_with_their_sum(world):
    lines = [{"from": 0, "to": 1, "amount": 3}, {"from": 0, "to": 2, "amount": 3}]
    body = {"kind": "penalty", "payload": {"lines": lines, "text": "诈和"}, "expected_version": 1}
    made = world.ask("referee", "POST", f"tables/{world.table.public_id}/entries/", body, 201)
    found = call(world, "viewer", "GET", "penalties/")

    (one,) = found["penalties"]
    assert (one["seq"], one["reason"], one["account"], one["voided"]) == (made["entry"]["seq"], "诈和", "referee", False)
    assert sorted(row["balance"] for row in one["payments"]) == [-6, 3, 3]
    assert sum(row["balance"] for row in found["totals"]) == 0


def test_what_was_paid_is_said_and_taken_back(world):
    for line in call(world, "scorer", "GET", "settlement/")["transfers"]:
        body = {"payer": line["payer"]["key"], "payee": line["payee"]["key"], "amount": line["amount"]}
        call(world, "scorer", "POST", "settlement/", body, 201)
    paid = call(world, "viewer", "GET", "settlement/")["paid"]
    newest = paid[0]
    void = f"/api/v1/tables/{newest['table']}/entries/{newest['seq']}/void/"

    assert world.call("scorer", "POST", void, {"expected_version": newest["version"]}).status_code == 201
    assert len(call(world, "viewer", "GET", "settlement/")["paid"]) == len(paid) - 1
