"""JSON endpoints of rules_app, under /api/v1/."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

app_name = "rules_api"

urlpatterns: list[URLPattern | URLResolver] = []
