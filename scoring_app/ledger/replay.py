"""Playing a ledger again: what each entry comes to, given what went before.

A correction edits some contents and everything that follows is ruled again where the situation it stands in has
changed. What comes out as it was keeps its content; what does not gets a new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules_app.engine.errors import Refusal
from rules_app.models import Revision
from scoring_app.ledger.errors import FollowingRefused, LedgerError
from scoring_app.ledger.records import Record, version_of
from scoring_app.ledger.ruling import Ground, Ruling, effective_before, ground_of, rule
from scoring_app.ledger.values import Change, Json, Line, Situation, Version, added, payments_of
from scoring_app.models import Content, Entry, Table


@dataclass(frozen=True, slots=True)
class Edit:
    """What an entry shall say from now on; ``payload`` None voids it, and it then reads as ``kept``, or as it does now.

    ``revision`` and ``options`` (both or none) are those it shall be ruled by.  An edit that ``follows`` from what is
    done to another entry is refused as that entry's consequence.
    """

    payload: Json | None
    revision: Revision | None = None
    options: Json | None = None
    follows: bool = False
    kept: Json | None = None
    cause: str = Content.Cause.CORRECTED


@dataclass(frozen=True, slots=True)
class NewContent:
    """A content to be written for an entry that exists already."""

    record: Record
    cause: str
    payload: Json
    voided: bool
    ruling: Ruling
    revision: Revision
    options: Json

    @property
    def lines(self) -> tuple[Line, ...]:
        return self.ruling.lines

    def as_change(self) -> Change:
        old = self.record.current
        return Change(
            seq=self.record.seq,
            kind=self.record.entry.kind,
            before=version_of(old, self.record.lines_of(old)),
            after=Version(
                payload=self.payload,
                payments=payments_of(self.lines),
                before=self.ruling.before,
                after=self.ruling.after,
                summary=self.ruling.summary,
                voided=self.voided,
            ),
        )


@dataclass(frozen=True, slots=True)
class Replay:
    """What a ledger comes to: the contents that have to be written, and where the table stands in the end."""

    contents: tuple[NewContent, ...]
    situation: Situation
    totals: dict[int, int]


def replay(*, table: Table, records: list[Record], edits: Mapping[int, Edit], participants: int, rule_all: bool = False) -> Replay:
    """Play the records again with some of them edited (by ``seq``).

    With ``rule_all`` every entry is ruled again, as the verification does; else only where its situation changed.

    :raises FollowingRefused: an entry after an edited one can no longer stand.
    :raises rules_app.engine.Refusal, LedgerError: an edited entry is refused itself.
    """
    situation = Situation.from_json(table.opening)
    totals: dict[int, int] = {}
    written: list[NewContent] = []
    for record in records:
        if not record.contents:
            continue
        edit = edits.get(record.seq)
        current = record.current
        voided = current.voided if edit is None else edit.payload is None
        payload = edit.payload if edit and edit.payload is not None else current.payload
        revision = edit.revision if edit and edit.revision else current.revision
        options = edit.options if edit and edit.options is not None else current.options
        if voided:
            if edit and not current.voided:
                nothing = Ruling(situation, situation)
                written.append(NewContent(record, Content.Cause.VOIDED, edit.kept or payload, True, nothing, revision, options))
            continue
        if edit is None and not rule_all and _stands(record, situation):
            situation, lines = Situation.from_json(current.after), record.current_lines
        else:
            ground = ground_of(table, participants=participants, revision=revision, options=options)
            ruling = _rule(record, payload, situation, totals, ground, edited=edit is not None and not edit.follows)
            if edit or not same(ruling, record):
                cause = edit.cause if edit else Content.Cause.RESCORED
                written.append(NewContent(record, cause, payload, False, ruling, revision, options))
            situation, lines = ruling.after, ruling.lines
        totals = added(totals, payments_of(lines))
    return Replay(tuple(written), situation, totals)


def same(ruling: Ruling, record: Record) -> bool:
    """Whether a ruling says what the record's content says already.

    What is no play carries the situation on as it finds it, so only its payments matter.
    """
    content = record.current
    if not _depends_on_situation(record.entry.kind, content.payload):
        return ruling.lines == record.current_lines
    return bool(
        ruling.before.as_json() == content.before
        and ruling.after.as_json() == content.after
        and ruling.summary == content.summary
        and ruling.lines == record.current_lines
    )


def _stands(record: Record, situation: Situation) -> bool:
    """Whether an untouched round needs no new ruling: its situation is the old one, and nothing else bears on it.

    The other kinds need no rules and are always ruled again.
    """
    content = record.current
    if "round" not in content.payload:
        return False
    return bool(effective_before(content.payload, situation).as_json() == content.before)


def _depends_on_situation(kind: str, payload: Json) -> bool:
    return "round" in payload or kind == Entry.Kind.SET_SCORES


def _rule(record: Record, payload: Json, situation: Situation, totals: dict[int, int], ground: Ground, *, edited: bool) -> Ruling:
    try:
        return rule(kind=record.entry.kind, payload=payload, situation=situation, totals=totals, ground=ground)
    except (Refusal, LedgerError) as refusal:
        if edited:
            raise
        raise FollowingRefused(record.seq, refusal) from refusal
