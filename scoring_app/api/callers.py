"""Who calls: an account, by a personal token or a browser, or whoever holds a secret of a table, a session or a device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from scoring_app.access import parse_time
from scoring_app.api_tokens import PREFIX, token_of
from scoring_app.clubs import may_at_table, may_in_session
from scoring_app.ledger import Origin, access_of
from scoring_app.models import ApiToken, DeviceGrant, Session, Table
from scoring_app.sessions import grant_of, role_at, session_access

if TYPE_CHECKING:
    from django.contrib.auth.models import User

DeviceRole = Literal["scorer", "viewer"]


@dataclass(frozen=True, slots=True)
class Secret:
    """A bearer token that is no personal one: of a table, a session or a device."""

    text: str


class BearerAuthentication(BaseAuthentication):
    """``Authorization: Bearer …``"""

    def authenticate(self, request: Request) -> tuple[User | AnonymousUser, ApiToken | Secret] | None:
        scheme, _space, secret = get_authorization_header(request).decode("latin-1").partition(" ")
        secret = secret.strip()
        if scheme.lower() != "bearer" or not secret:
            return None
        if not secret.startswith(PREFIX):
            return AnonymousUser(), Secret(secret)
        token = token_of(secret)
        if token is None:
            raise AuthenticationFailed(_("This token is not valid: it is unknown, expired or revoked."))
        return token.account, token

    def authenticate_header(self, _request: Request) -> str:
        return "Bearer"


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "scoring_app.api.callers.BearerAuthentication"
    name = "bearerToken"

    def get_security_definition(self, _auto_schema: Any) -> dict[str, str]:
        words = "A personal token, made at /accounts/tokens/; at a table or to watch a session also a token of its own, or of a device."
        return {"type": "http", "scheme": "bearer", "description": words}


class IsAccount(BasePermission):
    """Whoever has an account; a secret of a table is none."""

    def has_permission(self, request: Request, view: Any) -> bool:  # noqa: ARG002 - as DRF calls it
        if request.user.is_authenticated:
            return True
        if isinstance(request.auth, Secret):
            raise AuthenticationFailed(_("This token is of no account: send a personal one, made at /accounts/tokens/."))
        raise NotAuthenticated


class IsSomebody(BasePermission):
    """Whoever shows anything that may open something: an account or a secret."""

    def has_permission(self, request: Request, view: Any) -> bool:  # noqa: ARG002 - as DRF calls it
        if request.user.is_authenticated or isinstance(request.auth, Secret):
            return True
        raise NotAuthenticated


class Caller:
    """Who calls, and what the permission table lets him do."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.user: User | AnonymousUser = request.user
        self.account: User | None = request.user if request.user.is_authenticated else None
        self.token = request.auth if isinstance(request.auth, ApiToken) else None
        self.secret = request.auth.text if isinstance(request.auth, Secret) else ""
        self._grant: DeviceGrant | None = None
        self._looked = False

    @property
    def grant(self) -> DeviceGrant | None:
        """What the device was let in for, where its token is the one that was sent."""
        if not self._looked:
            self._looked = True
            self._grant = grant_of(self.secret) if self.secret else None
        return self._grant

    def may_in(self, session: Session, action: str) -> bool:
        if self.account is not None:
            return may_in_session(action, session=session, user=self.account)
        access = session_access(session, self.secret) if self.secret else None
        role: DeviceRole | None = "viewer" if access == "watch" else None
        if access is None and self.grant is not None and self.grant.session_id == session.pk:
            role = "scorer" if self.grant.role == DeviceGrant.Role.SCORER else "viewer"
        return may_in_session(action, session=session, host=access == "host", device_role=role)

    def may_at(self, table: Table, action: str) -> bool:
        if self.account is not None:
            return may_at_table(action, table=table, user=self.account)
        host = self.secret != "" and table.session is not None and session_access(table.session, self.secret) == "host"
        return may_at_table(action, table=table, host=host, device_role=self.device_role_at(table))

    def device_role_at(self, table: Table) -> DeviceRole | None:
        """What the secret that was sent makes of its holder at a table."""
        if not self.secret:
            return None
        access = access_of(table, self.secret)
        if access is not None:
            return "scorer" if access == "scorer" else "viewer"
        if table.session is not None and session_access(table.session, self.secret) == "watch":
            return "viewer"
        return role_at(self.grant, table) if self.grant is not None else None

    @property
    def origin(self) -> Origin:
        """Who writes, on which device, by which clock.

        A token names its device.  Whoever comes by a link, which many hold, or by a browser says it himself.
        """
        headers = self.request.headers
        label, device = headers.get("X-Device-Label", ""), headers.get("X-Device-Id", "")
        if self.token is not None:
            label, device = label or self.token.name, f"token-{self.token.public_id}"
        elif self.grant is not None:
            label, device = self.grant.label or label, self.grant.public_id
        author = self.account or (self.grant.account if self.grant is not None else None)
        return Origin(device_id=device, device_label=label or "API", author=author, client_time=parse_time(headers.get("X-Client-Time")))
