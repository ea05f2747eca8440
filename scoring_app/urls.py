"""Pages of scoring_app."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

app_name = "scoring"

urlpatterns: list[URLPattern | URLResolver] = []
