"""Opening tables, and what is not an entry about them."""

from __future__ import annotations

import pytest

from scoring_app.ledger import (
    InvalidEntry,
    access_of,
    find_table,
    open_table,
    rename_table,
    table_overview,
)
from scoring_app.models import Participant, Table

pytestmark = pytest.mark.django_db


def test_open_table_seats_the_players_and_adds_house_and_pool(revision):
    table = open_table(revision=revision, names=[" 甲 ", "乙", "丙", "丁", "戊"], title="周三", start={"dealer": 2, "round_wind": "2z"})

    assert [(p.number, p.name, p.kind, p.seat) for p in table.participants.all()] == [
        (0, "甲", "player", 0),
        (1, "乙", "player", 1),
        (2, "丙", "player", 2),
        (3, "丁", "player", 3),
        (4, "house", "house", None),
        (5, "pool", "pool", None),
        (6, "戊", "player", None),
    ]
    overview = table_overview(table)
    assert (overview.situation.dealer, overview.situation.round_wind) == (2, "2z")
    assert overview.entries == ()
    assert overview.series == ((0, dict.fromkeys(range(7), 0)),)


@pytest.mark.parametrize(
    ("names", "path"),
    [
        (["甲", "乙", "丙"], "names"),
        (["甲", "乙", "丙", " 甲"], "names"),
        (["甲", "乙", "", "丁"], "names[2]"),
        (["甲", "乙", "x" * 41, "丁"], "names[2]"),
    ],
)
def test_names_that_do_not_do_are_refused(revision, names, path):
    with pytest.raises(InvalidEntry) as caught:
        open_table(revision=revision, names=names)
    assert caught.value.path == path
    assert Table.objects.count() == 0


def test_start_knows_nothing_but_the_situation(revision):
    with pytest.raises(InvalidEntry, match="dealer, round_wind, state, streak"):
        open_table(revision=revision, names=["甲", "乙", "丙", "丁"], start={"seat": 1})


def test_links_give_what_they_say_and_nothing_else(table):
    assert access_of(table, table.scorer_token) == "scorer"
    assert access_of(table, table.watch_token) == "watch"
    assert access_of(table, "") is None
    assert access_of(table, table.watch_token + "é") is None
    assert table.scorer_token != table.watch_token


def test_a_table_is_found_in_one_query(table, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert find_table(table.public_id).revision.ruleset.slug


def test_names_may_be_put_right(table):
    rename_table(table=table, title="决赛", names={1: "老乙"})

    found = find_table(table.public_id)
    assert (found.title, str(found.participants.get(number=1)), found.changes) == ("决赛", "老乙", 1)
    with pytest.raises(InvalidEntry, match="same name"):
        rename_table(table=table, title="半决赛", names={2: "老丙", 1: "甲"})
    with pytest.raises(Participant.DoesNotExist):
        rename_table(table=table, names={2: "老丙", 4: "屋"})
    assert names_at(table) == ("决赛", ["甲", "老乙", "丙", "丁"])


def test_two_names_are_swapped_at_once(table):
    rename_table(table=table, names={0: "乙", 1: "甲"})

    assert names_at(table) == ("", ["乙", "甲", "丙", "丁"])


def names_at(table):
    found = find_table(table.public_id)
    return found.title, list(found.participants.filter(kind="player").order_by("number").values_list("name", flat=True))
