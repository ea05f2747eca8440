"""The rule book in both languages: every rule has its place, every example its verdict, every word its translation."""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache
from django.test import Client

from rules_app.book.anchors import PLACES, anchor, bare_anchors, rule_ids
from rules_app.book.sheet import sheet_of
from tests.engine.rulesets import shipped, slugs
from tests.factories import publish
from tests.rules_app.library import library

__all__ = ["library"]
pytestmark = pytest.mark.django_db
LANGUAGES = {"zh": "zh-CN", "en": "en-GB"}
ID = re.compile(r'\bid="([^"]+)"')
LINK = re.compile(r'href="#([^"]+)"')


def page_of(client: Client, path: str, language: str) -> str:
    response = client.get(path, HTTP_ACCEPT_LANGUAGE=LANGUAGES[language])
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", slugs())
def test_every_rule_has_its_place_on_the_page(client: Client, slug: str, language: str):
    html = page_of(client, f"/rules/{slug}/", language)
    document = shipped(slug).document
    ids = ID.findall(html)

    assert sorted({name for name in ids if ids.count(name) > 1}) == []
    wanted = {anchor(kind, name) for kind, name in rule_ids(document)}
    wanted |= set(bare_anchors(document).values()) | set(PLACES)
    wanted |= {anchor("term", str(place)) for place in range(len(document.glossary))}
    assert sorted(wanted - set(ids)) == []
    assert sorted(set(LINK.findall(html)) - set(ids)) == []


@pytest.mark.parametrize("slug", slugs())
def test_features_lead_to_places_that_exist(library: None, client: Client, slug: str):
    ids = set(ID.findall(page_of(client, f"/rules/{slug}/", "en")))
    compare = page_of(client, f"/rules/compare/?g={slug}&all=1", "en")

    led_to = set(re.findall(rf'href="/rules/{slug}/#([^"]+)"', compare))

    assert led_to
    assert sorted(led_to - ids) == []


@pytest.mark.parametrize("slug", slugs())
def test_every_example_shows_its_verdict_and_leads_to_the_scoring_page(client: Client, slug: str):
    html = page_of(client, f"/rules/{slug}/", "zh")
    patterns = shipped(slug).document.patterns.values()

    assert html.count('<li class="example counter') == sum(len(pattern.counters) for pattern in patterns)
    assert html.count('<li class="example') == sum(len(pattern.examples) + len(pattern.counters) for pattern in patterns)
    assert html.count("broken") == 0
    if shipped(slug).document.comparison is None:
        assert f'href="/score/{slug}/?what=' in html or not any(pattern.examples for pattern in patterns)


@pytest.mark.parametrize("slug", slugs())
def test_a_page_in_english_holds_no_chinese_sentence(client: Client, slug: str):
    html = page_of(client, f"/rules/{slug}/", "en")
    text = re.sub(r"<[^>]+>", "\n", html)

    assert [line for line in text.splitlines() if len(re.findall(r"[\u4e00-\u9fff]", line)) > 24] == []


def test_prose_is_safe_and_its_tiles_are_drawn(client: Client, pocket: str):
    en = "`123m` and `words` [l](javascript:x) <b>b</b> ![i](http://x/y.png)"
    body = f'pages:\n  - id: need\n    title: {{zh: 牌, en: Tiles}}\n    body: {{zh: "`123m` <script>x</script>", en: "{en}"}}\n'
    publish("pocket", pocket + body)

    html = page_of(client, "/rules/pocket/", "en")
    prose = html.split('<div class="prose">')[1].split("</div>")[0]

    assert prose.count("<svg") == 3
    assert "<code>words</code>" in prose
    assert "&lt;b&gt;" in prose
    assert "javascript:" not in prose.replace("[l](javascript:x)", "")
    assert "<img" not in prose


def test_a_page_is_made_once_for_a_document(client: Client, django_assert_num_queries):
    cache.clear()
    path = "/rules/sichuan/"
    page_of(client, path, "zh")

    with django_assert_num_queries(1):
        first = page_of(client, path, "zh")

    assert "清一色" in first
    assert "pure suit" in page_of(client, path, "en")


def test_an_unknown_game_is_not_found(client: Client):
    assert client.get("/rules/nowhere/").status_code == 404
    assert client.get("/rules/nowhere/sheet/").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", slugs())
def test_the_sheet_names_every_pattern_and_payment(client: Client, slug: str, language: str):
    html = page_of(client, f"/rules/{slug}/sheet/", language)
    sheet = sheet_of(shipped(slug), slug, language)

    assert html.count("<dt>") == len(sheet.glance) + len(sheet.patterns) + len(sheet.payments)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_index_lists_all_games_and_narrows_them(library: None, client: Client, language: str, django_assert_num_queries):
    with django_assert_num_queries(1):
        html = page_of(client, "/rules/", language)
    few = page_of(client, "/rules/?has=goes_on&has=kong_payments", language)

    assert html.count("card game-card") == len(slugs())
    assert 'href="/rules/sichuan/"' in few
    assert 0 < few.count("card game-card") < len(slugs())


def test_the_comparison_needs_two_queries(library: None, client: Client, django_assert_num_queries):
    with django_assert_num_queries(2):
        html = page_of(client, "/rules/compare/", "zh")
    two = page_of(client, "/rules/compare/?g=sichuan&g=changsha", "zh")

    assert html.count('<th scope="col">') == 2 * (len(slugs()) + 1)
    assert two.count('<th scope="col">') == 6
    assert 'href="/rules/sichuan/#pattern-all_triplets"' in two
    assert 'href="/rules/changsha/#pattern-all_triplets"' in two


def test_the_comparison_knows_one_thing_by_its_names(library: None, client: Client):
    html = page_of(client, "/rules/compare/?g=nanjing&g=sichuan", "zh")
    row = next(row for row in html.split("<tr>") if "#pattern-all_triplets" in row)

    assert "/rules/nanjing/#pattern-all_triplets" in row
    assert "/rules/sichuan/#pattern-all_triplets" in row


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_glossary_leads_to_each_game(library: None, client: Client, language: str):
    html = page_of(client, "/rules/glossary/", language)

    assert "/rules/sichuan/#term-0" in html
    assert html.count("<dt>") > 30
