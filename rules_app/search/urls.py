"""Addresses of the search."""

from __future__ import annotations

from django.urls import URLPattern, path

from rules_app.search import api, views

urlpatterns: list[URLPattern] = [path("rules/search/", views.page, name="search")]
api_urlpatterns: list[URLPattern] = [path("search/", api.SearchRules.as_view(), name="search")]
