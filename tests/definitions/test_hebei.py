"""Hebei: shapes that may not win are no waits, and what quick entry refuses."""

from __future__ import annotations

from typing import Any

import pytest

from rules_app.engine import Refusal
from tests.engine.rulesets import shipped


def score(*events: dict[str, Any], **options: Any) -> dict[str, Any]:
    answer: dict[str, Any] = shipped("hebei").score({"options": options, "round": {"events": list(events)}}).answer("en")
    return answer


def test_seven_pairs_that_may_not_win_are_no_wait() -> None:
    draw = {"type": "draw", "hands": [{"seat": 1, "hand": "1133m4477p6699s2z"}]}

    assert score(draw)["waits"] == "2z"
    assert score(draw, seven_pairs=False)["waits"] == ""


@pytest.mark.parametrize(
    ("declared", "flags"),
    [
        (["thirteen_orphans", "pure_suit"], []),
        (["seven_pairs", "all_triplets"], []),
        (["all_triplets", "pure_straight"], []),
        (["seven_pairs"], ["after_kong"]),
        (["concealed_hand"], []),
    ],
)
def test_quick_entry_refuses_what_cannot_stand(declared: list[str], flags: list[str]) -> None:
    event = {"type": "win", "seat": 1, "by": "self_draw", "declared": declared, "flags": flags}

    with pytest.raises(Refusal) as refused:
        score(event)

    assert refused.value.code == "bad_input"


def test_the_feeder_of_a_kong_is_named_where_he_pays() -> None:
    kong = {"type": "kong", "seat": 0, "kind": "exposed", "tile": "1m"}

    with pytest.raises(Refusal) as refused:
        score(kong, {"type": "draw"}, kong_giver_pays=True)

    assert refused.value.code == "bad_input"
