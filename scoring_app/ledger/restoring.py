"""Writing a ledger that was kept elsewhere: the same entries, contents, postings and times, in a table of this site.

The hashes are written for the ids of this site.  Where these are the ones of the source, so are the hashes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rules_app.engine.text import Text
from scoring_app.ledger.errors import InvalidEntry
from scoring_app.ledger.hashing import content_facts, entry_hash, opening_hash
from scoring_app.ledger.payloads import checked
from scoring_app.ledger.records import read_records
from scoring_app.ledger.replay import replay
from scoring_app.ledger.values import Line
from scoring_app.ledger.writing import insert_contents
from scoring_app.models import Content, Entry, Participant, Standing, Table


@dataclass(slots=True)
class Written:
    """An entry (not saved) with the ``seq`` of those that it is about, and what it wrote: ``seq``, content, lines."""

    entry: Entry
    target: int | None = None
    undoes: int | None = None
    contents: list[tuple[int, Content, tuple[Line, ...]]] = field(default_factory=list)


def chain(table: Table, history: Sequence[Written]) -> list[str]:
    """The hashes that the entries have at ``table`` (which need not be saved), in order."""
    hashes = []
    previous = opening_hash(table)
    for written in history:
        written.entry.previous_hash = previous
        facts = [content_facts(seq=seq, content=content, lines=lines) for seq, content, lines in written.contents]
        previous = entry_hash(table=table, entry=written.entry, target=written.target, undoes=written.undoes, contents=facts)
        hashes.append(previous)
    return hashes


def restore_entries(*, table: Table, history: Sequence[Written]) -> None:
    """Write a history at a table that has participants and nothing else; the caller holds the transaction and verifies.

    :raises InvalidEntry: something in it is not as the ledger would have written it.
    """
    saved: dict[int, Entry] = {}
    for written, own_hash in zip(history, chain(table, history), strict=True):
        entry = written.entry
        entry.table, entry.hash = table, own_hash
        entry.target = saved[written.target] if written.target is not None else None
        entry.undoes = saved[written.undoes] if written.undoes is not None else None
        entry.save(force_insert=True)
        saved[entry.seq] = entry
        for seq, content, _lines in written.contents:
            content.entry, content.written_by = saved[seq], entry
            if checked(saved[seq].kind, content.payload) != content.payload:
                message = Text(zh=f"第 {seq} 笔的内容格式不对。", en=f"What entry {seq} says is not in the form of its kind.")
                raise InvalidEntry("bad_input", message, f"entries[{entry.seq - 1}]")
        insert_contents(table, [(content, lines) for _seq, content, lines in written.contents])
    records = read_records(table)
    participants = Participant.objects.filter(table=table).count()
    played = replay(table=table, records=records, edits={}, participants=participants)
    table.version = table.changes = len(history)
    table.status = Table.Status.CLOSED if played.situation.closed else Table.Status.OPEN
    table.save(update_fields=["version", "changes", "status"])
    totals = {str(number): total for number, total in played.totals.items()}
    Standing.objects.filter(table=table).update(version=table.version, situation=played.situation.as_json(), totals=totals)
