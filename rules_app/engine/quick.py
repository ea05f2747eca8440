"""Quick entry: a win given by the patterns that the table has agreed on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .counting import Chooser, Hit, choices, env_of, total_up
from .errors import Refusal
from .fields import bad_input
from .hand import HandEnv
from .reading import ReadingEnv, ScoredEnv
from .text import Text

if TYPE_CHECKING:
    from .ruleset import Ruleset


def score_declared(hand: HandEnv, path: str) -> ScoredEnv:
    """Score the patterns that the table has agreed on; those that follow from the circumstances are added.

    :raises Refusal: ``bad_input`` for patterns that cannot stand together or are not allowed here.
    """
    ruleset = hand.r.ruleset
    place = f"{path}.declared"
    times: dict[str, int] = {}
    for name in declared_in(hand):
        times[name] = times.get(name, 0) + 1
    reading = ruleset.reading_class(hand, "", None, ())
    for name, number in times.items():
        compiled = ruleset.by_id[name]
        words = compiled.pattern.name
        if number > compiled.pattern.repeat:
            most = compiled.pattern.repeat
            raise bad_input(f"{words.zh}只能计 {most} 次", f"{words.en} counts {most} time(s) at most", place)
        if (
            compiled.pattern.on != "win" or not compiled.exists.function(env_of(compiled, reading))
            or not compiled.declare.function(hand)
        ):  # fmt: skip
            raise bad_input(f"这里不能计{words.zh}", f"{words.en} cannot be counted here", place)
    for names in ruleset.document.quick.exclusive:
        both = [name for name in names if name in times]
        if len(both) > 1:
            raise _together(ruleset, both[0], both[1], place)
    for clash in ruleset.document.quick.clashes:
        ones = [name for name in clash.these if name in times]
        others = [name for name in clash.beside if name in times and name not in ones[:1]]
        if ones and others:
            raise _together(ruleset, ones[0], others[0], place)
    declared = ScoredEnv(reading)
    declared.times_of = dict(times)
    for check in ruleset.quick_checks:
        if check.when.function(declared) and not check.require.function(declared):
            say = check.check.say
            raise Refusal(check.check.refuse, Text(say.zh, say.en), place, check.check.id)
    hits = [(ruleset.by_id[name].index, number) for name, number in times.items()]
    for compiled in ruleset.patterns:
        if compiled.id not in times and compiled.pattern.follows and compiled.level != "scored" and compiled.pattern.on == "win":
            env = env_of(compiled, reading)
            if compiled.exists.function(env) and compiled.when.function(env):
                number = compiled.count.function(env)
                if number > 0:
                    hits.append((compiled.index, number))
    chooser = Chooser(ruleset)
    candidates = choices(ruleset, sorted(hits)) if ruleset.choose_units else iter([sorted(hits)])
    for chosen in candidates:
        chooser.offer(_count_declared(reading, chosen))
    best = chooser.result()
    for condition in ruleset.conditions:
        if condition.condition.quick:
            env = best if condition.level == "scored" else hand if condition.level == "hand" else reading
            if not condition.expression.function(env):
                say = condition.condition.say
                raise Refusal(condition.condition.refuse, Text(say.zh, say.en), place, condition.condition.id)
    return best


def declared_in(hand: HandEnv) -> tuple[str, ...]:
    """The ids declared in a quick win."""
    event = hand.event_record
    return () if event is None or event.declared is None else event.declared


def _count_declared(reading: ReadingEnv, hits: list[Hit]) -> ScoredEnv:
    """Like `count_patterns`, with the late patterns taken as declared unless they follow by themselves."""
    ruleset = reading.r.ruleset
    scored = ruleset.scored_class(reading)
    patterns = ruleset.patterns
    valued = []
    for index, times in hits:
        value = patterns[index].value
        valued.append((index, times, value.constant if value.is_constant else value.function(scored)))
    valued.sort(key=lambda item: (-item[2], item[0]))
    absorbed = 0
    items = []
    for item in valued:
        if not absorbed >> item[0] & 1 and (item[2] or item[0] in ruleset.at_zero):
            items.append(item)
            absorbed |= patterns[item[0]].absorbs
    scored.times_of = {patterns[index].id: times for index, times, _ in items}
    for late in ruleset.late:
        if not late.pattern.follows or late.id in scored.times_of or absorbed >> late.index & 1:
            continue
        if late.exists.function(scored) and late.when.function(scored):
            times, value = late.count.function(scored), late.value.function(scored)
            if times > 0 and (value or late.index in ruleset.at_zero):
                items.append((late.index, times, value))
                scored.times_of[late.id] = times
    items.sort()
    scored.items = items
    total_up(scored)
    return scored


def _together(ruleset: Ruleset, one: str, other: str, path: str) -> Refusal:
    first, second = ruleset.by_id[one].pattern.name, ruleset.by_id[other].pattern.name
    return bad_input(f"{first.zh}与{second.zh}不能同时计", f"{first.en} and {second.en} cannot stand together", path)
