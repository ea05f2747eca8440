"""The table's screens in a real browser: accessible, few taps, a bad network, no JavaScript."""

from __future__ import annotations

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from scoring_app.ledger import add_event, open_table, record_round
from scoring_app.models import Entry, Table
from tests.factories import publish
from tests.scoring_app.rounds import discard_win, kong, payload, self_draw

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table(db) -> Table:
    """Two rounds played, one of them corrected in nothing, and a kong in the round in progress."""
    document = (settings.BASE_DIR / "rules_app/definitions/sichuan.yaml").read_text(encoding="utf-8")
    table = open_table(revision=publish("sichuan", document), names=["老王", "小李", "阿芳", "陈伯"], options={"mode": "single"})
    record_round(table=table, payload=payload(discard_win(1, payer=0)), expected_version=0, idempotency_key="a")
    record_round(table=table, payload=payload(self_draw(2)), expected_version=1, idempotency_key="b")
    table.refresh_from_db()
    return table


def at(table: Table, name: str = "table", *args: int, token: str = "") -> str:
    return reverse(f"scoring:{name}", args=[table.public_id, token or table.scorer_token, *args])


def faults(page: Page) -> list[tuple[str, list[str]]]:
    found = Axe().run(page).response["violations"]
    return [(fault["id"], [node["html"] for node in fault["nodes"]]) for fault in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page_of_a_table(phone: Page, table: Table, scheme: Literal["light", "dark"]):
    add_event(table=table, event=kong(0), draft_version=0)
    phone.emulate_media(color_scheme=scheme)
    pages = [
        reverse("scoring:table_new"),
        reverse("scoring:table_new_game", args=["sichuan"]),
        at(table, "links"),
        at(table),
        at(table, token=table.watch_token),
        at(table, "record"),
        at(table, "entry", 1),
        at(table, "correct", 1),
        at(table, "void", 1),
        at(table, "more"),
    ]

    found = {}
    for address in pages:
        phone.goto(address)
        found[address] = faults(phone)
        assert phone.evaluate("document.documentElement.scrollWidth") == 360, address

    assert {address: violations for address, violations in found.items() if violations} == {}


@pytest.mark.parametrize("what", ["胡牌", "杠", "流局", "罚分"])
def test_axe_finds_nothing_on_the_sheet(phone: Page, table: Table, what: str):
    phone.goto(at(table))
    phone.locator("#record-button").click()
    if what != "胡牌":  # which is open already
        phone.locator("#sheet .tabs").get_by_role("link", name=what, exact=True).click()
    expect(phone.locator("#sheet .tabs [aria-current]")).to_have_text(what)
    if what == "胡牌":
        phone.locator('.entry-mode label:has([value="tiles"])').click()
        expect(phone.locator(".tile-keyboard")).to_be_visible()

    assert faults(phone) == []


def test_a_plain_win_takes_four_taps(phone: Page, table: Table):
    phone.goto(at(table))

    phone.locator("#record-button").click()
    phone.locator(".pick .at-3").click()
    phone.locator('.how .segmented label:has([value="1"])').click()
    phone.get_by_role("button", name="确认入账").click()

    expect(phone.locator("#sheet")).to_be_hidden()
    expect(phone.locator(".entries a.what").first).to_contain_text("小李 点炮 → 陈伯")
    expect(phone.locator("#status")).to_contain_text("已入账")


def test_a_win_confirmed_without_a_network_is_entered_once_when_it_is_back(phone: Page, table: Table):
    phone.goto(at(table))
    phone.locator("#record-button").click()
    phone.locator(".pick .at-3").click()
    phone.locator('.how .segmented label:has([value="1"])').click()
    confirm = phone.get_by_role("button", name="确认入账")
    expect(confirm).to_be_visible()

    phone.context.set_offline(True)
    confirm.click()
    expect(phone.locator("body")).to_contain_text("本机有 1 笔待发")
    assert Entry.objects.filter(table=table, kind="round").count() == 2

    phone.context.set_offline(False)
    expect(phone.locator(".entries a.what").first).to_contain_text("小李 点炮 → 陈伯", timeout=20000)
    assert Entry.objects.filter(table=table, kind="round").count() == 3


def test_another_phone_was_faster_and_nothing_is_lost(phone: Page, table: Table):
    phone.goto(at(table))
    phone.locator("#record-button").click()
    phone.locator(".pick .at-3").click()
    phone.locator('.how .segmented label:has([value="1"])').click()
    expect(phone.get_by_role("button", name="确认入账")).to_be_visible()
    record_round(table=table, payload=payload(self_draw(0)), expected_version=2, idempotency_key="other phone")

    phone.get_by_role("button", name="确认入账").click()
    expect(phone.locator("#sheet .error-summary")).to_contain_text("老王 自摸")
    expect(phone.locator(".pick .at-3 input")).to_be_checked()
    phone.get_by_role("button", name="确认入账").click()

    expect(phone.locator("#sheet")).to_be_hidden()
    assert Entry.objects.filter(table=table, kind="round").count() == 4


def test_a_round_is_recorded_without_javascript(browser: Browser, live_server, table: Table):
    context = browser.new_context(base_url=live_server.url, locale="zh-CN", java_script_enabled=False)
    page = context.new_page()
    page.goto(at(table))
    page.get_by_role("link", name="记一局").click()
    page.locator(".pick .at-1").click()
    page.locator('.how .segmented label:has([value="2"])').click()
    page.locator('label.chip:has([name="p.pure_suit"])').click()
    page.get_by_role("button", name="预览").last.click()
    page.get_by_role("button", name="确认入账").click()

    expect(page.locator(".entries a.what").first).to_contain_text("阿芳 点炮 → 小李")
    context.close()


def test_the_watch_page_follows_by_itself_and_rests_while_hidden(desktop: Page, table: Table):
    desktop.goto(at(table, token=table.watch_token))
    asked: list[str] = []
    desktop.on("request", lambda request: asked.append(request.url) if "/state/" in request.url else None)

    record_round(table=table, payload=payload(self_draw(0)), expected_version=2, idempotency_key="c")
    expect(desktop.locator("#last-title")).to_contain_text("Round 3", timeout=8000)

    desktop.evaluate("Object.defineProperty(document, 'hidden', {get: () => true})")
    desktop.wait_for_timeout(500)
    before = len(asked)
    desktop.wait_for_timeout(4000)
    assert len(asked) == before
