"""The API of accounts: keys, conditional reads, pages, filters, a whole evening, tokens, queries."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from scoring_app.api_tokens import create_token, revoke_token, token_of
from scoring_app.clubs import add_member, create_club, edit_club, fork_for_club, grant_role, invite, open_season, set_editors
from scoring_app.errors import Refused
from scoring_app.jobs import start_job
from scoring_app.ledger import Origin, answer_dispute, confirm_entry, raise_dispute, record_penalty, record_round
from scoring_app.models import ApiToken, Job, Member
from scoring_app.sessions import (
    add_player,
    give_extra_time,
    issue_grant,
    open_balances,
    open_session,
    open_session_table,
    record_settlement,
)
from tests.factories import UserFactory
from tests.scoring_app.api.test_permissions import ROWS, Row, address
from tests.scoring_app.api.world import World, make_world
from tests.scoring_app.rounds import payload, self_draw

pytestmark = pytest.mark.django_db

MEMBERS = "/api/v1/clubs/hui/members/"


@pytest.fixture
def world(revision) -> World:
    return make_world(revision)


def test_a_repeat_with_the_same_key_gets_the_first_answer(world):
    first = world.call("owner", "POST", MEMBERS, {"name": "新人"}, key="k")
    again = world.call("owner", "POST", MEMBERS, {"name": "新人"}, key="k")
    other = world.call("owner", "POST", MEMBERS, {"name": "旧人"}, key="k")
    somebody = world.call("referee", "POST", MEMBERS, {"name": "旧人"}, key="k")

    assert (first.status_code, again.status_code, other.status_code, somebody.status_code) == (201, 201, 422, 201)
    assert first.json() == again.json()
    assert again["Idempotent-Replayed"] == "true"
    assert other.json()["error"]["code"] == "idempotency_mismatch"
    assert Member.objects.filter(name="新人").count() == 1


def test_a_refused_write_keeps_no_answer(world):
    refused = world.call("owner", "POST", MEMBERS, {"name": "甲"}, key="k")
    Member.objects.filter(name="甲").update(name="乙")
    now = world.call("owner", "POST", MEMBERS, {"name": "甲"}, key="k")

    assert (refused.status_code, now.status_code) == (422, 201)


def test_a_write_needs_a_key(world):
    answer = world.call("owner", "POST", MEMBERS, {"name": "新人"}, key=" ")

    assert answer.status_code == 400
    assert "Idempotency-Key" in answer.json()["error"]["message"]


def test_a_conditional_read_is_304_until_something_changes(world):
    path = f"/api/v1/sessions/{world.session.public_id}/"
    first = world.call("viewer", "GET", path)
    same = world.call("viewer", "GET", path, **{"If-None-Match": first["ETag"]})
    compressed = world.call("viewer", "GET", path, **{"If-None-Match": f'"another", W/{first["ETag"]}'})
    world.call("owner", "POST", f"{path}players/", {"name": "己"})
    changed = world.call("viewer", "GET", path, **{"If-None-Match": first["ETag"]})

    assert [one.status_code for one in (first, same, compressed, changed)] == [200, 304, 304, 200]
    assert same.content == b""


@pytest.mark.parametrize("count", [1, 30])
def test_long_lists_come_in_pages_in_a_fixed_number_of_queries(world, count, django_assert_max_num_queries):
    for number in range(count):
        add_member(club=world.club, name=f"member {number}")

    with django_assert_max_num_queries(12):
        page = world.call("owner", "GET", f"{MEMBERS}?limit=5&offset=0").json()
    found = world.call("owner", "GET", f"{MEMBERS}?name=MEMBER").json()

    assert len(page["results"]) == 5
    assert page["next"] is not None
    assert found["count"] == count
    wrong = world.call("owner", "GET", "/api/v1/clubs/hui/sessions/?status=over")
    assert wrong.status_code == 400
    assert world.call("owner", "GET", "/api/v1/clubs/hui/sessions/?status=running&since=2026-01-01").json()["count"] == 1


def test_an_evening_by_the_token_of_an_account(world):
    def call(method, path, body=None, status=200):
        answer = world.call("owner", method, f"/api/v1/{path}", body)
        assert answer.status_code == status, answer.content
        return answer.json()

    session = call("POST", "clubs/hui/sessions/", {"title": "API"}, 201)["id"]
    for name in ("A", "B", "C", "D"):
        call("POST", f"sessions/{session}/players/", {"name": name}, 201)
    drawn = call("POST", f"sessions/{session}/seating/", {"seed": "abc"}, 201)
    table = call("GET", f"sessions/{session}/tables/")[0]
    call("POST", f"tables/{table['id']}/entries/", {"payload": payload(self_draw(0)), "expected_version": 0}, 201)
    settlement = call("GET", f"sessions/{session}/settlement/")
    for line in settlement["transfers"]:
        body = {"payer": line["payer"]["key"], "payee": line["payee"]["key"], "amount": line["amount"]}
        call("POST", f"sessions/{session}/settlement/", body, 201)
    standings = call("GET", f"sessions/{session}/statistics/")["standings"]
    ended = call("POST", f"sessions/{session}/end/", {})

    assert drawn["seed"] == "abc"
    assert len(settlement["transfers"]) == 3
    assert call("GET", f"sessions/{session}/settlement/")["settled"]
    assert [line["balance"] for line in standings] == [0, 0, 0, 0]
    assert sum(line["points"] for line in standings) == 0
    assert ended["status"] == "ended"
    entry = call("GET", f"tables/{table['id']}/entries/1/")
    assert entry["device"] == "owner"


def test_an_export_over_the_api(world, settings, django_capture_on_commit_callbacks):
    settings.JOBS_IN_PROCESS = "inline"
    with django_capture_on_commit_callbacks(execute=True):
        job = world.call("viewer", "POST", f"/api/v1/sessions/{world.session.public_id}/exports/", {"form": "json"}).json()

    done = world.call("viewer", "GET", f"/api/v1/jobs/{job['id']}/").json()
    file = world.call("viewer", "GET", f"/api/v1/jobs/{job['id']}/file/")

    assert job["status"] == "queued"
    assert done["status"] == "done"
    assert file.json()["format"] == "mahjong-referee/session"
    assert Job.objects.get(public_id=job["id"]).owner == world.accounts["viewer"]


def test_tokens_are_kept_as_hashes_and_can_be_taken_back(world):
    account = world.accounts["viewer"]
    made = create_token(account=account, name="bot", scopes=["read"], days=1)

    assert made.secret not in str(ApiToken.objects.filter(pk=made.token.pk).values())
    found = token_of(made.secret)
    assert found is not None
    assert found.account == account
    ApiToken.objects.filter(pk=made.token.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert token_of(made.secret) is None
    ApiToken.objects.filter(pk=made.token.pk).update(expires_at=None)
    revoke_token(token=made.token)
    assert token_of(made.secret) is None
    assert world.call("", "GET", "/api/v1/me/", secret=made.secret).status_code == 401
    with pytest.raises(Refused):
        create_token(account=account, name="bot", scopes=["everything"])


def test_the_page_of_tokens_shows_a_secret_once(client):
    user = UserFactory.create()
    client.force_login(user)
    page = reverse("exports:tokens")

    made = client.post(page, {"name": "bot", "scopes": ["read", "play"], "days": "0"})
    token = ApiToken.objects.get()
    again = client.get(page)

    assert b"mr_" in made.content
    assert b"mr_" not in again.content
    assert (token.account, token.scopes, token.expires_at) == (user, ["play", "read"], None)
    assert client.post(page, {"name": "bot"}).status_code == 422
    other = UserFactory.create()
    client.force_login(other)
    assert client.post(reverse("exports:token_revoke", args=[token.public_id])).status_code == 404
    client.force_login(user)
    assert client.post(reverse("exports:token_revoke", args=[token.public_id])).status_code == 303
    assert not ApiToken.objects.get().is_valid


LISTS = [row for row in ROWS if row.method == "GET" and row.status == 200 and "owner" in row.may and "/exports/" not in row.route]


def test_every_read_takes_as_many_queries_however_much_there_is(world):
    grow(world, range(2))
    before = {row.route: queries_of(row, world) for row in LISTS}
    grow(world, range(2, 6))
    after = {row.route: queries_of(row, world) for row in LISTS}

    grown = {route: (count, after[route]) for route, count in before.items() if after[route] > count}
    assert grown == {}


def queries_of(row: Row, world: World) -> int:
    path = address(row, world)
    world.call("owner", "GET", path)  # what is kept in memory from the first time on is no matter here
    with CaptureQueriesContext(connection) as captured:
        assert world.call("owner", "GET", path).status_code == 200
    return len(captured)


def grow(world: World, numbers: range) -> None:
    """More of everything: clubs, members, roles, seasons, invitations, rulesets, players, tables, rounds, marks, devices, time, jobs."""
    owner, club, session = world.accounts["owner"], world.club, world.session
    for number in numbers:
        edit_club(club=create_club(name=f"club {number}", owner=owner), default_revision=session.revision)
        member = add_member(club=club, name=f"member {number}", account=UserFactory.create())
        grant_role(member=member, role="scorer")
        season = open_season(club=club, name=f"season {number}", starts=date(2025, 1, 1 + number), default_revision=session.revision)
        invite(club=club, by=owner, member=add_member(club=club, name=f"name {number}"))
        link = fork_for_club(club=club, ruleset=session.revision.ruleset, slug=f"house_{number}", by=owner)
        set_editors(club_ruleset=link, members=[member, world.keeper])
        create_token(account=owner, name=f"token {number}", scopes=["read"])
        open_session(club=club, season=season, title=f"evening {number}", author=owner)
        players = [add_player(session=session, name=f"{letter}{number}", member=member if letter == "a" else None) for letter in "abcd"]
        table = open_session_table(session=session, players=players)
        record_round(table=table, payload=payload(self_draw(number % 4)), expected_version=0, idempotency_key="a")
        world.table.refresh_from_db()
        at = world.table.version
        record_round(table=world.table, payload=payload(self_draw(number % 4)), expected_version=at, idempotency_key=f"more-{number}")
        world.table.refresh_from_db()
        record_penalty(
            table=world.table,
            payload={"lines": [{"from": 0, "to": 1, "amount": 1}], "text": "?"},
            expected_version=world.table.version,
            idempotency_key=f"penalty-{number}",
            origin=Origin(author=owner),
        )
        confirm_entry(table=world.table, seq=at + 1, version=1, origin=Origin(device_id=f"device {number}"))
        answer_dispute(dispute=raise_dispute(table=world.table, seq=at + 1, text="?"), outcome="rejected")
        issue_grant(table=world.table, role="scorer", account=owner)
        issue_grant(session=session, role="viewer", label=f"device {number}")
        give_extra_time(table=world.table, seconds=60)
        start_job(kind="export", params={"of": "club", "id": "hui", "form": "csv"}, owner=owner, club=club)
    for line in open_balances(session).transfers:
        key = f"{numbers} {line.payer.key} {line.payee.key}"
        record_settlement(session=session, payer=line.payer, payee=line.payee, amount=line.amount, idempotency_key=key)
