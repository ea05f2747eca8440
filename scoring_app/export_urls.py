"""Routes of exports, imports and jobs."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from scoring_app.export_views import downloads, imports, jobs, tokens

app_name = "exports"

AT = "t/<str:public_id>/<str:token>/export/"
SESSION = "sessions/<str:public_id>/export/"
CLUB = "clubs/<slug:slug>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path(AT, downloads.table_exports, name="table"),
    path(f"{AT}<str:form>/", downloads.table_download, name="table_file"),
    path(SESSION, downloads.session_exports, name="session"),
    path(f"{SESSION}<str:form>/", downloads.session_download, name="session_file"),
    path(f"{CLUB}export/", downloads.club_exports, name="club"),
    path(f"{CLUB}export/standings/", downloads.club_download, name="club_file"),
    path(f"{CLUB}import/", imports.club_import, name="club_import"),
    path(f"{CLUB}import/<str:job>/", imports.club_import_confirm, name="club_import_confirm"),
    path("import/", imports.own_import, name="own_import"),
    path("import/<str:job>/", imports.own_import_confirm, name="own_import_confirm"),
    path("jobs/", jobs.my_jobs, name="jobs"),
    path("jobs/<str:public_id>/", jobs.job, name="job"),
    path("jobs/<str:public_id>/file/", jobs.job_file, name="job_file"),
    path("jobs/<str:public_id>/cancel/", jobs.job_cancel, name="job_cancel"),
    path("jobs/<str:public_id>/again/", jobs.job_restart, name="job_restart"),
    path("accounts/tokens/", tokens.tokens, name="tokens"),
    path("accounts/tokens/<str:public_id>/revoke/", tokens.revoke, name="token_revoke"),
]
