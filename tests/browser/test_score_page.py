"""Scoring a hand with the tile keyboard on a phone, in Chinese."""

from __future__ import annotations

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def tap(page: Page, tiles: str) -> None:
    for tile in tiles.split():
        page.locator(f'[data-key="{tile}"]').click()


def test_a_hand_is_entered_with_the_keyboard(phone: Page):
    phone.goto("/score/sichuan/")
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    keys = phone.locator("[data-key]:visible")
    assert keys.count() == 27
    box = keys.first.bounding_box()
    assert box is not None
    assert box["width"] >= 36
    assert box["height"] >= 48

    phone.get_by_role("button", name="碰", exact=True).click()
    tap(phone, "1p")
    expect(phone.locator(".felt-meld")).to_have_count(1)
    expect(phone.locator('[data-key="1p"]')).to_be_disabled()  # one left is too few for another pong
    phone.get_by_role("button", name="手牌", exact=True).click()
    tap(phone, "2p 3p 4p 5p 6p 7p 8p 9p 9p 9p")

    expect(phone.locator("#answer .waits li")).to_have_count(6)
    expect(phone.locator('[data-wait="2p"]')).to_contain_text("+")
    expect(phone.locator('[data-key="9p"] .left')).to_have_text("1")

    tap(phone, "2p")  # a full hand: the next tile is the one won on
    expect(phone.locator("#answer .figure")).to_have_text("+24")
    expect(phone.locator("#answer .lines")).to_contain_text("清一色")
    assert "melds=111p" in phone.url
    assert "tile=2p" in phone.url

    phone.locator("[data-backspace]").click()
    expect(phone.locator("#answer .waits")).to_be_visible()
    phone.locator('[data-wait="5p"]').click()
    expect(phone.locator("#answer .figure")).to_have_text("+24")

    phone.get_by_label("乙家点炮").check()
    expect(phone.locator("#answer .figure")).to_have_text("+4")
    phone.locator("#why").select_option("all_triplets")
    expect(phone.locator(".because")).to_contain_text("应为 4；这里是 2")

    phone.reload()
    expect(phone.locator("#answer .figure")).to_have_text("+4")
    expect(phone.locator(".felt-meld")).to_have_count(1)
    assert phone.evaluate("document.documentElement.scrollWidth") == 360


def test_a_pasted_hand_in_another_notation_fills_the_felt(phone: Page):
    phone.goto("/score/sichuan/")
    phone.get_by_text("手写或粘贴").click()
    phone.get_by_label("手牌", exact=True).fill("一筒二筒三筒四筒五筒六筒六筒七筒八筒五筒五筒四筒四筒四筒")

    expect(phone.locator("#answer .figure")).to_be_visible()
    expect(phone.locator(".felt-hand .felt-tile")).to_have_count(13)
    expect(phone.locator(".felt-win .felt-tile")).to_have_count(1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "address",
    [
        "/score/",
        "/score/sichuan/",
        "/score/sichuan/?hand=1234566785544p&tile=4p&from=1&why=all_triplets",
        "/score/wenzhou/?hand=123m456p789s11z5m2p&melds=222s&wild=5m",
        "/score/two_player/?mode=quick&p.pure_suit=1",
    ],
)
def test_axe_finds_nothing(phone: Page, scheme: Literal["light", "dark"], address: str):
    phone.emulate_media(color_scheme=scheme)
    phone.goto(address)

    violations = Axe().run(phone).response["violations"]

    assert [(violation["id"], [node["html"][:200] for node in violation["nodes"]]) for violation in violations] == []


def test_the_page_works_without_scripts(browser, live_server):
    context = browser.new_context(
        base_url=live_server.url, locale="zh-CN", java_script_enabled=False, viewport={"width": 360, "height": 780}
    )
    page = context.new_page()
    page.goto("/score/sichuan/")
    page.get_by_label("手牌", exact=True).fill("1234566785544p")
    page.get_by_label("胡的那张").fill("4p")
    page.get_by_role("button", name="算", exact=True).click()

    expect(page.locator("#answer .figure")).to_have_text("+48")
    context.close()
