"""What happened at the tables: rounds, postings, and who may write them."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class ScoringAppConfig(AppConfig):
    name = "scoring_app"
    verbose_name = gettext_lazy("Scoring")
