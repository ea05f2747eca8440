"""JSON endpoints of scoring_app, under /api/v1/."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from scoring_app import api
from scoring_app.club_api import clock, clubs, marks, people, rulesets, sessions

app_name = "scoring_api"

CLUB = "clubs/<slug:slug>/"
SESSION = "sessions/<str:public_id>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path("tables/", api.Tables.as_view(), name="tables"),
    path("tables/<str:public_id>/", api.TableDetail.as_view(), name="table"),
    path("tables/<str:public_id>/preview/", api.Preview.as_view(), name="preview"),
    path("tables/<str:public_id>/undo/", api.Undo.as_view(), name="undo"),
    path("tables/<str:public_id>/close/", api.Close.as_view(), name="close"),
    path("tables/<str:public_id>/entries/", api.Entries.as_view(), name="entries"),
    path("tables/<str:public_id>/entries/<int:seq>/", api.EntryDetail.as_view(), name="entry"),
    path("tables/<str:public_id>/entries/<int:seq>/correct/", api.Correct.as_view(), name="correct"),
    path("tables/<str:public_id>/entries/<int:seq>/void/", api.Void.as_view(), name="void"),
    path("me/", clubs.Account.as_view(), name="me"),
    path("clubs/", clubs.Clubs.as_view(), name="clubs"),
    path(CLUB, clubs.ClubDetail.as_view(), name="club"),
    path(f"{CLUB}members/", clubs.Members.as_view(), name="members"),
    path(f"{CLUB}members/<str:member>/", clubs.MemberDetail.as_view(), name="member"),
    path(f"{CLUB}members/<str:member>/roles/", people.Roles.as_view(), name="roles"),
    path(f"{CLUB}members/<str:member>/roles/<str:role>/", people.RoleDetail.as_view(), name="role"),
    path(f"{CLUB}invitations/", people.Invitations.as_view(), name="invitations"),
    path(f"{CLUB}invitations/<int:invitation>/", people.InvitationDetail.as_view(), name="invitation"),
    path(f"{CLUB}seasons/", clubs.Seasons.as_view(), name="seasons"),
    path(f"{CLUB}seasons/<str:season>/", clubs.SeasonDetail.as_view(), name="season"),
    path(f"{CLUB}rulesets/", rulesets.ClubRulesets.as_view(), name="club_rulesets"),
    path(f"{CLUB}rulesets/<slug:ruleset>/", rulesets.ClubRulesetDetail.as_view(), name="club_ruleset"),
    path(f"{CLUB}rulesets/<slug:game>/fork/", rulesets.Fork.as_view(), name="fork"),
    path(f"{CLUB}statistics/", clubs.ClubStatistics.as_view(), name="club_statistics"),
    path(f"{CLUB}exports/", clubs.ClubExports.as_view(), name="club_exports"),
    path(f"{CLUB}sessions/", sessions.ClubSessions.as_view(), name="club_sessions"),
    path(SESSION, sessions.SessionDetail.as_view(), name="session"),
    path(f"{SESSION}players/", sessions.Players.as_view(), name="players"),
    path(f"{SESSION}players/<int:number>/leave/", sessions.PlayerLeaves.as_view(), name="player_leaves"),
    path(f"{SESSION}seating/", sessions.Seating.as_view(), name="seating"),
    path(f"{SESSION}tables/", sessions.SessionTables.as_view(), name="session_tables"),
    path(f"{SESSION}tables/<str:table>/substitute/", sessions.Substitute.as_view(), name="substitute"),
    path(f"{SESSION}tables/<str:table>/extra-time/", clock.ExtraTimes.as_view(), name="extra_time"),
    path(f"{SESSION}tables/<str:table>/marks/", marks.TableMarks.as_view(), name="marks"),
    path(f"{SESSION}tables/<str:table>/entries/<int:seq>/confirm/", marks.Confirm.as_view(), name="confirm"),
    path(f"{SESSION}tables/<str:table>/entries/<int:seq>/disputes/", marks.Disputes.as_view(), name="disputes"),
    path(f"{SESSION}tables/<str:table>/disputes/<int:dispute>/answer/", marks.DisputeAnswers.as_view(), name="answer_dispute"),
    path(f"{SESSION}clock/", clock.SessionClock.as_view(), name="clock"),
    path(f"{SESSION}end/", sessions.EndSession.as_view(), name="end_session"),
    path(f"{SESSION}settlement/", sessions.Settlements.as_view(), name="settlement"),
    path(f"{SESSION}statistics/", sessions.SessionStatistics.as_view(), name="session_statistics"),
    path(f"{SESSION}devices/", sessions.Devices.as_view(), name="devices"),
    path(f"{SESSION}devices/<str:grant>/", sessions.DeviceDetail.as_view(), name="device"),
    path(f"{SESSION}exports/", sessions.SessionExports.as_view(), name="session_exports"),
    path("jobs/<str:job>/", sessions.Jobs.as_view(), name="job"),
    path("jobs/<str:job>/file/", sessions.JobFile.as_view(), name="job_file"),
]
