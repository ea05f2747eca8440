"""Pages of rules_app."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from rules_app import score_views

app_name = "rules"

urlpatterns: list[URLPattern | URLResolver] = [
    path("score/", score_views.index, name="score_index"),
    path("score/<slug:slug>/", score_views.page, name="score"),
]
