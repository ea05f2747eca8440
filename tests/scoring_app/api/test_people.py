"""The people of a club over the API: leaving, merging, guests, accounts, what they have played, tokens."""

from __future__ import annotations

import pytest

from scoring_app.clubs import PERMISSIONS, invite
from tests.scoring_app.api.world import World, make_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(revision) -> World:
    return make_world(revision)


def member(world: World, rest: str = "") -> str:
    return f"clubs/hui/members/{world.member.public_id}/{rest}"


def names(world: World, query: str = "") -> list[str]:
    return [one["name"] for one in world.ask("viewer", "GET", f"clubs/hui/members/{query}")["results"]]


def test_a_member_leaves_and_returns(world):
    left = world.ask("referee", "POST", member(world, "leave/"), {})
    among, gone = names(world), names(world, "?left=true")
    back = world.ask("referee", "POST", member(world, "return/"), {})

    assert (left["left"], back["left"]) == (True, False)
    assert "甲" not in among
    assert gone == ["甲"]
    assert "甲" in names(world, "?left=false")


def test_everybody_may_leave_on_his_own(world):
    viewer = world.club.members.get(name="viewer").public_id

    assert world.ask("viewer", "POST", f"clubs/hui/members/{viewer}/leave/", {})["left"]
    world.ask("viewer", "GET", "clubs/hui/", status=404)


def test_two_members_are_one_and_two_again(world):
    other = world.ask("owner", "POST", "clubs/hui/members/", {"name": "甲二"}, 201)["id"]
    seen = world.ask("owner", "GET", member(world, f"merge/?gone={other}"))
    world.ask("owner", "GET", member(world, "merge/?gone=nobody"), status=404)
    merged = world.ask("owner", "POST", member(world, "merge/"), {"gone": other})
    itself = world.ask("owner", "POST", member(world, "merge/"), {"gone": world.member.public_id}, 422)
    known = world.ask("viewer", "GET", f"clubs/hui/members/{other}/")
    apart = world.ask("owner", "POST", f"clubs/hui/members/{other}/unmerge/", {})

    assert seen == {"tables": 1, "tables_gone": 0}
    assert merged["id"] == known["id"] == world.member.public_id
    assert itself["error"]["code"] == "cannot_merge"
    assert apart["name"] == "甲二"


def test_guests_become_members_by_name_or_by_seat(world):
    guests = world.ask("referee", "GET", "clubs/hui/guests/")
    adopted = world.ask("referee", "POST", "clubs/hui/guests/", {"name": "乙"}, 201)
    seat = {"session": world.session.public_id, "number": 3}
    keeper = f"clubs/hui/members/{world.keeper.public_id}/guest/"
    claimed = world.ask("referee", "POST", keeper, seat)
    world.ask("referee", "POST", keeper, {**seat, "number": 99}, 404)

    assert {one["name"]: one["evenings"] for one in guests} == {"乙": 1, "丙": 1, "丁": 1, "戊": 1}
    assert world.session.players.get(name="乙").member.public_id == adopted["id"]
    assert world.session.players.get(number=3).member.public_id == claimed["id"]
    assert {one["name"] for one in world.ask("referee", "GET", "clubs/hui/guests/")} == {"丁", "戊"}


def test_a_member_gets_an_account_and_loses_it(world):
    linked = world.ask("owner", "PUT", member(world, "account/"), {"account": "stranger"})
    nobody = world.ask("owner", "PUT", member(world, "account/"), {"account": "no such"}, 422)
    seen = world.ask("stranger", "GET", "clubs/hui/")
    unlinked = world.ask("owner", "DELETE", member(world, "account/"))

    assert (linked["has_account"], unlinked["has_account"]) == (True, False)
    assert nobody["error"]["path"] == "account"
    assert seen["roles"] == ["viewer"]


def test_what_a_member_has_played(world):
    page = world.ask("viewer", "GET", member(world, "statistics/"))
    nothing = world.ask("viewer", "GET", f"clubs/hui/members/{world.keeper.public_id}/statistics/")

    assert page["line"]["rounds"] == 1
    assert (page["games"][0]["variant"], page["games"][0]["line"]["points"]) == ("sichuan", page["line"]["points"])
    assert page["evenings"][0]["session"] == world.session.public_id
    assert sum(one["won"] for one in page["opponents"]) == page["line"]["points"]
    assert (nothing["line"], nothing["evenings"]) == (None, [])


def test_the_permission_table_is_the_one_that_is_read(world):
    table = {row["action"]: row for row in world.ask("viewer", "GET", "clubs/hui/permissions/")}

    assert {action: set(row["roles"]) for action, row in table.items()} == {a: set(p.roles) for a, p in PERMISSIONS.items()}


def test_a_stranger_follows_an_invitation(world):
    made = invite(club=world.club, by=world.accounts["owner"], role="scorer")
    offer = world.ask("stranger", "GET", f"invitations/{made.token}/")
    joined = world.ask("stranger", "POST", f"invitations/{made.token}/", {"name": "新人"}, 201)
    world.ask("stranger", "GET", f"invitations/{made.token}/", status=404)

    assert (offer["club"], offer["role"]) == ("hui", "scorer")
    assert joined["roles"] == ["scorer"]
    assert "新人" in names(world)


def test_who_may_not_grant_roles_makes_no_link_to_a_member_who_has_one(world):
    scorer = world.club.members.get(name="scorer")
    world.ask("owner", "DELETE", f"clubs/hui/members/{scorer.public_id}/account/")
    scorer.roles.create(role="owner")
    body = {"member": scorer.public_id}
    world.ask("referee", "POST", "clubs/hui/invitations/", body, 403)
    made = world.ask("owner", "POST", "clubs/hui/invitations/", body, 201)
    seen = {one["id"]: one["link"] for one in world.ask("referee", "GET", "clubs/hui/invitations/")}

    assert made["link"]
    assert seen[made["id"]] is None


def test_tokens_are_listed_without_their_secrets(world):
    listed = world.ask("owner", "GET", "me/tokens/")

    assert [one["name"] for one in listed] == ["owner"]
    assert not {world.secrets["owner"]} & set(map(str, listed[0].values()))
