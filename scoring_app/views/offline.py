"""What keeps a table readable without a network: the service worker, and the page for what is not kept."""

from __future__ import annotations

import functools
import hashlib
import json
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

ASSETS = (
    "css/tokens.css",
    "css/base.css",
    "css/components.css",
    "css/tiles.css",
    "css/score.css",
    "css/table.css",
    "css/at-table.css",
    "vendor/htmx/htmx.min.js",
    "js/app.js",
    "js/tile-notation.js",
    "js/tile-fields.js",
    "js/tile-felt.js",
    "js/tile-keyboard.js",
    "js/table.js",
    "js/outbox.js",
    "js/kept-sheets.js",
    "js/at-table.js",
    "tiles/icon.svg",
    "tiles/tiles.svg",
)
"""What a table's page is made of."""
SCRIPT = "js/service-worker.js"


@require_safe
@cache_control(no_cache=True)
def service_worker(_request: HttpRequest) -> HttpResponse:
    """The script itself, from the root so that it may keep any page; its first line names the build."""
    response = HttpResponse(_script(), content_type="text/javascript; charset=utf-8")
    response["Service-Worker-Allowed"] = "/"
    return response


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Shown by the service worker in place of a page that this device does not have."""
    return render(request, "scoring_app/offline.html")


def build_script() -> str:
    """The script with the build it belongs to: a digest of all its files, and their addresses.

    A changed file makes another build, and another build lets the browser throw the old files away.
    """
    source = _read(SCRIPT)
    digest = hashlib.sha256(source)
    for name in ASSETS:
        digest.update(_read(name))
    build = {
        "version": digest.hexdigest()[:16],
        "assets": [staticfiles_storage.url(name) for name in ASSETS],
        "prefix": settings.STATIC_URL,
        "offline": reverse("scoring:offline"),
    }
    return f"const BUILD = {json.dumps(build)};\n{source.decode()}"


_kept_script = functools.lru_cache(maxsize=1)(build_script)


def _script() -> str:
    return build_script() if settings.DEBUG else _kept_script()


def _read(name: str) -> bytes:
    path = finders.find(name)
    return Path(path).read_bytes() if path else b""
