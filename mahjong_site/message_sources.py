"""Which sentences the sources ask a translation for."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.utils.translation.template import templatize

from mahjong_site.translations import Message, read_messages

FOLDERS = ("mahjong_site", "rules_app", "scoring_app", "templates")
KEYWORDS = (
    "gettext_noop",
    "gettext_lazy",
    "ngettext_lazy:1,2",
    "pgettext:1c,2",
    "npgettext:1c,2,3",
    "pgettext_lazy:1c,2",
    "npgettext_lazy:1c,2,3",
)


def find_messages(root: Path) -> list[Message]:
    """Every message in the Python files and templates under ``root``; needs GNU gettext.

    :raises FileNotFoundError: when xgettext is missing.
    """
    with tempfile.TemporaryDirectory() as folder:
        copies = list(_python_copies(root, Path(folder)))
        output = Path(folder, "messages.pot")
        listing = Path(folder, "files.txt")
        listing.write_text("\n".join(map(str, copies)), encoding="utf-8")
        command = ["xgettext", "--language=Python", "--from-code=UTF-8", "--no-wrap", "--output", str(output), "--files-from", str(listing)]
        command += [f"--keyword={keyword}" for keyword in KEYWORDS]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 -- a fixed command, no shell
        if not output.exists():
            return []
        return [message for message in read_messages(output.read_text(encoding="utf-8")) if message.source]


def _python_copies(root: Path, folder: Path) -> Iterator[Path]:
    """The sources as xgettext can read them: templates turned into the Python calls they stand for."""
    for source in _sources(root):
        text = source.read_text(encoding="utf-8")
        if source.suffix != ".py":
            text = templatize(text, origin=str(source))
        copy = folder / source.relative_to(root).with_suffix(source.suffix + ".py")
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")
        yield copy


def _sources(root: Path) -> Iterable[Path]:
    for name in FOLDERS:
        for pattern in ("*.py", "*.html", "*.txt"):
            yield from sorted((root / name).rglob(pattern))
