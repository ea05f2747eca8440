"""Seats of a table during play: substitutes and back, whose turn it is to rest, wrong seats put right."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from rules_app.engine.text import Text
from scoring_app.api.acts import changes, reads, records
from scoring_app.api.base import TableView
from scoring_app.api.describe_tables import describe_changes, written
from scoring_app.api.schema import tables as schema
from scoring_app.api.sessions import player_of
from scoring_app.errors import SessionError
from scoring_app.ledger import preview_swap, swap_seats_and_replay
from scoring_app.models import SessionPlayer, Table
from scoring_app.sessions import next_to_rest, rotate_rest, substitute


class Substitute(TableView):
    @records("substitute", "Put a player of the session on a seat, or free it", schema.Substitution, schema.Written)
    def post(self, _request: Request, public_id: str) -> Response:
        table = self.table_for(public_id, "change_seats")
        facts = self.body(schema.Substitution)
        safe = self.safe(table)
        return written(substitute(**safe, seat=facts["seat"], player=_player_at(table, facts["player"]), text=facts.get("text", "")))


class Rest(TableView):
    @reads("next_to_rest", "Whose turn it is to rest", schema.NextToRest)
    def get(self, _request: Request, public_id: str) -> Response:
        turn = next_to_rest(self.table_for(public_id))
        if turn is None:
            return Response({"seat": None, "name": None, "number": None, "player": None})
        player = turn.player.number if turn.player is not None else None
        return Response({"seat": turn.seat, "name": turn.name, "number": turn.number, "player": player})

    @records("rotate_rest", "The one who rests comes in for whose turn it is", schema.Expected, schema.Written)
    def post(self, _request: Request, public_id: str) -> Response:
        return written(rotate_rest(**self.safe(self.table_for(public_id, "change_seats"))))


class Reseat(TableView):
    @records("reseat", "From an entry on people sat differently: all of it is scored again", schema.Reseating, schema.Written)
    def post(self, _request: Request, public_id: str) -> Response:
        safe = self.safe(self.table_for(public_id, "replay_seats"))
        facts = self.body(schema.Reseating)
        return written(swap_seats_and_replay(**safe, from_seq=facts["from_seq"], seats=facts["seats"], reason=facts.get("reason", "")))


class ReseatPreview(TableView):
    @changes("preview_reseating", "What other seats would change", schema.ReseatingLook, schema.ChangesBody)
    def post(self, _request: Request, public_id: str) -> Response:
        table = self.table_for(public_id, "replay_seats")
        return Response({"changes": describe_changes(preview_swap(table=table, **self.body(schema.ReseatingLook)))})


def _player_at(table: Table, number: int | None) -> SessionPlayer | None:
    if number is None:
        return None
    if table.session is None:
        message = Text(
            zh="这一桌不属于任何场次；请用 seat_change 换座。", en="This table is of no session; change its seats by an entry seat_change."
        )
        raise SessionError("no_session", message, "player")
    return player_of(table.session, number)
