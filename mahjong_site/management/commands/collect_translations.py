"""Collect every source string and merge the fragments' Chinese into the catalogue."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

HEADER = """msgid ""
msgstr ""
"Project-Id-Version: mahjong-referee\\n"
"Language: zh_Hans\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=1; plural=0;\\n"

"""


class Command(BaseCommand):
    help = "Write locale/zh_Hans/LC_MESSAGES/django.po from the sources and locale/fragments/*.po (needs gettext)."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        locale: Path = settings.LOCALE_PATHS[0]
        target = locale / "zh_Hans" / "LC_MESSAGES" / "django.po"
        fragments = sorted((locale / "fragments").glob("*.po"))
        with tempfile.TemporaryDirectory() as folder:
            header = Path(folder, "header.po")
            header.write_text(HEADER, encoding="utf-8")
            known = Path(folder, "known.po")
            run("msgcat", "--use-first", "--output-file", str(known), str(header), *map(str, fragments))
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(known.read_text(encoding="utf-8"), encoding="utf-8")
            call_command(
                "makemessages",
                locale=["zh_Hans"],
                ignore_patterns=[".venv/*", "var/*", "staticfiles/*", "tests/*"],
                no_obsolete=True,
                no_wrap=True,
                add_location="file",
                verbosity=0,
            )
            # What is new must read as untranslated, not as a guess from a similar sentence.
            run("msgattrib", "--clear-fuzzy", "--empty", "--only-fuzzy", "--no-wrap", "--output-file", f"{folder}/fuzzy.po", str(target))
            run("msgattrib", "--no-fuzzy", "--no-wrap", "--sort-by-file", "--output-file", f"{folder}/sure.po", str(target))
            run(
                "msgcat",
                "--use-first",
                "--no-wrap",
                "--sort-by-file",
                "--output-file",
                str(target),
                f"{folder}/sure.po",
                f"{folder}/fuzzy.po",
            )
        # A date of collection would change the file each time for nothing.
        lines = [line for line in target.read_text(encoding="utf-8").splitlines(keepends=True) if not line.startswith('"POT-Creation-Date')]
        target.write_text("".join(lines), encoding="utf-8")


def run(*command: str) -> None:
    """:raises CommandError: with the tool's own words when it is missing or refuses."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 -- fixed commands, no shell
    except FileNotFoundError as error:
        raise CommandError(f"{command[0]} is missing: install gettext.") from error
    if done.returncode:
        raise CommandError(f"{command[0]}: {done.stderr.strip()}")
