"""The chain of hashes over what others say of a table's entries.

Confirmations, disputes and answers stand beside the entries and have a chain of their own: the seal of each covers the
one before it, who said what, and the hash of the entry (of a confirmation also of the entry that wrote the content)
that it is about.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import F

from scoring_app.ledger.hashing import digest, moment
from scoring_app.ledger.values import Json
from scoring_app.models import Confirmation, Dispute, DisputeAnswer, Seal, Table

Mark = Confirmation | Dispute | DisputeAnswer


def seals_start(table: str) -> str:
    """Where the chain of a table (by its public id) starts."""
    return digest({"marks_of": table})


def mark_facts(mark: Any) -> Json:
    """What a mark says and of what; also of a mark as a migration sees it."""
    said = {
        "text": getattr(mark, "text", ""),
        "device": [mark.device_id, mark.device_label],
        "author": mark.author_id,
        "made_at": moment(mark.made_at),
    }
    if hasattr(mark, "content_id"):
        content = mark.content
        about = {"entry": content.entry.seq, "hash": content.entry.hash, "version": content.version, "written": content.written_by.hash}
        return {"kind": "confirmation", **about, **said}
    if hasattr(mark, "dispute_id"):
        entry = mark.dispute.entry
        answered = {"outcome": mark.outcome, "dispute": [mark.dispute.text, moment(mark.dispute.made_at)]}
        return {"kind": "answer", "entry": entry.seq, "hash": entry.hash, **answered, **said}
    return {"kind": "dispute", "entry": mark.entry.seq, "hash": mark.entry.hash, **said}


def seal_hash(*, table: str, number: int, previous: str, facts: Json) -> str:
    return digest({"table": table, "number": number, "previous": previous, **facts})


def seal(table: Table, mark: Mark) -> Seal:
    """Put a mark that was just made at the end of the chain; the table is locked."""
    last = Seal.objects.filter(table=table).order_by("-number").first()
    previous = last.hash if last else seals_start(table.public_id)
    number = (last.number if last else 0) + 1
    field = {Confirmation: "confirmation", Dispute: "dispute", DisputeAnswer: "answer"}[type(mark)]
    own_hash = seal_hash(table=table.public_id, number=number, previous=previous, facts=mark_facts(mark))
    made = Seal.objects.create(table=table, number=number, previous_hash=previous, hash=own_hash, **{field: mark})
    Table.objects.filter(pk=table.pk).update(marks=F("marks") + 1)
    return made


def check_seals(table: Table) -> Iterator[tuple[int | None, str]]:
    """What does not hold about the marks of a table: ``seq`` of the entry, what is wrong.  Five queries."""
    about = ("confirmation__content__entry", "confirmation__content__written_by", "dispute__entry", "answer__dispute__entry")
    previous = seals_start(table.public_id)
    sealed: set[tuple[type, int]] = set()
    count = 0
    for count, one in enumerate(Seal.objects.filter(table=table).select_related(*about).order_by("number"), start=1):
        facts = mark_facts(one.mark)
        sealed.add((type(one.mark), one.mark.pk))
        place = f"the {facts['kind']} that is mark {one.number}"
        if one.number != count:
            yield facts["entry"], f"{place} stands at place {count} of the marks"
        if one.previous_hash != previous:
            yield facts["entry"], f"{place} does not continue the hash of the mark before it"
        if one.hash != seal_hash(table=table.public_id, number=one.number, previous=one.previous_hash, facts=facts):
            yield facts["entry"], f"the hash of {place} does not fit what it says"
        previous = one.hash
    if count != table.marks:
        yield None, f"it has {count} sealed marks, but counts {table.marks}"
    for marks, seq in (
        (Confirmation.objects.filter(content__entry__table=table), "content__entry__seq"),
        (Dispute.objects.filter(entry__table=table), "entry__seq"),
        (DisputeAnswer.objects.filter(dispute__entry__table=table), "dispute__entry__seq"),
    ):
        for pk, number in marks.values_list("pk", seq):
            if (marks.model, pk) not in sealed:
                yield number, f"{marks.model.__name__} {pk} has no seal"
