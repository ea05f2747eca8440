"""The tables of docs/api.md name every page of scoring_app, and every endpoint that does the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.conf import settings
from django.urls import URLPattern, get_resolver

from scoring_app import club_urls, export_urls, urls
from tests.scoring_app.api.test_permissions import walk

METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}
ROW = re.compile(r"^\| (.+) \| (.+) \|$", re.MULTILINE)


def shape(route: str) -> str:
    """An address with its holes unnamed."""
    return re.sub(r"<[^>]*>", "<>", route)


def rows() -> Iterator[tuple[str, str, str, str]]:
    """Prefix and cell of the web, prefix and cell of the API, of each row of the tables."""
    text = (settings.BASE_DIR / "docs/api.md").read_text()
    web = api = ""
    for left, right in ROW.findall(text.partition("## Pages and endpoints")[2]):
        if left.startswith("the web, below"):
            web, api = (re.findall(r"`/(.*?)`", cell)[0] for cell in (left, right))
        elif not left.startswith("---"):
            yield web, left, api, right


def named(prefix: str, cell: str) -> Iterator[str]:
    for quoted in re.findall(r"`([^`]+)`", cell):
        yield prefix + ("" if quoted == "." else quoted)


def pages() -> set[str]:
    return {
        shape(str(one.pattern)) for module in (urls, club_urls, export_urls) for one in module.urlpatterns if isinstance(one, URLPattern)
    }


def test_every_page_has_its_row():
    told = {shape(address) for web, left, _api, _right in rows() for address in named(web, left)}

    assert pages() - told == set()
    assert told - pages() == set()


def test_every_endpoint_is_told_of_and_nothing_else():
    told: set[tuple[str, str]] = set()
    for _web, _left, api, right in rows():
        for quoted in re.findall(r"`([^`]+)`", right):
            *methods, path = quoted.split(" ")
            told |= {(method, shape(api + ("" if path == "." else path))) for method in methods if method in METHODS}
    routes = {(method, shape(route)) for method, route in walk(get_resolver().url_patterns, "") if "/variants/" not in route}

    assert told - routes == set()
    assert {one for one in routes if one[1] != "api/v1/search/"} - told == set()
