"""Phones at a bad network: rounds are kept on the device, survive a reload, and are in the book exactly once (G1, G2, G3, G28)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from scoring_app.ledger import open_table, record_round, verify_table
from scoring_app.models import Entry, Table
from tests.factories import publish
from tests.scoring_app.rounds import payload, self_draw

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PEOPLE = ["老王", "小李", "阿芳", "陈伯"]


@pytest.fixture
def table(db) -> Table:
    document = (settings.BASE_DIR / "rules_app/definitions/sichuan.yaml").read_text(encoding="utf-8")
    return open_table(revision=publish("sichuan", document), names=PEOPLE, options={"mode": "single"})


@pytest.fixture
def phones(browser: Browser, live_server) -> Iterator[list[Page]]:
    """Four phones, each a browser profile of its own."""
    contexts = [
        browser.new_context(base_url=live_server.url, locale="zh-CN", viewport={"width": 360, "height": 780}) for _number in range(4)
    ]
    faults: list[str] = []
    pages = []
    for context in contexts:
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if "Content Security Policy" in message.text else None)
        pages.append(page)
    yield pages
    for context in contexts:
        context.close()
    assert faults == []


def at(table: Table, name: str = "table", *args: int, token: str = "") -> str:
    return reverse(f"scoring:{name}", args=[table.public_id, token or table.scorer_token, *args])


def ready(page: Page) -> None:
    """The device keeps the table's pages and sheets."""
    page.wait_for_selector("html[data-worker][data-sheets-kept]", timeout=20_000, state="attached")


def tap_win(page: Page, seat: int, giver: int | None) -> None:
    page.locator("#record-button").click()
    page.locator(f"#sheet .pick .at-{seat}").click()
    page.locator(f'#sheet .how label:has([name="from"][value="{"" if giver is None else giver}"])').click()


def keep_win(page: Page, seat: int, giver: int | None) -> None:
    tap_win(page, seat, giver)
    page.get_by_role("button", name="先存本机，稍后发出").click()
    expect(page.locator("#sheet")).to_be_hidden()


def totals(page: Page) -> list[str]:
    return page.locator("#table .seat .total").all_inner_texts()


def test_four_phones_and_one_of_them_offline_for_three_rounds(phones: list[Page], table: Table):
    for page in phones:
        page.goto(at(table))
    away = phones[2]
    tap_win(away, 0, 1)
    away.get_by_role("button", name="确认入账").click()
    expect(away.locator("#sheet")).to_be_hidden()
    ready(away)

    away.context.set_offline(True)
    keep_win(away, 1, 2)
    expect(away.locator("#outbox .words")).to_have_text("本机有 1 笔待发，网络恢复后自动发出。")
    away.reload()
    expect(away.locator("#outbox .words")).to_have_text("本机有 1 笔待发，网络恢复后自动发出。")
    expect(away.locator(".entries a.what")).to_have_count(1)
    keep_win(away, 2, None)
    keep_win(away, 3, 0)
    expect(away.locator("#outbox .words")).to_have_text("本机有 3 笔待发，网络恢复后自动发出。")
    assert away.evaluate("document.documentElement.scrollWidth") == 360
    assert Axe().run(away).response["violations"] == []
    assert Entry.objects.filter(table=table).count() == 1

    away.context.set_offline(False)
    expect(away.locator("#outbox")).to_be_hidden(timeout=40_000)
    for page in phones:
        expect(page.locator(".entries a.what")).to_have_count(4, timeout=10_000)

    rounds = Entry.objects.filter(table=table, kind="round").order_by("seq")
    wins = [entry.contents.get().payload["round"]["events"][0] for entry in rounds]
    assert [(win["seat"], win.get("from")) for win in wins] == [(0, 1), (1, 2), (2, None), (3, 0)]
    assert len({tuple(totals(page)) for page in phones}) == 1
    assert [entry.client_time is not None and entry.client_time < entry.server_time for entry in rounds] == [True] * 4
    table.refresh_from_db()
    assert verify_table(table) == []


def test_an_answer_that_is_lost_doubles_nothing(phones: list[Page], table: Table):
    page = phones[0]
    page.goto(at(table))
    answers: list[int] = []

    def lose(route) -> None:
        answers.append(route.fetch().status)
        route.abort()

    tap_win(page, 0, 1)
    confirm = page.get_by_role("button", name="确认入账")
    expect(confirm).to_be_visible()
    page.route("**/record/", lose, times=1)
    confirm.click()

    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator("#outbox")).to_be_hidden(timeout=20_000)
    expect(page.locator(".entries a.what")).to_have_count(1)
    assert answers == [200]
    assert Entry.objects.filter(table=table).count() == 1


def test_a_game_with_a_wild_tile_goes_on_without_a_network(phones: list[Page], db):
    document = (settings.BASE_DIR / "rules_app/definitions/wenzhou.yaml").read_text(encoding="utf-8")
    table = open_table(revision=publish("wenzhou", document), names=PEOPLE)
    page = phones[0]
    page.goto(at(table))
    ready(page)

    page.context.set_offline(True)
    for tile, seat in (("5m", 0), ("7z", 2)):
        page.locator("#record-button").click()
        page.locator(f'#sheet .wild-keys label:has([value="{tile}"])').click()
        page.get_by_role("button", name="开始这一局").click()
        page.locator(f"#sheet .pick .at-{seat}").click()
        page.locator('#sheet .how label:has([name="from"][value=""])').click()
        page.get_by_role("button", name="先存本机，稍后发出").click()
        expect(page.locator("#sheet")).to_be_hidden()
    page.context.set_offline(False)

    expect(page.locator("#outbox")).to_be_hidden(timeout=40_000)
    rounds = [entry.contents.get().payload["round"] for entry in Entry.objects.filter(table=table).order_by("seq")]
    assert [(one["wild"], one["events"][0]["seat"]) for one in rounds] == [(["5m"], 0), (["7z"], 2)]


def test_a_plain_form_waits_too(phones: list[Page], table: Table):
    """The table fee is charged on a page without htmx, while the network is down."""
    record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key="a")
    page = phones[0]
    page.goto(reverse("clubs:table_fee", args=[table.public_id, table.scorer_token]))
    page.locator('main [name="amount"]').fill("5")
    page.context.set_offline(True)
    page.get_by_role("button", name="收取").click()
    expect(page.locator("#outbox .words")).to_have_text("本机有 1 笔待发，网络恢复后自动发出。")

    page.context.set_offline(False)
    expect(page.locator("#outbox")).to_be_hidden(timeout=20_000)
    assert Entry.objects.filter(table=table, kind="fee").count() == 1


def test_another_phone_wrote_meanwhile_and_what_was_kept_is_shown_beside_it(phones: list[Page], table: Table):
    page = phones[0]
    page.goto(at(table))
    ready(page)
    page.context.set_offline(True)
    keep_win(page, 1, 2)
    keep_win(page, 2, None)
    record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key="another phone")

    page.context.set_offline(False)
    expect(page.locator("#sheet .error-summary")).to_contain_text("老王 自摸", timeout=40_000)
    expect(page.locator('#sheet [name="seat"][value="1"]')).to_be_checked()
    expect(page.locator('#sheet [name="from"][value="2"]')).to_be_checked()
    assert Entry.objects.filter(table=table).count() == 1
    page.get_by_role("button", name="确认入账").click()

    expect(page.locator("#outbox")).to_be_hidden(timeout=20_000)
    expect(page.locator(".entries a.what")).to_have_count(3)
    wins = [entry.contents.get().payload["round"]["events"][0]["seat"] for entry in Entry.objects.filter(table=table).order_by("seq")]
    assert wins == [0, 1, 2]
