"""Compile the translations that the site reads."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from mahjong_site.translations import compile_folder


class Command(BaseCommand):
    help = "Compile locale/*/LC_MESSAGES/*.po; needs no gettext."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        for folder in settings.LOCALE_PATHS:
            for path in compile_folder(folder):
                self.stdout.write(f"compiled {path}")
