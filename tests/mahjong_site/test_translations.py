"""Every sentence has its Chinese, and the compiler of catalogues agrees with GNU gettext."""

from __future__ import annotations

import gettext
import io
import re
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

from mahjong_site.message_sources import find_messages
from mahjong_site.translations import compile_catalogue, compile_fragments, fragments, read_fragments, read_messages

LOCALE = settings.LOCALE_PATHS[0]
HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=1; plural=0;\\n"\n\n'
SAMPLE = (
    HEADER
    + 'msgid "one"\nmsgstr "一"\n\n'
    + '# why\n#: file.py\nmsgctxt "verb"\nmsgid ""\n"two "\n"lines\\n"\nmsgstr "两\\n"\n"行\\n"\n\n'
    + 'msgid "%(n)s round"\nmsgid_plural "%(n)s rounds"\nmsgstr[0] "%(n)s 局"\n\n'
    + '#, fuzzy\nmsgid "guess"\nmsgstr "猜"\n\nmsgid "open"\nmsgstr ""\n'
)


def test_every_message_of_the_sources_has_its_chinese():
    known = {(message.context, message.source) for message in read_fragments(LOCALE) if message.complete}

    missing = [message.source for message in find_messages(settings.BASE_DIR) if (message.context, message.source) not in known]

    assert missing == []


def test_no_translation_is_a_guess():
    assert [message.source for message in read_fragments(LOCALE) if message.fuzzy] == []


def test_translations_keep_the_placeholders_of_their_source():
    def holes(text: str) -> set[str]:
        return set(re.findall(r"%\(\w+\)[sd]|\{\w*\}", text))

    wrong = [
        message.source
        for message in read_fragments(LOCALE)
        for translation in message.translations
        if holes(translation) != holes(message.plural or message.source)
    ]

    assert wrong == []


@pytest.mark.parametrize("path", fragments(LOCALE), ids=lambda path: path.name)
def test_gettext_accepts_each_fragment(path: Path):
    done = subprocess.run(["msgfmt", "--check-format", "-o", "/dev/null", str(path)], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


def test_compiled_catalogues_say_what_gettexts_own_say(tmp_path: Path):
    source = tmp_path / "sample.po"
    source.write_text(SAMPLE, encoding="utf-8")
    subprocess.run(["msgfmt", "-o", str(tmp_path / "sample.mo"), str(source)], check=True)

    ours = gettext.GNUTranslations(io.BytesIO(compile_catalogue(read_messages(SAMPLE))))
    theirs = gettext.GNUTranslations(io.BytesIO((tmp_path / "sample.mo").read_bytes()))

    assert ours._catalog == theirs._catalog  # type: ignore[attr-defined]
    assert ours.pgettext("verb", "two lines\n") == "两\n行\n"
    assert ours.ngettext("%(n)s round", "%(n)s rounds", 5) == "%(n)s 局"
    assert (ours.gettext("guess"), ours.gettext("open")) == ("guess", "open")


def test_two_fragments_that_disagree_are_named(tmp_path: Path):
    folder = tmp_path / "fragments"
    folder.mkdir()
    (folder / "a.po").write_text(HEADER + 'msgid "win"\nmsgstr "胡"\n', encoding="utf-8")
    (folder / "b.po").write_text(HEADER + 'msgid "win"\nmsgstr "和"\n', encoding="utf-8")

    with pytest.raises(ValueError, match=r"'win' is \['胡'\] in a\.po and \['和'\] in b\.po: choose one"):
        read_fragments(tmp_path)


def test_compiling_again_changes_nothing(tmp_path: Path):
    folder = tmp_path / "fragments"
    folder.mkdir()
    (folder / "a.po").write_text(HEADER + 'msgid "win"\nmsgstr "胡"\n', encoding="utf-8")

    assert compile_fragments(tmp_path)
    assert not compile_fragments(tmp_path)
