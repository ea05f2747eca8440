"""How endpoints are declared: what the OpenAPI document says of them, and that a write is done once for each key."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response

from rules_app.api_schema import Error
from scoring_app.api.schema.tables import Conflict
from scoring_app.ledger.hashing import digest
from scoring_app.models import ApiAnswer

Handler = Callable[..., Any]
Answers = Mapping[Any, Any]

KEY, OPTIONAL_KEY = (
    OpenApiParameter(
        "Idempotency-Key", str, OpenApiParameter.HEADER, required=required,
        description="Chosen anew for each write: a repeat with the same key and body gets the first answer, with another body 422.",
    )
    for required in (True, False)
)  # fmt: skip
MATCH = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, required=False, description="The ETag of the last answer: 304 while nothing has changed."
)
REFUSED = {401: Error, 403: Error, 404: Error, 422: Error}
REFUSED_WRITE = {400: Error, **REFUSED, 409: Conflict}
LONGEST_KEY = 100
OWN_KEYS = re.compile(r"(rotation|table-fee|leaves|end)-\d")
"""What the keys of entries that the site makes itself begin with; a program that took one would be in its way."""


def reads(operation_id: str, summary: str, answer: Any, *parameters: OpenApiParameter) -> Callable[[Handler], Handler]:
    """A GET with one shape of answer."""
    answers = answer if isinstance(answer, dict) else {200: answer}
    return _described(operation_id, summary, [MATCH, *parameters], None, {**answers, 304: None, **REFUSED})


def writes(
    operation_id: str,
    summary: str,
    request: Any,
    answer: Any,
    *,
    status: int = 201,
    key_required: bool = True,
    examples: Sequence[OpenApiExample] = (),
) -> Callable[[Handler], Handler]:
    """A POST that is done once for each key."""
    key = KEY if key_required else OPTIONAL_KEY

    def declare(handler: Handler) -> Handler:
        described = _described(operation_id, summary, [key], request, {status: answer, **REFUSED_WRITE}, examples)
        return described(once(handler, key_required=key_required))

    return declare


def records(operation_id: str, summary: str, request: Any, answer: Any) -> Callable[[Handler], Handler]:
    """A POST that makes an entry: the ledger keeps its key, whoever sends it; 200 for a repeat."""
    return _described(operation_id, summary, [KEY], request, {201: answer, 200: answer, **REFUSED_WRITE})


def changes(operation_id: str, summary: str, request: Any, answer: Any, *parameters: OpenApiParameter) -> Callable[[Handler], Handler]:
    """A PATCH, PUT or DELETE (or a POST that only looks): the same twice is the same once, so it needs no key."""
    return _described(operation_id, summary, list(parameters), request, {200: answer, **REFUSED_WRITE})


def _described(
    operation_id: str,
    summary: str,
    parameters: list[OpenApiParameter],
    request: Any,
    responses: Answers,
    examples: Sequence[OpenApiExample] = (),
) -> Callable[[Handler], Handler]:
    declare: Callable[[Handler], Handler] = extend_schema(
        operation_id=operation_id,
        summary=summary,
        parameters=parameters,
        request=request,
        responses=dict(responses),
        examples=list(examples) or None,
    )
    return declare


def key_of(request: Request) -> str:
    """:raises ParseError: a write without a key."""
    key: str = request.headers.get("Idempotency-Key", "").strip()
    if not 0 < len(key) <= LONGEST_KEY or not key.isprintable():
        raise ParseError(_("The header Idempotency-Key is missing: choose a new one for each write, up to 100 characters."))
    if OWN_KEYS.match(key):
        raise ParseError(_("This key is one of the site's own: choose another, best at random."))
    return key


def once(handler: Handler, *, key_required: bool = True) -> Handler:
    """A write that is done once for each key: a repeat gets the first answer, another body under it 422.

    Answers are kept by account.  Whoever writes without one names what he saw (``expected_…``), or says what is no more
    by being said twice.
    """

    @functools.wraps(handler)
    def write(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
        account = view.caller.account
        key = key_of(request) if key_required or "Idempotency-Key" in request.headers else ""
        if account is None or not key:
            unkept: Response = handler(view, request, *args, **kwargs)
            return unkept
        asked = digest([request.method, request.path, request.data])
        first = ApiAnswer.objects.filter(account=account, key=key).first()
        if first is None:
            try:
                with transaction.atomic():
                    # The row comes first: a second caller waits for it, on either database.
                    row = ApiAnswer.objects.create(account=account, key=key, request_hash=asked, status=0)
                    answer: Response = handler(view, request, *args, **kwargs)
                    row.status, row.body = answer.status_code, answer.data
                    row.save(update_fields=["status", "body"])
                    return answer
            except IntegrityError:
                first = ApiAnswer.objects.filter(account=account, key=key).first()
                if first is None:
                    raise
        if first.request_hash != asked:
            error = {"code": "idempotency_mismatch", "message": _("This key was used for another write."), "path": "Idempotency-Key"}
            return Response({"error": error}, status=status.HTTP_422_UNPROCESSABLE_ENTITY)
        return Response(first.body, status=first.status, headers={"Idempotent-Replayed": "true"})

    return write
