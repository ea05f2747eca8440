"""What is said of entries at the tables of a session, over HTTP: confirmations and disputes."""

from __future__ import annotations

from typing import Any, ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from scoring_app.club_api import schema_tables as schema
from scoring_app.club_api.base import KEY, MATCH, AccountView, once
from scoring_app.club_api.clubs import REFUSED, WRITE
from scoring_app.ledger import Marks, answer_dispute, confirm_entry, marks_of, raise_dispute
from scoring_app.ledger.marks import CONFIRMED
from scoring_app.models import Content, Dispute, Table

CREATED = status.HTTP_201_CREATED


class TableMarks(AccountView):
    @extend_schema(
        operation_id="get_marks",
        summary="Confirmations and disputes of the entries that move points",
        parameters=[MATCH],
        responses={200: schema.MarksBody(many=True), **REFUSED},
    )
    def get(self, _request: Request, public_id: str, table: str) -> Response:
        return Response(describe_marks(self.table_for(self.session_for(public_id, "view_table"), table)))


class Confirm(AccountView):
    scopes: ClassVar = {"POST": "play"}

    @extend_schema(
        operation_id="confirm_entry",
        summary="Say that an entry of somebody else is right",
        parameters=[KEY],
        request=schema.Confirming,
        responses={201: schema.ConfirmationBody, **WRITE},
    )
    @once
    def post(self, _request: Request, public_id: str, table: str, seq: int) -> Response:
        found = self.table_for(self.session_for(public_id, "confirm_entry"), table)
        said = confirm_entry(table=found, seq=seq, version=self.body(schema.Confirming)["version"], origin=self.origin)
        return Response(schema.ConfirmationBody(said).data, status=CREATED)


class Disputes(AccountView):
    scopes: ClassVar = {"POST": "play"}

    @extend_schema(
        operation_id="raise_dispute",
        summary="Say that an entry is wrong; play goes on",
        parameters=[KEY],
        request=schema.NewDispute,
        responses={201: schema.DisputeBody, **WRITE},
    )
    @once
    def post(self, _request: Request, public_id: str, table: str, seq: int) -> Response:
        found = self.table_for(self.session_for(public_id, "raise_dispute"), table)
        dispute = raise_dispute(table=found, seq=seq, text=self.body(schema.NewDispute)["text"], origin=self.origin)
        return Response(schema.DisputeBody(dispute).data, status=CREATED)


class DisputeAnswers(AccountView):
    scopes: ClassVar = {"POST": "play"}

    @extend_schema(
        operation_id="answer_dispute",
        summary="Settle a dispute; what was wrong is corrected on its own",
        parameters=[KEY],
        request=schema.NewAnswer,
        responses={201: schema.DisputeBody, **WRITE},
    )
    @once
    def post(self, _request: Request, public_id: str, table: str, dispute: int) -> Response:
        at = self.table_for(self.session_for(public_id, "answer_dispute"), table)
        found = get_object_or_404(Dispute.objects.select_related("entry__table"), entry__table=at, pk=dispute)
        answer_dispute(dispute=found, origin=self.origin, **self.body(schema.NewAnswer))
        return Response(schema.DisputeBody(found).data, status=CREATED)


def describe_marks(table: Table) -> list[dict[str, Any]]:
    """Of each entry that moves points or is disputed, oldest first."""
    marks = marks_of(table)
    rows = Content.objects.filter(entry__table=table).current().order_by("entry__seq")
    lines = []
    for seq, kind, version, voided in rows.values_list("entry__seq", "entry__kind", "version", "voided"):
        if seq in marks or (kind in CONFIRMED and not voided):
            mark = marks.get(seq, Marks())
            facts = {
                "seq": seq,
                "version": version,
                "needs_confirmation": mark.needs_confirmation,
                "confirmations": mark.confirmations,
                "disputes": mark.disputes,
            }
            lines.append({**schema.MarksBody(facts).data})
    return lines
