"""The clock of a session, and extra time of its tables."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from scoring_app.api.acts import reads, writes
from scoring_app.api.base import CREATED, SessionView
from scoring_app.api.describe import describe_clock
from scoring_app.api.schema import sessions as schema
from scoring_app.models import ExtraTime
from scoring_app.sessions import give_extra_time, pause_clock, resume_clock, session_overview, start_clock

ACTS = {"start": start_clock, "pause": pause_clock, "resume": resume_clock}


class SessionClock(SessionView):
    @reads("get_clock", "The clock, and what each table has left", schema.ClockBody)
    def get(self, _request: Request, public_id: str) -> Response:
        return Response(describe_clock(session_overview(self.session_for(public_id))))

    @writes("set_clock", "Start, pause or resume the clock", schema.ClockChange, schema.ClockBody, status=200)
    def post(self, _request: Request, public_id: str) -> Response:
        session = self.session_for(public_id, "run_session")
        act = ACTS[self.body(schema.ClockChange)["do"]]
        return Response(describe_clock(session_overview(act(session=session))))


class ExtraTimes(SessionView):
    @reads("list_extra_time", "Extra time of a table", schema.ExtraTimeBody(many=True))
    def get(self, _request: Request, public_id: str, table: str) -> Response:
        found = self.table_in(self.session_for(public_id), table)
        return Response(schema.ExtraTimeBody(ExtraTime.objects.filter(table=found).order_by("pk"), many=True).data)

    @writes("give_extra_time", "Give one table more time, or take some back", schema.NewExtraTime, schema.ExtraTimeBody)
    def post(self, _request: Request, public_id: str, table: str) -> Response:
        found = self.table_in(self.session_for(public_id, "give_time"), table)
        extra = give_extra_time(table=found, origin=self.caller.origin, **self.body(schema.NewExtraTime))
        return Response(schema.ExtraTimeBody(extra).data, status=CREATED)
