"""A stand-in for the engine."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from rules_app.engine.errors import Refusal
from rules_app.engine.text import Text


class FakeRuleset:
    document = SimpleNamespace(seats=4, parties=None)

    def score(self, request: dict[str, Any]) -> FakeOutcome:
        return FakeOutcome(request)

    def __hash__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FakeRuleset)


class FakeOutcome:
    def __init__(self, request: dict[str, Any]) -> None:
        self.transfers: list[dict[str, Any]] = []
        self.wins: list[dict[str, Any]] = []
        self.table = request["table"]
        self.next = dict(self.table)
        self.ended = False
        for index, event in enumerate(request["round"]["events"]):
            self.take(index, event)
        self.next["streak"] = self.table["streak"] + 1 if self.next["dealer"] == self.table["dealer"] else 0

    def take(self, index: int, event: dict[str, Any]) -> None:
        if self.ended:
            raise Refusal("not_allowed", Text("局已结束", "the round has ended"), f"round.events[{index}]")
        seat = event["seat"]
        if event["type"] == "kong":
            self.pay(index, seat, [other for other in range(4) if other != seat], 2)
        elif event["type"] == "win" and event["by"] == "discard":
            self.pay(index, seat, [event["from"]], 1)
            self.next["dealer"], self.ended = event["from"], True
        elif event["type"] == "win":
            self.pay(index, seat, [other for other in range(4) if other != seat], 2)
            self.next["dealer"], self.ended = seat, True
        else:
            raise Refusal("bad_input", Text("?", "?"), f"round.events[{index}].type")
        if event["type"] == "win":
            self.wins.append({"seat": seat, "patterns": ["plain"], "by": event["by"]})

    def pay(self, index: int, to: int, payers: list[int], amount: int) -> None:
        for payer in payers:
            self.transfers.append({"from": payer, "to": to, "amount": amount, "event": index, "rule": "r", "reason": "因"})

    def answer(self, language: str) -> dict[str, Any]:
        payments = [0, 0, 0, 0]
        for transfer in self.transfers:
            payments[transfer["from"]] -= transfer["amount"]
            payments[transfer["to"]] += transfer["amount"]
        return {"payments": payments, "wins": self.wins, "transfers": self.transfers, "next": self.next, "ended": self.ended}
