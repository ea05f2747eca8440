"""Sheets as CSV and as XLSX.  A name or a note never becomes a formula in the program that opens it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime

import xlsxwriter

from scoring_app.exports.sheets import Cell, Sheet

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A text that starts with one of these is taken for a formula by some program."""
CSV_TYPE = "text/csv; charset=utf-8"
XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
WIDEST = 48
A4 = 9
ARROW = 3
"""Places that the arrow of the filter takes from the title."""


def as_csv(sheet: Sheet) -> bytes:
    """With a byte-order mark: without it spreadsheets take Chinese for something else."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([_safe(title) for title in sheet.columns])
    writer.writerows([_safe(cell) for cell in row] for row in sheet.rows)
    return out.getvalue().encode("utf-8-sig")


def as_xlsx(sheets: Sequence[Sheet]) -> bytes:
    """One workbook with all sheets."""
    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(out, options) as book:
        head = book.add_format({"bold": True, "bottom": 1})
        amount = book.add_format({"num_format": "#,##0;[Red]-#,##0"})
        fraction = book.add_format({"num_format": "0.00;[Red]-0.00"})
        day = book.add_format({"num_format": "yyyy-mm-dd", "align": "left"})
        moment = book.add_format({"num_format": "yyyy-mm-dd hh:mm", "align": "left"})
        names: set[str] = set()
        for sheet in sheets:
            page = book.add_worksheet(_sheet_name(sheet.title, names))
            page.freeze_panes(1, 0)
            page.set_landscape()
            page.set_paper(A4)
            page.fit_to_pages(1, 0)
            page.repeat_rows(0)
            for column, title in enumerate(sheet.columns):
                page.write_string(0, column, title, head)
                page.set_column(column, column, _width(title, (row[column] for row in sheet.rows)))
            for number, row in enumerate(sheet.rows, start=1):
                for column, cell in enumerate(row):
                    if isinstance(cell, datetime):
                        page.write_datetime(number, column, cell, moment)
                    elif isinstance(cell, date):
                        page.write_datetime(number, column, cell, day)
                    elif isinstance(cell, int):
                        page.write_number(number, column, cell, amount)
                    elif isinstance(cell, float):
                        page.write_number(number, column, cell, fraction)
                    elif cell:
                        page.write_string(number, column, cell)
            if sheet.rows:
                page.autofilter(0, 0, len(sheet.rows), len(sheet.columns) - 1)
    return out.getvalue()


def _safe(cell: Cell) -> Cell:
    """Numbers stay numbers; a text that could be taken for a formula gets an apostrophe before it."""
    if isinstance(cell, datetime):
        return cell.isoformat(sep=" ", timespec="minutes")
    if isinstance(cell, str) and cell.startswith(FORMULA):
        return f"'{cell}"
    return cell


def _sheet_name(title: str, taken: set[str]) -> str:
    """At most 31 characters, none of those that a sheet's name must not have, and no name twice."""
    name = re.sub(r"[\[\]:*?/\\']", " ", title)[:28] or "1"
    while name.casefold() in taken:
        name = f"{name[:26]} {len(taken)}"
    taken.add(name.casefold())
    return name


def _width(title: str, cells: Iterable[Cell]) -> int:
    """Columns as wide as what stands in them; a Chinese character takes two places."""
    longest = max((_places(_shown(cell)) for cell in cells), default=0)
    return min(max(longest + 2, _places(title) + ARROW), WIDEST)


def _shown(cell: Cell) -> str:
    """About what the program shows of it."""
    if isinstance(cell, datetime):
        return cell.isoformat(sep=" ", timespec="minutes")
    if isinstance(cell, int):
        return f"{cell:,}"
    return "" if cell is None else str(cell)


def _places(text: str) -> int:
    return sum(2 if ord(letter) > 0x2E7F else 1 for letter in text)
