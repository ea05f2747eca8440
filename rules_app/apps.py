"""What the rules are: documents, their revisions, search and pages."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class RulesAppConfig(AppConfig):
    name = "rules_app"
    verbose_name = gettext_lazy("Rules")
