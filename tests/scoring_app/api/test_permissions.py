"""One table for the whole API: who may call what.  A route that is not in it fails the test."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction
from django.urls import URLPattern, URLResolver, get_resolver

from tests.scoring_app.api.world import ROLES, World, make_world
from tests.scoring_app.rounds import self_draw

pytestmark = pytest.mark.django_db

OWNER = {"owner"}
OFFICIALS = {"owner", "referee"}
WRITERS = {"owner", "referee", "scorer"}
KEEPERS = {"owner", "rule_keeper"}
MEMBERS = set(ROLES)
ACCOUNTS = {*ROLES, "stranger"}


@dataclass(frozen=True)
class Row:
    """``may`` get ``status``; members who may not 403; strangers 404; nobody 401 (at a table 404).  ``body`` may ask the world."""

    method: str
    route: str
    may: set[str]
    status: int = 200
    body: Any = None
    query: str = ""


PUBLIC = {
    # Open to everybody; their tests stand with them.
    "variants/", "variants/<slug:slug>/", "variants/<slug:slug>/score/", "variants/<slug:slug>/waits/", "search/",
    "tables/",
}  # fmt: skip

AT_1 = {"expected_version": 1}
NO_ONE_SITS = {"seat": 0, "player": None, **AT_1}
EMPTY = {"payload": {"round": {"events": []}}, **AT_1}
CSV = base64.b64encode("date,甲,乙,丙,丁\n2026-01-02,3,-1,-1,-1\n".encode()).decode()
GAME = "sichuan"


def entry(kind: str, **payload: Any) -> dict[str, Any]:
    return {"kind": kind, "payload": payload, **AT_1}


def pays(payer: int, payee: int) -> list[dict[str, int]]:
    return [{"from": payer, "to": payee, "amount": 1}]


CLUB = "clubs/<slug:slug>/"
MEMBER = f"{CLUB}members/<str:member>/"
SESSION = "sessions/<str:public_id>/"
PLAYER = f"{SESSION}players/<int:number>/"
TABLE = "tables/<str:public_id>/"
ENTRY = f"{TABLE}entries/<int:seq>/"

ROWS = [
    Row("GET", "me/", ACCOUNTS),
    Row("GET", "me/tokens/", ACCOUNTS),
    Row("GET", "join/<str:code>/", ACCOUNTS),
    Row("POST", "join/<str:code>/", ACCOUNTS, 201, {"name": "新来的"}),
    Row("GET", "invitations/<str:token>/", ACCOUNTS),
    Row("POST", "invitations/<str:token>/", ACCOUNTS, 201, {}),
    Row("GET", "clubs/", ACCOUNTS),
    Row("POST", "clubs/", ACCOUNTS, 201, {"name": "新会"}),
    Row("GET", CLUB, MEMBERS),
    Row("PATCH", CLUB, OWNER, body={"table_fee": 3}),
    Row("GET", f"{CLUB}permissions/", MEMBERS),
    Row("GET", f"{CLUB}members/", MEMBERS),
    Row("POST", f"{CLUB}members/", OFFICIALS, 201, {"name": "新人"}),
    Row("GET", MEMBER, MEMBERS),
    Row("PATCH", MEMBER, OFFICIALS, body={"name": "甲甲"}),
    Row("POST", f"{MEMBER}leave/", OFFICIALS, body={}),
    Row("POST", f"{MEMBER}return/", OFFICIALS, body={}),
    Row("GET", f"{MEMBER}merge/", OWNER, query="gone=member"),
    Row("POST", f"{MEMBER}merge/", OWNER, body=lambda world: {"gone": world.keeper.public_id}),
    Row("POST", f"{MEMBER}unmerge/", OWNER, body={}),
    Row("PUT", f"{MEMBER}account/", OWNER, body={"account": "stranger"}),
    Row("DELETE", f"{MEMBER}account/", OWNER),
    Row("POST", f"{MEMBER}guest/", OFFICIALS, 422, lambda world: {"session": world.session.public_id, "number": 2}),
    Row("POST", f"{MEMBER}roles/", OWNER, 201, {"role": "scorer"}),
    Row("DELETE", f"{MEMBER}roles/<str:role>/", OWNER),
    Row("GET", f"{MEMBER}statistics/", MEMBERS),
    Row("GET", f"{CLUB}guests/", OFFICIALS),
    Row("POST", f"{CLUB}guests/", OFFICIALS, 201, {"name": "乙"}),
    Row("GET", f"{CLUB}invitations/", OFFICIALS),
    Row("POST", f"{CLUB}invitations/", OFFICIALS, 201, {"days": 7}),
    Row("POST", f"{CLUB}invitations/", OWNER, 201, {"role": "referee"}),
    Row("DELETE", f"{CLUB}invitations/<int:invitation>/", OFFICIALS),
    Row("GET", f"{CLUB}rulesets/", MEMBERS),
    Row("POST", f"{CLUB}rulesets/", KEEPERS, 422, {"ruleset": "nobodys"}),
    Row("GET", f"{CLUB}rulesets/<slug:ruleset>/", MEMBERS),
    Row("PATCH", f"{CLUB}rulesets/<slug:ruleset>/", KEEPERS, body={"editors": []}),
    Row("POST", f"{CLUB}rulesets/<slug:game>/fork/", KEEPERS, 201, {"slug": "house_rules"}),
    Row("GET", f"{CLUB}seasons/<str:season>/", MEMBERS),
    Row("PATCH", f"{CLUB}seasons/<str:season>/", OWNER, body={"ends": "2026-12-31"}),
    Row("GET", f"{CLUB}seasons/", MEMBERS),
    Row("POST", f"{CLUB}seasons/", OWNER, 201, {"name": "2027", "starts": "2027-01-01"}),
    Row("GET", f"{CLUB}statistics/", MEMBERS),
    Row("POST", f"{CLUB}exports/", OFFICIALS, 202, {"form": "csv"}),
    Row("POST", f"{CLUB}verification/", OFFICIALS, 202, {}),
    Row("POST", f"{CLUB}imports/", OWNER, 201, {"name": "old.csv", "content": CSV, "variant": GAME}),
    Row("POST", "imports/", ACCOUNTS, 422, {"name": "table.json", "content": "e30="}),
    Row("GET", f"{CLUB}sessions/", MEMBERS),
    Row("POST", f"{CLUB}sessions/", OFFICIALS, 201, {"title": "周六"}),
    Row("POST", "sessions/", ACCOUNTS, 201, {"variant": GAME}),
    Row("GET", SESSION, MEMBERS),
    Row("PATCH", SESSION, OFFICIALS, body={"title": "周六"}),
    Row("GET", f"{SESSION}links/", OFFICIALS),
    Row("POST", f"{SESSION}code/", OFFICIALS, 201, {}),
    # None of them plays; who does is tested with joining.
    Row("GET", f"{SESSION}me/", ACCOUNTS, 404),
    Row("GET", f"{SESSION}players/", MEMBERS),
    Row("POST", f"{SESSION}players/", WRITERS, 201, {"name": "己"}),
    Row("GET", PLAYER, MEMBERS),
    Row("PATCH", PLAYER, WRITERS, body={"name": "戊戊"}),
    Row("PATCH", PLAYER, OFFICIALS, body={"member": None}),
    Row("POST", f"{PLAYER}leave/", WRITERS, body={}),
    Row("POST", f"{PLAYER}return/", WRITERS, body={}),
    Row("GET", f"{SESSION}seating/", OFFICIALS),
    Row("POST", f"{SESSION}seating/", OFFICIALS, 201, {"method": "lot"}),
    Row("POST", f"{SESSION}seating/undo/", OFFICIALS, 409, {"expected_rotation": 7}),
    Row("GET", f"{SESSION}tables/", MEMBERS),
    Row("POST", f"{SESSION}tables/", WRITERS, 422, {"players": [1, 2, 3, 4]}),
    Row("GET", f"{SESSION}clock/", MEMBERS),
    Row("POST", f"{SESSION}clock/", OFFICIALS, body={"do": "start"}),
    Row("GET", f"{SESSION}tables/<str:table>/extra-time/", MEMBERS),
    Row("POST", f"{SESSION}tables/<str:table>/extra-time/", OFFICIALS, 201, {"seconds": 300}),
    Row("POST", f"{SESSION}fees/", OFFICIALS, 201, {"amount": 5}),
    Row("POST", f"{SESSION}end/", OFFICIALS, body={}),
    Row("POST", f"{SESSION}reopen/", OFFICIALS, body={}),
    Row("GET", f"{SESSION}settlement/", MEMBERS),
    Row("POST", f"{SESSION}settlement/", WRITERS, 422, {"payer": "player-0", "payee": "player-0", "amount": 1}),
    Row("GET", f"{SESSION}statistics/", MEMBERS),
    Row("GET", f"{SESSION}penalties/", MEMBERS),
    Row("GET", f"{SESSION}devices/", OFFICIALS),
    Row("POST", f"{SESSION}devices/", OFFICIALS, 201, {"role": "viewer"}),
    Row("PATCH", f"{SESSION}devices/<str:grant>/", OFFICIALS, body={"label": "一号"}),
    Row("DELETE", f"{SESSION}devices/<str:grant>/", OFFICIALS),
    Row("POST", f"{SESSION}devices/<str:grant>/take-over/", OFFICIALS, 201, {}),
    Row("POST", f"{SESSION}exports/", MEMBERS, 202, {"form": "json"}),
    # A job is its owner's alone, whatever the roles.
    Row("GET", "jobs/", ACCOUNTS),
    Row("GET", "jobs/<str:job>/", OWNER),
    Row("GET", "jobs/<str:job>/file/", OWNER),
    Row("POST", "jobs/<str:job>/confirm/", OWNER, 202, {}),
    Row("POST", "jobs/<str:job>/cancel/", OWNER, body={}),
    Row("POST", "jobs/<str:job>/again/", OWNER, 202, {}),
    # Tables, by the token of an account: nobody learns of a table that he may not watch.
    Row("GET", TABLE, MEMBERS),
    Row("PATCH", TABLE, WRITERS, body={"title": "窗边", "names": {"0": "甲甲"}}),
    Row("GET", f"{TABLE}links/", WRITERS),
    Row("POST", f"{TABLE}links/", OFFICIALS, 201, {}),
    Row("POST", f"{TABLE}preview/", MEMBERS, 422, {"payload": {"round": {"events": []}}}),
    Row("POST", f"{TABLE}undo/", WRITERS, 201, AT_1),
    Row("POST", f"{TABLE}entries/", WRITERS, 422, entry("round", round={"events": []})),
    Row("POST", f"{TABLE}entries/", WRITERS, 201, entry("penalty", lines=pays(0, 1))),
    Row("POST", f"{TABLE}entries/", OFFICIALS, 201, entry("transfer", lines=pays(0, 1))),
    Row("POST", f"{TABLE}entries/", OFFICIALS, 201, entry("fee", lines=pays(0, 4))),
    Row("POST", f"{TABLE}entries/", WRITERS, 201, entry("settlement", lines=pays(0, 1))),
    Row("POST", f"{TABLE}entries/", WRITERS, 201, entry("note", text="x")),
    Row("POST", f"{TABLE}entries/", OFFICIALS, 201, entry("set_scores", totals={"0": 0, "1": 0, "2": 0, "3": 0})),
    Row("POST", f"{TABLE}entries/", WRITERS, 201, entry("position", table={"streak": 5})),
    Row("POST", f"{TABLE}entries/", WRITERS, 201, entry("seat_change", seats=[1, 0, 2, 3])),
    Row("POST", f"{TABLE}entries/", {"owner", "referee"}, 201, entry("rules", options={})),
    Row("POST", f"{TABLE}entries/", WRITERS, 201, entry("status", closed=True)),
    Row("GET", ENTRY, MEMBERS),
    Row("POST", f"{ENTRY}preview/", WRITERS, body={"payload": None}),
    Row("POST", f"{ENTRY}correct/", WRITERS, 422, EMPTY),
    Row("POST", f"{ENTRY}void/", WRITERS, 201, AT_1),
    Row("POST", f"{ENTRY}confirm/", WRITERS, 201, {"version": 1}),
    Row("POST", f"{ENTRY}disputes/", MEMBERS, 201, {"text": "x"}),
    Row("POST", f"{TABLE}disputes/<int:dispute>/answer/", OFFICIALS, 201, {"outcome": "upheld"}),
    Row("GET", f"{TABLE}marks/", MEMBERS),
    Row("GET", f"{TABLE}round/", MEMBERS),
    Row("POST", f"{TABLE}round/", WRITERS, 201, AT_1),
    Row("DELETE", f"{TABLE}round/", WRITERS, 409, query="draft_version=7"),
    Row("POST", f"{TABLE}round/events/", WRITERS, 201, {"event": self_draw(0), **AT_1}),
    Row("PUT", f"{TABLE}round/events/<int:index>/", WRITERS, 409, {"event": self_draw(0), "draft_version": 7}),
    Row("DELETE", f"{TABLE}round/events/<int:index>/", WRITERS, 409, query="draft_version=7"),
    Row("POST", f"{TABLE}round/end/", WRITERS, 409, {"draft_version": 7, **AT_1}),
    Row("POST", f"{TABLE}substitute/", WRITERS, 201, NO_ONE_SITS),
    Row("GET", f"{TABLE}rest/", MEMBERS),
    Row("POST", f"{TABLE}rest/", WRITERS, 201, AT_1),
    Row("POST", f"{TABLE}reseat/", OFFICIALS, 201, {"from_seq": 1, "seats": [1, 0, 2, 3], **AT_1}),
    Row("POST", f"{TABLE}reseat/preview/", OFFICIALS, body={"from_seq": 1, "seats": [1, 0, 2, 3]}),
    Row("GET", f"{TABLE}rules/", MEMBERS),
    Row("POST", f"{TABLE}rules/preview/", {"owner", "referee"}, body={}),
    Row("POST", f"{TABLE}fees/", OFFICIALS, 201, {"amount": 5}),
    Row("GET", f"{TABLE}settlement/", MEMBERS),
    Row("POST", f"{TABLE}settlement/", WRITERS, 422, {"payer": "player-0", "payee": "player-0", "amount": 1, **AT_1}),
    Row("GET", f"{TABLE}statistics/", MEMBERS),
    Row("GET", f"{TABLE}devices/", OFFICIALS),
    Row("POST", f"{TABLE}devices/", OFFICIALS, 201, {"role": "viewer"}),
    Row("PATCH", f"{TABLE}devices/<str:grant>/", OFFICIALS, body={"label": "二号"}),
    Row("DELETE", f"{TABLE}devices/<str:grant>/", OFFICIALS),
    Row("POST", f"{TABLE}devices/<str:grant>/take-over/", OFFICIALS, 201, {}),
    Row("GET", f"{TABLE}writers/", WRITERS),
    Row("GET", f"{TABLE}exports/<str:form>/", MEMBERS),
]


@pytest.fixture
def world(revision) -> World:
    return make_world(revision)


def address(row: Row | str, world: World) -> str:
    route, query = (row, "") if isinstance(row, str) else (row.route, row.query)
    at_table = route.startswith("tables/")
    member = world.merged if route.endswith("/unmerge/") else world.keeper if "/roles/" in route else world.member
    filled = {
        "<slug:slug>": "hui",
        "<str:public_id>": world.table.public_id if at_table else world.session.public_id,
        "<str:member>": member.public_id,
        "<str:role>": "rule_keeper",
        "<str:token>": world.invitation.token,
        "<str:code>": world.session.join_code,
        "<int:invitation>": str(world.invitation.pk),
        "<slug:ruleset>": "hui_rules",
        "<slug:game>": world.session.revision.ruleset.slug,
        "<str:season>": world.season.public_id,
        "<int:dispute>": str(world.dispute.pk),
        "<int:number>": "5",
        "<int:seq>": "1",
        "<int:index>": "0",
        "<str:table>": world.table.public_id,
        "<str:grant>": (world.table_grant if at_table else world.grant).public_id,
        "<str:job>": world.job.public_id,
        "<str:form>": "csv",
    }
    for hole, value in filled.items():
        route = route.replace(hole, value)
    return f"/api/v1/{route}" + (f"?{query.replace('member', world.keeper.public_id)}" if query else "")


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
            body = row.body(world) if callable(row.body) else row.body
            answer = world.call(who, row.method, address(row, world), body)
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
        (plays, "GET", "tables/<str:public_id>/", None, 403),
        (plays, "POST", "clubs/<slug:slug>/sessions/", {"title": "x"}, 201),
    ]:
        assert (route, world.call("", method, address(route, world), body, secret=secret).status_code) == (route, status)


def test_lists_hold_nothing_of_other_clubs(world):
    clubs = world.call("owner", "GET", "/api/v1/clubs/").json()
    sessions = world.call("owner", "GET", "/api/v1/clubs/hui/sessions/").json()

    assert [club["slug"] for club in clubs] == ["hui"]
    assert [session["title"] for session in sessions["results"]] == ["周五"]
