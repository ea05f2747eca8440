"""Making entries: one function for each thing that can be entered at a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from django.db import transaction

from rules_app import rulings
from rules_app.engine.text import Text
from scoring_app.ledger.errors import InvalidEntry, NotAllowed
from scoring_app.ledger.opening import clean_name
from scoring_app.ledger.payloads import checked
from scoring_app.ledger.ruling import request_of
from scoring_app.ledger.values import NOBODY, Json, Newcomer, Origin, Preview, Recorded, Situation, payments_of
from scoring_app.ledger.writing import Plan, cautions_of, plan_entry, record, require_open, write
from scoring_app.models import Content, Entry, OpenRound, Participant, Table


def record_round(*, table: Table, payload: Json, expected_version: int, idempotency_key: str, origin: Origin = NOBODY) -> Recorded:
    """Record a whole round.

    ``payload``: ``round`` as in the scorer contract; ``table`` and ``next`` override what is carried in and out;
    ``unfinished`` records a round that the rules see as going on.

    :raises rules_app.engine.Refusal: the rules refuse it.
    :raises InvalidEntry, NotAllowed, StaleVersion, IdempotencyMismatch:
    """
    return record(
        table=table,
        kind=Entry.Kind.ROUND,
        payload=payload,
        expected_version=expected_version,
        idempotency_key=idempotency_key,
        origin=origin,
    )


def preview_round(
    *, table: Table, payload: Json, language: str = "zh", kind: Literal["round", "penalty"] = "round", running: bool = False
) -> Preview:
    """What `record_round` would do now, or what a round in progress has come to (``running``); nothing is written.

    :raises rules_app.engine.Refusal, InvalidEntry, NotAllowed: as `record_round` would.
    """
    payload = checked(kind, payload)
    ruled = payload if not running else {**payload, "unfinished": True}
    plan = plan_entry(table, kind=kind, payload=ruled)
    ruling = plan.ruling
    if ruling is None or "round" not in payload:
        raise InvalidEntry("bad_input", Text(zh="缺少这一局的内容。", en="The round is missing."), "round")
    request = request_of(revision=table.revision, payload=ruled, before=ruling.before.as_json(), options=table.options)
    payments = payments_of(ruling.lines)
    return Preview(
        answer=rulings.score(table.revision, request).answer(language),
        lines=ruling.lines,
        payments={number: payments.get(number, 0) for number in sorted({*payments, *_seated(ruling.before)})},
        totals_after=plan.totals,
        before=ruling.before,
        after=ruling.after,
        ended=ruling.ended,
        warnings=cautions_of(table, plan),
    )


def explain_content(content: Content, *, language: str) -> Json | None:
    """The engine's whole answer for a round as it was scored; None for what was not a round, or is voided."""
    if content.voided or "round" not in content.payload:
        return None
    request = request_of(revision=content.revision, payload=content.payload, before=content.before, options=content.options)
    answer: Json = rulings.score(content.revision, request).answer(language)
    return answer


def record_penalty(*, table: Table, payload: Json, expected_version: int, idempotency_key: str, origin: Origin = NOBODY) -> Recorded:
    """A penalty: by rule (``round`` with the event), or free (``lines`` as in `record_transfer`, and ``text``)."""
    return record(
        table=table,
        kind=Entry.Kind.PENALTY,
        payload=payload,
        expected_version=expected_version,
        idempotency_key=idempotency_key,
        origin=origin,
    )


def record_transfer(
    *,
    table: Table,
    lines: Sequence[Json],
    text: str = "",
    expected_version: int,
    idempotency_key: str,
    origin: Origin = NOBODY,
    kind: Literal["transfer", "fee", "settlement", "penalty", "result"] = "transfer",
) -> Recorded:
    """Move points outside any rule: ``lines`` of ``from`` and ``to`` (participant numbers) and ``amount`` > 0."""
    return record(
        table=table,
        kind=kind,
        payload={"lines": list(lines), "text": text},
        expected_version=expected_version,
        idempotency_key=idempotency_key,
        origin=origin,
    )


def record_note(*, table: Table, text: str, expected_version: int, idempotency_key: str, origin: Origin = NOBODY) -> Recorded:
    return record(
        table=table,
        kind=Entry.Kind.NOTE,
        payload={"text": text},
        expected_version=expected_version,
        idempotency_key=idempotency_key,
        origin=origin,
    )


def set_scores(
    *,
    table: Table,
    totals: Mapping[int, int],
    position: Json | None = None,
    text: str = "",
    expected_version: int,
    idempotency_key: str,
    origin: Origin = NOBODY,
) -> Recorded:
    """Bring the scores to given values, as after a disaster.

    ``totals`` by participant number, start points included; whoever is left out keeps his. ``position`` may set
    dealer, streak, round_wind and state as well.

    :raises InvalidEntry: they do not add up; the sentence says by how much.
    """
    return record(
        table=table,
        kind=Entry.Kind.SET_SCORES,
        payload={"totals": {str(number): total for number, total in totals.items()}, "table": position or {}, "text": text},
        expected_version=expected_version,
        idempotency_key=idempotency_key,
        origin=origin,
    )


def set_position(
    *, table: Table, position: Json, text: str = "", expected_version: int, idempotency_key: str, origin: Origin = NOBODY
) -> Recorded:
    """Say who deals, how often he has, which wind blows, what is carried: those of dealer, streak, round_wind and state
    that are not as the rules carried them.  No points move.

    :raises NotAllowed: they are like this already; :raises rules_app.engine.Refusal: the rules do not know them.
    """
    payload = checked(Entry.Kind.POSITION, {"table": position, "text": text})

    def plan(locked: Table) -> Plan:
        require_open(locked, Entry.Kind.POSITION)
        planned = plan_entry(locked, kind=Entry.Kind.POSITION, payload=payload)
        if planned.ruling is not None and planned.ruling.before == planned.ruling.after:
            raise NotAllowed("nothing_changed", Text(zh="本来就是这样。", en="It is like this already."), "table")
        return planned

    body = {"kind": Entry.Kind.POSITION, "payload": payload}
    return write(table=table, key=idempotency_key, body=body, expected_version=expected_version, origin=origin, plan=plan)


def change_seats(
    *,
    table: Table,
    seats: Sequence[int | None],
    joining: Sequence[str | Newcomer] = (),
    position: Json | None = None,
    text: str = "",
    expected_version: int,
    idempotency_key: str,
    origin: Origin = NOBODY,
) -> Recorded:
    """Who sits where from now on, by participant number; None leaves a seat empty.

    ``joining`` are people new at the table: their numbers follow the last one that exists.  ``position`` may set
    dealer, streak, round_wind and state, as where play starts anew on other seats.
    """
    newcomers = [one if isinstance(one, Newcomer) else Newcomer(one) for one in joining]
    names = [clean_name(one.name, f"joining[{index}]") for index, one in enumerate(newcomers)]
    facts = {"seats": list(seats), "text": text, **({"table": position} if position else {})}
    payload = checked(Entry.Kind.SEAT_CHANGE, facts)

    def plan(locked: Table) -> Plan:
        require_open(locked, Entry.Kind.SEAT_CHANGE)
        taken = {name.casefold() for name in Participant.objects.filter(table=locked).values_list("name", flat=True)}
        if len(taken | {name.casefold() for name in names}) < len(taken) + len(names):
            raise InvalidEntry("bad_input", Text(zh="两位玩家不能同名。", en="Two players cannot have the same name."), "joining")
        add_participants(locked, [replace(one, name=name) for one, name in zip(newcomers, names, strict=True)])
        return plan_entry(locked, kind=Entry.Kind.SEAT_CHANGE, payload=payload)

    return write(
        table=table,
        key=idempotency_key,
        body={"kind": Entry.Kind.SEAT_CHANGE, "payload": payload, "joining": names},
        expected_version=expected_version,
        origin=origin,
        plan=plan,
    )


def add_participants(table: Table, newcomers: Sequence[Newcomer]) -> None:
    """New participants without a seat, numbered on; the table is locked and their names are free."""
    first = Participant.objects.filter(table=table).count()
    people = [
        Participant(table=table, number=first + index, name=one.name, player=one.player, member=one.member)
        for index, one in enumerate(newcomers)
    ]
    Participant.objects.bulk_create(people)


def close_table(*, table: Table, text: str = "", expected_version: int, idempotency_key: str, origin: Origin = NOBODY) -> Recorded:
    """End the evening; a round in progress is dropped, corrections stay possible."""
    with transaction.atomic():
        recorded = record(
            table=table,
            kind=Entry.Kind.STATUS,
            payload={"closed": True, "text": text},
            expected_version=expected_version,
            idempotency_key=idempotency_key,
            origin=origin,
        )
        if not recorded.repeated:
            OpenRound.objects.filter(table=table).delete()
    return recorded


def reopen_table(*, table: Table, text: str = "", expected_version: int, idempotency_key: str, origin: Origin = NOBODY) -> Recorded:
    return record(
        table=table,
        kind=Entry.Kind.STATUS,
        payload={"closed": False, "text": text},
        expected_version=expected_version,
        idempotency_key=idempotency_key,
        origin=origin,
    )


def _seated(situation: Situation) -> list[int]:
    return [number for number in situation.seats if number is not None]
