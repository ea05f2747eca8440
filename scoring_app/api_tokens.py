"""Personal tokens: making them, finding the account behind one, taking them back."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils import timezone

from rules_app.engine.text import Text
from scoring_app.errors import Refused
from scoring_app.models import ApiToken
from scoring_app.naming import tidy_name

if TYPE_CHECKING:
    from django.contrib.auth.models import User

PREFIX = "mr_"
MOST = 20
SEEN_EVERY = timedelta(minutes=1)

SCOPES: dict[str, Text] = {
    ApiToken.Scope.READ: Text(zh="读取：俱乐部、场次、牌桌、战绩", en="read clubs, sessions, tables and statistics"),
    ApiToken.Scope.PLAY: Text(zh="记录：开场、排座、记分、结账", en="run sessions: seat, record, settle"),
    ApiToken.Scope.MANAGE: Text(zh="管理：成员、赛季、设备、设置", en="manage members, seasons, devices and settings"),
    ApiToken.Scope.EXPORT: Text(zh="导出和任务", en="export, and follow jobs"),
}
"""What a token may be good for; what its account may not do, its token may not either."""


@dataclass(frozen=True, slots=True)
class NewToken:
    """``secret`` is shown once and kept nowhere."""

    token: ApiToken
    secret: str


def create_token(*, account: User, name: str, scopes: Iterable[str], days: int | None = None) -> NewToken:
    """A token of an account, for ``days`` or until it is revoked.

    :raises Refused: no name, no scope or an unknown one, or too many tokens.
    """
    name = tidy_name(name, "name", longest=60)
    chosen = sorted(set(scopes))
    if not chosen or not set(chosen) <= set(SCOPES):
        raise Refused("bad_input", Text(zh="请至少选一种权限。", en="Choose at least one thing that it may do."), "scopes")
    if days is not None and not 1 <= days <= 3660:
        raise Refused("bad_input", Text(zh="有效期须在 1 到 3660 天之间。", en="It lasts between 1 and 3660 days."), "days")
    if ApiToken.objects.filter(account=account, revoked_at=None).count() >= MOST:
        raise Refused("too_many", Text(zh=f"最多 {MOST} 个令牌，请先收回不用的。", en=f"At most {MOST} tokens; revoke one first."))
    secret = PREFIX + secrets.token_urlsafe(32)
    expires = timezone.now() + timedelta(days=days) if days is not None else None
    token = ApiToken.objects.create(account=account, name=name, scopes=chosen, token_hash=_hash(secret), expires_at=expires)
    return NewToken(token, secret)


def token_of(secret: str) -> ApiToken | None:
    """The valid token of an active account; its last use is noted once a minute."""
    if not secret.startswith(PREFIX) or len(secret) > 100:
        return None
    token = ApiToken.objects.select_related("account").filter(token_hash=_hash(secret)).first()
    if token is None or not token.is_valid or not token.account.is_active:
        return None
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > SEEN_EVERY:
        ApiToken.objects.filter(pk=token.pk).filter(Q(last_used_at=None) | Q(last_used_at__lt=now)).update(last_used_at=now)
    return token


def revoke_token(*, token: ApiToken) -> ApiToken:
    token.revoked_at = token.revoked_at or timezone.now()
    token.save(update_fields=["revoked_at"])
    return token


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
