"""The reference of the expression language as a page, and beside the editor of a draft."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from rules_app.engine.reference import Chapter, Entry, language_chapters

LONGEST_QUERY = 100


@dataclass(frozen=True, slots=True)
class EntryShown:
    """A name of the language in the reader's language.

    ``words``: what the filter looks through, in both languages, lower case. ``hidden``: the filter leaves it out.
    """

    anchor: str
    name: str
    type: str
    doc: str
    example: str
    words: str
    hidden: bool


@dataclass(frozen=True, slots=True)
class ChapterShown:
    """A chapter in the reader's language; ``hidden`` where the filter leaves none of its entries."""

    anchor: str
    title: str
    intro: str
    entries: tuple[EntryShown, ...]
    hidden: bool


@dataclass(frozen=True, slots=True)
class Reference:
    """The whole reference, filtered by a query; what is left out is there, hidden, for the script to bring back."""

    query: str
    chapters: tuple[ChapterShown, ...]
    shown: int
    total: int


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The reference; ``?q=`` leaves only the entries that hold each of its words."""
    return render(request, "rules_app/language/page.html", {"reference": reference(get_language() or "zh", request.GET.get("q", ""))})


def reference(language: str, query: str = "") -> Reference:
    """The reference in one language."""
    query = query.strip()[:LONGEST_QUERY]
    wanted = query.lower().split()
    chapters = tuple(_chapter(chapter, language, wanted) for chapter in language_chapters())
    entries = [entry for chapter in chapters for entry in chapter.entries]
    return Reference(query, chapters, sum(not entry.hidden for entry in entries), len(entries))


def _chapter(chapter: Chapter, language: str, wanted: list[str]) -> ChapterShown:
    entries = tuple(_entry(chapter.id, place, entry, language, wanted) for place, entry in enumerate(chapter.entries))
    title, intro = chapter.title.in_language(language), chapter.intro.in_language(language)
    return ChapterShown(f"language-{chapter.id}", title, intro, entries, all(entry.hidden for entry in entries))


def _entry(chapter: str, place: int, entry: Entry, language: str, wanted: list[str]) -> EntryShown:
    name = re.match(r"\.?([a-z_0-9]+)(?=$|\()", entry.name)
    parts = (entry.name, entry.type.zh, entry.type.en, entry.doc.zh, entry.doc.en, entry.example)
    words = " ".join(parts).lower()
    return EntryShown(
        anchor=f"language-{chapter}-{name.group(1) if name else place}",
        name=entry.name,
        type=entry.type.in_language(language),
        doc=entry.doc.in_language(language),
        example=entry.example,
        words=words,
        hidden=not all(word in words for word in wanted),
    )
