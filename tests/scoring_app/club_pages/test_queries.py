"""Lists take as many queries for twenty rows as for one."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring_app.api_tokens import create_token
from scoring_app.clubs import add_member, fork_for_club, invite, leave_club, open_season
from scoring_app.ledger import Origin, raise_dispute, record_penalty
from scoring_app.models import Job, Session
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


def penalise(place: Place) -> None:
    place.table.refresh_from_db()
    lines = [{"from": 0, "to": 1, "amount": 5}]
    record_penalty(
        table=place.table,
        payload={"lines": lines, "text": "late"},
        expected_version=place.table.version,
        idempotency_key=f"penalty {place.table.version}",
        origin=Origin(author=place.users["referee"]),
    )


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
        leave_club(member=add_member(club=place.club, name=f"Gone {number}"))
        add_player(session=place.session, name=f"Guest {number}")
        Job.objects.create(kind="export", params={}, owner=place.users["owner"], club=place.club, status=Job.Status.DONE)
        create_token(account=place.users["owner"], name=f"Bot {number}", scopes=["read"])
        place.table.refresh_from_db()
        raise_dispute(table=place.table, seq=1, text=f"No {number}")
        penalise(place)
    players = list(Session.objects.get(pk=place.session.pk).players.filter(name__startswith="Member"))
    for number in range(4):
        open_session_table(session=place.session, players=players[4 * number : 4 * number + 4])


def test_lists_take_a_fixed_number_of_queries(place: Place):
    client = place.client("owner")
    sid, slug = place.session.public_id, place.club.slug
    member = place.members[0].public_id
    at = f"/t/{place.table.public_id}/{place.table.scorer_token}/"
    pages = [
        reverse("clubs:mine"),
        reverse("clubs:club", args=[slug]),
        reverse("clubs:members", args=[slug]),
        reverse("clubs:members", args=[slug]) + "?left=1",
        reverse("clubs:player", args=[slug, member]),
        reverse("clubs:member_edit", args=[slug, member]),
        reverse("clubs:invitations", args=[slug]),
        reverse("clubs:seasons", args=[slug]),
        reverse("clubs:rulesets", args=[slug]),
        reverse("clubs:standings", args=[slug]),
        reverse("clubs:standings", args=[slug]) + "?season=all",
        reverse("clubs:sessions", args=[slug]),
        reverse("clubs:session", args=[sid]),
        reverse("clubs:session_players", args=[sid]),
        reverse("clubs:session_player", args=[sid, 1]),
        reverse("clubs:session_seats", args=[sid]),
        reverse("clubs:session_table", args=[sid]),
        reverse("clubs:session_standings", args=[sid]),
        reverse("clubs:session_settle", args=[sid]),
        reverse("clubs:session_penalties", args=[sid]),
        reverse("clubs:session_end", args=[sid]),
        reverse("clubs:session_devices", args=[sid]),
        reverse("clubs:hall", args=[sid, place.session.watch_token]),
        reverse("clubs:hall_state", args=[sid, place.session.watch_token]),
        f"{at}marks/",
        f"{at}seats/",
        f"{at}seats/replay/",
        f"{at}settle/",
        f"{at}devices/",
        f"{at}tools/",
        reverse("exports:jobs"),
        reverse("exports:tokens"),
        reverse("exports:club", args=[slug]),
        reverse("exports:club_import", args=[slug]),
        reverse("exports:session", args=[sid]),
        reverse("exports:table", args=[place.table.public_id, place.table.scorer_token]),
    ]
    leave_club(member=add_member(club=place.club, name="Gone"))
    penalise(place)
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
