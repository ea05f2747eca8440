"""Tables over HTTP: open, read, record, preview, undo, correct, void.

The token of a table, of a device or of an account stands in the header ``Authorization: Bearer …``; one that does not
open the table is a table that does not exist.
Each write names the ``expected_version`` it was made against (409 when the table has moved on) and carries an
``Idempotency-Key``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound, ParseError, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from rules_app.api import GameView, find, language, mapping
from rules_app.api_schema import Error
from scoring_app import api_schema
from scoring_app.access import parse_time
from scoring_app.api_tokens import PREFIX, token_of
from scoring_app.clubs import may_at_table
from scoring_app.ledger import (
    EntryView,
    LedgerError,
    Line,
    Origin,
    Recorded,
    access_of,
    close_table,
    correct_entry,
    entry_detail,
    find_table,
    open_table,
    preview_round,
    record_note,
    record_penalty,
    record_round,
    record_transfer,
    reopen_table,
    table_overview,
    undo_last,
    void_entry,
)
from scoring_app.models import Entry, Table
from scoring_app.sessions import grant_of, role_at

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Role = Literal["scorer", "watch"]


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who comes to a table over HTTP; ``by_link``: with one of its secrets and not as an account."""

    table: Table
    role: Role
    by_link: bool
    account: User | None = None
    scopes: tuple[str, ...] = ("read", "play")
    label: str = "API"
    device: str = ""

    def may(self, action: str) -> bool:
        """By the permission table; a token also needs the scope."""
        if ("read" if action == "view_table" else "play") not in self.scopes:
            return False
        if self.by_link:
            return may_at_table(action, table=self.table, device_role="scorer" if self.role == "scorer" else "viewer")
        return may_at_table(action, table=self.table, user=self.account)


def visitor_at(table: Table, secret: str) -> Visitor | None:
    """Who holds a secret, as far as it opens the table."""
    role = access_of(table, secret)
    if role is not None:
        return Visitor(table, role, by_link=True)
    if secret.startswith(PREFIX):
        token = token_of(secret)
        if token is None:
            return None
        writes = may_at_table("record_round", table=table, user=token.account)
        device = f"token-{token.public_id}"
        return Visitor(table, "scorer" if writes else "watch", False, token.account, tuple(token.scopes), token.name, device)
    grant = grant_of(secret) if secret else None
    granted = role_at(grant, table) if grant is not None else None
    if grant is None or granted is None:
        return None
    return Visitor(
        table, "scorer" if granted == "scorer" else "watch", True, grant.account, label=grant.label or "API", device=grant.public_id
    )


class TableView(GameView):
    """What the endpoints of a table share: its token, and the ledger's refusals in one shape."""

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, LedgerError):
            return Response(exc.as_json(language()), status=exc.status)
        return super().handle_exception(exc)

    def open_for(self, request: Request, public_id: str, action: str = "view_table") -> tuple[Table, Visitor]:
        """The table and who comes: by its secret, by a device's grant, or by the personal token of an account.

        :raises NotFound: no such table, or the token does not open it.
        :raises PermissionDenied: it does, and does not allow this.
        """
        scheme, _space, secret = request.headers.get("Authorization", "").partition(" ")
        try:
            table = find_table(public_id)
        except Table.DoesNotExist:
            table = None
        visitor = visitor_at(table, secret.strip()) if table is not None and scheme.lower() == "bearer" else None
        if table is None or visitor is None or not visitor.may("view_table"):
            raise NotFound(_("There is no such table, or the token does not open it."))
        if action != "view_table" and visitor.by_link and visitor.role != "scorer":
            # Whoever may only watch need not learn that there is something to write.
            raise NotFound(_("There is no such table, or the token does not open it."))
        if not visitor.may(action):
            raise PermissionDenied(_("This token does not allow it."))
        return table, visitor

    def writing(self, request: Request, public_id: str, action: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """The body, and what makes a write safe as arguments of the ledger.

        :raises ParseError: no key, or no expected version.
        """
        table, visitor = self.open_for(request, public_id, action)
        body = mapping(request.data)
        key = request.headers.get("Idempotency-Key", "").strip()
        if not 0 < len(key) <= 100:
            raise ParseError(_("The header Idempotency-Key is missing: choose a new one for each write, up to 100 characters."))
        version = body.get("expected_version")
        if not isinstance(version, int) or isinstance(version, bool):
            raise ParseError(_("expected_version is missing: the version of the table that you read last."))
        origin = Origin(
            device_id=request.headers.get("X-Device-Id", visitor.device),
            device_label=request.headers.get("X-Device-Label", visitor.label),
            author=visitor.account,
            client_time=parse_time(request.headers.get("X-Client-Time")),
        )
        return body, {"table": table, "expected_version": version, "idempotency_key": key, "origin": origin}


class Tables(TableView):
    @extend_schema(
        operation_id="open_table",
        summary="Open a table",
        request=api_schema.NewTable,
        responses={201: api_schema.OpenedTable, 400: Error, 404: Error, 422: Error},
        examples=[api_schema.NEW_TABLE_EXAMPLE],
    )
    def post(self, request: Request) -> Response:
        body = mapping(request.data)
        given = api_schema.NewTable(data=body)
        given.is_valid(raise_exception=True)
        revision = find(str(body["variant"]))
        if revision.number == 0:
            raise NotFound(_("This game is not stored in the database yet: run manage.py load_rulesets."))
        table = open_table(
            revision=revision,
            names=given.validated_data["names"],
            options=body.get("options"),
            title=body.get("title", ""),
            language=body.get("language", language()),
            start_points=given.validated_data.get("start_points", 0),
            start=body.get("start"),
        )
        urls = {
            f"{role}_url": request.build_absolute_uri(reverse("scoring:table", args=[table.public_id, token]))
            for role, token in (("scorer", table.scorer_token), ("watch", table.watch_token))
        }
        opened = {"id": table.public_id, "version": 0, "scorer_token": table.scorer_token, "watch_token": table.watch_token, **urls}
        return Response(opened, status=status.HTTP_201_CREATED)


class TableDetail(TableView):
    @extend_schema(
        operation_id="get_table",
        summary="A table as it stands",
        parameters=[api_schema.TOKEN, api_schema.MATCH],
        responses={200: api_schema.TableBody, 304: None, 404: Error},
    )
    def get(self, request: Request, public_id: str) -> Response:
        table, visitor = self.open_for(request, public_id)
        tag = f'"{table.changes}-{language()}"'
        if request.headers.get("If-None-Match") == tag:
            return Response(status=status.HTTP_304_NOT_MODIFIED, headers={"ETag": tag})
        return Response(describe_table(table, visitor.role), headers={"ETag": tag, "Cache-Control": "private, no-cache"})


class Entries(TableView):
    @extend_schema(
        operation_id="record_entry",
        summary="Record a round, a penalty, a transfer, a fee, a settlement or a note",
        parameters=[api_schema.TOKEN, api_schema.KEY],
        request=api_schema.NewEntry,
        responses={201: api_schema.Written, 200: api_schema.Written, 400: Error, **api_schema.REFUSED},
    )
    def post(self, request: Request, public_id: str) -> Response:
        kind = mapping(request.data).get("kind", "round")
        action = ACTIONS.get(kind, "record_round") if isinstance(kind, str) else "record_round"
        body, safe = self.writing(request, public_id, action)
        payload = mapping(body.get("payload"))
        write = RECORDERS.get(kind) if isinstance(kind, str) else None
        if write is None:
            raise ParseError(_("kind must be one of: %(kinds)s") % {"kinds": ", ".join(RECORDERS)})
        return answer(write(kind, payload, safe))


class EntryDetail(TableView):
    @extend_schema(
        operation_id="get_entry",
        summary="One entry",
        parameters=[api_schema.TOKEN],
        responses={200: api_schema.EntryBody, 404: Error},
    )
    def get(self, request: Request, public_id: str, seq: int) -> Response:
        table, _visitor = self.open_for(request, public_id)
        return Response(describe_entry(find_entry(table, seq)))


class Preview(TableView):
    @extend_schema(
        operation_id="preview_round",
        summary="What a round would do, without recording it",
        parameters=[api_schema.TOKEN],
        request=api_schema.Look,
        responses={200: api_schema.Looked, 400: Error, 404: Error, 422: Error},
    )
    def post(self, request: Request, public_id: str) -> Response:
        table, _visitor = self.open_for(request, public_id)
        body = mapping(request.data)
        kind: Literal["round", "penalty"] = "penalty" if body.get("kind") == "penalty" else "round"
        preview = preview_round(table=table, payload=mapping(body.get("payload")), language=language(), kind=kind)
        return Response(
            {
                "answer": preview.answer,
                "payments": by_number(preview.payments),
                "totals_after": by_number(preview.totals_after),
                "ended": preview.ended,
                "warnings": [warning.in_language(language()) for warning in preview.warnings],
            }
        )


class Undo(TableView):
    @extend_schema(
        operation_id="undo_last_entry",
        summary="Take the last entry back",
        parameters=[api_schema.TOKEN, api_schema.KEY],
        request=api_schema.Expected,
        responses={201: api_schema.Written, 200: api_schema.Written, 400: Error, **api_schema.REFUSED},
    )
    def post(self, request: Request, public_id: str) -> Response:
        body, safe = self.writing(request, public_id, "undo")
        return answer(undo_last(**safe, reason=reason_of(body)))


class Correct(TableView):
    @extend_schema(
        operation_id="correct_entry",
        summary="Put an entry right; what follows is scored again",
        parameters=[api_schema.TOKEN, api_schema.KEY],
        request=api_schema.Correction,
        responses={201: api_schema.Written, 200: api_schema.Written, 400: Error, **api_schema.REFUSED},
    )
    def post(self, request: Request, public_id: str, seq: int) -> Response:
        body, safe = self.writing(request, public_id, "correct_entry")
        return answer(correct_entry(**safe, seq=seq, payload=mapping(body.get("payload")), reason=reason_of(body)))


class Void(TableView):
    @extend_schema(
        operation_id="void_entry",
        summary="Make an entry void; what follows is scored again",
        parameters=[api_schema.TOKEN, api_schema.KEY],
        request=api_schema.Expected,
        responses={201: api_schema.Written, 200: api_schema.Written, 400: Error, **api_schema.REFUSED},
    )
    def post(self, request: Request, public_id: str, seq: int) -> Response:
        body, safe = self.writing(request, public_id, "correct_entry")
        return answer(void_entry(**safe, seq=seq, reason=reason_of(body)))


class Close(TableView):
    @extend_schema(
        operation_id="close_table",
        summary="Close a table, or open it again",
        parameters=[api_schema.TOKEN, api_schema.KEY],
        request=api_schema.Closing,
        responses={201: api_schema.Written, 200: api_schema.Written, 400: Error, **api_schema.REFUSED},
    )
    def post(self, request: Request, public_id: str) -> Response:
        body, safe = self.writing(request, public_id, "close_table")
        act = reopen_table if body.get("closed") is False else close_table
        return answer(act(**safe))


def _transfer(kind: str, payload: dict[str, Any], safe: dict[str, Any]) -> Recorded:
    lines = payload.get("lines", [])
    if not isinstance(lines, list):
        raise ParseError(_("payload.lines must be a list of transfers."))
    return record_transfer(**safe, lines=lines, text=payload.get("text", ""), kind=kind)  # type: ignore[arg-type]


RECORDERS: dict[str, Callable[[str, dict[str, Any], dict[str, Any]], Recorded]] = {
    "round": lambda _kind, payload, safe: record_round(**safe, payload=payload),
    "penalty": lambda _kind, payload, safe: record_penalty(**safe, payload=payload),
    "transfer": _transfer,
    "fee": _transfer,
    "settlement": _transfer,
    "note": lambda _kind, payload, safe: record_note(**safe, text=payload.get("text", "")),
}


ACTIONS = {
    "round": "record_round",
    "penalty": "record_penalty",
    "transfer": "record_transfer",
    "fee": "charge_fees",
    "settlement": "settle",
    "note": "record_round",
}
"""What of the permission table each kind of entry needs."""


def reason_of(body: dict[str, Any]) -> str:
    """:raises ParseError: the reason is no text."""
    reason = body.get("reason", "")
    if not isinstance(reason, str):
        raise ParseError(_("reason must be a text."))
    return reason


def answer(recorded: Recorded) -> Response:
    """What was written: 201, or 200 where the same key had written it before."""
    table = Table.objects.get(pk=recorded.table.pk)
    entry = find_entry(table, recorded.entry.seq)
    body = {"entry": describe_entry(entry), "version": table.version, "repeated": recorded.repeated}
    return Response(body, status=status.HTTP_200_OK if recorded.repeated else status.HTTP_201_CREATED)


def find_entry(table: Table, seq: int) -> EntryView:
    """:raises NotFound: there is no such entry."""
    try:
        return entry_detail(table, seq)
    except Entry.DoesNotExist:
        raise NotFound(_("There is no entry %(number)s.") % {"number": seq}) from None


def describe_table(table: Table, role: Role) -> dict[str, Any]:
    """A table as JSON."""
    overview = table_overview(table)
    people = [view for view in (*overview.seats, *overview.others) if view.participant is not None]
    draft = overview.open_round
    situation = overview.situation
    numbers = {entry.entry.pk: entry.seq for entry in overview.entries}
    return {
        "id": table.public_id,
        "title": table.title,
        "variant": table.revision.ruleset.slug,
        "revision": table.revision.number,
        "hash": table.revision.content_hash,
        "options": table.options,
        "role": role,
        "version": overview.version,
        "changes": overview.changes,
        "closed": situation.closed,
        "rounds": overview.rounds,
        "situation": {**situation.request_table(), "seats": list(situation.seats)},
        "participants": [
            {
                "number": view.participant.number,
                "name": view.participant.name,
                "kind": view.participant.kind,
                "seat": view.seat,
                "total": view.total,
            }
            for view in people
            if view.participant is not None
        ],
        "round_in_progress": None if draft is None else {"payload": draft.payload, "version": draft.version},
        "entries": [describe_entry(entry, numbers) for entry in overview.entries],
    }


def describe_entry(entry: EntryView, numbers: Mapping[int, int] | None = None) -> dict[str, Any]:
    """An entry as JSON; ``numbers``: ``seq`` by primary key, where the other entries are at hand."""
    record, content = entry.entry, entry.content
    target = None if record.target_id is None else numbers[record.target_id] if numbers else record.target.seq if record.target else None
    return {
        "seq": entry.seq,
        "kind": entry.kind,
        "number": entry.number,
        "payload": content.payload if content else None,
        "payments": by_number(entry.payments),
        "transfers": [describe_line(line) for line in entry.lines],
        "summary": entry.summary,
        "voided": entry.voided,
        "corrected": entry.corrected,
        "target": target,
        "reason": record.reason,
        "time": record.server_time,
        "device": record.device_label,
    }


def describe_line(line: Line) -> dict[str, Any]:
    return {
        "from": line.payer,
        "to": line.payee,
        "amount": line.amount,
        "reason": line.reason.in_language(language()),
        "rule": line.rule,
        "event": line.event,
    }


def by_number(amounts: dict[int, int]) -> dict[str, int]:
    return {str(number): amount for number, amount in sorted(amounts.items())}
