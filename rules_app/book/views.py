"""The pages of the rule book."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from rules_app.book.cards import TELLING, cards, feature_names, having
from rules_app.book.comparing import compare
from rules_app.book.game import game_page
from rules_app.book.glossary import terms
from rules_app.book.rendering import rendered
from rules_app.book.sheet import sheet_of
from rules_app.catalogue import UnknownGame, revision_of_game
from rules_app.languages import page_language
from rules_app.models import Revision
from rules_app.rulings import ruleset_of


def revision_or_404(slug: str) -> Revision:
    """The revision of a game.

    :raises Http404: no such game.
    """
    try:
        return revision_of_game(slug)
    except UnknownGame:
        raise Http404(slug) from None


@gzip_page
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All games as cards; ``has`` names features that they must have."""
    everything = cards(page_language())
    wanted = [name for name in request.GET.getlist("has") if name.removeprefix("no-") in feature_names()]
    names = feature_names()
    chips = [
        {"id": name, "name": names[name], "checked": name in wanted, "count": len(having(everything, [name]))}
        for name in TELLING
        if having(everything, [name])
    ]
    context = {"games": having(everything, wanted), "chips": chips, "wanted": wanted, "total": len(everything)}
    return render(request, fragment(request, "rules_app/book/index.html", "games"), context)


@gzip_page
@require_safe
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """The rule page of a game."""
    revision = revision_or_404(slug)

    def make() -> str:
        return render_to_string("rules_app/book/game_body.html", {"page": game_page(ruleset_of(revision), slug, page_language())})

    body = rendered(f"game:{slug}", revision.content_hash, page_language(), make)
    return render(request, "rules_app/book/game.html", {"body": body, "revision": revision, "slug": slug, **_names(revision)})


@gzip_page
@require_safe
def sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """The game on one sheet of paper."""
    revision = revision_or_404(slug)

    def make() -> str:
        return render_to_string("rules_app/book/sheet_body.html", {"sheet": sheet_of(ruleset_of(revision), slug, page_language())})

    body = rendered(f"sheet:{slug}", revision.content_hash, page_language(), make)
    return render(request, "rules_app/book/sheet.html", {"body": body, "revision": revision, "slug": slug, **_names(revision)})


def _names(revision: Revision) -> dict[str, Any]:
    stored = revision.ruleset
    if stored.name_zh:
        return {"name": stored.name_zh if page_language() == "zh" else stored.name_en}
    return {"name": ruleset_of(revision).document.name.in_language(page_language())}


@gzip_page
@require_safe
def comparison(request: HttpRequest) -> HttpResponse:
    """Games side by side: ``g`` names them, ``all=1`` shows patterns of a single game too."""
    chosen = request.GET.getlist("g")
    show_all = request.GET.get("all") == "1"
    made = compare(chosen, page_language(), shared_only=not show_all)
    context = {"comparison": made, "chosen": {card.slug for card in made.games} if chosen else set(), "show_all": show_all}
    return render(request, fragment(request, "rules_app/book/compare.html", "tables"), context)


@gzip_page
@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    """The words of all games."""
    return render(request, "rules_app/book/glossary.html", {"letters": terms(page_language())})


def fragment(request: HttpRequest, template: str, part: str) -> str:
    """The template, or the part of it that htmx asks for."""
    htmx = request.htmx  # type: ignore[attr-defined]
    return f"{template}#{part}" if htmx and not htmx.boosted and not htmx.history_restore_request else template
