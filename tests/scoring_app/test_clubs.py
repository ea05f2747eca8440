"""Clubs: members, roles by one table, invitations, seasons, rulesets (G14, G20, G25)."""

from __future__ import annotations

import datetime
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from scoring_app.clubs import (
    PERMISSIONS,
    ROLES,
    accept_invitation,
    add_member,
    adopt_ruleset,
    clubs_of,
    create_club,
    defaults_of,
    edit_club,
    edit_season,
    find_invitation,
    find_member,
    fork_for_club,
    grant_role,
    invite,
    leave_club,
    link_account,
    link_participant,
    may,
    may_at_table,
    may_edit_ruleset,
    may_in_session,
    members_of,
    merge_members,
    open_season,
    rename_member,
    return_to_club,
    revoke_invitation,
    roles_of,
    season_at,
    set_editors,
    set_roles,
    withdraw_role,
)
from scoring_app.errors import ClubError
from scoring_app.ledger import record_round
from scoring_app.models import Invitation, Role
from scoring_app.sessions import open_session
from tests.factories import UserFactory
from tests.scoring_app.evenings import table_of
from tests.scoring_app.rounds import discard_win, payload

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(db):
    return UserFactory.create(username="owner")


@pytest.fixture
def club(owner):
    return create_club(name=" 周五 麻将会 ", owner=owner, slug="friday")


def with_role(club, role):
    user = UserFactory.create()
    member = add_member(club=club, name=user.username, account=user)
    if role:
        grant_role(member=member, role=role)
    return user


def code_of(refusal):
    return refusal.value.code


def test_who_founds_a_club_owns_it(club, owner):
    assert (club.name, club.slug) == ("周五 麻将会", "friday")
    assert roles_of(owner, club) == {"owner"}
    assert [(line.club, line.roles, line.members) for line in clubs_of(owner)] == [(club, ("owner",), 1)]
    for slug in ("friday", "-x", "X"):
        with pytest.raises(ClubError):
            create_club(name="别的", owner=owner, slug=slug)


def test_the_permission_table_names_every_action_in_both_languages():
    assert set(ROLES) == set(Role.values)
    for action, row in PERMISSIONS.items():
        assert row.action == action
        assert row.label.zh
        assert row.label.en
        assert "owner" in row.roles
        assert row.roles <= set(ROLES)


def test_a_referee_corrects_and_substitutes_and_sets_nothing_up(club):
    # G14
    referee = with_role(club, "referee")
    for action in ("record_penalty", "correct_entry", "change_seats", "replay_seats", "answer_dispute", "give_time"):
        assert may(referee, action, club)
    for action in ("edit_club", "grant_roles", "edit_seasons", "edit_rulesets", "publish_rulesets"):
        assert not may(referee, action, club)


@pytest.mark.parametrize("role", [*Role.values, ""])
def test_every_door_reads_the_same_table(club, revision, role):
    # G25
    user = with_role(club, role)
    session = open_session(club=club, revision=revision, options={"mode": "single"})
    table = table_of(session, "甲乙丙丁")
    for action, row in PERMISSIONS.items():
        expected = (role or "viewer") in row.roles
        assert may(user, action, club) is expected
        assert user.has_perm(f"scoring_app.{action}", club) is expected
        assert user.has_perm(f"scoring_app.{action}", table) is expected
        assert may_in_session(action, session=session, user=user) is expected
        assert may_at_table(action, table=table, user=user) is expected


def test_strangers_may_nothing_in_a_club(club, revision):
    table = table_of(open_session(club=club, revision=revision, options={"mode": "single"}), "甲乙丙丁")
    for user in (None, AnonymousUser(), UserFactory.create()):
        assert not any(may(user, action, club) or may_at_table(action, table=table, user=user) for action in PERMISSIONS)
    assert not may(UserFactory.create(), "no_such_action", club)
    assert may_at_table("record_round", table=table, device_role="scorer")
    assert not may_at_table("set_scores", table=table, device_role="scorer")
    assert not may_at_table("record_round", table=table, device_role="viewer")
    assert may_at_table("answer_dispute", table=table, host=True)


def test_a_table_among_friends_belongs_to_its_scorers(table, revision):
    assert may_at_table("set_scores", table=table, device_role="scorer")
    assert may_at_table("view_table", table=table, device_role="viewer")
    assert not may_at_table("record_round", table=table, device_role="viewer")
    session = open_session(revision=revision, options={"mode": "single"})
    assert may_in_session("run_session", session=session, host=True)
    assert not may_in_session("run_session", session=session, device_role="scorer")
    assert may_at_table("set_scores", table=table_of(session, "甲乙丙丁"), device_role="scorer")


def test_a_club_keeps_an_owner(club, owner):
    member = club.members.get(account=owner)
    for act in (
        lambda: withdraw_role(member=member, role="owner"),
        lambda: set_roles(member=member, roles=["referee", "scorer"]),
        lambda: leave_club(member=member),
    ):
        with pytest.raises(ClubError) as refusal:
            act()
        assert code_of(refusal) == "last_owner"
    assert roles_of(owner, club) == {"owner"}
    other = add_member(club=club, name="副", account=UserFactory.create())
    grant_role(member=other, role="owner")
    set_roles(member=member, roles=["referee", "scorer"])
    assert roles_of(owner, club) == {"referee", "scorer"}


def test_members_are_names_or_accounts(club):
    guest = add_member(club=club, name="小王")
    with pytest.raises(ClubError) as refusal:
        add_member(club=club, name="小王")
    assert code_of(refusal) == "name_taken"
    with pytest.raises(ClubError) as refusal:
        grant_role(member=guest, role="referee")
    assert code_of(refusal) == "no_account"

    user = UserFactory.create()
    link_account(member=guest, account=user)
    grant_role(member=guest, role="referee")
    grant_role(member=guest, role="rule_keeper")
    rename_member(member=guest, name="王师傅")
    assert [(line.member.name, line.roles, line.has_account) for line in members_of(club)][1] == (
        "王师傅",
        ("rule_keeper", "referee"),
        True,
    )
    leave_club(member=guest)
    assert roles_of(user, club) == set()
    assert [line.member for line in members_of(club, left=True)] == [guest]
    return_to_club(member=guest)
    assert roles_of(user, club) == {"viewer"}


@pytest.mark.parametrize("count", [1, 20])
def test_lists_take_a_fixed_number_of_queries(club, owner, count, django_assert_num_queries):
    for _ in range(count):
        with_role(club, "scorer")
        create_club(name="又一个", owner=owner)
    with django_assert_num_queries(2):
        members_of(club)
    create_club(name="0", owner=owner)
    with django_assert_num_queries(2):
        assert clubs_of(owner)[0].club.name == "0"


def test_two_members_become_one_unless_they_sat_together(club, revision):
    session = open_session(club=club, revision=revision, options={"mode": "single"})
    table = table_of(session, "甲乙丙丁")
    record_round(table=table, payload=payload(discard_win(0, payer=1)), expected_version=0, idempotency_key="a")
    one, two, three = (add_member(club=club, name=name) for name in ("甲", "乙", "王甲"))
    for member in (one, two):
        link_participant(participant=table.participants.get(name=member.name), member=member)

    with pytest.raises(ClubError) as refusal:
        merge_members(keep=two, gone=one)
    assert code_of(refusal) == "sat_together"
    user = UserFactory.create()
    link_account(member=one, account=user)
    grant_role(member=one, role="referee")
    merge_members(keep=three, gone=one)
    assert roles_of(user, club) == {"referee"}
    assert find_member(club, one.public_id) == three
    with pytest.raises(ClubError) as refusal:
        merge_members(keep=two, gone=three)
    assert code_of(refusal) == "sat_together"


def test_an_invitation_makes_members_until_it_ends(club, owner):
    invitation = invite(club=club, by=owner, role="scorer", max_uses=2, note="记分")
    user = UserFactory.create()
    member = accept_invitation(token=invitation.token, account=user, name="小李")
    assert member.name == "小李"
    assert roles_of(user, club) == {"scorer"}
    assert accept_invitation(token=invitation.token, account=user) == member
    accept_invitation(token=invitation.token, account=UserFactory.create())
    with pytest.raises(Invitation.DoesNotExist):
        accept_invitation(token=invitation.token, account=UserFactory.create())

    guest = add_member(club=club, name="只有名字")
    personal = invite(club=club, by=owner, member=guest)
    assert accept_invitation(token=personal.token, account=UserFactory.create()) == guest
    revoked, old = invite(club=club, by=owner), invite(club=club, by=owner)
    revoke_invitation(invitation=revoked)
    Invitation.objects.filter(pk=old.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    for token in (revoked.token, old.token, "guess"):
        with pytest.raises(Invitation.DoesNotExist):
            find_invitation(token)


def test_seasons_bring_rules_of_their_own_and_old_sessions_keep_theirs(club, revision):
    # G20
    edit_club(club=club, default_revision=revision, default_options={"mode": "single"}, table_fee=2, confirmation="device")
    club.refresh_from_db()
    spring = open_season(club=club, name="春", starts=datetime.date(2026, 1, 1), ends=datetime.date(2026, 6, 30))
    old = open_session(club=club, season=spring)
    assert (old.revision, old.options, old.table_fee, old.confirmation) == (revision, {"mode": "single"}, 2, "device")

    edit_season(season=spring, default_revision=revision, default_options={"mode": "single", "base": 5})
    old.refresh_from_db()
    assert old.options == {"mode": "single"}
    assert open_session(club=club, season=spring).options["base"] == 5
    assert defaults_of(club).options == {"mode": "single"}
    assert season_at(club, datetime.date(2026, 6, 30)) == spring
    assert season_at(club, datetime.date(2026, 7, 1)) is None
    with pytest.raises(ClubError):
        open_season(club=club, name="春", starts=datetime.date(2027, 1, 1))
    with pytest.raises(ClubError):
        edit_club(club=club, default_options={"nonsense": 1})


def test_a_club_says_who_edits_its_rules(club, owner, revision):
    revision.ruleset.shipped = True
    revision.ruleset.save()
    with pytest.raises(ClubError):
        adopt_ruleset(club=club, ruleset=revision.ruleset)
    link = fork_for_club(club=club, ruleset=revision.ruleset, slug="friday_rules", by=owner)
    keeper, referee, chosen = (with_role(club, role) for role in ("rule_keeper", "referee", ""))
    set_editors(club_ruleset=link, members=[club.members.get(account=chosen)])

    assert [may_edit_ruleset(user, link.ruleset) for user in (owner, keeper, referee, chosen, None)] == [True, True, False, True, False]
    assert not may_edit_ruleset(owner, revision.ruleset)
    with pytest.raises(ClubError):
        adopt_ruleset(club=create_club(name="别会", owner=owner), ruleset=link.ruleset)
