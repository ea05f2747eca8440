"""JSON endpoints of rules_app, under /api/v1/."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from rules_app import api
from rules_app.search import urls as search_urls

app_name = "rules_api"

urlpatterns: list[URLPattern | URLResolver] = [
    path("variants/", api.GameList.as_view(), name="variants"),
    path("variants/<slug:slug>/", api.GameDetail.as_view(), name="variant"),
    path("variants/<slug:slug>/score/", api.ScoreRound.as_view(), name="score"),
    path("variants/<slug:slug>/waits/", api.HandWaits.as_view(), name="waits"),
    *search_urls.api_urlpatterns,
]
