"""Pages to score a hand or a whole happening of any game."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from rules_app.catalogue import UnknownGame, revision_of_game, revisions_of_all_games
from rules_app.engine import Outcome, Refusal
from rules_app.engine.probing import resting_hand
from rules_app.engine.schema import Words
from rules_app.engine.tiles import format_tiles, parse_tiles
from rules_app.engine.why import Reason, Why, what_is_missing, why_not, why_not_of_hand
from rules_app.languages import page_language
from rules_app.models import Revision
from rules_app.parsed_documents import document_of
from rules_app.results import ResultShown, present, rule_url
from rules_app.rulings import ruleset_of, score
from rules_app.scoring_page import Sheet, build_sheet, canonical_query
from rules_app.waiting import WaitShown, count_missing, show_waits

LONGEST_TEXT = 400


@dataclass(slots=True)
class Shown:
    """What the lower half of the page says.

    ``phase``: empty, unfinished (``missing`` tiles), waiting (``waits``), scored (``result``), refused.
    """

    phase: str
    missing: int = 0
    waits: list[WaitShown] = field(default_factory=list)
    result: ResultShown | None = None
    message: str = ""
    where: str = ""
    reasons: list[Reason] = field(default_factory=list)
    rule_url: str = ""
    hint: str = ""
    hint_tiles: str = ""
    why: Why | None = None

    @property
    def status(self) -> int:
        """The HTTP status."""
        return 422 if self.phase == "refused" else 200


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The games to choose from."""
    games = [game_card(revision) for revision in revisions_of_all_games()]
    return render(request, "rules_app/score/index.html", {"games": games})


def game_card(revision: Revision) -> dict[str, Any]:
    """A game in the list."""
    document = document_of(revision)
    zh = page_language() == "zh"

    def say(words: Words) -> str:
        return words.zh if zh else words.en

    slug = revision.ruleset.slug
    return {
        "url": reverse("rules:score", args=[slug]),
        "slug": slug,
        "name": say(document.name),
        "region": say(document.region),
        "summary": say(document.summary),
    }


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """The scoring page of a game; the result alone for htmx."""
    try:
        revision = revision_of_game(slug)
    except UnknownGame:
        raise Http404(slug) from None
    ruleset = ruleset_of(revision)
    sheet = build_sheet(ruleset, slug, request.GET, page_language())
    shown = judge(sheet, revision)
    query = canonical_query(sheet)
    address = reverse("rules:score", args=[slug]) + (f"?{query}" if query else "")
    document = ruleset.document
    context = {
        "sheet": sheet,
        "shown": shown,
        "slug": slug,
        "game": document.name.zh if page_language() == "zh" else document.name.en,
        "rules_url": rule_url(slug),
        "address": address,
        "table_url": table_url(sheet),
        "share_url": request.build_absolute_uri(address),
        "patterns": pattern_choices(sheet, shown),
        "canonical": canonical_texts(sheet),
    }
    is_fragment = bool(request.htmx) and not request.htmx.boosted and not request.htmx.history_restore_request  # type: ignore[attr-defined]
    template = "rules_app/score/answer.html" if is_fragment else "rules_app/score/page.html"
    response = render(request, template, context, status=shown.status)
    if is_fragment:
        response["HX-Replace-Url"] = address
    return response


def table_url(sheet: Sheet) -> str:
    """Where a table of this game is opened, with the same house rules; empty where an installation has no tables."""
    try:
        address = reverse("scoring:table_new_game", args=[sheet.slug])
    except NoReverseMatch:
        return ""
    changed = urlencode([(option.name, option.value) for option in sheet.changed_options])
    return f"{address}?{changed}" if changed else address


def judge(sheet: Sheet, revision: Revision) -> Shown:
    """What the entered round comes to so far."""
    if sheet.refusal is not None:
        return refused(sheet, sheet.refusal)
    try:
        if sheet.is_win and not sheet.is_quick:
            unfinished = judge_tiles(sheet)
            if unfinished is not None:
                return unfinished
        elif (sheet.is_quick and not sheet.request["round"]["events"][-1]["declared"]) or not entered(sheet):
            return Shown("empty")
        outcome = score(revision, sheet.request)
    except Refusal as refusal:
        return refused(sheet, refusal)
    return scored(sheet, outcome)


def entered(sheet: Sheet) -> bool:
    """Whether anything of an event other than a win was entered; a draw without hands counts where none are asked for."""
    event = sheet.request["round"]["events"][-1]
    if sheet.is_win:
        return True
    if sheet.what == "draw":
        return bool(event.get("hands")) or sheet.asking.get("done") == "1" or sheet.ruleset.document.events.draw == "none"
    return len(event) > len({"type", "kind", "name"} & set(event))


def judge_tiles(sheet: Sheet) -> Shown | None:
    """A hand that is not complete yet; None once it has its winning tile."""
    win = sheet.request["round"]["events"][-1]
    if win.get("tile"):
        return None
    missing = count_missing(sheet.ruleset, win)
    if not win["hand"].strip() and not win.get("melds"):
        return Shown("empty", missing=missing + 1)
    if missing:
        return Shown("unfinished", missing=missing + 1)
    waits = show_waits(sheet.ruleset, sheet.request, sheet.asking.language)
    return Shown("waiting", waits=[replace(wait, query=query_with(sheet, wait.tile)) for wait in waits])


def query_with(sheet: Sheet, tile: str) -> str:
    """The query of the page with a winning tile."""
    data = sheet.asking.data.copy()
    data["tile"] = tile
    return canonical_query(sheet, data)


def scored(sheet: Sheet, outcome: Outcome) -> Shown:
    """A complete round with its explanation."""
    answer = outcome.answer(sheet.asking.language)
    dealer = answer_dealer(sheet)
    shown = Shown("scored")
    shown.result = present(answer, sheet.ruleset, sheet.asking.language, slug=sheet.slug, names=sheet.asking.seat_names, dealer=dealer)
    wanted = sheet.asking.get("why")
    if wanted in sheet.ruleset.by_id and sheet.is_win and outcome.wins:
        shown.why = why_not(outcome, len(outcome.wins) - 1, wanted, sheet.asking.language)
    return shown


def answer_dealer(sheet: Sheet) -> int | None:
    """The dealer, where the game looks at one."""
    if not any(one.name == "dealer" for one in sheet.table):
        return None
    dealer = sheet.request.get("table", {}).get("dealer", 0)
    return dealer if isinstance(dealer, int) else None


def refused(sheet: Sheet, refusal: Refusal) -> Shown:
    """A refusal as a colleague would put it: what, where, what would be right."""
    ruleset = sheet.ruleset
    shown = Shown("refused", message=refusal.message.in_language(sheet.asking.language), where=place_words(refusal.path))
    if sheet.request:
        shown.reasons = what_is_missing(ruleset, sheet.request, refusal, sheet.asking.language)
    if refusal.rule is not None:
        is_condition = any(condition.id == refusal.rule for condition in ruleset.document.conditions)
        shown.rule_url = rule_url(sheet.slug, refusal.rule, "condition" if is_condition else "check")
    if refusal.code in ("not_a_win", "below_minimum") and sheet.is_win and not sheet.is_quick:
        explain_hand(sheet, refusal, shown)
    return shown


def explain_hand(sheet: Sheet, refusal: Refusal, shown: Shown) -> None:
    """What the hand waits for instead, and why it lacks the pattern asked about."""
    win = sheet.request["round"]["events"][-1]
    without = {key: value for key, value in win.items() if key != "tile"}
    events = [*sheet.request["round"]["events"][:-1], without]
    try:
        hand = resting_hand(sheet.ruleset, {**sheet.request, "round": {**sheet.request["round"], "events": events}})
        if refusal.code == "not_a_win":
            waits = list(hand.waits)
            shown.hint_tiles = format_tiles(waits)
            shown.hint = _("The hand waits for") if waits else _("Without the winning tile the hand waits for nothing.")
        wanted = sheet.asking.get("why")
        if wanted in sheet.ruleset.by_id and win.get("tile"):
            complete = hand.with_tile(parse_tiles(str(win["tile"]))[0], win["by"], flags=frozenset(win.get("flags", ())))
            shown.why = why_not_of_hand(sheet.ruleset, complete, wanted, sheet.asking.language)
    except (Refusal, ValueError, IndexError):
        return


def place_words(path: str) -> str:
    """The place in the request, as people call it."""
    last = path.replace("]", "").replace("[", ".").split(".")
    names = {
        "hand": _("Tiles in hand"), "tile": _("Winning tile"), "melds": _("Melds"), "flowers": _("Flowers"), "wild": _("Wild tile"),
        "flags": _("Circumstances"), "options": _("Options"), "inputs": _("This round"), "from": _("Who pays"), "seat": _("Who"),
        "hands": _("Hands shown"), "declared": _("Patterns"), "table": _("Table"), "bets": _("Bets"),
    }  # fmt: skip
    return next((names[part] for part in reversed(last) if part in names), "")


def pattern_choices(sheet: Sheet, shown: Shown) -> list[dict[str, str]]:
    """The patterns that can be asked about: those that do not count."""
    if not sheet.is_win or sheet.is_quick or shown.phase not in ("scored", "refused"):
        return []
    counted = {line.id for win in (shown.result.wins if shown.result else []) for line in win.patterns}
    asking = sheet.asking
    return [
        {"id": name, "name": asking.say(pattern.name)}
        for name, pattern in sheet.ruleset.document.patterns.items()
        if name not in counted and pattern.listed
    ]


def canonical_texts(sheet: Sheet) -> dict[str, str]:
    """The tile texts in the short notation, for the keyboard to go on from."""
    found = {}
    for name in ("hand", "tile", "flowers", "wild"):
        text = sheet.text[name]
        try:
            found[name] = format_tiles(parse_tiles(text[:LONGEST_TEXT]))
        except ValueError:
            found[name] = ""
    return found
