"""What is not done, said in a sentence that whoever asked can act upon."""

from __future__ import annotations

from typing import Any

from rules_app.engine.text import Text


class Refused(Exception):
    """A request that is refused; ``status`` is the HTTP status that fits, ``path`` the place in what was asked."""

    status = 422

    def __init__(self, code: str, message: Text, path: str = "") -> None:
        super().__init__(f"{code}: {message.en}")
        self.code = code
        self.message = message
        self.path = path

    def as_json(self, language: str) -> dict[str, Any]:
        return {"error": {"code": self.code, "message": self.message.in_language(language), "path": self.path}}


class ClubError(Refused):
    """Something about a club, its members, roles, seasons or rulesets."""


class SessionError(Refused):
    """Something about a session, its players, seats, clock or devices."""
