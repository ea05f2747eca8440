"""Taking in what has just happened at a table.

Whoever keeps score enters one event after the other and does not care whether the round is over: an event that ends it
makes an entry of the whole round, any other goes to the round in progress.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from scoring_app.ledger import (
    IdempotencyMismatch,
    Origin,
    Preview,
    Recorded,
    StaleDraft,
    add_event,
    begin_round,
    close_round,
    open_round_of,
    preview_open_round,
    preview_round,
    record_round,
    set_round,
)
from scoring_app.ledger.values import Json
from scoring_app.models import Entry, OpenRound, Table


@dataclass(frozen=True, slots=True)
class Facts:
    """What a form says of the round beside its events; None where it asks for nothing."""

    wild: list[str] | None = None
    inputs: Json | None = None
    table: Json | None = None

    def onto(self, payload: Json) -> Json:
        """A copy of a round's payload with these facts."""
        round_ = dict(payload["round"])
        if self.wild is not None:
            round_["wild"] = self.wild
        if self.inputs:
            round_["inputs"] = {**round_.get("inputs", {}), **self.inputs}
        return {**payload, "round": round_, **({"table": {**payload.get("table", {}), **self.table}} if self.table else {})}


@dataclass(frozen=True, slots=True)
class Taken:
    """``recorded`` when the round is over, ``draft`` while it goes on."""

    recorded: Recorded | None
    draft: OpenRound | None


def payload_with(table: Table, event: Json | None, facts: Facts) -> Json:
    """The round in progress (or a new one) with these facts and one more event."""
    draft = open_round_of(table)
    payload = facts.onto(draft.payload if draft else {"round": {"events": []}})
    if event is not None:
        payload["round"]["events"] = [*payload["round"]["events"], event]
    return payload


def preview_event(*, table: Table, event: Json, facts: Facts, language: str) -> Preview:
    """What the round would come to with this event."""
    return preview_round(table=table, payload=payload_with(table, event, facts), language=language, running=True)


def take_event(
    *,
    table: Table,
    event: Json,
    facts: Facts,
    draft_version: int,
    expected_version: int,
    idempotency_key: str,
    origin: Origin,
    go_on: bool = False,
) -> Taken:
    """Add an event; the round becomes an entry when it is over, unless ``go_on`` (another wins on the same tile).

    The same key twice takes it in once.

    :raises StaleDraft, StaleVersion, IdempotencyMismatch, InvalidEntry, rules_app.engine.Refusal:
    """
    with transaction.atomic():
        known = _known(table, event, idempotency_key)
        if known is not None:
            return Taken(known, None)
        draft = open_round_of(table)
        if draft is not None and idempotency_key in draft.keys:
            return Taken(None, draft)
        if (draft.version if draft else 0) != draft_version:
            raise StaleDraft(draft)
        if draft is None:
            payload = payload_with(table, event, facts)
            if not go_on and preview_round(table=table, payload=payload, running=True).ended:
                recorded = record_round(
                    table=table, payload=payload, expected_version=expected_version, idempotency_key=idempotency_key, origin=origin
                )
                return Taken(recorded, None)
            empty = facts.onto({"round": {"events": []}})
            draft = begin_round(table=table, payload=empty, expected_version=expected_version)
        else:
            draft = _with_facts(table, draft, facts)
        draft = add_event(table=table, event=event, draft_version=draft.version, key=idempotency_key)
        preview = preview_open_round(table)
        if go_on or preview is None or not preview.ended:
            return Taken(None, draft)
        recorded = close_round(
            table=table,
            draft_version=draft.version,
            expected_version=expected_version,
            idempotency_key=idempotency_key,
            origin=origin,
        )
        return Taken(recorded, None)


def start_round(*, table: Table, facts: Facts, draft_version: int, expected_version: int, key: str = "") -> OpenRound:
    """Open a round with what is known after the deal, or change that; the same key twice does it once."""
    with transaction.atomic():
        draft = open_round_of(table)
        if draft is not None and key and key in draft.keys:
            return draft
        if draft is None:
            if draft_version:
                raise StaleDraft(None)
            draft = begin_round(table=table, payload=facts.onto({"round": {"events": []}}), expected_version=expected_version)
            if key:
                draft.keys = [key]
                draft.save(update_fields=["keys"])
            return draft
        if draft.version != draft_version:
            raise StaleDraft(draft)
        return _with_facts(table, draft, facts)


def _with_facts(table: Table, draft: OpenRound, facts: Facts) -> OpenRound:
    changed: dict[str, Any] = facts.onto(draft.payload)
    if changed == draft.payload:
        return draft
    return set_round(
        table=table,
        draft_version=draft.version,
        wild=changed["round"].get("wild"),
        inputs=changed["round"].get("inputs"),
        table_override=changed.get("table"),
    )


def _known(table: Table, event: Json, key: str) -> Recorded | None:
    entry = Entry.objects.filter(table=table, idempotency_key=key).first()
    if entry is None:
        return None
    content = entry.contents.order_by("version").first()
    events = content.payload.get("round", {}).get("events", []) if content else []
    if content is None or not events or events[-1] != event:
        raise IdempotencyMismatch
    return Recorded(entry=entry, table=table, content=content, repeated=True)
