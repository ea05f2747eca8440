"""The rule book in a real browser: a phone in Chinese, a desk in English, and paper."""

from __future__ import annotations

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.engine.rulesets import slugs
from tests.rules_app.library import index_shipped

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PAGES = [
    "/rules/",
    "/rules/sichuan/",
    "/rules/erbagang/",
    "/rules/sichuan/sheet/",
    "/rules/search/?q=qingyise",
    "/rules/search/?tiles=123456789m11122p",
    "/rules/compare/?g=sichuan&g=wenzhou&g=changsha",
    "/rules/glossary/",
]


@pytest.fixture(autouse=True)
def library(live_server) -> None:
    """Some games, indexed anew, since the database is emptied after each of these tests."""
    index_shipped(["sichuan", "wenzhou", "changsha", "hebei", "erbagang"])


def faults_of(page: Page) -> list[tuple[str, list[str]]]:
    violations = Axe().run(page).response["violations"]
    return [(violation["id"], [node["html"][:200] for node in violation["nodes"]][:4]) for violation in violations]


def test_every_page_fits_a_phone_and_axe_finds_nothing(phone: Page):
    for path in PAGES:
        phone.goto(path)
        assert phone.evaluate("document.documentElement.scrollWidth") == 360, path
        assert faults_of(phone) == [], path


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_a_desk(desktop: Page, scheme: Literal["light", "dark"]):
    desktop.emulate_media(color_scheme=scheme)
    for path in PAGES:
        desktop.goto(path)
        assert faults_of(desktop) == [], path


def test_results_appear_while_typing_and_the_address_follows(phone: Page):
    phone.goto("/rules/search/")
    phone.locator("#q").press_sequentially("pengpenghu")

    expect(phone.locator("#results mark").first).to_have_text("碰碰胡")
    expect(phone.locator("#q")).to_be_focused()
    phone.wait_for_url("**q=pengpenghu**")
    phone.reload()
    expect(phone.locator("#results mark").first).to_have_text("碰碰胡")


def test_a_result_leads_to_its_rule_and_opens_its_examples(phone: Page):
    phone.goto("/rules/search/?q=清一色&game=sichuan")
    phone.locator(".hit a").first.click()

    rule = phone.locator("#pattern-pure_suit")
    expect(rule).to_be_in_viewport()
    expect(rule.locator(".example").first).to_be_visible()
    rule.locator(".example .try").first.click()
    phone.wait_for_url("**/score/sichuan/?what=win**")


def test_the_table_sorts_by_value_and_by_name(desktop: Page):
    desktop.goto("/rules/hebei/")
    numbers = "[...document.querySelectorAll('.patterns tbody')].map(body => Number(body.dataset.number))"
    before = desktop.evaluate(numbers)

    desktop.get_by_role("button", name="Value").click()
    assert desktop.evaluate(numbers) == sorted(before, reverse=True)
    expect(desktop.locator("th[data-sort=number]")).to_have_attribute("aria-sort", "descending")
    desktop.get_by_role("button", name="Value").click()
    assert desktop.evaluate(numbers) == sorted(before)
    desktop.get_by_role("button", name="Value").click()
    assert desktop.evaluate(numbers) == before


def test_chips_narrow_the_index(desktop: Page):
    desktop.goto("/rules/")
    all_games = desktop.locator(".game-card").count()

    desktop.get_by_label("wild tiles").check(force=True)

    expect(desktop.locator(".game-card")).not_to_have_count(all_games)
    desktop.wait_for_url("**has=wild**")


def test_tiles_are_tapped_into_the_search(phone: Page):
    phone.goto("/rules/search/?by=tiles")
    for tile in ("1p", "1p", "1p", "2p", "3p", "4p", "5p", "5p", "6p", "7p", "8p", "9p", "9p", "9p"):
        phone.locator(f'.find-key[data-tile="{tile}"]').click()

    expect(phone.locator("#tiles")).to_have_value("11123455678999p")
    expect(phone.locator(".tile-answer").first).to_be_visible(timeout=60_000)  # reads every document once


def test_each_sheet_is_one_page_of_paper(desktop: Page):
    for language in ("zh-CN", "en-GB"):
        desktop.set_extra_http_headers({"Accept-Language": language})
        for slug in slugs():
            desktop.goto(f"/rules/{slug}/sheet/")
            paper = desktop.pdf(prefer_css_page_size=True)
            assert b"/Count 1" in paper, f"{slug} {language}"
            assert b"/Count 2" not in paper, f"{slug} {language}"


def test_the_book_reads_without_scripts(browser, live_server):
    context = browser.new_context(base_url=live_server.url, locale="zh-CN", java_script_enabled=False)
    page = context.new_page()
    page.goto("/rules/search/?q=清一色")
    expect(page.locator(".hit").first).to_be_visible()
    page.goto("/rules/sichuan/")
    expect(page.locator("#pattern-pure_suit")).to_be_visible()
    context.close()
