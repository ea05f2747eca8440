"""Changes of seats that are part of a drawing of seats for all tables of a session.

At one table alone they can neither be taken back nor let others sit down: somebody would sit at two tables.
"""

from __future__ import annotations

import re

from rules_app.engine.text import Text
from scoring_app.ledger.errors import NotAllowed
from scoring_app.ledger.records import Record
from scoring_app.ledger.replay import Edit
from scoring_app.models import Entry, SeatDraw

KEY = re.compile(r"rotation-(\d{1,6})", re.ASCII)


def rotation_key(rotation: int) -> str:
    """The idempotency key of the change of seats that a rotation makes at a table."""
    return f"rotation-{rotation}"


def is_of_rotation(entry: Entry) -> bool:
    """Whether an entry is part of a drawing of seats, as its key has it."""
    return entry.kind == Entry.Kind.SEAT_CHANGE and KEY.fullmatch(entry.idempotency_key) is not None


def rotation_of(entry: Entry) -> int | None:
    """Which rotation of its session an entry is part of."""
    match = KEY.fullmatch(entry.idempotency_key) if is_of_rotation(entry) else None
    draws = SeatDraw.objects.filter(session__tables=entry.table_id, rotation=int(match[1])) if match else SeatDraw.objects.none()
    return draws.values_list("rotation", flat=True).first()


def require_whole_rotation(record: Record, edit: Edit) -> None:
    """:raises NotAllowed: the edit would take a rotation back, or bring it back, or seat others, at one table only."""
    if rotation_of(record.entry) is None:
        return
    current = record.current
    if edit.payload is not None and not current.voided and set(edit.payload["seats"]) == set(current.payload["seats"]):
        return
    message = Text(
        zh="这是整场排座的一部分，不能只在这一桌撤回或换人；请在本场的“排座”里整个撤回。",
        en="This is part of a drawing of seats for all tables: it is taken back as a whole, under “Draw the seats” of the session.",
    )
    raise NotAllowed("part_of_rotation", message, "seq")
