"""Addresses of the rule book; they stand behind those of the search."""

from __future__ import annotations

from django.urls import URLPattern, path

from rules_app.book import views

urlpatterns: list[URLPattern] = [
    path("rules/", views.index, name="index"),
    path("rules/compare/", views.comparison, name="compare"),
    path("rules/glossary/", views.glossary, name="glossary"),
    path("rules/<slug:slug>/", views.game, name="game"),
    path("rules/<slug:slug>/sheet/", views.sheet, name="sheet"),
]
