"""Taking the last drawing of seats back, at all its tables at once."""

from __future__ import annotations

from django.db import transaction

from rules_app.engine.text import Text
from scoring_app.errors import SessionError
from scoring_app.ledger import NOBODY, Origin, undo_last, undoable_entry
from scoring_app.ledger.locking import lock_table
from scoring_app.ledger.rotations import rotation_key
from scoring_app.models import OpenRound, SeatDraw, Session, Table
from scoring_app.sessions.locking import lock_this
from scoring_app.sessions.rotation import StaleRotation, current_seating, lasting_draws
from scoring_app.sessions.tables import rounds_open


def undo_seating(*, session: Session, expected_rotation: int | None = None, origin: Origin = NOBODY) -> SeatDraw:
    """Everybody sits again as before the last drawing; dealer and round are what they were.

    Tables that it opened go away again.  It stays in the history of drawings, and so does the undo, as one of its own.

    :raises StaleRotation: seats have been drawn since.
    :raises SessionError: no drawing is left, a round is in progress, or something was written at a table since.
    """
    with transaction.atomic():
        session = lock_this(session.pk)
        if session.status == Session.Status.ENDED:
            raise SessionError("ended", Text(zh="这一场已经结束。", en="This session is over."))
        if expected_rotation is not None and expected_rotation != session.rotation:
            raise StaleRotation
        draws = lasting_draws(session)
        if not draws:
            raise SessionError("nothing_to_undo", Text(zh="没有可以撤回的排座。", en="There is no drawing of seats to take back."))
        key = rotation_key(draws[-1].rotation)
        numbers = {line["number"] for line in draws[-1].seating["tables"]}
        tables = [lock_table(table) for table in session.tables.order_by("pk")]
        moved = [table for table in tables if table.entries.filter(idempotency_key=key).exists()]
        opened = [table for table in tables if table.number in numbers and table not in moved]
        _require_untouched(moved, opened, key)
        for table in moved:
            undo_last(
                table=table,
                expected_version=table.version,
                idempotency_key=f"{key}-undone-{table.version}",
                origin=origin,
                of_rotation=True,
            )
        for table in opened:
            table.delete()
        session.rotation += 1
        session.changes += 1
        session.save(update_fields=["rotation", "changes"])
        return SeatDraw.objects.create(
            session=session,
            rotation=session.rotation,
            method=SeatDraw.Method.UNDO,
            seating=current_seating(session).as_json(),
            made_by=origin.author,
            device_label=origin.device_label[:60],
        )


def _require_untouched(moved: list[Table], opened: list[Table], key: str) -> None:
    """:raises SessionError: something came after the drawing at one of its tables."""
    busy = [table for table in (*moved, *opened) if OpenRound.objects.filter(table=table).exists()]
    if busy:
        raise rounds_open(busy)
    later = [table for table in opened if table.version or table.extra_times.exists()]
    for table in moved:
        last = undoable_entry(table)
        if last is None or last.idempotency_key != key:
            later.append(table)
    if later:
        numbers = "、".join(str(table.number or table) for table in later)
        message = Text(
            zh=f"排座之后，第 {numbers} 桌又记了账；请先在那里撤销，或者重新排座。",
            en=f"Since the drawing something was written at table {numbers.replace('、', ', ')}; undo it there first, or draw again.",
        )
        raise SessionError("played_since", message)
