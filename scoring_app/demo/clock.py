"""The clock of the demo: evenings of past weeks have to be written down at their own time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.utils import timezone


class DemoClock:
    """What `timezone.now` says while the demo is written; it only moves when it is told to."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def set(self, now: datetime) -> None:
        self.now = now

    def advance(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@contextmanager
def demo_clock() -> Iterator[DemoClock]:
    """Let everything in this process that asks for the time ask the demo; only for a command of its own."""
    real = timezone.now
    clock = DemoClock(real())
    setattr(timezone, "now", lambda: clock.now)  # noqa: B010 - a plain assignment is an error to mypy
    try:
        yield clock
    finally:
        setattr(timezone, "now", real)  # noqa: B010 - see above
