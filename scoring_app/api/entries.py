"""The ledger of a table: recording anything that can be entered, looking before one writes, putting right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response

from rules_app.api import mapping
from rules_app.languages import page_language
from scoring_app.api.acts import changes, reads, records
from scoring_app.api.base import TableView
from scoring_app.api.describe import Json
from scoring_app.api.describe_tables import describe_changes, describe_entry_fully, describe_preview, find_entry, written
from scoring_app.api.schema import tables as schema
from scoring_app.api.tables import revision_of
from scoring_app.ledger import (
    Recorded,
    change_seats,
    close_table,
    correct_entry,
    move_to_revision,
    preview_correction,
    preview_round,
    record_note,
    record_penalty,
    record_round,
    record_transfer,
    reopen_table,
    set_position,
    set_scores,
    undo_last,
    void_entry,
)
from scoring_app.models import Entry

Kind = Entry.Kind
ACTIONS: dict[str, str] = {
    Kind.ROUND: "record_round",
    Kind.PENALTY: "record_penalty",
    Kind.TRANSFER: "record_transfer",
    Kind.FEE: "charge_fees",
    Kind.SETTLEMENT: "settle",
    Kind.NOTE: "record_round",
    Kind.SET_SCORES: "set_scores",
    Kind.POSITION: "record_round",
    Kind.SEAT_CHANGE: "change_seats",
    Kind.RULES: "change_rules",
    Kind.STATUS: "close_table",
}
"""What of the permission table each kind of entry needs."""


class Entries(TableView):
    @records("record_entry", "Record anything that can be entered at a table", schema.NewEntry, schema.Written)
    def post(self, request: Request, public_id: str) -> Response:
        body = mapping(request.data)
        kind = body.get("kind", "round")
        if not isinstance(kind, str) or kind not in ACTIONS:
            self.table_for(public_id)
            raise ParseError(_("kind must be one of: %(kinds)s") % {"kinds": ", ".join(ACTIONS)})
        safe = self.safe(self.table_for(public_id, ACTIONS[kind]))
        payload = mapping(body.get("payload"))
        if kind == Kind.RULES:
            safe["reason"] = reason_of(body)
        return written(RECORDERS[kind](kind, payload, safe))


class EntryDetail(TableView):
    @reads("get_entry", "One entry, all that it has said, and how the engine reads it", schema.EntryDetailBody)
    def get(self, _request: Request, public_id: str, seq: int) -> Response:
        return Response(describe_entry_fully(find_entry(self.table_for(public_id), seq)))


class Preview(TableView):
    @changes("preview_round", "What a round or a penalty would do, without recording it", schema.Look, schema.Looked)
    def post(self, request: Request, public_id: str) -> Response:
        table = self.table_for(public_id)
        body = mapping(request.data)
        preview = preview_round(
            table=table,
            payload=mapping(body.get("payload")),
            language=page_language(),
            kind="penalty" if body.get("kind") == Kind.PENALTY else "round",
            running=body.get("running") is True,
        )
        return Response(describe_preview(preview))


class Undo(TableView):
    @records("undo_last_entry", "Take the last entry back", schema.Reasoned, schema.Written)
    def post(self, request: Request, public_id: str) -> Response:
        safe = self.safe(self.table_for(public_id, "undo"))
        return written(undo_last(**safe, reason=reason_of(mapping(request.data))))


class Correct(TableView):
    @records("correct_entry", "Put an entry right; what follows is scored again", schema.Correction, schema.Written)
    def post(self, request: Request, public_id: str, seq: int) -> Response:
        safe = self.safe(self.table_for(public_id, "correct_entry"))
        body = mapping(request.data)
        return written(correct_entry(**safe, seq=seq, payload=mapping(body.get("payload")), reason=reason_of(body)))


class Void(TableView):
    @records("void_entry", "Make an entry void; what follows is scored again", schema.Reasoned, schema.Written)
    def post(self, request: Request, public_id: str, seq: int) -> Response:
        safe = self.safe(self.table_for(public_id, "correct_entry"))
        return written(void_entry(**safe, seq=seq, reason=reason_of(mapping(request.data))))


class CorrectionPreview(TableView):
    @changes("preview_correction", "What correcting or voiding an entry would change", schema.CorrectionLook, schema.ChangesBody)
    def post(self, request: Request, public_id: str, seq: int) -> Response:
        table = self.table_for(public_id, "correct_entry")
        body = mapping(request.data)
        payload = mapping(body["payload"]) if body.get("payload") is not None else None
        return Response({"changes": describe_changes(preview_correction(table=table, seq=seq, payload=payload))})


def reason_of(body: Json) -> str:
    """:raises ParseError: the reason is no text."""
    reason = body.get("reason", "")
    if not isinstance(reason, str):
        raise ParseError(_("reason must be a text."))
    return reason


def _transfer(kind: str, payload: Json, safe: Json) -> Recorded:
    kinds: Any = kind
    return record_transfer(**safe, lines=_list(payload, "lines"), text=payload.get("text", ""), kind=kinds)


def _scores(_kind: str, payload: Json, safe: Json) -> Recorded:
    totals: Any = {number: total for number, total in mapping(payload.get("totals")).items() if number.isdecimal()}
    if len(totals) < len(payload["totals"]):
        raise ParseError(_("payload.totals must name participants by number."))
    return set_scores(**safe, totals=totals, position=payload.get("table"), text=payload.get("text", ""))


def _seats(_kind: str, payload: Json, safe: Json) -> Recorded:
    seats, joining = _list(payload, "seats"), _list(payload, "joining")
    return change_seats(**safe, seats=seats, joining=joining, position=payload.get("table"), text=payload.get("text", ""))


def _rules(_kind: str, payload: Json, safe: Json) -> Recorded:
    number, options, start = (payload.get(name) for name in ("revision", "options", "rescore_from"))
    for name, value in (("revision", number), ("rescore_from", start)):
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise ParseError(_("payload.%(name)s must be a whole number.") % {"name": name})
    revision = revision_of(safe["table"], number)
    return move_to_revision(**safe, revision=revision, options=None if options is None else mapping(options), rescore_from=start)


def _status(_kind: str, payload: Json, safe: Json) -> Recorded:
    closed = payload.get("closed")
    if not isinstance(closed, bool):
        raise ParseError(_("payload.closed must be true or false."))
    act = close_table if closed else reopen_table
    return act(**safe, text=payload.get("text", ""))


def _list(payload: Json, name: str) -> list[Any]:
    """:raises ParseError: it is something else."""
    found = payload.get(name, [])
    if not isinstance(found, list):
        raise ParseError(_("payload.%(name)s must be a list.") % {"name": name})
    return found


RECORDERS: dict[str, Callable[[str, Json, Json], Recorded]] = {
    Kind.ROUND: lambda _kind, payload, safe: record_round(**safe, payload=payload),
    Kind.PENALTY: lambda _kind, payload, safe: record_penalty(**safe, payload=payload),
    Kind.TRANSFER: _transfer,
    Kind.FEE: _transfer,
    Kind.SETTLEMENT: _transfer,
    Kind.NOTE: lambda _kind, payload, safe: record_note(**safe, text=payload.get("text", "")),
    Kind.SET_SCORES: _scores,
    Kind.POSITION: lambda _kind, payload, safe: set_position(**safe, position=payload.get("table") or {}, text=payload.get("text", "")),
    Kind.SEAT_CHANGE: _seats,
    Kind.RULES: _rules,
    Kind.STATUS: _status,
}
