"""The scorer over HTTP: answers, refusals, and requests that nobody should send."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from rest_framework.test import APIClient
from rest_framework.throttling import AnonRateThrottle

from tests.factories import publish

pytestmark = pytest.mark.django_db

SCORE = "/api/v1/variants/sichuan/score/"
WIN = {"type": "win", "seat": 2, "by": "self_draw", "tile": "4p", "hand": "1234566785544p"}
ROUND = {"round": {"events": [WIN]}}
CASES = json.loads((Path(__file__).parents[1] / "cases" / "sichuan.json").read_text(encoding="utf-8"))
NOTES = ("id", "why", "source", "working", "expect")


@pytest.fixture
def api() -> APIClient:
    return APIClient(raise_request_exception=True)


def test_the_games_are_listed_and_each_is_shown_with_its_document(api: APIClient):
    games = api.get("/api/v1/variants/").json()["variants"]
    game = api.get("/api/v1/variants/sichuan/").json()

    assert "sichuan" in [game["slug"] for game in games]
    assert game["name"]["zh"] == "四川麻将"
    assert game["document"]["patterns"]["pure_suit"]["name"]["en"] == "pure suit"
    assert game["document"]["payments"][0]["from"]


def test_a_published_ruleset_comes_before_the_shipped_file(api: APIClient):
    shipped = (Path(__file__).parents[2] / "rules_app/definitions/sichuan.yaml").read_text(encoding="utf-8")
    revision = publish("sichuan", shipped.replace("zh: 四川麻将", "zh: 本地麻将", 1))

    game = api.get("/api/v1/variants/sichuan/").json()

    assert (game["name"]["zh"], game["revision"], game["hash"]) == ("本地麻将", 1, revision.content_hash)


@pytest.mark.parametrize("case", CASES[::9], ids=lambda case: case["id"])
def test_the_cases_hold(api: APIClient, case: dict[str, Any]):
    answer = api.post(SCORE, {key: value for key, value in case.items() if key not in NOTES})

    if "error" in case["expect"]:
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, case["expect"]["error"])
    else:
        assert answer.status_code == 200
        expected = {key: case["expect"][key] for key in ("payments", "waits") if key in case["expect"]}
        assert {key: answer.json()[key] for key in expected} == expected


def test_the_answer_explains_itself_unless_told_not_to(api: APIClient):
    explained = api.post(SCORE, ROUND).json()
    bare = api.post(f"{SCORE}?explain=0", ROUND).json()

    assert explained["wins"][0]["reading"]["sets"]
    assert {transfer["rule"] for transfer in explained["transfers"]} == {"win_self_draw"}
    assert set(bare) == {"payments", "wins", "next", "ended"}


@pytest.mark.parametrize(("language", "key"), [("zh-CN", "zh"), ("en", "en")])
def test_a_refusal_speaks_the_language_of_the_request(api: APIClient, language: str, key: str):
    conditions = api.get("/api/v1/variants/sichuan/").json()["document"]["conditions"]
    sentence = next(condition["say"][key] for condition in conditions if condition["id"] == "missing_suit")
    event = {**WIN, "hand": "123456m123p123s9p", "tile": "9p"}

    answer = api.post(SCORE, {"round": {"events": [event]}}, headers={"accept-language": language})

    assert answer.status_code == 422
    assert answer.json() == {"error": {"code": "below_minimum", "message": sentence, "path": "round.events[0].hand"}}


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, "bad_input"),
        (b"\xff\xfe", 400, "bad_input"),
        (b"[1]", 400, "bad_input"),
        (b'"text"', 400, "bad_input"),
        (b"null", 400, "bad_input"),
        (b"", 422, "bad_input"),
        (b"[" * 200_000, 400, "bad_input"),
        (b'{"round": {"wild": [NaN]}}', 400, "bad_input"),
        (b'{"round": {"x": "\\ud800"}}', 400, "bad_input"),
        (b'{"round": {"events": [' + b"1" * 5000 + b"]}}", 400, "bad_input"),
        (b"{}", 422, "bad_input"),
        (b'{"variant": "wenzhou", "round": {}}', 422, "bad_input"),
        (b'{"round": {"events": [{"type": "win"}]}}', 422, "bad_input"),
        (b'{"options": {"base": -1}, "round": {}}', 422, "bad_input"),
        (b'{"options": {"unheard_of": 1}, "round": {}}', 422, "bad_input"),
        (json.dumps({"round": {"events": [{**WIN, "flags": ["x"]}]}}).encode(), 422, "bad_input"),
        (json.dumps({"round": {"events": [{**WIN, "hand": "111112233344p5p"}]}}).encode(), 422, "bad_tiles"),
        (json.dumps({"round": {"events": [{**WIN, "hand": "1234p"}]}}).encode(), 422, "bad_tiles"),
        (
            json.dumps({"round": {"events": [{**WIN, "hand": "1234566785p", "melds": [{"kind": "chow", "tiles": "9m12p"}]}]}}).encode(),
            422,
            "bad_tiles",
        ),
    ],
)  # fmt: skip
def test_bad_input_is_answered_with_a_code_and_a_sentence(api: APIClient, body: bytes, status: int, code: str):
    answer = api.post(SCORE, data=body, content_type="application/json")

    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (status, code)
    assert error["message"]
    assert set(error) == {"code", "message", "path"}


def test_a_body_of_ten_megabytes_is_refused(api: APIClient):
    answer = api.post(SCORE, data=b" " * 10_000_000, content_type="application/json")

    assert answer.status_code in (400, 413)
    assert answer.json()["error"]["code"] == "bad_input"


def test_another_content_type_and_method_are_refused_in_the_same_shape(api: APIClient):
    assert api.post(SCORE, data="a=1", content_type="application/x-www-form-urlencoded").json()["error"]["code"] == "bad_input"
    assert api.get(SCORE).status_code == 405
    assert api.get(SCORE).json()["error"]["message"]


@pytest.mark.parametrize("path", ["", "score/", "waits/"])
def test_an_unknown_game_is_not_found(api: APIClient, path: str):
    address = f"/api/v1/variants/no-such-game/{path}"
    answer = api.post(address, {}) if path == "score/" else api.get(address)

    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


def test_the_waits_of_a_hand_come_with_what_they_bring(api: APIClient):
    posted = api.post("/api/v1/variants/sichuan/waits/", {"hand": "2345678p999p", "melds": [{"kind": "pong", "tiles": "111p"}]}).json()
    asked = api.get("/api/v1/variants/sichuan/waits/", {"hand": "2345678p999p", "melds": "111p", "option.base": "2"}).json()

    assert posted["waits"] == asked["waits"] == "124578p"
    assert [wait["tile"] for wait in posted["tiles"]] == ["1p", "2p", "4p", "5p", "7p", "8p"]
    assert asked["tiles"][0]["total"] == 2 * posted["tiles"][0]["total"] > 0
    assert posted["tiles"][0]["left"] == 1


def test_the_waits_of_hands_shown_at_a_draw(api: APIClient):
    hands = [{"seat": 0, "hand": "1112345678999p"}, {"seat": 1, "hand": "1122334455667s"}]
    answer = api.post("/api/v1/variants/sichuan/waits/", {"round": {"events": [{"type": "draw", "hands": hands}]}})

    assert answer.json() == {"waits": ["123456789p", "147s"]}


@pytest.mark.parametrize(
    "query", [{}, {"hand": "x"}, {"hand": "1m"}, {"hand": "1m", "seat": "9"}, {"hand": "1m", "melds": "?"}, {"huh": "1"}]
)
def test_waits_of_no_hand_are_refused(api: APIClient, query: dict[str, str]):
    answer = api.get("/api/v1/variants/sichuan/waits/", query)

    assert answer.status_code == 422
    assert answer.json()["error"]["code"] in ("bad_input", "bad_tiles")


def test_requests_are_throttled_by_address(api: APIClient, monkeypatch: pytest.MonkeyPatch):
    cache.clear()
    monkeypatch.setattr(AnonRateThrottle, "THROTTLE_RATES", {"anon": "2/min"})
    answers = [api.post(SCORE, ROUND) for _ in range(3)]
    cache.clear()

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].json()["error"]["code"] == "too_many_requests"


def test_the_schema_is_complete_and_without_warnings(tmp_path: Path):
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "schema.yaml"))

    text = (tmp_path / "schema.yaml").read_text(encoding="utf-8")
    assert "/api/v1/variants/{slug}/score/" in text
