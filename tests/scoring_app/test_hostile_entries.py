"""Entries that somebody made up: what could not be played on, or be read again, is refused by a sentence."""

from __future__ import annotations

import pytest
from django.urls import reverse

from rules_app.engine.errors import Refusal
from scoring_app.ledger import InvalidEntry, change_seats, open_table, record_round, set_scores, verify_table
from scoring_app.models import Entry, Table
from tests.scoring_app.rounds import payload, self_draw

pytestmark = pytest.mark.django_db

ENDLESS = "9" * 5000
"""More digits than Python turns into a number."""


@pytest.fixture
def table(revision) -> Table:
    return open_table(revision=revision, names=["甲", "乙", "丙", "丁"], options={"mode": "single"})


@pytest.mark.parametrize("number", ["03", "٣", "+3", " 3", "3.0", "", ENDLESS])
def test_scores_name_each_participant_in_one_way(table: Table, number: str):
    """Two ways to write one number are in another order when a database gives them back, and come to something else."""
    with pytest.raises(InvalidEntry):
        set_scores(table=table, totals={number: 5, "3": -5}, expected_version=0, idempotency_key="a")  # type: ignore[dict-item]

    assert not Entry.objects.filter(table=table).exists()


@pytest.mark.parametrize("follows", [{"streak": 10**30}, {"round_wind": "9z"}, {"state": {"unheard": 1}}])
def test_no_round_says_what_none_could_follow(table: Table, follows):
    with pytest.raises(Refusal):
        record_round(table=table, payload=payload(self_draw(0), next=follows), expected_version=0, idempotency_key="a")

    assert not Entry.objects.filter(table=table).exists()


def test_a_round_says_who_deals_next(table: Table):
    follows = {"dealer": 2, "streak": 3, "round_wind": "2z"}
    recorded = record_round(table=table, payload=payload(self_draw(0), next=follows), expected_version=0, idempotency_key="a")

    again = record_round(table=recorded.table, payload=payload(self_draw(1)), expected_version=1, idempotency_key="b")
    assert (again.content.before["dealer"], again.content.before["streak"], again.content.before["round_wind"]) == (2, 3, "2z")
    assert verify_table(again.table) == []


def test_endless_numbers_are_refused_by_programs_and_pages(client, table: Table):
    headers = {"Authorization": f"Bearer {table.scorer_token}", "Idempotency-Key": "a"}
    facts = {"kind": "set_scores", "expected_version": 0, "payload": {"totals": {ENDLESS: 0}}}
    at = reverse("scoring_api:table", args=[table.public_id])

    scores = client.post(f"{at}entries/", facts, content_type="application/json", headers=headers)
    names = client.patch(at, {"names": {ENDLESS: "戊"}}, content_type="application/json", headers=headers)
    form = {"key": "b", "version": "0", "seat": "0", "who": f"n{ENDLESS}"}
    seats = client.post(reverse("clubs:table_seats", args=[table.public_id, table.scorer_token]), form)
    dealt = client.post(reverse("scoring:deal", args=[table.public_id, table.scorer_token]), {"version": "0", "dealer": ENDLESS})

    assert [answer.status_code for answer in (scores, names, seats)] == [422, 404, 422]
    assert dealt.status_code < 500
    assert not Entry.objects.filter(table=table).exists()


def test_an_endless_dealer_is_none_where_the_dealer_is_not_known(client, table: Table):
    change_seats(table=table, seats=[0, 1, 2, 3], position={"dealer": None}, expected_version=0, idempotency_key="a")

    dealt = client.post(reverse("scoring:deal", args=[table.public_id, table.scorer_token]), {"version": "1", "dealer": ENDLESS})

    assert dealt.status_code < 500
