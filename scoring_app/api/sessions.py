"""Sessions: opening, settings, links, fees, tables, the end."""

from __future__ import annotations

from typing import ClassVar

import django_filters
from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from rules_app.engine.text import Text
from scoring_app.api.acts import changes, reads, writes
from scoring_app.api.base import CREATED, AccountView, Paged, SessionView, small, stored
from scoring_app.api.describe import Json, describe_line, describe_session
from scoring_app.api.schema import sessions as schema
from scoring_app.api.schema.clubs import Nothing
from scoring_app.errors import SessionError
from scoring_app.models import Season, Session, SessionPlayer
from scoring_app.sessions import (
    charge_fees,
    edit_session,
    end_session,
    open_session,
    open_session_table,
    renew_join_code,
    reopen_session,
    session_overview,
)


class SessionFilter(django_filters.FilterSet):  # type: ignore[misc]
    status = django_filters.ChoiceFilter(choices=Session.Status.choices)
    season = django_filters.CharFilter(field_name="season__public_id", max_length=16)
    since = django_filters.DateFilter(field_name="date", lookup_expr="gte")
    until = django_filters.DateFilter(field_name="date", lookup_expr="lte")

    class Meta:
        model = Session
        fields: ClassVar = ["status", "season", "since", "until"]


class ClubSessions(Paged, AccountView):
    serializer_class = schema.SessionBrief
    filterset_class = SessionFilter
    queryset = Session.objects.none()

    @reads("list_sessions", "Sessions of a club, newest first", schema.SessionBrief(many=True))
    def get(self, _request: Request, slug: str) -> Response:
        rows: QuerySet[Session] = self.club_for(slug, "view_table").sessions.select_related("club", "season", "revision__ruleset")
        rows = rows.defer("revision__document").order_by("-date", "-pk")
        return self.page_of(rows, lambda page: schema.SessionBrief(page, many=True).data)

    @writes("open_session", "Open a session of a club", schema.NewClubSession, schema.SessionBody)
    def post(self, _request: Request, slug: str) -> Response:
        club = self.club_for(slug, "edit_sessions")
        facts = with_revision(self.body(schema.NewClubSession))
        if "season" in facts:
            facts["season"] = get_object_or_404(Season, club=club, public_id=facts["season"])
        session = open_session(club=club, author=self.account, **facts)
        return Response(describe_session(session_overview(session)), status=CREATED)


class Sessions(AccountView):
    @writes("open_session_without_club", "Open a session for people who have no club", schema.NewSession, schema.OpenedSession)
    def post(self, request: Request) -> Response:
        session = open_session(author=self.account, **with_revision(self.body(schema.NewSession)))
        links = describe_session_links(session, request)
        opened = {name: links[name] for name in ("host_link", "hall_link")}
        return Response({**describe_session(session_overview(session)), **opened}, status=CREATED)


class SessionDetail(SessionView):
    @reads("get_session", "A session with its players and tables", schema.SessionBody)
    def get(self, _request: Request, public_id: str) -> Response:
        return Response(describe_session(session_overview(self.session_for(public_id))))

    @changes("edit_session", "Change what later tables start with; open ones keep what they have", schema.SessionEdit, schema.SessionBody)
    def patch(self, _request: Request, public_id: str) -> Response:
        session = edit_session(session=self.session_for(public_id, "edit_sessions"), **with_revision(self.body(schema.SessionEdit)))
        return Response(describe_session(session_overview(session)))


class Links(SessionView):
    @reads("get_session_links", "The links of a session, and the code to join by", schema.LinksBody)
    def get(self, request: Request, public_id: str) -> Response:
        return Response(describe_session_links(self.session_for(public_id, "run_session"), request))


class JoinCode(SessionView):
    @writes("renew_join_code", "A new code to join by; the old one stops working", schema.NewCode, schema.LinksBody)
    def post(self, request: Request, public_id: str) -> Response:
        session = renew_join_code(session=self.session_for(public_id, "run_session"), **self.body(schema.NewCode))
        return Response(describe_session_links(session, request), status=CREATED)


class Fees(SessionView):
    @writes("charge_session_fees", "The table fee of everybody who has played, to the house", schema.NewFees, schema.ChargedBody(many=True))
    def post(self, _request: Request, public_id: str) -> Response:
        session = self.session_for(public_id, "charge_fees")
        made = charge_fees(session=session, origin=self.caller.origin, **self.body(schema.NewFees))
        return Response([{"table": one.table.public_id, "seq": one.entry.seq} for one in made], status=CREATED)


class Ending(SessionView):
    @writes("end_session", "End the session and close its tables", schema.Ending, schema.SessionBody, status=200)
    def post(self, _request: Request, public_id: str) -> Response:
        session = self.session_for(public_id, "run_session")
        end_session(session=session, origin=self.caller.origin, **self.body(schema.Ending))
        return Response(describe_session(session_overview(self.session_for(public_id))))


class Reopening(SessionView):
    @writes("reopen_session", "Go on after all; tables are reopened one by one", Nothing, schema.SessionBody, status=200)
    def post(self, _request: Request, public_id: str) -> Response:
        session = reopen_session(session=self.session_for(public_id, "run_session"))
        return Response(describe_session(session_overview(session)))


class Tables(SessionView):
    @reads("list_session_tables", "Tables", schema.SessionTable(many=True))
    def get(self, _request: Request, public_id: str) -> Response:
        overview = session_overview(self.session_for(public_id))
        return Response([describe_line(line) for line in overview.tables])

    @writes("open_session_table", "Open one more table", schema.NewSessionTable, schema.SessionTable)
    def post(self, _request: Request, public_id: str) -> Response:
        session = self.session_for(public_id, "open_table")
        facts = with_revision(self.body(schema.NewSessionTable))
        people = {name: [player_of(session, number) for number in facts.pop(name, [])] for name in ("players", "resting")}
        table = open_session_table(
            session=session, players=people["players"], resting=people["resting"], author=self.caller.account, **facts
        )
        line = next(line for line in session_overview(session).tables if line.table.pk == table.pk)
        return Response(describe_line(line), status=CREATED)


def player_of(session: Session, number: int) -> SessionPlayer:
    """:raises SessionError: nobody of the session has this number."""
    player = session.players.filter(number=small(number)).first()
    if player is None:
        message = Text(zh=f"这一场没有 {number} 号玩家。", en=f"Player {number} is not of this session.")
        raise SessionError("not_here", message, "player")
    return player


def with_revision(facts: Json) -> Json:
    """The facts with the newest revision of the game that they name."""
    facts = dict(facts)
    if "variant" in facts:
        facts["revision"] = stored(facts.pop("variant"))
    return facts


def describe_session_links(session: Session, request: HttpRequest) -> Json:
    def link(name: str, *parts: str) -> str:
        return request.build_absolute_uri(reverse(f"clubs:{name}", args=parts))

    facts = {
        "host_link": link("hall", session.public_id, session.host_token),
        "hall_link": link("hall", session.public_id, session.watch_token),
        "join_link": link("join_code", session.join_code),
        "code": session.join_code,
        "code_open": session.is_code_open,
        "code_expires": session.join_code_expires,
    }
    return {**schema.LinksBody(facts).data}
