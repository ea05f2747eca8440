"""Spreadsheets and printed sheets: what stands in them, and that nothing typed becomes a formula."""

from __future__ import annotations

import csv
import io
import json
import re
import zlib

import pytest
from django.conf import settings
from django.utils import translation
from openpyxl import load_workbook

from scoring_app.exports.files import File, session_file, table_file
from scoring_app.exports.printed import blank_sheet
from scoring_app.exports.sheets import Sheet
from scoring_app.exports.spreadsheet import as_csv, as_xlsx
from scoring_app.ledger import open_table, record_note, record_round
from scoring_app.sessions import add_player, charge_fees, open_session, seat_players, substitute
from tests.factories import publish
from tests.scoring_app.rounds import discard_win, payload, self_draw

pytestmark = pytest.mark.django_db

HOSTILE = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "＝1", "https://example.org", "007", "甲"]


def rows_of(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))


def test_texts_never_become_formulas():
    sheet = Sheet("x", "[evil]:*?/", ["=A", "n"], [[text, -5] for text in HOSTILE])

    found = rows_of(as_csv(sheet))
    book = load_workbook(io.BytesIO(as_xlsx([sheet, sheet])))

    assert found[0] == ["'=A", "n"]
    assert [row[0] for row in found[1:]] == ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\tx", "'＝1", "https://example.org", "007", "甲"]
    assert {row[1] for row in found[1:]} == {"-5"}
    page = book.worksheets[0]
    assert [page.cell(row, 1).value for row in range(2, 2 + len(HOSTILE))] == HOSTILE
    assert {page.cell(row, 1).data_type for row in range(2, 2 + len(HOSTILE))} == {"s"}
    assert {page.cell(row, 2).value for row in range(2, 2 + len(HOSTILE))} == {-5}
    assert len(book.sheetnames) == len(set(book.sheetnames)) == 2


def test_the_book_of_a_table_adds_up(revision):
    table = open_table(revision=revision, names=["=甲", "乙", "丙", "丁"], options={"mode": "single"}, start_points=100)
    record_round(table=table, payload=payload(discard_win(1, payer=2)), expected_version=0, idempotency_key="a")
    record_round(table=table, payload=payload(self_draw(0)), expected_version=1, idempotency_key="b")
    record_note(table=table, text="@note", expected_version=2, idempotency_key="c")
    table.refresh_from_db()

    head, *rows = rows_of(table_file(table, "csv", "en").content)

    assert head[6:14] == ["'=甲 +/-", "乙 +/-", "丙 +/-", "丁 +/-", "'=甲", "乙", "丙", "丁"]
    assert [sum(map(int, row[6:10])) for row in rows[:2]] == [0, 0]
    assert [sum(map(int, row[10:14])) for row in rows] == [400, 400, 400]
    assert rows[2][3] == "'@note"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_file_of_a_session_is_made(revision, language):
    session = open_session(revision=revision, options={"mode": "single"}, title="周五/夜")
    for name in ("甲", "乙", "丙", "丁"):
        add_player(session=session, name=name)
    seat_players(session=session, seed="x")
    table = session.tables.get()
    record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key="a")
    table.refresh_from_db()

    files = [table_file(table, form, language) for form in ("csv", "xlsx", "pdf", "blank", "json")]
    files += [session_file(session, form, language) for form in ("csv", "xlsx", "pdf", "blank", "json")]

    assert all("/" not in file.name for file in files)
    starts = {"csv": "\ufeff".encode(), "xlsx": b"PK", "pdf": b"%PDF", "json": b"{"}
    assert all(file.content.startswith(starts[file.name.rpartition(".")[2]]) for file in files)
    assert len(files[2].content) > 20_000  # a font with Chinese in it


HOSTILE_NAMES = ['=HYPERLINK("http://x","甲")', '<b>"乙\'"</b> & 🀄😀', "W" * 40, "很长的名字" * 8]


def test_long_and_hostile_names_stay_text_in_every_file(revision):
    table = open_table(
        revision=revision, names=HOSTILE_NAMES, options={"mode": "single"}, title="</title><script>x</script> =1 " + "长" * 60
    )
    record_round(table=table, payload=payload(discard_win(1, payer=0)), expected_version=0, idempotency_key="a")
    record_note(table=table, text="=cmd|' /C calc'!A0\nsecond \"line\"", expected_version=1, idempotency_key="b")
    table.refresh_from_db()

    files = {form: table_file(table, form, "zh") for form in ("csv", "xlsx", "pdf", "blank", "json")}
    rows = rows_of(files["csv"].content)
    cells = [cell for page in load_workbook(io.BytesIO(files["xlsx"].content)) for row in page.iter_rows() for cell in row]

    assert len({len(row) for row in rows}) == 1
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "@", "+"))]
    assert not [cell for row in rows for cell in row if cell.startswith("-") and not cell.lstrip("-").isdigit()]
    assert {cell.data_type for cell in cells} <= {"s", "n", "d"}
    assert set(HOSTILE_NAMES) <= {cell.value for cell in cells}
    assert json.loads(files["json"].content)["table"]["title"] == table.title
    assert pages_of(files["blank"]) == pages_of(files["pdf"]) == 1


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_blank_sheet_is_one_page_even_with_sixty_patterns(db, language):
    many = publish("two_player", (settings.BASE_DIR / "rules_app/definitions/two_player.yaml").read_text())

    with translation.override("zh-hans" if language == "zh" else "en"):
        sheet = blank_sheet(many, language, names=HOSTILE_NAMES, title="长" * 100)

    assert pages_of(File("", "", sheet)) == 1


def test_house_and_pool_stand_after_the_players(revision):
    session = open_session(revision=revision, options={"mode": "single"}, table_fee=5)
    for name in ("甲", "乙", "丙", "丁"):
        add_player(session=session, name=name)
    seat_players(session=session, seed="x")
    table = session.tables.get()
    record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key="a")
    charge_fees(session=session)
    late = add_player(session=session, name="戊")
    table.refresh_from_db()
    substitute(table=table, seat=2, player=late, expected_version=table.version, idempotency_key="b")
    table.refresh_from_db()

    head = rows_of(table_file(table, "csv", "zh").content)[0]

    assert head[-4:-2] == ["戊", "场地"]


def pages_of(file: File) -> int:
    """Its pages are listed in a packed part of the file."""
    parts = [zlib.decompress(part) for part in re.findall(rb"FlateDecode.*?>>\s*stream\r?\n(.*?)\r?\nendstream", file.content, re.DOTALL)]
    return len(re.findall(rb"/Type\s*/Page\b", b"".join(parts)))
