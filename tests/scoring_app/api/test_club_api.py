"""The API of accounts: keys, conditional reads, pages, filters, a whole evening, tokens."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring_app.api_tokens import create_token, revoke_token, token_of
from scoring_app.clubs import add_member
from scoring_app.errors import Refused
from scoring_app.models import ApiToken, Job, Member
from tests.factories import UserFactory
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
    world.call("owner", "POST", f"{path}players/", {"name": "己"})
    changed = world.call("viewer", "GET", path, **{"If-None-Match": first["ETag"]})

    assert (first.status_code, same.status_code, changed.status_code) == (200, 304, 200)
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
