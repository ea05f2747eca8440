"""Clubs, as plain functions: members, roles, invitations, seasons and rulesets.

Each writing function is one transaction and takes keyword arguments; what it refuses is a `ClubError`.
"""

from __future__ import annotations

from scoring_app.clubs.founding import (
    KEEP,
    Defaults,
    accept_invitation,
    adopt_ruleset,
    create_club,
    defaults_of,
    edit_club,
    edit_season,
    find_invitation,
    fork_for_club,
    invite,
    may_edit_ruleset,
    open_season,
    revoke_invitation,
    season_at,
    set_editors,
)
from scoring_app.clubs.members import (
    add_member,
    grant_role,
    leave_club,
    link_account,
    link_participant,
    link_player,
    merge_members,
    rename_member,
    return_to_club,
    unmerge_member,
    withdraw_role,
)
from scoring_app.clubs.permissions import PERMISSIONS, ROLES, Permission, may, may_at_table, may_in_session, roles_of
from scoring_app.clubs.selectors import ClubLine, MemberLine, clubs_of, find_club, find_member, members_of
from scoring_app.errors import ClubError

__all__ = [
    "KEEP",
    "PERMISSIONS",
    "ROLES",
    "ClubError",
    "ClubLine",
    "Defaults",
    "MemberLine",
    "Permission",
    "accept_invitation",
    "add_member",
    "adopt_ruleset",
    "clubs_of",
    "create_club",
    "defaults_of",
    "edit_club",
    "edit_season",
    "find_club",
    "find_invitation",
    "find_member",
    "fork_for_club",
    "grant_role",
    "invite",
    "leave_club",
    "link_account",
    "link_participant",
    "link_player",
    "may",
    "may_at_table",
    "may_edit_ruleset",
    "may_in_session",
    "members_of",
    "merge_members",
    "open_season",
    "rename_member",
    "return_to_club",
    "revoke_invitation",
    "roles_of",
    "season_at",
    "set_editors",
    "unmerge_member",
    "withdraw_role",
]
