"""The account that calls: what its token may do, its tokens and jobs; joining a club or a session."""

from __future__ import annotations

from django.db.models import Q
from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from scoring_app.api.acts import reads, writes
from scoring_app.api.base import CREATED, AccountView, or_404
from scoring_app.api.describe import describe_club
from scoring_app.api.schema import clubs as schema
from scoring_app.api.schema import sessions as session_schema
from scoring_app.clubs import accept_invitation, find_invitation, roles_of
from scoring_app.models import ApiToken, Invitation, SessionPlayer, Table
from scoring_app.sessions import find_by_code, join_by_code, session_overview


class Account(AccountView):
    @reads("get_me", "Whose token this is, and what it may do", schema.Me)
    def get(self, _request: Request) -> Response:
        scopes = self.caller.token.scopes if self.caller.token is not None else list(ApiToken.Scope.values)
        return Response({"account": self.account.get_username(), "scopes": scopes})


class Tokens(AccountView):
    @reads("list_tokens", "My personal tokens that work; they are made and revoked at /accounts/tokens/", schema.TokenBody(many=True))
    def get(self, _request: Request) -> Response:
        rows = ApiToken.objects.filter(account=self.account, revoked_at=None)
        return Response(schema.TokenBody([token for token in rows if token.is_valid], many=True).data)


class Offers(AccountView):
    """What the link of an invitation leads to; its last part is the token."""

    writing = "manage"

    @reads("get_offer", "Which club an invitation is to", schema.OfferBody)
    def get(self, _request: Request, token: str) -> Response:
        return Response(schema.OfferBody(self._invitation(token)).data)

    @writes("accept_invitation", "Become a member of the club", schema.Acceptance, schema.ClubBody)
    def post(self, _request: Request, token: str) -> Response:
        found = self._invitation(token)
        accept_invitation(token=found.token, account=self.account, **self.body(schema.Acceptance))
        return Response(describe_club(found.club, roles_of(self.account, found.club)), status=CREATED)

    def _invitation(self, token: str) -> Invitation:
        return or_404(lambda: find_invitation(token))


class Joining(AccountView):
    """The code that stands on the wall."""

    @reads("get_join_code", "Which session a code is of", session_schema.JoinBody)
    def get(self, _request: Request, code: str) -> Response:
        return Response(session_schema.JoinBody(or_404(lambda: find_by_code(code))).data)

    @writes("join_session", "Join a session by its code; who comes again is who he was", session_schema.NewJoin, session_schema.Joined)
    def post(self, _request: Request, code: str) -> Response:
        name = self.body(session_schema.NewJoin).get("name", "")
        player = or_404(lambda: join_by_code(code=code, name=name, account=self.account, device_id=f"account-{self.account.pk}"))
        return Response(session_schema.Joined(player).data, status=CREATED)


class MyPlace(AccountView):
    @reads("get_my_place", "Where I sit in a session that I have joined", session_schema.MineBody)
    def get(self, _request: Request, public_id: str) -> Response:
        mine = Q(member__account=self.account) | Q(device_id=f"account-{self.account.pk}")
        players = SessionPlayer.objects.filter(mine, session__public_id=public_id)
        player = players.select_related("member", "session__club").first()
        if player is None:
            raise Http404
        facts = {**session_schema.PlayerBody(player).data, "table": None, "table_number": None, "seat": None, "watch_token": None}
        for line in session_overview(player.session).tables:
            for seat in line.seats:
                if line.table.status == Table.Status.OPEN and seat.participant is not None and seat.participant.player_id == player.pk:
                    table = line.table
                    facts |= {"table": table.public_id, "table_number": table.number, "seat": seat.seat, "watch_token": table.watch_token}
        return Response(facts)
