"""The search page and its API."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from rest_framework.test import APIClient

from rules_app.search.asking import looks_like_tiles
from tests.rules_app.library import library

__all__ = ["library"]
pytestmark = pytest.mark.django_db
STRAIGHT = "123456789m11122p"


@pytest.fixture
def client() -> Client:
    """Somebody who reads Chinese."""
    return Client(HTTP_ACCEPT_LANGUAGE="zh-CN")


def test_the_page_shows_games_marks_and_tiles(library: None, client: Client):
    html = client.get("/rules/search/?q=qingyise").content.decode()

    assert "<mark>清一色</mark>" in html
    assert 'href="/rules/sichuan/#pattern-pure_suit"' in html
    assert html.count('class="tile"') > 14
    assert 'value="qingyise"' in html


def test_another_name_is_shown_where_it_was_meant(library: None, client: Client):
    html = client.get("/rules/search/?q=大对子&game=changsha").content.decode()

    assert "碰碰胡" in html
    assert "<mark>大对子</mark>" in html


def test_htmx_gets_the_results_alone(library: None, client: Client):
    response = client.get("/rules/search/?q=清一色", HTTP_HX_REQUEST="true")

    html = response.content.decode()
    assert html.strip().startswith('<section id="results"')
    assert "HX-Request" in response["Vary"]


@pytest.mark.parametrize("query", ["q=清一色", "q=zzzz", "q=", "q=财神&kind=pattern&needs=wild&region=Sichuan"])
def test_the_page_asks_the_database_a_fixed_number_of_times(library: None, client: Client, django_assert_max_num_queries, query: str):
    with django_assert_max_num_queries(6):
        assert client.get(f"/rules/search/?{query}").status_code == 200


def test_tiles_find_patterns_of_every_game(library: None, client: Client):
    html = client.get(f"/rules/search/?tiles={STRAIGHT}").content.decode()

    assert "四川麻将" in html
    assert "#pattern-pure_straight" in html
    assert "what=win" in html


def test_a_hand_one_tile_short_says_what_it_waits_for(library: None, client: Client):
    html = client.get("/rules/search/?tiles=123456789m1112p").content.decode()

    assert "还差一张" in html


def test_tiles_typed_as_words_are_taken_as_tiles(library: None, client: Client):
    assert "asked-tiles" in client.get(f"/rules/search/?q={STRAIGHT}").content.decode()
    assert not looks_like_tiles("7对")
    assert not looks_like_tiles("清一色")
    assert looks_like_tiles("🀇🀈🀉")


def test_tiles_that_are_none_get_a_sentence(library: None, client: Client):
    response = client.get("/rules/search/?tiles=99x")

    assert response.status_code == 422
    assert "error-summary" in response.content.decode()


def test_the_api_gives_the_same_order(library: None):
    answer = APIClient(HTTP_ACCEPT_LANGUAGE="zh-CN").get("/api/v1/search/?q=pengpenghu").json()

    first = answer["games"][0]["hits"][0]
    assert (first["kind"], first["id"], first["match"]) == ("pattern", "all_triplets", "name")
    assert first["title"] == {"zh": "碰碰胡", "en": "all triplets"}
    assert first["url"].endswith("#pattern-all_triplets")
    assert "碰碰胡" in first["marks"]
    assert answer["count"] == sum(len(game["hits"]) for game in answer["games"])


def test_the_api_answers_tiles(library: None):
    answer = APIClient(HTTP_ACCEPT_LANGUAGE="zh-CN").get(f"/api/v1/search/?tiles={STRAIGHT}").json()

    by_game = {game["game"]: game["tiles"] for game in answer["games"]}
    assert by_game["hebei"]["state"] == "made"
    assert "pure_straight" in {pattern["id"] for pattern in by_game["hebei"]["patterns"]}
    assert by_game["wenzhou"] == {"state": "size", "needs": 17}
    assert by_game["erbagang"]["state"] == "size"


def test_two_tiles_are_a_hand_where_hands_are_compared(library: None):
    answer = APIClient(HTTP_ACCEPT_LANGUAGE="zh-CN").get("/api/v1/search/?tiles=28p").json()

    by_game = {game["game"]: game["tiles"] for game in answer["games"]}
    assert [pattern["id"] for pattern in by_game["erbagang"]["patterns"]] == ["two_eight"]


def test_the_api_refuses_what_is_no_tile(library: None):
    response = APIClient().get("/api/v1/search/?tiles=9x")

    assert (response.status_code, response.json()["error"]["code"], response.json()["error"]["path"]) == (422, "bad_tiles", "tiles")


def test_the_api_is_described(client: Client):
    schema = client.get("/api/schema/?format=json", HTTP_ACCEPT="application/json")

    operation = json.loads(schema.content)["paths"]["/api/v1/search/"]["get"]
    assert {parameter["name"] for parameter in operation["parameters"]} >= {"q", "tiles", "game", "kind", "region", "needs"}
