"""Texts as the tokens they are found by, the same for what is stored and for what is asked.

Everything is folded first: compatible forms, small letters, no tone marks, simplified characters, and the
spellings that mean the same in mahjong (`rules_app/synonyms.yaml`).  A token holds letters, digits and
characters only, so both databases take it as it stands.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from opencc import OpenCC
from pypinyin import lazy_pinyin
from ruamel.yaml import YAML

SYNONYMS = Path(__file__).resolve().parent.parent / "synonyms.yaml"
CHARACTER = r"\u3400-\u9fff\uf900-\ufaff\U00020000-\U0002ffff"
RUN = re.compile(rf"[{CHARACTER}]+|[a-z0-9]+(?:'[a-z]+)?")
IS_CHARACTERS = re.compile(rf"[{CHARACTER}]+")
TONE_NUMBER = re.compile(r"(?<=[a-z])[1-5](?![0-9])")
U_UMLAUT = str.maketrans(dict.fromkeys("üǖǘǚǜ", "v"))
NUMBER = re.compile(rf"(?<![a-z0-9])[0-9]+(?=[{CHARACTER}])")
DIGITS = "零一二三四五六七八九"
ARTICLES = frozenset({"a", "an", "the", "of"})
ASKING = frozenset(
    ["and", "are", "do", "does", "for", "how", "i", "if", "in", "is", "it", "my", "on", "to", "what", "when", "which", "who", "with"]
)
"""Words that a question holds and a name does not need."""


@dataclass(frozen=True, slots=True)
class Synonyms:
    """What `rules_app/synonyms.yaml` holds, folded: ``names`` leads from the key of a name to its whole line."""

    characters: Mapping[int, str]
    words: Mapping[str, str]
    names: Mapping[str, tuple[str, ...]]


@cache
def synonyms() -> Synonyms:
    """The shared synonyms, read once."""
    with SYNONYMS.open(encoding="utf-8") as file:
        data = YAML(typ="safe").load(file)
    characters = str.maketrans(data["characters"])
    groups: dict[str, tuple[str, ...]] = {}
    for line in data["names"]:
        for name in line:
            groups.setdefault(_key(name, characters, data["words"]), tuple(line))
    return Synonyms(characters, data["words"], groups)


@cache
def _simplifier() -> OpenCC:
    return OpenCC("t2s")


@lru_cache(maxsize=4096)
def simplify(text: str) -> str:
    """Traditional characters as simplified ones."""
    return str(_simplifier().convert(text))


def fold(text: str) -> str:
    """Small letters without marks, simplified characters; spelled as written."""
    text = unicodedata.normalize("NFKC", text).lower().translate(U_UMLAUT)
    text = "".join(char for char in unicodedata.normalize("NFD", text) if unicodedata.category(char) != "Mn")
    text = simplify(unicodedata.normalize("NFC", text).replace("’", "'"))
    return NUMBER.sub(lambda found: numeral(found.group()), text)


def numeral(digits: str) -> str:
    """A number as Chinese writes it before a noun: 13 is 十三, 258 is 二五八."""
    number = int(digits)
    if number > 99 or digits.startswith("0"):
        return "".join(DIGITS[int(digit)] for digit in digits)
    tens, ones = divmod(number, 10)
    return (("" if tens == 1 else DIGITS[tens]) + "十" if tens else "") + (DIGITS[ones] if ones or not tens else "")


def runs(text: str, characters: Mapping[int, str] | None = None) -> list[str]:
    """The runs of characters and the words of a text, folded and spelled one way."""
    table = synonyms().characters if characters is None else characters
    return RUN.findall(fold(text).translate(table))


def stem(word: str, words: Mapping[str, str] | None = None) -> str:
    """An English word in one form: no plural, no possessive, and the one spelling of the synonyms."""
    word = word.partition("'")[0]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return (synonyms().words if words is None else words).get(word, word)


def is_characters(run: str) -> bool:
    """Whether a run is Chinese."""
    return IS_CHARACTERS.fullmatch(run) is not None


def key(text: str) -> str:
    """A whole name as one token: ``清一色``, ``qingyise``, ``puresuit``."""
    found = synonyms()
    return _key(text, found.characters, found.words)


def _key(text: str, characters: Mapping[int, str], words: Mapping[str, str]) -> str:
    parts = [run if is_characters(run) else stem(run, words) for run in runs(text, characters)]
    kept = [part for part in parts if part not in ARTICLES] or parts
    return "".join(kept)


def syllables(name: str, pinyin: str | None = None) -> list[str]:
    """The pinyin of a Chinese name; what a document says comes before what a dictionary says."""
    if pinyin:
        return [part for run in RUN.findall(fold(pinyin)) for part in [run.replace("'", "")] if part.isascii()]
    text = "".join(run for run in runs(name) if is_characters(run))
    return [fold(part) for part in lazy_pinyin(text)]


def grams(run: str) -> Iterator[str]:
    """The characters of a run, and each two that stand together."""
    yield from run
    yield from (run[at : at + 2] for at in range(len(run) - 1))


def text_tokens(*texts: str) -> Iterator[str]:
    """The tokens of prose: characters, pairs of them, English words."""
    for text in texts:
        for run in runs(text):
            if is_characters(run):
                yield from grams(run)
            else:
                yield stem(run)


def pinyin_tokens(parts: Sequence[str]) -> Iterator[str]:
    """Each syllable, and the joined ends of the name: ``qing yi se qingyise yise``."""
    yield from parts
    yield from ("".join(parts[at:]) for at in range(len(parts)))


def initials(parts: Sequence[str]) -> str:
    """``qys`` for qing yi se."""
    return "".join(part[0] for part in parts if part)


def joined(tokens: Iterable[str]) -> str:
    """Tokens as they are stored: each once, spaces between."""
    return " ".join(dict.fromkeys(token for token in tokens if token))


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked: as one name, and token by token; ``prefix`` tokens may go on."""

    text: str
    key: str
    tokens: tuple[tuple[str, bool], ...]

    @property
    def is_empty(self) -> bool:
        return not self.key


def read_query(text: str) -> Query:
    """The query of a text that somebody typed."""
    text = text.strip()[:200]
    found: list[tuple[str, bool]] = []
    parts = []
    for run in RUN.findall(TONE_NUMBER.sub("", fold(text)).translate(synonyms().characters)):
        if is_characters(run):
            parts.append(run)
            found += [(run, False)] if len(run) == 1 else [(run[at : at + 2], False) for at in range(len(run) - 1)]
            continue
        word = stem(run)
        parts.append(word)
        if word not in ARTICLES | ASKING:
            found.append((word, True))
    kept = [part for part in parts if part not in ARTICLES] or parts
    tokens = tuple(dict.fromkeys(found))[:24] or tuple((part, True) for part in parts[:1])
    return Query(text, "".join(kept), tokens)
