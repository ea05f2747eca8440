"""Everything about one entry: its reading, its payments, its history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from rules_app.payment_arrows import Picture
from rules_app.results import ResultShown
from scoring_app.access import Visit
from scoring_app.ledger import ContentView, EntryView, Situation, explain_content
from scoring_app.models import Content, Participant
from scoring_app.shown.entries import EntryShown, EntryWriter
from scoring_app.shown.payments import LineShown, picture_of, show_lines
from scoring_app.shown.results import result_of
from scoring_app.wording import participant_name


@dataclass(frozen=True, slots=True)
class VersionShown:
    """What an entry said at some time, and why that changed."""

    number: int
    cause: str
    time: datetime
    device: str
    author: str
    reason: str
    words: str
    amounts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class EntryDetail:
    """Everything about an entry."""

    row: EntryShown
    result: ResultShown | None
    lines: list[LineShown]
    picture: Picture | None
    versions: list[VersionShown]
    author: str
    is_round: bool


def show_entry(visit: Visit, entry: EntryView, participants: Mapping[int, Participant], situation: Situation) -> EntryDetail:
    """An entry with its reading, payments and history."""
    writer = EntryWriter(visit.ruleset, visit.language, participants, situation)
    content = entry.content
    answer = explain_content(content, language=visit.language) if content is not None else None
    before = entry.before or situation
    result = result_of(answer, before, visit.ruleset, visit.slug, visit.language, participants) if answer is not None else None
    return EntryDetail(
        writer.row(entry),
        result,
        show_lines(entry.lines, participants, visit.slug, visit.language),
        picture_of(entry.lines, before, participants) if result is None else None,
        [_version(entry, view, participants, writer) for view in entry.versions],
        str(entry.entry.author or ""),
        bool(content and "round" in content.payload),
    )


def _version(entry: EntryView, view: ContentView, participants: Mapping[int, Participant], writer: EntryWriter) -> VersionShown:
    causes = {
        Content.Cause.ENTERED: _("entered"),
        Content.Cause.CORRECTED: _("corrected"),
        Content.Cause.VOIDED: _("voided"),
        Content.Cause.RESCORED: _("scored again"),
    }
    record = view.content.written_by
    alone = EntryView(entry.entry, entry.number, (view,))
    title, detail = writer.words(alone)
    return VersionShown(
        view.content.version,
        causes[Content.Cause(view.content.cause)],
        record.client_time or record.server_time,
        record.device_label,
        str(record.author or ""),
        record.reason,
        f"{title} · {detail}" if detail else title,
        tuple((participant_name(participants[number]), amount) for number, amount in sorted(view.payments.items())),
    )
