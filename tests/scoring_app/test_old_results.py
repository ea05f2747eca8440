"""Old results from a spreadsheet: read in both forms, refused by row, and in the standings afterwards."""

from __future__ import annotations

import datetime
import io
import zipfile

import pytest
from openpyxl import Workbook

from scoring_app.clubs import add_member, create_club, open_season
from scoring_app.exports.old_results import MOST_TAGS, ResultsError, import_results, preview_results, read_results
from scoring_app.ledger import verify_table
from scoring_app.models import Entry, Session, Table
from scoring_app.statistics import club_statistics, season_statistics
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db

LONG = """日期,桌号,姓名,分数
2025-03-01,1,甲,+30
2025-03-01,1,乙,-10
2025/3/1,1,丙,-20
2025年3月1日,1,丁,0
2025-03-01,2,甲,"1,000"
2025-03-01,2,戊,-1000
2025-03-01,2,己,0
2025-03-01,2,庚,0
"""
WIDE = "date,甲,乙,丙,丁,戊\n2025-03-01,5,-5,0,0,\n2025-03-08,,1,1,1,-3\n"


@pytest.fixture
def club(db):
    return create_club(name="会", owner=UserFactory.create(username="owner"))


def test_long_and_wide_forms_say_the_same_kind_of_thing():
    long, wide = read_results(LONG.encode()), read_results(WIDE.encode())

    assert long.faults == wide.faults == ()
    assert [result.points for result in long.results] == [
        {"甲": 30, "乙": -10, "丙": -20, "丁": 0},
        {"甲": 1000, "戊": -1000, "己": 0, "庚": 0},
    ]
    assert [result.points for result in wide.results] == [{"甲": 5, "乙": -5, "丙": 0, "丁": 0}, {"乙": 1, "丙": 1, "丁": 1, "戊": -3}]
    assert wide.results[1].date == datetime.date(2025, 3, 8)


def test_a_workbook_and_chinese_encodings_are_read():
    book = Workbook()
    page = book.active
    page.append(["日期", "姓名", "得分"])
    page.append([datetime.date(2025, 3, 1), "甲", 4])
    page.append([datetime.datetime(2025, 3, 1, 20, 0), "乙", -4.0])  # noqa: DTZ001
    book.save(out := io.BytesIO())

    assert read_results(out.getvalue()).results[0].points == {"甲": 4, "乙": -4}
    assert read_results(LONG.encode("gb18030")).results == read_results(LONG.encode()).results


@pytest.mark.parametrize(
    ("text", "row", "said"),
    [
        ("date,name,points\n2025-03-01,a,5\n2025-03-01,b,-3\n", 2, "they are 2 too much"),
        ("date,name,points\n2025-03-01,a,-5\n2025-03-01,b,3\n", 2, "they are 2 too little"),
        ("date,name,points\n1 March,a,5\n", 2, "“1 March” is not understood"),
        ("date,name,points\n2025-02-30,a,5\n", 2, "“2025-02-30” is not understood"),
        ("date,name,points\n2025-03-01,a,much\n", 2, "“much” are no whole number"),
        ("date,name,points\n2025-03-01,a,1.5\n", 2, "“1.5” are no whole number"),
        ("date,name,points\n\n2025-03-01,,5\n", 3, "A name needs"),
        ("date,name,points\n2025-03-01,a,5\n2025-03-01,A,-5\n", 3, "stands twice"),
        ("date,a,a\n2025-03-01,5,-5\n", 1, "two columns for a"),
    ],
)
def test_faults_name_row_and_amount(text, row, said):
    faults = read_results(text.encode()).faults

    assert [fault.row for fault in faults if said in fault.message.en] == [row]


@pytest.mark.parametrize("data", [b"", b"a,b\n1,2\n", b"PK\x03\x04 nonsense", b"\xff\xfe\x00\x81", b"date\n2025-01-01\n"])
def test_what_is_no_spreadsheet_is_refused(data):
    with pytest.raises(ResultsError):
        read_results(data)


@pytest.mark.filterwarnings("ignore")  # openpyxl says more than it raises
def test_a_damaged_workbook_is_read_or_refused_by_a_sentence():
    """Cut and overwritten at many places: in the archive, its directory and the XML inside."""
    book = Workbook()
    for row in (["date", "name", "points"], ["2025-03-01", "a", 5], ["2025-03-01", "b", -5]):
        book.active.append(row)
    book.save(out := io.BytesIO())
    whole = out.getvalue()
    files = [whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :] for place in range(2, len(whole), 97)]
    texts = (b"", b"<worksheet", b"<a/>", b"<c/>" * (MOST_TAGS + 1))
    files += [replaced(whole, part, text) for part in zipfile.ZipFile(out).namelist() for text in texts]

    refused = 0
    for data in files:
        try:
            read_results(data, "old.xlsx")
        except ResultsError as error:
            refused += error.message.en in {"This is no XLSX spreadsheet that can be read.", "The spreadsheet is too large."}

    assert refused > len(files) / 2


def replaced(workbook: bytes, part: str, text: bytes) -> bytes:
    """The workbook with another text in one of its parts."""
    with zipfile.ZipFile(io.BytesIO(workbook)) as old, zipfile.ZipFile(out := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, text if name == part else old.read(name))
    return out.getvalue()


def test_imported_results_count_in_standings_and_are_no_rounds(club, revision):
    add_member(club=club, name="甲")
    season = open_season(club=club, name="2025", starts=datetime.date(2025, 1, 1))
    sheet = read_results(LONG.encode())

    looked = preview_results(sheet, club=club, revision=revision)
    sessions = import_results(sheet, club=club, revision=revision)

    assert looked.members == ("甲",)
    assert looked.can_import
    assert [session.status for session in sessions] == [Session.Status.ENDED]
    assert set(Entry.objects.values_list("kind", flat=True)) == {"result", "status"}
    assert [verify_table(table) for table in Table.objects.all()] == [[], []]
    for statistics in (club_statistics(club), season_statistics(season)):
        lines = {line.person.name: line for line in statistics.standings}
        assert {name: line.points for name, line in lines.items()} == dict(looked.totals)
        assert lines["甲"].person.kind == "member"
        assert lines["甲"].positions == {1: 2}
        assert lines["丁"].positions == {2: 1}
        assert {line.rounds for line in lines.values()} == {0}
        assert statistics.matrix.people == ()


def test_nothing_is_imported_while_something_is_wrong(club, revision):
    sheet = read_results(b"date,name,points\n2025-03-01,a,5\n2025-03-01,b,-5\n")

    with pytest.raises(ResultsError, match="2 players here, and Sichuan mahjong needs 4"):
        import_results(sheet, club=club, revision=revision)

    assert not Session.objects.exists()
