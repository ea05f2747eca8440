"""A session: an evening or a league day with one table or several, and those who play there."""

from __future__ import annotations

import secrets
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from rules_app.models import Revision
from scoring_app.models.club import Club, Member, Season
from scoring_app.models.table import LANGUAGES, PUBLIC_ID_ALPHABET, ConfirmationPolicy, LengthKind, Table, new_public_id, new_token

JOIN_CODE_LENGTH = 6


def new_join_code() -> str:
    """Short enough to be called across a room; it is valid for an evening only."""
    return "".join(secrets.choice(PUBLIC_ID_ALPHABET) for _ in range(JOIN_CODE_LENGTH))


class Session(models.Model):
    """What its tables start with, who organises it, and its clock.

    ``length`` counts rounds or minutes, by ``length_kind``.  ``rotation`` counts the seatings so far.  The clock
    runs from ``clock_started_at``, less ``clock_paused_seconds`` and the pause that began at ``clock_paused_at``.
    ``changes`` grows with all that its pages show beside the tables' own changes.
    """

    class Status(models.TextChoices):
        PLANNED = "planned"
        RUNNING = "running"
        ENDED = "ended"

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, null=True, blank=True, related_name="sessions")
    season = models.ForeignKey(Season, models.PROTECT, null=True, blank=True, related_name="sessions")
    title = models.CharField(max_length=100, blank=True)
    language = models.CharField(max_length=2, choices=LANGUAGES, default="zh")
    date = models.DateField()
    status = models.CharField(max_length=7, choices=Status.choices, default=Status.PLANNED)
    revision = models.ForeignKey(Revision, models.PROTECT, related_name="sessions")
    options = models.JSONField(default=dict, blank=True)
    start_points = models.IntegerField(default=0)
    length_kind = models.CharField(max_length=6, choices=LengthKind.choices, default=LengthKind.NONE)
    length = models.PositiveIntegerField(default=0)
    confirmation = models.CharField(max_length=6, choices=ConfirmationPolicy.choices, default=ConfirmationPolicy.NONE)
    table_fee = models.PositiveIntegerField(default=0)
    join_code = models.CharField(max_length=JOIN_CODE_LENGTH, unique=True, default=new_join_code)
    join_code_expires = models.DateTimeField()
    # In the clear, as those of a table: the organiser must be able to show them again.
    host_token = models.CharField(max_length=64, default=new_token, editable=False)
    watch_token = models.CharField(max_length=64, default=new_token, editable=False)
    rotation = models.PositiveIntegerField(default=0)
    clock_started_at = models.DateTimeField(null=True, blank=True)
    clock_paused_at = models.DateTimeField(null=True, blank=True)
    clock_paused_seconds = models.PositiveIntegerField(default=0)
    changes = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-date", "-pk"]

    def __str__(self) -> str:
        return self.title or f"{self.date}"

    @property
    def is_code_open(self) -> bool:
        return self.status != self.Status.ENDED and timezone.now() < self.join_code_expires


class SessionPlayer(models.Model):
    """Someone who plays in a session: a ``number`` that stays, a name, and the member he is, as far as known."""

    session = models.ForeignKey(Session, models.CASCADE, related_name="players")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)
    member = models.ForeignKey(Member, models.PROTECT, null=True, blank=True, related_name="played")
    device_id = models.CharField(max_length=64, blank=True)
    joined_at = models.DateTimeField(auto_now_add=True)
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["session", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["session", "number"], name="session_player_number_once"),
            models.UniqueConstraint(fields=["session", "name"], name="session_player_name_once"),
            models.UniqueConstraint(fields=["session", "member"], condition=~Q(member=None), name="session_player_member_once"),
        ]

    def __str__(self) -> str:
        return self.name


class SeatDraw(models.Model):
    """How the seats of one rotation came about; never changed.  ``seed`` and the players give ``seating`` again."""

    class Method(models.TextChoices):
        LOT = "lot"
        SHIFT = "shift"
        MOVEMENT = "movement"
        HAND = "hand"
        UNDO = "undo"

    session = models.ForeignKey(Session, models.PROTECT, related_name="draws")
    rotation = models.PositiveIntegerField()
    method = models.CharField(max_length=8, choices=Method.choices)
    seed = models.CharField(max_length=64, blank=True)
    seating = models.JSONField(help_text="Tables with the numbers of the players by seat, and who rests.")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    device_label = models.CharField(max_length=60, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["session", "rotation"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["session", "rotation"], name="seat_draw_rotation_once")]

    def __str__(self) -> str:
        return f"{self.session} {self.rotation}: {self.method}"


class ExtraTime(models.Model):
    """Time that one table was given beyond the clock of its session; never changed."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="extra_times")
    seconds = models.IntegerField()
    reason = models.CharField(max_length=200, blank=True)
    given_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    device_label = models.CharField(max_length=60, blank=True)
    given_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["table", "pk"]
        constraints: ClassVar = [models.CheckConstraint(condition=~Q(seconds=0), name="extra_time_not_zero")]

    def __str__(self) -> str:
        return f"{self.table}: {self.seconds:+} s"
