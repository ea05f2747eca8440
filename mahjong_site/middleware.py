"""What happens to every request before and after its view."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from urllib.parse import unquote_to_bytes

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from mahjong_site.errors import refuse

GetResponse = Callable[[HttpRequest], HttpResponseBase]

log = structlog.get_logger("request")

DRAINED_AT_MOST = 64 << 20
PERMISSIONS_POLICY = "camera=(self), geolocation=(), microphone=(), payment=(), usb=(), interest-cohort=()"


def request_log(get_response: GetResponse) -> GetResponse:
    """One JSON line a request, with an id that the answer carries too.

    The line names the route, never the path: a path may hold a table's secret link.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        request_id = uuid.uuid4().hex[:12]
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        started = time.perf_counter()
        response = get_response(request)
        response["X-Request-ID"] = request_id
        match = request.resolver_match
        if match is not None:  # static files match no route and are not worth a line
            log.info(
                "request",
                method=request.method,
                route=match.route,
                status=response.status_code,
                ms=round((time.perf_counter() - started) * 1000, 1),
            )
        return response

    return middleware


def refuse_unreadable_requests(get_response: GetResponse) -> GetResponse:
    """400 for a body that is too large or a null character in address or form: none of them reaches a view.

    A body of unknown length is not read by the WSGI server, so its declared length is its length.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        try:
            length = int(request.META.get("CONTENT_LENGTH") or 0)
        except ValueError:
            length = 0
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if length > limit:
            _drain(request, length)
            message = _("The request is too large: it has %(length)s bytes, and at most %(limit)s are read.") % {
                "length": length,
                "limit": limit,
            }
            return refuse(request, status=400, code="bad_input", message=message)
        query = request.META.get("QUERY_STRING", "")
        if "\x00" in request.path or b"\x00" in unquote_to_bytes(query):
            return refuse(request, status=400, code="bad_input", message=_("The address holds a null character, which no page has."))
        if request.method == "POST" and _form_has_null(request):
            return refuse(request, status=400, code="bad_input", message=_("The form holds a null character, which nobody can type."))
        return get_response(request)

    return middleware


def _form_has_null(request: HttpRequest) -> bool:
    """PostgreSQL takes no null character in a text, not even to look for it."""
    try:
        return any("\x00" in text for name, values in request.POST.lists() for text in (name, *map(str, values)))
    except UnreadablePostError:
        return False  # whoever sent it has gone; the view notices too


def _drain(request: HttpRequest, length: int) -> None:
    """Read and forget a body of bearable size: a client still sending would never see the answer."""
    left = length if length <= DRAINED_AT_MOST else 0
    while left > 0 and (chunk := request.read(min(left, 1 << 16))):
        left -= len(chunk)


def page_headers(get_response: GetResponse) -> GetResponse:
    """``Vary: HX-Request`` (a fragment must never be taken for its page), Cookie (the theme) and a permissions policy.

    No page is for a cache that others share: it may name somebody's clubs, or link to tables that he may write at.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if isinstance(response, HttpResponse) and response.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(response, ["HX-Request", "Cookie"])
            response.headers.setdefault("Cache-Control", "private")
            response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        return response

    return middleware
