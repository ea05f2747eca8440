"""Long work: what was asked for, how far it is, what came of it."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from scoring_app.models.table import LANGUAGES, Table, new_token


class Job(models.Model):
    """``params`` are primitives that the kind of job understands; ``result`` is JSON, and a file may come with it.

    ``public_id`` is a secret: a job without an ``owner`` is open to whoever knows it.  ``progress`` is a percentage.
    ``seen_at`` tells a job that is being done from one whose worker died.
    """

    class Status(models.TextChoices):
        DRAFT = "draft"
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    public_id = models.CharField(max_length=64, unique=True, default=new_token, editable=False)
    kind = models.CharField(max_length=30)
    params = models.JSONField(default=dict)
    language = models.CharField(max_length=2, choices=LANGUAGES, default="zh")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="jobs")
    club = models.ForeignKey("scoring_app.Club", models.CASCADE, null=True, blank=True, related_name="jobs")
    status = models.CharField(max_length=7, choices=Status.choices, default=Status.QUEUED)
    progress = models.PositiveSmallIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    result = models.JSONField(default=dict)
    error_zh = models.CharField(max_length=500, blank=True)
    error_en = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        indexes: ClassVar = [models.Index(fields=["status", "created_at"], name="job_by_status")]
        constraints: ClassVar = [models.CheckConstraint(condition=Q(progress__lte=100), name="job_progress_percent")]

    def __str__(self) -> str:
        return f"{self.kind} {self.status}"

    @property
    def is_over(self) -> bool:
        return self.status in {self.Status.DONE, self.Status.FAILED}

    def error_in(self, language: str) -> str:
        return self.error_zh if language.startswith("zh") else self.error_en


class JobFile(models.Model):
    """The file that a job made, or was given.  In the database, because workers and web servers may share no disk."""

    class Role(models.TextChoices):
        GIVEN = "given"
        MADE = "made"

    job = models.ForeignKey(Job, models.CASCADE, related_name="files")
    role = models.CharField(max_length=5, choices=Role.choices)
    name = models.CharField(max_length=120)
    content_type = models.CharField(max_length=100)
    content = models.BinaryField()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["job", "role"], name="job_file_once")]

    def __str__(self) -> str:
        return self.name


class Provenance(models.Model):
    """Where an imported table comes from: its id and the last hash there, and whether the hashes are still those."""

    table = models.OneToOneField(Table, models.CASCADE, related_name="provenance")
    source_id = models.CharField(max_length=16)
    source_head = models.CharField(max_length=64)
    kept = models.BooleanField()
    imported_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    imported_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.table} from {self.source_id}"
