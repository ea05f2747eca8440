"""Compile the translations that the site reads."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from mahjong_site.translations import compile_fragments


class Command(BaseCommand):
    help = "Compile locale/fragments/*.po; needs no gettext."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            changed = compile_fragments(settings.LOCALE_PATHS[0])
        except ValueError as error:
            raise CommandError(str(error)) from error
        if changed:
            self.stdout.write("Translations compiled.")
