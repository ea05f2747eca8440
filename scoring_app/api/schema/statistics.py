"""Standings, charts and settling up."""

from __future__ import annotations

from rest_framework import serializers

from rules_app.api_schema import Described
from scoring_app.api.schema.clubs import MOST


class PersonBody(Described):
    key = serializers.CharField(help_text="member-12, player-3 …")
    name = serializers.CharField()


class BalanceBody(Described):
    person = PersonBody()
    balance = serializers.IntegerField()


class TransferBody(Described):
    payer = PersonBody()
    payee = PersonBody()
    amount = serializers.IntegerField()


class PaidBody(Described):
    payer = serializers.CharField()
    payee = serializers.CharField()
    amount = serializers.IntegerField()
    table = serializers.CharField(help_text="Where the entry stands; it is taken back by voiding it there.")
    seq = serializers.IntegerField()
    version = serializers.IntegerField(help_text="Of that table.")
    time = serializers.DateTimeField()


class SettlementBody(Described):
    settled = serializers.BooleanField()
    balances = BalanceBody(many=True)
    transfers = TransferBody(many=True, help_text="The fewest payments that settle it.")
    paid = PaidBody(many=True, help_text="Payments that were made, newest first.")


class NewSettlement(Described):
    payer = serializers.CharField(max_length=30, help_text="Key of who has paid.")
    payee = serializers.CharField(max_length=30)
    amount = serializers.IntegerField(min_value=1, max_value=MOST)


class NewTableSettlement(NewSettlement):
    expected_version = serializers.IntegerField()


class StandingBody(Described):
    person = PersonBody()
    points = serializers.IntegerField()
    balance = serializers.IntegerField()
    rounds = serializers.IntegerField()
    wins = serializers.IntegerField()
    self_draws = serializers.IntegerField()
    deal_ins = serializers.IntegerField()
    average = serializers.FloatField(allow_null=True)
    average_position = serializers.FloatField(allow_null=True)
    positions = serializers.DictField(child=serializers.IntegerField())
    biggest = serializers.IntegerField(allow_null=True)
    fees = serializers.IntegerField()
    settled = serializers.IntegerField()


class PatternBody(Described):
    variant = serializers.CharField()
    id = serializers.CharField()
    name = serializers.CharField()
    count = serializers.IntegerField()
    share = serializers.FloatField()


class SeriesPointBody(Described):
    time = serializers.DateTimeField()
    table = serializers.CharField()
    session = serializers.CharField(allow_blank=True)
    seq = serializers.IntegerField(allow_null=True, help_text="Null: after the whole evening.")
    totals = serializers.DictField(child=serializers.IntegerField(), help_text="By the key of the person.")


class StatisticsBody(Described):
    rounds = serializers.IntegerField()
    standings = StandingBody(many=True)
    people = PersonBody(many=True)
    matrix = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()), help_text="matrix[i][j]: what people[i] paid people[j]."
    )
    series = SeriesPointBody(many=True, help_text="Running points of play, oldest first.")
    patterns = PatternBody(many=True)


class PenaltyBody(Described):
    table = serializers.CharField()
    seq = serializers.IntegerField()
    time = serializers.DateTimeField()
    reason = serializers.CharField(allow_blank=True)
    payments = BalanceBody(many=True)
    voided = serializers.BooleanField()
    account = serializers.CharField(allow_null=True)
    device = serializers.CharField(allow_blank=True)


class PenaltiesBody(Described):
    penalties = PenaltyBody(many=True)
    totals = BalanceBody(many=True, help_text="Of everybody concerned; together zero.")


class SittingBody(Described):
    date = serializers.DateField()
    session = serializers.CharField(allow_blank=True)
    table = serializers.CharField()
    points = serializers.IntegerField()
    rounds = serializers.IntegerField()


class OpponentBody(Described):
    person = PersonBody()
    won = serializers.IntegerField(help_text="From him, less what was lost to him.")


class GameLineBody(Described):
    variant = serializers.CharField()
    line = StandingBody()


class PlayerStatisticsBody(Described):
    line = StandingBody(allow_null=True, help_text="Null: has not played.")
    games = GameLineBody(many=True)
    series = SeriesPointBody(many=True)
    patterns = PatternBody(many=True)
    evenings = SittingBody(many=True, help_text="Newest first.")
    opponents = OpponentBody(many=True)
