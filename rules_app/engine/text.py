"""Sentences in the two languages of the product."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Language = Literal["zh", "en"]


@dataclass(frozen=True, slots=True)
class Text:
    """One sentence or name, in simplified Chinese and in English."""

    zh: str
    en: str

    def in_language(self, language: str) -> str:
        """The Chinese wording for any ``zh…`` language tag, else the English one."""
        return self.zh if language.startswith("zh") else self.en
