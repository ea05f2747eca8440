"""Rounds that go on after a win: who may still win, what the sheet says of each event, what the book lists."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from scoring_app.ledger import open_table, record_round
from scoring_app.models import Table
from tests.factories import publish
from tests.scoring_app.rounds import discard_win, payload, self_draw

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
READY = ("123456789m1122p", "123456789s1122p", "123456m789s1122p")


def open_game(mode: str) -> Table:
    document = (settings.BASE_DIR / "rules_app" / "definitions" / "sichuan.yaml").read_text(encoding="utf-8")
    return open_table(revision=publish("sichuan", document), names=["甲", "乙", "丙", "丁"], options={"mode": mode})


def send(client: Client, table: Table, draft: int, go: str = "confirm", **sent: Any) -> str:
    form = {"what": "win", "mode": "quick", "key": f"k{draft}", "version": 0, "draft": draft, "go": go, **sent}
    address = reverse("scoring:record", args=[table.public_id, table.scorer_token])
    response = client.post(address, form, headers=HTMX)
    assert response.status_code == 200
    return unescape(response.content.decode())


def enabled(page: str, name: str) -> list[str]:
    return [found[1] for found in re.findall(rf'<input type="radio" name="({name})" value="(\d)"(?![^>]*disabled)', page)]


@pytest.mark.parametrize(("mode", "may_win", "may_pay"), [("blood_battle", "023", "023"), ("blood_flow", "0123", "0123")])
def test_the_rules_say_whether_a_winner_plays_on(client, mode, may_win, may_pay):
    page = send(client, open_game(mode), 0, seat="1", **{"from": ""})

    assert enabled(page, "seat") == list(may_win)
    assert enabled(page, "from") == list(may_pay)


def test_a_winner_wins_again_and_shows_a_hand_at_the_draw(client):
    table = open_game("blood_flow")
    send(client, table, 0, seat="1", **{"from": ""})
    send(client, table, 2, seat="1", **{"from": "0"})
    hands = {f"hands.{seat}.hand": hand for seat, hand in enumerate((*READY, "123456789p1122s"))}

    looked = send(client, table, 3, go="look", what="draw", mode="", **hands)

    assert 'value="confirm"' in looked


def test_who_won_later_may_pay_for_an_earlier_win_when_that_is_put_right(client):
    table = open_game("blood_battle")
    played = payload(discard_win(0, payer=1), discard_win(1, payer=2), self_draw(2))
    record_round(table=table, payload=played, expected_version=0, idempotency_key="r")
    address = reverse("scoring:correct", args=[table.public_id, table.scorer_token, 1])

    first, last = (unescape(client.get(address, {"index": index}).content.decode()) for index in (0, 2))

    assert enabled(first, "from") == ["0", "1", "2", "3"]
    assert re.search(r'name="from" value="1" checked', first)
    assert enabled(last, "from") == ["2", "3"]


def test_an_event_is_explained_by_itself(client):
    table = open_game("blood_battle")
    send(client, table, 0, seat="1", **{"from": "", "p.pure_suit": "1"})
    looked = send(client, table, 2, go="look", what="kong:concealed", seat="2", tile="5p")
    line = re.search(r'class="because-line" href="#result"><span>([^<]*)', looked)

    assert line is not None
    assert "清一色" not in line[1]
    assert "下雨" in line[1] or "杠" in line[1]
    assert "本局至此" in looked


def test_the_way_of_entry_is_kept_through_a_round(client):
    table = open_game("blood_battle")
    client.cookies["record_mode"] = "tiles"
    page = send(client, table, 0, seat="1", **{"from": ""})

    assert re.search(r'name="mode" value="quick" checked', page)


def test_the_sheet_names_what_is_missing(client):
    assert "接着填：牌" in send(client, open_game("blood_battle"), 0, go="look", what="kong:concealed", seat="2")


def test_the_book_lists_kongs_and_the_draw_beside_the_wins(client):
    table = open_game("blood_battle")
    send(client, table, 0, what="kong:concealed", mode="", seat="2", tile="5s")
    send(client, table, 2, seat="1", **{"from": "0"})
    hands = {f"hands.{seat}.hand": hand for seat, hand in ((0, READY[0]), (2, "1234444555m"), (3, READY[2]))}
    page = send(client, table, 3, what="draw", mode="", **hands, **{"hands.2.melds": "5555s 暗"})

    lines = re.findall(r'<span class="line">([^<]*)', page)
    assert len(lines) == 3
    assert "暗杠" in lines[0]
    assert lines[2] == "流局"
