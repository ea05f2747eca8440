"""Exports, imports and the jobs that do them."""

from __future__ import annotations

from rest_framework import serializers

from rules_app.api_schema import Described
from scoring_app.exports.files import FORMS


class NewExport(Described):
    form = serializers.ChoiceField(list(FORMS))
    season = serializers.CharField(required=False, help_text="Of a club: only this season.")


class JobBody(Described):
    id = serializers.CharField(source="public_id")
    kind = serializers.CharField()
    status = serializers.CharField(help_text="draft, queued, running, done or failed")
    progress = serializers.IntegerField(help_text="Percent.")
    result = serializers.DictField()
    error = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()


class NewDocument(Described):
    name = serializers.CharField(max_length=120, help_text="Of the file.")
    content = serializers.CharField(help_text="The file in base64, at most 2 MB of it.")


class NewImport(NewDocument):
    variant = serializers.CharField(max_length=60, required=False, help_text="Old results: which game they are of.")
    title = serializers.CharField(max_length=100, required=False, allow_blank=True, help_text="Old results: of their sessions.")


class FaultBody(Described):
    row = serializers.IntegerField(help_text="As spreadsheets count, from 1.")
    message = serializers.CharField()


class ResultsPreview(Described):
    tables = serializers.IntegerField()
    dates = serializers.ListField(child=serializers.DateField())
    members = serializers.ListField(child=serializers.CharField(), help_text="Names that are members of the club.")
    guests = serializers.ListField(child=serializers.CharField(), help_text="Names that are not.")
    totals = serializers.DictField(child=serializers.IntegerField(), help_text="By name.")
    faults = FaultBody(many=True, help_text="With any, nothing can be imported.")


class ImportedTableBody(Described):
    title = serializers.CharField(allow_blank=True)
    number = serializers.IntegerField(allow_null=True)
    variant = serializers.CharField()
    entries = serializers.IntegerField()
    totals = serializers.DictField(child=serializers.IntegerField(), help_text="By name.")
    kept = serializers.BooleanField(help_text="Whether id and hashes stay those of the source.")


class DocumentPreview(Described):
    title = serializers.CharField(allow_blank=True)
    date = serializers.DateField(allow_null=True)
    players = serializers.IntegerField()
    members = serializers.ListField(child=serializers.CharField(), help_text="Names that are members of the club.")
    tables = ImportedTableBody(many=True)


class ImportPreview(Described):
    job = serializers.CharField(allow_null=True, help_text="To be confirmed at jobs/<id>/confirm/; null where nothing can be imported.")
    results = ResultsPreview(allow_null=True)
    document = DocumentPreview(allow_null=True)
