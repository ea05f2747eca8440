"""Pages of rules_app."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from rules_app import language_page, score_views
from rules_app.book import urls as book_urls
from rules_app.search import urls as search_urls

app_name = "rules"

urlpatterns: list[URLPattern | URLResolver] = [
    path("score/", score_views.index, name="score_index"),
    path("score/<slug:slug>/", score_views.page, name="score"),
    path("rules/language/", language_page.page, name="language"),
    *search_urls.urlpatterns,
    *book_urls.urlpatterns,
]
