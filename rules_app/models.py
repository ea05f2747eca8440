"""Rulesets and their revisions.

A ruleset is a name under which documents are published; a revision is one document.  A draft may change, a
published revision never does: the database refuses it.  What a table was scored with is always a published
revision, and its ``content_hash`` says which text that was.
"""

from __future__ import annotations

import hashlib
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from rules_app.search.models import SearchDocument

__all__ = ["PublishedRevisionError", "Revision", "Ruleset", "SearchDocument", "canonical_text", "content_hash"]


def canonical_text(text: str) -> str:
    """The document text as it is stored and hashed: line feeds only, no byte order mark, one at the end."""
    lines = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return lines.rstrip() + "\n"


def content_hash(text: str) -> str:
    """SHA-256 over the canonical text, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical_text(text).encode()).hexdigest()


class PublishedRevisionError(Exception):
    """A published revision was to be changed or deleted."""


class Ruleset(models.Model):
    slug = models.SlugField(max_length=60, unique=True)
    name_zh = models.CharField(max_length=100)
    name_en = models.CharField(max_length=100)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="rulesets")
    forked_from = models.ForeignKey("Revision", models.PROTECT, null=True, blank=True, related_name="forks")
    shipped = models.BooleanField(default=False, help_text="Comes with the project; its revisions follow the files.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["slug"]

    def __str__(self) -> str:
        return f"{self.name_zh} ({self.slug})"

    @property
    def latest(self) -> Revision | None:
        """The newest published revision."""
        return self.revisions.filter(status=Revision.Status.PUBLISHED).order_by("-number").first()

    @property
    def draft(self) -> Revision | None:
        return self.revisions.filter(status=Revision.Status.DRAFT).first()


class Revision(models.Model):
    class Status(models.TextChoices):
        DRAFT = "draft"
        PUBLISHED = "published"

    ruleset = models.ForeignKey(Ruleset, models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField()
    document = models.TextField(help_text="YAML")
    content_hash = models.CharField(max_length=64, db_index=True, editable=False)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT)
    published_at = models.DateTimeField(null=True, blank=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    note = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["ruleset", "-number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ruleset", "number"], name="revision_number_once"),
            models.UniqueConstraint(fields=["ruleset"], condition=Q(status="draft"), name="one_draft_a_ruleset"),
            models.CheckConstraint(
                condition=Q(status="draft", published_at__isnull=True) | Q(status="published", published_at__isnull=False),
                name="revision_published_at_when_published",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset.slug} #{self.number}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self._refuse_if_published("changed")
        self.document = canonical_text(self.document)
        self.content_hash = content_hash(self.document)
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        self._refuse_if_published("deleted")
        return super().delete(*args, **kwargs)

    @property
    def is_published(self) -> bool:
        return self.status == self.Status.PUBLISHED

    def _refuse_if_published(self, what: str) -> None:
        """The database refuses it as well; this says it in words and before anything is sent."""
        if self.pk and Revision.objects.filter(pk=self.pk, status=self.Status.PUBLISHED).exists():
            raise PublishedRevisionError(f"Revision {self} is published and cannot be {what}; start a new draft instead.")
