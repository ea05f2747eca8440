"""The record sheet under the thumb: waits and melds by tapping, keys that fit in English, a focus that is not lost."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from scoring_app.ledger import open_table
from scoring_app.models import Table
from tests.conftest import open_page
from tests.factories import publish

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def english(browser: Browser, live_server) -> Iterator[Page]:
    yield from open_page(browser, live_server.url, width=360, height=740, locale="en-GB")


def open_game(page: Page, slug: str, **options: str) -> Table:
    document = (settings.BASE_DIR / "rules_app" / "definitions" / f"{slug}.yaml").read_text(encoding="utf-8")
    names = ["Wang", "Li Na", "Uncle Chen", "Fang"]
    table = open_table(revision=publish(slug, document), names=names, options=options)
    page.goto(reverse("scoring:table", args=[table.public_id, table.scorer_token]))
    return table


def tap(page: Page, *tiles: str) -> None:
    for tile in tiles:
        page.locator(f'#sheet [data-key="{tile}"]').click()


def test_the_winning_tile_is_tapped_among_the_waits(english: Page):
    open_game(english, "sichuan", mode="single")
    english.locator("#record-button").click()
    english.locator(".pick .at-3").click()
    english.locator('.givers label:has([value="1"])').click()
    english.locator('.entry-mode label:has([value="tiles"])').click()
    tap(english, *[f"{rank}m" for rank in (1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9)])
    expect(english.locator(".confirm-bar")).to_contain_text("2 more tiles")
    tap(english, "9m")

    expect(english.locator(".wait-bar button")).to_have_count(9)
    english.locator('.wait-bar [data-wait="5m"]').click()

    expect(english.locator(".felt-win .winning")).to_be_visible()
    expect(english.locator(".because-line")).to_be_in_viewport()
    expect(english.locator(".because-line")).to_contain_text("pure suit")
    english.get_by_role("button", name="Confirm").click()
    expect(english.locator("#sheet")).to_be_hidden()
    expect(english.locator("#record-button")).to_be_focused()


def test_every_mode_of_the_keyboard_fits_beside_the_others(english: Page):
    for slug in ("changsha", "shanghai"):
        open_game(english, slug)
        english.locator("#record-button").click()
        english.locator('.entry-mode label:has([value="tiles"])').click()
        boxes = [mode.bounding_box() for mode in english.locator("#sheet .mode").all()]
        edges = [(box["x"], box["x"] + box["width"]) for box in boxes if box]
        assert all(box and min(box["width"], box["height"]) >= 30 for box in boxes)
        assert all(right <= left + 0.5 for (_start, right), (left, _end) in pairwise(edges)), slug
        assert edges[-1][1] <= 360, slug


def test_nobody_gives_a_tile_for_his_own_kong(english: Page):
    open_game(english, "nanjing")
    english.locator("#record-button").click()
    english.locator("#sheet .tabs").get_by_role("link", name="Kong", exact=True).click()
    givers = english.locator('[data-field="from"] label')
    expect(givers.filter(visible=True)).to_have_count(4)

    english.locator('[data-field="seat"] label').nth(1).click()
    expect(givers.filter(visible=True)).to_have_text(["Wang", "Uncle Chen", "Fang"])
    tap(english, "5p")
    givers.nth(2).click()

    expect(english.locator(".amounts-bar li", has_text="Li Na")).to_contain_text("+6")


def test_the_melds_of_a_hand_shown_are_tapped(english: Page):
    open_game(english, "sichuan")
    english.locator("#record-button").click()
    english.locator("#sheet .tabs").get_by_role("link", name="Draw", exact=True).press("Enter")
    expect(english.locator("#sheet .tabs [aria-current]")).to_have_text("Draw")
    expect(english.locator("#sheet .tabs [aria-current]")).to_be_focused()
    expect(english.locator("#sheet .tile-keyboard")).to_be_hidden()

    melds = english.locator('[name="hands.2.melds"]')
    melds.click()
    expect(melds).to_be_in_viewport()
    tap(english, "3s")
    english.locator('#sheet [data-mode="kong-concealed"]').click()
    tap(english, "5p")
    expect(melds).to_have_value("333s, 5555p concealed")
    english.locator("#sheet [data-backspace]").click()

    expect(melds).to_have_value("333s")
    english.locator('[name="hands.2.hand"]').click()
    tap(english, "1m", "2m")
    expect(english.locator('[name="hands.2.hand"]')).to_have_value("12m")
    expect(english.locator('[name="hands.2.melds"] + .tile-view .tile')).to_have_count(3)
