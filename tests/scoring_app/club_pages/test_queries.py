"""Lists take as many queries for twenty rows as for one."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring_app.clubs import add_member, fork_for_club, invite, open_season
from scoring_app.models import Session
from scoring_app.sessions import add_player, issue_grant, open_session, open_session_table
from tests.scoring_app.club_pages.conftest import Place
from tests.scoring_app.rounds import discard_win

pytestmark = pytest.mark.django_db

MORE = 19


def queries(client: Client, url: str) -> int:
    client.get(url)  # what is cached for good is cached now
    with CaptureQueriesContext(
        connection,
    ) as found:
        assert client.get(url).status_code == 200
    return len(found)


def grow(place: Place) -> None:
    """Twenty of everything."""
    for number in range(MORE):
        member = add_member(club=place.club, name=f"Member {number}")
        add_player(session=place.session, name=member.name, member=member)
        invite(club=place.club, by=place.users["owner"])
        open_season(club=place.club, name=f"Season {number}", starts=date(1990 + number, 1, 1), ends=date(1990 + number, 12, 31))
        open_session(club=place.club, season=place.season, date=date(2020, 1, 2) + timedelta(number))
        issue_grant(session=place.session, role="viewer")
        place.play(discard_win(number % 4, payer=(number + 1) % 4))
        fork_for_club(club=place.club, ruleset=place.session.revision.ruleset, slug=f"rules_{number}")
    players = list(Session.objects.get(pk=place.session.pk).players.filter(name__startswith="Member"))
    for number in range(4):
        open_session_table(session=place.session, players=players[4 * number : 4 * number + 4])


def test_lists_take_a_fixed_number_of_queries(place: Place):
    client = place.client("owner")
    sid = place.session.public_id
    pages = [
        "/clubs/",
        "/clubs/jade/",
        "/clubs/jade/members/",
        f"/clubs/jade/members/{place.members[0].public_id}/",
        "/clubs/jade/invitations/",
        "/clubs/jade/seasons/",
        "/clubs/jade/rulesets/",
        "/clubs/jade/standings/",
        "/clubs/jade/sessions/",
        f"/sessions/{sid}/",
        f"/sessions/{sid}/players/",
        f"/sessions/{sid}/standings/",
        f"/sessions/{sid}/settle/",
        f"/sessions/{sid}/devices/",
        f"/s/{sid}/{place.session.watch_token}/",
        f"/t/{place.table.public_id}/{place.table.scorer_token}/marks/",
        f"/t/{place.table.public_id}/{place.table.scorer_token}/seats/",
        f"/t/{place.table.public_id}/{place.table.scorer_token}/devices/",
    ]
    few = {page: queries(client, page) for page in pages}
    grow(place)

    assert {page: queries(client, page) for page in pages} == few


def test_polling_is_one_read_beside_who_asks(place: Place):
    """The hall needs no account."""
    client = Client()
    url = f"/s/{place.session.public_id}/{place.session.watch_token}/"
    version = client.get(url).context["version"]
    with CaptureQueriesContext(connection) as found:
        assert client.get(f"{url}state/", {"v": version}).status_code == 204

    assert len(found) == 2
