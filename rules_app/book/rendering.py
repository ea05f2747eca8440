"""Pages kept as rendered, by the content of the document, the language and the code that renders."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

from django.conf import settings
from django.core.cache import cache as shared_cache
from django.templatetags.static import static
from django.utils.safestring import SafeString

FOLDERS = ("templates/rules_app", "rules_app", "locale/fragments")
KEPT_FOR = 7 * 24 * 3600


@cache
def _fingerprint() -> str:
    """Changes with whatever turns a document into a page."""
    digest = hashlib.sha256(static("tiles/tiles.svg").encode())
    root = Path(settings.BASE_DIR)
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".py", ".html", ".po"):
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def rendered(what: str, content_hash: str, language: str, make: Callable[[], str]) -> SafeString:
    """The HTML of a page or part; made once for each document and language."""
    fingerprint = "" if settings.DEBUG else _fingerprint()
    key = f"book:{what}:{content_hash}:{language}:{fingerprint}"
    html = None if settings.DEBUG else shared_cache.get(key)
    if html is None:
        html = str(make())
        shared_cache.set(key, html, KEPT_FOR)
    return SafeString(html)
