"""Tiles and amounts in templates.

``{% tiles "123m 44p" %}`` draws tiles (a space is a gap), ``{% tile "5m" %}`` draws one, both with names
that a screen reader speaks; ``{{ 24|signed }}`` writes +24 and ``{% amount 24 %}`` the same with its colour.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from rules_app.engine.tiles import TileTextError, parse_tiles, tile_name, tile_text

register = template.Library()

MINUS = "\u2212"
SPRITE = "tiles/tiles.svg"

Tiles = str | Sequence[int] | None


@register.simple_tag
def tiles(
    what: Tiles, size: str = "", wild: Tiles = None, mark: int | None = None, decorative: bool = False, **attributes: str
) -> SafeString:
    """The tiles ``what`` names, in its order.

    ``what``: a text in any notation the engine reads, spaces as gaps, or a list of kinds. ``size``:
    "small", "large" or "huge". ``wild``: kinds (as text or list) to show with a gold frame.
    ``mark``: the index of the tile that completed the hand. ``class``: more classes. ``decorative``:
    silent for screen readers, where the words beside say the same. A text that names no tiles stands
    as it is.
    """
    try:
        groups = _groups(what)
        wild_kinds = frozenset(kind for group in _groups(wild) for kind in group)
    except TileTextError:
        return format_html('<span class="tiles-text">{}</span>', what)
    kinds = [kind for group in groups for kind in group]
    gaps = _gap_indexes(groups)
    gap = SafeString('<span class="gap"></span>')
    drawn = format_html_join(
        "",
        "{}{}",
        (
            (gap if index in gaps else "", _draw(tile_text(kind), classes=_marks(kind in wild_kinds, index == mark)))
            for index, kind in enumerate(kinds)
        ),
    )
    classes = " ".join(filter(None, ("tiles", size, attributes.get("class", ""))))
    if decorative:
        return format_html('<span class="{}" aria-hidden="true">{}</span>', classes, drawn)
    return format_html('<span class="{}" role="img" aria-label="{}">{}</span>', classes, spoken(kinds, wild_kinds), drawn)


@register.simple_tag
def tile(
    what: str | int, size: str = "", wild: bool = False, mark: bool = False, decorative: bool = False, **attributes: str
) -> SafeString:
    """One tile: ``what`` is "5m", a kind, or "back" or "blank"; the rest as in :func:`tiles`."""
    name, label = _name_and_label(what)
    classes = " ".join(filter(None, (size, _marks(wild, mark), attributes.get("class", ""))))
    return _draw(name, classes=classes, label="" if decorative else label)


@register.filter
def signed(value: object) -> str:
    """An amount with its sign: +24, −8 (a true minus), 0; other values as they are, nothing for None."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int):
        return str(value)
    return f"+{value}" if value > 0 else f"{MINUS}{-value}" if value < 0 else "0"


@register.simple_tag
def amount(value: int | None, **attributes: str) -> SafeString:
    """A signed amount with the class that colours it."""
    if value is None:
        return SafeString("")
    direction = "plus" if value > 0 else "minus" if value < 0 else "zero"
    classes = " ".join(filter(None, ("amount", direction, attributes.get("class", ""))))
    return format_html('<span class="{}">{}</span>', classes, signed(value))


def spoken(kinds: Iterable[int], wild: Container[int] = ()) -> str:
    """The tiles' names in the active language, one after the other; those of ``wild`` kinds say so."""
    language = get_language() or "zh"
    names = []
    for kind in kinds:
        name = tile_name(kind).in_language(language)
        names.append(_("%(tile)s (wild)") % {"tile": name} if kind in wild else name)
    return ("、" if language.startswith("zh") else ", ").join(names)


def _groups(what: Tiles) -> list[list[int]]:
    """The kinds in ``what``, apart where a text has spaces.

    A group may be without its suit (``"12 3m"``); then the spaces mean nothing.
    """
    if not what:
        return []
    if not isinstance(what, str):
        return [list(what)]
    try:
        return [parse_tiles(part) for part in what.split()]
    except TileTextError:
        return [parse_tiles(what)]


def _gap_indexes(groups: Sequence[Sequence[int]]) -> frozenset[int]:
    starts, at = [], 0
    for group in groups:
        starts.append(at)
        at += len(group)
    return frozenset(starts[1:])


def _name_and_label(what: str | int) -> tuple[str, str]:
    if what == "back":
        return "back", _("a tile face down")
    if what == "blank":
        return "blank", _("any tile")
    kind = what if isinstance(what, int) else parse_tiles(what)[0]
    return tile_text(kind), spoken([kind])


def _marks(wild: bool, mark: bool) -> str:
    return " ".join(filter(None, ("wild" if wild else "", "mark" if mark else "")))


def _draw(name: str, *, classes: str = "", label: str = "") -> SafeString:
    spoken_as = format_html('role="img" aria-label="{}"', label) if label else SafeString('aria-hidden="true"')
    return format_html(
        '<svg class="{}" viewBox="0 0 60 80" {}><use href="{}#t-{}"/></svg>', f"tile {classes}".rstrip(), spoken_as, static(SPRITE), name
    )
