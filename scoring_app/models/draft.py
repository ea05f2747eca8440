"""The round in progress."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models

from scoring_app.models.table import Table


class OpenRound(models.Model):
    """A round while it is played: events are added and taken back until it is closed and becomes an entry.

    It is a note, not money: it may change, and ``version`` tells two phones apart that change it at once.
    """

    table = models.OneToOneField(Table, models.CASCADE, related_name="open_round")
    payload = models.JSONField(help_text="As the payload of a round.")
    keys = models.JSONField(default=list, help_text="Keys of the writes already taken in.")
    version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name: ClassVar = "open round"

    def __str__(self) -> str:
        return f"open round of {self.table}"

    @property
    def events(self) -> list[dict[str, Any]]:
        events: list[dict[str, Any]] = self.payload["round"]["events"]
        return events
