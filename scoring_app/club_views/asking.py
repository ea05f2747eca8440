"""What forms of clubs and sessions share: reading what was sent, and saying what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils.dateparse import parse_date

from rules_app.catalogue import revisions_of_all_games
from rules_app.engine import Refusal
from rules_app.engine.text import Text
from rules_app.languages import page_language
from rules_app.models import Revision
from rules_app.publishing import PublishingError
from rules_app.round_fields import Asking, Field, option_fields, read_options
from rules_app.rulings import ruleset_of
from scoring_app.errors import Refused
from scoring_app.ledger import LedgerError
from scoring_app.wording import say

REFUSALS = (Refused, LedgerError, Refusal, PublishingError)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, the field it is about, and the HTTP status that fits."""

    message: str
    path: str = ""
    status: int = 422


def problem_of(error: Exception) -> Problem:
    """A refusal of the domain in the words of the reader."""
    message: Any = getattr(error, "message", None)
    words = message.in_language(page_language()) if isinstance(message, Text) else str(error)
    return Problem(words, str(getattr(error, "path", "") or ""), int(getattr(error, "status", 422)))


def attempt(act: Callable[[], Any]) -> Problem | None:
    """Do it; what was refused, or None."""
    try:
        act()
    except REFUSALS as error:
        return problem_of(error)
    return None


def see(url: str) -> HttpResponse:
    """After a valid POST: the page that shows what came of it."""
    return HttpResponseRedirect(url, status=303)


def whole(data: QueryDict, name: str, *, default: int = 0) -> int:
    """A whole number that was sent.

    :raises Refused: it is none.
    """
    text = str(data.get(name) or "").strip().replace("−", "-")
    if text == "":
        return default
    try:
        if len(text) > 12:
            raise ValueError(text)
        return int(text)
    except ValueError:
        message = Text(zh=f"“{text[:20]}”不是整数。", en=f"“{text[:20]}” is no whole number.")
        raise Refused("bad_input", message, name) from None


def day(data: QueryDict, name: str) -> date | None:
    """A date that was sent; None for an empty field.

    :raises Refused: it is none.
    """
    text = str(data.get(name) or "").strip()
    if text == "":
        return None
    try:
        found = parse_date(text)
    except ValueError:
        found = None
    if found is None or not 1900 <= found.year <= 2200:
        raise Refused("bad_input", Text(zh="日期须写成 2026-01-31 的样子。", en="A date is written like 2026-01-31."), name)
    return found


@dataclass(frozen=True, slots=True)
class Game:
    """A published game to choose."""

    slug: str
    name: str
    revision: Revision


def games(own: frozenset[str] = frozenset()) -> list[Game]:
    """The published games, those of the club (``own`` slugs) first."""
    language = page_language()
    found = [
        Game(
            revision.ruleset.slug,
            (revision.ruleset.name_en if language == "en" else revision.ruleset.name_zh) or revision.ruleset.slug,
            revision,
        )
        for revision in revisions_of_all_games()
        if revision.number  # a shipped document that is not stored yet has none
    ]
    return sorted(found, key=lambda game: game.slug not in own)


def game_name(revision: Revision) -> str:
    """The name of a game as its document says it."""
    return say(ruleset_of(revision).document.name, page_language())


def chosen_game(slug: str, among: list[Game]) -> Revision | None:
    """The revision under a slug; None for no slug.

    :raises Refused: there is no such game.
    """
    if not slug:
        return None
    found = next((game.revision for game in among if game.slug == slug), None)
    if found is None:
        raise Refused("bad_input", Text(zh="没有这种玩法。", en="There is no such game."), "game")
    return found


def house_rule_fields(revision: Revision | None, data: QueryDict) -> list[Field]:
    """The options of a game as form fields."""
    return [] if revision is None else option_fields(Asking(ruleset_of(revision), data, page_language(), ()))


def house_rules(revision: Revision | None, data: QueryDict) -> dict[str, Any]:
    """The options that were sent and differ from the defaults; those of another game are not meant."""
    if revision is None:
        return {}
    known = ruleset_of(revision).document.options
    return {name: value for name, value in read_options(ruleset_of(revision), data).items() if name in known}


def as_sent(options: dict[str, Any], **more: Any) -> QueryDict:
    """Stored values in the shape in which a form would send them."""
    data = QueryDict(mutable=True)
    for name, value in options.items():
        data[f"o.{name}"] = ("1" if value else "0") if isinstance(value, bool) else str(value)
    for name, value in more.items():
        data[name] = "" if value is None else str(value)
    return data


def looked(sent: QueryDict) -> QueryDict:
    """What was typed before another game was looked at, without the options of the old one."""
    data = sent.copy()
    if data.get("options_of") != data.get("game"):
        for name in [name for name in data if name.startswith("o.")]:
            del data[name]
    return data


def address(name: str, *args: Any) -> str:
    """The address of one of these pages."""
    return reverse(f"clubs:{name}", args=args)
