"""What every page may show: the site's doors, the language switch, the reader's theme."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse
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
    returns to; ``theme``: "light", "dark" or "" to follow the system.
    """
    theme = request.COOKIES.get("theme", "")
    return {
        "doors": doors(request.path),
        "search_url": reverse("rules:search"),
        "current_path": request.get_full_path(),
        "theme": theme if theme in {"light", "dark"} else "",
    }


def doors(path: str) -> list[Door]:
    score, rules = reverse("rules:score_index"), reverse("rules:index")
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
            url=reverse("scoring:table_new"),
            current=path.startswith(("/t/", "/tables/")),
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
