"""Who comes to a table: the secret of the address says what may be done, a cookie says on which device."""

from __future__ import annotations

import functools
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Concatenate, Literal, ParamSpec
from urllib.parse import quote, unquote

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.timezone import is_aware

from rules_app.engine import Ruleset
from rules_app.languages import page_language
from rules_app.rulings import ruleset_of
from scoring_app.ledger import Origin, access_of, find_table
from scoring_app.models import Table
from scoring_app.sessions import grant_of, role_at

DEVICE_COOKIE = "device"
LABEL_COOKIE = "device_label"
RECENT_COOKIE = "tables"
MOST_RECENT = 8
A_YEAR = 365 * 24 * 3600
VERSION_HEADER = "Table-Version"
DRAFT_HEADER = "Draft-Version"
"""What the table came to by a write: what a device that kept several to send makes the next one against."""

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Visit:
    """A request at a table by somebody who knows one of its links."""

    request: HttpRequest
    table: Table
    role: Literal["scorer", "watch"]
    token: str

    @property
    def may_write(self) -> bool:
        return self.role == "scorer"

    @property
    def has_link(self) -> bool:
        """Whether he came by the link that writes itself, not by a key that can be taken back."""
        return self.token == self.table.scorer_token

    @property
    def language(self) -> Literal["zh", "en"]:
        return page_language()

    @property
    def ruleset(self) -> Ruleset:
        return ruleset_of(self.table.revision)

    @property
    def slug(self) -> str:
        return self.table.revision.ruleset.slug

    @property
    def by_htmx(self) -> bool:
        """Whether a fragment is wanted."""
        htmx: Any = self.request.htmx  # type: ignore[attr-defined]
        return bool(htmx) and not htmx.boosted and not htmx.history_restore_request

    @property
    def origin(self) -> Origin:
        """Who writes, on which device, by which clock."""
        user = self.request.user
        time = parse_time(self.request.POST.get("client_time"))
        return Origin(
            device_id=self.request.COOKIES.get(DEVICE_COOKIE, ""),
            device_label=device_label(self.request),
            author=user if user.is_authenticated else None,
            client_time=time,
        )

    def url(self, name: str = "table", *args: Any) -> str:
        """The address of one of the table's pages under the same secret."""
        return reverse(f"scoring:{name}", args=[self.table.public_id, self.token, *args])


def at_table(
    *, scorer: bool = False
) -> Callable[[Callable[Concatenate[Visit, P], HttpResponse]], Callable[Concatenate[HttpRequest, str, str, P], HttpResponseBase]]:
    """A view of a table: found by its address, 404 for a wrong secret, and for the watch link where ``scorer``."""

    def decorate(view: Callable[Concatenate[Visit, P], HttpResponse]) -> Callable[Concatenate[HttpRequest, str, str, P], HttpResponseBase]:
        def found(request: HttpRequest, public_id: str, token: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            try:
                table = find_table(public_id)
            except Table.DoesNotExist:
                raise Http404(public_id) from None
            role = role_by(table, token)
            if role is None or (scorer and role != "scorer"):
                raise Http404(public_id)
            visit = Visit(request, table, role, token)
            response = view(visit, *args, **kwargs)
            response.headers.setdefault("Cache-Control", "private, no-store")
            response.headers.setdefault(VERSION_HEADER, str(visit.table.version))
            if DEVICE_COOKIE not in request.COOKIES:
                response.set_cookie(DEVICE_COOKIE, secrets.token_hex(12), max_age=A_YEAR, httponly=True, samesite="Lax")
            return response

        functools.update_wrapper(found, view)
        return found  # type: ignore[return-value]  # Django calls it by keyword; Concatenate cannot say so

    return decorate


def role_by(table: Table, token: str) -> Literal["scorer", "watch"] | None:
    """What a secret opens at a table: one of its two links, or the key of a device that was let in and is not out again."""
    role = access_of(table, token)
    if role is None and (grant := grant_of(token)) is not None:
        at_this_table = role_at(grant, table)
        role = "watch" if at_this_table == "viewer" else at_this_table
    return role


def device_label(request: HttpRequest) -> str:
    """The name that the device was given, or what its browser says it is."""
    label = unquote(request.COOKIES.get(LABEL_COOKIE, "")).strip()[:60]
    if label:
        return label
    agent = request.headers.get("User-Agent", "")
    return next((name for name in ("iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux") if name in agent), "")


def name_device(response: HttpResponse, label: str) -> None:
    """Keep the name of the device."""
    response.set_cookie(LABEL_COOKIE, quote(label.strip()[:60]), max_age=A_YEAR, httponly=True, samesite="Lax")


def recent_links(request: HttpRequest) -> list[tuple[str, str]]:
    """The tables last seen on this device: public id and secret, newest first."""
    links = []
    for part in request.COOKIES.get(RECENT_COOKIE, "").split("~")[:MOST_RECENT]:
        public_id, _dot, token = part.partition(".")
        if public_id and token:
            links.append((public_id, token))
    return links


def access_of_recent(request: HttpRequest) -> list[tuple[Table, str, Literal["scorer", "watch"]]]:
    """The recent tables with the secret and the right that this device has there."""
    links = dict(recent_links(request))
    if not links:
        return []
    tables = {table.public_id: table for table in Table.objects.filter(public_id__in=links).select_related("revision__ruleset")}
    found: list[tuple[Table, str, Literal["scorer", "watch"]]] = []
    for public_id, token in links.items():
        role = role_by(tables[public_id], token) if public_id in tables else None
        if role is not None:
            found.append((tables[public_id], token, role))
    return found


def remember(response: HttpResponse, visit: Visit) -> None:
    """Keep the table among the recent ones of this device; the link that may write wins over the one that looks."""
    links = recent_links(visit.request)
    known = dict(links).get(visit.table.public_id)
    token = known if known is not None and role_by(visit.table, known) == "scorer" else visit.token
    others = [link for link in links if link[0] != visit.table.public_id]
    text = "~".join(f"{public_id}.{secret}" for public_id, secret in [(visit.table.public_id, token), *others][:MOST_RECENT])
    if text != visit.request.COOKIES.get(RECENT_COOKIE):
        response.set_cookie(RECENT_COOKIE, text, max_age=A_YEAR, httponly=True, samesite="Lax")


def parse_time(text: str | None) -> Any:
    """The time that a device says it is; None for what is no time."""
    try:
        found = parse_datetime(text or "")
    except ValueError:
        return None
    if found is None or not is_aware(found):
        return None
    # What lies outside the years 2 to 9998 may leave the calendar in another time zone, or be unsayable in it.
    return found if 1 < found.year < 9999 else None
