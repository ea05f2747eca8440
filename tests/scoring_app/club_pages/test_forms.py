"""Each form: what is valid, what is refused with a sentence, and nothing without its token; those of a club."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.test import Client

from scoring_app.clubs import grant_role, roles_of
from scoring_app.models import Club, Invitation, Member, Session
from scoring_app.sessions import (
    add_player,
    open_session,
)
from tests.factories import UserFactory, publish
from tests.scoring_app.club_pages.conftest import Place
from tests.scoring_app.club_pages.routes import club_routes, session_routes, table_routes

pytestmark = pytest.mark.django_db

FAULTY = {
    "invitations",
    "member_account",
    "member_add",
    "member_edit",
    "ruleset_fork",
    "season_edit",
    "season_new",
    "session_code",
    "session_edit",
    "session_new",
    "session_player",
    "session_players",
    "session_table",
    "session_time",
    "settings",
    "table_answer",
    "table_confirm",
    "table_dispute",
    "table_fee",
    "table_reseat",
    "table_rest",
    "table_rules",
    "table_position",
    "table_scores",
    "table_seats",
    "table_settle",
}
"""Routes whose data in the table of routes is to be refused."""


def test_what_is_wrong_is_said_with_the_page(place: Place):
    client = place.client("owner")
    routes = [*club_routes(place), *session_routes(place), *table_routes(place, place.table.scorer_token)]
    for route in routes:
        if route.data is None or route.name not in FAULTY:
            continue
        response = client.post(route.url, route.data)
        assert response.status_code in {409, 422}, route.name
        assert 'id="problem"' in response.content.decode(), route.name


def test_no_form_is_taken_without_its_token(place: Place):
    client = Client(enforce_csrf_checks=True)
    client.force_login(place.users["owner"])
    routes = [*club_routes(place), *session_routes(place), *table_routes(place, place.table.scorer_token)]

    assert {client.post(route.url, route.data).status_code for route in routes if route.data is not None} == {403}


def test_founding_a_club_makes_an_owner(place: Place):
    client = place.client("stranger")

    assert client.post("/clubs/new/", {"name": "", "language": "zh"}).status_code == 422
    assert client.post("/clubs/new/", {"name": "Two", "slug": "jade", "language": "zh"}).status_code == 422
    assert client.post("/clubs/new/", {"name": "Two", "slug": "two", "language": "zh"})["Location"] == "/clubs/two/"
    assert roles_of(place.users["stranger"], Club.objects.get(slug="two")) == {"owner"}


def test_settings_keep_rules_and_fee(place: Place):
    data = {
        "name": "Jade",
        "slug": "jade",
        "language": "zh",
        "game": "sichuan",
        "options_of": "sichuan",
        "o.mode": "blood_flow",
        "confirmation": "device",
    }
    response = place.client("owner").post("/clubs/jade/settings/", {**data, "table_fee": "5"})
    club = Club.objects.get(slug="jade")

    assert response.status_code == 303
    assert (club.name, club.table_fee, club.confirmation) == ("Jade", 5, "device")
    assert club.default_revision == place.session.revision


def test_an_invitation_is_made_shown_accepted_and_withdrawn(place: Place):
    owner, guest = place.client("owner"), place.client("stranger")
    made = owner.post("/clubs/jade/invitations/", {"role": "scorer", "days": "7", "max_uses": "1", "note": "Li"})
    invitation = Invitation.objects.get(note="Li")

    assert made["Location"] == f"/clubs/jade/invitations/{invitation.pk}/"
    assert invitation.token in owner.get(made["Location"]).content.decode()
    assert "Sign in" in place.client("anonymous").get(f"/clubs/join/{invitation.token}/").content.decode()
    assert guest.post(f"/clubs/join/{invitation.token}/", {"name": "甲木"}).status_code == 422
    assert guest.post(f"/clubs/join/{invitation.token}/", {"name": "Li"})["Location"] == "/clubs/jade/"
    assert roles_of(place.users["stranger"], place.club) == {"scorer"}
    # A second tap leads in, too; for others the link is used up.
    assert guest.post(f"/clubs/join/{invitation.token}/", {"name": "Li"})["Location"] == "/clubs/jade/"
    assert Client().get(f"/clubs/join/{invitation.token}/").status_code == 404
    other = UserFactory.create(username="other")
    place.users["other"] = other
    assert place.client("other").get(f"/clubs/join/{invitation.token}/").status_code == 404
    assert roles_of(other, place.club) == frozenset()
    owner.post(f"/clubs/jade/invitations/{place.invitation.pk}/revoke/")
    assert Client().get(f"/clubs/join/{place.invitation.token}/").status_code == 404


def test_a_referee_cannot_invite_an_owner(place: Place):
    response = place.client("referee").post("/clubs/jade/invitations/", {"role": "owner", "days": "7", "max_uses": "1"})

    assert response.status_code == 403
    assert not Invitation.objects.filter(role="owner").exists()


def test_a_referee_does_not_see_the_link_that_makes_an_owner(place: Place):
    place.client("owner").post("/clubs/jade/invitations/", {"role": "owner", "days": "7", "max_uses": "1", "note": "Wu"})
    invitation = Invitation.objects.get(note="Wu")

    response = place.client("referee").get(f"/clubs/jade/invitations/{invitation.pk}/")

    assert response.status_code == 403
    assert invitation.token not in response.content.decode()


def test_roles_are_given_and_the_last_owner_stays(place: Place):
    client = place.client("owner")
    viewer = Member.objects.get(name="viewer")
    owner = Member.objects.get(name="owner")

    assert client.post(f"/clubs/jade/members/{viewer.public_id}/roles/", {"role": ["scorer", "referee"]}).status_code == 303
    assert roles_of(place.users["viewer"], place.club) == {"scorer", "referee"}
    assert client.post(f"/clubs/jade/members/{owner.public_id}/roles/", {"role": ["referee"]}).status_code == 422
    assert client.post(f"/clubs/jade/members/{place.members[0].public_id}/roles/", {"role": ["referee"]}).status_code == 422


def test_what_was_typed_stays_while_another_game_is_looked_at(place: Place):
    """The options of another game come by a new page; nothing else of the form is lost."""
    publish("plain", place.session.revision.document.replace("slug: sichuan", "slug: plain", 1))
    client = place.client("owner")
    typed = {
        "look": "1",
        "name": "Half typed",
        "options_of": "sichuan",
        "game": "plain",
        "o.base": "7",
        "starts": "2030-02-03",
        "slug": "new",
    }
    season = f"/clubs/jade/seasons/{place.season.public_id}/"
    for url in ("/clubs/jade/settings/", "/clubs/jade/seasons/new/", season):
        page = client.get(url, typed).content.decode()
        assert 'value="Half typed"' in page
        assert '<option value="plain" selected>' in page
        assert 'name="options_of" value="plain"' in page
        assert 'name="o.base" value="7"' not in page
    sent = {"name": "Spring", "starts": "2020-01-01", "game": "sichuan", "options_of": "sichuan", "o.mode": "single", "o.base": "3"}
    assert client.post(season, sent).status_code == 303
    place.season.refresh_from_db()
    assert place.season.default_options == {"mode": "single", "base": 3}
    assert re.search(r'name="o.base"[^>]*value="3"', client.get(season).content.decode())


def test_an_owner_gives_a_member_the_account_that_he_signs_in_with(place: Place):
    """A guest who signed up and joined by the code: what he plays counts for him from then on."""
    owner, member, newcomer = place.client("owner"), place.members[0], UserFactory.create(username="Newcomer")
    url = f"/clubs/jade/members/{member.public_id}/account/"
    assert [owner.post(url, {"account": name}).status_code for name in ("nobody", "", "viewer")] == [422, 422, 422]
    assert place.client("referee").post(url, {"account": "newcomer"}).status_code == 403
    assert owner.post(url, {"account": " newcomer "}).status_code == 303
    assert roles_of(newcomer, place.club) == {"viewer"}
    grant_role(member=Member.objects.get(pk=member.pk), role="scorer")
    assert owner.post(url, {"account": "stranger"}).status_code == 422
    assert owner.post(url, {"unlink": "1"}).status_code == 303
    assert roles_of(newcomer, place.club) == frozenset()

    own = Member.objects.get(account=place.users["owner"])
    assert owner.post(f"/clubs/jade/members/{own.public_id}/account/", {"unlink": "1"}).status_code == 422


def test_the_page_of_a_player_says_how_his_account_becomes_a_member(place: Place):
    phone, newcomer = Client(headers={"accept-language": "en"}), UserFactory.create(username="newcomer")
    phone.force_login(newcomer)
    phone.get(f"/join/{place.session.join_code}/")
    me = phone.post(f"/join/{place.session.join_code}/", {"name": "New"})["Location"]
    assert "Your account newcomer is no member of Jade club yet" in phone.get(me).content.decode()
    player = place.session.players.get(name="New")
    place.client("referee").post(f"/sessions/{place.session.public_id}/players/{player.number}/", {"name": "New", "member": "new"})
    member = Member.objects.get(name="New")
    place.client("owner").post(f"/clubs/jade/members/{member.public_id}/account/", {"account": "newcomer"})

    player.refresh_from_db()
    assert (player.member, Member.objects.get(pk=member.pk).account) == (member, newcomer)
    assert "no member" not in phone.get(me).content.decode()


def test_guests_of_one_name_become_a_member_with_all_that_they_played(place: Place):
    client = place.client("referee")
    later = open_session(club=place.club, date=date(2021, 1, 1))
    add_player(session=later, name="guest")
    both = open_session(club=place.club, date=date(2021, 1, 2))
    assert "2 evenings" not in client.get("/clubs/jade/members/").content.decode()
    add_player(session=both, name="Guest")
    assert "2 evenings" in client.get("/clubs/jade/members/").content.decode()
    assert client.post("/clubs/jade/members/add/", {"guest": "1", "name": "Guest"}).status_code == 303

    member = Member.objects.get(name="Guest")
    assert member.played.count() == 3
    assert "Make Guest a member" not in client.get("/clubs/jade/members/").content.decode()
    another = open_session(club=place.club)
    add_player(session=another, name="The same", member=member)
    stranger = add_player(session=another, name="Guest")
    assert client.post("/clubs/jade/members/add/", {"guest": "1", "name": "Guest"}).status_code == 303
    stranger.refresh_from_db()
    assert stranger.member is None


def test_everybody_may_leave_on_his_own_and_nobody_for_others(place: Place):
    client, own = place.client("viewer"), Member.objects.get(account=place.users["viewer"])
    assert client.post(f"/clubs/jade/members/{place.members[0].public_id}/leave/").status_code == 403
    assert client.post(f"/clubs/jade/members/{own.public_id}/leave/")["Location"] == "/clubs/"
    assert client.get("/clubs/jade/").status_code == 404
    assert (
        place.client("owner").post(f"/clubs/jade/members/{Member.objects.get(account=place.users['owner']).public_id}/leave/").status_code
        == 422
    )


def test_members_are_merged_after_a_look_and_taken_apart(place: Place):
    client, keep = place.client("owner"), place.members[6]
    client.post("/clubs/jade/members/add/", {"name": "Twin"})
    gone = Member.objects.get(name="Twin")
    url = f"/clubs/jade/members/{keep.public_id}/merge/"

    assert "Twin" in client.get(url, {"gone": gone.public_id}).content.decode()
    assert client.post(url, {"gone": gone.public_id}).status_code == 303
    gone.refresh_from_db()
    assert gone.merged_into == keep
    client.post(f"/clubs/jade/members/{gone.public_id}/unmerge/")
    assert Member.objects.get(pk=gone.pk).merged_into is None
    assert client.post(f"/clubs/jade/members/{place.members[0].public_id}/merge/", {"gone": place.members[1].public_id}).status_code == 422


def test_a_season_and_a_session_start_with_what_was_set(place: Place):
    client = place.client("owner")
    assert client.post("/clubs/jade/seasons/new/", {"name": "Summer", "starts": "2021-06-01", "ends": "2021-05-01"}).status_code == 422
    assert client.post("/clubs/jade/seasons/new/", {"name": "Summer", "starts": "2021-06-01", "ends": "2021-08-31"}).status_code == 303
    data = {
        "game": "sichuan",
        "options_of": "",
        "date": "2021-07-01",
        "length_kind": "rounds",
        "length": "16",
        "table_fee": "2",
        "season": "",
    }
    response = client.post("/clubs/jade/sessions/new/", data)
    session = Session.objects.get(date=date(2021, 7, 1))

    assert response["Location"] == f"/sessions/{session.public_id}/"
    assert (session.length_kind, session.length, session.table_fee) == ("rounds", 16, 2)
    assert session.options == {"mode": "single"}


def test_a_game_is_forked_without_thinking_of_a_slug(place: Place):
    client, url = place.client("rule_keeper"), f"/clubs/{place.club.slug}/rulesets/fork/"

    assert [client.post(url, {"game": "sichuan", "slug": ""}).status_code for _ in range(2)] == [303, 303]
    assert sorted(place.club.rulesets.values_list("ruleset__slug", flat=True)) == ["jade_rules", "sichuan_house", "sichuan_house2"]
