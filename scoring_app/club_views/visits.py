"""Who comes to a page of a club, and what he may do there."""

from __future__ import annotations

import functools
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from rules_app.languages import page_language
from scoring_app.access import A_YEAR, DEVICE_COOKIE, device_label
from scoring_app.club_views.asking import see
from scoring_app.clubs import PERMISSIONS, ROLES, find_club, roles_of
from scoring_app.clubs.permissions import allowed
from scoring_app.ledger import Origin
from scoring_app.models import Club

if TYPE_CHECKING:
    from django.contrib.auth.models import User

P = ParamSpec("P")


class Can:
    """``{% if can.edit_club %}`` in a template, from the permission table."""

    def __init__(self, allows: Callable[[str], bool]) -> None:
        self._allows = allows

    def __getitem__(self, action: str) -> bool:
        if action not in PERMISSIONS:
            raise KeyError(action)
        return self._allows(action)


@dataclass(frozen=True, slots=True)
class ClubVisit:
    """A member at a page of his club."""

    request: HttpRequest
    club: Club
    roles: frozenset[str]

    @property
    def user(self) -> User:
        user: Any = self.request.user
        return user  # type: ignore[no-any-return]

    def may(self, action: str) -> bool:
        return allowed(action, self.roles)

    @property
    def can(self) -> Can:
        return Can(self.may)

    @property
    def origin(self) -> Origin:
        return origin_of(self.request)

    def url(self, name: str = "club", *args: Any) -> str:
        """The address of one of the club's pages."""
        return reverse(f"clubs:{name}", args=[self.club.slug, *args])

    def page(self, template: str, context: dict[str, Any] | None = None, *, status: int = 200, tab: str = "") -> HttpResponse:
        """A page in the frame of the club."""
        return render(self.request, f"scoring_app/{template}", self.frame(tab) | (context or {}), status=status)

    def frame(self, tab: str = "") -> dict[str, Any]:
        """What the frame of the club shows."""
        return {"club": self.club, "can": self.can, "tab": tab, "roles": self.roles}

    def done(self, said: str, name: str = "club", *args: Any) -> HttpResponse:
        """After a valid POST: say so on the page where it shows."""
        if said:
            messages.success(self.request, said)
        return see(self.url(name, *args))


def in_club(
    action: str,
) -> Callable[[Callable[Concatenate[ClubVisit, P], HttpResponse]], Callable[Concatenate[HttpRequest, str, P], HttpResponseBase]]:
    """A view of a club for those who may do ``action``.

    Nobody signed in: to the sign-in page.  No member: 404, as for a club that is not there.  No permission: 403.
    """

    def decorate(
        view: Callable[Concatenate[ClubVisit, P], HttpResponse],
    ) -> Callable[Concatenate[HttpRequest, str, P], HttpResponseBase]:
        @functools.wraps(view)
        def found(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return to_sign_in(request)
            try:
                club = find_club(slug)
            except Club.DoesNotExist:
                raise Http404(slug) from None
            roles = roles_of(request.user, club)
            if not roles:
                raise Http404(slug)
            visit = ClubVisit(request, club, roles)
            return private(request, view(visit, *args, **kwargs) if visit.may(action) else forbidden(visit, action))

        return found  # type: ignore[return-value]

    return decorate


def forbidden(visit: ClubVisit, action: str) -> HttpResponse:
    """403 within the frame of the club: what it would take."""
    permission, language = PERMISSIONS[action], page_language()
    context = {
        "action": permission.label.in_language(language),
        "allowed": [words.in_language(language) for role, words in ROLES.items() if role in permission.roles],
    }
    return visit.page("club/forbidden.html", context, status=403)


def to_sign_in(request: HttpRequest) -> HttpResponse:
    """The sign-in page, which leads back here; a fragment's request is sent there as a whole."""
    htmx: Any = request.htmx  # type: ignore[attr-defined]
    target = redirect_to_login(request.get_full_path() if request.method in {"GET", "HEAD"} else "/clubs/")
    if htmx:
        answer = HttpResponse(status=204)
        answer["HX-Redirect"] = target.url
        return answer
    return target


def origin_of(request: HttpRequest, device_id: str = "", label: str = "") -> Origin:
    """Who writes, on which device."""
    user = request.user
    return Origin(
        device_id=device_id or request.COOKIES.get(DEVICE_COOKIE, ""),
        device_label=label or device_label(request),
        author=user if user.is_authenticated else None,
    )


def private(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """No cache keeps it; the device is known from now on."""
    response.headers.setdefault("Cache-Control", "private, no-store")
    if DEVICE_COOKIE not in request.COOKIES:
        response.set_cookie(DEVICE_COOKIE, secrets.token_hex(12), max_age=A_YEAR, httponly=True, samesite="Lax")
    return response
