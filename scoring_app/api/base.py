"""What all endpoints share: callers and scopes, conditional reads, refusals in one shape, finding what an address names."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import NotFound, ParseError, PermissionDenied
from rest_framework.generics import GenericAPIView
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rules_app.api import SafeJSONParser, find
from rules_app.engine import Refusal
from rules_app.languages import page_language
from rules_app.models import Revision
from rules_app.publishing import PublishingError
from scoring_app.api.acts import key_of
from scoring_app.api.callers import BearerAuthentication, Caller, IsAccount, IsSomebody
from scoring_app.clubs import find_club, find_member, roles_of
from scoring_app.clubs.permissions import allowed
from scoring_app.errors import Refused
from scoring_app.ledger import find_table
from scoring_app.models import ApiToken, Club, Member, Session, Table
from scoring_app.sessions import find_session

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    Listing = GenericAPIView[Any]
else:
    Listing = GenericAPIView

CREATED = status.HTTP_201_CREATED
LONGEST_MESSAGE = 2000
Found = TypeVar("Found")


class ApiView(APIView):
    """An endpoint.  ``reading`` and ``writing`` are the scopes that a personal token needs for it."""

    authentication_classes = (BearerAuthentication, SessionAuthentication)
    permission_classes: Any = (AllowAny,)
    parser_classes = (SafeJSONParser,)
    reading: ClassVar[str] = "read"
    writing: ClassVar[str] = "play"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        scope = self.reading if request.method in {"GET", "HEAD"} else self.writing
        if isinstance(request.auth, ApiToken) and scope not in request.auth.scopes:
            raise PermissionDenied(_("This token lacks the scope %(scope)s.") % {"scope": scope})

    def handle_exception(self, exc: Exception) -> Response:
        """Every refusal of the domain in one shape."""
        if isinstance(exc, Refused):
            return Response(exc.as_json(page_language()), status=exc.status)
        if isinstance(exc, Refusal):
            return _refusal(exc.code, exc.message.in_language(page_language()), exc.path)
        if isinstance(exc, PublishingError):
            return _refusal("not_allowed", exc.message.in_language(page_language()), "")
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """An ETag of what is answered; 304 where the caller has it already."""
        if request.method in {"GET", "HEAD"} and response.status_code == status.HTTP_200_OK and isinstance(response, Response):
            tag = response.get("ETag") or f'"{hashlib.sha256(JSONRenderer().render(response.data)).hexdigest()[:32]}"'
            if self.is_known(tag):
                response = Response(status=status.HTTP_304_NOT_MODIFIED)
            response["ETag"], response["Cache-Control"] = tag, "private, no-cache"
        return super().finalize_response(request, response, *args, **kwargs)

    def is_known(self, tag: str) -> bool:
        """Whether the caller holds the answer with this ETag; a proxy that compresses makes it a weak one."""
        known = parse_etags(self.request.headers.get("If-None-Match", ""))
        return tag in {one.removeprefix("W/") for one in known}

    @functools.cached_property
    def caller(self) -> Caller:
        return Caller(self.request)

    def body(self, serializer: type[Any]) -> dict[str, Any]:
        """What was sent, once its form is right."""
        given = serializer(data=self.request.data)
        given.is_valid(raise_exception=True)
        data: dict[str, Any] = given.validated_data
        return data


class AccountView(ApiView):
    """An endpoint of an account, and of its clubs."""

    permission_classes: Any = (IsAccount,)

    @property
    def account(self) -> User:
        user: Any = self.request.user
        return user  # type: ignore[no-any-return]

    def club_for(self, slug: str, action: str) -> Club:
        """:raises Http404: no such club, or none of the account's; :raises PermissionDenied: its roles do not allow it."""
        club = or_404(lambda: find_club(slug))
        roles = roles_of(self.account, club)
        if not roles:
            raise Http404
        if not allowed(action, roles):
            raise PermissionDenied(_("Your roles in this club do not allow it."))
        return club


class SessionView(ApiView):
    """An endpoint of a session, for accounts and for whoever holds one of its links or was let in on a device."""

    permission_classes: Any = (IsSomebody,)

    def session_for(self, public_id: str, action: str = "view_table") -> Session:
        """:raises Http404: there is none that the caller may see; :raises PermissionDenied: he may not do this."""
        session = or_404(lambda: find_session(public_id))
        if not self.caller.may_in(session, "view_table"):
            raise Http404
        if not self.caller.may_in(session, action):
            raise PermissionDenied(_("Your roles in this club do not allow it."))
        return session

    def table_in(self, session: Session, public_id: str) -> Table:
        table = session.tables.select_related("revision__ruleset").filter(public_id=public_id).first()
        if table is None:
            raise NotFound(_("There is no such table in this session."))
        return table


class TableView(ApiView):
    """An endpoint of a table, for whatever opens it: its own tokens, its session's, a device's, an account's."""

    def table_for(self, public_id: str, action: str = "view_table") -> Table:
        """:raises NotFound: no such table, or nothing that was sent opens it.

        :raises PermissionDenied: it does, and does not allow this.
        """
        try:
            table: Table | None = find_table(public_id)
        except Table.DoesNotExist:
            table = None
        if table is None or not self.caller.may_at(table, "view_table"):
            raise NotFound(_("There is no such table, or the token does not open it."))
        if not self.caller.may_at(table, action):
            raise PermissionDenied(_("This token does not allow it."))
        return table

    def safe(self, table: Table) -> dict[str, Any]:
        """What makes a write to the ledger safe.

        :raises ParseError: no key, or no expected version.
        """
        version = self.request.data.get("expected_version") if isinstance(self.request.data, dict) else None
        if not isinstance(version, int) or isinstance(version, bool):
            raise ParseError(_("expected_version is missing: the version of the table that you read last."))
        return {
            "table": table,
            "expected_version": version,
            "idempotency_key": key_of(self.request),
            "origin": self.caller.origin,
        }


class Pages(LimitOffsetPagination):
    default_limit = 50
    max_limit = 200


class Paged(Listing):
    """A list that may be long: in pages, filtered by its ``filterset_class``."""

    pagination_class = Pages

    def page_of(self, rows: Any, describe: Callable[[Iterable[Any]], Any]) -> Response:
        page: Any = self.paginate_queryset(self.filter_queryset(rows))
        return self.get_paginated_response(describe(page))


def or_404(find_it: Callable[[], Found]) -> Found:
    """What is found. :raises Http404: nothing is."""
    try:
        return find_it()
    except ObjectDoesNotExist:
        raise Http404 from None


def member_of(club: Club, public_id: str) -> Member:
    return or_404(lambda: find_member(club, public_id))


def stored(slug: str) -> Revision:
    """The newest revision of a game. :raises NotFound: there is none, or it is not in the database yet."""
    revision = find(slug)
    if revision.number == 0:
        raise NotFound(_("This game is not stored in the database yet: run manage.py load_rulesets."))
    return revision


def small(number: int) -> int:
    """A number that every database takes; -1, which nothing has, for others."""
    return number if -1 < number < 10_000_000 else -1


def _refusal(code: str, message: str, path: str) -> Response:
    error = {"code": code, "message": message[:LONGEST_MESSAGE], "path": path[:LONGEST_MESSAGE]}
    return Response({"error": error}, status=status.HTTP_422_UNPROCESSABLE_ENTITY)
