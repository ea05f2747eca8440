"""The round in progress, with what each of its events has moved so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules_app.engine import Refusal, Ruleset
from scoring_app.access import Visit
from scoring_app.ledger import LedgerError, TableOverview, preview_open_round
from scoring_app.ledger.values import payments_of
from scoring_app.shown.payments import amounts_by_seat
from scoring_app.wording import event_words, names_by_seat, pattern_names, say


@dataclass(frozen=True, slots=True)
class DraftEvent:
    """An event of the round in progress with what it moved."""

    index: int
    words: str
    tiles: str
    amounts: tuple[int, ...]

    @property
    def moved(self) -> bool:
        return any(self.amounts)


@dataclass(frozen=True, slots=True)
class DraftShown:
    """The round in progress: ``totals`` of the round so far by seat, ``problem`` where it does not hold together."""

    version: int
    wild: str
    events: list[DraftEvent]
    totals: tuple[int, ...]
    problem: str
    can_end: bool
    wild_name: str = ""


def show_draft(visit: Visit, overview: TableOverview) -> DraftShown | None:
    """The round in progress with what each event moved so far."""
    draft = overview.open_round
    if draft is None:
        return None
    language = visit.language
    problem, preview = "", None
    try:
        preview = preview_open_round(visit.table, language=language)
    except (Refusal, LedgerError) as error:
        problem = error.message.in_language(language)
    situation = preview.before if preview else overview.situation
    names = names_by_seat(overview.situation, overview.participants)
    events = []
    for index, event in enumerate(draft.events):
        lines = [line for line in (preview.lines if preview else ()) if line.event == index]
        moved = payments_of(lines)
        words = event_words(event, visit.ruleset, names, language)
        patterns = win_patterns(preview.answer, index, visit.ruleset, language) if preview and event.get("type") == "win" else ""
        events.append(
            DraftEvent(
                index,
                f"{words} · {patterns}" if patterns else words,
                str(event.get("tile") or event.get("tiles") or "") if event.get("type") == "kong" else "",
                amounts_by_seat(moved, situation),
            )
        )
    wild = visit.ruleset.document.wild
    totals = amounts_by_seat(preview.payments if preview else {}, situation)
    return DraftShown(
        draft.version,
        " ".join(draft.payload["round"].get("wild", [])),
        events,
        totals,
        problem,
        bool(events) and not problem,
        say(wild.name, language) if wild else "",
    )


def win_patterns(answer: Mapping[str, Any], event: int, ruleset: Ruleset, language: str) -> str:
    """The patterns of the win that an event is."""
    return next((pattern_names(ruleset, win["patterns"], language) for win in answer.get("wins", []) if win.get("event") == event), "")
