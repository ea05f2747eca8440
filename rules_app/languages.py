"""The languages of the site."""

from __future__ import annotations

from typing import Literal

from django.utils.translation import get_language

Language = Literal["zh", "en"]


def page_language() -> Language:
    """The language of the page, and of sentences that the API gives: zh or en."""
    return "en" if (get_language() or "zh").startswith("en") else "zh"
