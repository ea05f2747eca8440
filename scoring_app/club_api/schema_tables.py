"""Bodies and answers about the clock of a session and about what is said of entries."""

from __future__ import annotations

from rest_framework import serializers

from rules_app.api_schema import Described
from scoring_app.models import DisputeAnswer, LengthKind


class ClockChange(Described):
    do = serializers.ChoiceField(["start", "pause", "resume"], help_text="start: from the full length.")


class TableClock(Described):
    id = serializers.CharField()
    number = serializers.IntegerField(allow_null=True)
    seconds_left = serializers.IntegerField(allow_null=True, help_text="Below zero once it is over; null where no clock runs.")
    ends_at = serializers.DateTimeField(allow_null=True)
    extra_seconds = serializers.IntegerField()


class ClockBody(Described):
    length_kind = serializers.ChoiceField(LengthKind.values)
    length = serializers.IntegerField(help_text="Minutes, or rounds.")
    started_at = serializers.DateTimeField(allow_null=True)
    paused_at = serializers.DateTimeField(allow_null=True)
    running = serializers.BooleanField()
    tables = TableClock(many=True)


class ExtraTimeBody(Described):
    seconds = serializers.IntegerField()
    reason = serializers.CharField(allow_blank=True)
    device = serializers.CharField(source="device_label", allow_blank=True)
    given_at = serializers.DateTimeField()


class NewExtraTime(Described):
    seconds = serializers.IntegerField(min_value=-43200, max_value=43200, help_text="Below zero takes some back.")
    reason = serializers.CharField(max_length=200, required=False, allow_blank=True)


class ConfirmationBody(Described):
    device = serializers.CharField(source="device_label", allow_blank=True)
    account = serializers.CharField(source="author.username", allow_null=True, default=None)
    time = serializers.DateTimeField(source="made_at")


class AnswerBody(ConfirmationBody):
    outcome = serializers.ChoiceField(DisputeAnswer.Outcome.values)
    text = serializers.CharField(allow_blank=True)


class DisputeBody(ConfirmationBody):
    id = serializers.IntegerField()
    seq = serializers.IntegerField(source="entry.seq")
    text = serializers.CharField()
    answer = AnswerBody(source="resolution", allow_null=True)


class MarksBody(Described):
    seq = serializers.IntegerField()
    version = serializers.IntegerField(help_text="Of what the entry says now; to name when it is confirmed.")
    needs_confirmation = serializers.BooleanField()
    confirmations = ConfirmationBody(many=True)
    disputes = DisputeBody(many=True)


class Confirming(Described):
    version = serializers.IntegerField(min_value=0, help_text="Of the entry, as read in marks.")


class NewDispute(Described):
    text = serializers.CharField(max_length=500)


class NewAnswer(Described):
    outcome = serializers.ChoiceField(DisputeAnswer.Outcome.values)
    text = serializers.CharField(max_length=500, required=False, allow_blank=True)
