"""How programs come in: personal tokens, and the answers that a repeated request gets again."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from scoring_app.models.table import new_public_id


class ApiToken(models.Model):
    """A secret with which a program acts for an account, as far as its ``scopes`` go.  Only its hash is kept."""

    class Scope(models.TextChoices):
        READ = "read"
        PLAY = "play"
        MANAGE = "manage"
        EXPORT = "export"

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=60)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_valid(self) -> bool:
        return self.revoked_at is None and (self.expires_at is None or timezone.now() < self.expires_at)


class ApiAnswer(models.Model):
    """What a write over the API was answered, by whom and under which key; a repeat gets the same."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.CharField(max_length=100)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    body = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["account", "key"], name="api_key_once")]

    def __str__(self) -> str:
        return f"{self.key} {self.status}"
