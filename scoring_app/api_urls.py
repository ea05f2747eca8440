"""JSON endpoints of scoring_app, under /api/v1/."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

app_name = "scoring_api"

urlpatterns: list[URLPattern | URLResolver] = []
