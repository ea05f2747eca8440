"""The running score as lines: everything within the picture, whatever the amounts."""

from __future__ import annotations

import itertools

import pytest

from scoring_app.chart import draw_chart

NAMES = {0: "甲", 1: "Bartholomew the Considerably Long-Winded"}


@pytest.mark.parametrize("unit", [1, 7, 1300, 250_000])
def test_every_line_lies_within_its_scale(unit):
    series = [(0, {0: 0, 1: 0}), (1, {0: 3 * unit, 1: -3 * unit}), (2, {0: -40 * unit, 1: 40 * unit}), (3, {0: -unit, 1: unit})]
    chart = draw_chart(series, NAMES)

    assert chart is not None
    points = [tuple(map(float, point.split(","))) for curve in chart.curves for point in curve.points.split()]
    assert all(chart.left <= x <= chart.right and chart.marks[-1].y <= y <= chart.marks[0].y for x, y in points)
    assert [curve.name for curve in chart.curves] == list(NAMES.values())
    assert {mark.value for mark in chart.marks if mark.is_zero} == {0}
    assert chart.marks[0].value <= -40 * unit < 40 * unit <= chart.marks[-1].value
    # The scale has room for its longest number, seven units a figure.
    assert chart.left >= 7 * max(len(f"{mark.value:+}") for mark in chart.marks)
    assert chart.steps[2] == ("2", [-40 * unit, 40 * unit])


@pytest.mark.parametrize("rounds", [1, 2, 3, 7, 11, 16, 250])
def test_the_first_and_the_last_round_are_named_and_few_between(rounds):
    chart = draw_chart([(number, {0: number}) for number in range(rounds + 1)], {0: "甲"})

    assert chart is not None
    words = [int(tick.words) for tick in chart.ticks]
    assert (words[0], words[-1]) == (0, rounds)
    assert words == sorted(set(words))
    assert len(words) <= 5


def test_points_may_have_names_of_their_own():
    chart = draw_chart([(0, {0: 0}), (1, {0: 5}), (2, {0: 2})], {0: "甲"}, words=["", "03-06", "03-13"])

    assert chart is not None
    assert [tick.words for tick in chart.ticks] == ["", "03-06", "03-13"]
    assert chart.steps[1:] == [("03-06", [5]), ("03-13", [2])]


def test_names_beside_the_lines_do_not_cover_one_another():
    names = {number: f"name {number}" for number in range(8)}
    chart = draw_chart([(0, {}), (1, dict.fromkeys(names, 3))], names, names_beside=True)

    assert chart is not None
    heights = sorted(curve.label_y for curve in chart.curves)
    assert all(lower - upper >= 15 for upper, lower in itertools.pairwise(heights))
    assert heights[-1] <= chart.height


def test_nothing_moved_is_no_picture():
    assert draw_chart([(0, {0: 0})], {0: "甲"}) is None
    assert draw_chart([(0, {0: 0}), (1, {0: 0})], {0: "甲"}) is not None
