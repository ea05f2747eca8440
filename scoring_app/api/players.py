"""Who plays in a session: late, leaving, back; who sits where next."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from scoring_app.api.acts import changes, reads, writes
from scoring_app.api.base import CREATED, SessionView, member_of, small
from scoring_app.api.describe import describe_session
from scoring_app.api.schema import sessions as schema
from scoring_app.api.schema.clubs import Nothing
from scoring_app.clubs import link_player
from scoring_app.models import Member, Session, SessionPlayer
from scoring_app.sessions import (
    add_player,
    leave_session,
    new_seed,
    preview_seating,
    rename_player,
    return_to_session,
    seat_players,
    session_overview,
    undo_seating,
)


class Players(SessionView):
    @reads("list_players", "Players", schema.PlayerBody(many=True))
    def get(self, _request: Request, public_id: str) -> Response:
        rows = self.session_for(public_id).players.select_related("member").order_by("number")
        return Response(schema.PlayerBody(rows, many=True).data)

    @writes("add_player", "Somebody more plays", schema.NewPlayer, schema.PlayerBody)
    def post(self, _request: Request, public_id: str) -> Response:
        session = self.session_for(public_id, "change_seats")
        facts = self.body(schema.NewPlayer)
        member = member_in(session, facts["member"]) if "member" in facts else None
        return Response(schema.PlayerBody(add_player(session=session, name=facts["name"], member=member)).data, status=CREATED)


class PlayerView(SessionView):
    """An endpoint of one player."""

    def player_for(self, public_id: str, number: int, action: str = "change_seats") -> SessionPlayer:
        players = self.session_for(public_id, action).players.select_related("member", "session__club")
        player = players.filter(number=small(number)).first()
        if player is None:
            raise Http404
        return player


class PlayerDetail(PlayerView):
    @reads("get_player", "A player", schema.PlayerBody)
    def get(self, _request: Request, public_id: str, number: int) -> Response:
        return Response(schema.PlayerBody(self.player_for(public_id, number, "view_table")).data)

    @changes("edit_player", "Name a player differently, or say which member he is", schema.PlayerChange, schema.PlayerBody)
    def patch(self, _request: Request, public_id: str, number: int) -> Response:
        facts = self.body(schema.PlayerChange)
        player = self.player_for(public_id, number)
        if "member" in facts:
            player = self.player_for(public_id, number, "edit_members")
            member = member_in(player.session, facts["member"]) if facts["member"] is not None else None
            link_player(player=player, member=member)
        if "name" in facts:
            rename_player(player=player, name=facts["name"])
        return Response(schema.PlayerBody(player).data)


class PlayerLeaves(PlayerView):
    @writes("player_leaves", "A player goes home; the seat is free", Nothing, schema.PlayerBody, status=200)
    def post(self, _request: Request, public_id: str, number: int) -> Response:
        player = leave_session(player=self.player_for(public_id, number), origin=self.caller.origin)
        return Response(schema.PlayerBody(player).data)


class PlayerReturns(PlayerView):
    @writes("player_returns", "A player is back, without a seat for now", Nothing, schema.PlayerBody, status=200)
    def post(self, _request: Request, public_id: str, number: int) -> Response:
        return Response(schema.PlayerBody(return_to_session(player=self.player_for(public_id, number))).data)


class Seating(SessionView):
    @reads(
        "preview_seating", "The seats that a draw would give; nothing is changed", schema.SeatingBody,
        *(OpenApiParameter(name, str if name != "tables" else int) for name in ("method", "seed", "tables")),
    )  # fmt: skip
    def get(self, request: Request, public_id: str) -> Response:
        session = self.session_for(public_id, "run_session")
        given = schema.Draw(data=request.query_params)
        given.is_valid(raise_exception=True)
        facts = {"method": "lot", **given.validated_data}
        seed = facts.pop("seed", "") or new_seed()
        seating = preview_seating(session, seed=seed, **facts)
        return Response({"rotation": session.rotation, "method": facts["method"], "seed": seed, "seating": seating.as_json()})

    @writes("seat_players", "Draw seats, or move on", schema.NewDraw, schema.SeatingBody)
    def post(self, _request: Request, public_id: str) -> Response:
        session = self.session_for(public_id, "run_session")
        draw = seat_players(session=session, origin=self.caller.origin, **self.body(schema.NewDraw))
        body = {"rotation": draw.rotation, "method": draw.method, "seed": draw.seed, "seating": draw.seating}
        return Response(body, status=CREATED)


class SeatingUndo(SessionView):
    @writes("undo_seating", "Take the last drawing of seats back, at all its tables", schema.LastDraw, schema.SessionBody, status=200)
    def post(self, _request: Request, public_id: str) -> Response:
        session = self.session_for(public_id, "run_session")
        undo_seating(session=session, origin=self.caller.origin, **self.body(schema.LastDraw))
        return Response(describe_session(session_overview(self.session_for(public_id))))


def member_in(session: Session, public_id: str) -> Member:
    """A member of the session's club."""
    if session.club is None:
        raise Http404
    return member_of(session.club, public_id)
