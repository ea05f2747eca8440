"""The hash chain over a table's entries.

Each entry's hash covers the hash before it, what the entry says of itself and every content and posting that it
wrote; the first one continues the hash of the table's opening.  Whatever is altered later breaks the chain.
Names of participants are left out, because they may be put right at any time.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from scoring_app.ledger.values import Json, Line
from scoring_app.models import Content, Entry, Table


def canonical(value: Any) -> str:
    """JSON with sorted keys and nothing to spare: one text for one value."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def plain(value: Any) -> Any:
    """The value as it will come back from a JSON column: lists for tuples, texts for keys."""
    return json.loads(canonical(value))


def digest(value: Any) -> str:
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def opening_hash(table: Table) -> str:
    """Where the chain of a table starts."""
    return digest({"table": table.public_id, "seats": table.seats, "start_points": table.start_points, "opening": table.opening})


def entry_hash(*, table: Table, entry: Entry, target: int | None, undoes: int | None, contents: Iterable[Json]) -> str:
    """The hash of an entry; ``target`` and ``undoes`` are given as ``seq``, contents as by `content_facts`."""
    return digest(
        {
            "previous": entry.previous_hash,
            "table": table.public_id,
            "seq": entry.seq,
            "kind": entry.kind,
            "target": target,
            "undoes": undoes,
            "reason": entry.reason,
            "client_time": moment(entry.client_time),
            "server_time": moment(entry.server_time),
            "device": [entry.device_id, entry.device_label],
            "author": entry.author_id,
            "key": entry.idempotency_key,
            "body": entry.body_hash,
            "contents": list(contents),
        }
    )


def content_facts(*, seq: int, content: Content, lines: Iterable[Line]) -> Json:
    """What of a content goes into the hash of the entry that wrote it."""
    return {
        "entry": seq,
        "version": content.version,
        "cause": content.cause,
        "voided": content.voided,
        "payload": content.payload,
        "revision": content.revision.content_hash,
        "options": content.options,
        "before": content.before,
        "after": content.after,
        "summary": content.summary,
        "lines": [[line.payer, line.payee, line.amount, line.reason.zh, line.reason.en, line.rule, line.event] for line in lines],
    }


def moment(time: datetime | None) -> str | None:
    """A time as it goes into a hash."""
    return time.astimezone(UTC).isoformat(timespec="microseconds") if time else None
