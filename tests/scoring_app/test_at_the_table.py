"""What devices at a table rely on: the service worker, versions in answers, keys of the deal, taking the writing over."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.urls import reverse

from scoring_app.ledger import Origin, open_round_of, open_table, record_round
from scoring_app.models import Entry, Table
from scoring_app.taking import Facts, start_round
from scoring_app.views import offline
from tests.factories import publish
from tests.scoring_app.rounds import discard_win, payload, self_draw

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def at(table: Table, name: str = "table", token: str = "") -> str:
    return reverse(f"scoring:{name}", args=[table.public_id, token or table.scorer_token])


def win(seat: int, **more: Any) -> dict[str, Any]:
    base = {"what": "win", "seat": seat, "from": "", "mode": "quick", "key": f"key {seat}", "version": 0, "draft": 0, "go": "confirm"}
    return base | more


def test_the_service_worker_is_served_from_the_root_and_asked_for_anew(client):
    response = client.get("/service-worker.js")

    assert response["Content-Type"].startswith("text/javascript")
    assert response["Service-Worker-Allowed"] == "/"
    assert "no-cache" in response["Cache-Control"]
    assert "default-src 'self'" in response["Content-Security-Policy"]
    named = re.match(r"const BUILD = (.*);\n", response.content.decode())
    assert named is not None
    build = json.loads(named[1])
    assert build["offline"] == "/offline/"
    assert len(build["assets"]) == len(offline.ASSETS)
    assert client.get(build["offline"]).status_code == 200


def test_another_file_is_another_build(monkeypatch):
    before = offline.build_script()
    read = offline._read
    monkeypatch.setattr(offline, "_read", lambda name: read(name) + (b" " if name == "js/table.js" else b""))

    assert offline.build_script() != before
    assert all(read(name) for name in offline.ASSETS)


def test_an_answer_says_what_the_table_came_to(client, table):
    first = client.post(at(table, "record"), win(0), headers=HTMX)
    record_round(table=table, payload=payload(self_draw(1)), expected_version=1, idempotency_key="another phone")
    repeated = client.post(at(table, "record"), win(0), headers=HTMX)

    assert (first["Table-Version"], first["Draft-Version"]) == ("1", "0")
    # What came after the first answer is not known to the phone that asks again: its next write has to be refused.
    assert (repeated.status_code, repeated["Table-Version"]) == (200, "1")
    assert Entry.objects.filter(table=table).count() == 2


def test_an_event_of_a_round_that_goes_on_says_the_version_of_the_round(client, revision):
    table = open_table(revision=revision, names=["甲", "乙", "丙", "丁"])
    answer = client.post(at(table, "record"), win(0), headers=HTMX)

    draft = open_round_of(table)
    assert draft is not None
    assert (answer["Table-Version"], answer["Draft-Version"]) == ("0", str(draft.version))


def test_a_deal_that_is_sent_twice_opens_one_round(table):
    for _time in range(2):
        draft = start_round(table=table, facts=Facts(), draft_version=0, expected_version=0, key="deal")

    assert draft.version == 1


def test_the_sheet_can_be_fetched_before_the_deal_to_be_kept(client, db, settings):
    document = (settings.BASE_DIR / "rules_app/definitions/wenzhou.yaml").read_text(encoding="utf-8")
    table = open_table(revision=publish("wenzhou", document), names=["甲", "乙", "丙", "丁"])

    assert client.get(at(table, "record"), headers=HTMX).status_code == 302
    assert 'id="record-form"' in client.get(at(table, "record") + "?ahead=1", headers=HTMX).content.decode()


def test_the_middle_is_for_those_who_write_and_changes_only_when_the_table_does(client, table):
    record_round(table=table, payload=payload(discard_win(1, payer=0)), expected_version=0, idempotency_key="a")
    table.refresh_from_db()
    page = client.get(at(table, "middle")).content.decode()

    assert page.count('class="quarter ') == 4
    assert f"{at(table, 'record')}?seat=2" in page
    assert client.get(f"{at(table, 'middle')}?v={table.changes}", headers=HTMX).status_code == 204
    assert client.get(at(table, "middle", token=table.watch_token)).status_code == 404


def test_a_write_from_the_middle_is_answered_with_the_middle(client, table):
    headers = HTMX | {"HX-Current-URL": f"http://testserver{at(table, 'middle')}"}
    answer = client.post(at(table, "record"), win(0), headers=headers)

    assert "data-middle" in answer.content.decode()


def test_other_devices_that_write_are_named(client, table):
    origin = Origin(device_id="another", device_label="阿芳的手机")
    record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key="a", origin=origin)

    assert "阿芳的手机" in client.get(at(table, "writers")).content.decode()


def test_taking_over_ends_the_old_link_and_leaves_the_one_that_looks(client, table):
    old, watch = table.scorer_token, table.watch_token
    response = client.post(at(table, "take_over"))
    table.refresh_from_db()

    assert response.status_code == 303
    assert response["Location"] == at(table)
    assert client.get(at(table, token=old)).status_code == 404
    assert client.post(at(table, "record", token=old), win(0)).status_code == 404
    assert client.get(at(table, token=watch)).status_code == 200
    assert client.get(at(table)).status_code == 200
