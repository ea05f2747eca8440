"""Addresses of clubs, sessions, statistics and of the tools of a table."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from scoring_app.club_views import clubs, invitations, members, rulesets, seasons, statistics
from scoring_app.session_views import devices, hall, opening, page, players, seating, settling, table_devices, table_seats, table_tools

app_name = "clubs"

CLUB = "clubs/<slug:slug>/"
MEMBER = f"{CLUB}members/<str:public_id>/"
SESSION = "sessions/<str:public_id>/"
TABLE = "t/<str:public_id>/<str:token>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/", clubs.mine, name="mine"),
    path("clubs/new/", clubs.new, name="new"),
    path("clubs/join/<str:token>/", invitations.join_club, name="join_club"),
    path(CLUB, clubs.home, name="club"),
    path(f"{CLUB}settings/", clubs.settings, name="settings"),
    path(f"{CLUB}permissions/", clubs.permissions, name="permissions"),
    path(f"{CLUB}members/", members.members, name="members"),
    path(f"{CLUB}members/add/", members.add, name="member_add"),
    path(MEMBER, statistics.player, name="player"),
    path(f"{MEMBER}edit/", members.edit, name="member_edit"),
    path(f"{MEMBER}roles/", members.roles, name="member_roles"),
    path(f"{MEMBER}account/", members.account, name="member_account"),
    path(f"{MEMBER}leave/", members.leave, name="member_leave"),
    path(f"{MEMBER}merge/", members.merge, name="member_merge"),
    path(f"{MEMBER}unmerge/", members.unmerge, name="member_unmerge"),
    path(f"{MEMBER}guest/", members.guest, name="member_guest"),
    path(f"{CLUB}invitations/", invitations.invitations, name="invitations"),
    path(f"{CLUB}invitations/<int:pk>/", invitations.invitation, name="invitation"),
    path(f"{CLUB}invitations/<int:pk>/revoke/", invitations.revoke, name="invitation_revoke"),
    path(f"{CLUB}seasons/", seasons.seasons, name="seasons"),
    path(f"{CLUB}seasons/new/", seasons.new, name="season_new"),
    path(f"{CLUB}seasons/<str:public_id>/", seasons.edit, name="season_edit"),
    path(f"{CLUB}rulesets/", rulesets.rulesets, name="rulesets"),
    path(f"{CLUB}rulesets/fork/", rulesets.fork, name="ruleset_fork"),
    path(f"{CLUB}rulesets/adopt/", rulesets.adopt, name="ruleset_adopt"),
    path(f"{CLUB}rulesets/<slug:ruleset>/editors/", rulesets.editors, name="ruleset_editors"),
    path(f"{CLUB}standings/", statistics.standings, name="standings"),
    path(f"{CLUB}sessions/", opening.sessions, name="sessions"),
    path(f"{CLUB}sessions/new/", opening.new, name="session_new"),
    path("sessions/new/", opening.new_without_club, name="session_open"),
    path(SESSION, page.session, name="session"),
    path(f"{SESSION}state/", page.state, name="session_state"),
    path(f"{SESSION}edit/", opening.edit, name="session_edit"),
    path(f"{SESSION}code/", page.code, name="session_code"),
    path(f"{SESSION}links/", page.links, name="session_links"),
    path(f"{SESSION}clock/", page.clock, name="session_clock"),
    path(f"{SESSION}fees/", page.fees, name="session_fees"),
    path(f"{SESSION}end/", page.end, name="session_end"),
    path(f"{SESSION}players/", players.players, name="session_players"),
    path(f"{SESSION}players/<int:number>/", players.player, name="session_player"),
    path(f"{SESSION}players/<int:number>/leave/", players.leave, name="session_leave"),
    path(f"{SESSION}me/", players.me, name="session_me"),
    path(f"{SESSION}seats/", seating.seats, name="session_seats"),
    path(f"{SESSION}table/", seating.table, name="session_table"),
    path(f"{SESSION}tables/<str:table>/time/", page.extra_time, name="session_time"),
    path(f"{SESSION}standings/", statistics.session_standings, name="session_standings"),
    path(f"{SESSION}penalties/", statistics.session_penalties, name="session_penalties"),
    path(f"{SESSION}settle/", settling.settle, name="session_settle"),
    path(f"{SESSION}settle/pay/", settling.pay, name="session_pay"),
    path(f"{SESSION}settle/unpay/", settling.unpay, name="session_unpay"),
    path(f"{SESSION}devices/", devices.devices, name="session_devices"),
    path(f"{SESSION}devices/<str:grant>/", devices.change, name="session_device"),
    path("devices/<str:token>/", devices.let_in, name="let_in"),
    path("join/", players.join, name="join"),
    path("join/<str:code>/", players.join_code, name="join_code"),
    path("s/<str:public_id>/<str:token>/", hall.hall, name="hall"),
    path("s/<str:public_id>/<str:token>/state/", hall.hall_state, name="hall_state"),
    path(f"{TABLE}tools/", table_tools.tools, name="table_tools"),
    path(f"{TABLE}seats/", table_seats.seats, name="table_seats"),
    path(f"{TABLE}seats/rest/", table_seats.rest, name="table_rest"),
    path(f"{TABLE}seats/replay/", table_seats.reseat, name="table_reseat"),
    path(f"{TABLE}scores/", table_tools.scores, name="table_scores"),
    path(f"{TABLE}position/", table_tools.position, name="table_position"),
    path(f"{TABLE}fee/", table_tools.fee, name="table_fee"),
    path(f"{TABLE}settle/", settling.at_one_table, name="table_settle"),
    path(f"{TABLE}rules/", table_tools.rules, name="table_rules"),
    path(f"{TABLE}marks/", table_tools.marks, name="table_marks"),
    path(f"{TABLE}marks/confirm/", table_tools.confirm, name="table_confirm"),
    path(f"{TABLE}marks/dispute/", table_tools.dispute, name="table_dispute"),
    path(f"{TABLE}marks/<int:pk>/answer/", table_tools.answer, name="table_answer"),
    path(f"{TABLE}devices/", table_devices.devices, name="table_devices"),
    path(f"{TABLE}devices/<str:grant>/", table_devices.change, name="table_device"),
]
