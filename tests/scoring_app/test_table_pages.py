"""The table's pages: with and without htmx, valid and refused, by the right secret and a wrong one."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from rules_app import rulings
from scoring_app.ledger import add_event, answer_dispute, open_round_of, raise_dispute, record_round
from scoring_app.models import Entry, OpenRound, Participant, Table
from tests.scoring_app.rounds import discard_win, kong, payload, self_draw

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
NAMES = ["甲", "乙", "丙", "丁"]


def at(table: Table, name: str = "table", *args: Any, token: str | None = None) -> str:
    return reverse(f"scoring:{name}", args=[table.public_id, token or table.scorer_token, *args])


def win(table: Table, seat: int, payer: str = "", **more: Any) -> dict[str, Any]:
    """What the record form sends for a plain win."""
    draft = open_round_of(table)
    table.refresh_from_db()
    base = {"what": "win", "seat": seat, "from": payer, "mode": "quick", "key": "form-1", "version": table.version}
    return {**base, "draft": draft.version if draft else 0, "go": "confirm", **more}


# opening


def test_the_games_are_listed_with_those_of_this_device_first(client, table):
    client.get(at(table))
    page = client.get(reverse("scoring:table_new")).content.decode()

    assert page.index("最近玩过") < page.index("/tables/new/sichuan/") < page.index("全部玩法") < page.index("/tables/new/wenzhou/")


def test_the_list_of_games_compiles_none(client, revision, monkeypatch):
    monkeypatch.setattr(rulings, "_rulesets", {})

    assert client.get("/tables/new/").status_code == 200
    assert rulings._rulesets == {}


def test_a_table_opens_with_names_and_leads_to_its_links(client, revision):
    response = client.post(reverse("scoring:table_new_game", args=["sichuan"]), {"name": NAMES, "o.mode": "single"})

    table = Table.objects.get()
    assert response.status_code == 303
    assert response["Location"] == at(table, "links") + "?new=1"
    assert table.options == {"mode": "single"}
    assert list(Participant.objects.filter(table=table, kind="player").values_list("name", flat=True)) == NAMES
    page = client.get(response["Location"]).content.decode()
    assert page.count("<svg") >= 2
    assert table.watch_token in page


def test_two_players_of_one_name_are_refused_with_what_was_typed(client, revision):
    response = client.post(reverse("scoring:table_new_game", args=["sichuan"]), {"name": ["甲", "甲", "丙", "丁"]})

    assert response.status_code == 422
    assert 'value="丁"' in response.content.decode()
    assert not Table.objects.exists()


def test_seats_are_drawn_by_lot_without_opening(client, revision):
    response = client.post(reverse("scoring:table_new_game", args=["sichuan"]), {"name": NAMES, "go": "draw"})

    drawn = re.findall(r'name="name" value="(.)"', response.content.decode())
    assert sorted(drawn) == sorted(NAMES)
    assert not Table.objects.exists()


def test_names_of_earlier_tables_are_suggested_on_the_same_device(client, table):
    client.get(at(table))
    page = client.get(reverse("scoring:table_new_game", args=["sichuan"])).content.decode()

    assert '<option value="丙">' in page
    assert '<option value="丙">' not in Client().get(reverse("scoring:table_new_game", args=["sichuan"])).content.decode()


# secrets


@pytest.mark.parametrize("name", ["table", "state", "record", "links", "more", "deal"])
def test_a_wrong_secret_is_a_page_that_does_not_exist(client, table, name):
    assert client.get(at(table, name, token="wrong")).status_code == 404


@pytest.mark.parametrize("name", ["record", "links", "more", "deal"])
def test_the_watch_link_leads_to_no_form(client, table, name):
    assert client.get(at(table, name, token=table.watch_token)).status_code == 404


@pytest.mark.parametrize("name", ["record", "undo", "more", "deal", "discard", "end", "close", "device"])
def test_the_watch_link_writes_nothing(client, table, name):
    record_round(table=table, payload=payload(self_draw(1)), expected_version=0, idempotency_key="a")

    response = client.post(at(table, name, token=table.watch_token), win(table, 2) | {"kind": "note", "text": "x"})

    assert response.status_code == 404
    assert Entry.objects.count() == 1


def test_no_form_is_taken_without_its_csrf_token(table):
    strict = Client(enforce_csrf_checks=True)

    assert strict.post(at(table, "record"), win(table, 2)).status_code == 403
    assert Entry.objects.count() == 0


def test_the_watch_page_shows_no_scorer_link(client, table):
    page = client.get(at(table, token=table.watch_token)).content.decode()

    assert table.scorer_token not in page
    assert "record-button" not in page


# recording


def test_a_win_is_recorded_without_javascript(client, table):
    form = client.get(at(table, "record")).content.decode()
    looked = client.post(at(table, "record"), win(table, 2, "0", go="look"))
    confirmed = client.post(at(table, "record"), win(table, 2, "0"))

    assert 'name="seat"' in form
    assert looked.status_code == 200
    assert 'value="confirm"' in looked.content.decode()
    assert confirmed.status_code == 303
    assert confirmed["Location"] == at(table)
    assert Entry.objects.get().contents.get().summary["wins"][0]["seat"] == 2


def test_a_win_is_recorded_by_htmx_and_the_table_comes_back(client, table):
    response = client.post(at(table, "record"), win(table, 2, "0", client_time="2026-11-30T20:00:00Z"), headers=HTMX)

    assert response.status_code == 200
    assert response["HX-Retarget"] == "#table"
    assert "sheet-close" in response["HX-Trigger"]
    assert '<div id="table"' in response.content.decode()
    assert Entry.objects.get().client_time == datetime(2026, 11, 30, 20, tzinfo=UTC)


def test_the_same_form_twice_writes_once(client, table):
    form = win(table, 2, "0")
    answers = [client.post(at(table, "record"), form).status_code for _ in range(2)]

    assert answers == [303, 303]
    assert Entry.objects.count() == 1


def test_the_same_form_key_with_another_win_is_refused(client, table):
    form = win(table, 2, "0")
    client.post(at(table, "record"), form)
    other = client.post(at(table, "record"), form | {"seat": 1})

    assert other.status_code == 422
    assert Entry.objects.count() == 1


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize("go", ["look", "confirm"])
def test_an_impossible_hand_is_refused_with_a_sentence(client, table, headers, go):
    form = win(table, 2, mode="tiles", hand="19m19p19s1234567z", tile="2m", go=go)
    response = client.post(at(table, "record"), form, headers=headers)

    assert response.status_code == 422
    assert "error-summary" in response.content.decode()
    assert Entry.objects.count() == 0


def test_an_incomplete_form_says_what_comes_next(client, table):
    form = {key: value for key, value in win(table, 2).items() if key not in ("seat", "from")}
    response = client.post(at(table, "record"), form)

    assert response.status_code == 422
    assert "点一下谁胡了" in response.content.decode()


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_conflict_keeps_what_was_typed_and_can_be_confirmed_again(client, table, headers):
    form = win(table, 2, "0", **{"p.pure_suit": "1"})
    record_round(table=table, payload=payload(self_draw(1)), expected_version=0, idempotency_key="other phone")

    conflict = client.post(at(table, "record"), form, headers=headers)
    page = conflict.content.decode()

    assert conflict.status_code == 409
    assert "乙 自摸" in page
    assert re.search(r'name="p\.pure_suit" value="1" checked', page)
    assert re.search(r'name="version" value="1"', page)
    again = client.post(at(table, "record"), form | {"version": 1}, headers=headers)
    assert again.status_code in (200, 303)
    assert Entry.objects.count() == 2


def test_a_kong_opens_a_round_and_the_win_closes_it(client, table):
    form = {"what": "kong:concealed", "seat": 0, "tile": "5p", "key": "k", "version": 0, "draft": 0, "go": "confirm"}
    opened = client.post(at(table, "record"), form, headers=HTMX)

    assert opened["HX-Retarget"] == "#sheet"
    assert 'hx-swap-oob="outerHTML"' in opened.content.decode()
    assert OpenRound.objects.get().events == [kong(0)]
    client.post(at(table, "record"), win(table, 3))
    assert not OpenRound.objects.exists()
    assert [event["type"] for event in Entry.objects.get().contents.get().payload["round"]["events"]] == ["kong", "win"]


def test_an_event_of_the_round_in_progress_is_taken_back(client, table):
    draft = add_event(table=table, event=kong(0), draft_version=0)
    client.post(at(table, "remove", 0), {"draft": draft.version})

    assert OpenRound.objects.get().events == []
    client.post(at(table, "discard"), {"draft": draft.version + 1})
    assert not OpenRound.objects.exists()


def test_a_round_in_progress_is_ended_early(client, table):
    draft = add_event(table=table, event=kong(0), draft_version=0)
    stale = client.post(at(table, "end"), {"draft": 99, "version": 0, "key": "e"})
    client.post(at(table, "end"), {"draft": draft.version, "version": 0, "key": "e"})

    assert stale.status_code == 409
    assert Entry.objects.get().contents.get().payload["unfinished"] is True


def test_two_win_on_one_discard(client, table):
    client.post(at(table, "record"), win(table, 1, "0", go="more"))
    assert not Entry.objects.exists()
    client.post(at(table, "record"), win(table, 2, "0", key="form-2"))

    assert [one["seat"] for one in Entry.objects.get().contents.get().summary["wins"]] == [1, 2]


def test_undo_takes_the_last_entry_back_and_says_so_when_it_is_too_late(client, table):
    record_round(table=table, payload=payload(self_draw(1)), expected_version=0, idempotency_key="a")
    undone = client.post(at(table, "undo"), {"version": 1, "key": "u"})
    late = client.post(at(table, "undo"), {"version": 1, "key": "u2"}, headers=HTMX)

    assert undone.status_code == 303
    assert late.status_code == 409
    assert "notice error" in late.content.decode()


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_an_event_against_an_older_draft_is_told_so_with_what_was_typed(client, table, headers):
    add_event(table=table, event=kong(0), draft_version=0)
    sent = win(table, 1, "3", key="late")
    add_event(table=table, event=kong(2, "7p"), draft_version=sent["draft"])

    conflict = client.post(at(table, "record"), sent, headers=headers)
    page = conflict.content.decode()

    assert conflict.status_code == 409
    assert "另一台设备" in page
    assert re.search(r'name="from" value="3" checked', page)
    fresh = re.findall(r'name="draft" value="(\d+)"', page)
    assert client.post(at(table, "record"), sent | {"draft": fresh[-1]}).status_code == 303
    assert len(Entry.objects.get().contents.get().payload["round"]["events"]) == 3


# entries


def test_an_entry_explains_itself_and_can_be_corrected(client, table):
    record_round(table=table, payload=payload(discard_win(1, payer=0)), expected_version=0, idempotency_key="a")
    detail = client.get(at(table, "entry", 1)).content.decode()
    form = client.get(at(table, "correct", 1)).content.decode()
    sent = win(table, 1, "2", index="0", reason="点错人", **{"p.pure_suit": "1"})
    looked = client.post(at(table, "correct", 1), sent | {"go": "look"}, headers=HTMX).content.decode()
    done = client.post(at(table, "correct", 1), sent)

    assert "谁付谁" in detail
    assert re.search(r'name="from" value="0" checked', form)
    assert "−1" in looked
    assert done.status_code == 303
    history = client.get(at(table, "entry", 1)).content.decode()
    assert "点错人" in history


def test_an_entry_is_made_void_after_seeing_what_changes(client, table):
    record_round(table=table, payload=payload(discard_win(1, payer=0)), expected_version=0, idempotency_key="a")
    shown = client.get(at(table, "void", 1)).content.decode()
    stale = client.post(at(table, "void", 1), {"version": 0, "key": "v"})
    done = client.post(at(table, "void", 1), {"version": 1, "key": "v", "reason": "记错桌"})

    assert "<table>" in shown
    assert stale.status_code == 409
    assert done.status_code == 303
    assert 'class="entry void"' in client.get(at(table)).content.decode()


def test_an_entry_that_does_not_exist_is_not_found(client, table):
    assert client.get(at(table, "entry", 7)).status_code == 404
    assert client.get(at(table, "correct", 7)).status_code == 404


# beside rounds


def test_a_transfer_a_note_and_new_names(client, table):
    client.post(at(table, "more"), {"kind": "fee", "payer": [0, 1, 2, 3], "payee": 4, "amount": 5, "version": 0, "key": "a"})
    client.post(at(table, "more"), {"kind": "note", "text": "换骰子", "version": 1, "key": "b"})
    client.post(at(table, "more"), {"kind": "names", "title": "三号桌", "name.0": "老甲"})
    page = client.get(at(table)).content.decode()

    assert [entry.kind for entry in Entry.objects.order_by("seq")] == ["fee", "note"]
    assert all(text in page for text in ("换骰子", "三号桌", "老甲"))


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_transfer_without_an_amount_is_refused(client, table, headers):
    response = client.post(
        at(table, "more"), {"kind": "transfer", "payer": 0, "payee": 1, "amount": "", "version": 0, "key": "a"}, headers=headers
    )

    assert response.status_code == 422
    assert Entry.objects.count() == 0


def test_a_closed_table_records_no_round_until_it_is_opened_again(client, table):
    client.post(at(table, "close"), {"version": 0, "key": "a"})
    refused = client.post(at(table, "record"), win(table, 1))
    client.post(at(table, "close"), {"version": 1, "key": "b", "open": "1"})

    assert refused.status_code == 422
    assert client.post(at(table, "record"), win(table, 1)).status_code == 303


def test_the_device_is_named_in_what_it_writes(client, table):
    client.post(at(table, "device"), {"label": "老王的手机"})
    client.post(at(table, "record"), win(table, 1))

    entry = Entry.objects.get()
    assert entry.device_label == "老王的手机"
    assert entry.device_id == client.cookies["device"].value


# watching


def test_polling_answers_nothing_while_nothing_changes(client, table, django_assert_max_num_queries):
    with django_assert_max_num_queries(1):
        same = client.get(at(table, "state", token=table.watch_token), {"v": table.changes})
    record_round(table=table, payload=payload(self_draw(1)), expected_version=0, idempotency_key="a")
    other = client.get(at(table, "state", token=table.watch_token), {"v": table.changes})

    assert same.status_code == 204
    assert other.status_code == 200
    assert "<html" not in other.content.decode()


@pytest.mark.parametrize("rounds", [1, 30])
@pytest.mark.parametrize(("role", "queries"), [("scorer", 8), ("watch", 9)])
def test_a_table_takes_a_fixed_number_of_queries(client, table, rounds, role, queries, django_assert_num_queries):
    for number in range(rounds):
        record_round(
            table=table, payload=payload(discard_win(number % 3 + 1, payer=0)), expected_version=number, idempotency_key=f"k{number}"
        )
    address = at(table, token=getattr(table, f"{role}_token"))

    with django_assert_num_queries(queries):
        assert client.get(address).status_code == 200


def test_an_entry_is_marked_while_a_dispute_about_it_is_open(client, table):
    record_round(table=table, payload=payload(self_draw(1)), expected_version=0, idempotency_key="a")
    dispute = raise_dispute(table=table, seq=1, text="少算了一番")

    assert "有异议" in client.get(at(table)).content.decode()

    answer_dispute(dispute=dispute, outcome="rejected")
    assert "有异议" not in client.get(at(table)).content.decode()


def test_home_shows_the_recent_tables_of_this_device(client, table):
    client.get(at(table))
    page = client.get("/").content.decode()

    assert at(table) in page
    assert at(table) not in Client().get("/").content.decode()


def test_names_that_clash_change_nothing_and_are_kept_in_the_form(client, table):
    sent = {"kind": "names", "title": "三号桌", "name.0": "老甲", "name.1": "丙"}
    answer = client.post(at(table, "more"), sent)
    text = answer.content.decode()

    assert answer.status_code == 422
    assert all(typed in text for typed in ("三号桌", "老甲"))
    table.refresh_from_db()
    assert table.title == ""
    assert [person.name for person in table.participants.filter(kind="player")] == ["甲", "乙", "丙", "丁"]
