"""Every game on a phone: one round tile by tile and one by patterns, against the amounts of the shared scoring cases."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from django.conf import settings
from django.db.models import Sum
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from rules_app.models import Revision
from rules_app.rulings import ruleset_of
from scoring_app.ledger import open_table
from scoring_app.models import Posting, Table
from tests.factories import publish

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MINUS = "\u2212"
PEOPLE = ["老王", "小李", "阿芳", "陈伯"]

ROUNDS: dict[str, tuple[str, str]] = {
    "changchun": ("changchun-036", "changchun-071"),
    "changsha": ("changsha-018", "changsha-007"),
    "harbin": ("harbin-036", "harbin-059"),
    "hebei": ("hebei-048", "hebei-034"),
    "hefei": ("hefei-008", "hefei-046"),
    "nanjing": ("nanjing-016", "nanjing-065"),
    "ningbo": ("ningbo-010", "ningbo-055"),
    "shanghai": ("shanghai-021", "shanghai-019"),
    "sichuan": ("sichuan-049", "sichuan-003"),
    "taiyuan_lisi": ("taiyuan_lisi-014", "taiyuan_lisi-047"),
    "tianjin": ("tianjin-040", "tianjin-036"),
    "two_player": ("two_player-068", "two_player-005"),
    "wenzhou": ("wenzhou-025", "wenzhou-045"),
    "wuhan": ("wuhan-062", "wuhan-009"),
}
"""The cases to enter: the first by tiles; the second by the patterns that it declares, or that its tiles are worth."""

TURNED_UP = ("indicator", {"3m": "2m", "3z": "2z"})
"""Where the form asks for the tile turned up: that input, and the tile for each wild kind of the cases."""

SHOWDOWNS = ("erbagang-018", "erbagang-007")


@cache
def cases(slug: str) -> dict[str, dict[str, Any]]:
    text = (settings.BASE_DIR / "tests" / "cases" / f"{slug}.json").read_text(encoding="utf-8")
    return {case["id"]: case for case in json.loads(text)}


def revision_of(slug: str) -> Revision:
    return publish(slug, (settings.BASE_DIR / "rules_app" / "definitions" / f"{slug}.yaml").read_text(encoding="utf-8"))


def spelled(text: str) -> Iterator[str]:
    """The tiles of a text, one by one."""
    for ranks, suit in re.findall(r"(\d+)([mpszf])", text):
        for rank in ranks:
            yield f"{rank}{suit}"


def signed(amount: int) -> str:
    return f"+{amount}" if amount > 0 else f"{MINUS}{-amount}" if amount < 0 else "0"


class Round:
    """A table opened as a case finds it, and its round being entered on the sheet."""

    def __init__(self, page: Page, revision: Revision, case: dict[str, Any], names: list[str]) -> None:
        self.page, self.case, self.names = page, case, names
        self.sheet = page.locator("#sheet")
        self.inputs: dict[str, Any] = dict(case["round"].get("inputs", {}))
        self.asked_at = {name: spec.ask for name, spec in ruleset_of(revision).document.inputs.items()}
        modes = ruleset_of(revision).document.options.get("mode")
        # Where the others could play on after a win, this one ends the round.
        options = {**({"mode": "single"} if modes and "single" in (modes.values or {}) else {}), **case.get("options", {})}
        self.table: Table = open_table(revision=revision, names=names, options=options, start=case.get("table"))
        page.goto(reverse("scoring:table", args=[self.table.public_id, self.table.scorer_token]))
        page.locator("#record-button").click()
        self.deal()

    def deal(self) -> None:
        """Name the wild tiles and whatever else is said at the deal."""
        dealt = {name: value for name, value in self.inputs.items() if self.asked_at[name] == "deal"}
        expect(self.sheet.locator("#deal-form, #record-form")).to_be_visible()
        form = self.sheet.locator("#deal-form")
        if dealt and not form.is_visible():
            self.sheet.get_by_role("link", name="开局信息").click()
        if not dealt and not form.is_visible():
            return
        wild = self.case["round"].get("wild", [])
        if wild and not form.locator(".wild-keys").count():
            dealt |= {TURNED_UP[0]: TURNED_UP[1][wild[0]]}
        for tile in wild if form.locator(".wild-keys").count() else ():
            form.locator(f'.wild-keys label:has([value="{tile}"])').click()
        for name, value in dealt.items():
            self.give(f"i.{name}", value)
            self.inputs.pop(name, None)
        if not form.locator("[data-submit-on-change]").count():
            form.get_by_role("button", name="开始这一局").click()

    def give(self, name: str, value: Any) -> None:
        """Answer one question of the form: a list has a control for each place, or one to tick for each member."""
        controls = self.sheet.locator(f'[name="{name}"]:not([type="hidden"])')
        if isinstance(value, list):
            if controls.count():
                for member in value:
                    self.tick(name, member)
            else:
                for place, one in enumerate(value):
                    self.give(f"{name}.{place}", one)
            return
        control = controls.first
        if control.get_attribute("type") in ("radio", "checkbox"):
            self.tick(name, 1 if value is True else value)
        elif control.get_attribute("data-tile-field") and self.sheet.locator("[data-tile-keyboard]").count():
            control.click()
            for tile in spelled(value):
                self.key(tile)
        else:
            control.fill(str(value))

    def tick(self, name: str, value: Any) -> None:
        control = self.sheet.locator(f'[name="{name}"][value="{value}"]')
        if not control.is_checked():
            self.sheet.locator(f'label:has([name="{name}"][value="{value}"])').click()
        expect(control).to_be_checked()

    def key(self, tile: str) -> None:
        self.sheet.locator(f'[data-key="{tile}"]').click()

    def mode(self, name: str) -> None:
        self.sheet.locator(f'[data-mode="{name}"]').click()

    def win(self, event: dict[str, Any], *, declared: list[str] | None = None) -> None:
        """Who, how, and the hand: by patterns where they are given, else tile by tile."""
        self.sheet.locator(f".pick .at-{event['seat']}").click()
        self.sheet.locator(f'.how .segmented label:has([value="{event.get("from", "")}"])').click()
        if event["by"] == "rob_kong":
            self.sheet.locator(".rob").click()
        self.sheet.locator(f'.entry-mode label:has([value="{"tiles" if declared is None else "quick"}"])').click()
        if declared is None:
            self.hand(event)
        else:
            self.patterns(declared, event.get("flowers", ""))
        for name, value in self.inputs.items():
            self.give(f"i.{name}", value)
        for flag in event.get("flags", []):
            self.tick("flag", flag)

    def hand(self, event: dict[str, Any]) -> None:
        for meld in event.get("melds", []):
            self.mode(f"kong-{meld['by']}" if meld["kind"] == "kong" else meld["kind"])
            self.key(next(spelled(meld["tiles"])))
            if meld.get("from") is not None:
                self.sheet.locator(".felt-meld").last.click()
                self.sheet.locator(".meld-menu").get_by_role("button", name=self.names[meld["from"]]).click()
        if event.get("flowers"):
            self.mode("flowers")
            for tile in spelled(event["flowers"]):
                self.key(tile)
        self.mode("hand")
        for tile in [*spelled(event["hand"]), event["tile"]]:
            self.key(tile)

    def patterns(self, declared: list[str], flowers: str) -> None:
        """Those that follow from what else is entered have no chip; some are a circumstance."""
        chips = self.sheet.locator("#declared-chips")
        for pattern, times in Counter(declared).items():
            control = chips.locator(f'[name="p.{pattern}"]')
            if chips.locator(f'select[name="p.{pattern}"]').count():
                control.select_option(str(times))
            elif control.count():
                chips.locator(f'label:has([name="p.{pattern}"])').click()
            elif self.sheet.locator(f'[name="flag"][value="{pattern}"]').count():
                self.tick("flag", pattern)
        if flowers:
            self.give("quick.flowers", flowers)

    def paid(self, payments: list[int], *, pool: int = 0) -> None:
        """The amounts stand over the button; once it is pressed they are in the ledger, and in the totals."""
        bar = self.sheet.locator(".amounts-bar li")
        for name, amount in zip(self.names, payments, strict=True):
            expect(bar.filter(has_text=name)).to_have_text(re.compile(rf"{re.escape(signed(amount))}\s*$"))
        self.sheet.get_by_role("button", name="确认入账", exact=True).click()
        expect(self.sheet).to_be_hidden()
        for name, amount in zip(self.names, payments, strict=True):
            expect(seat(self.page, name)).to_have_text(signed(amount))
        sums = Posting.objects.filter(content__entry__table=self.table).values_list("participant__name", "participant__kind")
        moved = {(name, kind): amount for name, kind, amount in sums.annotate(Sum("amount"))}
        assert [moved.get((name, "player"), 0) for name in self.names] == payments
        assert sum(amount for (_name, kind), amount in moved.items() if kind != "player") == pool
        assert self.page.evaluate("document.documentElement.scrollWidth") == 360


def seat(page: Page, name: str) -> Locator:
    return page.locator(".seat", has_text=name).locator(".total")


@pytest.mark.parametrize("slug", ROUNDS)
def test_a_round_by_tiles_and_one_by_patterns(phone: Page, slug: str):
    revision = revision_of(slug)
    names = PEOPLE[: ruleset_of(revision).document.seats]
    by_tiles, by_patterns = (cases(slug)[name] for name in ROUNDS[slug])

    round_ = Round(phone, revision, by_tiles, names)
    round_.win(by_tiles["round"]["events"][0])
    round_.paid(by_tiles["expect"]["payments"])

    round_ = Round(phone, revision, by_patterns, names)
    event = by_patterns["round"]["events"][0]
    round_.win(event, declared=event.get("declared", by_patterns["expect"]["wins"][0]["patterns"]))
    round_.paid(by_patterns["expect"]["payments"])


@pytest.mark.parametrize("name", SHOWDOWNS)
def test_a_showdown_with_its_bets(phone: Page, name: str):
    case = cases("erbagang")[name]
    event, payments = case["round"]["events"][0], case["expect"]["payments"]
    bettors = ["A", "B", "C"]
    round_ = Round(phone, revision_of("erbagang"), case, PEOPLE)

    round_.tick("dealer", 0)
    round_.give("f.banker", event["banker"])
    round_.give("f.hands", event["hands"])
    for row, bet in enumerate(event["bets"]):
        round_.tick(f"f.bets.{row}.player", 1 + bettors.index(bet["player"]))
        round_.give(f"f.bets.{row}.hand", bet["hand"])
        round_.give(f"f.bets.{row}.amount", bet["amount"])

    round_.paid(payments[:-1], pool=payments[-1])
