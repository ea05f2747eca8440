"""The clubs of whoever is signed in, for pages that belong to no club."""

from __future__ import annotations

from typing import Any

from django import template

from scoring_app.clubs import clubs_of

register = template.Library()


@register.inclusion_tag("scoring_app/club/parts/mine.html", takes_context=True)
def my_clubs(context: dict[str, Any]) -> dict[str, Any]:
    """A list of the clubs; nothing for a stranger."""
    user = getattr(context.get("request"), "user", None)
    return {"lines": clubs_of(user) if user is not None and user.is_authenticated else []}
