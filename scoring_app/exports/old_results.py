"""Results of evenings that were kept in a spreadsheet: read, looked at, written.

Two forms are understood.  *Long*: a row a person, with columns for date, name and points (and table, where several
were played on a day).  *Wide*: a row a table, a column for the date and one for each name, points below the names.
Who paid whom is not known, so a result counts in standings and not among rounds played.
"""

from __future__ import annotations

import csv
import datetime
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from rules_app import rulings
from rules_app.engine.text import Text
from rules_app.models import Revision
from scoring_app.clubs import season_at
from scoring_app.errors import Refused
from scoring_app.ledger import Origin, close_table, record_transfer
from scoring_app.models import Club, Member, Session, SessionPlayer
from scoring_app.naming import MAX_NAME
from scoring_app.sessions import add_player, end_session, open_session, open_session_table
from scoring_app.statistics import settle_up

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MOST_ROWS = 5000
MOST_COLUMNS = 60
MOST_POINTS = 10**9
MOST_TAGS = 1_000_000
"""In a part of a workbook; a small file may unpack to millions of empty cells."""
DATE = {"date", "day", "日期", "时间"}
NAME = {"name", "player", "姓名", "名字", "玩家", "选手"}
POINTS = {"points", "score", "result", "分数", "得分", "积分", "输赢", "成绩"}
TABLE = {"table", "game", "桌", "桌号", "桌次", "场次"}

Cell = Any
UNREADABLE = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError,
    InvalidFileException, SyntaxError, RuntimeError, LookupError, ValueError, ArithmeticError, TypeError, AttributeError,
)  # fmt: skip
"""What reading a damaged workbook ends with: of the archive, of its XML (a SyntaxError) and of what openpyxl makes of it."""


class ResultsError(Refused):
    """A spreadsheet that cannot be read at all."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong in a row (counted as spreadsheets do, from 1)."""

    row: int
    message: Text


@dataclass(frozen=True, slots=True)
class Result:
    """One table: who had how many points in the end; together zero."""

    row: int
    date: datetime.date
    table: str
    points: dict[str, int]


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a spreadsheet holds; with ``faults`` nothing of it is imported."""

    results: tuple[Result, ...]
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """What an import would do: sessions by date, names that are members, names that are not, totals by name."""

    results: tuple[Result, ...]
    faults: tuple[Fault, ...]
    dates: tuple[datetime.date, ...]
    members: tuple[str, ...]
    guests: tuple[str, ...]
    totals: tuple[tuple[str, int], ...]

    @property
    def can_import(self) -> bool:
        return bool(self.results) and not self.faults


@dataclass(slots=True)
class _Group:
    row: int
    date: datetime.date
    table: str
    points: dict[str, int] = field(default_factory=dict)


def read_results(data: bytes, name: str = "") -> Sheet:
    """The results in a CSV or XLSX file, every fault of it with its row.

    :raises ResultsError: it is neither, is too large, or has no columns that are understood.
    """
    rows = _xlsx_rows(data) if data[:2] == b"PK" or name.lower().endswith(".xlsx") else _csv_rows(data)
    numbered = [(number, row) for number, row in enumerate(rows, start=1) if any(_text(cell) for cell in row)]
    if not numbered:
        raise _unreadable("表格是空的。", "The spreadsheet is empty.")
    if len(numbered) > MOST_ROWS:
        raise _unreadable(f"最多 {MOST_ROWS} 行，这里有 {len(numbered)} 行。", f"At most {MOST_ROWS} rows; there are {len(numbered)}.")
    (_, head), *body = numbered
    titles = [_text(cell) for cell in head]
    plain = [title.casefold() for title in titles]
    places = {key: next((i for i, title in enumerate(plain) if title in words), None) for key, words in
              {"date": DATE, "name": NAME, "points": POINTS, "table": TABLE}.items()}  # fmt: skip
    if places["date"] is None:
        raise _unreadable("第一行没有“日期”一栏。", "The first row has no column called “date”.")
    faults: list[Fault] = []
    if places["name"] is not None and places["points"] is not None:
        groups = _long(body, places, faults)
    else:
        groups = _wide(body, titles, places, faults)
    for group in groups:
        off = sum(group.points.values())
        if off:
            zh = f"{group.date} {group.table} 各人分数之和应为 0，现在{'多' if off > 0 else '少'}了 {abs(off)}。"
            much = "much" if off > 0 else "little"
            place = f"{group.date} {group.table}".rstrip()
            faults.append(Fault(group.row, Text(zh=zh, en=f"{place}: the points must add up to 0; they are {abs(off)} too {much}.")))
    results = tuple(Result(group.row, group.date, group.table, group.points) for group in groups if group.points)
    return Sheet(tuple(sorted(results, key=lambda result: (result.date, result.row))), tuple(sorted(faults, key=lambda fault: fault.row)))


def preview_results(sheet: Sheet, *, club: Club, revision: Revision) -> Preview:
    """What importing would do; a table that the game cannot have is a fault."""
    faults = list(sheet.faults)
    document = rulings.ruleset_of(revision).document
    for result in sheet.results:
        people = len(result.points)
        if people < 2 or people > 12 or (document.parties is None and people < document.seats):
            zh = f"这一桌有 {people} 人，{document.name.zh}需要 {document.seats} 人。"
            en = f"There are {people} players here, and {document.name.en} needs {document.seats}."
            faults.append(Fault(result.row, Text(zh=zh, en=en)))
    known = {member.name.casefold() for member in Member.objects.active().filter(club=club)}
    totals: dict[str, int] = {}
    for result in sheet.results:
        for name, points in result.points.items():
            totals[name] = totals.get(name, 0) + points
    names = sorted(totals)
    return Preview(
        results=sheet.results,
        faults=tuple(sorted(faults, key=lambda fault: fault.row)),
        dates=tuple(sorted({result.date for result in sheet.results})),
        members=tuple(name for name in names if name.casefold() in known),
        guests=tuple(name for name in names if name.casefold() not in known),
        totals=tuple(sorted(totals.items(), key=lambda line: -line[1])),
    )


def import_results(
    sheet: Sheet, *, club: Club, revision: Revision, author: User | None = None, title: str = "", report: Any = None
) -> list[Session]:
    """A session for each date, a table for each result, one entry at each table; all or nothing.

    ``report`` (done, total) hears how far it is.

    :raises ResultsError: the spreadsheet has faults.
    """
    preview = preview_results(sheet, club=club, revision=revision)
    if not preview.can_import:
        fault = preview.faults[0] if preview.faults else Fault(1, Text(zh="没有可导入的成绩。", en="There is nothing to import."))
        raise ResultsError(
            "faults", Text(zh=f"第 {fault.row} 行：{fault.message.zh}", en=f"Row {fault.row}: {fault.message.en}"), f"row {fault.row}"
        )
    members = {member.name.casefold(): member for member in Member.objects.active().filter(club=club)}
    sessions = []
    done = 0
    with transaction.atomic():
        for day in preview.dates:
            results = [result for result in sheet.results if result.date == day]
            sessions.append(_import_day(day, results, club, revision, members, author, title))
            done += len(results)
            if report is not None:
                report(done, len(sheet.results))
    return sessions


def _import_day(
    day: datetime.date,
    results: Sequence[Result],
    club: Club,
    revision: Revision,
    members: dict[str, Member],
    author: User | None,
    title: str,
) -> Session:
    season = season_at(club, day)
    language = "en" if club.language == "en" else "zh"
    words = {"zh": "导入的成绩", "en": "imported result"}[language]
    session = open_session(club=club, season=season, title=title, date=day, revision=revision, options={}, table_fee=0, author=author)
    players: dict[str, SessionPlayer] = {}
    origin = Origin(author=author, client_time=timezone.make_aware(datetime.datetime.combine(day, datetime.time(12))))
    for result in results:
        for name in result.points:
            if name.casefold() not in players:
                players[name.casefold()] = add_player(session=session, name=name, member=members.get(name.casefold()))
        seats = len(result.points) if rulings.ruleset_of(revision).document.parties else rulings.ruleset_of(revision).document.seats
        people = [players[name.casefold()] for name in result.points]
        table = open_session_table(session=session, players=people[:seats], resting=people[seats:], options={}, author=author)
        numbers = dict(table.participants.exclude(player=None).values_list("player_id", "number"))
        balances = {numbers[players[name.casefold()].pk]: points for name, points in result.points.items()}
        lines = [{"from": line.payer, "to": line.payee, "amount": line.amount} for line in settle_up(balances)]
        if lines:
            key = f"import-{result.row}"
            record_transfer(table=table, lines=lines, text=words, kind="result", expected_version=0, idempotency_key=key, origin=origin)
            table.refresh_from_db()
        close_table(table=table, text=words, expected_version=table.version, idempotency_key="import-end", origin=origin)
    return end_session(session=session, origin=origin)


def _long(body: list[tuple[int, list[Cell]]], places: dict[str, int | None], faults: list[Fault]) -> list[_Group]:
    groups: dict[tuple[datetime.date, str], _Group] = {}
    for number, row in body:
        day = _date(_at(row, places["date"]), number, faults)
        name = _name(_at(row, places["name"]), number, faults)
        points = _points(_at(row, places["points"]), number, faults)
        table = _text(_at(row, places["table"])) if places["table"] is not None else ""
        if day is None or name is None or points is None:
            continue
        group = groups.setdefault((day, table), _Group(number, day, table))
        if any(name.casefold() == other.casefold() for other in group.points):
            zh, en = f"{name} 在同一桌出现了两次。", f"{name} stands twice at the same table."
            faults.append(Fault(number, Text(zh=zh, en=en)))
            continue
        group.points[name] = points
    return list(groups.values())


def _wide(body: list[tuple[int, list[Cell]]], titles: list[str], places: dict[str, int | None], faults: list[Fault]) -> list[_Group]:
    apart = {place for place in places.values() if place is not None}
    names: dict[int, str] = {}
    for column, title in enumerate(titles):
        if column not in apart and title:
            name = _name(title, 1, faults)
            if name is not None and name.casefold() in {known.casefold() for known in names.values()}:
                faults.append(Fault(1, Text(zh=f"{name} 有两栏。", en=f"There are two columns for {name}.")))
            elif name is not None:
                names[column] = name
    if not names:
        raise _unreadable(
            "第一行要么有“日期、姓名、分数”，要么有“日期”和各人的名字。",
            "The first row needs “date, name, points”, or “date” and the names of the players.",
        )
    groups = []
    for number, row in body:
        day = _date(_at(row, places["date"]), number, faults)
        if day is None:
            continue
        group = _Group(number, day, _text(_at(row, places["table"])) if places["table"] is not None else "")
        for column, name in names.items():
            if _text(_at(row, column)):
                points = _points(_at(row, column), number, faults)
                if points is not None:
                    group.points[name] = points
        groups.append(group)
    return groups


def _csv_rows(data: bytes) -> Iterable[list[Cell]]:
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        first = text.partition("\n")[0]
        delimiter = max(",;\t", key=first.count)
        try:
            return [list(row[:MOST_COLUMNS]) for row in csv.reader(io.StringIO(text.replace("\x00", "")), delimiter=delimiter)]
        except csv.Error as error:
            raise _unreadable(f"这个 CSV 读不出来：{error}。", f"This CSV cannot be read: {error}.") from error
    raise _unreadable("文件既不是 UTF-8 也不是 GB18030 编码的 CSV。", "The file is no CSV in UTF-8 or GB18030.")


def _xlsx_rows(data: bytes) -> Iterable[list[Cell]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            if sum(part.file_size for part in parts) > 50 << 20 or any(archive.read(part).count(b"<") > MOST_TAGS for part in parts):
                raise _unreadable("表格太大。", "The spreadsheet is too large.")
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        page = book.worksheets[0]
        return [list(row) for row in page.iter_rows(max_row=MOST_ROWS + 2, max_col=MOST_COLUMNS, values_only=True)]
    except UNREADABLE as error:
        raise _unreadable("这不是能读的 XLSX 表格。", "This is no XLSX spreadsheet that can be read.") from error


def _at(row: list[Cell], place: int | None) -> Cell:
    return row[place] if place is not None and place < len(row) else None


def _text(cell: Cell) -> str:
    return "" if cell is None else " ".join(str(cell).split())


def _date(cell: Cell, number: int, faults: list[Fault]) -> datetime.date | None:
    if isinstance(cell, datetime.datetime):
        return cell.date()
    if isinstance(cell, datetime.date):
        return cell
    text = _text(cell)
    found = re.fullmatch(r"(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?(?:[ T].*)?", text)
    if found:
        try:
            return datetime.date(int(found[1]), int(found[2]), int(found[3]))
        except ValueError:
            pass
    zh = f"日期“{text}”看不懂，应写成 2025-11-30。" if text else "缺少日期，应写成 2025-11-30。"
    en = f"The date “{text}” is not understood; write 2025-11-30." if text else "The date is missing; write 2025-11-30."
    faults.append(Fault(number, Text(zh=zh, en=en)))
    return None


def _name(cell: Cell, number: int, faults: list[Fault]) -> str | None:
    name = _text(cell).removeprefix("'")
    if 0 < len(name) <= MAX_NAME and name.isprintable():
        return name
    zh, en = f"名字须有 1 到 {MAX_NAME} 个字。", f"A name needs 1 to {MAX_NAME} characters."
    faults.append(Fault(number, Text(zh=zh, en=en)))
    return None


def _points(cell: Cell, number: int, faults: list[Fault]) -> int | None:
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    if isinstance(cell, int) and not isinstance(cell, bool) and abs(cell) <= MOST_POINTS:
        return cell
    text = _text(cell).replace("−", "-").replace("＋", "+").replace("－", "-").replace(",", "").removeprefix("'")
    if re.fullmatch(r"[+-]?\d{1,9}(?:\.0+)?", text):
        return int(text.partition(".")[0])
    zh = f"分数“{text}”不是整数。" if text else "缺少分数。"
    en = f"The points “{text}” are no whole number." if text else "The points are missing."
    faults.append(Fault(number, Text(zh=zh, en=en)))
    return None


def _unreadable(zh: str, en: str) -> ResultsError:
    return ResultsError("bad_spreadsheet", Text(zh=zh, en=en), "file")
