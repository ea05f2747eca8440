"""What the engine raises: refusals of a round and faults of a document."""

from __future__ import annotations

from dataclasses import dataclass

from .text import Text


class Refusal(Exception):
    """A round that cannot be scored.

    ``code`` is one of bad_input, bad_tiles, not_allowed, not_a_win, below_minimum; ``path`` names the place in the
    request (``round.events[0].hand``); ``rule`` is the id of the check or condition that refused, where there is one.
    """

    def __init__(self, code: str, message: Text, path: str = "", rule: str | None = None) -> None:
        super().__init__(f"{code} at {path}: {message.en}")
        self.code = code
        self.message = message
        self.path = path
        self.rule = rule


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong in a document: where (1-based line and column, path of keys) and what."""

    line: int
    column: int
    path: str
    message: Text


class DocumentFaults(Exception):
    """A document that cannot be used, with every fault found."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(f"line {f.line}: {f.path}: {f.message.en}" for f in faults))
        self.faults = faults
