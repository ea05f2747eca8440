"""Pages of scoring_app.  The secret in an address says what its holder may do."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from scoring_app.views import beside, deal, entries, in_progress, middle, more, offline, opening, recording, table

app_name = "scoring"

AT = "t/<str:public_id>/<str:token>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path("tables/new/", opening.new, name="table_new"),
    path("tables/new/<slug:slug>/", opening.new_game, name="table_new_game"),
    path(AT, table.table, name="table"),
    path(f"{AT}state/", table.state, name="state"),
    path(f"{AT}undo/", table.undo, name="undo"),
    path(f"{AT}links/", opening.links, name="links"),
    path(f"{AT}deal/", deal.deal, name="deal"),
    path(f"{AT}record/", recording.record, name="record"),
    path(f"{AT}round/remove/<int:index>/", in_progress.remove, name="remove"),
    path(f"{AT}round/discard/", in_progress.discard, name="discard"),
    path(f"{AT}round/end/", in_progress.end, name="end"),
    path(f"{AT}entry/<int:seq>/", entries.detail, name="entry"),
    path(f"{AT}entry/<int:seq>/correct/", entries.correct, name="correct"),
    path(f"{AT}entry/<int:seq>/void/", entries.void, name="void"),
    path(f"{AT}more/", more.more, name="more"),
    path(f"{AT}close/", more.close, name="close"),
    path(f"{AT}device/", more.device, name="device"),
    path(f"{AT}middle/", middle.middle, name="middle"),
    path(f"{AT}writers/", beside.writers, name="writers"),
    path(f"{AT}take-over/", beside.take_over, name="take_over"),
    path("service-worker.js", offline.service_worker, name="service_worker"),
    path("offline/", offline.offline, name="offline"),
]
