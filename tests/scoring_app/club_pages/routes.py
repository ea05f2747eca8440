"""Every address of clubs and sessions, with what is sent there and who may."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse

from tests.scoring_app.club_pages.conftest import Place

ROLES = {"O": "owner", "K": "rule_keeper", "R": "referee", "S": "scorer", "V": "viewer"}
EVERYBODY = "OKRSV"


@dataclass(frozen=True)
class Route:
    """``allowed``: letters of `ROLES`; ``data`` None: a GET."""

    name: str
    args: list[Any]
    allowed: str = EVERYBODY
    data: dict[str, Any] | None = field(default=None)

    @property
    def url(self) -> str:
        return reverse(f"clubs:{self.name}", args=self.args)


def club_routes(place: Place) -> list[Route]:
    """The pages of the club: a stranger finds none of them."""
    slug, member = place.club.slug, place.members[0].public_id
    return [
        Route("club", [slug]),
        Route("permissions", [slug]),
        Route("members", [slug]),
        Route("player", [slug, member]),
        Route("seasons", [slug]),
        Route("rulesets", [slug]),
        Route("standings", [slug]),
        Route("sessions", [slug]),
        Route("settings", [slug], "O"),
        Route("settings", [slug], "O", {"name": ""}),
        Route("member_add", [slug], "OR", {"name": ""}),
        Route("member_edit", [slug, member], "OR"),
        Route("member_edit", [slug, member], "OR", {"name": ""}),
        Route("member_roles", [slug, member], "O", {"role": "referee"}),
        Route("member_account", [slug, member], "O", {"account": ""}),
        Route("member_leave", [slug, member], "OR", {}),
        Route("member_merge", [slug, member], "O", {"gone": place.members[1].public_id}),
        Route("member_unmerge", [slug, place.merged.public_id], "O", {}),
        Route("member_guest", [slug, member], "OR", {"player": place.guest.pk}),
        Route("invitations", [slug], "OR"),
        Route("invitations", [slug], "OR", {"days": "0"}),
        Route("invitation", [slug, place.invitation.pk], "OR"),
        Route("invitation_revoke", [slug, place.invitation.pk], "OR", {}),
        Route("season_new", [slug], "O"),
        Route("season_new", [slug], "O", {"name": ""}),
        Route("season_edit", [slug, place.season.public_id], "O"),
        Route("season_edit", [slug, place.season.public_id], "O", {"name": ""}),
        Route("ruleset_fork", [slug], "OK", {"game": "sichuan", "slug": "A"}),
        Route("ruleset_adopt", [slug], "OK", {"ruleset": "own"}),
        Route("ruleset_editors", [slug, "jade_rules"], "OK", {}),
        Route("session_new", [slug], "OR"),
        Route("session_new", [slug], "OR", {"game": "no"}),
    ]


def session_routes(place: Place) -> list[Route]:
    """The pages of the session."""
    sid = place.session.public_id
    return [
        Route("session", [sid]),
        Route("session_state", [sid]),
        Route("session_standings", [sid]),
        Route("session_penalties", [sid]),
        Route("session_settle", [sid]),
        Route("session_edit", [sid], "OR"),
        Route("session_edit", [sid], "OR", {"length_kind": "rounds", "length": "0"}),
        Route("session_code", [sid], "OR"),
        Route("session_code", [sid], "OR", {"minutes": "0"}),
        Route("session_links", [sid], "OR"),
        Route("session_clock", [sid], "OR", {"do": "pause"}),
        Route("session_fees", [sid], "OR"),
        Route("session_fees", [sid], "OR", {"amount": "1"}),
        Route("session_end", [sid], "OR"),
        Route("session_end", [sid], "OR", {}),
        Route("session_players", [sid], "ORS"),
        Route("session_players", [sid], "ORS", {"names": "x" * 50}),
        Route("session_player", [sid, 1], "ORS"),
        Route("session_player", [sid, 1], "ORS", {"name": ""}),
        Route("session_leave", [sid, 1], "ORS", {}),
        Route("session_seats", [sid], "OR"),
        Route("session_seats", [sid], "OR", {"rotation": "7"}),
        Route("session_table", [sid], "ORS"),
        Route("session_table", [sid], "ORS", {}),
        Route("session_time", [sid, place.table.public_id], "OR", {"minutes": "0"}),
        Route("session_pay", [sid], "ORS", place.payment()),
        Route("session_unpay", [sid], "ORS", {"table": place.table.public_id, "seq": "1", "version": "1"}),
        Route("session_devices", [sid], "OR"),
        Route("session_devices", [sid], "OR", {"role": "scorer"}),
        Route("session_device", [sid, place.grant.public_id], "OR", {"do": "rename", "label": "Phone"}),
    ]


def table_routes(place: Place, token: str) -> list[Route]:
    """The tools of the table, under one of its secrets; the roles are those who reach them by the link that looks."""
    at = [place.table.public_id, token]
    return [
        Route("table_tools", at),
        Route("table_marks", at),
        Route("table_dispute", at, EVERYBODY, {"seq": "1", "text": ""}),
        Route("table_seats", at, "ORS"),
        Route("table_seats", at, "ORS", {}),
        Route("table_rest", at, "ORS", {}),
        Route("table_policy", at, "OR", {"confirmation": "never"}),
        Route("table_confirm", at, "ORS", {"seq": "1"}),
        Route("table_answer", [*at, place.dispute.pk], "OR", {"outcome": ""}),
        Route("table_reseat", at, "OR"),
        Route("table_reseat", at, "OR", {"go": "confirm", "seat": ["0", "1", "2", "3"]}),
        Route("table_position", at, "ORS"),
        Route("table_position", at, "ORS", {"streak": "x"}),
        Route("table_scores", at, "OR"),
        Route("table_scores", at, "OR", {"total.0": "x"}),
        Route("table_fee", at, "OR"),
        Route("table_fee", at, "OR", {"amount": "x"}),
        Route("table_settle", at, "ORS"),
        Route("table_settle", at, "ORS", {"payer": "nobody"}),
        Route("table_rules", at, "OR"),
        Route("table_rules", at, "OR", {"go": "confirm"}),
        Route("table_devices", at, "OR"),
        Route("table_devices", at, "OR", {"role": "scorer"}),
        Route("table_device", [*at, place.table_grant.public_id], "OR", {"do": "rename"}),
    ]
