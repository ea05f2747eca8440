"""The frame of the site in a real browser, at a phone's width and a desk's."""

from __future__ import annotations

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_home_fits_a_phone_and_leads_through_three_doors(phone: Page):
    phone.goto("/")

    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    expect(phone.locator(".door h2")).to_have_text(["算一手牌", "开一桌", "查规则"])
    smallest = phone.evaluate(
        "Math.min(...[...document.querySelectorAll('header a, header button, .door')].filter(e => e.offsetParent).map(e => e.offsetHeight))"
    )
    assert smallest >= 44


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_home_has_nothing_that_axe_would_report(desktop: Page, scheme: Literal["light", "dark"]):
    desktop.emulate_media(color_scheme=scheme)
    desktop.goto("/")

    violations = Axe().run(desktop).response["violations"]

    assert [(violation["id"], [node["html"] for node in violation["nodes"]]) for violation in violations] == []


def test_the_theme_is_kept_and_the_language_switched(desktop: Page):
    desktop.goto("/")
    desktop.get_by_role("button", name="Light or dark").click()
    chosen = desktop.evaluate("document.documentElement.dataset.theme")

    desktop.get_by_role("button", name="中文").click()

    expect(desktop.locator("html")).to_have_attribute("data-theme", chosen)
    expect(desktop.locator("h1")).to_have_text("麻将裁判")


def test_one_key_leads_to_the_search(desktop: Page):
    desktop.goto("/")
    desktop.keyboard.press("/")

    expect(desktop.get_by_role("searchbox").first).to_be_focused()


def test_tiles_are_drawn(phone: Page):
    phone.goto("/")
    drawn = phone.evaluate("fetch(document.querySelector('.tile use').getAttribute('href')).then(r => r.status)")

    assert drawn == 200


@pytest.fixture
def gallery(settings) -> None:
    """A page with every component, at /gallery/."""
    settings.ROOT_URLCONF = "tests.browser.gallery"
    folders = [*settings.TEMPLATES[0]["DIRS"], settings.BASE_DIR / "tests" / "browser" / "templates"]
    settings.TEMPLATES = [{**settings.TEMPLATES[0], "DIRS": folders}]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_component_is_readable_and_fits_a_phone(gallery: None, phone: Page, scheme: Literal["light", "dark"]):
    phone.emulate_media(color_scheme=scheme)
    phone.goto("/gallery/")

    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    violations = Axe().run(phone).response["violations"]
    assert [(violation["id"], [node["html"] for node in violation["nodes"]]) for violation in violations] == []


def test_a_tile_key_is_wide_and_high_enough_for_a_thumb(gallery: None, phone: Page):
    phone.goto("/gallery/")
    box = phone.locator(".key").first.bounding_box()

    assert box is not None
    assert box["height"] >= 44


def test_a_sheet_opens_takes_the_focus_and_closes(gallery: None, phone: Page):
    phone.goto("/gallery/")
    sheet = phone.locator("#sheet")

    phone.get_by_role("button", name="改").last.click()
    expect(sheet).to_be_visible()
    expect(sheet.get_by_role("button", name="关闭")).to_be_focused()

    phone.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
