"""What others say of an entry: that it is right, or that it is not. Nothing here is ever changed or deleted."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from scoring_app.models.ledger import Content, Entry
from scoring_app.models.table import Table


class Said(models.Model):
    """Who said it, on which device, and when."""

    device_id = models.CharField(max_length=64, blank=True)
    device_label = models.CharField(max_length=60, blank=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


class Confirmation(Said):
    """Somebody else than who wrote a content says that it is right."""

    content = models.ForeignKey(Content, models.PROTECT, related_name="confirmations")

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["content", "device_id"], name="confirmation_once")]

    def __str__(self) -> str:
        return f"{self.content} confirmed"


class Dispute(Said):
    """Somebody says that an entry is wrong; play goes on meanwhile."""

    entry = models.ForeignKey(Entry, models.PROTECT, related_name="disputes")
    text = models.CharField(max_length=500)

    class Meta:
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return f"{self.entry} disputed"

    @property
    def resolution(self) -> DisputeAnswer | None:
        """How it was settled; None while it is open."""
        return getattr(self, "answer", None)


class DisputeAnswer(Said):
    """What came of a dispute: ``upheld`` (the entry was wrong, and is corrected by an entry of its own), or not."""

    class Outcome(models.TextChoices):
        UPHELD = "upheld"
        REJECTED = "rejected"
        WITHDRAWN = "withdrawn"

    dispute = models.OneToOneField(Dispute, models.PROTECT, related_name="answer")
    outcome = models.CharField(max_length=9, choices=Outcome.choices)
    text = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return f"{self.dispute}: {self.outcome}"


class Seal(models.Model):
    """The place of a mark in the chain of its table: ``hash`` covers the mark, what it is about, and the seal before."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="seals")
    number = models.PositiveIntegerField()
    confirmation = models.OneToOneField(Confirmation, models.PROTECT, null=True, blank=True, related_name="seal")
    dispute = models.OneToOneField(Dispute, models.PROTECT, null=True, blank=True, related_name="seal")
    answer = models.OneToOneField(DisputeAnswer, models.PROTECT, null=True, blank=True, related_name="seal")
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering: ClassVar = ["table", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "number"], name="seal_number_once"),
            models.CheckConstraint(
                condition=Q(confirmation__isnull=False, dispute=None, answer=None)
                | Q(confirmation=None, dispute__isnull=False, answer=None)
                | Q(confirmation=None, dispute=None, answer__isnull=False),
                name="seal_of_one_mark",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} mark {self.number}"

    @property
    def mark(self) -> Confirmation | Dispute | DisputeAnswer:
        found = self.confirmation or self.dispute or self.answer
        assert found is not None  # noqa: S101 -- the database keeps it so
        return found
