"""What happened at the tables: rounds, postings, and who may write them."""

from __future__ import annotations

from django.apps import AppConfig


class ScoringAppConfig(AppConfig):
    name = "scoring_app"
    verbose_name = "Scoring"
