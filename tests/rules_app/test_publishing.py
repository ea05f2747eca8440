"""From a document to a published revision."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from rules_app.models import PublishedRevisionError, Revision, Ruleset, content_hash
from rules_app.publishing import (
    CannotPublish,
    PublishingError,
    check_document,
    fork_ruleset,
    load_shipped_rulesets,
    publish_revision,
    published_revision,
    save_draft,
    start_draft,
)
from rules_app.rulings import ruleset_of

pytestmark = pytest.mark.django_db

SHIPPED = Path(__file__).parent / "documents/pocket.yaml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pocket.yaml").write_text(SHIPPED.read_text())
    return tmp_path


@pytest.fixture
def shipped(folder: Path) -> Ruleset:
    list(load_shipped_rulesets(folder))
    return Ruleset.objects.get(slug="pocket")


@pytest.fixture
def fork(shipped: Ruleset) -> Ruleset:
    return fork_ruleset(ruleset=shipped, slug="our_club", name_zh="本会袖珍", name_en="Our Pocket")


def changed(ruleset: Ruleset, old: str, new: str) -> Revision:
    """The draft of a ruleset with one piece of its text replaced."""
    text = start_draft(ruleset=ruleset).document
    assert old in text
    return save_draft(ruleset=ruleset, text=text.replace(old, new, 1))


def test_shipped_documents_are_published_once(folder, shipped):
    assert [item.published for item in load_shipped_rulesets(folder)] == [False]
    revision = published_revision("pocket")
    assert (revision.number, revision.ruleset.name_zh, shipped.shipped) == (1, "袖珍麻将", True)
    assert revision.content_hash == content_hash(SHIPPED.read_text())


def test_changed_document_becomes_a_new_revision(folder, shipped):
    path = folder / "pocket.yaml"
    path.write_text(path.read_text() + "# a remark\n")

    assert [item.published for item in load_shipped_rulesets(folder)] == [True]
    assert [revision.number for revision in shipped.revisions.all()] == [2, 1]


def test_line_endings_make_no_new_revision(folder, shipped):
    path = folder / "pocket.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))

    assert [item.published for item in load_shipped_rulesets(folder)] == [False]


def test_faulty_shipped_document_is_not_published(folder):
    path = folder / "pocket.yaml"
    path.write_text(path.read_text() + "nonsense: 1\n")

    (item,) = load_shipped_rulesets(folder)
    assert not item.published
    assert item.check.faults[0].path == "nonsense"
    assert not Ruleset.objects.exists()


def test_shipped_document_leaves_a_ruleset_of_ones_own_alone(folder):
    Ruleset.objects.create(slug="pocket", name_zh="x", name_en="x")

    (item,) = load_shipped_rulesets(folder)
    assert (item.published, item.clash) == (False, True)


def test_command_names_file_line_and_sentence(folder, monkeypatch, capsys):
    path = folder / "pocket.yaml"
    path.write_text(path.read_text() + "nonsense: 1\n")
    monkeypatch.setattr("rules_app.management.commands.load_rulesets.load_shipped_rulesets", lambda: load_shipped_rulesets(folder))

    with pytest.raises(CommandError, match="1 of 1"):
        call_command("load_rulesets")
    line = len(path.read_text().splitlines())
    assert f"pocket.yaml:{line}:" in capsys.readouterr().err


@pytest.mark.django_db(transaction=True)
def test_two_starts_at_once_publish_once(folder):
    found: list[bool] = []

    def load() -> None:
        try:
            found.extend(item.published for item in load_shipped_rulesets(folder))
        finally:
            connection.close()

    threads = [threading.Thread(target=load) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(found) == [False, True]
    assert Revision.objects.count() == 1


def test_fork_starts_as_a_draft_of_its_own_name(shipped, fork):
    draft = fork.draft
    assert draft is not None
    assert fork.forked_from == shipped.latest
    assert check_document(draft.document, slug="our_club").ok
    assert ruleset_of(draft).document.name.zh == "本会袖珍"
    assert fork.latest is None


@pytest.mark.parametrize("slug", ["pocket", "Our", "x" * 41, "9lives", ""])
def test_fork_needs_a_free_slug(shipped, slug):
    with pytest.raises(PublishingError):
        fork_ruleset(ruleset=shipped, slug=slug)


def test_shipped_ruleset_takes_no_draft(shipped):
    with pytest.raises(PublishingError, match="fork it first"):
        save_draft(ruleset=shipped, text="x")


def test_faults_name_line_and_sentence(fork):
    draft = changed(fork, "payments:", "payment:")

    with pytest.raises(CannotPublish) as caught:
        publish_revision(revision=draft)
    fault = next(fault for fault in caught.value.check.faults if fault.path == "payment")
    place = draft.document.splitlines().index("payment:") + 1
    assert fault.line in {place, place + 1}
    assert fault.message.zh


def test_examples_that_broke_keep_a_revision_from_being_published(fork):
    draft = changed(fork, "payments: [-1, 3", "payments: [-2, 6")

    with pytest.raises(CannotPublish) as caught:
        publish_revision(revision=draft)
    (broken,) = caught.value.check.broken_examples
    assert draft.document.splitlines()[broken.line - 1] == "  - id: everybody_pays"
    assert "payments" in broken.message.en
    assert caught.value.check.faults == ()


def test_publishing_takes_the_name_from_the_document_and_happens_once(fork, django_user_model):
    author = django_user_model.objects.create(username="keeper")
    published = publish_revision(revision=fork.draft, author=author, note="first")

    fork.refresh_from_db()
    assert (fork.latest, fork.draft, fork.name_en) == (published, None, "Our Pocket")
    assert (published.author, published.note) == (author, "first")
    with pytest.raises(PublishingError, match="already"):
        publish_revision(revision=published)
    with pytest.raises(PublishingError, match="last revision says"):
        publish_revision(revision=start_draft(ruleset=fork))


def test_next_draft_follows_the_last_revision(fork):
    publish_revision(revision=fork.draft)
    draft = start_draft(ruleset=fork)

    assert (draft.number, start_draft(ruleset=fork)) == (2, draft)


def test_published_revision_is_immutable(shipped):
    revision = shipped.latest

    with pytest.raises(PublishedRevisionError):
        revision.save()
    with pytest.raises(PublishedRevisionError):
        revision.delete()
    with pytest.raises(IntegrityError, match="immutable"), transaction.atomic():
        Revision.objects.filter(pk=revision.pk).update(note="x")
    with pytest.raises(IntegrityError, match="immutable"), transaction.atomic():
        Revision.objects.filter(pk=revision.pk)._raw_delete("default")


def test_ruleset_has_one_draft_at_most(fork):
    with pytest.raises(IntegrityError), transaction.atomic():
        Revision.objects.create(ruleset=fork, number=7, document="x")
