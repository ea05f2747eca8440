"""Exported documents that somebody changed and sealed again: refused by a sentence, nothing of them is written."""

from __future__ import annotations

import copy
import json

import pytest

from scoring_app.exports.documents import DocumentError
from scoring_app.exports.json_in import preview_document, read_document
from scoring_app.exports.json_out import session_document
from scoring_app.ledger import record_note, record_round
from scoring_app.ledger.hashing import digest
from scoring_app.models import Session
from scoring_app.sessions import add_player, open_session, seat_players
from tests.scoring_app.rounds import payload, self_draw

pytestmark = pytest.mark.django_db

SITUATION = {"dealer": 0, "streak": 0, "round_wind": "1z", "state": {}, "seats": [0, 1, 2, 3], "closed": False}


@pytest.fixture
def document(revision):
    session = open_session(revision=revision, options={"mode": "single"})
    for name in "甲乙丙丁戊":
        add_player(session=session, name=name)
    seat_players(session=session, seed="x")
    table = session.tables.get()
    record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key="a")
    record_note(table=table, text="note", expected_version=1, idempotency_key="b")
    return session_document(session)


def sealed(document):
    """With hashes that fit what it says."""
    (table,) = document["session"]["tables"]
    opening = {name: table[name] for name in ("seats", "start_points", "opening")}
    previous = digest({"table": table["id"], **opening})
    for entry in table["entries"]:
        contents = [
            {
                **wrote,
                "lines": [[line[name] for name in ("payer", "payee", "amount", "zh", "en", "rule", "event")] for line in wrote["lines"]],
            }
            for wrote in entry["wrote"]
        ]
        facts = {name: entry[name] for name in ("seq", "kind", "target", "undoes", "reason", "client_time", "server_time", "key")}
        device = [entry["device_id"], entry["device_label"]]
        said = {"previous": previous, "table": table["id"], "device": device, "author": None, "body": entry["body_hash"]}
        entry["previous_hash"], entry["hash"] = previous, digest({**facts, **said, "contents": contents})
        previous = entry["hash"]
    return document


def test_sealing_again_changes_nothing(document):
    assert sealed(copy.deepcopy(document)) == document
    assert preview_document(read_document(json.dumps(document))).tables[0].entries == 2


def of_session(**facts):
    return lambda session: session.update(facts)


def of_table(change):
    return lambda session: change(session["tables"][0])


def of_note(**facts):
    return of_table(lambda table: table["entries"][1]["wrote"][0].update(facts))


def without_entries(**facts):
    return of_table(lambda table: table.update(entries=[], **facts))


CHANGES = {
    "draws of another shape": lambda session: session["draws"][0].update(seating={"tables": 5}),
    "a draw that rests nobody known": lambda session: session["draws"][0].update(seating={"tables": [], "resting": [{}]}),
    "the last moment": of_session(started_at="9999-12-31T23:59:59-12:00"),
    "the first moment": of_session(ended_at="0001-01-01T00:00:00+14:00"),
    "an entry at the end of time": of_table(lambda table: table["entries"][0].update(client_time="9999-12-31T23:59:59+00:00")),
    "a null character": of_session(title="a\x00b"),
    "half a character": of_session(options={"\ud800": 1}),
    "an unknown option": without_entries(options={"unheard": 1}),
    "a dealer on no seat": without_entries(opening={**SITUATION, "dealer": 7}),
    "no seats": without_entries(opening={**SITUATION, "seats": []}),
    "strangers on the seats": without_entries(opening={**SITUATION, "seats": [99, 98, 97, 96]}),
    "one on four seats": without_entries(opening={**SITUATION, "seats": [0, 0, 0, 0]}),
    "the house on a seat": without_entries(opening={**SITUATION, "seats": [4, 1, 2, 3]}),
    "two people": of_table(lambda table: table.update(entries=[], participants=table["participants"][:2])),
    "no house": of_table(lambda table: table["participants"][4].update(kind="player")),
    "a note of a win": of_note(summary={"wins": 5}),
    "a note of a winner's patterns": of_note(summary={"wins": [{"seat": 0, "patterns": 5}]}),
    "a note before seats that are none": of_note(before={**SITUATION, "seats": [99, 1, 2, 3]}),
    "a note after a dealer who is none": of_note(after={**SITUATION, "dealer": 4}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_hostile_document_is_refused_by_a_sentence(document, change):
    sessions = Session.objects.count()
    document["session"]["id"], document["session"]["tables"][0]["id"] = "elsewhere1", "elsewhere2"
    change(document["session"])

    with pytest.raises(DocumentError) as refused:
        preview_document(read_document(json.dumps(sealed(document) if "\\ud800" not in json.dumps(document) else document)))

    assert refused.value.message.zh
    assert "changed after it was exported" not in refused.value.message.en
    assert Session.objects.count() == sessions
