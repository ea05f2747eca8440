"""JSON endpoints of scoring_app, under /api/v1/."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from scoring_app import api

app_name = "scoring_api"

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
]
