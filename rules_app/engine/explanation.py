"""An outcome as JSON-able data, with what makes it plain: readings, values, the sum in words, transfers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .comparison import ComparedSide
from .evidence import tiles_of
from .reading import ScoredEnv
from .schema import Words
from .tiles import format_tiles, tile_text

if TYPE_CHECKING:
    from .settlement import Outcome, Win


def answer_of(outcome: Outcome, language: str, *, explain: bool) -> dict[str, Any]:
    """The answer of the scorer contract in one language."""
    ruleset = outcome.ruleset
    answer: dict[str, Any] = {}
    if not outcome.asked:
        answer["payments"] = outcome.payments
        answer["wins"] = [
            _side(outcome, win, language, explain=explain)
            if isinstance(win, ComparedSide)
            else _win(outcome, win, language, explain=explain)
            for win in outcome.wins
        ]
        if outcome.next is not None:
            answer["next"] = outcome.next
        answer["ended"] = outcome.ended
        if explain:
            answer["parties"] = list(outcome.parties)
            answer["transfers"] = [
                {
                    "from": transfer.payer, "to": transfer.payee, "amount": transfer.amount, "event": transfer.event,
                    "rule": transfer.rule, "reason": _rule_name(ruleset, transfer.rule).in_language(language),
                    **({"about": transfer.about} if transfer.about is not None else {}),
                    **({"deducted": True} if transfer.deduct else {}),
                }
                for transfer in outcome.transfers
            ]  # fmt: skip
    if outcome.waits is not None:
        texts = [format_tiles(waits) for waits in outcome.waits]
        answer["waits"] = texts[0] if len(texts) == 1 else texts
    return answer


def _rule_name(ruleset: Any, rule: str) -> Words:
    found: Words = next(payment.name for payment in ruleset.document.payments if payment.id == rule)
    return found


def _win(outcome: Outcome, win: Win, language: str, *, explain: bool) -> dict[str, Any]:
    ruleset, scored, event = outcome.ruleset, win.scored, win.event
    score = ruleset.document.score
    patterns = ruleset.patterns
    answer: dict[str, Any] = {
        "seat": event.seat,
        "patterns": [patterns[index].id for index, _, _ in scored.items if patterns[index].pattern.listed],
    }
    if score.fan is not None and event.type == "win":
        answer["fan"] = scored.__dict__[score.fan]
    if score.points is not None:
        answer["points"] = scored.__dict__[score.points]
    if score.points_from_payments:
        answer["points"] = sum(
            transfer.amount * ((transfer.payee == event.seat) - (transfer.payer == event.seat))
            for transfer in outcome.transfers
            if transfer.event == event.index
        )
    if not explain:
        return answer
    answer |= {
        "event": event.index, "by": event.by, "from": event.giver,
        "tile": None if event.tile is None else tile_text(event.tile),
        "values": _values(scored, language),
        "reading": reading_of(scored),
        "arithmetic": arithmetic(scored, language),
    }  # fmt: skip
    return answer


def _side(outcome: Outcome, side: ComparedSide, language: str, *, explain: bool) -> dict[str, Any]:
    winner = side.winner
    patterns = outcome.ruleset.patterns
    answer: dict[str, Any] = {
        "seat": side.side if side.wins else 0,
        "patterns": [patterns[index].id for index, _, _ in winner.items],
        "fan": side.odds,
    }
    if explain:
        answer |= {
            "side": side.side, "values": _values(winner, language), "own": [patterns[i].id for i, _, _ in side.scored.items],
            "arithmetic": _met(side, language), "reading": None,
        }  # fmt: skip
    return answer


def _met(side: ComparedSide, language: str) -> str:
    """How a side fared, with the type that decides it and the odds."""
    words = arithmetic(side.winner, language, fan=side.odds)
    if language.startswith("zh"):
        return f"赢：{words}" if side.wins else f"输给{words}"
    return f"wins with {words}" if side.wins else f"loses to {words}"


def _values(scored: ScoredEnv, language: str) -> list[dict[str, Any]]:
    patterns = scored.r.ruleset.patterns
    return [
        {
            "id": patterns[index].id, "name": patterns[index].pattern.name.in_language(language), "count": times,
            "value": value, "unit": patterns[index].pattern.unit, "tiles": tiles_of(patterns[index], scored),
        }
        for index, times, value in scored.items
    ]  # fmt: skip


def arithmetic(scored: ScoredEnv, language: str, fan: int | None = None) -> str:
    """The sum in words; ``fan`` where that is not one of the totals."""
    ruleset = scored.r.ruleset
    template = ruleset.document.score.arithmetic
    parts, names = [], []
    for index, times, value in scored.items:
        pattern = ruleset.patterns[index].pattern
        names.append(pattern.name.in_language(language))
        unit = ruleset.document.units[pattern.unit]
        sign = "×" if unit.sign == "times" or unit.combine == "product" else "+"
        worth = f" {sign}{value}" if unit.combine in ("sum", "product") else f" {value}"
        number = f" ×{times}" if times > 1 else ""
        parts.append(f"{pattern.name.in_language(language)}{worth}{number}")
    chinese = language.startswith("zh")
    comma, nothing = ("，", "没有番") if chinese else (", ", "no pattern")
    text = comma.join(parts) or nothing
    if template is None:
        return text

    def value_of(match: re.Match[str]) -> str:
        name = match.group(1)
        if name == "patterns":
            return text
        if name == "names":
            return comma.join(names) or nothing
        if name == "fan" and fan is not None:
            return str(fan)
        namespace, _, member = name.partition(".")
        if namespace == "options":
            return str(scored.r.options.get(member, name))
        return str(scored.__dict__.get(name, name))

    return re.sub(r"\{([a-z_.]+)\}", value_of, template.in_language(language))


def reading_of(scored: ScoredEnv) -> dict[str, Any] | None:
    """The sets of the reading chosen, what each wild tile became, and where the winning tile lies.

    Tiles that need not form sets are one group of the kind ``loose``.
    """
    reading, hand = scored.g, scored.h
    if hand.quick:
        return None
    sets = []
    for index, group in enumerate(reading.groups):
        sets.append(
            {
                "kind": group.form,
                "tiles": "".join(tile_text(kind) for kind in group.tiles),
                "melded": False,
                "wild": [place for place, wild in enumerate(group.wild) if wild],
                "winning": max(reading.place_position, 0) if index == reading.place_group else None,
            }
        )
    if not sets and (hand.concealed_given or hand.tile is not None):
        loose = [*hand.concealed_given, *(() if hand.tile is None else (hand.tile,))]
        sets.append({"kind": "loose", "tiles": format_tiles(sorted(loose)), "melded": False, "wild": [], "winning": None})
    sets += [
        {
            "kind": meld.kind,
            "tiles": "".join(tile_text(kind) for kind in hand.read_meld(meld)),
            "melded": True,
            "wild": [],
            "winning": None,
            "by": meld.by,
            "from": meld.giver,
        }
        for meld in hand.melds
    ]
    own = hand.r.ruleset.document.events.own.get(hand.type)
    form = reading.form or own
    return {
        "shape": reading.shape,
        "name": {"zh": form.name.zh, "en": form.name.en} if form else None,
        "sets": sets,
        "tile_as": tile_text(hand.tile_as) if hand.treasured else None,
    }
