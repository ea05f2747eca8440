"""Every page of a club, its session and its table: who gets which answer."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, get_resolver

from scoring_app import club_urls
from scoring_app.clubs import create_club
from scoring_app.sessions import open_session
from tests.factories import UserFactory
from tests.scoring_app.club_pages.conftest import Place
from tests.scoring_app.club_pages.routes import ROLES, Route, club_routes, session_routes, table_routes

pytestmark = pytest.mark.django_db

DONE = {200, 303, 409, 422}
PUBLIC = {"mine", "new", "join_club", "session_open", "session_me", "let_in", "join", "join_code", "hall", "hall_state"}


def status_of(client: Client, route: Route) -> int:
    """The status of a request whose effects are taken back."""
    with transaction.atomic():
        response = client.get(route.url) if route.data is None else client.post(route.url, route.data)
        transaction.set_rollback(True)
    return response.status_code


def unexpected(place: Place, routes: Iterable[Route], *, others: int, anonymous: int) -> list[str]:
    """What does not answer as the table says: those allowed, members who are not, strangers, nobody signed in."""
    found = []
    for role in [*ROLES.values(), "stranger", "anonymous"]:
        client = place.client(role)
        letter = next((key for key, name in ROLES.items() if name == role), "")
        for route in routes:
            status = status_of(client, route)
            if letter and letter in route.allowed:
                fits = status == 200 if route.data is None else status in DONE
                expected = "200" if route.data is None else "done"
            else:
                wanted = 403 if letter else anonymous if role == "anonymous" else others
                fits, expected = status == wanted, str(wanted)
            if not fits:
                found.append(f"{role} {route.name} {route.data}: {status}, expected {expected}")
    return found


def test_every_page_of_a_club_answers_by_role(place: Place):
    assert unexpected(place, club_routes(place), others=404, anonymous=302) == []


def test_every_page_of_a_session_answers_by_role(place: Place):
    assert unexpected(place, session_routes(place), others=404, anonymous=302) == []


def test_the_tools_of_a_table_answer_by_role_to_who_holds_the_link_that_looks(place: Place):
    """That link alone makes a viewer of everybody."""
    routes = table_routes(place, place.table.watch_token)
    open_to_all = [route for route in routes if route.allowed == "OKRSV"]
    others = [route for route in routes if route.allowed != "OKRSV"]

    assert unexpected(place, others, others=403, anonymous=403) == []
    assert {status_of(place.client("anonymous"), route) for route in open_to_all} <= DONE


def test_the_link_that_writes_makes_a_scorer_and_no_referee(place: Place):
    client = place.client("anonymous")
    routes = table_routes(place, place.table.scorer_token)

    for route in routes:
        status = status_of(client, route)
        assert status in DONE if "S" in route.allowed else status == 403, route.name


def test_the_list_of_routes_is_complete(place: Place):
    """A page that is added is added to the table of who may see it."""
    named = {route.name for route in [*club_routes(place), *session_routes(place), *table_routes(place, "x")]}

    assert named | PUBLIC == {pattern.name for pattern in club_urls.urlpatterns if isinstance(pattern, URLPattern)}
    assert get_resolver().namespace_dict["clubs"]


def test_nothing_of_another_club_is_found(place: Place):
    owner = UserFactory.create(username="other")
    other = create_club(name="Other", owner=owner, slug="other")
    client = place.client("owner")
    place.users["other"] = owner

    foreign = [
        f"/clubs/{other.slug}/members/{place.members[0].public_id}/",
        f"/clubs/{other.slug}/invitations/{place.invitation.pk}/",
        f"/clubs/{other.slug}/seasons/{place.season.public_id}/",
        f"/clubs/{other.slug}/sessions/?season={place.season.public_id}",
    ]
    assert [place.client("other").get(url).status_code for url in foreign] == [404] * len(foreign)
    assert [client.get(url).status_code for url in foreign] == [404] * len(foreign)


def test_an_evening_without_a_club_is_its_organisers(place: Place):
    session = open_session(revision=place.session.revision)
    client = place.client("anonymous")

    assert client.get(f"/sessions/{session.public_id}/").status_code == 302
    assert place.client("owner").get(f"/sessions/{session.public_id}/").status_code == 404
    assert client.get(f"/s/{session.public_id}/wrong/").status_code == 404
    client.get(f"/s/{session.public_id}/{session.host_token}/")
    assert client.get(f"/sessions/{session.public_id}/").status_code == 200
    assert client.get(f"/sessions/{session.public_id}/seats/").status_code == 200


def test_the_forbidden_page_says_who_may(place: Place):
    page = place.client("viewer").get("/clubs/jade/settings/")

    assert page.status_code == 403
    assert "change the club&#x27;s settings" in page.content.decode()
    assert "owner" in page.content.decode()
