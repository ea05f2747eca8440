"""What every page may show: the site's doors, the language switch, the reader's theme."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _


@dataclass(frozen=True, slots=True)
class Door:
    """One of the three things to do: its short name for the header, its words and tiles for the home page."""

    label: str
    title: str
    text: str
    tiles: str
    url: str
    current: bool


def site(request: HttpRequest) -> dict[str, object]:
    """Template variables shared by all pages.

    ``doors``: the three :class:`Door`; ``search_url``; ``current_path``, where the language switch
    returns to; ``theme``: "light", "dark" or "" to follow the system; ``production``.
    """
    theme = request.COOKIES.get("theme", "")
    return {
        "doors": doors(request.path),
        "search_url": address("rules:search", "/rules/search/"),
        "current_path": request.get_full_path(),
        "theme": theme if theme in {"light", "dark"} else "",
        "production": settings.PRODUCTION,
    }


def doors(path: str) -> list[Door]:
    score, table, rules = (
        address("rules:score_index", "/score/"),
        address("scoring:table_new", "/tables/new/"),
        address("rules:index", "/rules/"),
    )
    return [
        Door(
            label=_("Score"),
            title=_("Score a hand"),
            text=_("Tap the tiles: what it waits for, what it is worth, who pays, and why."),
            tiles="345m",
            url=score,
            current=path.startswith(score),
        ),
        Door(
            label=_("Table"),
            title=_("Open a table"),
            text=_("Four names and a game. One link writes, one link watches; no account."),
            tiles="1234z",
            url=table,
            current=path.startswith(("/table/", "/tables/")),
        ),
        Door(
            label=_("Rules"),
            title=_("Look a rule up"),
            text=_("Each game with its patterns, payments and examples that the engine checks."),
            tiles="567z",
            url=rules,
            current=path.startswith(rules),
        ),
    ]


def address(name: str, otherwise: str) -> str:
    """The address of the page ``name``; ``otherwise`` while an installation leaves that page out."""
    try:
        return reverse(name)
    except NoReverseMatch:
        return otherwise
