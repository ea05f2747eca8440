"""What every page may show: the site's doors and the language switch."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """Template variables ``production`` and ``current_path`` (where the language switch returns to)."""
    return {"production": settings.PRODUCTION, "current_path": request.get_full_path()}
