"""The one place that writes entries: lock, key, version, hash chain, postings, standing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from django.db import transaction
from django.utils import timezone

from rules_app.engine.text import Text
from rules_app.models import Revision
from scoring_app.ledger.cautions import cautions_for
from scoring_app.ledger.errors import IdempotencyMismatch, InvalidEntry, NotAllowed, StaleVersion
from scoring_app.ledger.hashing import content_facts, digest, entry_hash, opening_hash
from scoring_app.ledger.locking import lock_table
from scoring_app.ledger.payloads import checked
from scoring_app.ledger.replay import NewContent
from scoring_app.ledger.ruling import Ruling, ground_of, rule
from scoring_app.ledger.values import Caution, Change, Json, Line, Origin, Recorded, Situation, added, payments_of
from scoring_app.models import Content, Entry, OpenRound, Participant, Posting, Standing, Table

CAREFUL = frozenset({Entry.Kind.ROUND, Entry.Kind.PENALTY, Entry.Kind.TRANSFER, Entry.Kind.FEE})
"""What is looked at twice; settlements and set scores follow from what is there."""


@dataclass(frozen=True, slots=True)
class Rules:
    """A revision and the options it is played with."""

    revision: Revision
    options: Json


@dataclass(frozen=True, slots=True)
class Plan:
    """What shall be written: the entry's own content (``payload`` and ``ruling``), or contents of earlier entries."""

    kind: str
    situation: Situation
    totals: dict[int, int]
    payload: Json | None = None
    ruling: Ruling | None = None
    contents: tuple[NewContent, ...] = ()
    target: Entry | None = None
    undoes: Entry | None = None
    reason: str = ""
    rules: Rules | None = None
    """What the table is played by from now on, where that changes."""


def write(*, table: Table, key: str, body: Json, expected_version: int, origin: Origin, plan: Callable[[Table], Plan]) -> Recorded:
    """Write one entry, in a transaction of its own.

    ``body`` is what the writer asked for, as far as a repeat with the same key has to ask for the same again;
    ``plan`` is called under the lock with the table as it is.

    :raises IdempotencyMismatch: the key was used for something else.
    :raises StaleVersion: the table is at another version than the writer expected.
    """
    try:
        body_hash = digest(body)
    except (TypeError, ValueError, RecursionError) as error:
        message = Text(zh="记录含有无法存储的值。", en="The entry holds a value that cannot be stored.")
        raise InvalidEntry("bad_input", message) from error
    if not 0 < len(key) <= 100 or not key.isprintable():
        message = Text(zh="须有 1 到 100 个可见字符的提交编号。", en="A key of 1 to 100 printable characters is needed.")
        raise InvalidEntry("bad_input", message, "idempotency_key")
    with transaction.atomic():
        table = lock_table(table)
        first = Entry.objects.filter(table=table, idempotency_key=key).first()
        if first is not None:
            if first.body_hash != body_hash:
                raise IdempotencyMismatch
            return Recorded(entry=first, table=table, content=own_content(first), repeated=True)
        if table.version != expected_version:
            since = list(Entry.objects.filter(table=table, seq__gt=expected_version).order_by("seq"))
            raise StaleVersion(table.version, since)
        planned = plan(table)
        warnings = cautions_of(table, planned)
        return replace(_append(table, planned, key=key, body_hash=body_hash, origin=origin), warnings=warnings)


def first_answer(table: Table, *, kind: str, key: str) -> Recorded | None:
    """What a key has written already, for acts that are worked out from how the table stands and so differ when repeated.

    :raises IdempotencyMismatch: it has written something of another kind.
    """
    first = Entry.objects.filter(table=table, idempotency_key=key).first()
    if first is None:
        return None
    if first.kind != kind:
        raise IdempotencyMismatch
    return Recorded(entry=first, table=table, content=own_content(first), repeated=True)


def record(
    *, table: Table, kind: str, payload: Json, expected_version: int, idempotency_key: str, origin: Origin, reason: str = ""
) -> Recorded:
    """Write an entry of a kind that has a payload of its own."""
    payload = checked(kind, payload)

    def plan(locked: Table) -> Plan:
        require_open(locked, kind)
        return plan_entry(locked, kind=kind, payload=payload, reason=reason)

    return write(
        table=table,
        key=idempotency_key,
        body={"kind": kind, "payload": payload, "reason": reason},
        expected_version=expected_version,
        origin=origin,
        plan=plan,
    )


def plan_entry(table: Table, *, kind: str, payload: Json, reason: str = "") -> Plan:
    """The plan of a new entry, ruled on the table as it stands."""
    standing = Standing.objects.get(table=table)
    situation, totals = Situation.from_json(standing.situation), totals_from(standing)
    ground = ground_of(table, participants=Participant.objects.filter(table=table).count())
    ruling = rule(kind=kind, payload=payload, situation=situation, totals=totals, ground=ground)
    after = added(totals, payments_of(ruling.lines))
    return Plan(kind=kind, situation=ruling.after, totals=after, payload=payload, ruling=ruling, reason=reason)


def cautions_of(table: Table, plan: Plan) -> tuple[Caution, ...]:
    """What is to be asked about an entry before it is written."""
    if plan.payload is None or plan.ruling is None or not plan.ruling.lines or plan.kind not in CAREFUL:
        return ()
    lines = plan.ruling.lines
    return cautions_for(
        table=table,
        kind=plan.kind,
        payload=plan.payload,
        lines=lines,
        situation=plan.ruling.before,
        totals=added(plan.totals, {number: -change for number, change in payments_of(lines).items()}),
        ground=ground_of(table, participants=Participant.objects.filter(table=table).count()),
    )


def require_open(table: Table, kind: str) -> None:
    """Play needs an open table, and no round may overtake the one in progress."""
    if table.status == Table.Status.CLOSED and kind in {Entry.Kind.ROUND, Entry.Kind.SEAT_CHANGE, Entry.Kind.POSITION}:
        message = Text(zh="这一桌已经结束；要继续请先重新开桌。", en="This table is closed; reopen it to play on.")
        raise NotAllowed("table_closed", message)
    if kind == Entry.Kind.ROUND and OpenRound.objects.filter(table=table).exists():
        message = Text(zh="有一局正在进行；请先结束或放弃它。", en="A round is in progress; close or discard it first.")
        raise NotAllowed("round_open", message)


def own_content(entry: Entry) -> Content:
    """What an entry wrote about itself, or about the entry that it corrects."""
    subject = entry.target_id or entry.pk
    return Content.objects.select_related("entry", "revision").get(written_by=entry, entry_id=subject)


def one_line(text: str, length: int) -> str:
    """The text without what cannot be seen, cut to a length."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())[:length]


def totals_from(standing: Standing) -> dict[int, int]:
    return {int(number): total for number, total in standing.totals.items()}


def _append(table: Table, plan: Plan, *, key: str, body_hash: str, origin: Origin) -> Recorded:
    last = Entry.objects.filter(table=table).order_by("-seq").first()
    entry = Entry(
        table=table,
        seq=(last.seq if last else 0) + 1,
        kind=plan.kind,
        target=plan.target,
        undoes=plan.undoes,
        reason=one_line(plan.reason, 300),
        client_time=origin.client_time,
        server_time=timezone.now(),
        device_id=one_line(origin.device_id, 64),
        device_label=one_line(origin.device_label, 60),
        author=origin.author,
        idempotency_key=key,
        body_hash=body_hash,
        previous_hash=last.hash if last else opening_hash(table),
    )
    written = _contents(table, plan, entry)
    entry.hash = entry_hash(
        table=table,
        entry=entry,
        target=plan.target.seq if plan.target else None,
        undoes=plan.undoes.seq if plan.undoes else None,
        contents=[content_facts(seq=content.entry.seq, content=content, lines=lines) for content, lines in written],
    )
    entry.save(force_insert=True)
    insert_contents(table, written)
    _move(table, plan, entry)
    subject = plan.target or entry
    own = next(content for content, _ in written if content.entry.seq == subject.seq)
    changes: tuple[Change, ...] = tuple(new.as_change() for new in plan.contents)
    return Recorded(entry=entry, table=table, content=own, changes=changes)


def _contents(table: Table, plan: Plan, entry: Entry) -> list[tuple[Content, tuple[Line, ...]]]:
    written = []
    if plan.payload is not None and plan.ruling is not None:
        content = Content(
            entry=entry,
            version=1,
            cause=Content.Cause.ENTERED,
            written_by=entry,
            payload=plan.payload,
            revision=plan.rules.revision if plan.rules else table.revision,
            options=plan.rules.options if plan.rules else table.options,
            before=plan.ruling.before.as_json(),
            after=plan.ruling.after.as_json(),
            summary=plan.ruling.summary,
        )
        written.append((content, plan.ruling.lines))
    for new in plan.contents:
        old = new.record.current
        content = Content(
            entry=new.record.entry,
            version=old.version + 1,
            cause=new.cause,
            written_by=entry,
            voided=new.voided,
            payload=new.payload,
            revision=new.revision,
            options=new.options,
            before=new.ruling.before.as_json(),
            after=new.ruling.after.as_json(),
            summary=new.ruling.summary,
        )
        written.append((content, new.lines))
    return sorted(written, key=lambda pair: pair[0].entry.seq)


def insert_contents(table: Table, written: list[tuple[Content, tuple[Line, ...]]]) -> None:
    """Postings first: the content that follows seals them, and the database checks their sum."""
    numbers = {participant.number: participant for participant in Participant.objects.filter(table=table)}
    postings = []
    for content, lines in written:
        content.entry_id, content.written_by_id = content.entry.pk, content.written_by.pk
        for index, line in enumerate(lines):
            for payer, payee, amount in ((line.payer, line.payee, -line.amount), (line.payee, line.payer, line.amount)):
                posting = Posting(
                    content_id=content.pk,
                    transfer=index,
                    participant=numbers[payer],
                    counterparty=numbers[payee],
                    amount=amount,
                    reason_zh=line.reason.zh,
                    reason_en=line.reason.en,
                    rule=line.rule,
                    event=line.event,
                )
                postings.append(posting)
    Posting.objects.bulk_create(postings)
    Content.objects.bulk_create([content for content, _ in written])


def _move(table: Table, plan: Plan, entry: Entry) -> None:
    """Carry the table and its standing to the new entry."""
    table.version = entry.seq
    table.changes += 1
    table.status = Table.Status.CLOSED if plan.situation.closed else Table.Status.OPEN
    if plan.rules is not None:
        table.revision, table.options = plan.rules.revision, plan.rules.options
    table.save(update_fields=["version", "changes", "status", "revision", "options"])
    totals = {str(number): total for number, total in plan.totals.items()}
    Standing.objects.filter(table=table).update(version=entry.seq, situation=plan.situation.as_json(), totals=totals)
