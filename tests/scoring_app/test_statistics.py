"""Standings, matrices, series, frequencies: what counts for whom (G12, G18, G23)."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from rules_app.models import Ruleset
from scoring_app.clubs import add_member, create_club, link_player, merge_members, open_season, unmerge_member
from scoring_app.ledger import close_table, record_penalty, record_round, record_transfer, set_scores, void_entry
from scoring_app.models import Table
from scoring_app.sessions import add_player, charge_fees, open_session, open_session_table, record_settlement, substitute
from scoring_app.statistics import Statistics, club_statistics, player_page, season_statistics, session_statistics, table_statistics
from tests.factories import UserFactory, publish
from tests.scoring_app.evenings import people, place, table_of
from tests.scoring_app.rounds import discard_win, payload, self_draw

pytestmark = pytest.mark.django_db

HANDS = ["11335579m13579p", "11335579p13579s", "11335579s13579m", "12345679m13579p"]
DRAW = {"type": "draw", "hands": [{"seat": seat, "hand": hand} for seat, hand in enumerate(HANDS)]}


@pytest.fixture
def club(db):
    return create_club(name="周五会", owner=UserFactory.create(username="owner"))


@pytest.fixture
def season(club):
    return open_season(club=club, name="春", starts=datetime.date(2026, 1, 1))


@pytest.fixture
def session(revision, club, season):
    return open_session(club=club, season=season, revision=revision, options={"mode": "single"}, date=datetime.date(2026, 3, 6))


def line(statistics, name):
    return next(found for found in statistics.standings if found.person.name == name)


def test_what_somebody_did(session):
    table = table_of(session, "甲乙丙丁")
    record_round(**place(table, payload=payload(discard_win(0, payer=1))))
    record_round(**place(table, payload=payload(self_draw(0))))
    record_round(**place(table, payload=payload(DRAW)))

    statistics = session_statistics(session)

    first, second = line(statistics, "甲"), line(statistics, "乙")
    assert statistics.standings[0].person.name == "甲"
    assert (first.rounds, first.wins, first.self_draws, first.deal_ins, first.draws) == (3, 2, 1, 0, 1)
    assert (second.wins, second.deal_ins, second.points) == (0, 1, second.balance)
    assert first.biggest.points == max(first.points - 1, 1)
    assert first.biggest.patterns == ("plain", "self_draw")
    assert first.average == first.points / 3
    assert first.positions == {1: 1}
    assert line(statistics, "丙").positions == line(statistics, "丁").positions == {2: 1}
    assert second.positions == {4: 1}
    assert statistics.rounds == 3
    assert sum(statistics.balances.values()) == 0


def test_a_substitute_gets_what_he_played_and_no_more(session):
    # G18
    table = table_of(session, "甲乙丙丁")
    fifth = people(session, "戊")[0]
    record_round(**place(table, payload=payload(discard_win(0, payer=1))))
    substitute(seat=0, player=fifth, **place(table))
    record_round(**place(table, payload=payload(discard_win(0, payer=1))))
    record_round(**place(table, payload=payload(discard_win(0, payer=2))))

    statistics = session_statistics(session)

    assert (line(statistics, "甲").points, line(statistics, "甲").rounds, line(statistics, "甲").wins) == (1, 1, 1)
    assert (line(statistics, "戊").points, line(statistics, "戊").rounds, line(statistics, "戊").wins) == (2, 2, 2)
    assert line(statistics, "乙").rounds == 3


def test_a_season_of_two_evenings_as_counted_by_hand(club, season, revision):
    """G18: every figure of the standings, worked out on paper; a substitute plays the third and the fourth round."""
    members = {name: add_member(club=club, name=name) for name in "甲乙丙丁戊己庚"}
    first = open_session(club=club, season=season, revision=revision, options={"mode": "single"}, date=datetime.date(2026, 3, 6))
    at_first = {name: add_player(session=first, name=name, member=members[name]) for name in "甲乙丙丁戊"}
    table = open_session_table(session=first, players=[at_first[name] for name in "甲乙丙丁"])

    def win(seat: int, payer: int | None, pattern: str) -> None:
        how: dict[str, Any] = {"by": "self_draw"} if payer is None else {"by": "discard", "from": payer}
        record_round(**place(table, payload=payload({"type": "win", "seat": seat, "declared": [pattern], **how})))

    win(0, 1, "plain")  # 甲 +1, 乙 −1
    win(2, None, "plain")  # 丙 +6, the others −2 each
    substitute(seat=1, player=at_first["戊"], **place(table))
    win(3, 1, "pure_suit")  # 丁 +4, 戊 −4
    win(1, None, "pure_suit")  # 戊 +24, the others −8 each
    substitute(seat=1, player=at_first["乙"], **place(table))
    win(1, 0, "plain")  # 乙 +1, 甲 −1
    record_round(**place(table, payload=payload(DRAW)))
    record_penalty(payload={"lines": [{"from": 2, "to": 3, "amount": 3}], "text": "迟到"}, **place(table))
    charge_fees(session=first, amount=2)

    def figures(statistics: Statistics) -> dict[str, tuple[object, ...]]:
        return {
            one.person.name: (one.points, one.rounds, one.wins, one.self_draws, one.deal_ins, one.biggest and one.biggest.points)
            for one in statistics.standings
        }

    evening = session_statistics(first)
    assert figures(evening) == {
        "戊": (20, 2, 1, 1, 1, 24),
        "乙": (-2, 4, 1, 0, 1, 1),
        "丁": (-3, 6, 1, 0, 0, 4),
        "丙": (-5, 6, 1, 1, 0, 6),
        "甲": (-10, 6, 1, 0, 1, 1),
    }
    assert [one.person.name for one in evening.standings] == list("戊乙丁丙甲")
    assert [one.positions for one in evening.standings] == [{1: 1}, {2: 1}, {3: 1}, {4: 1}, {5: 1}]
    assert [one.average for one in evening.standings] == [10, -0.5, -0.5, -5 / 6, -10 / 6]
    assert [one.draws for one in evening.standings] == [0, 1, 1, 1, 1]
    assert {(row.id, row.count, row.share) for row in evening.patterns} == {
        ("plain", 3, 0.6),
        ("pure_suit", 2, 0.4),
        ("self_draw", 2, 0.4),
    }

    other_game = publish("other", revision.document.replace("slug: sichuan", "slug: other", 1))
    second = open_session(club=club, season=season, revision=other_game, options={"mode": "single"}, date=datetime.date(2026, 3, 13))
    at_second = [add_player(session=second, name=name, member=members[name]) for name in "甲戊己庚"]
    table = open_session_table(session=second, players=at_second)
    win(0, None, "plain")  # 甲 +6, the others −2 each

    whole = season_statistics(season)
    assert {name: row[:2] for name, row in figures(whole).items()} == {
        "戊": (18, 3),
        "乙": (-2, 4),
        "己": (-2, 1),
        "庚": (-2, 1),
        "丁": (-3, 6),
        "甲": (-4, 7),
        "丙": (-5, 6),
    }
    assert (line(whole, "甲").positions, line(whole, "甲").average_position) == ({5: 1, 1: 1}, 3)
    assert line(whole, "甲").biggest.points == 6
    assert [point.totals[line(whole, "戊").person.key] for point in whole.series.points] == [20, 18]
    assert figures(season_statistics(season, revision.ruleset)) == figures(evening)
    assert {name: row[0] for name, row in figures(season_statistics(season, other_game.ruleset)).items()} == {
        "甲": 6,
        "戊": -2,
        "己": -2,
        "庚": -2,
    }


def test_fees_settlements_and_set_scores_are_no_play(session):
    # G23
    table = table_of(session, "甲乙丙丁")
    record_round(**place(table, payload=payload(discard_win(0, payer=1))))
    record_transfer(lines=[{"from": 2, "to": 3, "amount": 5}], **place(table))
    charge_fees(session=session, amount=2)
    set_scores(totals={2: 10, 3: -14}, **place(table))
    before = session_statistics(session)
    people_of = {found.person.name: found.person for found in before.standings}
    record_settlement(session=session, payer=people_of["乙"], payee=people_of["丙"], amount=1, idempotency_key="s")

    statistics = session_statistics(session)

    first, third = line(statistics, "甲"), line(statistics, "丙")
    assert (first.points, first.fees, first.settled, first.adjusted, first.balance) == (1, -2, 0, 0, -1)
    assert (third.points, third.fees, third.settled, third.adjusted, third.balance) == (-5, -2, -1, 17, 9)
    assert {person.kind: total for person, total in statistics.balances.items() if not person.is_player} == {"house": 8}
    assert sum(statistics.balances.values()) == 0
    assert [found.points for found in before.standings] == [found.points for found in statistics.standings]


def test_penalties_count_and_what_is_void_does_not(session):
    # G12
    table = table_of(session, "甲乙丙丁")
    record_penalty(payload={"lines": [{"from": 0, "to": 1, "amount": 3}], "text": "迟到"}, **place(table))
    record_round(**place(table, payload=payload(discard_win(0, payer=1))))
    void_entry(seq=2, **place(table))

    statistics = session_statistics(session)

    assert (line(statistics, "乙").points, line(statistics, "乙").deal_ins, statistics.rounds) == (3, 0, 0)


def test_tables_of_a_session_are_counted_together(session):
    four = people(session, "甲乙丙丁")
    one = open_session_table(session=session, players=four)
    record_round(**place(one, payload=payload(discard_win(0, payer=1))))
    close_table(**place(one))
    other = open_session_table(session=session, players=[four[1], four[0], four[2], four[3]])
    record_round(**place(other, payload=payload(discard_win(1, payer=0))))

    first = line(session_statistics(session), "甲")
    assert (first.points, first.wins, first.tables, first.positions) == (2, 2, 2, {1: 2})
    assert line(table_statistics(one), "甲").points == 1


def test_who_pays_whom_and_how_it_went(session):
    table = table_of(session, "甲乙丙丁")
    record_round(**place(table, payload=payload(discard_win(0, payer=1))))
    record_round(**place(table, payload=payload(discard_win(0, payer=2))))

    statistics = session_statistics(session)

    names = [person.name for person in statistics.matrix.people]
    amounts = statistics.matrix.amounts
    assert amounts[names.index("乙")][names.index("甲")] == 1
    assert amounts[names.index("甲")][names.index("丙")] == -1
    assert all(amounts[i][j] == -amounts[j][i] for i in range(len(names)) for j in range(len(names)))
    first = line(statistics, "甲").person
    assert [point.totals[first.key] for point in statistics.series.points] == [1, 2]
    assert [(row.id, row.count, row.share) for row in statistics.patterns] == [("plain", 2, 1.0)]
    assert statistics.patterns[0].name.zh


def test_a_guest_becomes_a_member_and_a_merge_can_be_taken_back(session, club):
    table = table_of(session, "甲乙丙丁")
    record_round(**place(table, payload=payload(discard_win(0, payer=1))))
    player = session.players.get(name="甲")
    guest, member = add_member(club=club, name="甲"), add_member(club=club, name="王甲")

    link_player(player=player, member=guest)
    assert line(club_statistics(club), "甲").person.key == f"member-{guest.pk}"
    merge_members(keep=member, gone=guest)
    assert line(club_statistics(club), "王甲").points == 1
    page = player_page(member)
    assert page.line is not None
    assert (page.line.points, [evening.points for evening in page.sessions], page.opponents[0][1]) == (1, [1], 1)
    assert page.series.points[-1].totals == {f"member-{member.pk}": 1}
    assert [slug for slug, _, _ in page.by_ruleset] == ["sichuan"]

    unmerge_member(member=guest)
    assert line(club_statistics(club), "甲").points == 1
    assert player_page(member).line is None


def test_a_season_by_ruleset_and_evening(session, season, revision):
    table = table_of(session, "甲乙丙丁")
    for _ in range(3):
        record_round(**place(table, payload=payload(discard_win(0, payer=1))))

    statistics = season_statistics(season)
    assert len(statistics.series.points) == 1
    assert statistics.days == (datetime.date(2026, 3, 6),)
    assert season_statistics(season, revision.ruleset).rounds == 3
    other = Ruleset.objects.create(slug="other", name_zh="别的", name_en="other")
    assert season_statistics(season, other).rounds == 0


@pytest.mark.parametrize("rounds", [1, 20])
def test_statistics_take_a_fixed_number_of_queries(session, club, season, rounds, django_assert_num_queries):
    table = table_of(session, "甲乙丙丁")
    for number in range(rounds):
        record_round(**place(table, payload=payload(discard_win(number % 4, payer=(number + 1) % 4))))
    member = add_member(club=club, name="王")
    link_player(player=session.players.get(name="甲"), member=member)

    with django_assert_num_queries(6):
        season_statistics(season)
    with django_assert_num_queries(7):
        player_page(member)


def test_a_table_of_no_session_was_played_on_the_day_of_the_clock_on_the_wall(table):
    Table.objects.filter(pk=table.pk).update(created_at=datetime.datetime(2026, 3, 6, 23, 30, tzinfo=datetime.UTC))  # 7:30 in Shanghai
    record_round(**place(table, payload=payload(self_draw(0))))

    assert table_statistics(table).days == (datetime.date(2026, 3, 7),)
