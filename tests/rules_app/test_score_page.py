"""The scoring page of any game: its form, its answers, its links."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.http import QueryDict
from django.test import Client

from rules_app.catalogue import shipped_files, shipped_revision
from rules_app.engine import Ruleset
from rules_app.payment_arrows import draw
from rules_app.round_events import data_of_event, event_choices, key_of_event, read_event, signed_value
from rules_app.rulings import ruleset_of
from rules_app.scoring_page import build_sheet, canonical_query
from tests.factories import publish

pytestmark = pytest.mark.django_db

WIN = "hand=1234566785544p&tile=4p&seat=2&from=1"
SLUGS = sorted(shipped_files())


def get(client: Client, slug: str, query: str = "", *, language: str = "zh-CN", fragment: bool = False) -> Any:
    headers = {"accept-language": language, **({"hx-request": "true"} if fragment else {})}
    return client.get(f"/score/{slug}/?{query}", headers=headers)


def ruleset(slug: str) -> Ruleset:
    revision = shipped_revision(slug)
    assert revision is not None
    return ruleset_of(revision)


def test_every_game_is_offered(client: Client):
    page = client.get("/score/", headers={"accept-language": "zh-CN"}).content.decode()

    assert "四川麻将" in page
    assert all(f'href="/score/{slug}/"' in page for slug in SLUGS)


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("language", ["zh-CN", "en"])
def test_the_page_of_every_game_and_of_each_of_its_events_is_shown(client: Client, slug: str, language: str):
    for event in event_choices(ruleset(slug), "en"):
        answer = get(client, slug, f"what={event.key}", language=language)

        assert answer.status_code == 200
        page = answer.content.decode()
        assert "<style" not in page
        assert " style=" not in page
        assert "onclick" not in page


def test_an_unknown_game_is_not_found(client: Client):
    assert get(client, "no-such-game").status_code == 404


def test_a_complete_hand_is_scored_with_links_to_its_rules(client: Client):
    page = get(client, "sichuan", WIN).content.decode()

    assert "+8" in page
    assert "−8" in page
    assert "清一色" in page
    assert "/rules/sichuan/#pattern-pure_suit" in page
    assert "/rules/sichuan/#payment-win_discard" in page
    assert '<svg class="arrows"' in page


def test_htmx_gets_the_answer_alone_and_the_address_that_reproduces_it(client: Client):
    answer = get(client, "sichuan", f"{WIN}&streak=0&dealer=0&mode=tiles&o.base=1&o.call_transfer=1", fragment=True)

    page = answer.content.decode()
    assert "<html" not in page
    assert page.strip().startswith('<div id="answer"')
    assert "HX-Request" in answer["Vary"]
    address = urlsplit(answer["HX-Replace-Url"])
    assert parse_qs(address.query) == {"hand": ["1234566785544p"], "tile": ["4p"], "seat": ["2"], "from": ["1"]}
    assert get(client, "sichuan", address.query, fragment=True).content == answer.content


def test_a_hand_one_tile_short_shows_its_waits_with_their_values(client: Client):
    page = get(client, "sichuan", "hand=2345678p999p&melds=111p", fragment=True).content.decode()

    assert page.count("data-wait=") == 6
    assert "tile=2p" in page
    assert "+" in page


def test_an_unfinished_hand_says_how_many_tiles_are_missing(client: Client):
    assert "还差 3 张" in get(client, "sichuan", "hand=12345667855p", fragment=True).content.decode()
    assert "3 more tiles" in get(client, "sichuan", "hand=12345667855p", language="en", fragment=True).content.decode()


def test_a_whole_hand_in_one_text_is_taken_apart(client: Client):
    answer = get(client, "sichuan", "hand=一筒二筒三筒四筒五筒六筒六筒七筒八筒五筒五筒四筒四筒四筒", fragment=True)

    assert parse_qs(urlsplit(answer["HX-Replace-Url"]).query)["tile"] == ["4p"]
    assert "清一色" in answer.content.decode()
    assert 'data-canonical-hand="1234445556678p"' in answer.content.decode()


@pytest.mark.parametrize("fragment", [False, True])
def test_a_refusal_is_a_sentence_with_what_is_missing(client: Client, fragment: bool):
    answer = get(client, "sichuan", "hand=123456m123p123s9p&tile=9p", fragment=fragment)

    page = answer.content.decode()
    assert answer.status_code == 422
    assert "三门俱全" in page
    assert "最多 2；这里是 3" in page
    assert "/rules/sichuan/#condition-missing_suit" in page


def test_a_hand_that_does_not_win_shows_what_it_waits_for(client: Client):
    page = get(client, "sichuan", "hand=1234566785544p&tile=1s", fragment=True).content.decode()

    assert "这手牌听的是" in page


@pytest.mark.parametrize(
    "query",
    [
        "hand=xyz",
        "hand=1234566785544p&tile=9",
        "hand=1234566785544p&melds=?",
        "hand=123456678554412345p",
        "hand=1234566785544p&tile=4p&seat=9",
        "hand=1234566785544p&tile=4p&seat=x",
        "hand=1234566785544p&tile=4p&from=0",
        "hand=1234566785544p&tile=4p&flag=nothing",
        "hand=1234566785544p&tile=4p&o.base=-3",
        "hand=1234566785544p&tile=4p&o.base=99999999999999999999999999",
        "hand=1234566785544p&tile=4p&o.unheard_of=1",
        "hand=1234566785544p&tile=4p&wild=5m",
        "hand=1234566785544p&tile=4p&dealer=7",
        "hand=1234566785544p&tile=4p&wind=5z",
        "hand=1234566785544p&tile=4p&e1.what=kong:exposed",
        "mode=quick&p.nothing=1",
        "mode=quick&p.pure_suit=3",
        "what=kong:concealed&seat=1&tile=5z",
        "what=draw&hands.0.hand=1m",
    ],
)
def test_bad_input_is_refused_with_a_sentence(client: Client, query: str):
    answer = get(client, "sichuan", query, fragment=True)

    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()


def test_the_entry_by_patterns(client: Client):
    page = get(client, "sichuan", "mode=quick&p.pure_suit=1&p.root=2&from=1&seat=0&p.kong=0", fragment=True)

    assert page.status_code == 200
    assert "+16" in page.content.decode()
    query = parse_qs(urlsplit(page["HX-Replace-Url"]).query)
    assert query == {"mode": ["quick"], "p.pure_suit": ["1"], "p.root": ["2"], "from": ["1"]}


@pytest.mark.parametrize(("language", "words"), [("zh-CN", "应为 4；这里是 1"), ("en", "should be 4; here it is 1")])
def test_why_a_pattern_does_not_count(client: Client, language: str, words: str):
    page = get(client, "sichuan", f"{WIN}&why=all_triplets", language=language, fragment=True).content.decode()

    assert words in page


@pytest.mark.parametrize(
    ("language", "words"), [("zh-CN", "至少要 4（起胡台数）；这里是 3"), ("en", "at least 4 (least tai to win); here it is 3")]
)
def test_a_refusal_says_how_much_an_option_asks_for(client: Client, language: str, words: str):
    page = get(client, "ningbo", "hand=123456789m22p34s&tile=5s&wild=1z", language=language, fragment=True).content.decode()

    assert words in page


def test_events_earlier_in_the_round_are_added_counted_and_removed(client: Client):
    added = get(client, "sichuan", f"{WIN}&add=kong:concealed").content.decode()
    assert 'name="e1.what" value="kong:concealed"' in added

    kong = "e1.what=kong:concealed&e1.seat=1&e1.tile=9m"
    scored = get(client, "sichuan", f"{WIN}&{kong}&flag=kong_discard").content.decode()
    assert "呼叫转移" in scored

    removed = get(client, "sichuan", f"{WIN}&{kong}&remove=e1").content.decode()
    assert 'name="e1.what"' not in removed


def test_a_draw_settles_the_hands_shown(client: Client):
    hands = "hands.0.hand=1112345678999p&hands.1.hand=123456789m123s4p&hands.2.hand=1122334455667s&hands.3.hand=123456789m1p2s3s4s"
    answer = get(client, "sichuan", f"what=draw&{hands}", fragment=True)

    assert answer.status_code == 200
    assert "查花猪" in answer.content.decode()


def test_a_comparing_game_has_its_own_form(client: Client):
    form = get(client, "erbagang").content.decode()
    query = "f.banker=27p&f.hands.0=66z&f.hands.1=28p&f.hands.2=9p6z&f.bets.0.player=A&f.bets.0.hand=1&f.bets.0.amount=100"
    answer = get(client, "erbagang", query, fragment=True)

    assert 'name="f.bets.0.player"' in form
    assert answer.status_code == 200
    assert "对发财" in answer.content.decode()


def test_inputs_that_do_not_bear_on_the_round_are_hidden(client: Client):
    without = get(client, "sichuan", WIN, fragment=True).content.decode()
    with_option = get(client, "sichuan", f"{WIN}&o.declared_missing=1", fragment=True).content.decode()

    assert 'data-irrelevant="i.missing "' in without
    assert 'data-irrelevant=""' in with_option


def test_wild_tiles_show_what_they_became(client: Client):
    page = get(client, "wenzhou", "hand=123m456p789s11z5m2p&melds=222s&wild=5m&tile=1p", fragment=True).content.decode()

    assert "财神当三筒" in page
    assert 'class="tile wild' in page


@pytest.mark.parametrize("slug", SLUGS)
def test_events_survive_the_way_into_a_form_and_back(slug: str):
    """Every event of the games' own examples can be entered with the form."""
    rules = ruleset(slug)
    for example in rules.document.examples:
        for event in example.round.get("events", []):
            again = read_event(rules, key_of_event(event), data_of_event(rules, event))
            assert settled(rules, again) == settled(rules, event)


def settled(rules: Ruleset, event: dict[str, Any]) -> dict[str, Any]:
    """An event without what the forms leave out because it is the default."""
    kept = {key: value for key, value in event.items() if value not in (None, [], "", False)}
    if "melds" in kept:
        kept["melds"] = [{key: value for key, value in meld.items() if value is not None} for meld in kept["melds"]]
    if "declared" in kept:
        kept["declared"] = sorted(kept["declared"])
    return kept


def test_the_link_of_a_sheet_reproduces_its_request():
    rules = ruleset("wenzhou")
    query = QueryDict(
        "hand=123m456p789s11z5m2p&melds=222s&wild=5m&tile=1p&i.buy=2&i.top.1=0&i.top.2=0&s.raises=1&flag=after_kong&seat=1&from=2"
    )
    sheet = build_sheet(rules, "wenzhou", query, "zh")

    again = build_sheet(rules, "wenzhou", QueryDict(canonical_query(sheet)), "zh")

    assert again.request["round"]["events"] == sheet.request["round"]["events"]
    assert again.request["table"]["state"] == {"raises": 1}


def test_arrows_net_what_moves_both_ways():
    transfers = [{"from": 0, "to": 1, "amount": 5}, {"from": 1, "to": 0, "amount": 2}, {"from": 2, "to": 3, "amount": 1}]
    picture = draw("ABCD", [-3, 3, -1, 1], transfers)

    assert picture is not None
    assert [arrow.amount for arrow in picture.arrows] == [3, 1]
    assert draw("ABCDE", [0] * 5, []) is None


@pytest.mark.parametrize("language", ["zh-CN", "en"])
def test_an_invented_game_needs_no_python(client: Client, language: str):
    """Three players, ranks 1 to 6, three sets and a pair, its own payments: whatever is published has its page."""
    text = (Path(__file__).parents[1] / "engine/documents/three_rivers.yaml").read_text(encoding="utf-8")
    publish("three_rivers", text)

    page = get(client, "three_rivers", language=language).content.decode()
    keys = [f'data-key="{rank}{suit}"' for suit in "mps" for rank in range(1, 7)]
    assert all(key in page for key in keys)
    assert 'data-key="7m"' not in page
    answer = get(client, "three_rivers", "hand=123m456m222s5s&tile=5s&wild=1p&from=1", language=language, fragment=True)
    assert answer.status_code == 200
    assert answer.content.decode().count('class="party') == 3


def test_a_name_is_cut_to_the_box_of_the_picture_and_read_out_whole(client: Client):
    picture = draw(["欧阳修远大师傅", "Konstantin Wassiljewitsch", "Bob", "小李"], [0, 0, 0, 0], [])

    assert picture is not None
    assert [box.short_name for box in picture.boxes] == ["欧阳修远大…", "Konstanti…", "Bob", "小李"]
    page = get(client, "sichuan", WIN).content.decode()
    label = re.search(r'class="arrows"[^>]*aria-label="([^"]*)"', page)
    assert label is not None
    assert len(re.findall(r"[+\u2212]\d", label.group(1))) == 2


def test_a_single_one_of_a_unit_is_called_by_its_own_word_in_english():
    said = [signed_value(ruleset("sichuan"), "doublings", value, language) for language in ("en", "zh") for value in (1, 2)]

    assert said == ["1 doubling", "2 doublings", "1 加番", "2 加番"]
