"""One table for the whole API: who may call what.  A route that is not in it fails the test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction
from django.urls import URLPattern, URLResolver, get_resolver

from tests.scoring_app.api.world import ROLES, World, make_world

pytestmark = pytest.mark.django_db

OWNER = {"owner"}
OFFICIALS = {"owner", "referee"}
WRITERS = {"owner", "referee", "scorer"}
KEEPERS = {"owner", "rule_keeper"}
MEMBERS = set(ROLES)
ACCOUNTS = {*ROLES, "stranger"}


@dataclass(frozen=True)
class Row:
    """``may`` get ``status``; members who may not 403; strangers 404; nobody 401."""

    method: str
    route: str
    may: set[str]
    status: int = 200
    body: Any = None
    stranger: int = 404


PUBLIC = {
    # Open to everybody, or by the secret of a table; their tests stand with them.
    "variants/", "variants/<slug:slug>/", "variants/<slug:slug>/score/", "variants/<slug:slug>/waits/", "search/",
    "tables/",
}  # fmt: skip

NO_ONE_SITS = {"seat": 0, "player": None, "expected_version": 1}
EMPTY = {"payload": {"round": {"events": []}}, "expected_version": 1}

ROWS = [
    Row("GET", "me/", ACCOUNTS),
    Row("GET", "clubs/", ACCOUNTS),
    Row("POST", "clubs/", ACCOUNTS, 201, {"name": "新会"}),
    Row("GET", "clubs/<slug:slug>/", MEMBERS),
    Row("PATCH", "clubs/<slug:slug>/", OWNER, body={"table_fee": 3}),
    Row("GET", "clubs/<slug:slug>/members/", MEMBERS),
    Row("POST", "clubs/<slug:slug>/members/", OFFICIALS, 201, {"name": "新人"}),
    Row("GET", "clubs/<slug:slug>/members/<str:member>/", MEMBERS),
    Row("PATCH", "clubs/<slug:slug>/members/<str:member>/", OFFICIALS, body={"name": "甲甲"}),
    Row("POST", "clubs/<slug:slug>/members/<str:member>/roles/", OWNER, 201, {"role": "scorer"}),
    Row("DELETE", "clubs/<slug:slug>/members/<str:member>/roles/<str:role>/", OWNER),
    Row("GET", "clubs/<slug:slug>/invitations/", OFFICIALS),
    Row("POST", "clubs/<slug:slug>/invitations/", OFFICIALS, 201, {"days": 7}),
    Row("POST", "clubs/<slug:slug>/invitations/", OWNER, 201, {"role": "referee"}),
    Row("DELETE", "clubs/<slug:slug>/invitations/<int:invitation>/", OFFICIALS),
    Row("GET", "clubs/<slug:slug>/rulesets/", MEMBERS),
    Row("POST", "clubs/<slug:slug>/rulesets/", KEEPERS, 422, {"ruleset": "nobodys"}),
    Row("GET", "clubs/<slug:slug>/rulesets/<slug:ruleset>/", MEMBERS),
    Row("PATCH", "clubs/<slug:slug>/rulesets/<slug:ruleset>/", KEEPERS, body={"editors": []}),
    Row("POST", "clubs/<slug:slug>/rulesets/<slug:game>/fork/", KEEPERS, 201, {"slug": "house_rules"}),
    Row("GET", "clubs/<slug:slug>/seasons/<str:season>/", MEMBERS),
    Row("PATCH", "clubs/<slug:slug>/seasons/<str:season>/", OWNER, body={"ends": "2026-12-31"}),
    Row("GET", "clubs/<slug:slug>/seasons/", MEMBERS),
    Row("POST", "clubs/<slug:slug>/seasons/", OWNER, 201, {"name": "2027", "starts": "2027-01-01"}),
    Row("GET", "clubs/<slug:slug>/statistics/", MEMBERS),
    Row("POST", "clubs/<slug:slug>/exports/", OFFICIALS, 202, {"form": "csv"}),
    Row("GET", "clubs/<slug:slug>/sessions/", MEMBERS),
    Row("POST", "clubs/<slug:slug>/sessions/", OFFICIALS, 201, {"title": "周六"}),
    Row("GET", "sessions/<str:public_id>/", MEMBERS),
    Row("GET", "sessions/<str:public_id>/players/", MEMBERS),
    Row("POST", "sessions/<str:public_id>/players/", OFFICIALS, 201, {"name": "己"}),
    Row("POST", "sessions/<str:public_id>/players/<int:number>/leave/", OFFICIALS, body={}),
    Row("POST", "sessions/<str:public_id>/seating/", OFFICIALS, 201, {"method": "lot"}),
    Row("GET", "sessions/<str:public_id>/tables/", MEMBERS),
    Row("POST", "sessions/<str:public_id>/tables/", WRITERS, 422, {"players": [1, 2, 3, 4]}),
    Row("POST", "sessions/<str:public_id>/tables/<str:table>/substitute/", WRITERS, 201, NO_ONE_SITS),
    Row("GET", "sessions/<str:public_id>/clock/", MEMBERS),
    Row("POST", "sessions/<str:public_id>/clock/", OFFICIALS, body={"do": "start"}),
    Row("GET", "sessions/<str:public_id>/tables/<str:table>/extra-time/", MEMBERS),
    Row("POST", "sessions/<str:public_id>/tables/<str:table>/extra-time/", OFFICIALS, 201, {"seconds": 300}),
    Row("GET", "sessions/<str:public_id>/tables/<str:table>/marks/", MEMBERS),
    Row("POST", "sessions/<str:public_id>/tables/<str:table>/entries/<int:seq>/confirm/", WRITERS, 201, {"version": 1}),
    Row("POST", "sessions/<str:public_id>/tables/<str:table>/entries/<int:seq>/disputes/", MEMBERS, 201, {"text": "x"}),
    Row("POST", "sessions/<str:public_id>/tables/<str:table>/disputes/<int:dispute>/answer/", OFFICIALS, 201, {"outcome": "upheld"}),
    Row("POST", "sessions/<str:public_id>/end/", OFFICIALS, body={}),
    Row("GET", "sessions/<str:public_id>/settlement/", MEMBERS),
    Row("POST", "sessions/<str:public_id>/settlement/", WRITERS, 422, {"payer": "player-0", "payee": "player-0", "amount": 1}),
    Row("GET", "sessions/<str:public_id>/statistics/", MEMBERS),
    Row("GET", "sessions/<str:public_id>/devices/", OFFICIALS),
    Row("POST", "sessions/<str:public_id>/devices/", OFFICIALS, 201, {"role": "viewer"}),
    Row("PATCH", "sessions/<str:public_id>/devices/<str:grant>/", OFFICIALS, body={"label": "一号"}),
    Row("DELETE", "sessions/<str:public_id>/devices/<str:grant>/", OFFICIALS),
    Row("POST", "sessions/<str:public_id>/exports/", MEMBERS, 202, {"form": "json"}),
    # A job is its owner's alone, whatever the roles.
    Row("GET", "jobs/<str:job>/", OWNER),
    Row("GET", "jobs/<str:job>/file/", OWNER),
    # Tables, by the token of an account: nobody learns of a table that he may not watch.
    Row("GET", "tables/<str:public_id>/", MEMBERS),
    Row("POST", "tables/<str:public_id>/preview/", MEMBERS, 422, {"payload": {"round": {"events": []}}}),
    Row("POST", "tables/<str:public_id>/undo/", WRITERS, 201, {"expected_version": 1}),
    Row("POST", "tables/<str:public_id>/close/", WRITERS, 201, {"expected_version": 1}),
    Row("POST", "tables/<str:public_id>/entries/", WRITERS, 201, {"kind": "note", "payload": {"text": "x"}, "expected_version": 1}),
    Row(
        "POST", "tables/<str:public_id>/entries/", OFFICIALS, 201,
        {"kind": "transfer", "payload": {"lines": [{"from": 0, "to": 1, "amount": 1}]}, "expected_version": 1},
    ),
    Row("GET", "tables/<str:public_id>/entries/<int:seq>/", MEMBERS),
    Row("POST", "tables/<str:public_id>/entries/<int:seq>/correct/", WRITERS, 422, EMPTY),
    Row("POST", "tables/<str:public_id>/entries/<int:seq>/void/", WRITERS, 201, {"expected_version": 1}),
]  # fmt: skip


@pytest.fixture
def world(revision) -> World:
    return make_world(revision)


def address(route: str, world: World) -> str:
    member = world.keeper if "/roles/" in route else world.member
    public_id = world.table.public_id if route.startswith("tables/") else world.session.public_id
    filled = {
        "<slug:slug>": "hui",
        "<str:public_id>": public_id,
        "<str:member>": member.public_id,
        "<str:role>": "rule_keeper",
        "<int:invitation>": str(world.invitation.pk),
        "<slug:ruleset>": "hui_rules",
        "<slug:game>": world.session.revision.ruleset.slug,
        "<str:season>": world.season.public_id,
        "<int:dispute>": str(world.dispute.pk),
        "<int:number>": "5",
        "<int:seq>": "1",
        "<str:table>": world.table.public_id,
        "<str:grant>": world.grant.public_id,
        "<str:job>": world.job.public_id,
    }
    for hole, value in filled.items():
        route = route.replace(hole, value)
    return f"/api/v1/{route}"


def expected(row: Row, who: str) -> int:
    if who in row.may:
        return row.status
    if who == "nobody":
        return 404 if row.route.startswith("tables/") else 401
    if who == "stranger" or row.route.startswith("jobs/"):
        return 404
    return 403


def test_everybody_may_what_the_table_says(world):
    for row in ROWS:
        for who in (*ROLES, "stranger", "nobody"):
            sid = transaction.savepoint()
            answer = world.call(who, row.method, address(row.route, world), row.body)
            transaction.savepoint_rollback(sid)
            said = (row.method, row.route, who, answer.status_code)
            assert said == (row.method, row.route, who, expected(row, who)), answer.content[:300]


def test_every_route_of_the_api_is_in_the_table():
    routes = set(walk(get_resolver().url_patterns, ""))

    listed = {(row.method, f"api/v1/{row.route}") for row in ROWS}
    missing = {(method, route) for method, route in routes if (method, route) not in listed and route.removeprefix("api/v1/") not in PUBLIC}
    assert missing == set()
    assert listed <= routes


def walk(patterns: Any, prefix: str) -> Any:
    """Every method and route below /api/v1/."""
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from walk(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern) and route.startswith("api/v1/"):
            view = getattr(pattern.callback, "view_class", None)
            for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
                if hasattr(view, method.lower()):
                    yield method, route


def test_a_token_does_no_more_than_its_scopes(world):
    from scoring_app.api_tokens import create_token

    reads = create_token(account=world.accounts["owner"], name="r", scopes=["read"]).secret
    plays = create_token(account=world.accounts["owner"], name="p", scopes=["play"]).secret

    for secret, method, route, body, status in [
        (reads, "GET", "clubs/<slug:slug>/", None, 200),
        (reads, "POST", "clubs/<slug:slug>/members/", {"name": "x"}, 403),
        (reads, "POST", "sessions/<str:public_id>/seating/", {}, 403),
        (reads, "POST", "clubs/<slug:slug>/exports/", {"form": "csv"}, 403),
        (reads, "POST", "tables/<str:public_id>/undo/", {"expected_version": 1}, 403),
        (plays, "GET", "clubs/<slug:slug>/", None, 403),
        (plays, "GET", "tables/<str:public_id>/", None, 404),
        (plays, "POST", "clubs/<slug:slug>/sessions/", {"title": "x"}, 201),
    ]:
        assert (route, world.call("", method, address(route, world), body, secret=secret).status_code) == (route, status)


def test_lists_hold_nothing_of_other_clubs(world):
    clubs = world.call("owner", "GET", "/api/v1/clubs/").json()
    sessions = world.call("owner", "GET", "/api/v1/clubs/hui/sessions/").json()

    assert [club["slug"] for club in clubs] == ["hui"]
    assert [session["title"] for session in sessions["results"]] == ["周五"]
