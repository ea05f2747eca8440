"""What others say of an entry: confirmations by a second device or person, and disputes."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db import transaction

from rules_app.engine.text import Text
from scoring_app.ledger.errors import InvalidEntry, NotAllowed
from scoring_app.ledger.locking import lock_table
from scoring_app.ledger.opening import touch
from scoring_app.ledger.payloads import MAX_TEXT
from scoring_app.ledger.sealing import seal
from scoring_app.ledger.values import NOBODY, Origin
from scoring_app.ledger.writing import one_line
from scoring_app.models import Confirmation, ConfirmationPolicy, Content, Dispute, DisputeAnswer, Entry, Table

CONFIRMED = frozenset(
    {Entry.Kind.ROUND, Entry.Kind.PENALTY, Entry.Kind.TRANSFER, Entry.Kind.FEE, Entry.Kind.SETTLEMENT, Entry.Kind.SET_SCORES}
)
"""Kinds that move points and so are worth a second look."""


@dataclass(slots=True)
class Marks:
    """What was said of an entry.

    ``confirmations`` are those of what it says now; ``needs_confirmation`` where the table asks for one and there is none.
    """

    confirmations: list[Confirmation] = field(default_factory=list)
    needs_confirmation: bool = False
    disputes: list[Dispute] = field(default_factory=list)

    @property
    def open_dispute(self) -> bool:
        return any(dispute.resolution is None for dispute in self.disputes)


def confirm_entry(*, table: Table, seq: int, version: int, origin: Origin = NOBODY) -> Confirmation:
    """Say that entry ``seq`` is right as its content ``version`` has it; saying it twice is saying it once.

    :raises NotAllowed: it says something else by now (``content_changed``), it needs no confirmation, or whoever confirms
        has written it (``same_device``, ``same_person``).
    """
    with transaction.atomic():
        table = lock_table(table)
        content = _current(table, seq)
        if content.version != version:
            message = Text(zh="这一笔刚被改过，请看过再确认。", en="The entry has changed since; look at it, then confirm.")
            raise NotAllowed("content_changed", message, "version")
        if content.entry.kind not in CONFIRMED or content.voided:
            raise NotAllowed("not_confirmable", Text(zh="这一笔无须确认。", en="This entry needs no confirmation."), "seq")
        writer = content.written_by
        policy = table.confirmation
        if policy == ConfirmationPolicy.PERSON and (origin.author is None or origin.author.pk == writer.author_id):
            message = Text(
                zh="须由另一位登录的人确认。", en="Somebody else than who wrote it has to confirm, signed in with an account of his own."
            )
            raise NotAllowed("same_person", message)
        device = _device(origin)
        if not device or (device == writer.device_id and policy != ConfirmationPolicy.PERSON):
            message = Text(zh="须由另一台设备确认。", en="Another device than the one that wrote it has to confirm.")
            raise NotAllowed("same_device", message)
        facts = {"device_label": one_line(origin.device_label, 60), "author": origin.author}
        confirmation, created = Confirmation.objects.get_or_create(content=content, device_id=device, defaults=facts)
        if created:
            seal(table, confirmation)
            touch(table)
    return confirmation


def raise_dispute(*, table: Table, seq: int, text: str, origin: Origin = NOBODY) -> Dispute:
    """Flag an entry as wrong; nothing is held up by it.  Saying the same again while it is open is saying it once.

    :raises NotAllowed: there is no such entry; :raises InvalidEntry: nothing is said, or too much.
    """
    text = _words(text, required=True)
    with transaction.atomic():
        table = lock_table(table)
        entry = Entry.objects.filter(table=table, seq=seq).first()
        if entry is None:
            raise _no_such_entry(seq)
        facts = {"device_id": _device(origin), "device_label": one_line(origin.device_label, 60), "author": origin.author}
        said = Dispute.objects.filter(entry=entry, text=text, device_id=facts["device_id"], author=origin.author, answer=None).first()
        if said is not None:
            return said
        dispute = Dispute.objects.create(entry=entry, text=text, **facts)
        seal(table, dispute)
        touch(table)
    return dispute


def answer_dispute(*, dispute: Dispute, outcome: str, text: str = "", origin: Origin = NOBODY) -> DisputeAnswer:
    """Settle a dispute; what was wrong is put right by a correction of its own.  The same device may say the same twice.

    :raises NotAllowed: it is settled already; :raises InvalidEntry: the outcome is none.
    """
    if outcome not in DisputeAnswer.Outcome.values:
        names = ", ".join(DisputeAnswer.Outcome.values)
        raise InvalidEntry("bad_input", Text(zh=f"结果须是 {names} 之一。", en=f"The outcome must be one of {names}."), "outcome")
    text = _words(text, required=False)
    with transaction.atomic():
        table = lock_table(dispute.entry.table)
        facts = {"device_id": _device(origin), "device_label": one_line(origin.device_label, 60), "author": origin.author}
        settled = DisputeAnswer.objects.filter(dispute=dispute).first()
        if settled is not None:
            if (settled.outcome, settled.text, settled.device_id, settled.author) == (outcome, text, facts["device_id"], origin.author):
                return settled
            raise NotAllowed("answered", Text(zh="这个异议已经处理过。", en="This dispute is settled already."), "dispute")
        answer = DisputeAnswer.objects.create(dispute=dispute, outcome=outcome, text=text, **facts)
        seal(table, answer)
        touch(table)
    return answer


def marks_of(table: Table) -> dict[int, Marks]:
    """What was said of each entry of a table, by ``seq``; entries of which there is nothing to say are left out.

    Three queries.
    """
    marks: dict[int, Marks] = {}
    for dispute in Dispute.objects.filter(entry__table=table).select_related("entry", "answer__author", "author"):
        marks.setdefault(dispute.entry.seq, Marks()).disputes.append(dispute)
    confirmations: dict[object, list[Confirmation]] = {}
    for confirmation in Confirmation.objects.filter(content__entry__table=table).select_related("author"):
        confirmations.setdefault(confirmation.content_id, []).append(confirmation)
    if not confirmations and table.confirmation == ConfirmationPolicy.NONE:
        return marks
    versions: dict[int, list[Content]] = {}
    contents = Content.objects.filter(entry__table=table, entry__kind__in=CONFIRMED).select_related("entry")
    for content in contents.only("version", "payload", "voided", "entry__seq", "entry__kind").order_by("entry__seq", "-version"):
        versions.setdefault(content.entry.seq, []).append(content)
    for seq, newest_first in versions.items():
        said = [one for content in _saying_the_same(newest_first) for one in confirmations.get(content.pk, [])]
        needed = table.confirmation != ConfirmationPolicy.NONE and not said and not newest_first[0].voided
        if said or needed:
            mark = marks.setdefault(seq, Marks())
            mark.confirmations, mark.needs_confirmation = said, needed
    return marks


def _saying_the_same(newest_first: list[Content]) -> list[Content]:
    """The versions back to the last change of what was entered: a mere re-scoring does not undo a confirmation."""
    current = newest_first[0]
    same = []
    for content in newest_first:
        if (content.payload, content.voided) != (current.payload, current.voided):
            break
        same.append(content)
    return same


def _current(table: Table, seq: int) -> Content:
    contents = Content.objects.filter(entry__table=table, entry__seq=seq).select_related("entry", "written_by")
    content = contents.order_by("-version").first()
    if content is None:
        raise _no_such_entry(seq)
    return content


def _device(origin: Origin) -> str:
    """The device; an account without one, as of a bot, counts as a device of its own."""
    return one_line(origin.device_id, 64) or (f"account-{origin.author.pk}" if origin.author else "")


def _words(text: str, *, required: bool) -> str:
    text = " ".join(text.split())
    if len(text) > MAX_TEXT or (required and not text):
        raise InvalidEntry("bad_input", Text(zh=f"请写 1 到 {MAX_TEXT} 个字。", en=f"Write between 1 and {MAX_TEXT} characters."), "text")
    return text


def _no_such_entry(seq: int) -> NotAllowed:
    return NotAllowed("no_such_entry", Text(zh=f"没有第 {seq} 笔记录。", en=f"There is no entry {seq}."), "seq")
