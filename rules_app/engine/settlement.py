"""A whole round: checks in order, wins scored, payments made, the next round found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .environment import EventEnv, RoundEnv
from .errors import Refusal
from .expressions import EvaluationFault
from .fields import bad_input
from .hand import HandEnv
from .parsing import parse_round
from .reading import ScoredEnv
from .round import LARGEST, Event, Round
from .scoring import score_dealt, score_win
from .text import Text
from .tilecheck import check_claims, check_tiles, entered_melds
from .tiles import tile_text

if TYPE_CHECKING:
    from .compiled import CompiledCheck, CompiledPayment
    from .ruleset import Ruleset


EVENT_PATH = re.compile(r"round\.events\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Transfer:
    """An amount that moves from one party to another because of an event, and the rule that says so.

    ``about`` is the index of the event whose income this moves on; ``deduct`` marks what nobody receives.
    """

    payer: int
    payee: int
    amount: int
    event: int
    rule: str
    about: int | None = None
    deduct: bool = False


@dataclass(slots=True)
class Win:
    """A winning event and how it was scored."""

    event: Event
    scored: ScoredEnv


@dataclass(slots=True)
class Outcome:
    """What a round comes to. ``answer`` gives it as JSON-able data."""

    ruleset: Ruleset
    env: RoundEnv
    parties: tuple[str, ...] = ()
    payments: list[int] = field(default_factory=list)
    wins: list[Any] = field(default_factory=list)
    transfers: list[Transfer] = field(default_factory=list)
    next: dict[str, Any] | None = None
    ended: bool = False
    waits: list[list[int]] | None = None
    asked: bool = False

    def answer(self, language: str = "zh", *, explain: bool = True) -> dict[str, Any]:
        """The answer of the scorer contract; with ``explain`` readings, values, arithmetic and transfers too."""
        from .explanation import answer_of  # noqa: PLC0415 - slow import, not needed to score

        return answer_of(self, language, explain=explain)


def score_round(ruleset: Ruleset, request: Mapping[str, Any]) -> Outcome:
    """Score a round given in the form of the scorer contract.

    :raises Refusal: where the round cannot be accepted; nothing is then paid.
    """
    try:
        return Settlement(ruleset, parse_round(ruleset, request)).run()
    except EvaluationFault as fault:
        raise Refusal("bad_input", fault.message, "round") from fault
    except Refusal as refusal:
        place = EVENT_PATH.match(refusal.path)
        if ruleset.document.course.refuse_in_turn and place and request.get("ask") is None:
            body = request["round"]
            score_round(ruleset, {**request, "round": {**body, "events": body["events"][: int(place[1])]}})
        raise


class Settlement:
    """One round on its way from what was entered to what is paid."""

    def __init__(self, ruleset: Ruleset, round_: Round) -> None:
        self.ruleset = ruleset
        self.round = round_
        self.events = round_.events
        self.set_wild()
        self.env = ruleset.round_class(ruleset, round_)
        self.fill_state()
        self.scored: dict[int, ScoredEnv] = self.env.scored
        self.made: list[EventEnv] = []
        """The environments of the events, kept where none of them can become void."""

    def run(self) -> Outcome:
        if self.round.ask == "waits":
            return self.waits()
        ruleset = self.ruleset
        if ruleset.comparison is not None:
            self.check_compared()
        self.check_inputs()
        self.group_wins()
        self.checked("round", self.env, "round", early=True)
        envs = [self.environment(event) for event in self.events]
        if not ruleset.course.prevail:
            self.made = envs
        for event, env in zip(self.events, envs, strict=True):
            self.check_flags(event, env, "bad_input")
            self.check_event(event, env, ("bad_input",))
        check_tiles(self.env, self.events)
        for event, env in zip(self.events, envs, strict=True):
            self.check_event(event, env, ("bad_tiles",))
        self.checked("round", self.env, "round", early=False)
        for seat, melds, path in entered_melds(self.env):
            check_claims(self.env, seat, melds, path)
        if ruleset.comparison is not None:
            return self.compared()
        try:
            for happening in self.happenings():
                self.settle(happening)
        except Refusal as refusal:
            if not ruleset.document.course.refuse_in_turn and refusal.code in ("not_a_win", "below_minimum"):
                self.forbid_later(refusal)
            raise
        return self.outcome()

    # what is entered

    def set_wild(self) -> None:
        """Find the wild kinds: as entered, or from the tile turned up; both must agree."""
        ruleset, round_ = self.ruleset, self.round
        wild = ruleset.document.wild
        if wild is None:
            return
        if wild.turned is not None:
            turned = round_.inputs.get(wild.turned.input)
            if turned is not None:
                kind = ruleset.turned.get(turned)
                if kind is None:
                    raise bad_input("这张牌翻不出百搭", "no wild kind follows from this tile", "round.inputs")
                if round_.wild and round_.wild != (kind,):
                    raise bad_input(f"翻出的牌定的是 {tile_text(kind)}", f"the tile turned up makes {tile_text(kind)} wild", "round.wild")
                round_.wild = (kind,)
        if len(round_.wild) not in wild.counts:
            numbers = [str(number) for number in wild.counts]
            kinds = "kind" if numbers == ["1"] else "kinds"
            zh = f"{wild.name.zh}应填 {'、'.join(numbers)} 种牌"
            raise bad_input(zh, f"{wild.name.en}: name {' or '.join(numbers)} {kinds}", "round.wild")
        for kind in round_.wild:
            if not ruleset.copies[kind]:
                raise bad_input("百搭不在这副牌里", "a wild kind is not in the set", "round.wild")

    def fill_state(self) -> None:
        state = self.env.state
        for name, initial in self.ruleset.state_initial.items():
            if name not in state:
                state[name] = initial.function(self.env)

    def check_inputs(self) -> None:
        for name, most in self.ruleset.input_max.items():
            value = self.env.inputs.get(name)
            limit = most.function(self.env)
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, int) and item > limit:
                    words = self.ruleset.document.inputs[name].name
                    raise bad_input(f"{words.zh}不能大于 {limit}", f"{words.en} must not be above {limit}", f"round.inputs.{name}")
        for name, spec in self.ruleset.document.inputs.items():
            if spec.required and self.ruleset.input_when[name].function(self.env) and self.env.inputs[name] is None:
                raise bad_input(f"缺少{spec.name.zh}", f"{spec.name.en} is missing", f"round.inputs.{name}")

    def group_wins(self) -> None:
        """Consecutive wins on one tile, from one giver, in one manner, are one happening.

        Quick entry names no tile; there the giver and the manner suffice.
        """
        joined = bool(self.ruleset.course.together.function(self.env))
        group: list[Event] = []
        for event in self.events:
            event.first = event.index
            same = (
                joined and group and event.type == "win" and event.by != "self_draw"
                and (event.by, event.giver) == (group[0].by, group[0].giver)
                and len({other.tile for other in (*group, event)} - {None}) <= 1
                and all(event.seat != other.seat for other in group)
            )  # fmt: skip
            if same:
                event.first = group[0].index
                group.append(event)
                for other in group:
                    other.together = len(group)
            else:
                group = [event] if event.type == "win" else []
            if event.by == "rob_kong":
                self.mark_robbed(event)

    def mark_robbed(self, win: Event) -> None:
        for event in reversed(self.events[: win.index]):
            if event.type == "kong" and event.seat == win.giver and win.tile in (event.tile, None):
                if event.kind not in ("concealed", "exposed"):
                    event.robbed = True
                return

    def environment(self, event: Event) -> EventEnv:
        if event.type == "win":
            hand: HandEnv = self.ruleset.hand_class.of_win(self.env, event)
            self.env.hands[event.index] = hand
            return hand
        if event.type in self.ruleset.dealt_events:
            dealt: HandEnv = self.ruleset.hand_class.of_dealt(self.env, event)
            return dealt
        made: EventEnv = self.ruleset.event_class(self.env, event, event.first)
        return made

    def happenings(self) -> Iterator[list[Event]]:
        for event in self.events:
            if event.first == event.index:
                yield [other for other in self.events[event.index :] if other.first == event.index]

    # checks

    def check_flags(self, event: Event, env: EventEnv, code: str) -> None:
        for name in sorted(event.flags):
            flag = self.ruleset.document.flags[name]
            if (flag.refuse == "bad_input") != (code == "bad_input") or self.ruleset.flags[name].when.function(env):
                continue
            say = flag.say or flag.name
            message = Text(
                say.zh if flag.say else f"{say.zh}与这次胡的情形不符",
                say.en if flag.say else f"{say.en} does not fit this win",
            )
            raise Refusal(flag.refuse, message, f"round.events[{event.index}].flags")

    def check_event(self, event: Event, env: EventEnv, codes: Sequence[str]) -> None:
        names = ["event", event.type]
        if event.type == "penalty" and event.name:
            names.append(event.name)
        for name in names:
            for check in self.ruleset.checks.get(name, ()):
                if check.check.refuse in codes:
                    self.judge(check, env, event)
        for hand in env.shown_hands.values() if event.hands else ():
            for check in self.ruleset.checks.get("hand", ()):
                if check.check.refuse in codes:
                    self.judge(check, hand, event)
        if event.type == "win":
            for check in self.ruleset.checks.get("hand", ()):
                if check.check.refuse in codes:
                    self.judge(check, env, event)

    def judge(self, check: CompiledCheck, env: EventEnv, event: Event | None) -> None:
        if check.when.function(env) and not check.require.function(env):
            place = f"round.events[{event.index}]" if event is not None else "round"
            path = f"{place}.{check.check.at}" if check.check.at else place
            say = check.check.say
            raise Refusal(check.check.refuse, Text(say.zh, say.en), path, check.check.id)

    def checked(self, on: str, env: RoundEnv, path: str, *, early: bool) -> None:
        for check in self.ruleset.checks.get(on, ()):
            if (check.check.refuse == "bad_input") != early or not check.when.function(env):
                continue
            if check.check.finished and self.round.ask == "so_far":
                continue
            if not check.require.function(env):
                say = check.check.say
                where = f"{path}.{check.check.at}" if check.check.at else path
                raise Refusal(check.check.refuse, Text(say.zh, say.en), where, check.check.id)

    def checked_end(self, end: EventEnv) -> None:
        for check in self.ruleset.checks.get("end", ()):
            self.judge(check, end, None)

    # events in order

    def settle(self, happening: list[Event]) -> None:
        ruleset = self.ruleset
        wins = []
        for event in happening:
            env = self.allowed(event)
            if event.type != "win":
                self.check_event(event, env, ("not_a_win", "below_minimum"))
                if event.type in ruleset.dealt_events and isinstance(env, HandEnv):
                    self.scored[event.index] = score_dealt(env, f"round.events[{event.index}]")
                self.pay(self.rules_for(event), self.scored.get(event.index, env), event)
                continue
            assert isinstance(env, HandEnv)
            self.check_event(event, env, ("not_a_win", "below_minimum"))
            scored = score_win(env, f"round.events[{event.index}]")
            self.scored[event.index] = scored
            wins.append(event)
        if len(wins) > 1 and ruleset.course.prevail:
            ranks = {event.index: tuple(rank.function(self.scored[event.index]) for rank in ruleset.course.prevail) for event in wins}
            best = max(ranks.values())
            for event in wins:
                event.void = ranks[event.index] != best
        for event in wins:
            if not event.void:
                self.pay(ruleset.payments.get("win", ()), self.scored[event.index], event)

    def allowed(self, event: Event) -> EventEnv:
        """The environment of an event that the rules allow to happen here.

        :raises Refusal: ``not_allowed``
        """
        ruleset = self.ruleset
        over = ruleset.course.over
        late = event.type in ruleset.document.course.after
        if event.first and not late and over.function(ruleset.event_class(self.env, None, event.first)):
            say = ruleset.document.course.after_over
            raise Refusal("not_allowed", Text(say.zh, say.en), f"round.events[{event.first}]")
        env = self.made[event.index] if self.made else self.environment(event)
        path = f"round.events[{event.index}]"
        if event.seat is not None:
            check_claims(self.env, event.seat, event.melds, path)
        for place, shown in enumerate(event.hands):
            check_claims(self.env, shown.seat, shown.melds, f"{path}.hands[{place}]")
        self.check_flags(event, env, "other")
        self.check_event(event, env, ("not_allowed",))
        return env

    def forbid_later(self, refusal: Refusal) -> None:
        """Blame what is not allowed in a later event before a hand that may not win.

        :raises Refusal: ``not_allowed``
        """
        place = EVENT_PATH.match(refusal.path)
        for event in self.events[int(place[1]) + 1 :] if place else ():
            self.allowed(event)

    def rules_for(self, event: Event) -> Sequence[CompiledPayment]:
        rules = list(self.ruleset.payments.get(event.type, ()))
        if event.type == "penalty" and event.name:
            rules += self.ruleset.payments.get(event.name, ())
        return rules

    def pay(self, rules: Sequence[CompiledPayment], env: Any, event: Event | None) -> None:
        index = len(self.events) if event is None else event.index
        for rule in rules:
            if not rule.when.function(env):
                continue
            for values in self.combinations(rule, env, ()):
                payers = _seats(rule.payer.function(env, *values))
                payees = _seats(rule.payee.function(env, *values))
                for payer in payers:
                    for payee in payees:
                        if payer == payee and not rule.rule.deduct:
                            continue
                        if not rule.only_if.function(env, *values, payer, payee):
                            continue
                        amount = rule.amount.function(env, *values, payer, payee)
                        if amount:
                            self.transfer(rule, env, payer, payee, amount, index, values)

    def combinations(self, rule: CompiledPayment, env: Any, values: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        if len(values) == len(rule.each):
            yield values
            return
        _, domain = rule.each[len(values)]
        for value in domain.function(env, *values) or ():
            yield from self.combinations(rule, env, (*values, value))

    def transfer(self, rule: CompiledPayment, env: Any, payer: int, payee: int, amount: int, index: int, values: tuple[Any, ...]) -> None:
        if abs(amount) > LARGEST:
            raise Refusal("bad_input", Text("数目大得无法入账", "the amount is too large to be entered"), "options", rule.rule.id)
        about = None
        if rule.about is not None:
            moved = rule.about.function(env, *values, payer, payee)
            about = None if moved is None else moved.index
        if amount < 0:
            payer, payee, amount = payee, payer, -amount
        self.env.transfers.append(Transfer(payer, payee, amount, index, rule.rule.id, about, rule.rule.deduct))

    # the end

    def outcome(self) -> Outcome:
        ruleset, env = self.ruleset, self.env
        end: EventEnv = ruleset.event_class(env, None, len(self.events))
        self.checked_end(end)
        self.pay(ruleset.payments.get("end", ()), end, None)
        parties = env.parties or [str(seat) for seat in ruleset.seats]
        result = Outcome(ruleset, env, parties=tuple(parties))
        result.payments = [0] * len(parties)
        for transfer in env.transfers:
            if not transfer.deduct:
                result.payments[transfer.payer] -= transfer.amount
                result.payments[transfer.payee] += transfer.amount
        result.transfers = env.transfers
        result.wins = [Win(event, self.scored[event.index]) for event in self.events if event.index in self.scored and not event.void]
        result.ended = bool(ruleset.course.over.function(end))
        result.next = self.next_round(end)
        shown = [event for event in self.events if event.type == "draw" and event.hands]
        if shown:
            hands = self.environment(shown[-1]).shown_hands
            result.waits = [list(hands[hand.seat].waits) for hand in shown[-1].hands]
        return result

    def next_round(self, end: EventEnv) -> dict[str, Any] | None:
        ruleset = self.ruleset
        rules = ruleset.next
        if not rules.when.function(end):
            return None
        dealer = rules.dealer.function(end)
        streak = rules.streak.function(end, dealer)
        wind = rules.round_wind.function(end, dealer)
        state = {}
        for name in ruleset.document.state:
            following = rules.state.get(name)
            value = self.env.state[name] if following is None else following.function(end, dealer)
            state[name] = list(value) if isinstance(value, tuple) else value
        return {"dealer": dealer, "streak": streak, "round_wind": tile_text(wind), "state": state}

    def waits(self) -> Outcome:
        """Only the waits of the hands shown at a draw; nothing is settled."""
        self.check_inputs()
        self.checked("round", self.env, "round", early=True)
        check_tiles(self.env, self.events)
        for event in self.events:
            for place, shown in enumerate(event.hands):
                check_claims(self.env, shown.seat, shown.melds, f"round.events[{event.index}].hands[{place}]")
        result = Outcome(self.ruleset, self.env, parties=tuple(map(str, self.ruleset.seats)), asked=True)
        result.waits = []
        for event in self.events:
            if event.type != "draw":
                continue
            hands = self.ruleset.event_class(self.env, event, event.index).shown_hands
            result.waits += [list(hands[hand.seat].waits) for hand in event.hands]
        if not result.waits:
            raise bad_input("没有亮出手牌，无从算听牌", "no hand is shown to find the waits of", "round.events")
        return result

    def check_compared(self) -> None:
        from .comparison import check_form  # noqa: PLC0415 - circular: it works on settlements

        check_form(self)

    def compared(self) -> Outcome:
        from .comparison import compare  # noqa: PLC0415 - circular: it works on settlements

        return compare(self)


def _seats(value: Any) -> Sequence[int]:
    if value is None:
        return ()
    if isinstance(value, int):
        return (value,)
    return [seat for seat in value if seat is not None]
