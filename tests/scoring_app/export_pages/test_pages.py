"""The pages of exports, imports and jobs: who may, what they say, that they do it."""

from __future__ import annotations

import json

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from scoring_app.clubs import add_member, create_club, grant_role, withdraw_role
from scoring_app.exports.json_out import table_document
from scoring_app.jobs import LOST_AFTER, start_job
from scoring_app.ledger import record_round
from scoring_app.models import Job, Session, Table
from scoring_app.sessions import add_player, open_session, seat_players
from tests.factories import UserFactory
from tests.scoring_app.rounds import payload, self_draw

pytestmark = pytest.mark.django_db

RESULTS = "日期,姓名,分数\n2025-03-01,甲,3\n2025-03-01,乙,-1\n2025-03-01,丙,-1\n2025-03-01,丁,-1\n"


@pytest.fixture(autouse=True)
def _in_line(settings):
    settings.JOBS_IN_PROCESS = "inline"


@pytest.fixture
def owner(db):
    return UserFactory.create(username="owner")


@pytest.fixture
def club(owner):
    return create_club(name="会", owner=owner, slug="hui")


@pytest.fixture
def session(club, revision):
    session = open_session(club=club, revision=revision, options={"mode": "single"}, title="周五")
    for name in "甲乙丙丁":
        add_player(session=session, name=name)
    seat_players(session=session, seed="x")
    return session


def upload(text: str, name: str = "old.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode())


def test_the_files_of_a_table_are_for_whoever_may_watch_it(client, table):
    record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key="a")

    page = client.get(reverse("exports:table", args=[table.public_id, table.watch_token]))
    files = {
        form: client.get(reverse("exports:table_file", args=[table.public_id, table.watch_token, form]))
        for form in ("csv", "xlsx", "pdf", "blank", "json")
    }

    assert page.status_code == 200
    assert {form: file.status_code for form, file in files.items()} == dict.fromkeys(files, 200)
    assert all(file["Content-Disposition"].startswith("attachment") for file in files.values())
    assert table.scorer_token not in files["json"].content.decode()
    assert client.get(reverse("exports:table_file", args=[table.public_id, "wrong", "csv"])).status_code == 404
    assert client.get(reverse("exports:table_file", args=[table.public_id, table.watch_token, "exe"])).status_code == 404


def test_a_report_is_a_job_with_a_page_and_a_file(client, owner, session, django_capture_on_commit_callbacks):
    client.force_login(owner)

    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(reverse("exports:session", args=[session.public_id]), {"form": "xlsx"})

    assert answer.status_code == 303
    page = client.get(answer["Location"])
    polled = client.get(answer["Location"], headers={"HX-Request": "true"})
    file = client.get(answer["Location"] + "file/")
    assert page.status_code == 200
    assert polled.status_code == 286
    assert b"<html" not in polled.content
    assert file.content.startswith(b"PK")
    client.logout()
    assert client.get(answer["Location"]).status_code == 404
    assert client.get(answer["Location"] + "file/").status_code == 404


def test_a_job_that_waits_is_polled(client):
    job = Job.objects.create(kind="export", params={})

    page = client.get(reverse("exports:job", args=[job.public_id]))
    polled = client.get(reverse("exports:job", args=[job.public_id]), headers={"HX-Request": "true"})

    assert b"every 1s" in page.content
    assert polled.status_code == 200


def test_exports_and_imports_of_a_club_follow_the_permission_table(client, owner, club):
    roles = {"referee": (200, 403), "viewer": (403, 403), "stranger": (404, 404)}
    for role, expected in roles.items():
        user = UserFactory.create(username=role)
        if role != "stranger":
            grant_role(member=add_member(club=club, name=role, account=user), role=role)
        client.force_login(user)
        found = tuple(client.get(reverse(f"exports:{name}", args=["hui"])).status_code for name in ("club", "club_import"))
        assert (role, found) == (role, expected)
    client.force_login(owner)
    assert client.get(reverse("exports:club_file", args=["hui"])).status_code == 200
    assert client.get(reverse("exports:club_import", args=["hui"])).status_code == 200


def test_old_results_are_looked_at_and_then_imported(client, owner, club, revision, django_capture_on_commit_callbacks):
    client.force_login(owner)
    page = reverse("exports:club_import", args=["hui"])

    looked = client.post(page, {"file": upload(RESULTS), "game": "sichuan", "title": "旧账"})
    job = Job.objects.get()
    assert looked.status_code == 200
    assert job.status == Job.Status.DRAFT
    assert not Session.objects.exists()
    with django_capture_on_commit_callbacks(execute=True):
        confirmed = client.post(reverse("exports:club_import_confirm", args=["hui", job.public_id]))

    assert Session.objects.get().title == "旧账"
    assert Session.objects.get().public_id in client.get(confirmed["Location"]).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("exports:club_import_confirm", args=["hui", job.public_id]))
    assert Session.objects.count() == 1


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (RESULTS.replace("甲,3", "甲,5"), "多了 2"),
        (RESULTS.replace("2025-03-01,丁,-1\n", "").replace("甲,3", "甲,2"), "需要 4 人"),
        ("什么\n", "日期"),
    ],
)
def test_a_wrong_spreadsheet_is_422_with_a_sentence(client, owner, club, revision, file, said):
    client.force_login(owner)

    answer = client.post(reverse("exports:club_import", args=["hui"]), {"file": upload(file), "game": "sichuan"})

    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Job.objects.exists()


def test_an_exported_table_is_imported_by_an_account(client, owner, table, django_capture_on_commit_callbacks):
    record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key="a")
    table.refresh_from_db()
    client.force_login(owner)

    looked = client.post(reverse("exports:own_import"), {"file": upload(json.dumps(table_document(table)), "t.json")})
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("exports:own_import_confirm", args=[Job.objects.get().public_id]))

    assert looked.status_code == 200
    assert Table.objects.count() == 2
    wrong = client.post(reverse("exports:own_import"), {"file": upload("{}", "t.json")})
    assert wrong.status_code == 422
    client.logout()
    assert client.get(reverse("exports:own_import")).status_code == 302


def test_verifying_a_club_is_a_job(client, owner, club, session, django_capture_on_commit_callbacks):
    client.force_login(owner)

    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("exports:club", args=["hui"]), {"verify": "1"})

    assert Job.objects.get().result == {"tables": 1, "faults": []}


def test_a_job_is_cancelled_by_its_page_and_begun_again_by_who_still_may(client, owner, club, settings):
    settings.JOBS_IN_PROCESS = "later"
    referee = UserFactory.create(username="referee")
    member = add_member(club=club, name="裁", account=referee)
    grant_role(member=member, role="referee")
    client.force_login(referee)
    page = client.post(reverse("exports:club", args=["hui"]))["Location"]

    assert "会 · XLSX" in client.get(page).content.decode()
    client.post(page + "cancel/")
    assert Job.objects.get().status == Job.Status.FAILED
    assert "已取消" in client.get(page).content.decode()
    assert "重新开始" in client.get(page).content.decode()
    client.post(page + "again/")
    assert Job.objects.get().status == Job.Status.QUEUED

    client.post(page + "cancel/")
    withdraw_role(member=member, role="referee")
    assert "重新开始" not in client.get(page).content.decode()
    assert client.post(page + "again/").status_code == 403
    client.force_login(owner)
    assert client.post(page + "again/").status_code == 404
    assert client.post(page + "cancel/").status_code == 404
    assert Job.objects.get().status == Job.Status.FAILED


def test_a_job_whose_worker_died_says_so_and_is_begun_again(client, owner, session, settings, django_capture_on_commit_callbacks):
    settings.JOBS_IN_PROCESS = "later"
    cache.clear()
    client.force_login(owner)
    page = client.post(reverse("exports:session", args=[session.public_id]), {"form": "xlsx"})["Location"]
    Job.objects.update(status=Job.Status.RUNNING, attempts=1, seen_at=timezone.now() - LOST_AFTER * 2)

    shown = client.get(page, headers={"HX-Request": "true"})
    assert shown.status_code == 286
    assert "中断" in shown.content.decode()
    assert "已中断" in client.get(reverse("exports:jobs")).content.decode()
    settings.JOBS_IN_PROCESS = "inline"
    with django_capture_on_commit_callbacks(execute=True):
        client.post(page + "again/")

    assert Job.objects.get().status == Job.Status.DONE
    assert client.get(page + "file/").content.startswith(b"PK")


def test_the_list_of_jobs_runs_in_a_fixed_number_of_queries(client, owner, club):
    client.force_login(owner)

    def count(jobs: int) -> int:
        for _ in range(jobs):
            start_job(kind="export", params={}, owner=owner, club=club)
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("exports:jobs"))
        return len(queries)

    assert count(1) == count(9)
