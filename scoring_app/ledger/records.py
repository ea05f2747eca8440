"""The ledger of a table as it is read into memory, in three queries whatever its length."""

from __future__ import annotations

from dataclasses import dataclass, field

from rules_app.engine.text import Text
from scoring_app.ledger.values import Line, Situation, Version, payments_of
from scoring_app.models import Content, Entry, Posting, Table


@dataclass(slots=True)
class Record:
    """One entry with its contents, old to new, and the lines of each content by its id."""

    entry: Entry
    contents: list[Content] = field(default_factory=list)
    lines: dict[object, tuple[Line, ...]] = field(default_factory=dict)

    @property
    def seq(self) -> int:
        return self.entry.seq

    @property
    def current(self) -> Content:
        """The content that counts; corrections and voids have none."""
        return self.contents[-1]

    @property
    def current_lines(self) -> tuple[Line, ...]:
        return self.lines_of(self.current)

    def lines_of(self, content: Content) -> tuple[Line, ...]:
        return self.lines.get(content.pk, ())


def read_records(table: Table, *, only: set[int] | None = None) -> list[Record]:
    """Every entry of a table in order, or only those with these ``seq`` numbers."""
    entries = Entry.objects.filter(table=table).select_related("author").order_by("seq")
    contents = Content.objects.filter(entry__table=table).select_related("revision").defer("revision__document")
    postings = Posting.objects.filter(content__entry__table=table)
    if only is not None:
        entries = entries.filter(seq__in=only)
        contents = contents.filter(entry__seq__in=only)
        postings = postings.filter(content__entry__seq__in=only)
    records = {entry.pk: Record(entry) for entry in entries}
    for content in contents.order_by("entry__seq", "version"):
        record = records.get(content.entry_id)
        if record is None:
            continue  # written between the two queries
        content.entry = record.entry
        record.contents.append(content)
    lines = _lines(postings)
    for record in records.values():
        record.lines = {content.pk: lines.get(content.pk, ()) for content in record.contents}
    return list(records.values())


def version_of(content: Content, lines: tuple[Line, ...]) -> Version:
    return Version(
        payload=content.payload,
        payments=payments_of(lines),
        before=Situation.from_json(content.before),
        after=Situation.from_json(content.after),
        summary=content.summary,
        voided=content.voided,
    )


def _lines(postings: object) -> dict[object, tuple[Line, ...]]:
    """Lines by content id, from the paid side of each transfer."""
    found: dict[object, list[Line]] = {}
    rows = postings.filter(amount__gt=0).order_by("transfer")  # type: ignore[attr-defined]
    fields = ("content_id", "counterparty__number", "participant__number", "amount", "reason_zh", "reason_en", "rule", "event")
    for content, payer, payee, amount, zh, en, rule, event in rows.values_list(*fields):
        found.setdefault(content, []).append(Line(payer, payee, amount, Text(zh=zh, en=en), rule, event))
    return {content: tuple(lines) for content, lines in found.items()}
