"""What is written at a table for good: entries, their contents, the postings of a content.

Nothing here is ever changed or deleted.  An entry says that something was entered, by whom and when; what it
says stands in its contents, of which the newest counts.  A correction is an entry of its own and writes new
contents: one for the entry it corrects, and one for each later entry whose result changes with it.

Postings are inserted before their content: inserting the content seals them.  The database then refuses a
content whose postings do not sum to zero, and postings for a sealed content (see the migrations), on SQLite
as on PostgreSQL.
"""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Q

from rules_app.models import Revision
from scoring_app.models.table import Participant, Table


class Entry(models.Model):
    """One act of writing, number ``seq`` of its table; ``hash`` covers it, its contents and the entry before."""

    class Kind(models.TextChoices):
        ROUND = "round"
        PENALTY = "penalty"
        TRANSFER = "transfer"
        FEE = "fee"
        SETTLEMENT = "settlement"
        SET_SCORES = "set_scores"
        POSITION = "position"
        SEAT_CHANGE = "seat_change"
        RULES = "rules"
        RESULT = "result"
        NOTE = "note"
        STATUS = "status"
        CORRECTION = "correction"
        VOID = "void"

    table = models.ForeignKey(Table, models.PROTECT, related_name="entries")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=Kind.choices)
    target = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="corrections")
    undoes = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="undone_by")
    reason = models.CharField(max_length=300, blank=True)
    client_time = models.DateTimeField(null=True, blank=True)
    server_time = models.DateTimeField()
    device_id = models.CharField(max_length=64, blank=True)
    device_label = models.CharField(max_length=60, blank=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    idempotency_key = models.CharField(max_length=100)
    body_hash = models.CharField(max_length=64)
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering: ClassVar = ["table", "seq"]
        verbose_name_plural = "entries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "seq"], name="entry_seq_once"),
            models.UniqueConstraint(fields=["table", "idempotency_key"], name="entry_key_once"),
            models.CheckConstraint(
                condition=Q(kind__in=["correction", "void"], target__isnull=False)
                | (~Q(kind__in=["correction", "void"]) & Q(target__isnull=True)),
                name="entry_target_of_corrections_only",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.seq} {self.kind}"


class ContentQuerySet(models.QuerySet["Content"]):
    def current(self) -> ContentQuerySet:
        """The contents that count: the newest of each entry."""
        newer = Content.objects.filter(entry=OuterRef("entry"), version__gt=OuterRef("version"))
        return self.filter(~Exists(newer))


class Content(models.Model):
    """What an entry says, as entered or as corrected, and what followed from it when it was written."""

    class Cause(models.TextChoices):
        ENTERED = "entered"
        CORRECTED = "corrected"
        VOIDED = "voided"
        RESCORED = "rescored"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="contents")
    version = models.PositiveIntegerField()
    cause = models.CharField(max_length=9, choices=Cause.choices)
    written_by = models.ForeignKey(Entry, models.PROTECT, related_name="written_contents")
    voided = models.BooleanField(default=False)
    payload = models.JSONField()
    revision = models.ForeignKey(Revision, models.PROTECT, related_name="+")
    options = models.JSONField(default=dict)
    before = models.JSONField(help_text="The situation in which it was played or written.")
    after = models.JSONField(help_text="The situation that it left.")
    summary = models.JSONField(default=dict)

    objects = ContentQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["entry", "version"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["entry", "version"], name="content_version_once")]

    def __str__(self) -> str:
        return f"{self.entry} v{self.version}"


class Posting(models.Model):
    """One side of a transfer: what ``participant`` gained (or lost) and from (to) whom."""

    content = models.ForeignKey(Content, models.PROTECT, related_name="postings")
    transfer = models.PositiveIntegerField(help_text="Number of the transfer within the content: two postings each.")
    participant = models.ForeignKey(Participant, models.PROTECT, related_name="postings")
    counterparty = models.ForeignKey(Participant, models.PROTECT, related_name="+")
    amount = models.BigIntegerField()
    reason_zh = models.CharField(max_length=300, blank=True)
    reason_en = models.CharField(max_length=300, blank=True)
    rule = models.CharField(max_length=100, blank=True)
    event = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["content", "transfer", "amount"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(amount=0), name="posting_amount_not_zero"),
            models.CheckConstraint(condition=~Q(participant=F("counterparty")), name="posting_between_two"),
            models.UniqueConstraint(fields=["content", "transfer", "participant"], name="posting_side_once"),
        ]

    def __str__(self) -> str:
        return f"{self.participant} {self.amount:+}"


class Standing(models.Model):
    """Where a table stands after its last entry: a copy for quick reading, never the source.

    ``situation`` as in `Content.after`; ``totals`` by participant number, without start points.
    `verify_ledger` compares it with a replay.
    """

    table = models.OneToOneField(Table, models.CASCADE, related_name="standing")
    version = models.PositiveIntegerField(default=0)
    situation = models.JSONField()
    totals = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.table} at {self.version}"
