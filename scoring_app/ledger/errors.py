"""Why the ledger does not write. Each says a sentence that whoever keeps score can act upon."""

from __future__ import annotations

from typing import Any

from rules_app.engine.errors import Refusal
from rules_app.engine.text import Text
from scoring_app.errors import Refused
from scoring_app.models import Entry, OpenRound


class LedgerError(Refused):
    """A write that is refused."""


class StaleVersion(LedgerError):
    """The table has moved on since the writer looked."""

    status = 409

    def __init__(self, current_version: int, entries_since: list[Entry]) -> None:
        count = len(entries_since)
        super().__init__(
            "stale_version",
            Text(
                zh=f"这一桌在您打开之后又记了 {count} 笔，请看过再确认。" if count else "您手上的版本与这一桌不符，请刷新后再确认。",
                en=f"{count} more {'entry was' if count == 1 else 'entries were'} made at this table since; look at them, then confirm."
                if count
                else "The version you hold is not one of this table; reload, then confirm.",
            ),
            "expected_version",
        )
        self.current_version = current_version
        self.entries_since = entries_since

    def as_json(self, language: str) -> dict[str, Any]:
        answer = super().as_json(language)
        answer["error"]["current_version"] = self.current_version
        return answer


class StaleDraft(LedgerError):
    """The round in progress has moved on since the writer looked; ``draft`` is what it is now."""

    status = 409

    def __init__(self, draft: OpenRound | None) -> None:
        super().__init__(
            "stale_draft",
            Text(
                zh="这一局刚被另一台设备改过，请看过再继续。" if draft else "这一局已经结束或被放弃。",
                en="Another device has just changed this round; look at it, then go on."
                if draft
                else "This round has been closed or discarded already.",
            ),
            "draft_version",
        )
        self.draft = draft

    def as_json(self, language: str) -> dict[str, Any]:
        answer = super().as_json(language)
        answer["error"]["draft_version"] = self.draft.version if self.draft else None
        return answer


class IdempotencyMismatch(LedgerError):
    """The key was used before, for something else."""

    def __init__(self) -> None:
        super().__init__(
            "idempotency_mismatch",
            Text(
                zh="这个提交编号已经用于另一笔记录，请重新填写后再提交。",
                en="This key was used for another write; start the form again, so that it gets a key of its own.",
            ),
            "idempotency_key",
        )


class NotAllowed(LedgerError):
    """The table, or the entry, is not in a state that allows it."""


class InvalidEntry(LedgerError):
    """The payload does not say what it has to."""


class FollowingRefused(LedgerError):
    """A correction would make a later entry impossible: entry ``seq``, for the reason in ``refusal``."""

    def __init__(self, seq: int, refusal: Refusal | LedgerError) -> None:
        super().__init__(
            "following_refused",
            Text(
                zh=f"改动之后，第 {seq} 笔不再成立：{refusal.message.zh}",
                en=f"With this change entry {seq} can no longer stand: {refusal.message.en}",
            ),
            refusal.path,
        )
        self.seq = seq
        self.refusal = refusal


class UnbalancedRuling(RuntimeError):
    """The engine's transfers do not add up to its payments: a fault in the rules or the engine, not of the writer."""
