"""Rounds that could have been played: the examples of a game's own document, dealt to other seats and suits.

Nothing here knows a game. What the engine refuses where the table stands is thrown away and another is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from rules_app.engine import Ruleset
from rules_app.engine.errors import Refusal
from rules_app.engine.examples import request_of_hand
from rules_app.engine.schema import HandExample
from scoring_app.ledger import Situation

SUITS = "mps"
TRIES = 60
MOST_WINS = 4
DRAWN_ONE_IN = 12

Json = dict[str, Any]


class Dealer:
    """Makes rounds of one game with its options."""

    def __init__(self, ruleset: Ruleset, options: Json, random: Random) -> None:
        self.ruleset = ruleset
        self.options = options
        self.random = random
        self.seats = list(ruleset.seats)
        self.hands = [example for example in self._examples() if not example.options and not example.event]
        self.weights = [self._weight(example) for example in self.hands]
        self.rounds = [
            dict(example.round) for example in ruleset.document.examples if not example.options and "error" not in example.expect
        ]

    def deal(self, situation: Situation) -> Json:
        """The payload of a round that the rules take where a table stands.

        :raises RuntimeError: none of many tries was taken.
        """
        table: Json = {} if situation.dealer is not None else {"dealer": self.random.choice(self.seats)}
        carried = {**situation.request_table(), **table}
        for _ in range(TRIES):
            round_ = self._round()
            if round_ is not None and self._ends(round_, carried):
                return {"round": round_, **({"table": table} if table else {})}
        raise RuntimeError(f"no round of {self.ruleset.document.slug} fits the table after {TRIES} tries")

    def _examples(self) -> Iterator[HandExample]:
        for pattern in self.ruleset.document.patterns.values():
            yield from pattern.examples

    def _weight(self, example: HandExample) -> float:
        """Cheap hands are common, dear ones rare."""
        try:
            payments = self.ruleset.score({**request_of_hand(self.ruleset, example), "options": self.options}).answer("zh")["payments"]
        except (Refusal, ValueError):
            return 0.02
        most: float = max(map(abs, payments)) or 1
        return 1 / most

    def _round(self) -> Json | None:
        if not self.hands:
            return self.random.choice(self.rounds) if self.rounds else None
        if self.random.randrange(DRAWN_ONE_IN) == 0 and self.ruleset.document.events.draw is not None:
            return {"events": [{"type": "draw"}]}
        example = self._reseated(self.random.choices(self.hands, self.weights)[0])
        try:
            round_: Json = request_of_hand(self.ruleset, example)["round"]
        except ValueError:
            return None
        return round_ if example.wild or self.random.random() < 0.3 else self._resuited(round_)

    def _reseated(self, example: HandExample, *, apart_from: frozenset[int] = frozenset()) -> HandExample:
        """The same hand for another seat; what happened before it names seats, so that one stays where it is."""
        if example.before or example.table or example.inputs:
            return example
        seat = self.random.choice([seat for seat in self.seats if seat not in apart_from])
        giver = self.random.choice([other for other in self.seats if other != seat and other not in apart_from])
        by = "self_draw" if example.by == "discard" and self.random.random() < 0.3 else example.by
        return example.model_copy(update={"seat": seat, "giver": None if by == "self_draw" else giver, "by": by})

    def _resuited(self, round_: Json) -> Json:
        """The same round with the suits exchanged; a game without some of them refuses it, and the next try is made."""
        suits = list(SUITS)
        self.random.shuffle(suits)
        exchange = str.maketrans(dict(zip(SUITS, suits, strict=True)))

        def exchanged(event: Json) -> Json:
            tiles = {name: value.translate(exchange) for name, value in event.items() if name in {"hand", "tile", "tiles"}}
            melds = [{**meld, "tiles": meld["tiles"].translate(exchange)} for meld in event.get("melds", [])]
            return {**event, **tiles, **({"melds": melds} if melds else {})}

        return {**round_, "events": [exchanged(event) for event in round_["events"]]}

    def _ends(self, round_: Json, table: Json) -> bool:
        """Whether the rules take the round and see it as over; where play goes on after a win, more is played."""
        for _ in range(MOST_WINS):
            try:
                answer = self.ruleset.score({"options": self.options, "table": table, "round": round_}).answer("zh", explain=False)
            except Refusal:
                return False
            if answer["ended"]:
                return True
            round_["events"].append({"type": "draw"})
        return False
