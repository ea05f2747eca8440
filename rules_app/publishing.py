"""From a document to a published revision: shipping, forking, drafting, checking, publishing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from rules_app.catalogue import DEFINITIONS, published_revision_or_none
from rules_app.engine import DocumentFaults, Fault, Text, compile_ruleset
from rules_app.engine.document import parse_document
from rules_app.engine.examples import broken_examples
from rules_app.engine.schema import Document
from rules_app.models import Revision, Ruleset, canonical_text, content_hash
from rules_app.parsed_documents import keep_document
from rules_app.search.building import index_ruleset

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SLUG = re.compile(r"[a-z][a-z0-9_]{1,39}")


class PublishingError(Exception):
    """Something about a ruleset that is not done; ``message`` is a sentence for who asked."""

    def __init__(self, message: Text) -> None:
        super().__init__(message.en)
        self.message = message


class CannotPublish(PublishingError):
    """The document has faults, or examples with which the engine disagrees: ``check`` says which."""

    def __init__(self, check: Check) -> None:
        count = len(check.faults) + len(check.broken_examples)
        super().__init__(
            Text(zh=f"还有 {count} 处需要修改，不能发布。", en=f"{count} things have to be put right before this can be published.")
        )
        self.check = check


@dataclass(frozen=True, slots=True)
class Check:
    """What is wrong in a document, each with line and column: its faults, and once there are none its examples."""

    faults: tuple[Fault, ...] = ()
    broken_examples: tuple[Fault, ...] = ()
    document: Document | None = None

    @property
    def ok(self) -> bool:
        return not self.faults and not self.broken_examples


@dataclass(frozen=True, slots=True)
class Shipped:
    """What became of one shipped document; ``published`` when a new revision was made of it."""

    slug: str
    published: bool
    check: Check
    clash: bool = False
    """Somebody's own ruleset has the slug already, and was left alone."""


def check_document(text: str, *, slug: str | None = None, examples: bool = True) -> Check:
    """Every fault of a document, and every example that the engine contradicts.

    ``slug`` is the one that the document has to name.
    """
    try:
        document, places = parse_document(text)
        ruleset = compile_ruleset(document, places)
    except DocumentFaults as error:
        return Check(faults=tuple(error.faults))
    if slug is not None and document.slug != slug:
        message = Text(zh=f"slug 须为 {slug}，与规则一致。", en=f"The slug must be {slug}, as that of the ruleset.")
        return Check(faults=(Fault(*places("slug"), "slug", message),), document=document)
    if not examples:
        return Check(document=document)
    broken = tuple(Fault(*places(example.path), example.path, example.message) for example in broken_examples(ruleset))
    return Check(broken_examples=broken, document=document)


def load_shipped_rulesets(folder: Path = DEFINITIONS) -> Iterator[Shipped]:
    """Publish each shipped document that is not published yet, one after the other.

    May run at every start, and in several processes at once: a text is published once.
    """
    for path in sorted(folder.glob("*.yaml")):
        yield _load(path.stem, canonical_text(path.read_text(encoding="utf-8")))


def published_revision(slug: str) -> Revision:
    """The newest published revision under a slug.

    :raises Revision.DoesNotExist:
    """
    revision = published_revision_or_none(slug)
    if revision is None:
        raise Revision.DoesNotExist(f"no revision of {slug} is published")
    return revision


def fork_ruleset(*, ruleset: Ruleset, slug: str, name_zh: str = "", name_en: str = "", owner: User | None = None) -> Ruleset:
    """A ruleset of one's own that starts with the newest published document of another one, as a draft.

    :raises PublishingError: the slug is taken or no slug, or there is nothing to fork.
    """
    source = ruleset.latest
    if source is None:
        raise PublishingError(Text(zh="这套规则还没有发布过，无法复制。", en="This ruleset has nothing published that could be forked."))
    if not SLUG.fullmatch(slug):
        raise PublishingError(
            Text(
                zh="代号须以小写字母开头，只含小写字母、数字和下划线。",
                en="A slug starts with a small letter and holds small letters, digits and _.",
            )
        )
    name_zh = name_zh.strip() or f"{ruleset.name_zh}（本地规则）"
    name_en = name_en.strip() or f"{ruleset.name_en} (house rules)"
    with transaction.atomic():
        fork, created = Ruleset.objects.get_or_create(
            slug=slug, defaults={"name_zh": name_zh, "name_en": name_en, "owner": owner, "forked_from": source}
        )
        if not created:
            raise PublishingError(Text(zh=f"代号 {slug} 已经有人用了。", en=f"The slug {slug} is taken."))
        text = _with_key(source.document, "slug", slug)
        text = _with_key(text, "name", f"{{zh: {_quoted(name_zh)}, en: {_quoted(name_en)}}}")
        save_draft(ruleset=fork, text=text, author=owner)
    return fork


def free_slug(slug: str) -> str:
    """The first slug made from this one that no ruleset has."""
    number = 1
    while Ruleset.objects.filter(slug=f"{slug[:34]}_house{number if number > 1 else ''}").exists():
        number += 1
    return f"{slug[:34]}_house{number if number > 1 else ''}"


def save_draft(*, ruleset: Ruleset, text: str, author: User | None = None) -> Revision:
    """Keep a text as the draft of a ruleset, whatever is wrong in it.

    :raises PublishingError: a shipped ruleset follows its file and takes no drafts.
    """
    if ruleset.shipped:
        raise PublishingError(
            Text(zh="随附规则不能直接修改，请先复制一份。", en="A ruleset that comes with the project is not edited; fork it first.")
        )
    with transaction.atomic():
        Ruleset.objects.select_for_update().get(pk=ruleset.pk)
        draft = ruleset.draft or Revision(ruleset=ruleset, number=_next_number(ruleset))
        draft.document = text
        draft.author = author or draft.author
        draft.save()
    return draft


def start_draft(*, ruleset: Ruleset, author: User | None = None) -> Revision:
    """The draft of a ruleset; where there is none, one that starts with the newest published text."""
    draft, latest = ruleset.draft, ruleset.latest
    if draft is not None:
        return draft
    return save_draft(ruleset=ruleset, text=latest.document if latest else "", author=author)


def publish_revision(*, revision: Revision, author: User | None = None, note: str = "") -> Revision:
    """Publish a draft; from then on it never changes.

    :raises CannotPublish: it has faults, or examples that the engine contradicts.
    :raises PublishingError: it is published already, or says what the last one says.
    """
    with transaction.atomic():
        ruleset = Ruleset.objects.select_for_update().get(pk=revision.ruleset_id)
        draft = Revision.objects.get(pk=revision.pk)
        if draft.is_published:
            raise PublishingError(Text(zh="这一版已经发布。", en="This revision is published already."))
        check = check_document(draft.document, slug=ruleset.slug)
        if not check.ok or check.document is None:
            raise CannotPublish(check)
        latest = ruleset.latest
        if latest is not None and latest.content_hash == draft.content_hash:
            raise PublishingError(Text(zh="内容与上一版相同。", en="It says what the last revision says."))
        draft.author = author or draft.author
        draft.note = note.strip()[:300]
        _publish(draft, check.document)
    return draft


def accept_revision(*, text: str, number: int, place: Callable[[str], str], owner: User | None = None, note: str = "") -> Revision:
    """Publish a document that was published elsewhere, word for word and under the number that it had there.

    ``place`` says under which slug, given the document's own: a ruleset that has no newer revision, or a new one.

    :raises CannotPublish: it has faults, or examples that the engine contradicts.
    :raises PublishingError: the ruleset is at that number already.
    """
    text = canonical_text(text)
    check = check_document(text)
    if not check.ok or check.document is None:
        raise CannotPublish(check)
    name = check.document.name
    with transaction.atomic():
        defaults = {"name_zh": name.zh[:100], "name_en": name.en[:100], "owner": owner}
        slug = place(check.document.slug)
        ruleset, _ = Ruleset.objects.get_or_create(slug=slug, defaults=defaults)
        Ruleset.objects.select_for_update().get(pk=ruleset.pk)
        if ruleset.shipped or number < _next_number(ruleset):
            raise PublishingError(Text(zh=f"{slug} 已有第 {number} 版。", en=f"{slug} has a revision {number} already."))
        revision = Revision(ruleset=ruleset, number=number, document=text, author=owner, note=note[:300])
        _publish(revision, check.document)
    return revision


def _load(slug: str, text: str) -> Shipped:
    known = Ruleset.objects.filter(slug=slug).first()
    if known is not None and not known.shipped:
        return Shipped(slug, False, Check(), clash=True)
    if known is not None and _is_published(known, text):
        return Shipped(slug, False, Check())
    check = check_document(text, slug=slug)
    if not check.ok or check.document is None:
        return Shipped(slug, False, check)
    name = check.document.name
    with transaction.atomic():
        ruleset, _ = Ruleset.objects.get_or_create(slug=slug, defaults={"name_zh": name.zh, "name_en": name.en, "shipped": True})
        Ruleset.objects.select_for_update().get(pk=ruleset.pk)
        # Another process may have been faster between the look above and the lock.
        if _is_published(ruleset, text):
            return Shipped(slug, False, check)
        _publish(Revision(ruleset=ruleset, number=_next_number(ruleset), document=text), check.document)
    return Shipped(slug, True, check)


def _is_published(ruleset: Ruleset, text: str) -> bool:
    """Whether the newest revision says this."""
    latest = ruleset.latest
    return latest is not None and latest.content_hash == content_hash(text)


def _publish(revision: Revision, document: Document) -> None:
    revision.status = Revision.Status.PUBLISHED
    revision.published_at = timezone.now()
    revision.save()
    keep_document(revision.content_hash, document)
    Ruleset.objects.filter(pk=revision.ruleset_id).update(name_zh=document.name.zh[:100], name_en=document.name.en[:100])
    index_ruleset(revision.ruleset, compile_ruleset(document))


def _next_number(ruleset: Ruleset) -> int:
    highest: int | None = ruleset.revisions.aggregate(highest=Max("number"))["highest"]
    return (highest or 0) + 1


def _with_key(text: str, key: str, value: str) -> str:
    """The document text with another value of a top-level key; comments and the rest stay as they are."""
    pattern = re.compile(rf"^{key}:.*\n(?:[ \t]+.*\n)*", re.MULTILINE)
    return pattern.sub(lambda _: f"{key}: {value}\n", text, count=1)


def _quoted(text: str) -> str:
    """A YAML string; JSON's way of quoting is one of YAML's."""
    return json.dumps(text, ensure_ascii=False)
