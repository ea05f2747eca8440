"""A club that moves: its ledgers bring their rules along, and hostile ones are refused."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction

from rules_app.models import Revision, Ruleset, content_hash
from rules_app.publishing import publish_revision, save_draft
from scoring_app.clubs import add_member, create_club, fork_for_club, grant_role
from scoring_app.exports.documents import DocumentError
from scoring_app.exports.json_in import import_document, preview_document, read_document
from scoring_app.exports.json_out import session_document
from scoring_app.ledger import record_round, verify_table
from scoring_app.models import ClubRuleset, Session, Table
from scoring_app.sessions import add_player, open_session, seat_players
from tests.factories import UserFactory, publish
from tests.scoring_app.rounds import payload, self_draw

Json = dict[str, Any]

pytestmark = pytest.mark.django_db

SICHUAN = (settings.BASE_DIR / "rules_app/definitions/sichuan.yaml").read_text()


def house_rules(number: int = 1, slug: str = "house_rules") -> str:
    """A document of a club; ``number`` makes it another one."""
    return re.sub(r"^slug: .*$", f"slug: {slug}", SICHUAN, flags=re.MULTILINE) + f"# {number}\n"


def played_elsewhere(*texts: str) -> Json:
    """An evening under the last of the documents, exported from a site that is gone again; earlier ones are published before."""
    sid = transaction.savepoint()
    slug = re.search(r"^slug: (.*)$", texts[0], re.MULTILINE)
    assert slug is not None
    revision = publish(slug[1], texts[0])
    for text in texts[1:]:
        revision = publish_revision(revision=save_draft(ruleset=revision.ruleset, text=text))
    session = open_session(revision=revision, options={"mode": "single"}, title="周五")
    for name in "甲乙丙丁":
        add_player(session=session, name=name)
    seat_players(session=session, seed="x")
    record_round(table=session.tables.get(), payload=payload(self_draw(0)), expected_version=0, idempotency_key="a")
    session.refresh_from_db()
    document = session_document(session)
    transaction.savepoint_rollback(sid)
    return document


def read(document: Json):
    return read_document(json.dumps(document))


@pytest.fixture
def owner(db):
    return UserFactory.create(username="owner")


@pytest.fixture
def club(owner):
    return create_club(name="会", owner=owner, slug="hui")


def test_the_rules_of_a_club_come_along_and_the_ledger_is_the_same(club, owner):
    document = played_elsewhere(house_rules())

    looked = preview_document(read(document), club=club, account=owner)
    assert not Ruleset.objects.exists()
    imported = import_document(read(document), club=club, account=owner)

    session = Session.objects.get(public_id=imported.session)
    table = session.tables.get()
    assert looked == imported
    assert [rules.zh for rules in imported.rules] == ["四川麻将 #1"]
    assert imported.tables[0].kept
    assert verify_table(table) == []
    assert table.revision.content_hash == content_hash(house_rules())
    assert table.revision.ruleset.slug == "house_rules"
    assert ClubRuleset.objects.get(ruleset=table.revision.ruleset).club == club
    again = {key: value for key, value in session_document(session).items() if key != "exported_at"}
    assert again == {key: value for key, value in document.items() if key != "exported_at"}


def test_later_revisions_follow_under_the_same_name(club, owner):
    texts = [house_rules(number) for number in (1, 2, 3)]
    first, second, third = (played_elsewhere(*texts[:count]) for count in (1, 2, 3))

    import_document(read(first), club=club, account=owner)
    import_document(read(third), club=club, account=owner)
    late = import_document(read(second), club=club, account=owner)

    assert list(Revision.objects.filter(ruleset__slug="house_rules").order_by("number").values_list("number", flat=True)) == [1, 3]
    apart = Session.objects.get(public_id=late.session).revision
    assert apart.ruleset.slug == f"house_rules_{apart.content_hash[:8]}"
    assert [verify_table(table) for table in Table.objects.all()] == [[], [], []]


def test_a_ruleset_of_this_site_is_never_touched(club, owner):
    documents = [played_elsewhere(house_rules()), played_elsewhere(house_rules(7, slug="sichuan"))]
    game = publish("sichuan", SICHUAN).ruleset
    Ruleset.objects.update(shipped=True)
    fork_for_club(club=club, ruleset=game, slug="house_rules", by=owner)
    before = list(Revision.objects.order_by("pk").values_list("pk", "document", "status"))

    found = [import_document(read(document), club=club, account=owner).session for document in documents]

    slugs = [Session.objects.get(public_id=name).revision.ruleset.slug for name in found]
    assert [slug.rpartition("_")[0] for slug in slugs] == ["house_rules", "sichuan"]
    assert set(Ruleset.objects.filter(slug__in=slugs).values_list("name_zh", flat=True)) == {"四川麻将（会）"}
    assert list(Revision.objects.order_by("pk").values_list("pk", "document", "status"))[: len(before)] == before
    assert [ruleset.revisions.count() for ruleset in Ruleset.objects.filter(slug__in=["sichuan", "house_rules"])] == [1, 1]


def test_a_shipped_game_that_is_not_loaded_yet_is_not_taken_over(club, owner):
    import_document(read(played_elsewhere(house_rules(7, slug="sichuan"))), club=club, account=owner)

    assert not Ruleset.objects.filter(slug="sichuan").exists()


def hostile(document: Json, text: str) -> Json:
    """The same file with other rules under their true hash: a ledger that names them cannot verify, but they come first."""
    key = content_hash(text)
    return {**document, "revisions": {**document["revisions"], key: {"game": "evil", "number": 1, "document": text}}}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: next(iter(d["revisions"].values())).update(document=house_rules(9)), "not what its hash names"),
        (lambda d: next(iter(d["revisions"].values())).pop("document"), "publish the same rules here first"),
        (lambda d: d.update(hostile(d, house_rules(1, "evil").replace("suits", "__import__('os')"))), "does not pass here: line"),
        (lambda d: d.update(hostile(d, "slug: evil\n")), "does not pass here: line"),
        (lambda d: d.update(hostile(d, "a: &a [1,1]\n" + "b: *a\n" * 10)), "does not pass here: line"),
    ],
)
def test_rules_that_are_not_in_order_are_refused_with_everything_else(club, owner, change, said):
    document = played_elsewhere(house_rules())
    change(document)

    with pytest.raises(DocumentError) as refused:
        import_document(read(document), club=club, account=owner)

    assert said in refused.value.message.en
    assert not Ruleset.objects.exists()
    assert not Session.objects.exists()


def test_only_who_may_publish_for_the_club_brings_rules_along(club, owner):
    document = played_elsewhere(house_rules())
    referee = UserFactory.create(username="referee")
    grant_role(member=add_member(club=club, name="裁", account=referee), role="referee")

    for account, into in ((referee, club), (owner, None), (None, None)):
        with pytest.raises(DocumentError, match="somebody who may publish the rules of a club"):
            import_document(read(document), club=into, account=account)

    assert not Ruleset.objects.exists()
