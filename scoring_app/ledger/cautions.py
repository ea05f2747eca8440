"""What a careful person would ask before confirming a round: is it there already, is it that large, would they pay?

Nothing is refused for it.
"""

from __future__ import annotations

from datetime import timedelta
from statistics import median
from typing import Any

from django.utils import timezone

from scoring_app.ledger.ruling import Ground
from scoring_app.ledger.values import Caution, Json, Line, Situation, payments_of
from scoring_app.models import Content, Entry, Participant, Posting, Table

SOON = timedelta(minutes=10)
LOOK_BACK = 40
ENOUGH = 6
"""Rounds from which on a table's own history says what is usual."""
FAR = 5
"""How many times the usual payment is worth a question."""
RUNNING = 5
"""Rounds in a row with one discarder that are worth a question."""


def cautions_for(
    *, table: Table, kind: str, payload: Json, lines: tuple[Line, ...], situation: Situation, totals: dict[int, int], ground: Ground
) -> tuple[Caution, ...]:
    """Questions about an entry that would be written now: three queries for a round, one for a free transfer."""
    if "round" not in payload:
        return _about_payers(table, lines, situation, totals, ground)
    rounds = Content.objects.filter(entry__table=table, entry__kind=Entry.Kind.ROUND, voided=False).current()
    recent = list(rounds.select_related("entry").defer("entry__reason").order_by("-entry__seq")[:LOOK_BACK])
    found = [*_about_sameness(payload, recent)]
    if kind == Entry.Kind.ROUND:
        found += _about_size(lines, recent)
        found += _about_discarder(payload, recent, situation, table)
    return (*found, *_about_payers(table, lines, situation, totals, ground))


def _about_sameness(payload: Json, recent: list[Content]) -> list[Caution]:
    """The last round once more, or the same winner with the same tiles a few minutes ago."""
    events = payload["round"]["events"]
    if not events or not recent:
        return []
    if recent[0].payload["round"] == payload["round"]:
        zh, en = "与上一局完全相同，是否重复录入？", "This is the same as the last round, event for event; has it been entered already?"
        return [Caution(zh, en, code="same_round", seq=recent[0].entry.seq)]
    wins = _wins(events)
    for content in recent:
        if timezone.now() - content.entry.server_time > SOON:
            break
        if wins and wins == _wins(content.payload["round"]["events"]):
            seq = content.entry.seq
            zh = f"几分钟前的第 {seq} 笔也是同一人用同样的牌胡的，是否重复录入？"
            en = f"A few minutes ago, in entry {seq}, the same player won with the same; has it been entered already?"
            return [Caution(zh, en, code="duplicate", seq=seq)]
    return []


def _wins(events: list[Any]) -> list[Any]:
    """Who won with what, of the events of a round."""
    known = ("seat", "hand", "melds", "tile", "declared")
    return [
        {key: event[key] for key in known if key in event} for event in events if isinstance(event, dict) and event.get("type") == "win"
    ]


def _about_size(lines: tuple[Line, ...], recent: list[Content]) -> list[Caution]:
    largest = max(payments_of(lines).values(), default=0)
    if len(recent) < ENOUGH or largest <= 0:
        return []
    gains: dict[Any, dict[int, int]] = {content.pk: {} for content in recent}
    rows = Posting.objects.filter(content__in=[content.pk for content in recent]).values_list("content_id", "participant_id", "amount")
    for content_id, participant, amount in rows:
        gain = gains[content_id]
        gain[participant] = gain.get(participant, 0) + amount
    usual = [max(gain.values(), default=0) for gain in gains.values()]
    middle = median(usual)
    if largest > max(usual) and middle > 0 and largest >= FAR * middle:
        zh = f"这一局有人得 {largest}，而这一桌通常一局约 {middle:g}，请再核对。"
        en = f"Somebody gets {largest} here, while a round of this table usually brings about {middle:g}; please check."
        return [Caution(zh, en, code="outlier")]
    return []


def _about_discarder(payload: Json, recent: list[Content], situation: Situation, table: Table) -> list[Caution]:
    """The same player pays for the discard round after round: perhaps the finger stayed on one seat."""
    discarder = _discarder(payload["round"]["events"], situation.seats)
    if discarder is None or len(recent) < RUNNING - 1:
        return []
    before = [_discarder(content.payload["round"]["events"], content.before["seats"]) for content in recent[: RUNNING - 1]]
    if any(one != discarder for one in before):
        return []
    name = Participant.objects.values_list("name", flat=True).get(table=table, number=discarder)
    zh, en = (
        f"连续 {RUNNING} 局都是 {name} 点炮，没有选错人吧？",
        f"{name} would be the discarder {RUNNING} rounds in a row; is that the right seat?",
    )
    return [Caution(zh, en, code="unlikely_payer", seq=recent[0].entry.seq)]


def _discarder(events: list[Any], seats: Any) -> int | None:
    payers = {event.get("from") for event in events if isinstance(event, dict) and event.get("type") == "win"}
    payer = payers.pop() if len(payers) == 1 else None
    if isinstance(payer, int) and 0 <= payer < len(seats):
        number: int | None = seats[payer]
        return number
    return None


def _about_payers(
    table: Table, lines: tuple[Line, ...], situation: Situation, totals: dict[int, int], ground: Ground
) -> tuple[Caution, ...]:
    """Payers who are not at the table, or who would pay more than they have."""
    paid = {number: change for number, change in payments_of(lines).items() if change < 0}
    away = [number for number in paid if number not in situation.seats and number not in {ground.house, ground.pool}]
    broke = []
    for number, change in paid.items():
        has = totals.get(number, 0) + ground.start_points_of(number)
        if ground.start_points_of(number) > 0 and has >= 0 > has + change:
            broke.append(number)
    if not away and not broke:
        return ()
    names = dict(Participant.objects.filter(table=table).values_list("number", "name"))
    found = []
    for number in away:
        name = names.get(number, str(number))
        found.append(
            Caution(f"{name} 现在不在座，确定由他付？", f"{name} is not seated now; is he the one who pays?", code="unlikely_payer")
        )
    for number in broke:
        name = names.get(number, str(number))
        found.append(Caution(f"{name} 付完后将不足零分。", f"{name} would be left with less than nothing.", code="unlikely_payer"))
    return tuple(found)
