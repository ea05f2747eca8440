"""Tables: opening one, as it stands, its names and links, its rules."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from rules_app.api import mapping
from rules_app.languages import page_language
from rules_app.models import Revision
from scoring_app.api.acts import changes, reads, writes
from scoring_app.api.base import CREATED, ApiView, TableView, or_404, small, stored
from scoring_app.api.describe_tables import describe_changes, describe_links, describe_table
from scoring_app.api.schema import tables as schema
from scoring_app.api.schema.clubs import Nothing
from scoring_app.api.schema.sessions import ChargedBody, NewFees
from scoring_app.ledger import open_table, preview_revision, rename_table, set_confirmation
from scoring_app.ledger.links import renew_scorer_link
from scoring_app.models import Table
from scoring_app.sessions import charge_fees


class Tables(ApiView):
    """Open to everybody: who opens a table gets its tokens."""

    @writes("open_table", "Open a table", schema.NewTable, schema.OpenedTable, key_required=False, examples=[schema.NEW_TABLE_EXAMPLE])
    def post(self, request: Request) -> Response:
        body = mapping(request.data)
        given = self.body(schema.NewTable)
        table = open_table(
            revision=stored(given["variant"]),
            names=given["names"],
            options=body.get("options"),
            title=given.get("title", ""),
            language=given.get("language", page_language()),
            start_points=given.get("start_points", 0),
            # As it was sent: the serializer would fill in what is not said.
            start=body.get("start"),
            author=self.caller.account,
        )
        return Response({"id": table.public_id, "version": 0, **describe_links(table, request)}, status=CREATED)


class TableDetail(TableView):
    @reads("get_table", "A table as it stands", schema.TableBody)
    def get(self, _request: Request, public_id: str) -> Response:
        table = self.table_for(public_id)
        writes_here = self.caller.may_at(table, "record_round")
        tag = f'"{table.changes}-{int(writes_here)}-{page_language()}"'
        if self.is_known(tag):
            return Response(headers={"ETag": tag})
        return Response(describe_table(table, writes=writes_here), headers={"ETag": tag})

    @changes("change_table", "Its title, the names of those who play, who confirms its entries", schema.TableChange, schema.TableBody)
    def patch(self, _request: Request, public_id: str) -> Response:
        table = self.table_for(public_id, "record_round")
        facts = self.body(schema.TableChange)
        if "confirmation" in facts:
            set_confirmation(table=self.table_for(public_id, "set_scores"), policy=facts["confirmation"])
        given = facts.get("names", {}).items()
        names = {small(int(number)) if number.isdecimal() and len(number) < 8 else -1: name for number, name in given}
        or_404(lambda: rename_table(table=table, title=facts.get("title"), names=names))
        table.refresh_from_db()
        return Response(describe_table(table, writes=True))


class Links(TableView):
    def table_by_link(self, public_id: str, action: str) -> Table:
        """A device that was let in by a key does not learn what stays when the key is taken back."""
        table = self.table_for(public_id, action)
        if self.caller.grant is not None:
            raise PermissionDenied(_("This token does not allow it."))
        return table

    @reads("get_table_links", "The link that writes and the one that looks", schema.TableLinks)
    def get(self, request: Request, public_id: str) -> Response:
        return Response(describe_links(self.table_by_link(public_id, "record_round"), request))

    @writes("renew_scorer_link", "A new link that writes: the old one stops working", Nothing, schema.TableLinks)
    def post(self, request: Request, public_id: str) -> Response:
        table = renew_scorer_link(table=self.table_by_link(public_id, "manage_devices"))
        return Response(describe_links(table, request), status=CREATED)


class Rules(TableView):
    @reads("get_table_rules", "What a table is played by, and what it could be", schema.RulesBody)
    def get(self, _request: Request, public_id: str) -> Response:
        table = self.table_for(public_id)
        numbers = published(table).order_by("-number").values_list("number", flat=True)
        facts = {"variant": table.revision.ruleset.slug, "revision": table.revision.number, "options": table.options}
        return Response({**facts, "revisions": list(numbers)})


class RulesPreview(TableView):
    @changes("preview_rules", "What of all that was played other rules would change", schema.RulesLook, schema.ChangesBody)
    def post(self, _request: Request, public_id: str) -> Response:
        table = self.table_for(public_id, "change_rules")
        facts = self.body(schema.RulesLook)
        revision = revision_of(table, facts.get("revision"))
        return Response({"changes": describe_changes(preview_revision(table=table, revision=revision, options=facts.get("options")))})


class TableFees(TableView):
    @writes("charge_table_fees", "The table fee of everybody who has played here, to the house", NewFees, ChargedBody(many=True))
    def post(self, _request: Request, public_id: str) -> Response:
        table = self.table_for(public_id, "charge_fees")
        made = charge_fees(table=table, origin=self.caller.origin, **self.body(NewFees))
        return Response([{"table": one.table.public_id, "seq": one.entry.seq} for one in made], status=CREATED)


def published(table: Table) -> Any:
    """The revisions that a table may be moved to."""
    return Revision.objects.filter(ruleset=table.revision.ruleset_id, status=Revision.Status.PUBLISHED).defer("document")


def revision_of(table: Table, number: int | None) -> Revision:
    return table.revision if number is None else get_object_or_404(published(table).select_related("ruleset"), number=small(number))
