"""Pages of rules_app."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

app_name = "rules"

urlpatterns: list[URLPattern | URLResolver] = []
