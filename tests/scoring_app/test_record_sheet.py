"""What the record sheet says while a hand is being entered, and events that a game without a result yet takes in."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse

from rules_app.engine import Refusal
from scoring_app.ledger import open_round_of, open_table, preview_round
from scoring_app.models import Table
from tests.factories import publish

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
NINE_GATES = "1112345678999m"


def open_game(slug: str, **options: Any) -> Table:
    document = (settings.BASE_DIR / "rules_app" / "definitions" / f"{slug}.yaml").read_text(encoding="utf-8")
    return open_table(revision=publish(slug, document), names=["甲", "乙", "丙", "丁"], options=options)


def look(client, table: Table, **sent: Any) -> str:
    form = {"what": "win", "seat": "1", "from": "0", "mode": "tiles", "key": "k", "version": 0, "draft": 0, "go": "look", **sent}
    address = reverse("scoring:record", args=[table.public_id, table.scorer_token])
    return str(client.post(address, form, headers=HTMX).content.decode())


def waits_offered(page: str) -> list[str]:
    return re.findall(r'data-wait="(\w+)"', page)


def test_a_hand_one_tile_short_offers_its_waits_with_their_value(client):
    page = look(client, open_game("sichuan"), hand=NINE_GATES)

    assert waits_offered(page) == [f"{rank}m" for rank in range(1, 10)]
    assert page.count('class="amount plus"') == 9


def test_what_the_winner_is_paid_for_a_wait_counts_the_rest_of_the_form(client):
    table = open_game("sichuan")
    discarded, drawn = (look(client, table, hand="123456789m1155s", **{"from": giver}) for giver in ("0", ""))

    assert "+1<" in discarded
    assert "+1<" not in drawn


def test_missing_tiles_are_counted_and_too_many_are_refused(client):
    table = open_game("sichuan")

    assert "还差 3 张" in look(client, table, hand="123456789m11s")
    assert "手牌应为 10 张" in look(client, table, hand="123456789m1155s", melds="222p")
    assert waits_offered(look(client, table, hand="123456789m11s")) == []


def test_a_hand_that_waits_for_nothing_says_so(client):
    assert "没有一张牌能让它胡" in look(client, open_game("sichuan"), hand="147258369m1479p")


def test_the_amounts_say_why_in_a_line(client):
    page = look(client, open_game("sichuan"), mode="quick", **{"p.pure_suit": "1"})

    line = re.search(r'class="because-line" href="#result"><span>([^<]*)', page)
    assert line is not None
    assert "清一色" in line.group(1)


@pytest.mark.parametrize("slug", ["shanghai", "changsha", "hebei"])
def test_a_kong_is_taken_in_before_the_round_has_a_result(client, slug: str):
    table = open_game(slug)
    form = {"what": "kong:concealed", "seat": "1", "tile": "5p", "key": "k", "version": 0, "draft": 0, "go": "confirm"}
    response = client.post(reverse("scoring:record", args=[table.public_id, table.scorer_token]), form, headers=HTMX)

    assert response.status_code == 200
    draft = open_round_of(table)
    assert draft is not None
    assert [event["type"] for event in draft.events] == ["kong"]
    with pytest.raises(Refusal, match=r"at round\.events:"):
        preview_round(table=table, payload=draft.payload)


def test_a_seat_that_need_not_be_named_can_be_taken_back(client):
    table = open_game("changsha")
    address = reverse("scoring:record", args=[table.public_id, table.scorer_token])

    named = client.get(address, {"what": "draw", "i.last_taker": "2"}).content.decode()
    unnamed = client.get(address, {"what": "draw"}).content.decode()

    assert 'name="i.last_taker" value="">' in named
    assert 'name="i.last_taker" value="2" checked>' in named
    assert 'name="i.last_taker" value="" checked>' in unnamed


def test_a_round_does_not_start_without_the_tile_that_makes_the_wild_one(client):
    table = open_game("wuhan")
    address = reverse("scoring:deal", args=[table.public_id, table.scorer_token])

    refused = client.post(address, {"i.indicator": "", "key": "d", "version": 0, "draft": 0})

    assert refused.status_code == 422
    assert "请填翻出的是哪一张牌" in refused.content.decode()
    assert open_round_of(table) is None
    assert client.post(address, {"i.indicator": "3m", "key": "d", "version": 0, "draft": 0}).status_code == 303


def test_the_book_does_not_say_twice_that_somebody_drew_the_tile(client):
    table = open_game("hebei")
    form = {"what": "win", "seat": "1", "from": "", "mode": "quick", "key": "k", "version": 0, "draft": 0, "go": "confirm"}
    client.post(reverse("scoring:record", args=[table.public_id, table.scorer_token]), form)
    page = client.get(reverse("scoring:table", args=[table.public_id, table.scorer_token])).content.decode()

    assert "<span>乙 自摸</span>" in page
