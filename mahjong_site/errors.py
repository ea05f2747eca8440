"""Errors of the site as a page, a fragment or JSON, whichever the asker reads."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import requires_csrf_token


def wants_json(request: HttpRequest) -> bool:
    """Whether the asker is a program: under ``/api/``, or it accepts JSON and no HTML."""
    accept = request.headers.get("Accept", "")
    return request.path.startswith("/api/") or ("application/json" in accept and "text/html" not in accept)


def refuse(request: HttpRequest, *, status: int, code: str, message: str) -> HttpResponse:
    """The refusal ``message`` with ``status``; in JSON in the shape of every error of the API."""
    if wants_json(request):
        body = {"error": {"code": code, "message": message, "path": ""}}
        return JsonResponse(body, status=status, json_dumps_params={"ensure_ascii": False})
    return render(request, "error.html", {"status": status, "message": message}, status=status)


@requires_csrf_token
def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return refuse(request, status=400, code="bad_input", message=_("The request cannot be read. Go back, reload the page and try again."))


@requires_csrf_token
def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return refuse(request, status=403, code="not_allowed", message=_("This link or account may not do that."))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return refuse(
        request,
        status=403,
        code="not_allowed",
        message=_("The form has expired, or cookies are off. Nothing was changed: reload the page and send it again."),
    )


@requires_csrf_token
def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return refuse(
        request, status=404, code="not_found", message=_("There is nothing at this address. Check the link, or start from the home page.")
    )


@requires_csrf_token
def server_error(request: HttpRequest) -> HttpResponse:
    """The page of a fault of ours; it asks neither database nor session, which may be what broke."""
    message = _("Something went wrong on our side. Nothing was half saved: try again in a moment.")
    if wants_json(request):
        return refuse(request, status=500, code="server_error", message=message)
    return render(request, "500.html", {"message": message}, status=500)
