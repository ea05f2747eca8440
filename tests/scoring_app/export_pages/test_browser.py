"""Files out and in on a phone, in Chinese: every page looked at by axe, every file downloaded, old results brought in by hand."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from openpyxl import load_workbook
from playwright.sync_api import FilePayload, Page, expect

from scoring_app.api_tokens import create_token
from scoring_app.clubs import add_member, create_club
from scoring_app.jobs import Progress, run_job, start_job
from scoring_app.ledger import record_round, verify_table
from scoring_app.models import Club, Job, Session, Table
from scoring_app.sessions import add_player, open_session, seat_players
from scoring_app.statistics import club_statistics
from tests.factories import UserFactory
from tests.scoring_app.rounds import payload, self_draw

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FAULTY = "日期,桌号,姓名,分数\n2025-03-01,1,甲,30\n2025-03-01,1,乙,-10\n2025-03-01,1,丙,很多\n2025-03-01,1,丁,-10\n"
MENDED = FAULTY.replace("很多", "-10")


@pytest.fixture(autouse=True)
def _in_line(settings):
    settings.JOBS_IN_PROCESS = "inline"
    cache.clear()


@pytest.fixture
def session(revision) -> Session:
    """An evening of a club with a round played."""
    owner = UserFactory.create(username="owner")
    club = create_club(name="清风会", owner=owner, slug="hui")
    session = open_session(club=club, revision=revision, options={"mode": "single"}, title="周五")
    for name in "甲乙丙丁":
        add_player(session=session, name=name, member=add_member(club=club, name=name))
    seat_players(session=session, seed="x")
    record_round(table=session.tables.get(), payload=payload(self_draw(0)), expected_version=0, idempotency_key="a")
    return session


@pytest.fixture
def owner(phone: Page, session: Session, live_server) -> Page:
    """The owner's phone, signed in."""
    client = Client()
    client.force_login(owner_of(session))
    phone.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}])
    return phone


def owner_of(session: Session) -> Any:
    return club_of(session).created_by


def club_of(session: Session) -> Club:
    assert session.club is not None
    return session.club


def upload(page: Page, name: str, content: str) -> None:
    page.get_by_label("文件").set_input_files(FilePayload(name=name, mimeType="text/plain", buffer=content.encode()))
    page.get_by_role("button", name="先看一看").click()


def downloaded(page: Page, button: Any) -> Path:
    with page.expect_download() as waiting:
        button.click()
    return Path(waiting.value.path())


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_is_wider_than_a_phone(owner: Page, session: Session, scheme: Literal["light", "dark"]):
    table, account = session.tables.get(), owner_of(session)
    create_token(account=account, name="记分机器人", scopes=["read"], days=30)
    jobs = [
        start_job(kind="export", params={"of": "session", "id": name, "form": "xlsx"}, owner=account)
        for name in (session.public_id, "gone")
    ]
    jobs.append(start_job(kind="verify_club", params={}, owner=account, club=session.club))
    waiting = Job.objects.create(kind="export", owner=account, params={"label": "周五 · PDF"})
    busy = Job.objects.create(kind="export", owner=account, status=Job.Status.RUNNING, progress=40, seen_at=timezone.now())
    lost = Job.objects.create(kind="export", owner=account, status=Job.Status.RUNNING, progress=40)
    addresses = [
        reverse("exports:table", args=[table.public_id, table.watch_token]),
        reverse("exports:session", args=[session.public_id]),
        reverse("exports:club", args=["hui"]),
        reverse("exports:club_import", args=["hui"]),
        reverse("exports:own_import"),
        reverse("exports:jobs"),
        reverse("exports:tokens"),
        *(reverse("exports:job", args=[job.public_id]) for job in (*jobs, waiting, busy, lost)),
    ]
    owner.emulate_media(color_scheme=scheme)

    for address in addresses:
        answer = owner.goto(address)
        assert answer is not None
        assert (address, answer.status) == (address, 200)
        assert (address, look(owner)) == (address, [])

    owner.goto(reverse("exports:club_import", args=["hui"]))
    for content in (FAULTY, MENDED):
        owner.get_by_label("旧成绩是哪种玩法").select_option("sichuan")
        upload(owner, "old.csv", content)
        expect(owner.locator("#preview")).to_be_visible()
        assert look(owner) == []


def look(page: Page) -> list[str]:
    faults = [violation["id"] for violation in Axe().run(page).response["violations"]]
    if page.evaluate("document.documentElement.scrollWidth") > 360:
        faults.append("wider than the phone")
    return faults


def test_every_file_of_a_table_and_a_session_comes_down(owner: Page, session: Session):
    table = session.tables.get()
    owner.goto(reverse("exports:table", args=[table.public_id, table.watch_token]))
    buttons = owner.locator("main a[download]")
    files = [downloaded(owner, button) for button in buttons.all()]
    assert [file.read_bytes()[:2] for file in files] == [b"PK", b"\xef\xbb", b"%P", b"%P", b'{"']
    book = load_workbook(io.BytesIO(files[0].read_bytes()))
    assert "甲 增减" in [cell.value for cell in book.worksheets[0][1]]
    assert next(csv.reader(io.StringIO(files[1].read_text("utf-8-sig"))))[0] == "序号"

    owner.goto(reverse("exports:session", args=[session.public_id]))
    for form, start in (("XLSX", b"PK"), ("PDF", b"%P")):
        owner.goto(reverse("exports:session", args=[session.public_id]))
        owner.locator("main form").get_by_role("button", name=form).click()
        made = downloaded(owner, owner.get_by_role("link", name="下载"))
        assert made.read_bytes()[:2] == start


def test_old_results_come_in_by_hand(owner: Page, session: Session):
    owner.goto(reverse("exports:club", args=["hui"]))
    owner.get_by_role("link", name="导入").click()
    owner.get_by_label("旧成绩是哪种玩法").select_option("sichuan")
    owner.get_by_label("场次名称").fill("旧账")
    upload(owner, "old.csv", FAULTY)

    expect(owner.locator("#preview")).to_contain_text("第 4 行")
    expect(owner.locator("#preview")).to_contain_text("“很多”不是整数")
    expect(owner.get_by_role("button", name="导入", exact=True)).to_have_count(0)
    assert owner.get_by_label("场次名称").input_value() == "旧账"

    upload(owner, "old.csv", MENDED)
    expect(owner.locator("#preview")).to_contain_text("甲 +30")
    expect(owner.locator("#preview")).to_contain_text("按名字认出的成员")
    assert Session.objects.count() == 1
    owner.get_by_role("button", name="导入", exact=True).click()
    expect(owner.locator("#job")).to_contain_text("完成")
    owner.get_by_role("link", name="旧账").click()

    expect(owner.get_by_role("heading", level=1)).to_contain_text("旧账")
    assert [verify_table(table) for table in Table.objects.all()] == [[], []]
    owner.goto(reverse("clubs:standings", args=["hui"]))
    first = club_statistics(club_of(session)).standings[0]
    assert first.person.name == "甲"
    expect(owner.locator("main")).to_contain_text(f"+{first.points}")


def test_a_session_goes_out_and_comes_in_again(owner: Page, session: Session):
    owner.goto(reverse("exports:session", args=[session.public_id]))
    file = downloaded(owner, owner.locator("main").get_by_role("link", name="JSON"))
    before = session.tables.get()

    owner.goto(reverse("exports:club_import", args=["hui"]))
    upload(owner, "周五.json", file.read_text())
    expect(owner.locator("#preview")).to_contain_text("周五")
    owner.get_by_role("button", name="导入", exact=True).click()
    owner.locator("#job a", has_text="周五").click()
    expect(owner.get_by_role("heading", level=1)).to_contain_text("周五")

    after = Table.objects.exclude(pk=before.pk).get()
    assert verify_table(after) == []
    assert after.standing.totals == before.standing.totals
    broken = json.loads(file.read_text())
    broken["session"]["tables"][0]["entries"][0]["wrote"][0]["lines"][0]["amount"] += 1
    owner.goto(reverse("exports:club_import", args=["hui"]))
    upload(owner, "坏的.json", json.dumps(broken))
    expect(owner.locator("#problem")).to_contain_text("被改过")


def test_a_job_is_followed_until_it_ends_with_a_link(owner: Page, session: Session, settings):
    settings.JOBS_IN_PROCESS = "later"
    owner.goto(reverse("exports:session", args=[session.public_id]))
    owner.locator("main form").get_by_role("button", name="XLSX").click()
    expect(owner.locator("#job")).to_contain_text("排队中")

    job = Job.objects.get()
    Job.objects.update(status=Job.Status.RUNNING, attempts=1, seen_at=timezone.now())
    job.refresh_from_db()
    Progress(job)(2, 5)
    expect(owner.locator("#job")).to_contain_text("40 %")
    assert owner.locator("progress").get_attribute("value") == "40"

    Job.objects.update(status=Job.Status.QUEUED)
    assert run_job(job.pk)
    link = owner.get_by_role("link", name="下载")
    expect(link).to_be_visible()
    assert downloaded(owner, link).read_bytes()[:2] == b"PK"
