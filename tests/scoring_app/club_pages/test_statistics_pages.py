"""The pages of statistics: patterns by game, many people, figures beside the pictures."""

from __future__ import annotations

import re
import uuid
from datetime import date

import pytest

from scoring_app.ledger import record_round
from scoring_app.sessions import add_player, open_session, open_session_table
from tests.factories import publish
from tests.scoring_app.club_pages.conftest import Place
from tests.scoring_app.rounds import payload, self_draw

pytestmark = pytest.mark.django_db


def test_patterns_of_the_same_name_stand_under_their_games(place: Place):
    revision = place.session.revision
    other = publish("other", revision.document.replace("slug: sichuan", "slug: other", 1))
    evening = open_session(club=place.club, season=place.season, revision=other, options={"mode": "single"})
    players = [add_player(session=evening, name=member.name, member=member) for member in place.members[:4]]
    table = open_session_table(session=evening, players=players)
    for number in range(2):
        record_round(table=table, payload=payload(self_draw(0)), expected_version=number, idempotency_key=str(number))
        table.refresh_from_db()
    page = place.client().get("/clubs/jade/standings/").content.decode()
    section = page[page.index("<h2>Patterns</h2>") :]
    groups = re.findall(r"<h3>(\w+)</h3>\s*<ul.*?</ul>", section, re.DOTALL)

    assert groups == ["other", "sichuan"]
    assert [section.count(f"<li><span>{name}</span>") for name in ("self-draw", "plain win")] == [2, 2]
    assert "<h3>" not in place.client().get(f"/sessions/{evening.public_id}/standings/").content.decode()


def test_thirty_people_have_standings_a_chart_and_the_largest_payments(place: Place):
    evening = open_session(club=place.club, revision=place.session.revision, options={"mode": "single"})
    names = [f"{number} of thirty with a name that is long" for number in range(1, 31)]
    players = [add_player(session=evening, name=name) for name in names]
    for number in range(7):
        table = open_session_table(session=evening, players=players[4 * number : 4 * number + 4])
        for turn in range(number + 1):
            record_round(table=table, payload=payload(self_draw(0)), expected_version=turn, idempotency_key=uuid.uuid4().hex)
            table.refresh_from_db()
    page = place.client().get(f"/sessions/{evening.public_id}/standings/").content.decode()
    largest = page[page.index("Who paid whom most") :]

    assert page.count('<th scope="row">') >= 28
    assert "Who paid whom<" not in page
    assert "The first 8 of the standings" in page
    assert re.findall(r"<b>(\d+)</b>", largest)[:7] == ["14", "14", "14", "12", "12", "12", "10"]
    assert names[24] in largest


def test_the_chart_is_a_table_too(place: Place):
    page = place.client().get(f"/sessions/{place.session.public_id}/standings/").content.decode()
    figures = page[page.index("As figures") :]
    rows = re.findall(r'<tr><th scope="row">(\d+)</th>(.*?)</tr>', figures[: figures.index("</table>")], re.DOTALL)

    assert [number for number, _cells in rows] == ["0", "1", "2"]
    totals = [
        [int(re.sub(r"<[^>]+>", "", cell).replace("−", "-").replace("+", "")) for cell in re.findall(r"<td.*?</td>", cells)]
        for _number, cells in rows
    ]
    assert [sum(row) for row in totals] == [0, 0, 0]
    assert totals[1] != totals[2]


def test_equal_points_share_a_place(place: Place):
    evening = open_session(club=place.club, revision=place.session.revision, options={"mode": "single"})
    players = [add_player(session=evening, name=name) for name in ("One", "Two", "Three", "Four", "Five")]
    table = open_session_table(session=evening, players=players[:4])
    record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key="0")
    page = place.client().get(f"/sessions/{evening.public_id}/standings/")

    places = {row.name: row.place for row in page.context["shown"].rows}
    assert places == {"One": 1, "Two": 2, "Three": 2, "Four": 2}


def test_guests_of_one_name_are_told_apart_by_their_day_until_they_are_one_member(place: Place):
    for day in (3, 10):
        evening = open_session(
            club=place.club, season=place.season, revision=place.session.revision, options={"mode": "single"}, date=date(2026, 9, day)
        )
        guests = [add_player(session=evening, name=name) for name in ("Gao", *(f"{name} of {day}" for name in ("Bo", "Cai", "Ding")))]
        table = open_session_table(session=evening, players=guests)
        record_round(table=table, payload=payload(self_draw(0)), expected_version=0, idempotency_key=f"g{day}")
    client, address = place.client(), "/clubs/jade/standings/?season=all"
    page = client.get(address).content.decode()

    assert {'<th scope="row">Gao · 09-03</th>', '<th scope="row">Gao · 09-10</th>'} <= set(re.findall(r'<th scope="row">[^<]*</th>', page))
    assert '<th scope="row">Bo of 3</th>' in page
    assert "2 guests are called Gao." in page

    client.post("/clubs/jade/members/add/", {"name": "Gao", "guest": "1"})
    page = client.get(address).content.decode()

    assert len(re.findall(r'<th scope="row"><a [^>]*>Gao</a></th>', page)) == 1
    assert "guests are called" not in page
