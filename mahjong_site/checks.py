"""System checks that name the fix: what works embedded and would hurt in production."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core import checks


@checks.register(checks.Tags.database, deploy=True)
def check_production_services(**_: Any) -> list[checks.CheckMessage]:
    """Warnings for a production site that lacks a real database, a shared cache or its hosts."""
    if not settings.PRODUCTION:
        return []
    found: list[checks.CheckMessage] = []
    if settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
        found.append(
            checks.Warning(
                "Production runs on SQLite, which takes one writer at a time.",
                hint="Set DATABASE_URL, for example postgres://user:password@host/name.",
                id="mahjong_site.W001",
            )
        )
    if not settings.REDIS_URL:
        found.append(
            checks.Warning(
                "Production has no Redis: rate limits count per process, and long work runs beside the requests of one server.",
                hint="Set REDIS_URL and start a worker: celery -A mahjong_site worker --beat.",
                id="mahjong_site.W002",
            )
        )
    if settings.DATABASES["default"]["ENGINE"] != "django.db.backends.sqlite3" and not settings.CSRF_TRUSTED_ORIGINS:
        found.append(
            checks.Warning(
                "No CSRF_TRUSTED_ORIGINS: behind a proxy that changes the host, every form would be refused.",
                hint="Set CSRF_TRUSTED_ORIGINS=https://your.host",
                id="mahjong_site.W003",
            )
        )
    return found
