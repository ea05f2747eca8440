"""What a device may do: a grant with a token of its own, which lasts until it is taken back."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from rules_app.engine.text import Text
from scoring_app.errors import SessionError
from scoring_app.models import DeviceGrant, Entry, Session, Table
from scoring_app.models.table import new_token

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SEEN_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Issued:
    """A new grant, and the token that only its device will know."""

    grant: DeviceGrant
    token: str


@dataclass(frozen=True, slots=True)
class Writer:
    """Another device that has written at a table lately."""

    device_id: str
    device_label: str
    last_seen: datetime


def issue_grant(
    *,
    table: Table | None = None,
    session: Session | None = None,
    role: str,
    label: str = "",
    account: User | None = None,
) -> Issued:
    """Let a device score or view at one table, or at all tables of a session.

    :raises SessionError: the role is none.
    """
    if role not in DeviceGrant.Role.values:
        raise SessionError("bad_input", Text(zh="设备只能记分或观看。", en="A device is a scorer or a viewer."), "role")
    if (table is None) == (session is None):
        raise ValueError("a grant is for a table or for a session")
    return _issue(table=table, session=session, role=role, label=label, account=account)


def grant_of(token: str) -> DeviceGrant | None:
    """The valid grant of a token; that it was seen is noted once a minute."""
    grant = DeviceGrant.objects.select_related("table", "session").filter(token_hash=_hashed(token), revoked_at=None).first()
    if grant is None:
        return None
    now = timezone.now()
    if grant.last_seen is None or now - grant.last_seen > SEEN_EVERY:
        DeviceGrant.objects.filter(pk=grant.pk).update(last_seen=now)
        grant.last_seen = now
    return grant


def role_at(grant: DeviceGrant, table: Table) -> Literal["scorer", "viewer"] | None:
    """What the device may do at this table."""
    concerns = grant.table_id == table.pk or (grant.session_id is not None and grant.session_id == table.session_id)
    if not grant.is_valid or not concerns:
        return None
    return "scorer" if grant.role == DeviceGrant.Role.SCORER else "viewer"


def grants_of(*, table: Table | None = None, session: Session | None = None, revoked: bool = False) -> list[DeviceGrant]:
    """The grants that concern a table (its session's included), or a session (its tables' included), newest first."""
    if table is not None:
        concerned = Q(table=table)
        if table.session_id is not None:
            concerned |= Q(session=table.session_id)
    else:
        concerned = Q(session=session) | Q(table__session=session)
    grants = DeviceGrant.objects.filter(concerned).select_related("table", "session", "account", "taken_over_from")
    return list(grants if revoked else grants.filter(revoked_at=None))


def rename_grant(*, grant: DeviceGrant, label: str) -> DeviceGrant:
    grant.label = _label(label)
    grant.save(update_fields=["label"])
    return grant


def revoke_grant(*, grant: DeviceGrant) -> DeviceGrant:
    """The device is signed out at its next request."""
    grant.revoked_at = grant.revoked_at or timezone.now()
    grant.save(update_fields=["revoked_at"])
    return grant


def take_over(*, grant: DeviceGrant, label: str = "", account: User | None = None) -> Issued:
    """Another device takes the place of one that died: it gets a grant like it, and the old one ends.

    :raises SessionError: the old one has been taken over or revoked already.
    """
    with transaction.atomic():
        old = DeviceGrant.objects.select_for_update().get(pk=grant.pk)
        if not old.is_valid:
            message = Text(zh="这台设备的授权已经失效。", en="The grant of this device has ended already.")
            raise SessionError("grant_ended", message, "grant")
        old.revoked_at = timezone.now()
        old.save(update_fields=["revoked_at"])
        return _issue(table=old.table, session=old.session, role=old.role, label=label or old.label, account=account, before=old)


def other_writers(table: Table, device_id: str, *, minutes: int = 10) -> list[Writer]:
    """Other devices that have written at the table lately, the latest first: two should know of each other."""
    since = timezone.now() - timedelta(minutes=minutes)
    rows = Entry.objects.filter(table=table, server_time__gte=since).exclude(device_id__in=["", device_id]).order_by()
    latest = rows.values("device_id").annotate(last=Max("server_time"), label=Max("device_label")).order_by("-last")
    return [Writer(row["device_id"], row["label"], row["last"]) for row in latest]


def _issue(
    *,
    table: Table | None,
    session: Session | None,
    role: str,
    label: str,
    account: User | None,
    before: DeviceGrant | None = None,
) -> Issued:
    token = new_token()
    grant = DeviceGrant.objects.create(
        table=table,
        session=session,
        role=role,
        label=_label(label),
        account=account,
        token_hash=_hashed(token),
        taken_over_from=before,
        last_seen=timezone.now(),
    )
    return Issued(grant, token)


def _hashed(token: str) -> str:
    """The token is long and random, so that a plain hash keeps it."""
    return hashlib.sha256(token.encode()).hexdigest()


def _label(label: str) -> str:
    return "".join(letter for letter in " ".join(label.split()) if letter.isprintable())[:60]
