"""What a device may do: a grant that lasts through a bad network and can be taken back."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from scoring_app.models.session import Session
from scoring_app.models.table import Table, new_public_id


class DeviceGrant(models.Model):
    """A device at one table, or at all tables of a session.  Its token is known to the device alone."""

    class Role(models.TextChoices):
        SCORER = "scorer"
        VIEWER = "viewer"

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    table = models.ForeignKey(Table, models.CASCADE, null=True, blank=True, related_name="grants")
    session = models.ForeignKey(Session, models.CASCADE, null=True, blank=True, related_name="grants")
    role = models.CharField(max_length=6, choices=Role.choices)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    label = models.CharField(max_length=60, blank=True)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    taken_over_from = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="taken_over_by")
    created_at = models.DateTimeField(auto_now_add=True)
    last_seen = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(table__isnull=True, session__isnull=False) | Q(table__isnull=False, session__isnull=True),
                name="grant_for_table_or_session",
            ),
        ]

    def __str__(self) -> str:
        return self.label or self.public_id

    @property
    def is_valid(self) -> bool:
        return self.revoked_at is None
