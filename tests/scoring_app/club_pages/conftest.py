"""A club with its people and an evening at which something has happened."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from rules_app.models import Revision, Ruleset
from scoring_app.clubs import add_member, create_club, edit_club, fork_for_club, grant_role, invite, merge_members, open_season
from scoring_app.ledger import Origin, raise_dispute, record_round
from scoring_app.models import Club, ClubRuleset, DeviceGrant, Dispute, Invitation, Member, Season, Session, SessionPlayer, Table
from scoring_app.sessions import Seating, TableSeats, add_player, issue_grant, open_balances, open_session, seat_players
from tests.factories import UserFactory
from tests.scoring_app.rounds import discard_win, payload, self_draw

NAMES = ["甲木", "乙木", "丙火", "丁火", "戊土", "己土", "庚金"]


@dataclass
class Place:
    """A club of seven, an evening of one table where ``NAMES[:4]`` sit, and clients that are signed in."""

    club: Club
    season: Season
    session: Session
    table: Table
    members: list[Member]
    ruleset: ClubRuleset
    invitation: Invitation
    merged: Member
    guest: SessionPlayer
    grant: DeviceGrant
    table_grant: DeviceGrant
    dispute: Dispute
    users: dict[str, User] = field(default_factory=dict)

    def client(self, role: str = "owner") -> Client:
        client = Client(headers={"accept-language": "en"})
        if role in self.users:
            client.force_login(self.users[role])
        return client

    def play(self, event: dict[str, Any]) -> None:
        """A round at the table."""
        self.table.refresh_from_db()
        record_round(
            table=self.table,
            payload=payload(event),
            expected_version=self.table.version,
            idempotency_key=uuid.uuid4().hex,
            origin=Origin(device_id="phone", device_label="Phone"),
        )
        self.table.refresh_from_db()

    def payment(self) -> dict[str, Any]:
        """The first payment that would settle the evening, as its form sends it."""
        line = open_balances(self.session).transfers[0]
        return {"payer": line.payer.key, "payee": line.payee.key, "amount": line.amount, "key": uuid.uuid4().hex}


@pytest.fixture
def place(revision: Revision) -> Place:
    owner = UserFactory.create(username="owner")
    club = create_club(name="Jade club", owner=owner, slug="jade", language="en")
    club = edit_club(club=club, default_revision=revision, default_options={"mode": "single"})
    users = {"owner": owner, "stranger": UserFactory.create(username="stranger")}
    for role in ("rule_keeper", "referee", "scorer", "viewer"):
        users[role] = UserFactory.create(username=role)
        member = add_member(club=club, name=role, account=users[role])
        if role != "viewer":
            grant_role(member=member, role=role, by=owner)
    members = [add_member(club=club, name=name) for name in NAMES]
    season = open_season(club=club, name="Spring", starts=date(2020, 1, 1))
    session = open_session(club=club, season=season, title="League night", author=owner)
    players = [add_player(session=session, name=member.name, member=member) for member in members]
    guest = add_player(session=session, name="Guest")
    seating = Seating(
        (TableSeats(1, tuple(player.number for player in players[:4])),), (*(player.number for player in players[4:]), guest.number)
    )
    seat_players(session=session, method="hand", seating=seating, origin=Origin(author=owner))
    table = Table.objects.get(session=session)
    merged = add_member(club=club, name="甲木二")
    merge_members(keep=members[0], gone=merged)
    Ruleset.objects.create(slug="own", name_zh="自家", name_en="Own", owner=owner)
    place = Place(
        club=Club.objects.get(pk=club.pk),
        season=season,
        session=Session.objects.get(pk=session.pk),
        table=table,
        members=members,
        ruleset=fork_for_club(club=club, ruleset=revision.ruleset, slug="jade_rules", name_zh="玉规", name_en="Jade rules", by=owner),
        invitation=invite(club=club, by=owner, max_uses=5),
        merged=merged,
        guest=guest,
        grant=issue_grant(session=session, role="scorer", label="Tablet").grant,
        table_grant=issue_grant(table=table, role="scorer", label="Old phone").grant,
        dispute=Dispute(),
        users=users,
    )
    place.play(discard_win(0, payer=1))
    place.play(self_draw(2))
    place.dispute = raise_dispute(table=table, seq=1, text="Not from him")
    return place
