"""Sessions over HTTP: players, seats, tables, settling, devices, statistics."""

from __future__ import annotations

from typing import Any, ClassVar

import django_filters
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from rules_app.api import language
from rules_app.api_schema import Error
from rules_app.engine.text import Text
from scoring_app.api_schema import REFUSED as TABLE_REFUSED
from scoring_app.club_api import schema
from scoring_app.club_api.base import KEY, MATCH, AccountView, ListView, once
from scoring_app.club_api.clubs import REFUSED, WRITE, stored
from scoring_app.club_api.describe import (
    describe_job,
    describe_session,
    describe_settlement,
    describe_statistics,
    describe_table,
)
from scoring_app.clubs import find_member
from scoring_app.errors import SessionError
from scoring_app.export_views.downloads import download
from scoring_app.exports.files import File
from scoring_app.jobs import find_job, made_file, start_job
from scoring_app.models import DeviceGrant, Job, Member, Season, Session, SessionPlayer, Standing
from scoring_app.sessions import (
    add_player,
    end_session,
    grants_of,
    issue_grant,
    leave_session,
    open_balances,
    open_session,
    open_session_table,
    record_settlement,
    rename_grant,
    revoke_grant,
    seat_players,
    session_overview,
    substitute,
)
from scoring_app.statistics import Person, session_statistics

CREATED = status.HTTP_201_CREATED


class SessionFilter(django_filters.FilterSet):  # type: ignore[misc]
    status = django_filters.ChoiceFilter(choices=Session.Status.choices)
    season = django_filters.CharFilter(field_name="season__public_id", max_length=16)
    since = django_filters.DateFilter(field_name="date", lookup_expr="gte")
    until = django_filters.DateFilter(field_name="date", lookup_expr="lte")

    class Meta:
        model = Session
        fields: ClassVar = ["status", "season", "since", "until"]


class ClubSessions(ListView):
    scopes: ClassVar = {"GET": "read", "POST": "play"}
    serializer_class = schema.SessionBrief
    filterset_class = SessionFilter
    queryset = Session.objects.none()

    @extend_schema(operation_id="list_sessions", summary="Sessions of a club", responses={200: schema.SessionBrief(many=True), **REFUSED})
    def get(self, _request: Request, slug: str) -> Response:
        rows: QuerySet[Session] = self.club_for(slug, "view_table").sessions.select_related("club", "revision__ruleset")
        page = self.paginate_queryset(self.filter_queryset(rows.defer("revision__document").order_by("-date", "-pk")))
        return self.get_paginated_response(schema.SessionBrief(page, many=True).data)

    @extend_schema(
        operation_id="open_session",
        summary="Open a session",
        parameters=[KEY],
        request=schema.NewSession,
        responses={201: schema.SessionBody, **WRITE},
        filters=False,
    )
    @once
    def post(self, _request: Request, slug: str) -> Response:
        club = self.club_for(slug, "edit_sessions")
        facts = self.body(schema.NewSession)
        if "variant" in facts:
            facts["revision"] = stored(facts.pop("variant"))
        if "season" in facts:
            facts["season"] = get_object_or_404(Season, club=club, public_id=facts["season"])
        session = open_session(club=club, author=self.account, **facts)
        return Response(describe_session(session_overview(session)), status=CREATED)


class SessionDetail(AccountView):
    @extend_schema(
        operation_id="get_session",
        summary="A session",
        parameters=[MATCH],
        responses={200: schema.SessionBody, **REFUSED},
    )
    def get(self, _request: Request, public_id: str) -> Response:
        return Response(describe_session(session_overview(self.session_for(public_id, "view_table"))))


class Players(AccountView):
    scopes: ClassVar = {"GET": "read", "POST": "play"}

    @extend_schema(operation_id="list_players", summary="Players", responses={200: schema.PlayerBody(many=True), **REFUSED})
    def get(self, _request: Request, public_id: str) -> Response:
        rows = self.session_for(public_id, "view_table").players.select_related("member").order_by("number")
        return Response(schema.PlayerBody(rows, many=True).data)

    @extend_schema(
        operation_id="add_player",
        summary="Somebody more plays",
        parameters=[KEY],
        request=schema.NewPlayer,
        responses={201: schema.PlayerBody, **WRITE},
    )
    @once
    def post(self, _request: Request, public_id: str) -> Response:
        session = self.session_for(public_id, "run_session")
        facts = self.body(schema.NewPlayer)
        member = None
        if "member" in facts:
            if session.club is None:
                raise Http404
            member = _or_404(Member, lambda: find_member(session.club, facts["member"]))
        return Response(schema.PlayerBody(add_player(session=session, name=facts["name"], member=member)).data, status=CREATED)


class PlayerLeaves(AccountView):
    scopes: ClassVar = {"POST": "play"}

    @extend_schema(
        operation_id="player_leaves",
        summary="A player goes home",
        parameters=[KEY],
        request=schema.Nothing,
        responses={200: schema.PlayerBody, **WRITE},
    )
    @once
    def post(self, _request: Request, public_id: str, number: int) -> Response:
        player = self.session_for(public_id, "run_session").players.filter(number=_small(number)).first()
        if player is None:
            raise Http404
        return Response(schema.PlayerBody(leave_session(player=player, origin=self.origin)).data)


class Seating(AccountView):
    scopes: ClassVar = {"POST": "play"}

    @extend_schema(
        operation_id="seat_players",
        summary="Draw seats, or move on",
        parameters=[KEY],
        request=schema.Draw,
        responses={201: schema.Drawn, **WRITE},
    )
    @once
    def post(self, _request: Request, public_id: str) -> Response:
        draw = seat_players(session=self.session_for(public_id, "run_session"), origin=self.origin, **self.body(schema.Draw))
        body = {"rotation": draw.rotation, "method": draw.method, "seed": draw.seed, "seating": draw.seating}
        return Response(body, status=CREATED)


class SessionTables(AccountView):
    scopes: ClassVar = {"GET": "read", "POST": "play"}

    @extend_schema(operation_id="list_session_tables", summary="Tables", responses={200: schema.SessionTable(many=True), **REFUSED})
    def get(self, _request: Request, public_id: str) -> Response:
        overview = session_overview(self.session_for(public_id, "view_table"))
        return Response([describe_table(line) for line in overview.tables])

    @extend_schema(
        operation_id="open_session_table",
        summary="Open one more table",
        parameters=[KEY],
        request=schema.NewSessionTable,
        responses={201: schema.SessionTable, **WRITE},
    )
    @once
    def post(self, _request: Request, public_id: str) -> Response:
        session = self.session_for(public_id, "open_table")
        facts = self.body(schema.NewSessionTable)
        table = open_session_table(
            session=session,
            players=[_player(session, number) for number in facts["players"]],
            resting=[_player(session, number) for number in facts.get("resting", [])],
            revision=stored(facts["variant"]) if "variant" in facts else None,
            options=facts.get("options"),
            author=self.account,
        )
        line = next(line for line in session_overview(session).tables if line.table.pk == table.pk)
        return Response(describe_table(line), status=CREATED)


class Substitute(AccountView):
    scopes: ClassVar = {"POST": "play"}

    @extend_schema(
        operation_id="substitute",
        summary="Put somebody on a seat, or free it",
        parameters=[KEY],
        request=schema.Substitution,
        responses={201: schema.Substituted, 400: Error, 401: Error, 403: Error, **TABLE_REFUSED},
    )
    @once
    def post(self, request: Request, public_id: str, table: str) -> Response:
        session = self.session_for(public_id, "change_seats")
        facts = self.body(schema.Substitution)
        recorded = substitute(
            table=self.table_for(session, table),
            seat=facts["seat"],
            player=_player(session, facts["player"]) if facts["player"] is not None else None,
            text=facts.get("text", ""),
            expected_version=facts["expected_version"],
            idempotency_key=request.headers["Idempotency-Key"].strip(),
            origin=self.origin,
        )
        seats = Standing.objects.get(table=recorded.table).situation["seats"]
        return Response({"table": recorded.table.public_id, "version": recorded.entry.seq, "seats": seats}, status=CREATED)


class EndSession(AccountView):
    scopes: ClassVar = {"POST": "play"}

    @extend_schema(
        operation_id="end_session",
        summary="End the session and close its tables",
        parameters=[KEY],
        request=schema.Nothing,
        responses={200: schema.SessionBody, **WRITE},
    )
    @once
    def post(self, _request: Request, public_id: str) -> Response:
        end_session(session=self.session_for(public_id, "run_session"), origin=self.origin)
        return Response(describe_session(session_overview(self.session_for(public_id, "view_table"))))


class Settlements(AccountView):
    scopes: ClassVar = {"GET": "read", "POST": "play"}

    @extend_schema(
        operation_id="get_settlement",
        summary="What is open between people",
        parameters=[MATCH],
        responses={200: schema.SettlementBody, **REFUSED},
    )
    def get(self, _request: Request, public_id: str) -> Response:
        return Response(describe_settlement(open_balances(self.session_for(public_id, "view_table"))))

    @extend_schema(
        operation_id="record_settlement",
        summary="Somebody has paid",
        parameters=[KEY],
        request=schema.NewSettlement,
        responses={201: schema.SettlementBody, **WRITE},
    )
    @once
    def post(self, request: Request, public_id: str) -> Response:
        session = self.session_for(public_id, "settle")
        facts = self.body(schema.NewSettlement)
        people = {person.key: person for person, _ in open_balances(session).balances}
        record_settlement(
            session=session,
            payer=_person(people, facts["payer"], "payer"),
            payee=_person(people, facts["payee"], "payee"),
            amount=facts["amount"],
            idempotency_key=request.headers["Idempotency-Key"].strip(),
            origin=self.origin,
        )
        return Response(describe_settlement(open_balances(session)), status=CREATED)


class SessionStatistics(AccountView):
    @extend_schema(
        operation_id="get_session_statistics",
        summary="Standings of a session",
        parameters=[MATCH],
        responses={200: schema.StatisticsBody, **REFUSED},
    )
    def get(self, _request: Request, public_id: str) -> Response:
        return Response(describe_statistics(session_statistics(self.session_for(public_id, "view_table")), language()))


class Devices(AccountView):
    scopes: ClassVar = {"GET": "manage", "POST": "manage"}

    @extend_schema(operation_id="list_devices", summary="Devices", responses={200: schema.GrantBody(many=True), **REFUSED})
    def get(self, _request: Request, public_id: str) -> Response:
        return Response(schema.GrantBody(grants_of(session=self.session_for(public_id, "manage_devices")), many=True).data)

    @extend_schema(
        operation_id="let_device_in",
        summary="Let a device in",
        parameters=[KEY],
        request=schema.NewGrant,
        responses={201: schema.IssuedGrant, **WRITE},
    )
    @once
    def post(self, _request: Request, public_id: str) -> Response:
        issued = issue_grant(session=self.session_for(public_id, "manage_devices"), **self.body(schema.NewGrant))
        return Response({**schema.GrantBody(issued.grant).data, "token": issued.token}, status=CREATED)


class DeviceDetail(AccountView):
    scopes: ClassVar = {"PATCH": "manage", "DELETE": "manage"}

    @extend_schema(operation_id="rename_device", summary="Rename", request=schema.GrantChange, responses={200: schema.GrantBody, **WRITE})
    def patch(self, _request: Request, public_id: str, grant: str) -> Response:
        return Response(
            schema.GrantBody(rename_grant(grant=self._grant(public_id, grant), label=self.body(schema.GrantChange)["label"])).data
        )

    @extend_schema(operation_id="revoke_device", summary="Shut a device out", request=None, responses={200: schema.GrantBody, **REFUSED})
    def delete(self, _request: Request, public_id: str, grant: str) -> Response:
        return Response(schema.GrantBody(revoke_grant(grant=self._grant(public_id, grant))).data)

    def _grant(self, public_id: str, grant: str) -> DeviceGrant:
        return get_object_or_404(DeviceGrant, session=self.session_for(public_id, "manage_devices"), public_id=grant)


class SessionExports(AccountView):
    scopes: ClassVar = {"POST": "export"}

    @extend_schema(
        operation_id="export_session",
        summary="Make a file of a session, as a job",
        parameters=[KEY],
        request=schema.NewExport,
        responses={202: schema.JobBody, **WRITE},
    )
    @once
    def post(self, _request: Request, public_id: str) -> Response:
        session = self.session_for(public_id, "view_table")
        params = {"of": "session", "id": session.public_id, "form": self.body(schema.NewExport)["form"]}
        job = start_job(kind="export", params=params, owner=self.account, club=session.club, language=language())
        return Response(describe_job(job, language()), status=status.HTTP_202_ACCEPTED)


class Jobs(AccountView):
    scopes: ClassVar = {"GET": "export"}

    @extend_schema(
        operation_id="get_job",
        summary="How far a job is",
        parameters=[MATCH],
        responses={200: schema.JobBody, **REFUSED},
    )
    def get(self, _request: Request, job: str) -> Response:
        return Response(describe_job(_or_404(Job, lambda: find_job(job, self.account)), language()))


class JobFile(AccountView):
    scopes: ClassVar = {"GET": "export"}

    @extend_schema(
        operation_id="get_job_file",
        summary="The file that a job made",
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, **REFUSED},
    )
    def get(self, _request: Request, job: str) -> HttpResponse:
        file = made_file(_or_404(Job, lambda: find_job(job, self.account)))
        if file is None:
            raise Http404
        return download(File(file.name, file.content_type, bytes(file.content)))


def _player(session: Session, number: int) -> SessionPlayer:
    player = session.players.filter(number=_small(number)).first()
    if player is None:
        message = Text(zh=f"这一场没有 {number} 号玩家。", en=f"Player {number} is not of this session.")
        raise SessionError("not_here", message, "player")
    return player


def _person(people: dict[str, Person], key: str, path: str) -> Person:
    if key not in people:
        raise SessionError("not_here", Text(zh=f"没有 {key} 这个人。", en=f"Nobody here has the key {key}."), path)
    return people[key]


def _small(number: int) -> int:
    return number if -1 < number < 10_000 else -1


def _or_404(model: Any, find: Any) -> Any:
    try:
        return find()
    except model.DoesNotExist:
        raise Http404 from None
