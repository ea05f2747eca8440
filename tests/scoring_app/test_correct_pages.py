"""Correcting any entry in the browser's way: old values in the form, what changes before it is confirmed, conflicts (G6, G9)."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from rules_app.rulings import ruleset_of
from scoring_app.ledger import (
    change_seats,
    close_table,
    correct_entry,
    entry_detail,
    move_to_revision,
    record_note,
    record_penalty,
    record_round,
    record_transfer,
    set_position,
    set_scores,
    table_overview,
    void_entry,
)
from scoring_app.models import Content, Entry, Table
from scoring_app.shown.entries import EntryWriter
from tests.scoring_app.rounds import discard_win, discrepancies, kong, payload, self_draw

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
HOUSE = 4


def at(table: Table, name: str, *args: Any) -> str:
    return reverse(f"scoring:{name}", args=[table.public_id, table.scorer_token, *args])


def page(client: Client, table: Table, seq: int) -> str:
    response = client.get(at(table, "correct", seq))
    assert response.status_code == 200
    return unescape(response.content.decode())


def sent(text: str) -> dict[str, list[str]]:
    """What the form on a page would send as it stands: what a person without a script leaves untouched."""
    form = text[text.index('action="/t/') : text.index("</main>")]
    found: dict[str, list[str]] = {}
    for tag in re.findall(r"<input[^>]*>", form):
        name = re.search(r' name="([^"]*)"', tag)
        kind = re.search(r' type="([^"]*)"', tag)
        value = re.search(r' value="([^"]*)"', tag)
        if name and (kind is None or kind[1] not in ("checkbox", "radio") or " checked" in tag):
            found.setdefault(name[1], []).append(value[1] if value else "on")
    for name, options in re.findall(r'<select[^>]* name="([^"]*)"[^>]*>(.*?)</select>', form, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)" selected', options)
        found.setdefault(name, []).append(chosen[1] if chosen else "")
    found.pop("csrfmiddlewaretoken", None)
    return found


def place(table: Table) -> dict[str, Any]:
    table.refresh_from_db()
    return {"table": table, "expected_version": table.version, "idempotency_key": f"k{table.version}"}


def line(payer: int, payee: int, amount: int) -> dict[str, int]:
    return {"from": payer, "to": payee, "amount": amount}


def listed(form: dict[str, Any]) -> dict[str, list[str]]:
    return {name: value if isinstance(value, list) else [value] for name, value in form.items()}


KINDS: dict[str, tuple[Any, dict[str, list[str]], dict[str, Any]]] = {
    "transfer": (
        lambda table: record_transfer(lines=[line(0, 1, 5)], text="借的", **place(table)),
        {"payer": ["0"], "payee": ["1"], "amount": ["5"], "text": ["借的"]},
        {"payer": ["0", "2"], "amount": "7"},
    ),
    "penalty": (
        lambda table: record_transfer(lines=[line(3, 0, 9)], text="迟到", kind="penalty", **place(table)),
        {"payer": ["3"], "payee": ["0"], "amount": ["9"], "text": ["迟到"]},
        {"payee": "1"},
    ),
    "fee": (
        lambda table: record_transfer(lines=[line(seat, HOUSE, 2) for seat in range(4)], kind="fee", **place(table)),
        {"payer": ["0", "1", "2", "3"], "payee": ["4"], "amount": ["2"]},
        {"payer": ["0", "1"]},
    ),
    "uneven fee": (
        lambda table: record_transfer(lines=[line(0, HOUSE, 2), line(1, HOUSE, 3)], kind="fee", **place(table)),
        {"payer.0": ["0"], "amount.0": ["2"], "payer.1": ["1"], "amount.1": ["3"], "amount.2": [""]},
        {"amount.1": "", "payer.2": "2", "payee.2": "4", "amount.2": "6"},
    ),
    "settlement": (
        lambda table: record_transfer(lines=[line(1, 0, 30)], text="结账", kind="settlement", **place(table)),
        {"payer": ["0"], "payee": ["1"], "amount": ["30"]},
        {"amount": "20"},
    ),
    "result": (
        lambda table: record_transfer(lines=[line(0, 1, 8), line(0, 2, 4)], kind="result", **place(table)),
        {"total.0": ["-12"], "total.1": ["8"], "total.2": ["4"], "total.3": ["0"]},
        {"total.2": "0", "total.3": "4"},
    ),
    "set_scores": (
        lambda table: set_scores(totals={0: 10, 1: -10}, position={"dealer": 2}, text="停电", **place(table)),
        {"total.0": ["10"], "total.1": ["-10"], "dealer": ["2"], "text": ["停电"]},
        {"total.0": "20", "total.1": "-20"},
    ),
    "position": (
        lambda table: set_position(position={"dealer": 3, "streak": 2}, text="庄记错", **place(table)),
        {"dealer": ["3"], "streak": ["2"], "text": ["庄记错"]},
        {"dealer": "1"},
    ),
    "seat_change": (
        lambda table: change_seats(seats=[0, 1, 2, 6], joining=["戊"], text="替补", **place(table)),
        {"seat": ["0", "1", "2", "6"], "text": ["替补"]},
        {"seat": ["6", "1", "2", "3"]},
    ),
    "note": (lambda table: record_note(text="茶歇", **place(table)), {"text": ["茶歇"]}, {"text": "吃饭"}),
    "status": (lambda table: close_table(text="散了", **place(table)), {"text": ["散了"]}, {"text": "打烊"}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_any_entry_is_corrected_on_its_own_form(client, table, kind):
    make, values, change = KINDS[kind]
    made = make(table)
    record_note(text="之后", **place(table))
    before = made.content.payload
    shown = page(client, table, 1)
    form = sent(shown)

    assert {name: form.get(name) for name in values} == values  # G9: old values, never blanks
    assert "更正" in shown
    untouched = client.post(at(table, "correct", 1), form | {"go": "look"}).content.decode()
    assert "把记错的地方改过来" in untouched
    looked = client.post(at(table, "correct", 1), form | change | {"go": "look"})
    assert looked.status_code == 200, looked.content.decode()
    assert 'id="changes"' in looked.content.decode()
    assert 'value="confirm"' in looked.content.decode()
    assert Entry.objects.filter(table=table).count() == 2
    done = client.post(at(table, "correct", 1), form | change | {"go": "confirm", "reason": "看错"})

    assert (done.status_code, done["Location"]) == (303, at(table, "table"))
    detail = entry_detail(table, 1)
    assert detail.corrected
    assert detail.versions[-1].content.payload != before
    assert detail.versions[0].content.payload == before
    assert "看错" in client.get(at(table, "entry", 1)).content.decode()
    assert discrepancies(table) == []
    if kind != "uneven fee":  # there the line that was emptied is gone, and those below move up
        again = sent(page(client, table, 1))
        assert {name: again[name] for name in change} == listed(change)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("transfer", {"lines": [line(0, 1, 7), line(2, 1, 7)], "text": "借的"}),
        ("uneven fee", {"lines": [line(0, HOUSE, 2), line(2, HOUSE, 6)], "text": ""}),
        ("settlement", {"lines": [line(1, 0, 20)], "text": "结账"}),
        ("result", {"lines": [line(0, 1, 8), line(0, 3, 4)], "text": ""}),
        ("position", {"table": {"dealer": 1, "streak": 2}, "text": "庄记错"}),
        ("set_scores", {"totals": {"0": 20, "1": -20}, "table": {"dealer": 2}, "text": "停电"}),
        ("status", {"closed": True, "text": "打烊"}),
    ],
)
def test_what_a_form_stands_for(client, table, kind, expected):
    """A settlement goes the other way, an emptied line is left out, what was set by hand stays set."""
    make, _values, change = KINDS[kind]
    make(table)
    client.post(at(table, "correct", 1), sent(page(client, table, 1)) | change | {"go": "confirm"})

    assert entry_detail(table, 1).versions[-1].content.payload == expected


@pytest.mark.parametrize("kind", ["transfer", "set_scores", "position", "seat_change"])
def test_a_voided_entry_comes_back_from_its_form(client, table, kind):
    KINDS[kind][0](table)
    void_entry(seq=1, **place(table))
    shown = page(client, table, 1)

    assert 'id="changes"' in shown
    assert client.post(at(table, "correct", 1), sent(shown) | {"go": "confirm"}).status_code == 303
    assert not entry_detail(table, 1).voided


@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        ("transfer", {"amount": "x"}, "不是整数"),
        ("transfer", {"amount": ""}, "还没有填完"),
        ("transfer", {"payer": ["1"]}, "付方和收方不能是同一人"),
        ("result", {"total.0": "-11"}, "多了 1"),
        ("set_scores", {"total.0": "11"}, "多了 1"),
        ("seat_change", {"seat": ["0", "0", "2", "3"]}, "同一人不能坐两个座位"),
        ("note", {"text": ""}, "请写点什么"),
        ("position", {"streak": "-1"}, "连庄数"),
        ("position", {"wind": "7z"}, ""),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_stays(client, table, kind, change, words):
    KINDS[kind][0](table)
    form = sent(page(client, table, 1)) | change | {"reason": "改一下", "go": "confirm"}
    refused = client.post(at(table, "correct", 1), form)

    text = unescape(refused.content.decode())
    assert refused.status_code == 422
    assert "notice error" in text
    assert words in text
    assert 'value="改一下"' in text
    if kind not in ("position",):
        assert {name: sent(text).get(name) for name in change} == listed(change)
    assert Entry.objects.filter(table=table).count() == 1


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_conflict_keeps_what_was_typed_and_says_what_happened(client, table, headers):
    KINDS["transfer"][0](table)
    form = sent(page(client, table, 1)) | {"amount": "50", "reason": "少写一个零", "go": "confirm"}
    record_round(payload=payload(self_draw(3)), **place(table))
    correct_entry(seq=1, payload={"lines": [line(0, 1, 6)], "text": "另一台"}, **place(table))

    conflict = client.post(at(table, "correct", 1), form, headers=headers)
    text = unescape(conflict.content.decode())

    assert conflict.status_code == 409
    assert "又记了 2 笔" in text
    assert "丁 自摸" in text
    assert "对第 1 笔的更正" in text
    assert 'value="50"' in text
    assert 'value="少写一个零"' in text
    fresh = dict(re.findall(r'<input type="hidden" name="(key|version)" value="([^"]*)"', text))
    assert fresh["version"] == "3"
    assert client.post(at(table, "correct", 1), form | fresh).status_code == 303
    assert entry_detail(table, 1).payments == {0: -50, 1: 50}
    assert discrepancies(table) == []


def test_a_change_of_rules_has_no_form(client, table):
    move_to_revision(revision=table.revision, options={"mode": "single", "base": 2}, **place(table))

    assert client.get(at(table, "correct", 1)).status_code == 404
    assert at(table, "correct", 1) not in client.get(at(table, "entry", 1)).content.decode()


def test_a_rule_penalty_is_corrected_like_a_round(client, table):
    record_penalty(payload=payload(discard_win(0, payer=1)), **place(table))

    assert 'name="seat" value="0" checked' in page(client, table, 1)


# rounds with several events


@pytest.fixture
def three_events(table: Table) -> Table:
    """A kong of 甲, a kong of 乙, and a win of 丙 from 丁; then one more round."""
    record_round(payload=payload(kong(0, "5p"), kong(1, "6p"), discard_win(2, payer=3)), **place(table))
    record_round(payload=payload(self_draw(1)), **place(table))
    table.refresh_from_db()
    return table


def stored(table: Table) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = entry_detail(table, 1).versions[-1].content.payload["round"]["events"]
    return events


def moved(client: Client, table: Table, form: Any, act: str) -> dict[str, Any]:
    response = client.post(at(table, "correct", 1), form | {"look": act})
    assert response.status_code == 200
    return sent(unescape(response.content.decode()))


def test_several_events_change_in_one_correction(client, three_events):
    table = three_events
    form: dict[str, Any] = sent(page(client, table, 1))
    assert (form["seat"], form["from"]) == (["2"], ["3"])
    form = moved(client, table, form | {"from": "1"}, "to-1")
    assert form["seat"] == ["1"]
    form = moved(client, table, form | {"seat": "3"}, "drop-0")
    form = moved(client, table, form, "add-kong:concealed")
    form = form | {"seat": "0", "tile": "7p"}
    looked = client.post(at(table, "correct", 1), form | {"go": "look"}, headers=HTMX).content.decode()
    done = client.post(at(table, "correct", 1), form | {"go": "confirm", "reason": "三处"})

    assert 'id="changes"' in looked
    assert done.status_code == 303
    assert stored(table) == [kong(3, "6p"), kong(0, "7p"), {**discard_win(2, payer=1), "declared": []}]
    assert Entry.objects.filter(table=table).count() == 3
    assert Content.objects.filter(entry__seq=1).count() == 2
    assert discrepancies(table) == []


def test_going_through_the_events_changes_nothing(client, three_events):
    form = sent(page(client, three_events, 1))
    for act in ("to-0", "to-1", "to-2"):
        form = moved(client, three_events, form, act)

    assert "把记错的地方改过来" in client.post(at(three_events, "correct", 1), form | {"go": "look"}).content.decode()


def test_an_event_turns_out_to_be_another_one(client, three_events):
    form = moved(client, three_events, sent(page(client, three_events, 1)), "to-0")
    form = moved(client, three_events, form, "as-kong:added")
    assert (form["what"], form["index"]) == (["kong:added"], ["0"])
    client.post(at(three_events, "correct", 1), form | {"seat": "2", "tile": "9s", "go": "confirm"})

    assert stored(three_events)[0] == {"type": "kong", "seat": 2, "kind": "added", "tile": "9s"}
    assert stored(three_events)[1:] == [kong(1, "6p"), discard_win(2, payer=3)]


def test_a_new_event_is_left_out_again(client, three_events):
    form = moved(client, three_events, sent(page(client, three_events, 1)), "add-kong:concealed")
    assert (form["new"], form["index"]) == (["1"], ["2"])
    form = moved(client, three_events, form | {"seat": "0", "tile": "8p"}, "leave")

    assert (form.get("new"), form["seat"]) == (None, ["2"])
    assert client.post(at(three_events, "correct", 1), form | {"go": "look"}).status_code == 200
    assert len(stored(three_events)) == 3


def test_the_last_event_is_not_taken_out(client, table):
    record_round(payload=payload(self_draw(3)), **place(table))
    form = moved(client, table, sent(page(client, table, 1)), "drop-0")

    assert form["seat"] == ["3"]


def test_what_was_changed_so_far_cannot_be_forged(client, three_events):
    form = sent(page(client, three_events, 1)) | {"base": "W10:forged"}
    looked = client.post(at(three_events, "correct", 1), form | {"go": "look"})

    assert looked.status_code == 200
    assert "把记错的地方改过来" in looked.content.decode()


def test_a_conflict_in_a_round_keeps_all_its_changes(client, three_events):
    table = three_events
    form = moved(client, table, sent(page(client, table, 1)) | {"from": "1"}, "to-0")
    record_note(text="同时", **place(table))
    conflict = client.post(at(table, "correct", 1), form | {"seat": "3", "go": "confirm"})
    text = unescape(conflict.content.decode())

    assert conflict.status_code == 409
    assert "同时" in text
    assert client.post(at(table, "correct", 1), sent(text) | {"go": "confirm"}).status_code == 303
    assert stored(table) == [kong(3, "5p"), kong(1, "6p"), {**discard_win(2, payer=1), "declared": []}]


# dealer and round by hand


def test_dealer_streak_and_wind_are_set_between_rounds_without_touching_scores(client, table):
    record_round(payload=payload(discard_win(2, payer=1)), **place(table))
    totals = [seat.total for seat in table_overview(table).seats]
    url = reverse("clubs:table_position", args=[table.public_id, table.scorer_token])
    form = sent(client.get(url).content.decode())
    assert (form["dealer"], form["wind"]) == (["1"], ["1z"])
    assert client.post(url, form | {"key": "a"}).status_code == 422  # nothing is set

    done = client.post(url, form | {"dealer": "3", "streak": "1", "wind": "2z", "text": "圈记错", "key": "b"})

    assert done.status_code == 303
    overview = table_overview(table)
    assert (overview.situation.dealer, overview.situation.streak, overview.situation.round_wind) == (3, 1, "2z")
    assert [seat.total for seat in overview.seats] == totals
    assert Content.objects.get(entry__seq=2).payload == {"table": {"dealer": 3, "streak": 1, "round_wind": "2z"}, "text": "圈记错"}
    writer = EntryWriter(ruleset_of(table.revision), "zh", overview.participants, overview.situation)
    assert writer.words(overview.entries[0]) == ("定庄定圈", "丁坐庄 · 已连庄 1 局 · 南风圈 · 圈记错")
    stale = client.post(url, form | {"dealer": "0", "key": "c"})
    assert stale.status_code == 409
    record_round(payload=payload(self_draw(0)), **place(table))
    assert entry_detail(table, 3).versions[0].content.before["dealer"] == 3
    assert discrepancies(table) == []


def test_a_position_that_the_rules_do_not_know_is_refused(client, table):
    url = reverse("clubs:table_position", args=[table.public_id, table.scorer_token])
    form = sent(client.get(url).content.decode())
    for change in ({"wind": "9z"}, {"dealer": "9"}, {"streak": "x"}):
        refused = client.post(url, form | change)
        assert (refused.status_code, 'id="problem"' in refused.content.decode()) == (422, True), change
    assert Entry.objects.filter(table=table).count() == 0


def test_a_correction_leads_to_what_it_is_about_and_has_no_way_on_of_its_own(client, table):
    record_round(payload=payload(self_draw(0)), **place(table))
    void_entry(seq=1, reason="记错了", **place(table))
    about = at(table, "entry", 1)
    said = client.get(at(table, "entry", 2)).content.decode()

    assert f'href="{about}"' in said
    assert "记错了" in said
    assert [client.get(at(table, name, 2)).status_code for name in ("void", "correct")] == [404, 404]
