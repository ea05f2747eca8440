"""The prose of a document: Markdown to safe HTML in which tile texts in backticks are tiles, and to plain text."""

from __future__ import annotations

import re
from functools import cache
from html import escape

import nh3
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.token import Token

from rules_app.engine.tiles import TileTextError, parse_tiles
from rules_app.templatetags.tiles import tiles

TAGS = {
    "p", "br", "hr", "em", "strong", "s", "del", "code", "pre", "blockquote", "ul", "ol", "li", "a",
    "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
CODE = re.compile(r"<code>([^<]{2,80})</code>")
TILE_TEXT = re.compile(r"(?:[0-9]+[mpszf]\s*)+(?:\+\s*(?:[0-9]+[mpszf]\s*)+)*")
TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
LEVEL_DOWN = {"h1": "h3", "h2": "h3", "h3": "h4", "h4": "h5", "h5": "h6", "h6": "h6"}
BREAKS = re.compile(r"\s*\n\s*")
MARKS = re.compile(r"[*_`#>|]+|-{3,}|\[([^\]]*)\]\([^)]*\)")


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def render_prose(text: str) -> SafeString:
    """The HTML of a chapter; its headings start below the chapter's own."""
    tokens = _markdown().parse(text)
    for token in tokens:
        token.tag = LEVEL_DOWN.get(token.tag, token.tag)
    _no_images(tokens)
    html = _markdown().renderer.render(tokens, _markdown().options, {})
    attributes = {"a": {"href"}, "th": {"style"}, "td": {"style"}}
    clean = nh3.clean(html, tags=TAGS, attributes=attributes, url_schemes={"http", "https", "mailto"})
    clean = clean.replace(' style="text-align:right"', ' class="numeric"').replace(' style="text-align:center"', "")
    clean = re.sub(r' style="[^"]*"', "", clean)
    label = escape(_("Table: scroll sideways"))
    clean = TABLE.sub(lambda found: f'<div class="table-wrap" role="region" tabindex="0" aria-label="{label}">{found.group()}</div>', clean)
    return SafeString(CODE.sub(_tiles_of_code, clean))


def _no_images(tokens: list[Token]) -> None:
    for token in tokens:
        if token.children:
            token.children = [child for child in token.children if child.type != "image"]


def _tiles_of_code(found: re.Match[str]) -> str:
    text = found.group(1).strip()
    if TILE_TEXT.fullmatch(text) is None:
        return found.group()
    try:
        parse_tiles(text.replace("+", " "))
    except TileTextError:
        return found.group()
    return tiles(text.replace("+", " "), size="small in-text")


def plain_text(text: str) -> str:
    """The words of Markdown, for a search and its excerpts."""
    lines = [MARKS.sub(lambda found: found.group(1) or " ", line).strip() for line in text.splitlines()]
    kept = [line.lstrip("-0123456789. ") if line.startswith(("- ", "1.")) else line for line in lines if line.strip(" :-")]
    return BREAKS.sub(" ", " ".join(kept)).replace("  ", " ").strip()
