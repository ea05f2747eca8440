"""Every error of the JSON API in one shape: ``{"error": {"code", "message", "path"}}``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rest_framework.response import Response
from rest_framework.views import exception_handler

CODES: Mapping[int, str] = {401: "not_signed_in", 403: "not_allowed", 404: "not_found", 409: "conflict", 429: "too_many_requests"}
"""By status; any other says ``bad_input``."""


def answer_exception(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's answer to ``error`` with its body in our shape; ``None`` for faults of ours (500)."""
    response = exception_handler(error, context)
    if response is None:
        return None
    path, message = _first_message(response.data)
    code = CODES.get(response.status_code, "bad_input")
    response.data = {"error": {"code": code, "message": message, "path": path}}
    return response


def _first_message(data: object, path: str = "") -> tuple[str, str]:
    """The first sentence in DRF's nested error data, with the dotted path that leads to it."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            inner = path if key in {"detail", "non_field_errors"} else f"{path}.{key}".lstrip(".")
            return _first_message(value, inner)
    if isinstance(data, Sequence) and not isinstance(data, str):
        for index, value in enumerate(data):
            if value:
                return _first_message(value, path if isinstance(value, str) else f"{path}[{index}]")
    return path, str(data)
