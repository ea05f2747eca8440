"""What is said of entries: confirmations and disputes."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from scoring_app.api.acts import reads, writes
from scoring_app.api.base import CREATED, TableView
from scoring_app.api.describe_tables import describe_marks
from scoring_app.api.schema import tables as schema
from scoring_app.ledger import answer_dispute, confirm_entry, raise_dispute
from scoring_app.models import Dispute


class Marks(TableView):
    @reads("get_marks", "Confirmations and disputes of the entries that move points", schema.MarksBody(many=True))
    def get(self, _request: Request, public_id: str) -> Response:
        return Response(describe_marks(self.table_for(public_id)))


class Confirm(TableView):
    @writes("confirm_entry", "Say that an entry of somebody else is right", schema.Confirming, schema.ConfirmationBody)
    def post(self, _request: Request, public_id: str, seq: int) -> Response:
        table = self.table_for(public_id, "confirm_entry")
        said = confirm_entry(table=table, seq=seq, version=self.body(schema.Confirming)["version"], origin=self.caller.origin)
        return Response(schema.ConfirmationBody(said).data, status=CREATED)


class Disputes(TableView):
    @writes("raise_dispute", "Say that an entry is wrong; play goes on", schema.NewDispute, schema.DisputeBody)
    def post(self, _request: Request, public_id: str, seq: int) -> Response:
        table = self.table_for(public_id, "raise_dispute")
        dispute = raise_dispute(table=table, seq=seq, text=self.body(schema.NewDispute)["text"], origin=self.caller.origin)
        return Response(schema.DisputeBody(dispute).data, status=CREATED)


class DisputeAnswers(TableView):
    @writes("answer_dispute", "Settle a dispute; what was wrong is corrected on its own", schema.NewAnswer, schema.DisputeBody)
    def post(self, _request: Request, public_id: str, dispute: int) -> Response:
        table = self.table_for(public_id, "answer_dispute")
        found = get_object_or_404(Dispute.objects.select_related("entry__table", "author"), entry__table=table, pk=dispute)
        answer_dispute(dispute=found, origin=self.caller.origin, **self.body(schema.NewAnswer))
        return Response(schema.DisputeBody(found).data, status=CREATED)
