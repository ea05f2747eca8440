"""Who comes to the tools of a table: the secret of its link, his account, his device, together by the permission table."""

from __future__ import annotations

import functools
import uuid
from collections.abc import Callable, Sequence
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from rules_app.languages import page_language
from rules_app.rulings import ruleset_of
from scoring_app.access import DEVICE_COOKIE, device_label, role_by
from scoring_app.club_views.asking import see
from scoring_app.club_views.visits import Can, origin_of, private
from scoring_app.clubs import PERMISSIONS, ROLES, may_at_table
from scoring_app.ledger import Change, Origin, TableOverview, find_table, table_overview
from scoring_app.models import DeviceGrant, Table
from scoring_app.session_views.visits import GRANT_COOKIE, is_host, kept
from scoring_app.sessions import grant_of, role_at
from scoring_app.shown.changes import ChangeShown, changes_shown

P = ParamSpec("P")


class ToolVisit:
    """Somebody at a table, with a link that writes or one that looks."""

    def __init__(self, request: HttpRequest, table: Table, token: str, role: str) -> None:
        self.request = request
        self.table = table
        self.token = token
        self.grant = _grant(request, table, token)
        writes = role == "scorer" or (self.grant is not None and role_at(self.grant, table) == "scorer")
        self.device_role: Any = "scorer" if writes else "viewer"
        self.host = table.session is not None and is_host(request, table.session)
        self._may: dict[str, bool] = {}

    def may(self, action: str) -> bool:
        if action not in self._may:
            self._may[action] = may_at_table(action, table=self.table, user=self.request.user, host=self.host, device_role=self.device_role)
        return self._may[action]

    @property
    def can(self) -> Can:
        return Can(self.may)

    @property
    def origin(self) -> Origin:
        if self.grant is not None:
            return origin_of(self.request, self.grant.public_id, self.grant.label or device_label(self.request))
        return origin_of(self.request)

    @property
    def device_id(self) -> str:
        return self.grant.public_id if self.grant is not None else self.request.COOKIES.get(DEVICE_COOKIE, "")

    @property
    def table_url(self) -> str:
        return reverse("scoring:table", args=[self.table.public_id, self.token])

    def url(self, name: str, *args: Any) -> str:
        return reverse(f"clubs:{name}", args=[self.table.public_id, self.token, *args])

    def writing(self) -> dict[str, Any]:
        """What every write to the ledger names: the version seen, the key of the form, who and where."""
        data = self.request.POST
        version = str(data.get("version") or "")
        return {
            "expected_version": int(version) if version.isdecimal() and len(version) < 10 else -1,
            "idempotency_key": str(data.get("key") or ""),
            "origin": self.origin,
        }

    def overview(self) -> TableOverview:
        self.table.refresh_from_db()
        return table_overview(self.table)

    def changes(self, changes: Sequence[Change]) -> list[ChangeShown]:
        """What an act would change, for `scoring_app/entry/changes.html`."""
        return changes_shown(self.overview(), changes, ruleset=ruleset_of(self.table.revision), language=page_language())

    def page(self, template: str, context: dict[str, Any] | None = None, *, status: int = 200) -> HttpResponse:
        frame = {
            "visit": self,
            "table": self.table,
            "session": self.table.session,
            "can": self.can,
            "table_url": self.table_url,
            "tools_url": self.url("table_tools"),
            "version": self.table.version,
            "key": uuid.uuid4().hex,
            "data": self.request.POST,
        }
        return render(self.request, f"scoring_app/session/at_table/{template}", frame | (context or {}), status=status)

    def done(self, said: str, name: str = "") -> HttpResponse:
        """After a valid POST: the table, or another of its tools."""
        if said:
            messages.success(self.request, said)
        return see(self.url(name) if name else self.table_url)


def at_the_table(
    action: str,
) -> Callable[[Callable[Concatenate[ToolVisit, P], HttpResponse]], Callable[Concatenate[HttpRequest, str, str, P], HttpResponseBase]]:
    """A view of a table for those who may do ``action``: 404 for a wrong secret, 403 where it does not allow that."""

    def decorate(
        view: Callable[Concatenate[ToolVisit, P], HttpResponse],
    ) -> Callable[Concatenate[HttpRequest, str, str, P], HttpResponseBase]:
        @functools.wraps(view)
        def found(request: HttpRequest, public_id: str, token: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            try:
                table = find_table(public_id)
            except Table.DoesNotExist:
                raise Http404(public_id) from None
            role = role_by(table, token)
            if role is None:
                raise Http404(public_id)
            visit = ToolVisit(request, table, token, role)
            return private(request, view(visit, *args, **kwargs) if visit.may(action) else forbidden(visit, action))

        return found  # type: ignore[return-value]

    return decorate


def forbidden(visit: ToolVisit, action: str) -> HttpResponse:
    permission, language = PERMISSIONS[action], page_language()
    in_club = visit.table.session is not None and visit.table.session.club_id is not None
    context = {
        "action": permission.label.in_language(language),
        "allowed": [words.in_language(language) for role, words in ROLES.items() if role in permission.roles] if in_club else [],
    }
    return visit.page("forbidden.html", context, status=403)


def _grant(request: HttpRequest, table: Table, key: str) -> DeviceGrant | None:
    for token in [key, *kept(request, GRANT_COOKIE)]:
        grant = grant_of(token)
        if grant is not None and role_at(grant, table) is not None:
            return grant
    return None
