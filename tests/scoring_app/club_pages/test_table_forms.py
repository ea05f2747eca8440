"""The tools of a table: substitutes, wrong seats, scores, disputes, confirmations, penalties, the history."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from scoring_app.ledger import Origin, begin_round, correct_entry, record_penalty, record_round
from scoring_app.models import Entry, Table
from tests.scoring_app.club_pages.conftest import Place
from tests.scoring_app.rounds import discard_win, payload

pytestmark = pytest.mark.django_db


def writing(place: Place, **more: object) -> dict[str, object]:
    place.table.refresh_from_db()
    return {"version": place.table.version, "key": uuid.uuid4().hex, **more}


@pytest.fixture
def tool(place: Place) -> Callable[[str], str]:
    """The address of one of the tools of the table."""
    return lambda name: f"/t/{place.table.public_id}/{place.table.scorer_token}/{name}/"


def seated(place: Place) -> list[int | None]:
    place.table.refresh_from_db()
    return list(place.table.standing.situation["seats"])


def test_a_substitute_comes_and_the_first_player_is_back(place: Place, tool: Callable[[str], str]):
    """G17, G18: both are one form, and nothing is edited by hand."""
    client = place.client("scorer")
    before = seated(place)
    stale = client.post(tool("seats"), {"seat": "1", "who": "p5", "version": "1", "key": "stale"})
    assert client.post(tool("seats"), writing(place, seat="1", who="p5")).status_code == 303
    changed = seated(place)
    assert client.post(tool("seats"), writing(place, seat="1", who="p2")).status_code == 303

    assert stale.status_code == 409
    assert changed[1] not in before
    assert seated(place) == before


def test_a_new_name_sits_down_at_once(place: Place, tool: Callable[[str], str]):
    assert place.client("scorer").post(tool("seats"), writing(place, seat="0", new="Walk-in")).status_code == 303
    assert place.session.players.filter(name="Walk-in").exists()


def test_wrong_seats_are_shown_and_put_right(place: Place, tool: Callable[[str], str]):
    """G10."""
    client = place.client("referee")
    page = client.get(tool("seats/replay"), {"from": "2", "seat": ["1", "0", "2", "3"]})
    data = writing(place, **{"from": "2", "seat": ["1", "0", "2", "3"], "go": "confirm"})

    assert "before" in page.content.decode()
    assert client.post(tool("seats/replay"), data).status_code == 303
    assert seated(place)[:2] == [1, 0]


def test_scores_are_set_when_they_add_up(place: Place, tool: Callable[[str], str]):
    """G8, G22: the sentence says how far off they are."""
    client = place.client("referee")
    wrong = client.post(tool("scores"), writing(place, **{"total.0": "10", "total.1": "0", "total.2": "0", "total.3": "0"}))
    right = client.post(tool("scores"), writing(place, **{"total.0": "10", "total.1": "-10", "total.2": "0", "total.3": "0"}))

    assert (wrong.status_code, right.status_code) == (422, 303)
    assert "10" in wrong.content.decode()


def test_a_dispute_waits_for_a_referee(place: Place, tool: Callable[[str], str]):
    viewer = place.client("viewer")
    watch = f"/t/{place.table.public_id}/{place.table.watch_token}/marks/"
    assert viewer.post(f"{watch}dispute/", {"seq": "2", "text": "It was 8"}).status_code == 303
    page = place.client("referee").get(f"/sessions/{place.session.public_id}/").content.decode()
    assert "wants attention" in page
    answer = f"{watch}{place.dispute.pk}/answer/"
    assert place.client("referee").post(answer, {"outcome": "rejected", "text": "no"}).status_code == 303
    assert place.client("referee").post(answer, {"outcome": "rejected"}).status_code == 422


def test_another_device_confirms(place: Place, tool: Callable[[str], str]):
    """G26."""
    assert place.client("referee").post(tool("marks/policy"), {"confirmation": "device"}).status_code == 303
    other = place.client("scorer")
    other.get(tool("marks"))

    assert "That is right" in other.get(tool("marks")).content.decode()
    assert other.post(tool("marks/confirm"), {"seq": "2", "content": "1"}).status_code == 303
    assert other.post(tool("marks/confirm"), {"seq": "3", "content": "9"}).status_code == 422


def test_friends_ask_for_a_second_device(table: Table):
    """G26, at a table without a club."""
    client = Client(headers={"accept-language": "en"})
    record_round(table=table, payload=payload(discard_win(0, payer=1)), expected_version=0, idempotency_key="r")
    marks = f"/t/{table.public_id}/{table.scorer_token}/marks/"
    assert "Nothing waits" in client.get(marks).content.decode()

    refused = client.post(f"{marks}policy/", {"confirmation": "everybody"})
    assert client.post(f"{marks}policy/", {"confirmation": "device"}).status_code == 303

    assert refused.status_code == 422
    assert "That is right" in client.get(marks).content.decode()
    looking = client.get(f"/t/{table.public_id}/{table.watch_token}/marks/").content.decode()
    assert 'name="confirmation"' not in looking


def test_a_table_of_friends_is_settled_on_its_own(table: Table):
    """The points go back the other way: who paid is credited."""
    client = Client(headers={"accept-language": "en"})
    record_round(table=table, payload=payload(discard_win(0, payer=1)), expected_version=0, idempotency_key="r")
    url = f"/t/{table.public_id}/{table.scorer_token}/settle/"
    line = client.get(url).context["transfers"][0]
    data = {"payer": line["from"], "payee": line["to"], "amount": line["amount"], "key": "once"}

    assert (line["payer"], line["payee"]) == ("乙", "甲")
    assert [client.post(url, data).status_code for _ in range(2)] == [303, 303]
    assert "nobody owes anything" in client.get(url).content.decode()
    assert Entry.objects.filter(table=table, kind="settlement").count() == 1
    undo = {"table": table.public_id, "seq": "2", "version": "2", "key": "undo"}
    assert client.post(url, undo).status_code == 303
    assert len(client.get(url).context["transfers"]) == 1


def test_penalties_are_listed_with_their_sum_and_voided_with_a_reason(place: Place):
    """G11, G12: one during a round, one between rounds; the wrong one is taken out and stays readable."""
    client, url = place.client("referee"), f"/sessions/{place.session.public_id}/penalties/"
    assert "No penalty has been written." in client.get(url).content.decode()

    def penalise(seat: int, text: str) -> None:
        place.table.refresh_from_db()
        record_penalty(
            table=place.table,
            payload={"lines": [{"from": seat, "to": 3, "amount": 5}], "text": text},
            expected_version=place.table.version,
            idempotency_key=text,
            origin=Origin(author=place.users["referee"], device_label="Referee's phone"),
        )

    penalise(0, "late")
    place.play(discard_win(0, payer=1))
    begin_round(table=place.table, expected_version=place.table.version)
    penalise(1, "false win")
    place.table.refresh_from_db()
    wrong = Entry.objects.get(table=place.table, idempotency_key="false win")
    page = client.get(url).content.decode()
    entry = re.findall(r'href="(/t/[^"]+/entry/(\d+)/)"', page)
    assert [int(seq) for _url, seq in entry] == [wrong.seq - 2, wrong.seq]
    assert client.get(entry[1][0]).status_code == 200
    assert "Referee&#x27;s phone" in page
    void = {"version": place.table.version, "key": "gone", "reason": "It was somebody else"}
    client.post(reverse("scoring:void", args=[place.table.public_id, place.table.scorer_token, wrong.seq]), void)

    page = client.get(url).content.decode()
    sums = page[page.index("Sums of all that counts") :]
    assert [int(text) for text in re.findall(r">([+−]?\d+)<", sums.replace("−", "-"))][-1] == 0
    assert page.count("void</span>") == 1
    assert "+10" not in sums
    assert "+5" in sums
    history = client.get(entry[1][0]).content.decode()
    assert "It was somebody else" in history
    assert "/entry/" not in place.client("viewer").get(url).content.decode()


def test_the_history_says_who_wrote_what_on_which_device_and_why(place: Place):
    """G25: before and after, each with its writer; nothing of the first entry is lost."""
    place.table.refresh_from_db()
    correct_entry(
        table=place.table,
        seq=1,
        payload=payload(discard_win(0, payer=3)),
        reason="It was the fourth",
        expected_version=place.table.version,
        idempotency_key="correction",
        origin=Origin(author=place.users["referee"], device_label="Referee's tablet"),
    )
    page = place.client().get(reverse("scoring:entry", args=[place.table.public_id, place.table.scorer_token, 1])).content.decode()
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))

    for told in ("Phone", "Referee&#x27;s tablet", "referee", "It was the fourth"):
        assert told in words, told
    history = words[words.index("History") :]
    # What it says now, and what it said at first: who paid then, who pays now.
    assert history.count("−1") >= 2
    assert place.members[1].name in history
    assert place.members[3].name in words


def test_points_move_by_hand_only_where_the_permission_table_says_so(place: Place):
    """The link of a scorer is enough for a penalty; a transfer takes a referee."""
    url = f"/t/{place.table.public_id}/{place.table.scorer_token}/more/"
    transfer = {"kind": "transfer", "payer": ["0"], "payee": "1", "amount": "5", "version": place.table.version, "key": "t"}
    count = Entry.objects.count()
    link, referee = Client(), place.client("referee")
    assert 'value="transfer"' not in link.get(url).content.decode()
    assert 'value="penalty"' in link.get(url).content.decode()

    refused = link.post(url, transfer)

    assert refused.status_code == 403
    assert "裁判" in refused.content.decode()
    assert Entry.objects.count() == count
    assert referee.post(url, transfer).status_code == 303
    assert link.post(url, transfer | {"kind": "penalty", "version": place.table.version + 1, "key": "p"}).status_code == 303
    conflict = referee.post(url, transfer | {"amount": "77", "key": "u"})
    assert (conflict.status_code, 'value="77"' in conflict.content.decode()) == (409, True)
