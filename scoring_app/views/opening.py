"""Opening a table: the game, its house rules, the names; then the two links."""

from __future__ import annotations

import random
from typing import Any

import segno
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from rules_app.catalogue import UnknownGame, revision_of_game, revisions_of_all_games
from rules_app.engine import Refusal, Ruleset
from rules_app.languages import page_language
from rules_app.models import Revision
from rules_app.parsed_documents import document_of
from rules_app.publishing import load_shipped_rulesets
from rules_app.results import rule_url, seat_names
from rules_app.round_fields import Asking, Field, option_fields, read_options, read_table, table_fields
from rules_app.rulings import ruleset_of
from scoring_app.access import Visit, at_table, recent_links, remember
from scoring_app.ledger import LedgerError, open_table
from scoring_app.models import Participant, Table
from scoring_app.shown.table import option_words
from scoring_app.wording import say

MOST_PLAYERS = 12
SYSTEM_RANDOM = random.SystemRandom()


@require_safe
def new(request: HttpRequest) -> HttpResponse:
    """The games to choose from, those played on this device first."""
    revisions = {revision.ruleset.slug: revision for revision in revisions_of_all_games()}
    recent = [slug for slug in _recent_games(request) if slug in revisions]
    games = [_card(revisions[slug]) for slug in recent], [_card(revisions[slug]) for slug in revisions if slug not in recent]
    return render(request, "scoring_app/new.html", {"recent": games[0], "games": games[1]})


def _card(revision: Revision) -> dict[str, Any]:
    document, language = document_of(revision), page_language()  # a list of names needs no compiled rules
    words = [document.name.zh, document.name.en, document.region.zh, document.region.en, document.pinyin or "", revision.ruleset.slug]
    words += document.aliases.zh + document.aliases.en + document.aliases.pinyin
    return {
        "slug": revision.ruleset.slug,
        "name": (revision.ruleset.name_en if language == "en" else revision.ruleset.name_zh) or say(document.name, language),
        "region": say(document.region, language),
        "summary": say(document.summary, language),
        "seats": document.seats,
        "words": " ".join(words).lower(),
    }


def _recent_games(request: HttpRequest) -> list[str]:
    ids = [public_id for public_id, _token in recent_links(request)]
    slugs = dict(Table.objects.filter(public_id__in=ids).values_list("public_id", "revision__ruleset__slug"))
    return list(dict.fromkeys(slugs[public_id] for public_id in ids if public_id in slugs))


@require_http_methods(["GET", "POST"])
def new_game(request: HttpRequest, slug: str) -> HttpResponse:
    """House rules, names and start of a table; POST opens it."""
    try:
        revision = revision_of_game(slug)
    except UnknownGame:
        raise Http404(slug) from None
    if revision.number == 0:  # shipped, and not stored yet
        load_shipped_rulesets_once()
        revision = revision_of_game(slug)
    ruleset = ruleset_of(revision)
    data = request.POST.copy() if request.method == "POST" else request.GET.copy()
    names = [str(name).strip() for name in data.getlist("name")]
    if data.get("go") == "draw":
        SYSTEM_RANDOM.shuffle(names)
        return _form(request, revision, ruleset, data, names)
    if request.method != "POST":
        return _form(request, revision, ruleset, data, names)
    wanted = names if ruleset.document.parties is None else [name for name in names if name]
    wanted = [name or standard for name, standard in zip(wanted, _standard_names(ruleset, len(wanted)), strict=True)]
    try:
        table = open_table(
            revision=revision,
            names=wanted,
            options=read_options(ruleset, data),
            title=str(data.get("title") or ""),
            language=page_language(),
            start_points=_whole(data.get("start_points")),
            start=_start(ruleset, data),
            author=request.user if request.user.is_authenticated else None,
        )
    except (Refusal, LedgerError) as error:
        return _form(request, revision, ruleset, data, names, error.message.in_language(page_language()), error.path)
    response = HttpResponseRedirect(reverse("scoring:links", args=[table.public_id, table.scorer_token]) + "?new=1", status=303)
    remember(response, Visit(request, table, "scorer", table.scorer_token))
    return response


def load_shipped_rulesets_once() -> None:
    """Bring the shipped games into the database, for an installation where nobody has yet."""
    for _shipped in load_shipped_rulesets():
        pass


def _form(
    request: HttpRequest, revision: Revision, ruleset: Ruleset, data: Any, names: list[str], problem: str = "", path: str = ""
) -> HttpResponse:
    document, language = ruleset.document, page_language()
    free = document.parties is not None
    places = len(names) if free and len(names) > 4 else 6 if free else document.seats
    filled = [*names, *[""] * places][:places] if not free else [*names, *[""] * max(0, places - len(names))][:MOST_PLAYERS]
    standard = _standard_names(ruleset, len(filled))
    asking = Asking(ruleset, data, language, [name or other for name, other in zip(filled, standard, strict=True)])
    options = option_fields(asking)
    start: list[Field] = [] if free else list(table_fields(asking).values())
    state = [one for name, one in table_fields(asking).items() if name in document.state] if free else []
    context = {
        "slug": revision.ruleset.slug,
        "game": say(document.name, language),
        "summary": say(document.summary, language),
        "rules_url": rule_url(revision.ruleset.slug),
        "options": options,
        "changed": [one for one in options if one.is_changed],
        "names": [{"value": name, "hint": other} for name, other in zip(filled, standard, strict=True)],
        "suggestions": _suggestions(request),
        "start": [*start, *state],
        "start_open": any(one.is_changed for one in [*start, *state]) or _whole(data.get("start_points")) != 0,
        "start_points": data.get("start_points", ""),
        "title": data.get("title", ""),
        "free": free,
        "problem": problem,
        "path": path,
    }
    return render(request, "scoring_app/new_game.html", context, status=422 if problem else 200)


def _standard_names(ruleset: Ruleset, count: int) -> list[str]:
    """Names for those who give none."""
    if ruleset.document.parties is None:
        return seat_names(ruleset.document.seats)[:count] + [""] * max(0, count - ruleset.document.seats)
    return [_("Player %(number)s") % {"number": number + 1} for number in range(count)]


def _suggestions(request: HttpRequest) -> list[str]:
    """Names from the recent tables of this device."""
    ids = [public_id for public_id, _token in recent_links(request)]
    people = Participant.objects.filter(table__public_id__in=ids, kind=Participant.Kind.PLAYER).order_by("-table_id", "number")
    return list(dict.fromkeys(people.values_list("name", flat=True)))[:24]


def _start(ruleset: Ruleset, data: Any) -> dict[str, Any] | None:
    found = read_table(ruleset, data)
    if ruleset.document.parties is not None and data.get("dealer") in (None, ""):
        found.pop("dealer", None)
    return found or None


def _whole(text: Any) -> int:
    try:
        return int(str(text or "0"))
    except ValueError:
        return 0


def code_of(address: str) -> SafeString:
    """A QR code as SVG, black on nothing; the page puts white behind it."""
    code = segno.make(address, error="m")
    drawn = code.svg_inline(scale=4, border=2, omitsize=True, svgclass=None, lineclass=None, dark="#000")
    return mark_safe(drawn)  # noqa: S308 - drawn here, from an address that is only read


@require_safe
@at_table(scorer=True)
def links(visit: Visit) -> HttpResponse:
    """The two links with their codes: this one may write, this one may look."""
    table, request = visit.table, visit.request
    if not visit.has_link:  # a device that was let in by a key does not learn what stays when the key is taken back
        raise Http404(table.public_id)
    write, look = (
        request.build_absolute_uri(reverse("scoring:table", args=[table.public_id, token]))
        for token in (table.scorer_token, table.watch_token)
    )
    context = {
        "visit": visit,
        "table_url": visit.url(),
        "write_url": write,
        "look_url": look,
        "write_code": code_of(write),
        "look_code": code_of(look),
        "is_new": bool(request.GET.get("new")),
        "game": say(visit.ruleset.document.name, visit.language),
        "options": option_words(visit.ruleset, table.options, visit.language),
        "local_only": request.get_host().partition(":")[0] in ("127.0.0.1", "localhost", "[::1]"),
    }
    return render(request, "scoring_app/links.html", context)
