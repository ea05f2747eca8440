"""Files over the API: old results and exports that come in, jobs that are stopped and begun again."""

from __future__ import annotations

import base64

import pytest

from scoring_app.jobs import start_job
from scoring_app.models import Job, Session, Table
from tests.scoring_app.api.world import World, make_world

pytestmark = pytest.mark.django_db

RESULTS = "date,甲,乙,丙,丁\n2026-01-02,3,-1,-1,-1\n"


@pytest.fixture
def world(revision, settings) -> World:
    settings.JOBS_IN_PROCESS = "inline"
    return make_world(revision)


def file(text: str | bytes, name: str) -> dict[str, str]:
    data = text.encode() if isinstance(text, str) else text
    return {"name": name, "content": base64.b64encode(data).decode()}


def test_old_results_are_looked_at_then_imported(world, django_capture_on_commit_callbacks):
    body = {**file(RESULTS, "old.csv"), "variant": "sichuan", "title": "旧账"}
    seen = world.ask("owner", "POST", "clubs/hui/imports/", body, 201)
    before = Session.objects.filter(title="旧账").count()
    with django_capture_on_commit_callbacks(execute=True):
        world.ask("owner", "POST", f"jobs/{seen['job']}/confirm/", {}, 202)
    done = world.ask("owner", "GET", f"jobs/{seen['job']}/")

    assert seen["results"] == {
        "tables": 1, "dates": ["2026-01-02"], "members": ["甲"], "guests": ["丁", "丙", "乙"],
        "totals": {"甲": 3, "乙": -1, "丙": -1, "丁": -1}, "faults": [],
    }  # fmt: skip
    assert (before, done["status"]) == (0, "done")
    assert Session.objects.get(title="旧账").public_id == done["result"]["sessions"][0]


def test_what_is_wrong_with_old_results_is_said_by_row(world):
    wrong = {**file("date,甲,乙,丙,丁\n2026-01-02,3,-1,-1,0\n", "old.csv"), "variant": "sichuan"}
    seen = world.ask("owner", "POST", "clubs/hui/imports/", wrong, 201)
    without = world.ask("owner", "POST", "clubs/hui/imports/", file(RESULTS, "old.csv"), 422)
    garbled = world.ask("owner", "POST", "clubs/hui/imports/", {"name": "x.csv", "content": "§"}, 422)

    assert (seen["job"], [fault["row"] for fault in seen["results"]["faults"]]) == (None, [2])
    assert (without["error"]["path"], garbled["error"]["path"]) == ("game", "content")


def test_an_exported_table_comes_in_again_without_a_club(world, django_capture_on_commit_callbacks):
    exported = world.call("owner", "GET", f"/api/v1/tables/{world.table.public_id}/exports/json/").content
    seen = world.ask("stranger", "POST", "imports/", file(exported, "table.json"), 201)
    world.ask("owner", "POST", f"jobs/{seen['job']}/confirm/", {}, 404)
    with django_capture_on_commit_callbacks(execute=True):
        world.ask("stranger", "POST", f"jobs/{seen['job']}/confirm/", {}, 202)
    done = world.ask("stranger", "GET", f"jobs/{seen['job']}/")

    assert seen["document"]["tables"][0]["entries"] == 1
    assert done["status"] == "done"
    assert Table.objects.filter(public_id__in=done["result"]["tables"]).count() == 1


def test_rights_that_were_taken_since_confirm_nothing(world):
    body = {**file(RESULTS, "old.csv"), "variant": "sichuan"}
    seen = world.ask("owner", "POST", "clubs/hui/imports/", body, 201)
    world.club.members.get(name="owner").roles.all().delete()

    world.ask("owner", "POST", f"jobs/{seen['job']}/confirm/", {}, 403)
    assert Job.objects.get(public_id=seen["job"]).status == Job.Status.DRAFT


def test_jobs_are_listed_stopped_and_begun_again(world, django_capture_on_commit_callbacks):
    params = {"of": "session", "id": world.session.public_id, "form": "csv"}
    waits = start_job(kind="export", params=params, owner=world.accounts["viewer"], club=world.club)
    stopped = world.ask("viewer", "POST", f"jobs/{waits.public_id}/cancel/", {})
    with django_capture_on_commit_callbacks(execute=True):
        world.ask("viewer", "POST", f"jobs/{waits.public_id}/again/", {}, 202)

    assert stopped["status"] == "failed"
    listed = world.ask("viewer", "GET", "jobs/")["results"]
    assert [(one["id"], one["status"]) for one in listed] == [(waits.public_id, "done")]


def test_all_ledgers_of_a_club_are_verified(world, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        job = world.ask("referee", "POST", "clubs/hui/verification/", {}, 202)

    assert world.ask("referee", "GET", f"jobs/{job['id']}/")["result"] == {"tables": 1, "faults": []}
