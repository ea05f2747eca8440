"""Fixtures for every test: where the database lives, and a browser to look with."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, sync_playwright

from mahjong_site.translations import compile_fragments
from tests.ledger_flush import flush_past_triggers

__all__ = ["flush_past_triggers"]

CHROMIUM = "/usr/bin/chromium"
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--no-first-run",
]


def pytest_configure() -> None:
    """Pages are tested in both languages: the catalogue must be what the fragments say now."""
    compile_fragments(settings.LOCALE_PATHS[0])


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None, tmp_path_factory: pytest.TempPathFactory) -> None:
    """SQLite in a file of this run: threads of a live server get connections, and locks, of their own."""
    database = settings.DATABASES["default"]
    if database["ENGINE"] == "django.db.backends.sqlite3":
        database["TEST"] = {**database.get("TEST", {}), "NAME": str(tmp_path_factory.mktemp("database") / "test.sqlite3")}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's chromium, headless, one for all tests of a worker."""
    # Playwright's own event loop runs in this thread while the ORM is used from it.
    os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def phone(browser: Browser, live_server) -> Iterator[Page]:
    """A page of 360 px in Chinese, on the live server; a script error fails the test."""
    yield from open_page(browser, live_server.url, width=360, height=780, locale="zh-CN")


@pytest.fixture
def desktop(browser: Browser, live_server) -> Iterator[Page]:
    """A page of 1280 px in English, on the live server; a script error fails the test."""
    yield from open_page(browser, live_server.url, width=1280, height=800, locale="en-GB")


def open_page(browser: Browser, base_url: str, *, width: int, height: int, locale: str) -> Iterator[Page]:
    """A page in a browser profile of its own; its script errors are asserted to be none at the end."""
    context = browser.new_context(base_url=base_url, locale=locale, viewport={"width": width, "height": height})
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if "Content Security Policy" in message.text else None)
    yield page
    context.close()
    assert faults == []
