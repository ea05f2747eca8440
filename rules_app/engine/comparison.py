"""Games that compare small hands: every side's hand meets one hand, and the stakes follow the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .errors import Refusal
from .reading import ScoredEnv
from .round import Event
from .scoring import best_of
from .text import Text
from .tilecheck import check_kinds

if TYPE_CHECKING:
    from .compiled import CompiledComparison
    from .settlement import Outcome, Settlement


@dataclass(slots=True)
class ComparedSide:
    """A side's hand, whether it beats the hand it meets, and the odds of the result."""

    side: int
    scored: ScoredEnv
    wins: bool
    odds: int
    winner: ScoredEnv


def compare(settlement: Settlement) -> Outcome:
    """Settle a round of a comparing game.

    :raises Refusal: ``bad_input`` without the event, ``not_allowed`` for a second one, ``bad_tiles`` for the tiles.
    """
    ruleset = settlement.ruleset
    comparison = ruleset.comparison
    assert comparison is not None
    shows = [event for event in settlement.events if event.type == comparison.rule.event]
    if not shows:
        name = ruleset.document.events.own[comparison.rule.event].name
        raise Refusal("bad_input", Text(f"这一局缺少{name.zh}", f"the round has no {name.en}"), "round.events")
    if len(settlement.events) > 1:
        say = ruleset.document.course.after_over
        raise Refusal("not_allowed", Text(say.zh, say.en), "round.events[1]")
    event = shows[0]
    _check_tiles(settlement, comparison, event)
    env = settlement.env
    made = ruleset.event_class(env, event, event.index)
    _set_parties(settlement, made)
    settlement.check_event(event, made, ("not_allowed",))
    hands = [event.fields[comparison.rule.against], *event.fields[comparison.rule.sides]]
    scored = [_score(settlement, event, tiles) for tiles in hands]
    ranks = [tuple(part.function(one) for part in comparison.order) for one in scored]
    for side in range(1, len(hands)):
        wins = ranks[side] > ranks[0]
        winner = scored[side] if wins else scored[0]
        odds = comparison.odds.function(winner, side if wins else 0)
        env.sides[side] = ComparedSide(side, scored[side], wins, odds, winner)
    settlement.pay(settlement.rules_for(event), made, event)
    outcome = settlement.outcome()
    outcome.wins = list(env.sides.values())
    return outcome


def check_form(settlement: Settlement) -> None:
    """Check that one hand is given as text and the sides as a list of texts.

    :raises Refusal: ``bad_input``
    """
    comparison = settlement.ruleset.comparison
    if comparison is None:
        return
    rule = comparison.rule
    specs = settlement.ruleset.document.events.own[rule.event].fields
    for event in settlement.events:
        if event.type != rule.event:
            continue
        for name, form in ((rule.against, tuple), (rule.sides, list)):
            if not isinstance(event.fields[name], form):
                words = specs[name].name
                zh, en = ("一段文字，如 28p", "one text, such as 28p") if form is tuple else ("牌的列表", "a list of tile texts")
                raise Refusal("bad_input", Text(f"{words.zh}应为{zh}", f"{words.en} must be {en}"), f"round.events[{event.index}].{name}")


def _check_tiles(settlement: Settlement, comparison: CompiledComparison, event: Event) -> None:
    rule = comparison.rule
    path = f"round.events[{event.index}]"
    sides = event.fields[rule.sides]
    if len(sides) != rule.count:
        raise Refusal("bad_tiles", Text(f"应有 {rule.count} 手牌", f"{rule.count} hands are wanted"), f"{path}.{rule.sides}")
    every: list[int] = []
    for place, tiles in enumerate([event.fields[rule.against], *sides]):
        where = f"{path}.{rule.against}" if place == 0 else f"{path}.{rule.sides}[{place - 1}]"
        if len(tiles) != rule.size:
            raise Refusal("bad_tiles", Text(f"每手 {rule.size} 张牌", f"a hand has {rule.size} tiles"), where)
        check_kinds(settlement.env, tiles, where)
        every += tiles
    check_kinds(settlement.env, every, path)


def _set_parties(settlement: Settlement, made: Any) -> None:
    ruleset, env = settlement.ruleset, settlement.env
    parties = ruleset.document.parties
    if parties is None or ruleset.players is None:
        env.parties = [str(seat) for seat in ruleset.seats]
        return
    players = list(ruleset.players.function(made))
    env.parties = [*parties.first, *players, *parties.last]
    names = [*parties.first, *parties.last]
    first = len(parties.first)
    env.party = {name: place if place < first else place + len(players) for place, name in enumerate(names)}


def _score(settlement: Settlement, event: Event, tiles: Sequence[int]) -> ScoredEnv:
    ruleset, env = settlement.ruleset, settlement.env
    hand = ruleset.hand_class(
        env, event, event.index, seat=env.dealer, by="self_draw", concealed=tiles, tile=None, melds=(), flowers=(),
        flags=frozenset(),
    )  # fmt: skip
    return best_of(hand, f"round.events[{event.index}]")
