"""The round in progress, event by event: a note that each change names the version of, until it becomes an entry."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from scoring_app.api.acts import changes, key_of, reads, records
from scoring_app.api.base import CREATED, TableView, small
from scoring_app.api.describe_tables import describe_open_round, describe_written, written
from scoring_app.api.schema import tables as schema
from scoring_app.ledger import close_round, discard_round, open_round_of, remove_event, replace_event
from scoring_app.taking import Facts, start_round, take_event

DRAFT = OpenApiParameter("draft_version", int, required=True, description="Of the round in progress, as read last.")


class OpenRound(TableView):
    @reads("get_round_in_progress", "The round in progress, and what it has come to", schema.OpenRoundBody)
    def get(self, _request: Request, public_id: str) -> Response:
        table = self.table_for(public_id)
        return Response(describe_open_round(table, open_round_of(table)))

    @records("start_round", "Open a round with what is known after the deal, or change that", schema.RoundFacts, schema.OpenRoundBody)
    def post(self, request: Request, public_id: str) -> Response:
        table = self.table_for(public_id, "record_round")
        facts = self.body(schema.RoundFacts)
        draft = start_round(
            table=table,
            facts=facts_of(facts),
            draft_version=facts["draft_version"],
            expected_version=facts["expected_version"],
            key=key_of(request),
        )
        return Response(describe_open_round(table, draft), status=CREATED)

    @changes("discard_round", "Forget the round in progress", None, schema.OpenRoundBody, DRAFT)
    def delete(self, request: Request, public_id: str) -> Response:
        table = self.table_for(public_id, "record_round")
        discard_round(table=table, draft_version=draft_version_of(request))
        return Response(describe_open_round(table, None))


class Events(TableView):
    @records("take_event", "Add what has happened; the round becomes an entry once it is over", schema.NewEvent, schema.Taken)
    def post(self, _request: Request, public_id: str) -> Response:
        table = self.table_for(public_id, "record_round")
        facts = self.body(schema.NewEvent)
        safe = self.safe(table)
        taken = take_event(**safe, event=facts["event"], facts=facts_of(facts), draft_version=facts["draft_version"], go_on=facts["go_on"])
        entry = describe_written(taken.recorded) if taken.recorded is not None else None
        return Response({"written": entry, "round": describe_open_round(table, taken.draft)}, status=CREATED)


class Event(TableView):
    @changes("replace_event", "Put an event of the round in progress right", schema.EventChange, schema.OpenRoundBody)
    def put(self, _request: Request, public_id: str, index: int) -> Response:
        table = self.table_for(public_id, "record_round")
        facts = self.body(schema.EventChange)
        return Response(describe_open_round(table, replace_event(table=table, index=small(index), **facts)))

    @changes("remove_event", "Take an event of the round in progress back", None, schema.OpenRoundBody, DRAFT)
    def delete(self, request: Request, public_id: str, index: int) -> Response:
        table = self.table_for(public_id, "record_round")
        draft = remove_event(table=table, index=small(index), draft_version=draft_version_of(request))
        return Response(describe_open_round(table, draft))


class RoundEnd(TableView):
    @records("close_round", "End the round in progress although the rules would let it go on", schema.RoundEnd, schema.Written)
    def post(self, _request: Request, public_id: str) -> Response:
        table = self.table_for(public_id, "record_round")
        facts = self.body(schema.RoundEnd)
        safe = self.safe(table)
        return written(close_round(**safe, draft_version=facts["draft_version"], unfinished=True, next_override=facts.get("next")))


def facts_of(given: dict[str, Any]) -> Facts:
    return Facts(wild=given.get("wild"), inputs=given.get("inputs"), table=given.get("table"))


def draft_version_of(request: Request) -> int:
    """-1, which no round has, where it is no number."""
    text = str(request.query_params.get("draft_version", ""))
    return int(text) if text.isdecimal() and len(text) < 8 else -1
