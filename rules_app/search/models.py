"""One row a rule: what a search finds, lists and shows, without reading the document."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class SearchDocument(models.Model):
    """A rule of the newest published revision of a ruleset.

    ``names``, ``aliases`` and ``initials`` hold whole names, each as one token; ``title_tokens`` the parts of them,
    ``context_tokens`` also those of the game's name, ``tokens`` those of title and text.  ``weight`` orders equal
    matches.  ``data`` is what a list shows of it: an example's tiles, the value, other names.
    """

    ruleset = models.ForeignKey("rules_app.Ruleset", models.CASCADE, related_name="search_documents")
    slug = models.CharField(max_length=60)
    kind = models.CharField(max_length=12)
    rule = models.CharField(max_length=60, blank=True)
    title_zh = models.CharField(max_length=200)
    title_en = models.CharField(max_length=200)
    body_zh = models.TextField(blank=True)
    body_en = models.TextField(blank=True)
    region_zh = models.CharField(max_length=100)
    region_en = models.CharField(max_length=100)
    needs_wild = models.BooleanField(default=False)
    data = models.JSONField(default=dict)
    names = models.TextField()
    aliases = models.TextField(blank=True)
    initials = models.TextField(blank=True)
    title_tokens = models.TextField()
    context_tokens = models.TextField()
    tokens = models.TextField()
    position = models.PositiveIntegerField()
    weight = models.PositiveIntegerField()

    class Meta:
        ordering: ClassVar = ["slug", "position"]
        indexes: ClassVar = [models.Index(fields=["kind", "slug", "position"], name="search_kind_slug")]

    def __str__(self) -> str:
        return f"{self.slug} {self.kind} {self.rule}"
