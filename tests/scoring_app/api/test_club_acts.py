"""The API of a club's people, rulesets, clocks and disputes: one evening of each."""

from __future__ import annotations

import pytest
from django.test import Client

from rules_app.publishing import fork_ruleset
from scoring_app.ledger import set_confirmation
from scoring_app.models import Membership, Session
from tests.scoring_app.api.world import World, make_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(revision) -> World:
    return make_world(revision)


def test_roles_are_given_and_taken_and_the_last_owner_stays(world):
    keeper = f"clubs/hui/members/{world.keeper.public_id}/roles/"
    owner = world.club.members.get(name="owner").public_id

    given = world.ask("owner", "POST", keeper, {"role": "owner"}, 201)
    taken = world.ask("owner", "DELETE", f"{keeper}owner/")
    world.ask("owner", "DELETE", f"{keeper}owner/", status=404)
    nameless = world.ask("owner", "POST", f"clubs/hui/members/{world.member.public_id}/roles/", {"role": "scorer"}, 422)
    last = world.ask("owner", "DELETE", f"clubs/hui/members/{owner}/roles/owner/", status=422)

    assert (given["roles"], taken["roles"]) == (["rule_keeper", "owner"], ["rule_keeper"])
    assert (nameless["error"]["code"], last["error"]["code"]) == ("no_account", "last_owner")
    assert Membership.objects.get(role="owner", member__club=world.club).member.public_id == owner


def test_an_invitation_is_made_once_shown_to_who_may_give_its_role_and_withdrawn(world):
    body = {"role": "scorer", "note": "周五", "max_uses": 3}
    made = world.ask("owner", "POST", "clubs/hui/invitations/", body, 201, key="k")
    again = world.ask("owner", "POST", "clubs/hui/invitations/", body, 201, key="k")
    plain = world.ask("referee", "POST", "clubs/hui/invitations/", {"member": world.member.public_id}, 201)
    seen = {one["id"]: one["link"] for one in world.ask("referee", "GET", "clubs/hui/invitations/")}

    assert again == made
    assert seen == {made["id"]: None, plain["id"]: plain["link"], world.invitation.pk: None}
    assert plain["member"] == world.member.public_id
    assert Client().get(made["link"]).status_code == 200
    gone = world.ask("owner", "DELETE", f"clubs/hui/invitations/{made['id']}/")
    assert not gone["open"]
    assert Client().get(made["link"]).status_code == 404


def test_a_season_changes_and_says_what_it_plays(world):
    season, variant = f"clubs/hui/seasons/{world.season.public_id}/", world.session.revision.ruleset.slug

    changed = world.ask("owner", "PATCH", season, {"name": "春", "ends": "2026-06-30", "variant": variant})
    backwards = world.ask("owner", "PATCH", season, {"ends": "2025-06-30"}, 422)
    plain = world.ask("owner", "PATCH", season, {"ends": None, "variant": None})

    assert changed == {
        "id": world.season.public_id, "name": "春", "starts": "2026-01-01", "ends": "2026-06-30", "variant": variant, "options": {},
    }  # fmt: skip
    assert backwards["error"]["path"] == "ends"
    assert plain == {**changed, "ends": None, "variant": None} == world.ask("viewer", "GET", season)


def test_a_season_and_a_club_have_house_rules(world):
    season, variant = f"clubs/hui/seasons/{world.season.public_id}/", world.session.revision.ruleset.slug

    changed = world.ask("owner", "PATCH", season, {"variant": variant, "options": {"mode": "single"}})
    unknown = world.ask("owner", "PATCH", season, {"options": {"moon": "full"}}, 422)
    body = {"name": "夏", "starts": "2026-06-01", "variant": variant, "options": changed["options"]}
    opened = world.ask("owner", "POST", "clubs/hui/seasons/", body, 201)
    club = world.ask("owner", "PATCH", "clubs/hui/", {"slug": "hui", "options": {}})
    evening = world.ask("owner", "POST", "clubs/hui/sessions/", {"season": changed["id"]}, 201)

    assert changed["options"] == opened["options"] == evening["options"] == {"mode": "single"}
    assert unknown["error"]["path"] == "default_options"
    assert (club["variant"], club["options"]) == (variant, {})


def test_a_club_adopts_forks_and_names_editors(world, revision):
    fork_ruleset(ruleset=revision.ruleset, slug="mine", owner=world.accounts["rule_keeper"])

    adopted = world.ask("rule_keeper", "POST", "clubs/hui/rulesets/", {"ruleset": "mine"}, 201)
    forked = world.ask("owner", "POST", f"clubs/hui/rulesets/{revision.ruleset.slug}/fork/", {"slug": "ours", "name_en": "Ours"}, 201)
    taken = world.ask("owner", "POST", f"clubs/hui/rulesets/{revision.ruleset.slug}/fork/", {"slug": "ours"}, 422)
    not_own = world.ask("owner", "POST", "clubs/hui/rulesets/", {"ruleset": "mine"}, 422)
    edited = world.ask("owner", "PATCH", "clubs/hui/rulesets/ours/", {"editors": [world.keeper.public_id]})
    unknown = world.ask("owner", "PATCH", "clubs/hui/rulesets/ours/", {"editors": ["nobody"]}, 422)

    assert (adopted["slug"], adopted["published"], adopted["draft"]) == ("mine", None, True)
    assert (forked["name_en"], forked["forked_from"]) == ("Ours", revision.ruleset.slug)
    assert "ours" in taken["error"]["message"]
    assert (not_own["error"]["path"], unknown["error"]["path"]) == ("ruleset", "editors")
    assert edited["editors"] == [world.keeper.public_id]
    assert [one["slug"] for one in world.ask("viewer", "GET", "clubs/hui/rulesets/")] == ["hui_rules", "mine", "ours"]


def test_the_clock_starts_pauses_and_goes_on_and_a_table_gets_extra_time(world):
    Session.objects.filter(pk=world.session.pk).update(length_kind="clock", length=60)
    world.session.tables.update(length_kind="clock", length=60)
    clock = f"sessions/{world.session.public_id}/clock/"
    extra = f"sessions/{world.session.public_id}/tables/{world.table.public_id}/extra-time/"

    early = world.ask("referee", "POST", clock, {"do": "pause"}, 422)
    started = world.ask("referee", "POST", clock, {"do": "start"})
    paused = world.ask("referee", "POST", clock, {"do": "pause"})
    world.ask("referee", "POST", extra, {"seconds": 300, "reason": "断电"}, 201)
    nothing = world.ask("referee", "POST", extra, {"seconds": 0}, 422)
    resumed = world.ask("referee", "POST", clock, {"do": "resume"})

    assert (early["error"]["code"], nothing["error"]["path"]) == ("not_running", "seconds")
    assert (started["running"], paused["running"], resumed["running"]) == (True, False, True)
    assert paused["tables"][0]["ends_at"] is None
    assert 3600 < resumed["tables"][0]["seconds_left"] <= 3900
    assert [(one["seconds"], one["reason"], one["device"]) for one in world.ask("viewer", "GET", extra)] == [(300, "断电", "referee")]
    assert world.ask("viewer", "GET", clock)["tables"][0]["extra_seconds"] == 300


def test_an_entry_is_confirmed_disputed_and_the_dispute_settled_once(world):
    set_confirmation(table=world.table, policy="person")
    table = f"tables/{world.table.public_id}/"

    before = world.ask("viewer", "GET", f"{table}marks/")
    stale = world.ask("scorer", "POST", f"{table}entries/1/confirm/", {"version": before[0]["version"] + 1}, 422)
    world.ask("scorer", "POST", f"{table}entries/1/confirm/", {"version": before[0]["version"]}, 201)
    raised = world.ask("viewer", "POST", f"{table}entries/1/disputes/", {"text": "是四番"}, 201, key="k")
    again = world.ask("viewer", "POST", f"{table}entries/1/disputes/", {"text": "是四番"}, 201, key="k")
    world.ask("viewer", "POST", f"{table}entries/99/disputes/", {"text": "是四番"}, 422)
    answer = f"{table}disputes/{raised['id']}/answer/"
    settled = world.ask("referee", "POST", answer, {"outcome": "rejected", "text": "看过"}, 201)
    twice = world.ask("referee", "POST", answer, {"outcome": "upheld"}, 422)
    after = world.ask("viewer", "GET", f"{table}marks/")

    assert (before[0]["seq"], before[0]["needs_confirmation"], before[0]["confirmations"]) == (1, True, [])
    assert (stale["error"]["code"], twice["error"]["code"]) == ("content_changed", "answered")
    assert (again, raised["answer"], raised["account"]) == (raised, None, "viewer")
    assert (settled["answer"]["outcome"], settled["answer"]["account"]) == ("rejected", "referee")
    assert (after[0]["needs_confirmation"], after[0]["confirmations"][0]["account"]) == (False, "scorer")
    assert [one["answer"] and one["answer"]["outcome"] for one in after[0]["disputes"]] == [None, "rejected"]
