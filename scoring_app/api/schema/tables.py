"""Tables and their ledgers.  The ledger checks what it is given; these classes describe it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from rules_app.api_schema import Answer, Described, RoundBody, Situation
from scoring_app.api.schema.clubs import MOST
from scoring_app.models import ConfirmationPolicy, DisputeAnswer

ENTRY_KINDS = ["round", "penalty", "transfer", "fee", "settlement", "note", "set_scores", "position", "seat_change", "rules", "status"]
PAYLOADS = {
    "round": '{"round": {"events": […]}, "table", "next", "unfinished"}',
    "penalty": "as a round, or as a transfer",
    "transfer, fee, settlement": '{"lines": [{"from", "to", "amount"}], "text"}',
    "note": '{"text"}',
    "set_scores": '{"totals": {"<number>": points}, "table", "text"}',
    "position": '{"table": {"dealer", "streak", "round_wind", "state"}, "text"}',
    "seat_change": '{"seats": [number or null, by seat], "joining": [names], "table", "text"}',
    "rules": '{"revision", "options", "rescore_from"}',
    "status": '{"closed": true or false, "text"}',
}
"""What the payload of each kind of entry holds."""


class ConflictBody(Described):
    code = serializers.CharField(help_text="stale_version, stale_draft, stale_rotation")
    message = serializers.CharField()
    path = serializers.CharField(allow_blank=True)
    current_version = serializers.IntegerField(required=False)
    draft_version = serializers.IntegerField(required=False, allow_null=True)


class Conflict(Described):
    error = ConflictBody()


class NewTable(Described):
    variant = serializers.CharField(help_text="The slug of a game, as in /api/v1/variants/.")
    names = serializers.ListField(child=serializers.CharField(max_length=40), help_text="In the order of play, one a seat.")
    options = serializers.DictField(required=False)
    title = serializers.CharField(required=False, allow_blank=True, max_length=100)
    language = serializers.ChoiceField(["zh", "en"], required=False)
    start_points = serializers.IntegerField(required=False)
    start = Situation(required=False)


class TableLinks(Described):
    scorer_token = serializers.CharField(help_text="May write.")
    watch_token = serializers.CharField(help_text="May look.")
    scorer_url = serializers.CharField()
    watch_url = serializers.CharField()


class OpenedTable(TableLinks):
    id = serializers.CharField()
    version = serializers.IntegerField()


class TableChange(Described):
    title = serializers.CharField(required=False, allow_blank=True, max_length=100)
    names = serializers.DictField(child=serializers.CharField(max_length=40), required=False, help_text="New names by participant number.")
    confirmation = serializers.ChoiceField(
        ConfirmationPolicy.values,
        required=False,
        help_text="Who besides the writer has to say that an entry is right; officials set it.",
    )


class Participant(Described):
    number = serializers.IntegerField(help_text="Names the participant in every payload.")
    name = serializers.CharField()
    kind = serializers.ChoiceField(["player", "house", "pool"])
    seat = serializers.IntegerField(allow_null=True)
    total = serializers.IntegerField()


class Posted(Described):
    to = serializers.IntegerField()
    amount = serializers.IntegerField()
    reason = serializers.CharField(allow_blank=True)
    rule = serializers.CharField(allow_blank=True)
    event = serializers.IntegerField(allow_null=True)

    def get_fields(self) -> dict[str, Any]:
        return {"from": serializers.IntegerField(), **super().get_fields()}


class EntryBody(Described):
    seq = serializers.IntegerField()
    kind = serializers.CharField()
    number = serializers.IntegerField(allow_null=True, help_text="The number of the round.")
    payload = serializers.DictField(allow_null=True)
    payments = serializers.DictField(child=serializers.IntegerField(), help_text="Net change by participant number.")
    transfers = Posted(many=True)
    summary = serializers.DictField()
    voided = serializers.BooleanField()
    corrected = serializers.BooleanField()
    target = serializers.IntegerField(allow_null=True, help_text="The entry that a correction or voiding is about.")
    reason = serializers.CharField(allow_blank=True)
    time = serializers.DateTimeField()
    device = serializers.CharField(allow_blank=True)


class VersionBody(Described):
    version = serializers.IntegerField()
    cause = serializers.CharField(help_text="entered, corrected, voided or rescored")
    payload = serializers.DictField()
    payments = serializers.DictField(child=serializers.IntegerField())
    voided = serializers.BooleanField()


class EntryDetailBody(EntryBody):
    versions = VersionBody(many=True, help_text="All that it has said, old to new; none of what is about another entry.")
    answer = serializers.DictField(allow_null=True, help_text="The engine's whole answer to a round that counts: readings, arithmetic.")


class TableBody(Described):
    id = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    variant = serializers.CharField()
    revision = serializers.IntegerField()
    hash = serializers.CharField()
    options = serializers.DictField()
    session = serializers.CharField(allow_null=True)
    role = serializers.ChoiceField(["scorer", "watch"], help_text="Whether who asks may record.")
    version = serializers.IntegerField(help_text="To name as expected_version in the next write.")
    changes = serializers.IntegerField(help_text="Grows with every visible change; the ETag.")
    closed = serializers.BooleanField()
    rounds = serializers.IntegerField()
    situation = serializers.DictField(help_text="dealer, streak, round_wind, state, seats (participant number by seat)")
    participants = Participant(many=True)
    round_in_progress = serializers.DictField(allow_null=True)
    entries = EntryBody(many=True, help_text="Newest first.")


class RoundPayload(Described):
    round = RoundBody()
    table = Situation(required=False, help_text="What of the carried situation is otherwise in this round.")
    unfinished = serializers.BooleanField(required=False)

    def get_fields(self) -> dict[str, Any]:
        return {**super().get_fields(), "next": Situation(required=False, help_text="What of the following situation is otherwise.")}


class Expected(Described):
    expected_version = serializers.IntegerField()


class Reasoned(Expected):
    reason = serializers.CharField(required=False, allow_blank=True, max_length=300)


class NewEntry(Reasoned):
    kind = serializers.ChoiceField(ENTRY_KINDS, default="round")
    payload = serializers.DictField(help_text="; ".join(f"{kind}: {payload}" for kind, payload in PAYLOADS.items()))


class Correction(Reasoned):
    payload = serializers.DictField(help_text="All that the entry says from now on.")


class CorrectionLook(Described):
    payload = serializers.DictField(allow_null=True, help_text="What the entry would say; null: voiding it.")


class Look(Described):
    kind = serializers.ChoiceField(["round", "penalty"], default="round")
    payload = RoundPayload()
    running = serializers.BooleanField(default=False, help_text="A round that may still go on.")


class Looked(Described):
    answer = Answer()
    payments = serializers.DictField(child=serializers.IntegerField())
    totals_after = serializers.DictField(child=serializers.IntegerField(), help_text="Without start points.")
    ended = serializers.BooleanField()
    warnings = serializers.ListField(child=serializers.CharField())


class SaidBody(Described):
    payload = serializers.DictField()
    payments = serializers.DictField(child=serializers.IntegerField())
    situation = serializers.DictField(help_text="Dealer, streak, round_wind, state and seats that it began with.")
    voided = serializers.BooleanField()


class ChangeBody(Described):
    seq = serializers.IntegerField()
    kind = serializers.CharField()
    before = SaidBody()
    after = SaidBody()


class ChangesBody(Described):
    changes = ChangeBody(many=True, help_text="Every entry that would come to something else, in order.")


class Written(Described):
    entry = EntryBody()
    version = serializers.IntegerField()
    repeated = serializers.BooleanField(help_text="The key was seen before; this is the entry of the first time.")
    warnings = serializers.ListField(child=serializers.CharField(), help_text="What a careful person would look at again.")
    changes = ChangeBody(many=True, help_text="Earlier entries that were scored again.")


class OpenRoundBody(Described):
    version = serializers.IntegerField(help_text="To name as draft_version in the next change; 0: no round is open.")
    payload = serializers.DictField(allow_null=True)
    so_far = Looked(allow_null=True, help_text="What it has come to.")
    refusal = serializers.CharField(allow_null=True, help_text="Why it does not hold together as it is.")


class DraftChange(Described):
    draft_version = serializers.IntegerField(default=0, help_text="Of the round in progress; 0: none is open.")


class RoundFacts(DraftChange):
    wild = serializers.ListField(child=serializers.CharField(max_length=4), max_length=8, required=False)
    inputs = serializers.DictField(required=False)
    table = serializers.DictField(required=False, help_text="What of the carried situation is otherwise in this round.")
    expected_version = serializers.IntegerField()


class NewEvent(RoundFacts):
    event = serializers.DictField()
    go_on = serializers.BooleanField(default=False, help_text="The round goes on although the rules see it as ended.")


class EventChange(DraftChange):
    event = serializers.DictField()


class RoundEnd(DraftChange):
    expected_version = serializers.IntegerField()
    next = serializers.DictField(required=False, help_text="What of the following situation is otherwise.")


class Taken(Described):
    written = Written(allow_null=True, help_text="The entry, once the round is over.")
    round = OpenRoundBody(help_text="The round while it goes on.")


class Substitution(Expected):
    seat = serializers.IntegerField(min_value=0, max_value=11)
    player = serializers.IntegerField(allow_null=True, help_text="Player number in the session; null frees the seat.")
    text = serializers.CharField(max_length=300, required=False, allow_blank=True)


class NextToRest(Described):
    seat = serializers.IntegerField(allow_null=True, help_text="The seat to be taken; null: nobody rests here.")
    name = serializers.CharField(allow_null=True, help_text="Who comes in.")
    number = serializers.IntegerField(allow_null=True, help_text="His number at the table; null: he has not been there.")
    player = serializers.IntegerField(allow_null=True, help_text="His number in the session, where he is new to the table.")


class ReseatingLook(Described):
    from_seq = serializers.IntegerField(min_value=1, max_value=MOST)
    seats = serializers.ListField(child=serializers.IntegerField(allow_null=True), max_length=12, help_text="Who really sat where.")


class Reseating(ReseatingLook, Reasoned):
    pass


class RulesBody(Described):
    variant = serializers.CharField()
    revision = serializers.IntegerField()
    options = serializers.DictField()
    revisions = serializers.ListField(child=serializers.IntegerField(), help_text="Published ones to choose from, newest first.")


class RulesLook(Described):
    revision = serializers.IntegerField(required=False, help_text="Number of a published revision; by default the present one.")
    options = serializers.DictField(required=False, help_text="By default the present ones.")


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
    version = serializers.IntegerField(min_value=0, max_value=MOST, help_text="Of the entry, as read in marks.")


class NewDispute(Described):
    text = serializers.CharField(max_length=500)


class NewAnswer(Described):
    outcome = serializers.ChoiceField(DisputeAnswer.Outcome.values)
    text = serializers.CharField(max_length=500, required=False, allow_blank=True)


NEW_TABLE_EXAMPLE = OpenApiExample("Four friends", request_only=True, value={"variant": "<slug>", "names": ["甲", "乙", "丙", "丁"]})
