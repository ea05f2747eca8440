"""Putting a round right: its events one after the other, several in one correction, with all that changes after it.

What was changed so far travels in the form, signed, so that it needs no script and nothing is stored before it is
confirmed.
"""

from __future__ import annotations

from typing import Any

from django.core import signing
from django.http import HttpResponse, QueryDict
from django.utils.translation import gettext as _

from rules_app.engine import Refusal
from scoring_app.access import Visit
from scoring_app.ledger import EntryView, table_overview
from scoring_app.ledger.values import Json
from scoring_app.models import Participant
from scoring_app.record_sheet import RecordSheet, build_record_sheet, data_of_payload
from scoring_app.taking import Facts
from scoring_app.views.correcting import look_at, sheet, take_correction
from scoring_app.views.recording import usual_patterns
from scoring_app.views.table import number
from scoring_app.wording import event_words, names_by_seat, participant_name, problem_words

SALT = "scoring_app.correct_round"
LAST = frozenset({"win", "draw"})
"""The events with which a round may end."""


class RoundCorrection:
    """The round as it shall be so far (``payload``), and which event is being put right: that at ``index``, or one that
    is ``new`` there."""

    def __init__(self, visit: Visit, entry: EntryView) -> None:
        self.visit, self.entry = visit, entry
        self.overview = table_overview(visit.table)
        self.before = entry.before or self.overview.situation
        posted = visit.request.POST
        self.payload: Json = _kept(posted.get("base"), entry.seq) or (entry.content.payload if entry.content else {})
        sent = posted or visit.request.GET
        count = len(self.events)
        index = number(sent.get("index")) if sent.get("index") else count - 1
        self.new = posted.get("new") == "1"
        self.index = min(max(index, 0), count - 1 + self.new)
        self.data = posted.copy() if posted else data_of_payload(visit.ruleset, self.payload, self.index)

    @property
    def events(self) -> list[Json]:
        events: list[Json] = self.payload["round"]["events"]
        return events

    def sheet(self, data: QueryDict | None = None) -> RecordSheet:
        """The form of the event as it was sent, or of other ``data``."""
        visit, overview = self.visit, self.overview
        earlier = self.events[: self.index]  # what came later was not known when it happened: who wins later may still pay
        names = names_by_seat(self.before, overview.participants)
        if visit.ruleset.document.parties is not None:
            names = [participant_name(person) for person in overview.participants.values() if person.kind == Participant.Kind.PLAYER]
        return build_record_sheet(
            visit.ruleset,
            self.data if data is None else data,
            language=visit.language,
            names=names,
            situation=self.before,
            draft=None,
            payload={**self.payload, "round": {**self.payload["round"], "events": earlier}},
            options=self.entry.content.options if self.entry.content else {},
            version=number(visit.request.POST.get("version")) if visit.request.POST else overview.version,
            usual=usual_patterns(overview),
        )

    def wanted(self) -> Json | None:
        """The round with the event as the form has it; what the form leaves as it was stays as it was written.

        :raises Refusal: the melds cannot be read.
        """
        said = self.sheet()
        if not said.is_complete:
            return None
        event, facts = said.event(), said.facts
        events = list(self.events)
        if self.new:
            events.insert(self.index, event)
        else:
            untouched = self.sheet(data_of_payload(self.visit.ruleset, self.payload, self.index))
            if not _says(untouched, event):
                events[self.index] = event
            if untouched.facts == facts:
                facts = Facts()
        return facts.onto({**self.payload, "round": {**self.payload["round"], "events": events}})

    def move(self, act: str) -> str:
        """Keep what the form says and go ``to-2``, ``drop-1``, ``add-kong``; ``as-draw`` lets the event be another one,
        ``leave`` forgets one that was new.

        What is wrong, where the event cannot be kept.
        """
        verb, _dash, what = act.partition("-")
        place = number(what)
        if verb not in ("as", "leave") and (verb, place) != ("drop", self.index):
            try:
                kept = self.wanted()
            except Refusal as error:
                return problem_words(error, self.visit.language)
            if kept is not None:
                self.payload = kept
                place += self.new and place >= self.index
        if verb == "as":
            return self._begin(what, new=self.new)
        if verb == "add":
            # After the event that is shown; but nothing comes after the end of a round, except another win.
            shown = self.events[self.index]["type"] if self.index < len(self.events) else ""
            self.index += what in LAST or shown not in LAST
            return self._begin(what, new=True)
        if verb == "drop" and 0 <= place < len(self.events) > 1:
            events = [event for at, event in enumerate(self.events) if at != place]
            self.payload = {**self.payload, "round": {**self.payload["round"], "events": events}}
            self.index -= place < self.index
        elif verb == "to":
            self.index = place
        self.new = False
        self.index = min(max(self.index, 0), len(self.events) - 1)
        self.data = data_of_payload(self.visit.ruleset, self.payload, self.index)
        return ""

    def _begin(self, what: str, *, new: bool) -> str:
        self.new = new
        self.data = QueryDict(mutable=True)
        self.data["what"] = what
        return ""


def correct_round(visit: Visit, entry: EntryView) -> HttpResponse:
    """The sheet.  POST with ``look`` moves on within the round, else ``go`` says: look, confirm."""
    correction = RoundCorrection(visit, entry)
    move = str(visit.request.POST.get("look") or "")
    problem = correction.move(move) if move else ""
    context = _context(correction)
    if visit.request.method == "POST" and not move:
        return take_correction(visit, entry, "correct", context, correction.wanted)
    if problem:
        return sheet(visit, "correct", context | {"problem": problem}, 422)
    if move or entry.voided:
        try:
            wanted = correction.wanted()
        except Refusal:
            wanted = None
        context |= look_at(visit, correction.overview, entry, wanted) if wanted is not None else {}
    return sheet(visit, "correct", context)


def _context(correction: RoundCorrection) -> dict[str, Any]:
    visit, entry, shown = correction.visit, correction.entry, correction.sheet()
    names = names_by_seat(correction.before, correction.overview.participants)
    events = [
        {
            "index": at,
            "words": event_words(event, visit.ruleset, names, visit.language),
            "chosen": at == correction.index and not correction.new,
        }
        for at, event in enumerate(correction.events)
    ]
    return {
        "visit": visit,
        "urls": {name: visit.url(name) for name in ("table", "record", "deal", "discard", "end", "more")},
        "sheet": shown,
        "key": str(visit.request.POST.get("key") or shown.key),
        "version": shown.version,
        "events": events,
        "is_new": correction.new,
        "index": correction.index,
        "base": signing.dumps([entry.seq, correction.payload], salt=SALT, compress=True),
        "post_to": visit.url("correct", entry.seq),
        "correcting": True,
        "hint": _("Change what was wrong.") if shown.is_complete else "",
        "reason": visit.request.POST.get("reason", ""),
        "number": entry.number,
    }


def _kept(signed: str | None, seq: int) -> Json | None:
    """What was changed so far, if the form carries it for this entry."""
    try:
        of, payload = signing.loads(signed or "", salt=SALT)
    except signing.BadSignature:
        return None
    return payload if of == seq else None


def _says(untouched: RecordSheet, event: Json) -> bool:
    """Whether a form that nobody has touched says the same."""
    try:
        same = untouched.event() if untouched.is_complete else {}
    except Refusal:
        return False
    asked = {pattern.id for pattern in untouched.declared}
    return bool(same) and _as_asked(same, asked) == _as_asked(event, asked)


def _as_asked(event: Json, asked: set[str]) -> Json:
    """The event without patterns that the form does not ask for, such as a plain hand."""
    return {**event, "declared": [name for name in event["declared"] if name in asked]} if "declared" in event else event
