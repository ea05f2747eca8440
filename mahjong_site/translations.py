"""Translations: one ``.po`` file per area, compiled together where the site runs.

Source strings are English. ``locale/fragments/<area>.po`` holds the Chinese of one area, and only its
author edits it. Compiling needs no tool beside Python, so a clean clone runs without gettext.
"""

from __future__ import annotations

import ast
import os
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(slots=True)
class Message:
    """One entry of a ``.po`` file; ``translations`` has one text per plural form."""

    source: str = ""
    context: str | None = None
    plural: str | None = None
    translations: list[str] = field(default_factory=list)
    fuzzy: bool = False
    line: int = 0

    @property
    def complete(self) -> bool:
        return bool(self.translations) and all(self.translations) and not self.fuzzy


def read_messages(text: str) -> Iterator[Message]:
    """The entries of a ``.po`` file in order, its header (empty source) included; obsolete ones left out.

    :raises ValueError: with the line, when it is no ``.po`` syntax.
    """
    message, current = Message(), ""
    seen_source = False
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if line.startswith("#"):
            if line.startswith("#,") and "fuzzy" in line:
                if seen_source:
                    yield message
                    message, seen_source = Message(), False
                message.fuzzy = True
            continue
        if not line:
            continue
        keyword, _, quoted = ("", "", line) if line.startswith('"') else line.partition(" ")
        piece = ast.literal_eval(quoted)
        if keyword in {"msgctxt", "msgid"} and seen_source:
            yield message
            message, seen_source = Message(), False
        if keyword == "msgctxt":
            message.context = piece
        elif keyword == "msgid":
            message.source, message.line, seen_source = piece, number, True
        elif keyword == "msgid_plural":
            message.plural = piece
        elif keyword.startswith("msgstr"):
            message.translations.append(piece)
        elif keyword == "":
            _append(message, current, piece)
        else:
            raise ValueError(f"line {number}: {keyword!r} is no keyword of a .po file")
        current = keyword or current
    if seen_source:
        yield message


def _append(message: Message, keyword: str, piece: str) -> None:
    if keyword == "msgid":
        message.source += piece
    elif keyword == "msgid_plural":
        message.plural = (message.plural or "") + piece
    elif keyword == "msgctxt":
        message.context = (message.context or "") + piece
    else:
        message.translations[-1] += piece


def compile_catalogue(messages: Iterable[Message]) -> bytes:
    """The ``.mo`` file (GNU format, little endian, sorted) of the complete entries."""
    pairs: list[tuple[bytes, bytes]] = []
    for message in messages:
        if not message.complete:
            continue
        key = message.source if message.context is None else f"{message.context}\x04{message.source}"
        if message.plural is not None:
            key = f"{key}\x00{message.plural}"
        pairs.append((key.encode(), "\x00".join(message.translations).encode()))
    pairs.sort()
    count, start = len(pairs), 28
    at = start + count * 16
    keys, values, body = b"", b"", b""
    for source, _ in pairs:
        keys += struct.pack("<II", len(source), at + len(body))
        body += source + b"\x00"
    for _, translation in pairs:
        values += struct.pack("<II", len(translation), at + len(body))
        body += translation + b"\x00"
    header = struct.pack("<7I", 0x950412DE, 0, count, start, start + count * 8, 0, 0)
    return header + keys + values + body


def fragments(locale: Path) -> list[Path]:
    return sorted((locale / "fragments").glob("*.po"))


def read_fragments(locale: Path) -> list[Message]:
    """The messages of all fragments, each once.

    :raises ValueError: when a fragment cannot be read, or two translate one message differently.
    """
    known: dict[tuple[str | None, str], tuple[Path, Message]] = {}
    for path in fragments(locale):
        for message in read_messages(path.read_text(encoding="utf-8")):
            if not message.source:
                continue
            first, before = known.setdefault((message.context, message.source), (path, message))
            if before.translations != message.translations:
                raise ValueError(
                    f"{message.source!r} is {before.translations} in {first.name} and {message.translations} in {path.name}: choose one."
                )
    return [message for _, message in known.values()]


def compile_fragments(locale: Path, language: str = "zh_Hans") -> bool:
    """Compile the fragments into ``<language>/LC_MESSAGES/django.mo``; whether that changed it."""
    header = Message(translations=["Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=1; plural=0;\n"])
    data = compile_catalogue([header, *read_fragments(locale)])
    target = locale / language / "LC_MESSAGES" / "django.mo"
    if target.exists() and target.read_bytes() == data:
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_suffix(f".{os.getpid()}")
    draft.write_bytes(data)
    draft.replace(target)
    return True
