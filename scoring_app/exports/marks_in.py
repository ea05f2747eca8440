"""What was said of the entries of a table that comes in from a document: checked against its chain, and sealed here."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from scoring_app.exports.documents import AnswerPart, ConfirmationPart, DisputePart, TablePart, Who
from scoring_app.ledger.sealing import Mark, mark_facts, seal, seal_hash, seals_start
from scoring_app.models import Confirmation, Content, Dispute, DisputeAnswer, Entry, Table

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MarkPart = ConfirmationPart | DisputePart | AnswerPart
Authors = Callable[[Who | None], "User | None"]
Contents = dict[tuple[int, int], Content]


def marks_fit(part: TablePart) -> bool:
    """Whether the marks of a document are those that were sealed; one from before there were seals has none to compare."""
    entries = {entry.seq: Entry(seq=entry.seq, hash=entry.hash) for entry in part.entries}
    contents = {
        (wrote.entry, wrote.version): Content(entry=entries[wrote.entry], version=wrote.version, written_by=entries[entry.seq])
        for entry in part.entries
        for wrote in entry.wrote
        if wrote.entry in entries
    }
    previous = seals_start(part.id)
    try:
        marks = [(one, mark) for one, mark in _marks(part, entries, contents, lambda _who: None) if one.hash is not None]
    except KeyError:
        return False
    for number, (one, mark) in enumerate(marks, start=1):
        # Not an account of this site: the number that it had there.
        mark.author_id = one.author.id if one.author else None
        previous = seal_hash(table=part.id, number=number, previous=previous, facts=mark_facts(mark))
        if (one.number, one.hash) != (number, previous):
            return False
    return True


def restore_marks(table: Table, part: TablePart, author_of: Authors) -> None:
    """Write them at a table whose entries are there, in their order, each with a seal of this site.

    :raises KeyError: one is about an entry or a version that is not there; :raises DatabaseError: one stands twice.
    """
    entries = {entry.seq: entry for entry in Entry.objects.filter(table=table)}
    contents = Content.objects.filter(entry__table=table).select_related("entry", "written_by")
    by_version = {(content.entry.seq, content.version): content for content in contents}
    for _one, mark in _marks(part, entries, by_version, author_of):
        if isinstance(mark, DisputeAnswer):
            mark.dispute_id = mark.dispute.pk
        mark.save_base(raw=True, force_insert=True)  # raw keeps its time, which would otherwise be that of writing
        seal(table, mark)


def _marks(part: TablePart, entries: dict[int, Entry], contents: Contents, author_of: Authors) -> Iterable[tuple[MarkPart, Mark]]:
    """The marks, not saved, in the order of their numbers; those without a number last, as they stand."""
    found: list[tuple[MarkPart, Mark]] = []
    for entry in part.entries:
        found += [(one, Confirmation(content=contents[entry.seq, one.version], **_said(one, author_of))) for one in entry.confirmations]
        for line in entry.disputes:
            dispute = Dispute(entry=entries[entry.seq], text=line.text, **_said(line, author_of))
            found.append((line, dispute))
            if line.answer is not None:
                answered = {"outcome": line.answer.outcome, "text": line.answer.text}
                found.append((line.answer, DisputeAnswer(dispute=dispute, **answered, **_said(line.answer, author_of))))
    return sorted(found, key=lambda pair: pair[0].number or 2**31)


def _said(one: MarkPart, author_of: Authors) -> dict[str, Any]:
    return {
        "device_id": one.device_id,
        "device_label": one.device_label,
        "author": author_of(one.author),
        "made_at": datetime.datetime.fromisoformat(one.made_at),
    }
