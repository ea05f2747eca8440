"""An evening of a club on a phone, in Chinese."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Page, expect

from scoring_app.ledger import find_table, verify_table
from scoring_app.models import Entry, Session, Table
from scoring_app.sessions import edit_session, open_balances, start_clock, substitute
from scoring_app.statistics import session_statistics
from tests.scoring_app.club_pages.conftest import NAMES, Place
from tests.scoring_app.club_pages.routes import club_routes, session_routes, table_routes
from tests.scoring_app.rounds import discard_win, self_draw

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def sign_in(page: Page, place: Place, url: str, role: str = "owner") -> None:
    """As somebody who has signed in before."""
    page.context.add_cookies([{"name": "sessionid", "value": place.client(role).cookies["sessionid"].value, "url": url}])


def sit_down(page: Page, place: Place, seat: int, name: str) -> None:
    """Put somebody on a seat, by the form."""
    page.goto(f"/t/{place.table.public_id}/{place.table.scorer_token}/seats/")
    page.locator(f'label:has(input[name="seat"][value="{seat}"])').click()
    page.locator('label:has(input[name="who"])', has_text=name).first.click()
    page.get_by_role("button", name="换座").click()
    expect(page.locator("#status")).to_contain_text("座位已换")


def test_a_substitute_and_back(place: Place, phone: Page, live_server):
    """G17, G18: the substitute's rounds are his own; then the first player sits where he sat."""
    sign_in(phone, place, live_server.url, "scorer")
    first, substitute = NAMES[1], NAMES[4]

    sit_down(phone, place, 1, substitute)
    expect(phone.locator(".seat .name", has_text=substitute)).to_be_visible()
    place.play(discard_win(1, payer=0))
    sit_down(phone, place, 1, first)
    expect(phone.locator(".seat .name", has_text=first)).to_be_visible()
    place.play(discard_win(1, payer=0))

    rounds = {line.person.name: line.rounds for line in session_statistics(place.session).standings}
    assert (rounds[first], rounds[substitute], rounds[NAMES[0]]) == (3, 1, 4)
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    assert verify_table(find_table(place.table.public_id)) == []


def test_an_evening_of_seven_is_settled(place: Place, phone: Page, live_server):
    """G23, G24: one tap a payment, the fewest payments, and back by an entry that everybody sees."""
    sign_in(phone, place, live_server.url, "referee")
    for seat, name in enumerate(NAMES[4:]):
        place.play(discard_win(seat, payer=(seat + 1) % 4))
        sit_down(phone, place, seat, name)
        place.play(self_draw(seat))
    expected = len(open_balances(place.session).transfers)

    phone.goto(f"/sessions/{place.session.public_id}/")
    phone.get_by_role("link", name="结账").first.click()
    paid = phone.get_by_role("button", name="已付")
    expect(paid).to_have_count(expected)
    for left in range(expected - 1, -1, -1):
        paid.first.click()
        expect(paid).to_have_count(left)
    expect(phone.get_by_text("账已结清")).to_be_visible()

    phone.get_by_role("button", name="撤销").first.click()
    expect(paid).to_have_count(1)
    paid.first.click()
    expect(phone.get_by_text("账已结清")).to_be_visible()

    assert all(amount == 0 for _person, amount in open_balances(place.session).balances)
    assert Entry.objects.filter(table=place.table, kind="void").count() == 1
    assert verify_table(find_table(place.table.public_id)) == []


def test_a_player_joins_by_the_code_and_sees_the_seat(place: Place, phone: Page, live_server):
    phone.goto("/join/")
    phone.get_by_label("入场码").fill(place.session.join_code)
    phone.get_by_role("button", name="入场").click()
    phone.get_by_label("你在牌桌上的名字").fill("新来的")
    phone.get_by_role("button", name="入场").click()

    expect(phone.locator("h1")).to_have_text("新来的")
    expect(phone.locator(".next-thing")).to_contain_text("休息")

    place.session.refresh_from_db()
    player = place.session.players.get(name="新来的")
    substitute(table=place.table, seat=2, player=player, expected_version=place.table.version, idempotency_key="late")
    expect(phone.locator(".next-thing")).to_contain_text("第 1 桌 · 西", timeout=12000)


def test_the_hall_is_readable_at_five_metres(place: Place, desktop: Page):
    """Names are a thirtieth of the screen's width and more."""
    desktop.goto(f"/s/{place.session.public_id}/{place.session.watch_token}/")
    size = desktop.evaluate("parseFloat(getComputedStyle(document.querySelector('.hall-table .who')).fontSize)")

    assert size >= 1280 / 40
    place.play(self_draw(3))
    expect(desktop.locator(".hall-table header")).to_contain_text("3 rounds", timeout=8000)


def test_time_that_runs_out_is_said_without_a_reload(place: Place, phone: Page, live_server):
    """G15: nothing is written at that moment, and the pages that are open say it all the same."""
    start_clock(session=edit_session(session=place.session, length_kind="clock", length=10))
    Table.objects.update(length_kind="clock", length=10)
    Session.objects.update(clock_started_at=timezone.now() - timedelta(minutes=10, seconds=-4))
    sign_in(phone, place, live_server.url)
    hall = phone.context.new_page()
    phone.goto(f"/sessions/{place.session.public_id}/")
    hall.goto(f"/s/{place.session.public_id}/{place.session.watch_token}/")
    expect(phone.locator(".next-thing .clock")).to_contain_text("0:0")

    expect(phone.locator(".table-card .notice")).to_have_text("时间到", timeout=12000)
    expect(phone.locator(".next-thing .clock")).to_contain_text("−0:")
    expect(hall.locator(".hall-table header")).to_contain_text("time is up", timeout=12000)


def test_a_second_tap_opens_one_evening(place: Place, phone: Page, live_server):
    sign_in(phone, place, live_server.url)
    phone.goto("/clubs/jade/sessions/new/")
    phone.get_by_role("button", name="开场").last.dblclick()
    expect(phone.locator(".next-thing")).to_contain_text("今晚谁来打")

    assert Session.objects.count() == 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_anything_that_axe_would_report_or_is_too_wide(
    place: Place, phone: Page, live_server, scheme: Literal["light", "dark"]
):
    phone.emulate_media(color_scheme=scheme)
    sign_in(phone, place, live_server.url)
    sid = place.session.public_id
    routes = [*club_routes(place), *session_routes(place), *table_routes(place, place.table.scorer_token)]
    urls = {route.url for route in routes if route.data is None and not route.name.endswith("_state")}
    urls |= {"/clubs/", "/clubs/new/", "/sessions/new/", "/join/", f"/join/{place.session.join_code}/"}
    urls |= {f"/clubs/join/{place.invitation.token}/", f"/s/{sid}/{place.session.watch_token}/", "/clubs/join/none/"}
    found: list[tuple[object, ...]] = []
    for url in sorted(urls):
        phone.goto(url)
        if phone.evaluate("document.documentElement.scrollWidth") != 360:
            found.append((url, "too wide"))
        violations = Axe().run(phone).response["violations"]
        found += [(url, violation["id"], [node["html"] for node in violation["nodes"]]) for violation in violations]

    assert found == []
