"""All that can be done at a table, by the secrets that open it: its links, a device, the organiser's link."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from scoring_app.ledger import open_table
from scoring_app.models import Table
from scoring_app.sessions import issue_grant
from tests.scoring_app.api.world import World, make_world
from tests.scoring_app.rounds import discard_win, discrepancies, kong, payload, self_draw

pytestmark = pytest.mark.django_db


class At:
    """A table by one of the secrets that open it."""

    def __init__(self, table: Table, secret: str) -> None:
        self.table, self.secret, self.keys = table, secret, 0

    def get(self, rest: str = "", status: int = 200) -> Any:
        return self.call("GET", rest, None, status)

    def post(self, rest: str, body: Any, status: int = 201, *, key: str = "") -> Any:
        return self.call("POST", rest, body, status, key=key)

    def record(self, kind: str, version: int, status: int = 201, **said: Any) -> Any:
        return self.post("entries/", {"kind": kind, "payload": said, "expected_version": version}, status)

    def call(self, method: str, rest: str, body: Any = None, status: int = 200, *, key: str = "") -> Any:
        self.keys += 1
        headers = {
            "Authorization": f"Bearer {self.secret}",
            "Idempotency-Key": key or f"{self.secret[:8]}-{self.keys}",
            "Accept-Language": "en",
        }
        path = f"/api/v1/tables/{self.table.public_id}/{rest}"
        answer = Client().generic(method, path, "" if body is None else json.dumps(body), content_type="application/json", headers=headers)
        assert answer.status_code == status, answer.content
        return answer.json() if answer["Content-Type"] == "application/json" else answer


@pytest.fixture
def scorer(table) -> At:
    return At(table, table.scorer_token)


@pytest.fixture
def watcher(table) -> At:
    return At(table, table.watch_token)


@pytest.fixture
def world(revision) -> World:
    return make_world(revision)


def totals(table: dict[str, Any]) -> dict[str, int]:
    return {person["name"]: person["total"] for person in table["participants"] if person["kind"] == "player"}


def test_every_kind_of_entry_is_recorded_and_the_book_verifies(scorer, table):
    scorer.record("round", 0, **payload(discard_win(1, payer=0)))
    scorer.record("set_scores", 1, totals={"0": 5, "1": -5}, table={"streak": 2}, text="restored")
    scorer.record("seat_change", 2, seats=[6, 1, 2, 3], joining=["戊"])
    scorer.record("rules", 3, options={})
    scorer.record("position", 4, table={"dealer": 3})
    scorer.record("fee", 5, lines=[{"from": 6, "to": 4, "amount": 2}])
    scorer.record("settlement", 6, lines=[{"from": 0, "to": 1, "amount": 5}])
    closed = scorer.record("status", 7, closed=True, text="late")
    scorer.record("round", 8, 422, **payload(self_draw(1)))
    opened = scorer.record("status", 8, closed=False)
    now = scorer.get()

    assert (closed["entry"]["payload"], opened["version"]) == ({"closed": True, "text": "late"}, 9)
    assert totals(now) == {"甲": 0, "乙": 0, "丙": 0, "丁": 0, "戊": -2}
    assert now["situation"]["dealer"] == 3
    assert (now["situation"]["seats"], now["options"], now["closed"]) == ([6, 1, 2, 3], {}, False)
    assert discrepancies(table) == []


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("set_scores", {"totals": {"x": 1}}),
        ("set_scores", {"totals": []}),
        ("set_scores", {"totals": {"0": 1}}),
        ("seat_change", {"seats": "0123"}),
        ("seat_change", {"seats": [0, 1, 2, 3], "joining": "戊"}),
        ("seat_change", {"seats": [0, 0, 2, 3]}),
        ("rules", {"revision": "1"}),
        ("rules", {"revision": 99}),
        ("rules", {"options": []}),
        ("rules", {"rescore_from": True}),
        ("rules", {"options": {"moon": 1}}),
        ("position", {}),
        ("position", {"table": {"dealer": 0}}),
        ("position", {"table": []}),
        ("status", {}),
        ("status", {"closed": "yes"}),
        ("result", {"lines": [{"from": 0, "to": 1, "amount": 1}]}),
        ("correction", {}),
        (["round"], {}),
    ],
)
def test_what_is_no_entry_is_refused_and_writes_nothing(scorer, table, kind, said):
    body = {"kind": kind, "payload": said, "expected_version": 0}
    headers = {"Authorization": f"Bearer {table.scorer_token}", "Idempotency-Key": "k"}
    answer = Client().post(f"/api/v1/tables/{table.public_id}/entries/", json.dumps(body), content_type="application/json", headers=headers)

    assert answer.status_code in (400, 404, 422)
    assert answer.json()["error"]["message"]
    assert scorer.get()["version"] == 0


def test_a_correction_is_seen_before_and_after_and_then_made(scorer):
    scorer.record("round", 0, **payload(discard_win(1, payer=0)))
    scorer.record("round", 1, **payload(self_draw(2)))
    right = payload(discard_win(1, payer=0), next={"dealer": 3})

    seen = scorer.post("entries/1/preview/", {"payload": right}, 200)["changes"]
    void = scorer.post("entries/2/preview/", {"payload": None}, 200)["changes"]
    refused = scorer.post("entries/9/preview/", {"payload": right}, 422)
    made = scorer.post("entries/1/correct/", {"payload": right, "reason": "wrong winner", "expected_version": 2})
    detail = scorer.get("entries/1/")

    assert [one["seq"] for one in seen] == [1, 2]
    assert (seen[0]["before"]["payload"], seen[0]["after"]["payload"]) == (payload(discard_win(1, payer=0)), right)
    assert [seen[1][when]["situation"]["dealer"] for when in ("before", "after")] == [0, 3]
    assert (void[0]["seq"], void[0]["after"]["voided"]) == (2, True)
    assert refused["error"]["code"] == "no_such_entry"
    assert made["changes"] == seen
    assert [(one["cause"], one["payments"]) for one in detail["versions"]] == [
        ("entered", {"0": -1, "1": 1}),
        ("corrected", {"0": -1, "1": 1}),
    ]
    assert detail["answer"]["payments"] == [-1, 1, 0, 0]


def test_a_round_is_entered_event_by_event(scorer, watcher):
    nothing = scorer.get("round/")
    begun = scorer.post("round/", {"draft_version": 0, "expected_version": 0})
    event = {"event": kong(0), "draft_version": begun["version"], "expected_version": 0}
    one = scorer.post("round/events/", event, key="kong")
    again = scorer.post("round/events/", event, key="kong")
    stale = scorer.post("round/events/", {**event, "event": kong(1)}, 409)
    other = scorer.call("PUT", "round/events/0/", {"event": kong(2), "draft_version": one["round"]["version"]})
    seen = watcher.get("round/")
    gone = scorer.call("DELETE", f"round/events/0/?draft_version={other['version']}")
    over = {"event": self_draw(3), "draft_version": gone["version"], "expected_version": 0}
    done = scorer.post("round/events/", over, key="win")
    repeat = scorer.post("round/events/", over, key="win")

    assert (nothing["version"], nothing["payload"], nothing["so_far"]) == (0, None, None)
    assert again["round"] == one["round"]
    assert one["round"]["so_far"]["payments"]["0"] > 0
    assert not one["round"]["so_far"]["ended"]
    assert stale["error"]["draft_version"] == one["round"]["version"]
    assert seen["payload"]["round"]["events"] == [kong(2)]
    assert gone["payload"]["round"]["events"] == []
    assert (done["written"]["entry"]["seq"], done["round"]["version"]) == (1, 0)
    assert (repeat["written"]["repeated"], scorer.get()["version"]) == (True, 1)
    watcher.post("round/events/", over, 403)


def test_a_round_in_progress_is_discarded_or_ended_as_it_is(scorer):
    begun = scorer.post("round/", {"draft_version": 0, "expected_version": 0})
    dropped = scorer.call("DELETE", f"round/?draft_version={begun['version']}")
    one = scorer.post("round/events/", {"event": kong(0), "draft_version": 0, "expected_version": 0})
    ended = scorer.post("round/end/", {"draft_version": one["round"]["version"], "expected_version": 0})

    assert dropped["version"] == 0
    assert ended["entry"]["payload"]["unfinished"]
    assert scorer.get()["round_in_progress"] is None


def test_devices_confirm_and_dispute_with_their_own_tokens(table):
    At(table, table.watch_token).call("PATCH", "", {"confirmation": "device"}, 403)
    At(table, table.scorer_token).call("PATCH", "", {"confirmation": "device"})
    first, second = (At(table, issue_grant(table=table, role="scorer", label=label).token) for label in ("一号", "二号"))
    looks = At(table, table.watch_token)
    first.record("round", 0, **payload(discard_win(1, payer=0)))

    own = first.post("entries/1/confirm/", {"version": 1}, 422)
    said = second.post("entries/1/confirm/", {"version": 1})
    twice = second.post("entries/1/confirm/", {"version": 1})
    looks.post("entries/1/confirm/", {"version": 1}, 403)
    raised = looks.post("entries/1/disputes/", {"text": "是四番"})
    again = looks.post("entries/1/disputes/", {"text": "是四番"})
    looks.post(f"disputes/{raised['id']}/answer/", {"outcome": "withdrawn"}, 403)
    settled = first.post(f"disputes/{raised['id']}/answer/", {"outcome": "rejected", "text": "看过"})
    same = first.post(f"disputes/{raised['id']}/answer/", {"outcome": "rejected", "text": "看过"})
    second.post(f"disputes/{raised['id']}/answer/", {"outcome": "upheld"}, 422)
    (mark,) = looks.get("marks/")

    assert own["error"]["code"] == "same_device"
    assert (said["device"], twice) == ("二号", said)
    assert again == raised
    assert same == settled
    assert (mark["needs_confirmation"], len(mark["confirmations"]), len(mark["disputes"])) == (False, 1, 1)


def test_a_token_of_a_device_says_which_device_writes(table):
    grant = At(table, issue_grant(table=table, role="scorer", label="一号").token)
    headers = {"Authorization": f"Bearer {grant.secret}", "Idempotency-Key": "k", "X-Device-Id": "another", "X-Device-Label": "another"}
    body = {"payload": payload(discard_win(1, payer=0)), "expected_version": 0}
    Client().post(f"/api/v1/tables/{table.public_id}/entries/", json.dumps(body), content_type="application/json", headers=headers)

    assert grant.get("entries/1/")["device"] == "一号"
    assert At(table, table.scorer_token).get("writers/")[0]["device"] == "一号"
    assert grant.get("writers/") == []


def test_seats_change_rest_and_are_put_right(world):
    table, host = world.table, At(world.table, world.session.host_token)
    seated = host.get()["situation"]["seats"]
    resting = next(p.number for p in world.session.players.all() if not table.participants.filter(player=p).exists())

    come = {"seat": 0, "player": resting, "expected_version": 1}
    came = host.post("substitute/", come, key="come")
    again = host.post("substitute/", come, 200, key="come")
    turn = host.get("rest/")
    rested = host.post("rest/", {"expected_version": 2}, key="rest")
    repeat = host.post("rest/", {"expected_version": 2}, 200, key="rest")
    swapped = {"from_seq": 1, "seats": [seated[1], seated[0], *seated[2:]]}
    seen = host.post("reseat/preview/", swapped, 200)["changes"]
    made = host.post("reseat/", {**swapped, "expected_version": 3, "reason": "sat down wrongly"})

    assert (came["entry"]["kind"], again["repeated"], again["entry"]["seq"]) == ("seat_change", True, 2)
    assert turn["number"] is not None
    assert (rested["entry"]["seq"], repeat["repeated"]) == (3, True)
    assert made["changes"] == seen
    assert seen[0]["before"]["payments"] != seen[0]["after"]["payments"]
    assert discrepancies(table) == []


def test_a_table_without_a_session_has_no_players_to_put_on_a_seat(scorer):
    refused = scorer.post("substitute/", {"seat": 0, "player": 1, "expected_version": 0}, 422)

    assert refused["error"]["code"] == "no_session"


def test_the_keys_of_the_site_itself_are_not_to_be_had(scorer):
    for key in ("rotation-2", "table-fee-0", "end-1", "leaves-1-1", "rotation-1-undone-4"):
        scorer.post("entries/", {"kind": "note", "payload": {"text": "x"}, "expected_version": 0}, 400, key=key)

    assert scorer.get()["version"] == 0


def test_other_rules_are_looked_at_first(scorer, revision):
    scorer.record("round", 0, **payload(self_draw(0)))
    rules = scorer.get("rules/")
    seen = scorer.post("rules/preview/", {"options": {"mode": "single", "self_draw": "none"}}, 200)["changes"]
    scorer.post("rules/preview/", {"revision": 99}, 404)
    moved = scorer.post(
        "entries/",
        {
            "kind": "rules",
            "payload": {"options": {"mode": "single", "self_draw": "none"}, "rescore_from": 1},
            "reason": "as agreed",
            "expected_version": 1,
        },
    )

    assert rules == {"variant": "sichuan", "revision": revision.number, "options": {"mode": "single"}, "revisions": [revision.number]}
    assert [one["seq"] for one in seen] == [1]
    assert moved["entry"]["reason"] == "as agreed"
    assert moved["changes"][0]["after"]["payments"] == seen[0]["after"]["payments"]


def test_names_links_and_a_new_scorer_link(scorer, watcher, table):
    named = scorer.call("PATCH", "", {"title": "窗边", "names": {"0": "东"}})
    scorer.call("PATCH", "", {"names": {"0": "乙"}}, 422)
    scorer.call("PATCH", "", {"names": {"4": "屋"}}, 404)
    scorer.call("PATCH", "", {"names": {"zero": "零"}}, 404)
    watcher.call("PATCH", "", {"title": "x"}, 403)
    watcher.get("links/", 403)
    links = scorer.get("links/")
    renewed = scorer.post("links/", {})

    assert (named["title"], named["participants"][0]["name"]) == ("窗边", "东")
    assert links["scorer_token"] == table.scorer_token
    assert renewed["watch_token"] == table.watch_token
    scorer.get("", 404)
    assert At(table, renewed["scorer_token"]).get()["role"] == "scorer"


def test_fees_and_settling_at_one_table(scorer):
    scorer.record("round", 0, **payload(discard_win(1, payer=0)))
    charged = scorer.post("fees/", {"amount": 5})
    again = scorer.post("fees/", {"amount": 5})
    open_ones = scorer.get("settlement/")
    version = scorer.get()["version"]
    for line in open_ones["transfers"]:
        body = {"payer": line["payer"]["key"], "payee": line["payee"]["key"], "amount": line["amount"], "expected_version": version}
        version = scorer.post("settlement/", body)["version"]
    after = scorer.get("settlement/")
    undone = after["paid"][0]
    scorer.post(f"entries/{undone['seq']}/void/", {"expected_version": version, "reason": "not paid"})
    stranger = {"payer": "player-0", "payee": "player-1", "amount": 1, "expected_version": version}

    assert ([one["seq"] for one in charged], again) == ([2], [])
    assert after["settled"]
    assert len(after["paid"]) == len(open_ones["transfers"])
    assert not scorer.get("settlement/")["settled"]
    scorer.post("settlement/", stranger, 422)


def test_devices_of_a_table_are_let_in_renamed_taken_over_and_shut_out(scorer, table):
    made = scorer.post("devices/", {"role": "scorer", "label": "一号"})
    device = At(table, made["token"])
    named = scorer.call("PATCH", f"devices/{made['id']}/", {"label": "二号"})
    over = scorer.post(f"devices/{made['id']}/take-over/", {})
    scorer.post(f"devices/{made['id']}/take-over/", {}, 422)
    shut = scorer.call("DELETE", f"devices/{over['id']}/")

    assert (named["label"], over["label"], shut["revoked"]) == ("二号", "二号", True)
    device.get("", 404)
    At(table, over["token"]).get("", 404)
    assert scorer.get("devices/") == []
    scorer.call("DELETE", "devices/nothing/", None, 404)


def test_a_device_of_a_session_is_not_one_of_its_tables(world):
    host = At(world.table, world.session.host_token)

    assert [one["table"] for one in host.get("devices/")] == [world.table.public_id, None]
    host.call("DELETE", f"devices/{world.grant.public_id}/", None, 404)


@pytest.mark.parametrize("form", ["csv", "xlsx", "json", "blank"])
def test_whoever_watches_takes_files_along(watcher, form):
    file = watcher.call("GET", f"exports/{form}/")

    assert form == "json" or file["Content-Disposition"].startswith("attachment")


def test_an_unknown_file_is_not_found(watcher):
    watcher.get("exports/doc/", 404)


def test_statistics_of_a_table(scorer, watcher):
    scorer.record("round", 0, **payload(discard_win(1, payer=0)))
    found = watcher.get("statistics/")

    assert {line["person"]["name"]: line["points"] for line in found["standings"]} == {"甲": -1, "乙": 1, "丙": 0, "丁": 0}
    assert found["series"][-1]["seq"] == 1


def test_an_account_opens_a_table_once(world):
    body = {"variant": "sichuan", "names": ["甲", "乙", "丙", "丁"]}
    first, again = (world.call("stranger", "POST", "/api/v1/tables/", body, key="k").json() for _ in range(2))

    assert again == first
    assert world.call("stranger", "GET", f"/api/v1/tables/{first['id']}/").json()["role"] == "scorer"
    assert world.call("viewer", "GET", f"/api/v1/tables/{first['id']}/").status_code == 404


@pytest.mark.parametrize("secret", ["host_token", "watch_token"])
def test_secrets_open_what_they_are_for_and_nothing_else(world, revision, secret):
    at = At(world.table, getattr(world.session, secret))
    elsewhere = open_table(revision=revision, names=["A", "B", "C", "D"], options={"mode": "single"})

    assert at.get()["role"] == ("scorer" if secret == "host_token" else "watch")
    At(elsewhere, at.secret).get("", 404)
    assert world.call("", "GET", "/api/v1/clubs/hui/", secret=at.secret).status_code == 401
    assert world.call("", "GET", "/api/v1/me/", secret=at.secret).status_code == 401
