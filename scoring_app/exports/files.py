"""Every file that can be had of a table, a session, a season or a club: its name, its type and how it is made."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils import timezone, translation

from scoring_app.exports.json_out import session_document, table_document
from scoring_app.exports.printed import PDF_TYPE, blank_sheet, score_sheet, session_report, title_of
from scoring_app.exports.sheets import Sheet, club_sheets, season_sheets, session_sheets, table_sheets
from scoring_app.exports.spreadsheet import CSV_TYPE, XLSX_TYPE, as_csv, as_xlsx
from scoring_app.models import Club, Season, Session, Table

JSON_TYPE = "application/json"
FORMS = ("csv", "xlsx", "pdf", "blank", "json")


@dataclass(frozen=True, slots=True)
class File:
    name: str
    content_type: str
    content: bytes


def table_file(table: Table, form: str, language: str) -> File:
    """``form``: csv (the book), xlsx, pdf (score sheet), blank (score sheet to write on), json (imports again).

    :raises KeyError: no such form.
    """
    makers: dict[str, Callable[[], bytes]] = {
        "csv": lambda: as_csv(table_sheets(table, language)[0]),
        "xlsx": lambda: as_xlsx(table_sheets(table, language)),
        "pdf": lambda: score_sheet(table, language),
        "blank": lambda: blank_sheet(table.revision, language, names=_seated(table), title=title_of(table)),
        "json": lambda: _json(table_document(table)),
    }
    with translation.override("zh-hans" if language == "zh" else "en"):
        stem = f"{timezone.localtime(table.created_at):%Y-%m-%d}-{title_of(table) or table.public_id}"
    return _file(stem, form, makers, language)


def session_file(session: Session, form: str, language: str) -> File:
    """``csv`` holds the standings; the rest as of a table."""
    makers: dict[str, Callable[[], bytes]] = {
        "csv": lambda: as_csv(session_sheets(session, language)[0]),
        "xlsx": lambda: as_xlsx(session_sheets(session, language)),
        "pdf": lambda: session_report(session, language),
        "blank": lambda: blank_sheet(session.revision, language, title=str(session)),
        "json": lambda: _json(session_document(session)),
    }
    return _file(f"{session.date}-{session.title or session.public_id}", form, makers, language)


def season_file(season: Season, form: str, language: str) -> File:
    """``csv`` (standings) or ``xlsx``."""
    return _file(f"{season.club.slug}-{season.name}", form, _season_like(lambda: season_sheets(season, language)), language)


def club_file(club: Club, form: str, language: str) -> File:
    return _file(club.slug, form, _season_like(lambda: club_sheets(club, language)), language)


def _season_like(sheets: Callable[[], list[Sheet]]) -> dict[str, Callable[[], bytes]]:
    return {"csv": lambda: as_csv(sheets()[0]), "xlsx": lambda: as_xlsx(sheets())}


def _file(stem: str, form: str, makers: dict[str, Callable[[], bytes]], language: str) -> File:
    types = {"csv": CSV_TYPE, "xlsx": XLSX_TYPE, "pdf": PDF_TYPE, "blank": PDF_TYPE, "json": JSON_TYPE}
    make = makers[form]
    with translation.override("zh-hans" if language == "zh" else "en"):
        content = make()
    suffix = "-blank.pdf" if form == "blank" else f".{form}"
    name = re.sub(r"[^\w.-]+", "-", stem).strip("-.") or "mahjong"
    return File(name[:80] + suffix, types[form], content)


def _json(document: dict[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def _seated(table: Table) -> list[str]:
    names = dict(table.participants.values_list("number", "name"))
    seats = table.standing.situation["seats"]
    return [names[number] if number is not None else "" for number in seats]
