"""Whether what is stored is what the rules say: the chain of hashes, the sums, and a replay of everything."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Sum

from rules_app.engine.errors import Refusal
from scoring_app.ledger.corrections import rules_after
from scoring_app.ledger.errors import LedgerError, UnbalancedRuling
from scoring_app.ledger.hashing import content_facts, entry_hash, opening_hash
from scoring_app.ledger.records import Record, read_records
from scoring_app.ledger.replay import replay
from scoring_app.ledger.sealing import check_seals
from scoring_app.ledger.values import Situation, payments_of
from scoring_app.ledger.writing import totals_from
from scoring_app.models import Participant, Posting, Standing, Table


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """Something that is not as it should be; ``seq`` None: the table as a whole."""

    table: str
    seq: int | None
    message: str

    def __str__(self) -> str:
        place = f"table {self.table}" + (f", entry {self.seq}" if self.seq is not None else "")
        return f"{place}: {self.message}"


def verify_table(table: Table) -> list[Discrepancy]:
    """Every way in which a table's ledger does not hold; empty when all is well."""
    records = read_records(table)
    found = [
        *_check_chain(table, records),
        *_check_postings(table, records),
        *_check_replay(table, records),
        *check_seals(table),
    ]
    return [Discrepancy(table.public_id, seq, message) for seq, message in found]


def _check_chain(table: Table, records: list[Record]) -> list[tuple[int | None, str]]:
    found: list[tuple[int | None, str]] = []
    seqs = {record.entry.pk: record.seq for record in records}
    written: dict[int, list[tuple[int, object]]] = {}
    previous = opening_hash(table)
    for record in records:
        for content in record.contents:
            facts = content_facts(seq=record.seq, content=content, lines=record.lines_of(content))
            # All that an entry wrote, in the order of the table.
            written.setdefault(content.written_by_id, []).append((record.seq, facts))
        if [content.version for content in record.contents] != list(range(1, len(record.contents) + 1)):
            found.append((record.seq, "its versions are not numbered from 1 without a gap"))
    for position, record in enumerate(records, start=1):
        entry = record.entry
        if record.seq != position:
            found.append((record.seq, f"stands at place {position} of the ledger"))
        if entry.previous_hash != previous:
            found.append((record.seq, "does not continue the hash of the entry before it"))
        expected = entry_hash(
            table=table,
            entry=entry,
            target=seqs[entry.target_id] if entry.target_id else None,
            undoes=seqs[entry.undoes_id] if entry.undoes_id else None,
            contents=[facts for _, facts in written.get(entry.pk, [])],  # type: ignore[misc]
        )
        if entry.hash != expected:
            found.append((record.seq, "its hash does not fit what it says"))
        previous = entry.hash
    if table.version != len(records):
        found.append((None, f"its version is {table.version}, but it has {len(records)} entries"))
    return found


def _check_postings(table: Table, records: list[Record]) -> list[tuple[int | None, str]]:
    found: list[tuple[int | None, str]] = []
    sums = Posting.objects.filter(content__entry__table=table).values_list("content_id", "transfer")
    balance = {(content, transfer): total for content, transfer, total in sums.annotate(total=Sum("amount"))}
    for record in records:
        for content in record.contents:
            off = [transfer for (pk, transfer), total in balance.items() if pk == content.pk and total]
            if off:
                found.append((record.seq, f"transfers {off} of version {content.version} do not come to zero"))
            if content.voided and record.lines_of(content):
                found.append((record.seq, f"version {content.version} is void and pays all the same"))
    strangers = Posting.objects.filter(content__entry__table=table).exclude(participant__table=table).count()
    if strangers:
        found.append((None, f"{strangers} postings name a participant of another table"))
    return found


def _check_replay(table: Table, records: list[Record]) -> list[tuple[int | None, str]]:
    found: list[tuple[int | None, str]] = []
    participants = Participant.objects.filter(table=table).count()
    try:
        played = replay(table=table, records=records, edits={}, participants=participants, rule_all=True)
    except (Refusal, LedgerError, UnbalancedRuling) as error:
        return [(getattr(error, "seq", None), f"cannot be played again: {error}")]
    for new in played.contents:
        stored, now = payments_of(new.record.current_lines), payments_of(new.lines)
        what = f"stored {stored}, replayed {now}" if stored != now else "the situation or the summary differs"
        found.append((new.record.seq, f"a replay comes to something else: {what}"))
    standing = Standing.objects.get(table=table)
    if standing.version != table.version:
        found.append((None, f"its standing is of version {standing.version}, the table of {table.version}"))
    if Situation.from_json(standing.situation) != played.situation:
        found.append((None, "its standing names another situation than a replay"))
    if {n: t for n, t in totals_from(standing).items() if t} != {n: t for n, t in played.totals.items() if t}:
        found.append((None, "its standing names other totals than a replay"))
    if (table.status == Table.Status.CLOSED) != played.situation.closed:
        found.append((None, "it is open though closed by its entries, or the reverse"))
    rules = rules_after(table, records, {})
    if rules is not None and (rules.revision.pk, rules.options) != (table.revision_id, table.options):
        found.append((None, "it plays by other rules than its entries say"))
    if sum(played.totals.values()):
        found.append((None, f"its totals come to {sum(played.totals.values())}, not zero"))
    return found
