"""The search page: words or tiles in, rules out; htmx swaps the results alone."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from rules_app.book.views import fragment
from rules_app.engine.tiles import TileTextError
from rules_app.languages import page_language
from rules_app.search.asking import Asked, answers_by_tiles, read_asked
from rules_app.search.by_tiles import GameAnswer
from rules_app.search.finding import search
from rules_app.search.models import SearchDocument
from rules_app.search.presenting import kind_names, present

TRY = ("清一色", "pengpenghu", "qys", "seven pairs", "杠上開花", "财神")
TILES = ("123456789m", "123456789p", "123456789s", "1234567z", "12345678f")


def game_rows() -> dict[str, SearchDocument]:
    """The rows of all games by slug."""
    rows = SearchDocument.objects.filter(kind="game").order_by("weight", "slug")
    return {row.slug: row for row in rows.only("slug", "title_zh", "title_en", "region_zh", "region_en", "weight", "kind")}


@gzip_page
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Results for ``?q=`` or ``?tiles=``; 422 with a sentence where a tile text names no tiles."""
    asked = read_asked(request.GET)
    games = game_rows()
    context: dict[str, Any] = {"asked": asked, "try": TRY, "keys": [[f"{rank}{row[-1]}" for rank in row[:-1]] for row in TILES]}
    status = 200
    if asked.by_tiles:
        try:
            answers = answers_by_tiles(asked, games, page_language())
        except TileTextError as fault:
            context["fault"] = fault.message.in_language(page_language())
            status = 422
        else:
            context["answers"] = [answer_shown(answer, games) for answer in answers if answer.state in ("made", "waiting")]
            context["others"] = [answer_shown(answer, games) for answer in answers if answer.state not in ("made", "waiting")]
    elif asked.text:
        found = present(search(asked.text, asked.filters), games, asked.text, page_language())
        context["results"] = found
        context["count"] = sum(len(game.hits) + len(game.rest) for game in found)
    context |= filters_shown(asked, games)
    return render(request, fragment(request, "rules_app/search/page.html", "results"), context, status=status)


def answer_shown(answer: GameAnswer, games: dict[str, SearchDocument]) -> dict[str, Any]:
    """What a game says of the tiles, with its name."""
    row = games.get(answer.slug)
    zh = page_language() == "zh"
    name = (row.title_zh if zh else row.title_en) if row else answer.slug
    return {"answer": answer, "name": name, "url": reverse("rules:game", args=[answer.slug])}


def filters_shown(asked: Asked, games: dict[str, SearchDocument]) -> dict[str, Any]:
    """The choices of the filters."""
    zh = page_language() == "zh"
    regions = {row.region_en: row.region_zh if zh else row.region_en for row in games.values()}
    return {
        "game_choices": [(slug, row.title_zh if zh else row.title_en, slug in asked.games) for slug, row in games.items()],
        "region_choices": [(value, label, value in asked.regions) for value, label in sorted(regions.items())],
        "kind_choices": [(value, label, value in asked.kinds) for value, label in kind_names().items()],
        "narrowed": len(asked.games) + len(asked.regions) + bool(asked.needs),
    }
