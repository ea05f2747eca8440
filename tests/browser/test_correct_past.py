"""A round is put right six rounds later, in a game that carries raises of the base from round to round (G6, G7, G9)."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page, expect

from rules_app.models import Revision
from scoring_app.ledger import open_table, record_round, record_transfer, table_overview, verify_table
from scoring_app.models import Entry, Table
from tests.factories import publish

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PEOPLE = ["老王", "小李", "阿芳", "陈伯"]
WINS = [(0, None), (1, 0), (1, None), (1, 3), (2, 1), (2, None), (3, 2), (3, None), (0, 3)]
"""Winner and payer: the dealer wins the third and the fourth round, which raises the base twice."""
MEANT = (2, 1)
"""What the third round should have been: 小李 discarded, 阿芳 won."""


def win(seat: int, giver: int | None) -> dict[str, Any]:
    event: dict[str, Any] = {"type": "win", "seat": seat, "by": "self_draw", "declared": []}
    return {"round": {"wild": ["5m"], "events": [event if giver is None else event | {"by": "discard", "from": giver}]}}


def played(revision: Revision, wins: list[tuple[int, int | None]]) -> Table:
    table = open_table(revision=revision, names=PEOPLE)
    for version, (seat, giver) in enumerate(wins):
        record_round(table=table, payload=win(seat, giver), expected_version=version, idempotency_key=f"round {version}")
    table.refresh_from_db()
    return table


def paid(table: Table) -> dict[int, dict[int, int]]:
    """What each round moved, by its number."""
    return {entry.number: dict(entry.payments) for entry in table_overview(table).entries if entry.number}


def begun(table: Table) -> dict[int, object]:
    """What each round began with: dealer, streak, raises."""
    return {entry.number: entry.before for entry in table_overview(table).entries if entry.number}


def test_round_three_is_corrected_after_round_nine(phone: Page, db):
    document = (settings.BASE_DIR / "rules_app/definitions/wenzhou.yaml").read_text(encoding="utf-8")
    revision = publish("wenzhou", document)
    table = played(revision, WINS)
    meant = played(revision, [*WINS[:2], MEANT, *WINS[3:]])
    before, after = paid(table), paid(meant)
    changed = [number for number in before if before[number] != after[number] or begun(table)[number] != begun(meant)[number]]
    assert {3, 4} < set(changed)

    phone.goto(reverse("scoring:table", args=[table.public_id, table.scorer_token]))
    phone.locator(".entry a.what", has_text="第 3 局").click()
    phone.locator("#sheet").get_by_role("link", name="更正").click()
    expect(phone.locator('#sheet [name="seat"][value="1"]')).to_be_checked()
    expect(phone.locator('#sheet [name="from"][value=""]')).to_be_checked()
    phone.locator("#sheet .pick .at-2").click()
    phone.locator('#sheet .how label:has([name="from"][value="1"])').click()
    phone.locator("#sheet").get_by_label("原因").fill("其实是小李点炮")

    heads = phone.locator("#sheet #outcome tbody th")
    expect(heads).to_have_count(len(changed))
    assert sorted(heads.all_inner_texts()) == sorted(f"第 {number} 局" for number in changed)
    expect(phone.locator("#outcome tbody tr", has_text="开局").first).to_be_visible()
    cells = [
        [int(text.replace("−", "-")) for text in row.locator("td.numeric").all_inner_texts()]
        for row in phone.locator("#outcome tbody tr:has(.amount)").all()
    ]
    shown = {(was, now) for was, now in cells}
    assert {
        (before[number][seat], after[number][seat])
        for number in changed
        for seat in range(4)
        if seat in before[number] and seat in after[number]
    } <= shown
    assert Axe().run(phone).response["violations"] == []
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    assert Entry.objects.filter(table=table).count() == 9

    phone.locator("#sheet").get_by_role("button", name="就这样更正").click()
    expect(phone.locator("#sheet")).to_be_hidden()
    expect(phone.locator(".entry", has_text="第 3 局")).to_contain_text("已更正")

    table.refresh_from_db()
    assert paid(table) == after
    assert table_overview(table).situation == table_overview(meant).situation
    assert verify_table(table) == []


@pytest.fixture
def table(db) -> Table:
    """A transfer, and a round with a kong before its win."""
    document = (settings.BASE_DIR / "rules_app/definitions/sichuan.yaml").read_text(encoding="utf-8")
    table = open_table(revision=publish("sichuan", document), names=PEOPLE, options={"mode": "single"})
    record_transfer(table=table, lines=[{"from": 0, "to": 1, "amount": 5}], text="借的", expected_version=0, idempotency_key="t")
    kong = {"type": "kong", "seat": 0, "kind": "concealed", "tile": "5p"}
    win = {"type": "win", "seat": 2, "by": "discard", "from": 3, "declared": []}
    record_round(table=table, payload={"round": {"events": [kong, win]}}, expected_version=1, idempotency_key="r")
    table.refresh_from_db()
    return table


def opened(page: Page, table: Table, words: str) -> Any:
    """The sheet that corrects the entry with these words."""
    page.goto(reverse("scoring:table", args=[table.public_id, table.scorer_token]))
    page.locator(".entry a.what", has_text=words).click()
    page.locator("#sheet").get_by_role("link", name="更正").click()
    return page.locator("#sheet")


def test_a_transfer_is_corrected_on_the_form_that_made_it(phone: Page, table: Table):
    sheet = opened(phone, table, "借的")
    expect(sheet.get_by_label("每人多少")).to_have_value("5")
    expect(sheet.get_by_role("checkbox", name="老王")).to_be_checked()
    sheet.get_by_label("每人多少").fill("50")

    expect(sheet.locator("#changes")).to_contain_text("−50")
    assert Axe().run(phone).response["violations"] == []
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    sheet.get_by_role("button", name="就这样更正").click()

    expect(sheet).to_be_hidden()
    expect(phone.locator(".entry", has_text="借的")).to_contain_text("已更正")
    assert table_overview(table).entries[-1].payments == {0: -50, 1: 50}


def test_two_events_of_a_round_are_corrected_at_once(phone: Page, table: Table):
    sheet = opened(phone, table, "第 1 局")
    sheet.locator('.how label:has([name="from"][value="1"])').click()
    expect(sheet.locator("#changes")).to_be_visible()
    sheet.locator(".events").get_by_role("button", name="老王").first.click()
    expect(sheet.locator('.event-fields [name="seat"][value="0"]')).to_be_checked()
    sheet.locator(".event-fields label", has_text="陈伯").click()
    expect(sheet.locator("#changes")).to_contain_text("陈伯")
    assert Axe().run(phone).response["violations"] == []
    sheet.get_by_role("button", name="就这样更正").click()
    expect(sheet).to_be_hidden()

    content = Entry.objects.get(table=table, seq=2).contents.order_by("version").last()
    assert content is not None
    kong, win = content.payload["round"]["events"]
    assert (kong["seat"], win["from"]) == (3, 1)
    assert Entry.objects.filter(table=table).count() == 3
    table.refresh_from_db()
    assert verify_table(table) == []
