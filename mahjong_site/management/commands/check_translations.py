"""Say which sentences still need their Chinese."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from mahjong_site.message_sources import find_messages
from mahjong_site.translations import Message, read_fragments


class Command(BaseCommand):
    help = "Print the messages without a translation, ready for a fragment; fails while there are any."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        known = {(message.context, message.source): message for message in read_fragments(settings.LOCALE_PATHS[0])}
        asked = {(message.context, message.source): message for message in find_messages(settings.BASE_DIR)}
        for _, source in known.keys() - asked.keys():
            self.stderr.write(f"no longer asked for: {source!r}")
        missing = [message for key, message in asked.items() if key not in known or not known[key].complete]
        for message in missing:
            self.stdout.write(as_entry(message))
        if missing:
            raise CommandError(f"{len(missing)} messages have no Chinese yet: put the entries above into a file in locale/fragments/.")


def as_entry(message: Message) -> str:
    lines = [] if message.context is None else [f"msgctxt {quoted(message.context)}"]
    lines.append(f"msgid {quoted(message.source)}")
    if message.plural is None:
        lines.append('msgstr ""')
    else:
        lines += [f"msgid_plural {quoted(message.plural)}", 'msgstr[0] ""']
    return "\n".join([*lines, ""])


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
