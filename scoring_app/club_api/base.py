"""What the endpoints of accounts share: tokens and scopes, one answer a key, conditional reads, errors in one shape."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from django.db import IntegrityError, transaction
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import OpenApiParameter
from rest_framework import status
from rest_framework.authentication import BaseAuthentication, SessionAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, NotFound, ParseError, PermissionDenied
from rest_framework.generics import GenericAPIView
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rules_app.api import SafeJSONParser, language
from rules_app.engine import Refusal
from rules_app.publishing import PublishingError
from scoring_app.api_tokens import token_of
from scoring_app.clubs import find_club, may_in_session, roles_of
from scoring_app.clubs.permissions import allowed
from scoring_app.errors import Refused
from scoring_app.ledger import Origin
from scoring_app.ledger.hashing import digest
from scoring_app.models import ApiAnswer, ApiToken, Club, Session, Table
from scoring_app.sessions import find_session

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    Listing = GenericAPIView[Any]
else:
    Listing = GenericAPIView

Handler = Callable[..., Response]

KEY = OpenApiParameter(
    "Idempotency-Key", str, OpenApiParameter.HEADER, required=True,
    description="Chosen anew for each write; a repeat with the same key and body gets the first answer.",
)  # fmt: skip
MATCH = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, required=False, description="The ETag of the last answer: 304 while nothing has changed."
)


class TokenAuthentication(BaseAuthentication):
    """``Authorization: Bearer mr_…``"""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, _space, secret = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != "bearer":
            return None
        token = token_of(secret.strip())
        if token is None:
            raise AuthenticationFailed(_("This token is not valid: it is unknown, expired or revoked."))
        return token.account, token

    def authenticate_header(self, _request: Request) -> str:
        return "Bearer"


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "scoring_app.club_api.base.TokenAuthentication"
    name = "personalToken"

    def get_security_definition(self, _auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A personal token, made at /accounts/tokens/."}


class Pages(LimitOffsetPagination):
    default_limit = 50
    max_limit = 200


class AccountView(APIView):
    """An endpoint for signed-in people and their tokens.  ``scopes`` says which scope each method needs."""

    authentication_classes = (TokenAuthentication, SessionAuthentication)
    permission_classes = (IsAuthenticated,)
    parser_classes = (SafeJSONParser,)
    scopes: ClassVar[dict[str, str]] = {"GET": "read"}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        scope = self.scopes.get("GET" if request.method == "HEAD" else request.method or "")
        token = request.auth
        if isinstance(token, ApiToken) and scope is not None and scope not in token.scopes:
            raise PermissionDenied(_("This token lacks the scope %(scope)s.") % {"scope": scope})

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, Refused):
            return Response(exc.as_json(language()), status=exc.status)
        if isinstance(exc, Refusal):
            error = {"code": exc.code, "message": exc.message.in_language(language())[:2000], "path": exc.path[:2000]}
            return Response({"error": error}, status=status.HTTP_422_UNPROCESSABLE_ENTITY)
        if isinstance(exc, PublishingError):
            error = {"code": "not_allowed", "message": exc.message.in_language(language()), "path": ""}
            return Response({"error": error}, status=status.HTTP_422_UNPROCESSABLE_ENTITY)
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """An ETag of what is answered; 304 where the caller has it already."""
        if request.method in {"GET", "HEAD"} and response.status_code == status.HTTP_200_OK and isinstance(response, Response):
            body = JSONRenderer().render(response.data)
            tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
            headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
            if request.headers.get("If-None-Match") == tag:
                response = Response(status=status.HTTP_304_NOT_MODIFIED)
            for name, value in headers.items():
                response[name] = value
        return super().finalize_response(request, response, *args, **kwargs)

    @property
    def account(self) -> User:
        user: Any = self.request.user
        return user  # type: ignore[no-any-return]

    @property
    def origin(self) -> Origin:
        token = self.request.auth
        label = token.name if isinstance(token, ApiToken) else "API"
        device = f"token-{token.public_id}" if isinstance(token, ApiToken) else ""
        return Origin(device_id=device, device_label=label, author=self.account)

    def body(self, serializer: type[Any]) -> dict[str, Any]:
        """What was sent, once its form is right."""
        given = serializer(data=self.request.data)
        given.is_valid(raise_exception=True)
        data: dict[str, Any] = given.validated_data
        return data

    def club_for(self, slug: str, action: str) -> Club:
        """:raises Http404: no such club, or none of the account's; :raises PermissionDenied: its roles do not allow it."""
        try:
            club = find_club(slug)
        except Club.DoesNotExist:
            raise Http404 from None
        roles = roles_of(self.account, club)
        if not roles:
            raise Http404
        if not allowed(action, roles):
            raise PermissionDenied(_("Your roles in this club do not allow it."))
        return club

    def session_for(self, public_id: str, action: str) -> Session:
        try:
            session = find_session(public_id)
        except Session.DoesNotExist:
            raise Http404 from None
        if not may_in_session("view_table", session=session, user=self.account):
            raise Http404
        if not may_in_session(action, session=session, user=self.account):
            raise PermissionDenied(_("Your roles in this club do not allow it."))
        return session

    def table_for(self, session: Session, public_id: str) -> Table:
        table = session.tables.select_related("revision__ruleset").filter(public_id=public_id).first()
        if table is None:
            raise NotFound(_("There is no such table in this session."))
        return table


class ListView(AccountView, Listing):
    """A list that may be long: in pages, filtered by its ``filterset_class``."""

    pagination_class = Pages


def once(handler: Handler) -> Handler:
    """A write that is done once for each key: a repeat gets the first answer, another body under it 422."""

    @functools.wraps(handler)
    def write(view: AccountView, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = request.headers.get("Idempotency-Key", "").strip()
        if not 0 < len(key) <= 100 or not key.isprintable():
            raise ParseError(_("The header Idempotency-Key is missing: choose a new one for each write, up to 100 characters."))
        asked = digest([request.method, request.path, request.data])
        first = ApiAnswer.objects.filter(account=view.account, key=key).first()
        if first is None:
            try:
                with transaction.atomic():
                    # The row comes first: a second caller waits for it, on either database.
                    row = ApiAnswer.objects.create(account=view.account, key=key, request_hash=asked, status=0)
                    answer = handler(view, request, *args, **kwargs)
                    row.status, row.body = answer.status_code, answer.data
                    row.save(update_fields=["status", "body"])
                    return answer
            except IntegrityError:
                first = ApiAnswer.objects.filter(account=view.account, key=key).first()
                if first is None:
                    raise
        if first.request_hash != asked:
            error = {"code": "idempotency_mismatch", "message": _("This key was used for another write."), "path": "Idempotency-Key"}
            return Response({"error": error}, status=status.HTTP_422_UNPROCESSABLE_ENTITY)
        return Response(first.body, status=first.status, headers={"Idempotent-Replayed": "true"})

    return write
