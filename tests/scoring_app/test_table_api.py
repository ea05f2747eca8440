"""Tables over HTTP: what a bot or another program can do, and how it is refused."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from scoring_app.models import Entry, Table
from tests.scoring_app.rounds import discard_win, kong, payload, self_draw

pytestmark = pytest.mark.django_db


@pytest.fixture
def scorer(table: Table) -> APIClient:
    return client_with(table.scorer_token)


def client_with(token: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}", HTTP_ACCEPT_LANGUAGE="en")
    return client


def url(table: Table, rest: str = "") -> str:
    return f"/api/v1/tables/{table.public_id}/{rest}"


def record(client: APIClient, table: Table, body: dict[str, Any], *, key: str = "k1", version: int = 0):
    return client.post(url(table, "entries/"), {"payload": body, "expected_version": version}, headers={"idempotency-key": key})


def test_a_table_is_opened_with_two_tokens_and_read_with_either(revision):
    opened = APIClient().post("/api/v1/tables/", {"variant": "sichuan", "names": ["甲", "乙", "丙", "丁"], "options": {"mode": "single"}})

    assert opened.status_code == 201
    body = opened.json()
    for role in ("scorer", "watch"):
        table = client_with(body[f"{role}_token"]).get(f"/api/v1/tables/{body['id']}/")
        assert table.status_code == 200
        assert table.json()["role"] == role
        assert [person["name"] for person in table.json()["participants"][:4]] == ["甲", "乙", "丙", "丁"]


def test_a_round_is_recorded_once_whatever_the_network_does(scorer, table):
    first = record(scorer, table, payload(discard_win(1, payer=0)))
    again = record(scorer, table, payload(discard_win(1, payer=0)))

    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json()["repeated"] is True
    assert first.json()["entry"] == again.json()["entry"]
    assert first.json()["entry"]["payments"] == {"0": -1, "1": 1}
    assert Entry.objects.count() == 1


def test_the_same_key_for_something_else_is_refused(scorer, table):
    record(scorer, table, payload(discard_win(1, payer=0)))
    other = record(scorer, table, payload(discard_win(2, payer=0)))

    assert other.status_code == 422
    assert other.json()["error"]["code"] == "idempotency_mismatch"


def test_a_write_against_an_old_version_says_which_is_current(scorer, table):
    record(scorer, table, payload(discard_win(1, payer=0)))
    stale = record(scorer, table, payload(self_draw(3)), key="k2", version=0)

    assert stale.status_code == 409
    assert stale.json()["error"]["code"] == "stale_version"
    assert stale.json()["error"]["current_version"] == 1


def test_a_refused_round_names_the_place_and_writes_nothing(scorer, table):
    refused = record(scorer, table, payload({"type": "win", "seat": 9, "by": "self_draw", "declared": []}))

    assert refused.status_code == 422
    assert refused.json()["error"]["path"].startswith("round.events[0]")
    assert Entry.objects.count() == 0


def test_what_changes_nothing_costs_no_body(scorer, table):
    first = scorer.get(url(table))
    same = scorer.get(url(table), headers={"if-none-match": first["ETag"]})
    record(scorer, table, payload(self_draw(3)))
    other = scorer.get(url(table), headers={"if-none-match": first["ETag"]})

    assert same.status_code == 304
    assert other.status_code == 200
    assert other.json()["version"] == 1


def test_undo_correct_and_void_leave_the_history_readable(scorer, table):
    record(scorer, table, payload(discard_win(1, payer=0)))
    corrected = scorer.post(
        url(table, "entries/1/correct/"),
        {"payload": payload(discard_win(1, payer=2)), "reason": "wrong payer", "expected_version": 1},
        headers={"idempotency-key": "k2"},
    )
    voided = scorer.post(url(table, "entries/1/void/"), {"expected_version": 2}, headers={"idempotency-key": "k3"})
    undone = scorer.post(url(table, "undo/"), {"expected_version": 3}, headers={"idempotency-key": "k4"})
    entry = scorer.get(url(table, "entries/1/")).json()

    assert [response.status_code for response in (corrected, voided, undone)] == [201, 201, 201]
    assert entry["payments"] == {"1": 1, "2": -1}
    assert entry["corrected"] is True
    assert entry["voided"] is False


def test_a_preview_writes_nothing(scorer, table):
    preview = scorer.post(url(table, "preview/"), {"payload": payload(kong(0), self_draw(3))})

    assert preview.status_code == 200
    assert preview.json()["ended"] is True
    assert sum(preview.json()["payments"].values()) == 0
    assert Entry.objects.count() == 0


def test_transfers_notes_and_closing(scorer, table):
    lines = [{"from": 0, "to": 1, "amount": 5}]
    transfer = scorer.post(
        url(table, "entries/"),
        {"kind": "transfer", "payload": {"lines": lines, "text": "tea"}, "expected_version": 0},
        headers={"idempotency-key": "a"},
    )
    note = scorer.post(
        url(table, "entries/"), {"kind": "note", "payload": {"text": "break"}, "expected_version": 1}, headers={"idempotency-key": "b"}
    )
    closed = scorer.post(
        url(table, "entries/"), {"kind": "status", "payload": {"closed": True}, "expected_version": 2}, headers={"idempotency-key": "c"}
    )
    late = record(scorer, table, payload(self_draw(1)), key="d", version=3)

    assert [response.status_code for response in (transfer, note, closed)] == [201, 201, 201]
    assert late.status_code == 422
    assert late.json()["error"]["code"] == "table_closed"


@pytest.mark.parametrize("token", ["", "wrong", None])
def test_a_wrong_token_is_a_table_that_does_not_exist(table, token):
    client = APIClient() if token is None else client_with(token)

    assert client.get(url(table)).status_code == 404
    assert record(client, table, payload(self_draw(1))).status_code == 404


def test_the_watch_token_may_not_write(table):
    watcher = client_with(table.watch_token)

    assert record(watcher, table, payload(self_draw(1))).status_code == 403
    assert watcher.post(url(table, "undo/"), {"expected_version": 0}, headers={"idempotency-key": "x"}).status_code == 403
    assert Entry.objects.count() == 0


@pytest.mark.parametrize("body", [{}, {"expected_version": "0"}, {"payload": {}, "expected_version": True}])
def test_what_makes_a_write_safe_must_be_there(scorer, table, body):
    assert scorer.post(url(table, "entries/"), body, headers={"idempotency-key": "k"}).status_code == 400
    assert scorer.post(url(table, "entries/"), {**body, "expected_version": 0}).status_code == 400


@pytest.mark.parametrize("rounds", [1, 12])
def test_reading_takes_a_fixed_number_of_queries(scorer, table, rounds, django_assert_num_queries):
    for number in range(rounds):
        record(scorer, table, payload(discard_win(number % 3 + 1, payer=0)), key=f"k{number}", version=number)

    with django_assert_num_queries(7):
        scorer.get(url(table))


@pytest.mark.parametrize("lines", [0, None, True, 5, "x", {"from": 0}, [None], [[]]])
@pytest.mark.parametrize("kind", ["transfer", "fee", "settlement"])
def test_transfers_that_are_no_list_of_transfers_are_refused(scorer, table, kind, lines):
    body = {"kind": kind, "payload": {"lines": lines}, "expected_version": 0}
    response = scorer.post(url(table, "entries/"), body, headers={"idempotency-key": "k"})

    assert response.status_code in (400, 422)
    assert "lines" in response.json()["error"]["message"] + response.json()["error"]["path"]
    assert not Entry.objects.exists()


@pytest.mark.parametrize("points", [10**9 + 1, -(10**18), 10**30])
def test_start_points_out_of_bounds_are_refused(revision, points):
    response = APIClient().post("/api/v1/tables/", {"variant": "sichuan", "names": ["甲", "乙", "丙", "丁"], "start_points": points})

    assert response.status_code == 422
    assert response.json()["error"]["path"] == "start_points"
    assert not Table.objects.exists()


@pytest.mark.parametrize("clock", ["9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00", "2026-13-45T00:00:00Z", "x"])
def test_an_impossible_clock_of_a_device_is_left_out(scorer, table, clock):
    body = {"payload": payload(discard_win(1, payer=0)), "expected_version": 0}
    response = scorer.post(url(table, "entries/"), body, headers={"idempotency-key": "k", "x-client-time": clock})

    assert response.status_code == 201
    assert scorer.get(url(table)).status_code == 200
    assert Entry.objects.get().client_time is None
