"""The form of what an entry says, by kind; what the rules make of it is for `scoring`."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from rules_app.engine.text import Text
from scoring_app.ledger.errors import InvalidEntry
from scoring_app.ledger.hashing import canonical
from scoring_app.ledger.values import Json
from scoring_app.models import Entry

MAX_PAYLOAD = 64 * 1024
MAX_AMOUNT = 10**12
MAX_TEXT = 500
NUMBER = re.compile("0|[1-9][0-9]{0,4}")

Kind = Entry.Kind
ROUND_KEYS = frozenset({"round", "table", "next", "unfinished"})
SITUATION_KEYS = frozenset({"dealer", "streak", "round_wind", "state"})
KEYS: dict[str, frozenset[str]] = {
    Kind.ROUND: ROUND_KEYS,
    Kind.PENALTY: ROUND_KEYS | {"lines", "text"},
    Kind.TRANSFER: frozenset({"lines", "text"}),
    Kind.FEE: frozenset({"lines", "text"}),
    Kind.SETTLEMENT: frozenset({"lines", "text"}),
    Kind.RESULT: frozenset({"lines", "text"}),
    Kind.SET_SCORES: frozenset({"totals", "table", "text"}),
    Kind.POSITION: frozenset({"table", "text"}),
    Kind.SEAT_CHANGE: frozenset({"seats", "table", "text"}),
    Kind.RULES: frozenset({"revision", "options", "from", "text"}),
    Kind.NOTE: frozenset({"text"}),
    Kind.STATUS: frozenset({"closed", "text"}),
}
"""What the payload of each kind that has one may hold."""


def checked(kind: str, payload: Any) -> Json:
    """The payload as it will be stored, once its form is right for its kind.

    :raises InvalidEntry: naming the first place that is not.
    """
    if not isinstance(payload, dict):
        raise _invalid("", "记录须是一组带名称的值", "an entry must be an object")
    try:
        text = canonical(payload)
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise _invalid("", "记录含有无法存储的值", "the entry holds a value that cannot be stored") from error
    if len(text) > MAX_PAYLOAD:
        raise _invalid("", f"记录过长，最多 {MAX_PAYLOAD // 1024} KB", f"the entry is too long; at most {MAX_PAYLOAD // 1024} KB are kept")
    if "\\u0000" in text:
        raise _invalid("", "文字中含有空字符", "a text holds a null character")
    allowed = KEYS[kind]
    for key in payload:
        if key not in allowed:
            names = ", ".join(sorted(allowed))
            raise _invalid(str(key), f"不认识“{key}”，可用：{names}", f"“{key}” is unknown here; known are {names}")
    try:
        data: Json = json.loads(text, parse_float=_refuse_fraction)
    except ValueError as error:
        raise _invalid("", "只能用整数", "only whole numbers are used here") from error
    if "round" in data:
        _check_round(data)
    elif kind == Kind.ROUND:
        raise _invalid("round", "缺少这一局的内容", "the round is missing")
    elif "lines" in allowed:
        _check_lines(data.get("lines"))
    if kind == Kind.SET_SCORES:
        _check_totals(data.get("totals"))
        _check_situation("table", data.get("table", {}))
    if kind == Kind.POSITION:
        _check_situation("table", data.get("table"))
        if not data["table"]:
            raise _invalid("table", "没有要改的", "nothing is set")
    if kind == Kind.SEAT_CHANGE:
        _check_seats(data.get("seats"))
        _check_situation("table", data.get("table", {}))
    if kind == Kind.STATUS and not isinstance(data.get("closed"), bool):
        raise _invalid("closed", "须说明是结束还是继续", "say whether the table is closed: true or false")
    _check_text(data, required=kind == Kind.NOTE)
    return data


def is_number(value: Any) -> bool:
    """A whole number; truth values, which Python counts among them, are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def _refuse_fraction(number: str) -> NoReturn:
    raise ValueError(number)


def _check_round(data: Json) -> None:
    events = data["round"].get("events", []) if isinstance(data["round"], dict) else None
    if not isinstance(events, list):
        raise _invalid("round.events", "这一局须有事件列表", "the round needs a list of events")
    data["round"]["events"] = events
    _check_situation("table", data.get("table", {}), known=SITUATION_KEYS | {"seats"})
    _check_situation("next", data.get("next", {}))
    if not isinstance(data.get("unfinished", False), bool):
        raise _invalid("unfinished", "须为真或假", "must be true or false")


def _check_situation(path: str, facts: Any, *, known: frozenset[str] = SITUATION_KEYS) -> None:
    if not isinstance(facts, dict) or not facts.keys() <= known:
        names = ", ".join(sorted(known))
        raise _invalid(path, f"只能含有 {names}", f"may hold {names} and nothing else")
    if "seats" in facts:
        _check_seats(facts["seats"], f"{path}.seats")
    dealer = facts.get("dealer")
    if dealer is not None and (not is_number(dealer) or dealer < 0):
        raise _invalid(f"{path}.dealer", "庄家须是座位号", "the dealer must be a seat number")
    streak = facts.get("streak", 0)
    if not is_number(streak) or streak < 0:
        raise _invalid(f"{path}.streak", "连庄数须是不小于零的整数", "the streak must be a whole number, zero or more")
    if not isinstance(facts.get("round_wind", ""), str) or not isinstance(facts.get("state", {}), dict):
        raise _invalid(
            path, "圈风须是一张风牌，带到下一局的内容须是一组带名称的值", "the round wind must be a wind tile, the state an object"
        )


def _check_lines(lines: Any) -> None:
    if not isinstance(lines, list) or not lines or len(lines) > 200:
        raise _invalid("lines", "须有 1 到 200 笔转账", "between 1 and 200 transfers are needed")
    for index, line in enumerate(lines):
        path = f"lines[{index}]"
        if not isinstance(line, dict) or line.keys() != {"from", "to", "amount"} or not all(map(is_number, line.values())):
            raise _invalid(path, "每笔须有付方、收方和整数金额", "a transfer needs from, to and amount, all whole numbers")
        if line["from"] == line["to"]:
            raise _invalid(path, "付方和收方不能是同一人", "payer and payee must be two")
        if not 0 < line["amount"] <= MAX_AMOUNT:
            raise _invalid(f"{path}.amount", f"金额须在 1 到 {MAX_AMOUNT} 之间", f"the amount must lie between 1 and {MAX_AMOUNT}")


def _check_totals(totals: Any) -> None:
    if not isinstance(totals, dict) or not totals:
        raise _invalid("totals", "须给出各人的分数", "the scores are missing")
    for number, total in totals.items():
        # One way to write a number: "3" and "03" would be two scores of one participant.
        if not NUMBER.fullmatch(number) or not is_number(total) or abs(total) > MAX_AMOUNT:
            raise _invalid(f"totals.{number}", "分数须是整数", "a score must be a whole number")


def _check_seats(seats: Any, path: str = "seats") -> None:
    if not isinstance(seats, list) or not all(number is None or is_number(number) for number in seats):
        raise _invalid(path, "须逐座列出坐的是谁", "say for each seat who sits there")
    seated = [number for number in seats if number is not None]
    if len(seated) != len(set(seated)):
        raise _invalid(path, "同一人不能坐两个座位", "nobody can sit on two seats")


def _check_text(data: Json, *, required: bool) -> None:
    text = data.get("text", "")
    if not isinstance(text, str) or len(text) > MAX_TEXT:
        raise _invalid("text", f"文字最多 {MAX_TEXT} 字", f"the text may have {MAX_TEXT} characters")
    if required and not text.strip():
        raise _invalid("text", "请写点什么", "write something")


def _invalid(path: str, zh: str, en: str) -> InvalidEntry:
    return InvalidEntry("bad_input", Text(zh=f"{zh}。", en=f"{en[0].upper()}{en[1:]}."), path)
