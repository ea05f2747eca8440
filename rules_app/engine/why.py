"""Why a pattern does not count, and what a refused hand lacks: the conditions of the document, part by part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from .counting import scored_readings
from .errors import Refusal
from .expressions import BOOL, EvaluationFault, Expression, Part, failing_parts
from .expressions.types import Type
from .hand import HandEnv
from .parsing import parse_round
from .reading import ReadingEnv, ScoredEnv
from .scoring import placed_readings
from .settlement import Outcome, Settlement
from .text import Text
from .wording import Wording

if TYPE_CHECKING:
    from .compiled import CompiledPattern
    from .ruleset import Ruleset

Verdict = Literal["counted", "switched_off", "absorbed", "outdone", "other_reading", "absent"]
MOST_REASONS = 8
DEEPEST = 3


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that is wanted and not there. ``text`` is empty where it cannot be put into words.

    ``parts`` are what it consists of: alternatives none of which holds, or what must hold together.
    """

    text: str
    source: str
    parts: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Why:
    """Why a pattern counts or not.

    ``other`` is the id of the pattern that absorbs or outdoes it; ``reasons`` say what its condition lacks.
    """

    pattern: str
    verdict: Verdict
    text: str
    reasons: list[Reason] = field(default_factory=list)
    other: str | None = None


def why_not(outcome: Outcome, win: int, pattern: str, language: str = "zh") -> Why:
    """Why a pattern is not among those counted in a win (``win``: its place among the wins of the outcome).

    :raises KeyError: no such pattern.
    """
    ruleset = outcome.ruleset
    compiled = ruleset.by_id[pattern]
    scored = outcome.wins[win].scored
    return _Explainer(ruleset, language).why(scored, compiled)


def why_not_of_hand(ruleset: Ruleset, hand: HandEnv, pattern: str, language: str = "zh") -> Why | None:
    """Why a hand that may not win lacks a pattern, in its most promising reading; None without any reading.

    :raises KeyError: no such pattern.
    """
    compiled = ruleset.by_id[pattern]
    readings = list(placed_readings(hand))
    if not readings:
        return None
    ways = [scored for reading in readings for scored in scored_readings(reading)]
    if not ways:
        return None
    holding = [scored for scored in ways if pattern in scored.times_of]
    return _Explainer(ruleset, language).why((holding or ways)[0], compiled)


def what_is_missing(ruleset: Ruleset, request: Mapping[str, Any], refusal: Refusal, language: str = "zh") -> list[Reason]:
    """What the condition or check that refused a round asks for and does not find; empty where it is no rule of the document.

    The reading in which least is missing speaks for a hand with several.
    """
    if refusal.rule is None:
        return []
    try:
        settlement = Settlement(ruleset, parse_round(ruleset, request))
        settlement.group_wins()
        event = next((event for event in settlement.events if refusal.path.startswith(f"round.events[{event.index}]")), None)
        explainer = _Explainer(ruleset, language)
        condition = next((one for one in ruleset.conditions if one.condition.id == refusal.rule), None)
        if condition is not None and event is not None:
            hand = settlement.environment(event)
            envs: list[Any] = list(_envs(hand, condition.level)) if isinstance(hand, HandEnv) else []
            found = [explainer.reasons(condition.expression, env) for env in envs[:40]]
            return min((reasons for reasons in found if reasons), key=len, default=[])
        for checks in ruleset.checks.values():
            for check in checks:
                if check.check.id == refusal.rule:
                    env: Any = settlement.env if event is None else settlement.environment(event)
                    return explainer.reasons(check.require, env)
    except (Refusal, EvaluationFault, StopIteration):
        return []
    return []


def _envs(hand: HandEnv, level: str) -> Iterator[HandEnv | ReadingEnv | ScoredEnv]:
    if level == "hand":
        yield hand
        return
    for reading in placed_readings(hand):
        if level == "reading":
            yield reading
        else:
            yield from scored_readings(reading)


class _Explainer:
    def __init__(self, ruleset: Ruleset, language: str) -> None:
        self.ruleset = ruleset
        self.language = language
        self.facts = {fact.name: fact for fact in ruleset.facts}

    def say(self, zh: str, en: str) -> str:
        return Text(zh, en).in_language(self.language)

    def why(self, scored: ScoredEnv, compiled: CompiledPattern) -> Why:
        name = compiled.pattern.name
        zh, en = name.zh, name.en
        if compiled.id in scored.times_of:
            return Why(compiled.id, "counted", self.say(f"{zh}已经计了。", f"{en} is counted."))
        reading = scored.g
        env: Any = {"hand": reading.h, "reading": reading, "scored": scored}[compiled.level]
        if not compiled.exists.function(env):
            text = self.say(f"按现在的选项，没有{zh}。", f"With these options there is no {en}.")
            return Why(compiled.id, "switched_off", text, self.reasons(compiled.exists, env))
        if compiled.join is None and compiled.when.function(env) and compiled.count.function(env) > 0:
            return self.dropped(scored, compiled)
        elsewhere = self.elsewhere(scored, compiled)
        reasons = [] if compiled.join is not None else self.reasons(compiled.when, env)
        if elsewhere is not None:
            best = self.ruleset.document.score.best
            here, there = scored.__dict__[best], elsewhere.__dict__[best]
            text = self.say(
                f"换一种拆法可以算{zh}，但那样只有 {there}，现在的拆法是 {here}。",
                f"Another division of the tiles holds {en}, but is worth {there}; this one is worth {here}.",
            )
            return Why(compiled.id, "other_reading", text, reasons)
        if compiled.when.is_constant and compiled.when.constant and not reasons and compiled.join is None:
            text = self.say(f"这手牌里{zh}的数目是 0。", f"This hand holds {en} no time.")
            return Why(compiled.id, "absent", text)
        text = self.say(f"{zh}：{compiled.pattern.text.zh}", f"{en}: {compiled.pattern.text.en}")
        return Why(compiled.id, "absent", text, reasons)

    def dropped(self, scored: ScoredEnv, compiled: CompiledPattern) -> Why:
        """The pattern holds and yet does not count."""
        zh, en = compiled.pattern.name.zh, compiled.pattern.name.en
        patterns = self.ruleset.patterns
        for index, _times, _value in scored.items:
            other = patterns[index]
            if other.absorbs >> compiled.index & 1:
                text = self.say(
                    f"符合{zh}，但已包含在{other.pattern.name.zh}里，不另计。",
                    f"The hand has {en}, but {other.pattern.name.en} already includes it.",
                )
                return Why(compiled.id, "absorbed", text, other=other.id)
        unit = compiled.pattern.unit
        if self.ruleset.unit_combine[unit] in ("choose", "highest"):
            for index, _times, _value in scored.items:
                other = patterns[index]
                if other.pattern.unit == unit:
                    text = self.say(
                        f"符合{zh}，但{self.unit(unit)}只计一种，{other.pattern.name.zh}更大。",
                        f"The hand has {en}, but only one {self.unit(unit)} counts and {other.pattern.name.en} is worth more.",
                    )
                    return Why(compiled.id, "outdone", text, other=other.id)
        text = self.say(f"符合{zh}，但这里不计分。", f"The hand has {en}, but it is worth nothing here.")
        return Why(compiled.id, "outdone", text)

    def unit(self, unit: str) -> str:
        words = self.ruleset.document.units[unit].name
        return self.say(words.zh, words.en)

    def elsewhere(self, scored: ScoredEnv, compiled: CompiledPattern) -> ScoredEnv | None:
        """The best other way to score the tiles in which the pattern counts."""
        if scored.h.quick or (compiled.level == "hand" and compiled.join is None):
            return None
        best = self.ruleset.document.score.best
        ways = []
        for place, reading in enumerate(placed_readings(scored.h)):
            if place > 200:
                break
            ways += [way for way in scored_readings(reading) if compiled.id in way.times_of]
        return max(ways, key=lambda way: way.__dict__[best], default=None)

    def reasons(self, expression: Expression, env: Any, variables: tuple[Any, ...] = (), depth: int = 0) -> list[Reason]:
        """What a condition asks for and does not find."""
        wording = Wording(self.ruleset, expression.scope, self.language)
        found = [self.reason(part, wording, env, depth) for part in failing_parts(expression, env, variables)]
        return [reason for reason in found if reason.text][:MOST_REASONS]

    def reason(self, part: Part, wording: Wording, env: Any, depth: int) -> Reason:
        if part.joined == "or" and part.parts:
            return self.grouped("其中一项要成立：", "one of these must hold:", part, part.parts, wording, env, depth)
        if part.joined == "and" and part.parts:
            failing = [inner for inner in part.parts if not inner.holds]
            if len(failing) == 1:
                return self.reason(failing[0], wording, env, depth)
            return self.grouped("要同时成立：", "together:", part, failing, wording, env, depth)
        fact = self.facts.get(part.source.strip())
        if fact is not None and depth < DEEPEST:
            inner = self.inner(fact.expression, fact.level, env, depth)
            if len(inner) == 1:
                return inner[0]
            if inner:
                return Reason(self.say("要同时成立：", "together:"), part.source, tuple(inner))
        return Reason(wording.part(part), part.source)

    def grouped(self, zh: str, en: str, part: Part, parts: list[Part], wording: Wording, env: Any, depth: int) -> Reason:
        """Several parts under one heading; nothing where one of them cannot be put into words."""
        made = tuple(self.reason(inner, wording, env, depth) for inner in parts[:MOST_REASONS])
        text = self.say(zh, en) if all(inner.text for inner in made) else ""
        return Reason(text, part.source, made)

    def inner(self, expression: Expression, level: str, env: Any, depth: int) -> list[Reason]:
        """What a fact of the document asks for, in the environment of its own level."""
        wanted: Type = BOOL
        if expression.type != wanted or expression.parameters:
            return []
        at = env
        if level == "round":
            at = env.r if hasattr(env, "r") else env
        elif level in ("event", "hand") and isinstance(env, ReadingEnv | ScoredEnv):
            at = env.h
        elif level == "reading" and isinstance(env, ScoredEnv):
            at = env.g
        return self.reasons(expression, at, depth=depth + 1)
