"""A device that was let in comes by its key and never learns the link: once it is out, nothing opens any more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, reverse

from scoring_app import club_urls, export_urls, urls
from scoring_app.ledger import record_round
from scoring_app.models import Entry, Table
from scoring_app.sessions import add_player, issue_grant, open_session, revoke_grant, seat_players, take_over
from tests.scoring_app.rounds import payload, self_draw

pytestmark = pytest.mark.django_db

CLOSED_TO_A_KEY = {"links", "take_over", "table_fee", "table_devices"}
"""What shows the link, and what is the organiser's."""


@pytest.fixture
def played(revision) -> Table:
    """A table of an evening without a club, with a round."""
    session = open_session(revision=revision, options={"mode": "single"}, title="周五")
    for name in "甲乙丙丁":
        add_player(session=session, name=name)
    seat_players(session=session, seed="x")
    table = session.tables.get()
    record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key="a")
    table.refresh_from_db()
    return table


def at_the_table(table: Table, key: str) -> Iterator[tuple[str, str]]:
    """Every address of a table under a secret, with its name."""
    values: dict[str, Any] = {"public_id": table.public_id, "token": key, "seq": 1, "index": 0, "pk": 1, "grant": "x", "form": "csv"}
    for module, app in ((urls, "scoring"), (club_urls, "clubs"), (export_urls, "exports")):
        for line in module.urlpatterns:
            if isinstance(line, URLPattern) and line.name and str(line.pattern).startswith("t/"):
                names = line.pattern.converters
                yield line.name, reverse(f"{app}:{line.name}", kwargs={name: values[name] for name in names})


def let_in(key: str) -> tuple[Client, str]:
    """A device that has used its key, and where that led."""
    client = Client()
    answer = client.post(reverse("clubs:let_in", args=[key]), {"label": "平板"})
    assert answer.status_code == 303
    return client, answer["Location"]


@pytest.mark.parametrize("of", ["table", "session"])
def test_a_device_never_learns_the_link(played, of):
    issued = issue_grant(**{of: played.session if of == "session" else played}, role="scorer", label="平板")
    client, place = let_in(issued.token)

    pages = [client.get(place)] + [client.get(url) for _, url in at_the_table(played, issued.token)]

    assert pages[0].status_code == 200
    assert issued.token in pages[0].content.decode() or issued.token in place
    assert not [page for page in pages if played.scorer_token in page.content.decode(errors="ignore") + page.get("Location", "")]


def test_every_page_of_a_table_opens_by_a_key_until_it_is_taken_back(played):
    issued = issue_grant(table=played, role="scorer", label="平板")
    client, _ = let_in(issued.token)
    before = {name: client.get(url).status_code for name, url in at_the_table(played, issued.token)}
    assert len(before) > 30
    assert {name for name, status in before.items() if status in {403, 404}} == CLOSED_TO_A_KEY

    revoke_grant(grant=issued.grant)

    for name, url in at_the_table(played, issued.token):
        assert (name, client.get(url).status_code) in {(name, 404), (name, 405)}
        assert (name, client.post(url).status_code) in {(name, 404), (name, 405)}
    assert Entry.objects.count() == 1


def test_a_key_writes_and_a_key_that_looks_does_not(played):
    for role, status in (("scorer", 303), ("viewer", 404)):
        issued = issue_grant(table=played, role=role, label=role)
        client, place = let_in(issued.token)
        played.refresh_from_db()
        data = {"version": played.version, "key": f"undo-{role}"}
        assert client.get(place).status_code == 200
        assert client.post(reverse("scoring:undo", args=[played.public_id, issued.token]), data).status_code == status


def test_a_key_does_not_learn_or_renew_the_link_over_the_api_either(played):
    issued = issue_grant(table=played, role="scorer", label="平板")
    url, headers = f"/api/v1/tables/{played.public_id}/links/", {"Authorization": f"Bearer {issued.token}", "Idempotency-Key": "x"}

    assert Client().get(f"/api/v1/tables/{played.public_id}/", headers=headers).status_code == 200
    assert Client().get(url, headers=headers).status_code == 403
    assert Client().post(url, {}, content_type="application/json", headers=headers).status_code == 403
    revoke_grant(grant=issued.grant)
    assert Client().get(f"/api/v1/tables/{played.public_id}/", headers=headers).status_code in {401, 404}
    assert Client().get(url, headers={**headers, "Authorization": f"Bearer {played.scorer_token}"}).status_code == 200


def test_the_key_of_another_table_opens_nothing(played, revision):
    other = open_session(revision=revision, options={"mode": "single"})
    stranger = issue_grant(session=other, role="scorer").token

    assert {Client().get(url).status_code for _, url in at_the_table(played, stranger)} <= {404, 405}


def test_a_phone_that_was_taken_over_is_out_of_its_session_too(played):
    session = played.session
    issued = issue_grant(session=session, role="scorer", label="旧手机")
    client, place = let_in(issued.token)
    assert client.get(place).status_code == 200

    new = take_over(grant=issued.grant)

    assert client.get(place).status_code in {302, 404}
    for name in ("session", "session_state", "session_players", "session_standings", "session_settle"):
        url = reverse(f"clubs:{name}", args=[session.public_id])
        assert (name, client.get(url).status_code) in {(name, 302), (name, 404)}
    assert client.get(reverse("exports:session", args=[session.public_id])).status_code in {302, 404}
    assert client.get(reverse("scoring:table", args=[played.public_id, issued.token])).status_code == 404
    assert let_in(new.token)[0].get(reverse("scoring:table", args=[played.public_id, new.token])).status_code == 200
