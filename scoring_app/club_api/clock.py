"""The clock of a session and extra time of its tables, over HTTP."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from scoring_app.club_api import schema_tables as schema
from scoring_app.club_api.base import KEY, MATCH, AccountView, once
from scoring_app.club_api.clubs import REFUSED, WRITE
from scoring_app.models import ExtraTime, Session
from scoring_app.sessions import give_extra_time, pause_clock, resume_clock, session_overview, start_clock

ACTS = {"start": start_clock, "pause": pause_clock, "resume": resume_clock}


class SessionClock(AccountView):
    scopes: ClassVar = {"GET": "read", "POST": "play"}

    @extend_schema(
        operation_id="get_clock",
        summary="The clock, and what each table has left",
        parameters=[MATCH],
        responses={200: schema.ClockBody, **REFUSED},
    )
    def get(self, _request: Request, public_id: str) -> Response:
        return Response(describe_clock(self.session_for(public_id, "view_table")))

    @extend_schema(
        operation_id="set_clock",
        summary="Start, pause or resume the clock",
        parameters=[KEY],
        request=schema.ClockChange,
        responses={200: schema.ClockBody, **WRITE},
    )
    @once
    def post(self, _request: Request, public_id: str) -> Response:
        session = self.session_for(public_id, "run_session")
        return Response(describe_clock(ACTS[self.body(schema.ClockChange)["do"]](session=session)))


class ExtraTimes(AccountView):
    scopes: ClassVar = {"GET": "read", "POST": "play"}

    @extend_schema(
        operation_id="list_extra_time", summary="Extra time of a table", responses={200: schema.ExtraTimeBody(many=True), **REFUSED}
    )
    def get(self, _request: Request, public_id: str, table: str) -> Response:
        found = self.table_for(self.session_for(public_id, "view_table"), table)
        return Response(schema.ExtraTimeBody(ExtraTime.objects.filter(table=found).order_by("pk"), many=True).data)

    @extend_schema(
        operation_id="give_extra_time",
        summary="Give one table more time, or take some back",
        parameters=[KEY],
        request=schema.NewExtraTime,
        responses={201: schema.ExtraTimeBody, **WRITE},
    )
    @once
    def post(self, _request: Request, public_id: str, table: str) -> Response:
        found = self.table_for(self.session_for(public_id, "give_time"), table)
        extra = give_extra_time(table=found, origin=self.origin, **self.body(schema.NewExtraTime))
        return Response(schema.ExtraTimeBody(extra).data, status=status.HTTP_201_CREATED)


def describe_clock(session: Session) -> dict[str, Any]:
    tables = [
        {
            "id": line.table.public_id,
            "number": line.table.number,
            "seconds_left": line.end.clock.seconds_left,
            "ends_at": line.end.clock.ends_at,
            "extra_seconds": line.end.clock.extra_seconds,
        }
        for line in session_overview(session).tables
    ]
    facts = {
        "length_kind": session.length_kind,
        "length": session.length,
        "started_at": session.clock_started_at,
        "paused_at": session.clock_paused_at,
        "running": session.clock_started_at is not None and session.clock_paused_at is None,
        "tables": tables,
    }
    return {**schema.ClockBody(facts).data}
