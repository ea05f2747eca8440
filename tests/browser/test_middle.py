"""One phone in the middle of the table, a tablet, and two devices that know of each other (G28)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from scoring_app.ledger import Origin, open_table, record_round
from scoring_app.models import Entry, Table
from tests.conftest import open_page
from tests.factories import publish
from tests.scoring_app.rounds import discard_win, payload, self_draw

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table(db) -> Table:
    document = (settings.BASE_DIR / "rules_app/definitions/sichuan.yaml").read_text(encoding="utf-8")
    table = open_table(revision=publish("sichuan", document), names=["老王", "小李", "阿芳", "陈伯"], options={"mode": "single"})
    record_round(table=table, payload=payload(discard_win(1, payer=0)), expected_version=0, idempotency_key="a")
    table.refresh_from_db()
    return table


@pytest.fixture
def second(browser: Browser, live_server) -> Iterator[Page]:
    yield from open_page(browser, live_server.url, width=360, height=780, locale="zh-CN")


def at(table: Table, name: str = "table", *, token: str = "") -> str:
    return reverse(f"scoring:{name}", args=[table.public_id, token or table.scorer_token])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_middle(phone: Page, table: Table, scheme: Literal["light", "dark"]):
    phone.emulate_media(color_scheme=scheme)
    phone.goto(at(table, "middle"))

    assert Axe().run(phone).response["violations"] == []
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    for name in ("老王", "小李", "阿芳", "陈伯"):
        box = phone.locator(".quarter .name", has_text=name).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 18, name
        quarter = phone.locator(".quarter a", has_text=name).bounding_box()
        assert quarter is not None
        assert quarter["x"] <= box["x"]
        assert box["x"] + box["width"] <= quarter["x"] + quarter["width"]
    for target in phone.locator(".quarter a").all():
        box = target.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 100


def test_a_win_is_recorded_from_the_seat_that_was_tapped(phone: Page, table: Table):
    phone.goto(at(table, "middle"))

    phone.locator(".quarter.north a").click()
    expect(phone.locator('#sheet [name="seat"][value="2"]')).to_be_checked()
    phone.locator('#sheet .how label:has([name="from"][value=""])').click()
    phone.get_by_role("button", name="确认入账").click()

    expect(phone.locator("#sheet")).to_be_hidden()
    expect(phone.locator(".quarter.north .total")).to_have_text("+6")
    expect(phone.locator("[data-middle]")).to_have_count(1)
    phone.get_by_role("button", name="撤销").click()
    expect(phone.locator(".quarter.north .total")).to_have_text("0")


def test_on_a_tablet_the_sheet_stands_beside_the_table(desktop: Page, table: Table):
    desktop.set_viewport_size({"width": 1024, "height": 768})
    desktop.goto(at(table))
    desktop.locator("#record-button").click()
    expect(desktop.locator("#sheet .pick")).to_be_visible()

    felt, sheet = desktop.locator("#table .seats").bounding_box(), desktop.locator("#sheet").bounding_box()
    assert felt is not None
    assert sheet is not None
    assert felt["x"] + felt["width"] <= sheet["x"]
    assert Axe().run(desktop).response["violations"] == []
    desktop.keyboard.press("Escape")
    expect(desktop.locator("#sheet")).to_be_hidden()


def test_two_devices_know_of_each_other_and_one_takes_over(phone: Page, second: Page, table: Table):
    origin = Origin(device_id="another", device_label="阿芳的手机")
    record_round(table=table, payload=payload(self_draw(0)), expected_version=1, idempotency_key="b", origin=origin)
    second.goto(at(table))
    expect(second.locator(".entries a.what")).to_have_count(2)
    phone.goto(at(table))
    expect(phone.locator("#writers")).to_contain_text("阿芳的手机")
    phone.locator(".naming #naming").fill("老王的手机")
    phone.locator(".naming").get_by_role("button", name="保存").click()
    expect(phone.locator(".naming")).to_have_count(0)

    phone.locator("#writers").get_by_role("link", name="由本机接手").click()
    assert Axe().run(phone).response["violations"] == []
    old = table.scorer_token
    phone.get_by_role("button", name="由本机接手").click()

    expect(phone.locator("#status")).to_contain_text("只由本机记分")
    table.refresh_from_db()
    assert table.scorer_token != old
    expect(second.locator("#link-ended")).to_be_visible(timeout=8000)
    phone.locator("#record-button").click()
    phone.locator("#sheet .pick .at-3").click()
    phone.locator('#sheet .how label:has([name="from"][value="0"])').click()
    phone.get_by_role("button", name="确认入账").click()
    expect(phone.locator("#sheet")).to_be_hidden()
    assert Entry.objects.get(table=table, seq=3).device_label == "老王的手机"


def test_the_table_is_closed_from_a_page_of_its_own(phone: Page, table: Table):
    phone.goto(at(table, "more"))
    phone.get_by_role("button", name="结束本桌").click()

    expect(phone.get_by_text("本桌已结束。仍可更正")).to_be_visible()
    expect(phone.get_by_role("link", name="结账")).to_be_visible()
    assert Table.objects.get().status == Table.Status.CLOSED
