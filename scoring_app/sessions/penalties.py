"""The penalties of a session or a table, with sums that can be checked."""

from __future__ import annotations

from dataclasses import dataclass

from rules_app.engine.text import Text
from scoring_app.models import Content, Entry, Posting, Session, Table
from scoring_app.statistics import Person, read_facts


@dataclass(frozen=True, slots=True)
class PenaltyRow:
    """One penalty as it counts now; one that is void pays nothing. ``reason`` is the writer's, else the rule's."""

    entry: Entry
    table: Table
    reason: Text
    payments: dict[Person, int]
    voided: bool


@dataclass(frozen=True, slots=True)
class Penalties:
    """All penalties in order of time; ``totals`` of everybody concerned come to zero."""

    rows: tuple[PenaltyRow, ...]
    totals: dict[Person, int]


def penalties_of(*, session: Session | None = None, table: Table | None = None) -> Penalties:
    """Eight queries at most, however many there are."""
    tables = Table.objects.filter(session=session) if session is not None else Table.objects.filter(pk__in=[table.pk] if table else [])
    people = read_facts(tables).people
    contents = Content.objects.filter(entry__table__in=tables.order_by().values("pk"), entry__kind=Entry.Kind.PENALTY).current()
    payments: dict[object, dict[Person, int]] = {}
    reasons: dict[object, Text] = {}
    postings = Posting.objects.filter(content__entry__table__in=tables.order_by().values("pk"), content__entry__kind=Entry.Kind.PENALTY)
    for posting in postings.order_by("transfer"):
        net = payments.setdefault(posting.content_id, {})
        person = people[posting.participant_id]
        net[person] = net.get(person, 0) + posting.amount
        reasons.setdefault(posting.content_id, Text(zh=posting.reason_zh, en=posting.reason_en))
    rows = []
    totals: dict[Person, int] = {}
    for content in contents.select_related("entry__table", "entry__author").order_by("entry__server_time", "entry__pk"):
        text = str(content.payload.get("text", "")).strip()
        reason = Text(zh=text, en=text) if text else reasons.get(content.pk, Text(zh="", en=""))
        paid = payments.get(content.pk, {})
        rows.append(PenaltyRow(content.entry, content.entry.table, reason, paid, content.voided))
        for person, amount in paid.items():
            totals[person] = totals.get(person, 0) + amount
    return Penalties(tuple(rows), totals)
