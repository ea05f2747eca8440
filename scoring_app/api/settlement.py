"""Settling up: who pays whom, and that it was paid; of a session, or of one table."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from rules_app.engine.text import Text
from scoring_app.api.acts import key_of, reads, records, writes
from scoring_app.api.base import CREATED, Found, SessionView, TableView
from scoring_app.api.describe import Json, describe_settlement
from scoring_app.api.describe_tables import written
from scoring_app.api.schema import statistics as schema
from scoring_app.api.schema.tables import Written
from scoring_app.errors import SessionError
from scoring_app.models import Participant, Session, Table
from scoring_app.sessions import open_balances, open_balances_of_table, payments_made, record_settlement, settle_table
from scoring_app.statistics import read_facts


class SessionSettlement(SessionView):
    @reads("get_settlement", "What is open between people, and what was paid", schema.SettlementBody)
    def get(self, _request: Request, public_id: str) -> Response:
        return Response(of_session(self.session_for(public_id, "view_statistics")))

    @writes("record_settlement", "Somebody has paid", schema.NewSettlement, schema.SettlementBody)
    def post(self, request: Request, public_id: str) -> Response:
        session = self.session_for(public_id, "settle")
        facts = self.body(schema.NewSettlement)
        people = {person.key: person for person, _ in open_balances(session).balances}
        record_settlement(
            session=session,
            payer=_known(people, facts["payer"], "payer"),
            payee=_known(people, facts["payee"], "payee"),
            amount=facts["amount"],
            idempotency_key=key_of(request),
            origin=self.caller.origin,
        )
        return Response(of_session(session), status=CREATED)


class TableSettlement(TableView):
    @reads("get_table_settlement", "What is open at this table, and what was paid", schema.SettlementBody)
    def get(self, _request: Request, public_id: str) -> Response:
        table = self.table_for(public_id)
        return Response(describe_settlement(open_balances_of_table(table), payments_made(Table.objects.filter(pk=table.pk))))

    @records("settle_table", "Somebody has paid at this table", schema.NewTableSettlement, Written)
    def post(self, _request: Request, public_id: str) -> Response:
        table = self.table_for(public_id, "settle")
        facts = self.body(schema.NewTableSettlement)
        people = read_facts(Table.objects.filter(pk=table.pk)).people
        numbers = {people[pk].key: number for pk, number in Participant.objects.filter(table=table).values_list("pk", "number")}
        payer, payee = (_known(numbers, facts[name], name) for name in ("payer", "payee"))
        return written(settle_table(payer=payer, payee=payee, amount=facts["amount"], **self.safe(table)))


def of_session(session: Session) -> Json:
    return describe_settlement(open_balances(session), payments_made(Table.objects.filter(session=session)))


def _known(people: dict[str, Found], key: str, path: str) -> Found:
    if key not in people:
        raise SessionError("not_here", Text(zh=f"没有 {key} 这个人。", en=f"Nobody here has the key {key}."), path)
    return people[key]
