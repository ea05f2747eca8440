"""A whole evening at three tables on a phone of 360 px in Chinese, while a second browser watches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Locator, Page, expect

from rules_app.models import Revision
from rules_app.rulings import score
from tests.conftest import open_page
from tests.factories import publish

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MINUS = "\u2212"
PEOPLE = ["老王", "小李", "阿芳", "陈伯"]


@pytest.fixture
def watcher(browser: Browser, live_server) -> Iterator[Page]:
    """A second device, which only looks."""
    yield from open_page(browser, live_server.url, width=360, height=780, locale="zh-CN")


@pytest.fixture
def games(db) -> dict[str, Revision]:
    folder = settings.BASE_DIR / "rules_app" / "definitions"
    return {slug: publish(slug, (folder / f"{slug}.yaml").read_text(encoding="utf-8")) for slug in ("sichuan", "wenzhou", "two_player")}


@dataclass
class AtTable:
    """Whoever keeps the score, with the totals that the engine alone makes of what was entered."""

    page: Page
    watcher: Page
    revision: Revision
    names: list[str]
    totals: list[int] = field(default_factory=list)
    carried: dict[str, Any] = field(default_factory=dict)
    before: tuple[list[int], dict[str, Any]] = ([], {})

    def open(self) -> None:
        self.page.goto(f"/tables/new/{self.revision.ruleset.slug}/")
        for place, name in enumerate(self.names):
            self.page.locator(f"#name-{place}").fill(name)
        self.page.get_by_role("button", name="开桌").last.click()
        expect(self.page.get_by_role("heading", name="这个码能记分")).to_be_visible()
        self.watcher.goto(self.page.locator(".codes a").last.get_attribute("href") or "")
        self.page.get_by_role("link", name="进入牌桌").click()
        self.totals = [0] * len(self.names)

    @property
    def sheet(self) -> Locator:
        return self.page.locator("#sheet")

    def record(self, what: str = "胡牌") -> None:
        """Open the sheet (where it is not open) at a kind of event."""
        if not self.sheet.is_visible():
            self.page.locator("#record-button").click()
        if what != "胡牌":
            self.sheet.locator(".tabs").get_by_role("link", name=what, exact=True).click()
            expect(self.sheet.locator(".tabs [aria-current]")).to_have_text(what)
        expect(self.sheet).not_to_have_class(re.compile("htmx-"))

    def deal(self, wild: str) -> None:
        self.page.locator("#record-button").click()
        self.sheet.locator(f'.wild-keys label:has([value="{wild}"])').click()
        self.sheet.get_by_role("button", name="开始这一局").click()

    def win(self, seat: int, giver: int | None = None, *, patterns: tuple[str, ...] = (), hand: str = "", tile: str = "") -> dict[str, Any]:
        """Tap a win in, by patterns or tile by tile."""
        self.sheet.locator(f".pick .at-{seat}").click()
        self.sheet.locator(f'.how .segmented label:has([value="{"" if giver is None else giver}"])').click()
        event: dict[str, Any] = {"type": "win", "seat": seat, "by": "self_draw"}
        if giver is not None:
            event |= {"by": "discard", "from": giver}
        if hand:
            self.sheet.locator('.entry-mode label:has([value="tiles"])').click()
            for key in [*spelled(hand), tile]:
                self.sheet.locator(f'[data-key="{key}"]').click()
            return event | {"hand": hand, "tile": tile}
        self.sheet.locator('.entry-mode label:has([value="quick"])').click()
        for pattern in patterns:
            self.sheet.locator(f'label.chip:has([name="p.{pattern}"])').click()
        return event | {"declared": list(patterns)}

    def draw(self, *hands: str) -> dict[str, Any]:
        """Show every hand and confirm."""
        for seat, hand in enumerate(hands):
            self.sheet.locator(f'[name="hands.{seat}.hand"]').fill(hand)
        self.confirm()
        return {"type": "draw", "hands": [{"seat": seat, "hand": hand} for seat, hand in enumerate(hands)]}

    def confirm(self, name: str = "确认入账") -> None:
        self.sheet.get_by_role("button", name=name, exact=True).click()
        if name == "确认入账":
            expect(self.sheet).to_be_hidden()

    def played(self, *events: dict[str, Any], wild: str = "") -> None:
        """Count a finished round by the engine, and compare both devices with it."""
        round_: dict[str, Any] = {"events": list(events), **({"wild": [wild]} if wild else {})}
        answer = score(self.revision, {"table": self.carried, "round": round_}).answer("zh")
        assert answer["ended"]
        self.before = ([*self.totals], dict(self.carried))
        self.totals = [total + paid for total, paid in zip(self.totals, answer["payments"], strict=True)]
        self.carried = answer["next"]
        self.check()

    def taken_back(self) -> None:
        self.totals, self.carried = [*self.before[0]], dict(self.before[1])

    def check(self) -> None:
        for page in (self.page, self.watcher):
            for name, total in zip(self.names, self.totals, strict=True):
                shown = f"+{total}" if total > 0 else f"{MINUS}{-total}" if total < 0 else "0"
                expect(page.locator(".seat", has_text=name).locator(".total")).to_have_text(shown, timeout=8000)
        assert self.page.evaluate("document.documentElement.scrollWidth") == 360


def spelled(text: str) -> list[str]:
    """Tiles of a text, one by one."""
    return [f"{rank}{suit}" for ranks, suit in re.findall(r"(\d+)([mpsz])", text) for rank in ranks]


def test_an_evening_of_ten_rounds(phone: Page, watcher: Page, games: dict[str, Revision]):
    blood_battle(AtTable(phone, watcher, games["sichuan"], PEOPLE))
    wild_tiles(AtTable(phone, watcher, games["wenzhou"], PEOPLE))
    two_players(AtTable(phone, watcher, games["two_player"], PEOPLE[:2]))

    phone.goto("/")
    expect(phone.locator(".card", has_text="可记分")).to_have_count(3)


def blood_battle(at: AtTable) -> None:
    """Four rounds: a kong when it happens, three wins; a draw with hands; one taken back; one corrected."""
    at.open()
    at.record("杠")
    at.sheet.locator('[data-field="seat"] label').nth(1).click()
    at.sheet.locator('[data-key="5p"]').click()
    at.confirm("确认，继续这一局")
    expect(at.sheet.locator(".draft")).to_contain_text("小李 暗杠")
    kong = {"type": "kong", "seat": 1, "kind": "concealed", "tile": "5p"}
    first = at.win(0)
    at.confirm("确认，继续这一局")
    expect(at.sheet.locator(".draft .entry")).to_have_count(2)
    second = at.win(2, 3, patterns=("pure_suit",))
    at.confirm("确认，继续这一局")
    expect(at.watcher.locator(".draft .entry")).to_have_count(3, timeout=8000)
    third = at.win(3, hand="123m456m789m1155s", tile="1s")
    at.confirm()
    at.played(kong, first, second, third)

    at.record("流局")
    expect(at.sheet.locator(".next-step")).to_contain_text("亮出每个结算者的手牌")
    at.played(at.draw("123456789m1155p", "123456789p1155s", "1234567m147p158s", "123456789s1155m"))

    at.page.get_by_role("button", name=re.compile("撤销")).click()
    at.taken_back()
    at.check()

    at.record("流局")
    at.played(at.draw("123456789m1155p", "123456789p1155s", "1234567m447799p", "123456789s1155m"))

    at.record()
    events = [at.win(1, 0)]
    at.confirm("确认，继续这一局")
    expect(at.sheet.locator(".draft .entry")).to_have_count(1)
    events.append(at.win(0, 2))
    at.confirm("确认，继续这一局")
    expect(at.sheet.locator(".draft .entry")).to_have_count(2)
    events.append(at.win(2))
    at.confirm()
    at.played(*events)

    at.page.locator(".entry a.what").first.click()
    at.sheet.get_by_role("link", name="更正").click()
    at.sheet.locator('.how .segmented label:has([value="3"])').click()
    at.sheet.get_by_label("原因").fill("其实是点炮")
    at.sheet.get_by_role("button", name="就这样更正").click()
    expect(at.sheet).to_be_hidden()
    at.taken_back()
    at.played(*events[:2], events[2] | {"by": "discard", "from": 3})
    expect(at.page.locator(".entries .entry").nth(1)).to_contain_text("已更正")


def wild_tiles(at: AtTable) -> None:
    """Three rounds with a wild tile named at the deal: by patterns, tile by tile, a draw."""
    at.open()
    at.deal("5m")
    win = at.win(2, 0)
    at.confirm()
    at.played(win, wild="5m")

    at.deal("7z")
    win = at.win(0, hand="123m123789p111s33z79s", tile="7z")
    expect(at.sheet.locator(".amounts-bar")).to_be_visible()
    at.confirm()
    at.played(win, wild="7z")
    expect(at.watcher.locator(".last-entry .sets")).to_be_visible()

    at.deal("1s")
    at.record("流局")
    at.confirm()
    at.played({"type": "draw"}, wild="1s")


def two_players(at: AtTable) -> None:
    """Three rounds of two: patterns found among many, tile by tile, a plain self-draw."""
    at.open()
    at.record()
    at.sheet.locator('.entry-mode label:has([value="quick"])').click()  # the device remembers tiles from before
    at.sheet.get_by_label("找番型").fill("清一色")
    win = at.win(1, 0, patterns=("pure_suit",))
    at.confirm()
    at.played(win)

    at.record()
    win = at.win(0, 1, hand="1112345678999s", tile="5s")
    at.confirm()
    at.played(win)

    at.record()
    win = at.win(1, patterns=("all_triplets",))
    at.confirm()
    at.played(win)
