"""What an entry comes to: the payments and the situation that follow from a payload in a situation.

Rounds and penalties by rule are the rulings of the table's revision; the other kinds need no rules.  Nothing here
reads or writes the database, but for the document of the revision.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from rules_app import rulings
from rules_app.engine.schema import Parties
from rules_app.engine.text import Text
from rules_app.models import Revision
from scoring_app.ledger.errors import InvalidEntry, NotAllowed, UnbalancedRuling
from scoring_app.ledger.hashing import plain
from scoring_app.ledger.payloads import MAX_AMOUNT, is_number
from scoring_app.ledger.values import Json, Line, Situation
from scoring_app.models import Entry, Table

Kind = Entry.Kind
LANGUAGES = ("zh", "en")


@dataclass(frozen=True, slots=True)
class Ground:
    """What a ruling stands on, apart from what was entered."""

    revision: Revision
    options: Json
    seats: int
    """Players at the table when it was opened; participants below this number have start points."""
    start_points: int
    participants: int
    """Numbers below this one exist."""

    @property
    def house(self) -> int:
        return house_number(self.seats)

    @property
    def pool(self) -> int:
        return pool_number(self.seats)

    def start_points_of(self, number: int) -> int:
        return self.start_points if number < self.seats else 0


def house_number(seats: int) -> int:
    """Which participant is the house: the first number after the players that a table is opened with."""
    return seats


def pool_number(seats: int) -> int:
    """Which participant is the pool that some games carry along."""
    return seats + 1


def ground_of(table: Table, *, participants: int, revision: Revision | None = None, options: Json | None = None) -> Ground:
    return Ground(
        revision=revision or table.revision,
        options=table.options if options is None else options,
        seats=table.seats,
        start_points=table.start_points,
        participants=participants,
    )


@dataclass(frozen=True, slots=True)
class Ruling:
    """``before`` is the situation as it was played, manual overrides included."""

    before: Situation
    after: Situation
    lines: tuple[Line, ...] = ()
    summary: Json = field(default_factory=dict)
    ended: bool = True


def rule(*, kind: str, payload: Json, situation: Situation, totals: dict[int, int], ground: Ground) -> Ruling:
    """What a payload of this kind comes to in this situation.

    :raises rules_app.engine.Refusal: the rules refuse the round.
    :raises InvalidEntry: it does not fit the table.
    :raises NotAllowed: the round has not ended, and nobody says that it may be recorded all the same.
    """
    if "round" in payload:
        return _rule_round(kind, payload, situation, ground)
    if "lines" in payload:
        return Ruling(situation, situation, _free_lines(payload, ground))
    if kind == Kind.SET_SCORES:
        return Ruling(situation, _set_by_hand(payload, situation, ground), _lines_to(payload, totals, ground))
    if kind == Kind.POSITION:
        return Ruling(situation, _set_by_hand(payload, situation, ground))
    if kind == Kind.SEAT_CHANGE:
        return Ruling(situation, _set_by_hand(payload, _seated(payload["seats"], situation, ground), ground))
    if kind == Kind.STATUS:
        return Ruling(situation, replace(situation, closed=payload["closed"]))
    return Ruling(situation, situation)


def effective_before(payload: Json, situation: Situation) -> Situation:
    """The situation in which a payload is played: as carried, but for what it overrides, seats that were wrong included."""
    if "round" not in payload:
        return situation
    facts = payload.get("table", {})
    before = situation.overridden(facts)
    return replace(before, seats=tuple(facts["seats"])) if "seats" in facts else before


def request_of(*, revision: Revision, payload: Json, before: Json, options: Json) -> Json:
    """The scoring request of a round; ``before`` as stored with its content."""
    table = Situation.from_json(before).request_table()
    if _parties(revision) is not None:
        # Whoever takes part stands in the events; the game has no seats that its dealer could be.
        table = {"state": table["state"]}
    asked = {"ask": "so_far"} if payload.get("unfinished") else {}
    return {"options": options, "table": table, "round": payload["round"], **asked}


def _parties(revision: Revision) -> Parties | None:
    """How a game names those who pay and are paid, where these are not its seats."""
    return rulings.ruleset_of(revision).document.parties


def summary_of(answer: Json, events: list[Any]) -> Json:
    """What lists and statistics need of a result, free of any language."""
    happened = [event for event in events if isinstance(event, dict) and event.get("type") == "win"]
    wins = []
    for index, win in enumerate(answer.get("wins", [])):
        event = happened[index] if index < len(happened) else {}
        kept = {key: win[key] for key in ("seat", "by", "from", "tile", "patterns", "fan", "points") if key in win}
        wins.append({**{key: event[key] for key in ("seat", "by", "from", "tile") if key in event}, **kept})
    types = [event.get("type") for event in events if isinstance(event, dict)]
    return {"wins": wins, "draw": "draw" in types, "ended": bool(answer.get("ended", True))}


def lines_of(zh: Json, en: Json, situation: Situation, ground: Ground) -> tuple[Line, ...]:
    """The transfers of an answer as lines between participants.

    :raises UnbalancedRuling: they do not add up to its payments, or the payments not to zero.
    """
    lines = []
    net: list[int] = [0] * len(en["payments"])
    parties = _participants(en, situation, ground)
    for chinese, english in zip(zh["transfers"], en["transfers"], strict=True):
        amount, payer, payee = english["amount"], english["from"], english["to"]
        if amount == 0 or payer == payee or english.get("deducted"):
            continue  # what nobody receives is no money: the rules carry it in their state
        if abs(amount) > MAX_AMOUNT:
            message = Text(zh=f"金额过大：一笔最多 {MAX_AMOUNT}。", en=f"The amounts are too large: {MAX_AMOUNT} at most at once.")
            raise InvalidEntry("bad_input", message, "round")
        if amount < 0:
            amount, payer, payee = -amount, payee, payer
        net[payer] -= amount
        net[payee] += amount
        reason = Text(zh=chinese.get("reason") or "", en=english.get("reason") or "")
        lines.append(Line(parties[payer], parties[payee], amount, reason, english.get("rule") or "", english.get("event")))
    if net != list(en["payments"]) or sum(net) != 0:
        raise UnbalancedRuling(f"transfers come to {net}, payments are {en['payments']}")
    return tuple(lines)


def _rule_round(kind: str, payload: Json, situation: Situation, ground: Ground) -> Ruling:
    before = effective_before(payload, situation)
    _seated(list(before.seats), situation, ground)
    _check_dealer(before, "table.dealer")
    if before.dealer is None:
        message = Text(zh="这一局由谁坐庄还没有定，请先选庄家。", en="Nobody deals yet: say which seat is the dealer of this round.")
        raise InvalidEntry("dealer_unknown", message, "table.dealer")
    request = request_of(revision=ground.revision, payload=payload, before=before.as_json(), options=ground.options)
    outcome = rulings.score(ground.revision, request)
    zh, en = (outcome.answer(language) for language in LANGUAGES)
    ended = bool(en.get("ended", True))
    if kind == Kind.ROUND and not ended and not payload.get("unfinished", False):
        raise NotAllowed(
            "round_not_ended",
            Text(
                zh="这一局还没有结束；补上之后的事件，或注明提前结束。",
                en="The round has not ended; add what happened next, or say that it is left unfinished.",
            ),
            "round.events",
        )
    # A penalty in the middle of a round moves the deal only where the rules say that it ends the round.
    follows = (en.get("next") or {}) if kind == Kind.ROUND or ended else {}
    if _parties(ground.revision) is not None:
        follows = {"state": follows.get("state", before.state)}
    after = before.overridden(plain(follows)).overridden(payload.get("next", {}))
    _check_dealer(after, "next.dealer")
    if payload.get("next"):
        _check_known(after, ground)
    events = payload["round"]["events"]
    return Ruling(before, after, lines_of(zh, en, before, ground), plain(summary_of(en, events)), ended)


def _set_by_hand(payload: Json, situation: Situation, ground: Ground) -> Situation:
    """The situation as a payload sets it, once the rules know what it says: no later round could be played otherwise."""
    set_by_hand = payload.get("table", {})
    if not set_by_hand:
        return situation
    after = situation.overridden(set_by_hand)
    _check_dealer(after, "table.dealer")
    _check_known(after, ground)
    return after


def _check_known(situation: Situation, ground: Ground) -> None:
    """:raises rules_app.engine.Refusal: the rules do not know a situation that was set by hand."""
    known = {"state"} if _parties(ground.revision) is not None else {"dealer", "streak", "round_wind", "state"}
    table = {name: value for name, value in situation.request_table().items() if name in known and value is not None}
    rulings.check_table(ground.revision, {"options": ground.options, "table": table})


def _participants(answer: Json, situation: Situation, ground: Ground) -> list[int]:
    """The participant numbers behind the parties of the payments.

    Parties are seats; or, where the game names its parties, players by participant number with the dealer before
    and the pool after them.
    """
    parties = _parties(ground.revision)
    numbers = []
    for index, name in enumerate(map(str, answer["parties"])):
        number: int | None
        if parties is None:
            number = situation.seats[int(name)]
        elif name in parties.first:
            number = situation.seats[situation.dealer or 0]
        elif name in parties.last:
            number = ground.pool
        else:
            number = int(name) if name.isdecimal() else -1
        if number is None:
            message = Text(zh=f"{index + 1} 号座位没有人，无法收付。", en=f"Nobody sits on seat {index + 1}, and an empty seat cannot pay.")
            raise InvalidEntry("empty_seat", message, "round.events")
        if number != ground.pool or not parties or name not in parties.last:
            _check_number(number, ground, "round.events", player=True)
        numbers.append(number)
    return numbers


def _free_lines(payload: Json, ground: Ground) -> tuple[Line, ...]:
    text = payload.get("text", "").strip()[:300]
    lines = []
    for index, line in enumerate(payload["lines"]):
        for side in ("from", "to"):
            _check_number(line[side], ground, f"lines[{index}].{side}")
        lines.append(Line(line["from"], line["to"], line["amount"], Text(zh=text, en=text)))
    return tuple(lines)


def _lines_to(payload: Json, totals: dict[int, int], ground: Ground) -> tuple[Line, ...]:
    """Transfers that bring the totals to given scores (start points included)."""
    wanted = dict(totals)
    for key, shown in payload["totals"].items():
        _check_number(int(key), ground, f"totals.{key}")
        wanted[int(key)] = shown - ground.start_points_of(int(key))
    off = sum(wanted.values())
    if off:
        raise InvalidEntry(
            "unbalanced",
            Text(
                zh=f"各人分数之和{'多' if off > 0 else '少'}了 {abs(off)}，总和应与起始分一致。",
                en=f"The scores add up to {abs(off)} too {'much' if off > 0 else 'little'}; together they must equal the start points.",
            ),
            "totals",
        )
    gaps = {number: wanted[number] - totals.get(number, 0) for number in sorted(wanted)}
    payers = [[number, -gap] for number, gap in gaps.items() if gap < 0]
    payees = [[number, gap] for number, gap in gaps.items() if gap > 0]
    reason = Text(zh="设定分数", en="scores set")
    lines = []
    while payers and payees:
        amount = min(payers[-1][1], payees[-1][1])
        lines.append(Line(payers[-1][0], payees[-1][0], amount, reason))
        for side in (payers, payees):
            side[-1][1] -= amount
            if not side[-1][1]:
                side.pop()
    return tuple(lines)


def _seated(seats: list[int | None], situation: Situation, ground: Ground) -> Situation:
    if len(seats) != len(situation.seats):
        count = len(situation.seats)
        raise InvalidEntry("bad_input", Text(zh=f"这一桌有 {count} 个座位。", en=f"This table has {count} seats."), "seats")
    for index, number in enumerate(seats):
        if number is not None:
            _check_number(number, ground, f"seats[{index}]", player=True)
    return replace(situation, seats=tuple(seats))


def _check_number(number: Any, ground: Ground, path: str, *, player: bool = False) -> None:
    exists = is_number(number) and 0 <= number < ground.participants
    if not exists or (player and number in {ground.house, ground.pool}):
        raise InvalidEntry("bad_input", Text(zh=f"这一桌没有 {number} 号参与者。", en=f"Nobody at this table has number {number}."), path)


def _check_dealer(situation: Situation, path: str) -> None:
    if situation.dealer is not None and situation.dealer >= len(situation.seats):
        count = len(situation.seats)
        message = Text(zh=f"庄家须是 0 到 {count - 1} 之间的座位号。", en=f"The dealer must be a seat from 0 to {count - 1}.")
        raise InvalidEntry("bad_input", message, path)
