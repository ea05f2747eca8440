"""A club with everybody in it, a session with a table, and another club that must never show."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from rules_app.models import Revision
from scoring_app.api_tokens import create_token
from scoring_app.clubs import add_member, create_club, edit_club, fork_for_club, grant_role, invite, merge_members, open_season
from scoring_app.jobs import run_job, start_job
from scoring_app.ledger import raise_dispute, record_round
from scoring_app.models import Club, Dispute, Invitation, Job, Member, Session, Table
from scoring_app.sessions import add_player, issue_grant, open_session, seat_players
from tests.factories import UserFactory
from tests.scoring_app.rounds import payload, self_draw

ROLES = ("owner", "rule_keeper", "referee", "scorer", "viewer")
ALL_SCOPES = ("read", "play", "manage", "export")


@dataclass
class World:
    club: Club
    session: Session
    table: Table
    member: Member
    keeper: Member
    invitation: Invitation
    dispute: Dispute
    season: Any
    grant: Any
    table_grant: Any
    merged: Member
    job: Job
    accounts: dict[str, User]
    secrets: dict[str, str] = field(default_factory=dict)
    keys: int = 0

    def call(
        self, who: str, method: str, path: str, body: Any = None, *, key: str | None = None, secret: str | None = None, **headers: str
    ) -> Any:
        """A request as somebody: by his token, or nobody's."""
        self.keys += 1
        sent = {"Idempotency-Key": key or f"key-{self.keys}", **headers}
        token = secret or self.secrets.get(who)
        if token:
            sent["Authorization"] = f"Bearer {token}"
        return Client().generic(method, path, _json(body), content_type="application/json", headers=sent)

    def ask(self, who: str, method: str, path: str, body: Any = None, status: int = 200, **more: Any) -> Any:
        """The JSON of an answer that has this status."""
        answer = self.call(who, method, f"/api/v1/{path}", body, **more)
        assert answer.status_code == status, answer.content
        return answer.json()


def make_world(revision: Revision) -> World:
    accounts = {name: UserFactory.create(username=name) for name in (*ROLES, "stranger")}
    club = create_club(name="会", owner=accounts["owner"], slug="hui")
    club = edit_club(club=club, default_revision=revision, default_options={"mode": "single"})
    for role in ROLES[1:]:
        grant_role(member=add_member(club=club, name=role, account=accounts[role]), role=role)
    member = add_member(club=club, name="甲")
    season = open_season(club=club, name="2026", starts=date(2026, 1, 1))
    session = open_session(club=club, season=season, title="周五", author=accounts["owner"])
    add_player(session=session, name="甲", member=member)
    for name in "乙丙丁戊":
        add_player(session=session, name=name)
    seat_players(session=session, seed="x")
    table = session.tables.get()
    record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key="a")
    table.refresh_from_db()
    session.refresh_from_db()
    other = create_club(name="别的会", owner=accounts["stranger"], slug="other")
    open_session(club=other, revision=revision, title="秘密", author=accounts["stranger"])
    grant = issue_grant(session=session, role="viewer", label="平板").grant
    table_grant = issue_grant(table=table, role="scorer", label="一号").grant
    merged = add_member(club=club, name="小甲")
    merge_members(keep=member, gone=merged)
    job = start_job(kind="export", params={"of": "club", "id": "hui", "form": "csv"}, owner=accounts["owner"], club=club)
    run_job(job.pk)
    keeper = club.members.get(name="rule_keeper")
    invitation = invite(club=club, by=accounts["owner"], role="owner")
    fork_for_club(club=club, ruleset=revision.ruleset, slug="hui_rules", by=accounts["owner"])
    dispute = raise_dispute(table=table, seq=1, text="三番")
    table.refresh_from_db()
    world = World(club, session, table, member, keeper, invitation, dispute, season, grant, table_grant, merged, job, accounts)
    world.secrets = {name: create_token(account=account, name=name, scopes=ALL_SCOPES).secret for name, account in accounts.items()}
    return world


def _json(body: Any) -> str:
    return "" if body is None else json.dumps(body)
