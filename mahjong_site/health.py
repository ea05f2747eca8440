"""Two questions of an operator: is the process alive, and can it serve?"""

from __future__ import annotations

from collections.abc import Callable

from django.core.cache import cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
@never_cache
def healthz(_request: HttpRequest) -> JsonResponse:
    """Alive: asks nothing of any other service."""
    return JsonResponse({"status": "ok"})


@require_safe
@never_cache
def readyz(_request: HttpRequest) -> JsonResponse:
    """Ready: 200 when each part answers, else 503 with the part and its fault named."""
    parts: dict[str, Callable[[], str]] = {
        "database": _ask_database,
        "migrations": _ask_migrations,
        "cache": _ask_cache,
    }
    found: dict[str, str] = {}
    for name, ask in parts.items():
        try:
            found[name] = ask()
        except Exception as error:  # noqa: BLE001 -- whatever is wrong, the operator must read it here
            found[name] = type(error).__name__
    ready = all(answer == "ok" for answer in found.values())
    return JsonResponse({"status": "ok" if ready else "unready", "parts": found}, status=200 if ready else 503)


def _ask_database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return "ok" if cursor.fetchone() == (1,) else "no answer"


def _ask_migrations() -> str:
    executor = MigrationExecutor(connection)
    pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"{len(pending)} pending: run manage.py migrate" if pending else "ok"


def _ask_cache() -> str:
    cache.set("readyz", "ok", 10)
    return "ok" if cache.get("readyz") == "ok" else "forgets"
