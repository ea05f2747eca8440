"""A table and those who play or are paid there."""

from __future__ import annotations

import secrets
from typing import ClassVar

from django.conf import settings
from django.db import models

from rules_app.models import Revision

PUBLIC_ID_ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"
"""No character that is easily taken for another one when read aloud or copied by hand."""


LANGUAGES = [("zh", "中文"), ("en", "English")]


def new_public_id() -> str:
    return "".join(secrets.choice(PUBLIC_ID_ALPHABET) for _ in range(10))


def new_token() -> str:
    return secrets.token_urlsafe(24)


class ConfirmationPolicy(models.TextChoices):
    """Who besides the writer has to say that an entry is right: nobody, another device, another person."""

    NONE = "none"
    DEVICE = "device"
    PERSON = "person"


class LengthKind(models.TextChoices):
    """What ends the play at a table: nothing but its players, a number of rounds, a number of minutes."""

    NONE = "none"
    ROUNDS = "rounds"
    CLOCK = "clock"


class Table(models.Model):
    """One table for an evening, perhaps one of several of a ``session``, there with a ``number``.

    ``version`` is the ``seq`` of the last ledger entry: whoever writes names the version he saw.  ``changes``
    also grows when a name or the round in progress changes, and is what live pages poll with.
    """

    class Status(models.TextChoices):
        OPEN = "open"
        CLOSED = "closed"

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    title = models.CharField(max_length=100, blank=True)
    language = models.CharField(max_length=2, choices=LANGUAGES, default="zh")
    session = models.ForeignKey("scoring_app.Session", models.PROTECT, null=True, blank=True, related_name="tables")
    number = models.PositiveSmallIntegerField(null=True, blank=True)
    revision = models.ForeignKey(Revision, models.PROTECT, related_name="tables")
    options = models.JSONField(default=dict, blank=True)
    seats = models.PositiveSmallIntegerField()
    start_points = models.IntegerField(default=0)
    length_kind = models.CharField(max_length=6, choices=LengthKind.choices, default=LengthKind.NONE)
    length = models.PositiveIntegerField(default=0, help_text="Rounds or minutes, by the kind of length.")
    confirmation = models.CharField(max_length=6, choices=ConfirmationPolicy.choices, default=ConfirmationPolicy.NONE)
    opening = models.JSONField(default=dict, help_text="The situation before the first round.")
    status = models.CharField(max_length=6, choices=Status.choices, default=Status.OPEN)
    version = models.PositiveIntegerField(default=0)
    changes = models.PositiveIntegerField(default=0)
    marks = models.PositiveIntegerField(default=0, help_text="How many confirmations, disputes and answers there are.")
    # Kept in the clear because whoever keeps score must be able to show the code again to the next phone.
    scorer_token = models.CharField(max_length=64, default=new_token, editable=False)
    watch_token = models.CharField(max_length=64, default=new_token, editable=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["session", "number"], name="table_number_once")]

    def __str__(self) -> str:
        return self.title or self.public_id


class Participant(models.Model):
    """Someone who can pay or be paid at a table: a player, the house, the pool.

    ``number`` names the participant for good within the table; ``seat`` is where a player sat down first.
    Who sits where later follows from the entries.  ``player`` and ``member`` say who that is beyond this table.
    """

    class Kind(models.TextChoices):
        PLAYER = "player"
        HOUSE = "house"
        POOL = "pool"

    table = models.ForeignKey(Table, models.CASCADE, related_name="participants")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)
    kind = models.CharField(max_length=6, choices=Kind.choices, default=Kind.PLAYER)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    player = models.ForeignKey("scoring_app.SessionPlayer", models.PROTECT, null=True, blank=True, related_name="participants")
    member = models.ForeignKey("scoring_app.Member", models.PROTECT, null=True, blank=True, related_name="participants")

    class Meta:
        ordering: ClassVar = ["table", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "number"], name="participant_number_once"),
            models.UniqueConstraint(fields=["table", "seat"], name="participant_first_seat_once"),
            models.UniqueConstraint(fields=["table", "player"], name="participant_player_once"),
        ]

    def __str__(self) -> str:
        return self.name
