"""The expected rule comes first, whatever people type."""

from __future__ import annotations

import pytest

from rules_app.models import Ruleset, SearchDocument
from rules_app.search.building import index_ruleset, rebuild_search
from rules_app.search.finding import Filters, Hit, search
from tests.engine.rulesets import shipped
from tests.factories import publish
from tests.rules_app.library import library
from tests.rules_app.search import queries

__all__ = ["library"]
pytestmark = pytest.mark.django_db


def name_of(hit: Hit) -> str:
    return f"{hit.row.kind}:{hit.row.title_zh if hit.row.kind == 'term' else hit.row.rule}"


def test_there_are_sixty_queries_and_more():
    assert len(queries.ALL) >= 60


@pytest.mark.parametrize(("query", "expected"), queries.ALL.items())
def test_the_expected_rule_comes_first(library: None, query: str, expected: str):
    groups = search(query)

    assert [name_of(group.hits[0]) for group in groups[:1]] == [expected]


@pytest.mark.parametrize(("query", "expected"), queries.WITH_GAME.items())
def test_the_name_of_a_game_narrows_the_search(library: None, query: str, expected: tuple[str, str]):
    groups = search(query)

    assert [(group.slug, name_of(group.hits[0])) for group in groups] == [expected]


def test_results_are_grouped_and_the_nearest_stands_first_in_each(library: None):
    groups = search("碰碰胡")

    assert len(groups) == len({group.slug for group in groups}) > 3
    for group in groups:
        assert [hit.nearness for hit in group.hits] == sorted(hit.nearness for hit in group.hits)
        assert {hit.row.slug for hit in group.hits} == {group.slug}


def test_the_order_is_that_of_the_names(library: None):
    found = [hit.nearness.name for group in search("qingyi") for hit in group.hits]

    assert set(found[:3]) == {"NAME_BEGINS"}


def test_filters_keep_what_they_ask_for(library: None):
    def rows(filters: Filters) -> list[SearchDocument]:
        return [hit.row for group in search("财神", filters) for hit in group.hits]

    assert {row.slug for row in rows(Filters(games=("wenzhou",)))} == {"wenzhou"}
    assert {row.kind for row in rows(Filters(kinds=("pattern", "payment")))} == {"pattern", "payment"}
    assert {row.region_en for row in rows(Filters(regions=("Wenzhou, Zhejiang",)))} == {"Wenzhou, Zhejiang"}
    needing = rows(Filters(needs_wild=True))
    assert {row.kind for row in needing} == {"pattern"}
    assert "wild_home" in {row.rule for row in needing}
    assert "wild_home" not in {row.rule for row in rows(Filters(needs_wild=False))}


@pytest.mark.parametrize("query", ["", "   ", "。，！", "zzzzqqq", "'; DROP TABLE x; --", '"*" OR names:a', "\u0000", "a" * 5000, "𠀀"])
def test_a_strange_query_finds_nothing_and_breaks_nothing(library: None, query: str):
    assert isinstance(search(query), list)


def test_three_queries_whatever_is_found(library: None, django_assert_max_num_queries):
    for query in ("清一色", "四川 清一色", "杠上开花怎么算"):
        with django_assert_max_num_queries(5):
            search(query)


def test_publishing_indexes_and_indexing_again_replaces():
    stored = Ruleset.objects.create(slug="copy", name_zh="四川麻将", name_en="Sichuan mahjong")
    first = index_ruleset(stored, shipped("sichuan"))

    second = index_ruleset(stored, shipped("sichuan"))

    assert first == second == SearchDocument.objects.filter(slug="copy").count()
    assert "copy" in [group.slug for group in search("呼叫转移")]


def test_rebuilding_makes_what_is_missing_and_drops_what_is_unpublished(pocket: str):
    publish("pocket", pocket)
    empty = Ruleset.objects.create(slug="empty", name_zh="空", name_en="empty")
    index_ruleset(empty, shipped("sichuan"))

    assert rebuild_search(missing_only=True) == 1
    assert rebuild_search(missing_only=True) == 0
    assert rebuild_search() == 1
    assert set(SearchDocument.objects.filter(slug="pocket").values_list("kind", flat=True)) >= {"game", "pattern", "payment"}


def test_a_house_rule_stands_behind_the_shipped_game(library: None):
    fork = Ruleset.objects.create(slug="house", name_zh="四川麻将", name_en="Sichuan mahjong")
    index_ruleset(fork, shipped("sichuan"))

    groups = [group.slug for group in search("呼叫转移")]

    assert groups == ["sichuan", "house"]
