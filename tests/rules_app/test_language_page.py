"""The reference of the expression language: a page of its own, and a panel beside the text of a draft."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from rules_app.engine.reference import language_chapters
from rules_app.language_page import reference
from rules_app.models import Revision
from rules_app.publishing import fork_ruleset
from tests.factories import publish

ADDRESS = "/rules/language/"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("accepted", "title", "doc"),
    [("en", "The language of ruleset documents", "the dealer&#x27;s seat"), ("zh", "规则文档的表达式", "庄家的座位")],
)
def test_page_speaks_both_languages(client: Client, accepted: str, title: str, doc: str) -> None:
    page = client.get(ADDRESS, headers={"accept-language": accepted}).content.decode()

    assert f"<h1>{title}</h1>" in page
    assert doc in page


def test_every_name_has_an_anchor_of_its_own() -> None:
    anchors = [entry.anchor for chapter in reference("en").chapters for entry in chapter.entries]

    assert len(anchors) == sum(len(chapter.entries) for chapter in language_chapters())
    assert len(set(anchors)) == len(anchors)


@pytest.mark.parametrize("query", ["others(", "其余各家", "other seats", "  OTHER   seats "])
def test_filter_finds_names_in_either_language(query: str) -> None:
    found = [entry.name for chapter in reference("zh", query).chapters for entry in chapter.entries if not entry.hidden]

    assert "others(seat)" in found
    assert len(found) < 10


@pytest.mark.django_db
def test_filter_works_without_a_script(client: Client) -> None:
    page = client.get(ADDRESS, {"q": "zzz"}, headers={"accept-language": "en"}).content.decode()

    assert "0 of " in page
    assert '<p class="language-none" data-language-none>' in page
    assert 'value="zzz"' in page


@pytest.fixture
def draft(db: None) -> Revision:
    ruleset = publish("pocket", (Path(__file__).parent / "documents/pocket.yaml").read_text()).ruleset
    made = fork_ruleset(ruleset=ruleset, slug="ours", owner=None).draft
    assert made is not None
    return made


def test_a_draft_shows_the_reference_and_a_published_text_does_not(admin_client: Client, draft: Revision) -> None:
    published = Revision.objects.exclude(pk=draft.pk).get()

    def shown(revision: Revision) -> bool:
        page = admin_client.get(reverse("admin:rules_app_revision_change", args=[revision.pk]), headers={"accept-language": "en"})
        return 'class="language-panel"' in page.content.decode()

    assert shown(draft)
    assert not shown(published)


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_filter_follows_the_typing(phone: Page) -> None:
    phone.goto(ADDRESS)
    assert phone.evaluate("document.documentElement.scrollWidth") == 360

    phone.locator("[data-language-filter]").fill("抢 杠")

    expect(phone.locator("#language-event-robs")).to_be_visible()
    expect(phone.locator("#language-round-dealer")).to_be_hidden()
    phone.locator("[data-language-filter]").fill("没有这样的词")
    expect(phone.locator("[data-language-none]")).to_be_visible()
    phone.locator("[data-language-filter]").fill("")
    expect(phone.locator("#language-round-dealer")).to_be_visible()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_panel_stands_beside_the_text_of_a_draft(desktop: Page, admin_client: Client, draft: Revision, live_server) -> None:
    session = admin_client.cookies["sessionid"].value
    desktop.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    desktop.goto(reverse("admin:rules_app_revision_change", args=[draft.pk]))

    desktop.locator(".language-panel > summary").click()
    field = desktop.locator("[data-language-filter]")
    field.fill("kongs")
    field.press("Enter")

    expect(desktop.locator("#language-hand-kongs")).to_be_visible()
    expect(desktop.locator("#language-round-dealer")).to_be_hidden()
    text, panel = desktop.locator("textarea.document-text").bounding_box(), desktop.locator(".language-panel").bounding_box()
    assert text is not None
    assert panel is not None
    assert text["x"] + text["width"] <= panel["x"]
