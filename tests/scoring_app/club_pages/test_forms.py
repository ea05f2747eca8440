"""Each form: what is valid, what is refused with a sentence, and nothing without its token."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from datetime import date, datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rules_app.models import Revision
from scoring_app.clubs import edit_club, grant_role, roles_of
from scoring_app.ledger import Origin, answer_dispute, begin_round, correct_entry, record_penalty, record_round, void_entry
from scoring_app.models import Club, DeviceGrant, Entry, ExtraTime, Invitation, Member, Session, Table
from scoring_app.sessions import (
    add_player,
    edit_session,
    end_session,
    give_extra_time,
    issue_grant,
    leave_session,
    open_balances,
    open_session,
    open_session_table,
    start_clock,
)
from tests.factories import UserFactory, publish
from tests.scoring_app.club_pages.conftest import Place
from tests.scoring_app.club_pages.routes import club_routes, session_routes, table_routes
from tests.scoring_app.rounds import discard_win, payload

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


def test_the_game_of_a_session_is_changed_by_its_form(place: Place):
    """G19, G20: tables that are open keep theirs, and the same game stays on its revision until it is asked to move."""
    client, url = place.client("referee"), f"/sessions/{place.session.public_id}/edit/"
    old = place.session.revision
    document = old.document.replace("slug: sichuan", "slug: plain", 1)
    other = publish("plain", document)
    newer = Revision.objects.create(
        ruleset=old.ruleset, number=old.number + 1, document=old.document, status="published", published_at=timezone.now()
    )
    fields = {"length_kind": "none", "start_points": "0", "table_fee": "0", "confirmation": "none"}

    def saved(**sent: str) -> Session:
        assert client.post(url, {**fields, **sent}).status_code == 303
        place.session.refresh_from_db()
        return place.session

    page = client.get(url).content.decode()
    assert '<option value="sichuan" selected>' in page
    assert f"revision {newer.number} in place of {old.number}" in page
    kept = saved(game="sichuan", options_of="sichuan", **{"o.mode": "blood_flow"})
    assert (kept.revision, kept.options) == (old, {"mode": "blood_flow"})
    assert saved(game="sichuan", options_of="plain").options == {"mode": "blood_flow"}
    assert saved(game="sichuan", options_of="sichuan", newest="1", **{"o.mode": "single"}).revision == newer
    assert 'name="options_of" value="plain"' in client.get(url, {"look": "1", "game": "plain", "options_of": "sichuan"}).content.decode()
    moved = saved(game="plain", options_of="sichuan", **{"o.mode": "single"})
    assert (moved.revision, moved.options) == (other, {})
    assert client.post(url, {**fields, "game": "nothing"}).status_code == 422

    place.table.refresh_from_db()
    assert place.table.revision == old


def test_a_session_without_a_club_is_organised_by_the_device_that_opened_it(place: Place):
    client = Client()
    where = client.post("/sessions/new/", {"game": "sichuan", "length_kind": "none"})["Location"]

    assert client.get(where).status_code == 200
    assert client.post(f"{where}players/", {"names": "A, B、C，D"}).status_code == 303
    assert client.get(f"{where}seats/").status_code == 200
    assert Client().get(where).status_code == 302


def test_seats_are_drawn_as_they_were_shown(place: Place):
    client, sid = place.client("referee"), place.session.public_id
    page = client.get(f"/sessions/{sid}/seats/", {"seed": "abc"}).content.decode()
    response = client.post(f"/sessions/{sid}/seats/", {"method": "lot", "seed": "abc", "rotation": "1"})
    draw = place.session.draws.get(rotation=2)
    names = {player.number: player.name for player in place.session.players.all()}
    seats = [names[number] for number in draw.seating["tables"][0]["seats"]]

    assert response.status_code == 303
    assert [page.index(f"<strong>{name}</strong>") for name in seats] == sorted(page.index(f"<strong>{name}</strong>") for name in seats)
    assert client.post(f"/sessions/{sid}/seats/", {"method": "lot", "seed": "abc", "rotation": "1"}).status_code == 409
    assert place.session.draws.count() == 2


def test_players_join_by_code_once_each_device(place: Place):
    phone = Client()
    code = place.session.join_code
    assert phone.get("/join/", {"code": code.upper()})["Location"] == f"/join/{code}/"
    assert phone.get("/join/", {"code": "nosuch"}).status_code == 422
    phone.get(f"/join/{code}/")
    assert phone.post(f"/join/{code}/", {"name": "甲木"}).status_code == 422
    assert phone.post(f"/join/{code}/", {"name": "Late"})["Location"] == f"/sessions/{place.session.public_id}/me/"
    phone.post(f"/join/{code}/", {"name": "Late"})

    assert place.session.players.filter(name="Late").count() == 1
    assert "Late" in phone.get(f"/sessions/{place.session.public_id}/me/").content.decode()
    assert Client().get(f"/sessions/{place.session.public_id}/me/").status_code == 404


def test_extra_time_is_given_to_one_table(place: Place):
    url = f"/sessions/{place.session.public_id}/tables/{place.table.public_id}/time/"
    start_clock(session=edit_session(session=place.session, length_kind="clock", length=60))
    Table.objects.update(length_kind="clock", length=60)
    client = place.client("referee")
    page = client.get(f"/sessions/{place.session.public_id}/").content.decode()
    had = re.findall(r'name="had" value="(-?\d+)"', page)
    sent = {"minutes": "5", "reason": "dispute", "had": had[0]}
    # A second tap, a lost answer: time is given once.
    assert [client.post(url, sent).status_code for _ in range(2)] == [303, 303]
    assert place.client("owner").post(url, {**sent, "minutes": "10"}).status_code == 409

    assert had == ["0"]
    assert [(extra.seconds, extra.reason) for extra in ExtraTime.objects.all()] == [(300, "dispute")]
    assert "+5 min extra" in client.get(f"/sessions/{place.session.public_id}/").content.decode()


def test_the_clock_takes_a_second_tap_for_the_same(place: Place):
    session = edit_session(session=place.session, length_kind="clock", length=60)
    client, url = place.client("referee"), f"/sessions/{session.public_id}/clock/"

    def tap(do: str) -> tuple[datetime | None, bool]:
        for _ in range(2):
            assert client.post(url, {"do": do}).status_code == 303
        session.refresh_from_db()
        return session.clock_started_at, session.clock_paused_at is not None

    started = tap("start")[0]
    assert started is not None
    assert tap("pause") == (started, True)
    assert tap("resume") == (started, False)
    assert tap("restart") == (started, False)  # only a clock that is paused is set back
    tap("pause")
    again, paused = tap("restart")
    assert again is not None
    assert again > started
    assert not paused


def writing(place: Place, **more: object) -> dict[str, object]:
    place.table.refresh_from_db()
    return {"version": place.table.version, "key": uuid.uuid4().hex, **more}


@pytest.fixture
def tool(place: Place) -> Callable[[str], str]:
    """The address of one of the tools of the table."""
    return lambda name: f"/t/{place.table.public_id}/{place.table.scorer_token}/{name}/"


def seated(place: Place) -> list[int | None]:
    place.table.refresh_from_db()
    return list(place.table.standing.situation["seats"])


def test_a_substitute_comes_and_the_first_player_is_back(place: Place, tool: Callable[[str], str]):
    """G17, G18: both are one form, and nothing is edited by hand."""
    client = place.client("scorer")
    before = seated(place)
    stale = client.post(tool("seats"), {"seat": "1", "who": "p5", "version": "1", "key": "stale"})
    assert client.post(tool("seats"), writing(place, seat="1", who="p5")).status_code == 303
    changed = seated(place)
    assert client.post(tool("seats"), writing(place, seat="1", who="p2")).status_code == 303

    assert stale.status_code == 409
    assert changed[1] not in before
    assert seated(place) == before


def test_a_new_name_sits_down_at_once(place: Place, tool: Callable[[str], str]):
    assert place.client("scorer").post(tool("seats"), writing(place, seat="0", new="Walk-in")).status_code == 303
    assert place.session.players.filter(name="Walk-in").exists()


def test_wrong_seats_are_shown_and_put_right(place: Place, tool: Callable[[str], str]):
    """G10."""
    client = place.client("referee")
    page = client.get(tool("seats/replay"), {"from": "2", "seat": ["1", "0", "2", "3"]})
    data = writing(place, **{"from": "2", "seat": ["1", "0", "2", "3"], "go": "confirm"})

    assert "before" in page.content.decode()
    assert client.post(tool("seats/replay"), data).status_code == 303
    assert seated(place)[:2] == [1, 0]


def test_scores_are_set_when_they_add_up(place: Place, tool: Callable[[str], str]):
    """G8, G22: the sentence says how far off they are."""
    client = place.client("referee")
    wrong = client.post(tool("scores"), writing(place, **{"total.0": "10", "total.1": "0", "total.2": "0", "total.3": "0"}))
    right = client.post(tool("scores"), writing(place, **{"total.0": "10", "total.1": "-10", "total.2": "0", "total.3": "0"}))

    assert (wrong.status_code, right.status_code) == (422, 303)
    assert "10" in wrong.content.decode()


def test_a_dispute_waits_for_a_referee(place: Place, tool: Callable[[str], str]):
    viewer = place.client("viewer")
    watch = f"/t/{place.table.public_id}/{place.table.watch_token}/marks/"
    assert viewer.post(f"{watch}dispute/", {"seq": "2", "text": "It was 8"}).status_code == 303
    page = place.client("referee").get(f"/sessions/{place.session.public_id}/").content.decode()
    assert "wants attention" in page
    answer = f"{watch}{place.dispute.pk}/answer/"
    assert place.client("referee").post(answer, {"outcome": "rejected", "text": "no"}).status_code == 303
    assert place.client("referee").post(answer, {"outcome": "rejected"}).status_code == 422


def test_another_device_confirms(place: Place, tool: Callable[[str], str]):
    """G26."""
    place.table.confirmation = "device"
    place.table.save(update_fields=["confirmation"])
    other = place.client("scorer")
    other.get(tool("marks"))

    assert "That is right" in other.get(tool("marks")).content.decode()
    assert other.post(tool("marks/confirm"), {"seq": "2", "content": "1"}).status_code == 303
    assert other.post(tool("marks/confirm"), {"seq": "3", "content": "9"}).status_code == 422


def test_a_device_is_let_in_renamed_taken_over_and_out(place: Place):
    owner, phone = place.client("owner"), Client()
    url = f"/sessions/{place.session.public_id}/devices/"
    key = owner.post(url, {"role": "scorer", "label": "Phone 1"}).context["link"]
    assert phone.post(key, {"label": "My phone"})["Location"] == f"/sessions/{place.session.public_id}/"
    assert phone.get(f"/sessions/{place.session.public_id}/").status_code == 200
    grant = DeviceGrant.objects.get(label="My phone")
    over = owner.post(f"{url}{grant.public_id}/", {"do": "over"}).context["link"]
    assert phone.get(f"/sessions/{place.session.public_id}/").status_code == 302
    assert phone.get(key).status_code == 404
    phone.post(over)
    assert phone.get(f"/sessions/{place.session.public_id}/").status_code == 200
    owner.post(f"{url}{DeviceGrant.objects.get(taken_over_from=grant).public_id}/", {"do": "revoke"})
    assert phone.get(f"/sessions/{place.session.public_id}/").status_code == 302


def test_a_payment_is_settled_once_and_taken_back(place: Place):
    """G23, G24."""
    client, sid = place.client("scorer"), place.session.public_id
    data = place.payment()
    before = open_balances(place.session).transfers
    first, again = (client.post(f"/sessions/{sid}/settle/pay/", data) for _ in range(2))
    entry = Entry.objects.get(kind="settlement")

    assert (first.status_code, again.status_code) == (303, 303)
    assert len(open_balances(place.session).transfers) == len(before) - 1
    undo = {"table": place.table.public_id, "seq": entry.seq, "version": entry.seq, "key": "undo"}
    assert client.post(f"/sessions/{sid}/settle/unpay/", undo).status_code == 303
    assert open_balances(place.session).transfers == before


def test_pages_that_poll_answer_nothing_while_nothing_changes(place: Place):
    """G4."""
    client, sid = place.client("owner"), place.session.public_id
    hall = f"/s/{sid}/{place.session.watch_token}/state/"
    version = client.get(f"/s/{sid}/{place.session.watch_token}/").context["version"]

    assert client.get(hall, {"v": version}).status_code == 204
    assert client.get(f"/sessions/{sid}/state/", {"v": version}).status_code == 204
    place.client("referee").post(f"/sessions/{sid}/tables/{place.table.public_id}/time/", {"minutes": "5"})
    assert client.get(hall, {"v": version}).status_code == 200


def test_a_table_of_friends_is_settled_on_its_own(table: Table):
    """The points go back the other way: who paid is credited."""
    client = Client(headers={"accept-language": "en"})
    record_round(table=table, payload=payload(discard_win(0, payer=1)), expected_version=0, idempotency_key="r")
    url = f"/t/{table.public_id}/{table.scorer_token}/settle/"
    line = client.get(url).context["transfers"][0]
    data = {"payer": line["from"], "payee": line["to"], "amount": line["amount"], "key": "once"}

    assert (line["payer"], line["payee"]) == ("乙", "甲")
    assert [client.post(url, data).status_code for _ in range(2)] == [303, 303]
    assert "nobody owes anything" in client.get(url).content.decode()
    assert Entry.objects.filter(table=table, kind="settlement").count() == 1
    undo = {"table": table.public_id, "seq": "2", "version": "2", "key": "undo"}
    assert client.post(url, undo).status_code == 303
    assert len(client.get(url).context["transfers"]) == 1


def test_the_language_of_a_club_is_that_of_its_new_tables_and_of_the_hall(place: Place):
    """Pages follow their reader; what nobody in particular reads follows the club."""
    edit_club(club=place.club, language="zh")
    players = [add_player(session=place.session, name=name) for name in "子丑寅卯"]
    assert open_session_table(session=place.session, players=players).language == "en"
    evening = open_session(club=Club.objects.get(pk=place.club.pk))
    hall = f"/s/{evening.public_id}/{evening.watch_token}/"
    english = Client(headers={"accept-language": "en"})

    page = english.get(hall)
    assert '<html lang="zh-hans"' in page.content.decode()
    assert "还没有排座" in page.content.decode()
    assert page["Content-Language"] == "zh-hans"
    english.cookies["django_language"] = "en"
    assert '<html lang="en"' in english.get(hall).content.decode()
    table = open_session_table(session=evening, players=[add_player(session=evening, name=name) for name in "甲乙丙丁"])
    assert table.language == "zh"
    assert "第 1 桌" in Client(headers={"accept-language": "en"}).get(f"{hall}state/").content.decode()


def test_the_hall_says_how_to_join_until_the_code_is_over(place: Place):
    evening = open_session(club=place.club)
    hall, phone = f"/s/{evening.public_id}/{evening.watch_token}/", Client()
    add_player(session=evening, name="Early")
    page = phone.get(hall).content.decode()
    assert f">{evening.join_code}<" in page
    assert 'class="qr"' in page
    assert "Early" in page
    end_session(session=evening)

    assert evening.join_code not in phone.get(hall).content.decode()


def test_the_table_fee_is_offered_until_it_is_charged(place: Place):
    edit_session(session=place.session, table_fee=3)
    client, url = place.client("referee"), f"/sessions/{place.session.public_id}/"
    assert "Charge the table fee: 3 each" in client.get(url).content.decode()
    assert "Charge the table fee" not in place.client("scorer").get(url).content.decode()
    client.post(f"{url}fees/")
    assert "Charge the table fee" not in client.get(url).content.decode()
    fee = Entry.objects.get(table=place.table, kind="fee")
    place.table.refresh_from_db()
    void_entry(table=place.table, seq=fee.seq, expected_version=place.table.version, idempotency_key="void")

    assert "Charge the table fee" in client.get(url).content.decode()


def test_a_key_leads_in_under_the_name_of_its_device(place: Place):
    issued = issue_grant(session=place.session, role="scorer", label="Tablet of table two")
    page = Client(headers={"accept-language": "en"}).get(f"/devices/{issued.token}/").content.decode()

    assert 'value="Tablet of table two"' in page


def test_the_session_says_where_somebody_is_missing_and_what_table_is_bare(place: Place):
    answer_dispute(dispute=place.dispute, outcome="rejected")
    client, url = place.client("scorer"), f"/sessions/{place.session.public_id}/"
    assert "lacks a player" not in client.get(url).content.decode()
    seated = place.session.players.get(name=place.members[0].name)
    client.post(f"{url}players/{seated.number}/leave/")
    page = client.get(url).content.decode()
    assert "1 table lacks a player" in page
    assert "1 seat is empty" in page
    assert f'href="/t/{place.table.public_id}/{place.table.scorer_token}/seats/"' in page
    assert "1 seat is empty" in place.client("viewer").get(url).content.decode()
    assert place.table.scorer_token not in place.client("viewer").get(url).content.decode()

    for member in place.members[1:4]:
        leave_session(player=place.session.players.get(member=member))
    page = client.get(url).content.decode()
    assert "Nobody sits here." in page
    assert "lacks a player" not in page
    assert 'class="badge dealer"' not in page


def test_the_clock_for_all_is_not_that_of_the_table_with_extra_time(place: Place):
    start_clock(session=edit_session(session=place.session, length_kind="clock", length=60))
    players = [add_player(session=place.session, name=name) for name in "子丑寅卯"]
    open_session_table(session=place.session, players=players)
    Table.objects.update(length_kind="clock", length=60)
    give_extra_time(table=place.table, seconds=-1800)
    pages = [f"/sessions/{place.session.public_id}/", f"/s/{place.session.public_id}/{place.session.watch_token}/"]

    for url in pages:
        clocks = re.findall(r'class="clock[^>]*>([^<]+)<', place.client().get(url).content.decode())
        # The first is for everybody; the table that lost half an hour shows its own.
        assert clocks[0] in {"60:00", "59:59", "59:58", "59:57"}
        assert any(words.startswith(("29:", "30:")) for words in clocks[1:])


def test_one_more_table_is_for_those_who_sit_nowhere(place: Place):
    client, url = place.client("scorer"), f"/sessions/{place.session.public_id}/table/"
    page = client.get(url).content.decode()
    first = page[page.index('id="f-seat-0"') :]
    offered = re.findall(r'<option value="(\d+)"', first[: first.index("</select>")])
    free = [player.number for player in place.session.players.filter(name__in=[*(one.name for one in place.members[4:]), "Guest"])]
    assert [int(number) for number in offered] == free

    assert client.post(url, {"seat": offered, "game": "sichuan", "length_kind": "none"}).status_code == 303
    assert "Everybody who is here sits at a table already." in client.get(url).content.decode()


def test_penalties_are_listed_with_their_sum_and_voided_with_a_reason(place: Place):
    """G11, G12: one during a round, one between rounds; the wrong one is taken out and stays readable."""
    client, url = place.client("referee"), f"/sessions/{place.session.public_id}/penalties/"
    assert "No penalty has been written." in client.get(url).content.decode()

    def penalise(seat: int, text: str) -> None:
        place.table.refresh_from_db()
        record_penalty(
            table=place.table,
            payload={"lines": [{"from": seat, "to": 3, "amount": 5}], "text": text},
            expected_version=place.table.version,
            idempotency_key=text,
            origin=Origin(author=place.users["referee"], device_label="Referee's phone"),
        )

    penalise(0, "late")
    place.play(discard_win(0, payer=1))
    begin_round(table=place.table, expected_version=place.table.version)
    penalise(1, "false win")
    place.table.refresh_from_db()
    wrong = Entry.objects.get(table=place.table, idempotency_key="false win")
    page = client.get(url).content.decode()
    entry = re.findall(r'href="(/t/[^"]+/entry/(\d+)/)"', page)
    assert [int(seq) for _url, seq in entry] == [wrong.seq - 2, wrong.seq]
    assert client.get(entry[1][0]).status_code == 200
    assert "Referee&#x27;s phone" in page
    void = {"version": place.table.version, "key": "gone", "reason": "It was somebody else"}
    client.post(reverse("scoring:void", args=[place.table.public_id, place.table.scorer_token, wrong.seq]), void)

    page = client.get(url).content.decode()
    sums = page[page.index("Sums of all that counts") :]
    assert [int(text) for text in re.findall(r">([+−]?\d+)<", sums.replace("−", "-"))][-1] == 0
    assert page.count("void</span>") == 1
    assert "+10" not in sums
    assert "+5" in sums
    history = client.get(entry[1][0]).content.decode()
    assert "It was somebody else" in history
    assert "/entry/" not in place.client("viewer").get(url).content.decode()


def test_the_history_says_who_wrote_what_on_which_device_and_why(place: Place):
    """G25: before and after, each with its writer; nothing of the first entry is lost."""
    place.table.refresh_from_db()
    correct_entry(
        table=place.table,
        seq=1,
        payload=payload(discard_win(0, payer=3)),
        reason="It was the fourth",
        expected_version=place.table.version,
        idempotency_key="correction",
        origin=Origin(author=place.users["referee"], device_label="Referee's tablet"),
    )
    page = place.client().get(reverse("scoring:entry", args=[place.table.public_id, place.table.scorer_token, 1])).content.decode()
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))

    for told in ("Phone", "Referee&#x27;s tablet", "referee", "It was the fourth"):
        assert told in words, told
    history = words[words.index("History") :]
    # What it says now, and what it said at first: who paid then, who pays now.
    assert history.count("−1") >= 2
    assert place.members[1].name in history
    assert place.members[3].name in words


def test_points_move_by_hand_only_where_the_permission_table_says_so(place: Place):
    """The link of a scorer is enough for a penalty; a transfer takes a referee."""
    url = f"/t/{place.table.public_id}/{place.table.scorer_token}/more/"
    transfer = {"kind": "transfer", "payer": ["0"], "payee": "1", "amount": "5", "version": place.table.version, "key": "t"}
    count = Entry.objects.count()
    link, referee = Client(), place.client("referee")
    assert 'value="transfer"' not in link.get(url).content.decode()
    assert 'value="penalty"' in link.get(url).content.decode()

    refused = link.post(url, transfer)

    assert refused.status_code == 403
    assert "裁判" in refused.content.decode()
    assert Entry.objects.count() == count
    assert referee.post(url, transfer).status_code == 303
    assert link.post(url, transfer | {"kind": "penalty", "version": place.table.version + 1, "key": "p"}).status_code == 303
    conflict = referee.post(url, transfer | {"amount": "77", "key": "u"})
    assert (conflict.status_code, 'value="77"' in conflict.content.decode()) == (409, True)
