"""Who comes to a session: by an account, by the organiser's link, by a device that was let in, by a join code."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from rules_app.languages import page_language
from scoring_app.access import A_YEAR, DEVICE_COOKIE, device_label
from scoring_app.club_views.asking import see
from scoring_app.club_views.visits import Can, origin_of, private, to_sign_in
from scoring_app.clubs import PERMISSIONS, ROLES, may_at_table, may_in_session
from scoring_app.ledger import Origin
from scoring_app.models import DeviceGrant, Session, SessionPlayer, Table
from scoring_app.sessions import find_session, grant_of, session_access

P = ParamSpec("P")

HOST_COOKIE = "hosts"
GRANT_COOKIE = "grants"
MOST_KEPT = 6


class SessionVisit:
    """Somebody at a page of a session."""

    def __init__(self, request: HttpRequest, session: Session) -> None:
        self.request = request
        self.session = session
        self.host = is_host(request, session)
        self.grant, self.key = grant_at(request, session)
        self._may: dict[str, bool] = {}

    def may(self, action: str) -> bool:
        """Whether he may do it, by the permission table."""
        if action not in self._may:
            role: Any = self.grant.role if self.grant else None
            self._may[action] = may_in_session(action, session=self.session, user=self.request.user, host=self.host, device_role=role)
        return self._may[action]

    def may_at(self, table: Table, action: str) -> bool:
        """The same at one of the session's tables."""
        role: Any = self.grant.role if self.grant else None
        return may_at_table(action, table=table, user=self.request.user, host=self.host, device_role=role)

    def secret_of(self, table: Table) -> str:
        """Under which secret he writes at a table: its link, or the key of his device, which can be taken back."""
        by_key = self.key and not may_in_session("record_round", session=self.session, user=self.request.user, host=self.host)
        return self.key if by_key else table.scorer_token

    @property
    def can(self) -> Can:
        return Can(self.may)

    @property
    def language(self) -> str:
        return page_language()

    @property
    def origin(self) -> Origin:
        if self.grant is not None:
            return origin_of(self.request, self.grant.public_id, self.grant.label or device_label(self.request))
        return origin_of(self.request)

    @property
    def device_id(self) -> str:
        return self.request.COOKIES.get(DEVICE_COOKIE, "")

    def player(self) -> SessionPlayer | None:
        """Who plays on this device, or under this account."""
        found = None
        if self.device_id:
            found = self.session.players.filter(device_id=self.device_id).first()
        if found is None and self.request.user.is_authenticated:
            found = self.session.players.filter(member__account=self.request.user).first()
        return found

    def url(self, name: str = "session", *args: Any) -> str:
        return reverse(f"clubs:{name}", args=[self.session.public_id, *args])

    def page(self, template: str, context: dict[str, Any] | None = None, *, status: int = 200) -> HttpResponse:
        """A page in the frame of the session."""
        return render(self.request, f"scoring_app/session/{template}", self.frame() | (context or {}), status=status)

    def frame(self) -> dict[str, Any]:
        return {"session": self.session, "can": self.can, "club": self.session.club, "host": self.host}

    def done(self, said: str, name: str = "session", *args: Any) -> HttpResponse:
        """After a valid POST."""
        if said:
            messages.success(self.request, said)
        return see(self.url(name, *args))

    def table(self, public_id: str) -> Table:
        """One of the session's tables; 404 otherwise."""
        found = Table.objects.filter(session=self.session, public_id=public_id).select_related("revision__ruleset").first()
        if found is None:
            raise Http404(public_id)
        found.session = self.session
        return found


def in_session(
    action: str,
) -> Callable[[Callable[Concatenate[SessionVisit, P], HttpResponse]], Callable[Concatenate[HttpRequest, str, P], HttpResponseBase]]:
    """A view of a session for those who may do ``action``.

    Who may not even watch its tables sees nothing of it: 404, or the sign-in page for a club's session.  Who may
    watch and not do: 403.
    """

    def decorate(
        view: Callable[Concatenate[SessionVisit, P], HttpResponse],
    ) -> Callable[Concatenate[HttpRequest, str, P], HttpResponseBase]:
        @functools.wraps(view)
        def found(request: HttpRequest, public_id: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            try:
                session = find_session(public_id)
            except Session.DoesNotExist:
                if not request.user.is_authenticated:
                    return to_sign_in(request)
                raise Http404(public_id) from None
            visit = SessionVisit(request, session)
            if not visit.may("view_table"):
                if not request.user.is_authenticated:
                    return to_sign_in(request)
                raise Http404(public_id)
            return private(request, view(visit, *args, **kwargs) if visit.may(action) else forbidden(visit, action))

        return found  # type: ignore[return-value]

    return decorate


def forbidden(visit: SessionVisit, action: str) -> HttpResponse:
    """403 within the frame of the session: what it would take."""
    permission, language = PERMISSIONS[action], page_language()
    context = {
        "action": permission.label.in_language(language),
        "allowed": [words.in_language(language) for role, words in ROLES.items() if role in permission.roles] if visit.session.club else [],
    }
    return visit.page("forbidden.html", context, status=403)


def kept(request: HttpRequest, cookie: str) -> list[str]:
    """The secrets that the device keeps in one of our cookies."""
    return [part for part in request.COOKIES.get(cookie, "").split("~")[:MOST_KEPT] if part]


def keep(response: HttpResponse, request: HttpRequest, cookie: str, secret: str) -> None:
    """Keep a secret on the device, the newest first."""
    parts = [secret, *(part for part in kept(request, cookie) if part != secret)][:MOST_KEPT]
    response.set_cookie(cookie, "~".join(parts), max_age=A_YEAR, httponly=True, samesite="Lax", secure=request.is_secure())


def is_host(request: HttpRequest, session: Session) -> bool:
    """Whether the device holds the organiser's link."""
    for part in kept(request, HOST_COOKIE):
        public_id, _dot, token = part.partition(".")
        if public_id == session.public_id:
            return session_access(session, token) == "host"
    return False


def grant_at(request: HttpRequest, session: Session) -> tuple[DeviceGrant | None, str]:
    """What the device was let in for, in this session, and its key."""
    for token in kept(request, GRANT_COOKIE):
        grant = grant_of(token)
        if grant is not None and grant.session_id == session.pk:
            return grant, token
    return None, ""
