"""The functions that compiled expressions may call. They stand under these names in their only globals.

Each takes over a risk that Python would answer with an exception of its own, and raises EvaluationFault instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rules_app.engine.expressions.faults import EvaluationFault
from rules_app.engine.text import Text

MAX_EXPONENT = 64
MAX_POWER = 10**15


def divide(left: int, right: int) -> int:
    """The quotient rounded down."""
    if right == 0:
        raise EvaluationFault(Text("除数为 0，不能相除", "a division by zero has no result"))
    return left // right


def remainder(left: int, right: int) -> int:
    """The remainder, with the sign of the divisor."""
    if right == 0:
        raise EvaluationFault(Text("除数为 0，不能取余数", "a remainder of a division by zero has no result"))
    return left % right


def power(base: int, exponent: int) -> int:
    """``base ** exponent`` within bounds: exponents from 0 to 64, results up to 10**15 either way."""
    if not 0 <= exponent <= MAX_EXPONENT:
        raise EvaluationFault(Text(f"指数必须在 0 到 {MAX_EXPONENT} 之间", f"an exponent must lie between 0 and {MAX_EXPONENT}"))
    if abs(base) <= MAX_POWER or exponent == 0:
        result: int = base**exponent
        if abs(result) <= MAX_POWER:
            return result
    raise EvaluationFault(Text("乘方的结果过大（上限 10**15）", "the power is too large (the limit is 10**15)"))


def item(items: Sequence[Any], index: int) -> Any:
    """The item at an index counted from 0; negative indexes are outside."""
    if 0 <= index < len(items):
        return items[index]
    raise EvaluationFault(
        Text(
            f"列表只有 {len(items)} 项，没有所指的那一项（从 0 数起）",
            f"the list has {len(items)} items and none at the index asked for (counted from 0)",
        )
    )


def present(value: Any, source: str) -> Any:
    """The value, which must not be null."""
    if value is None:
        raise EvaluationFault(
            Text(
                f"{source} 此时为空；请用 default({source}, …) 给出代替的值",
                f"{source} is null here; say what stands for it with default({source}, …)",
            )
        )
    return value


def optional_attribute(record: Any, name: str) -> Any:
    """The attribute, or null when the record itself is null."""
    return None if record is None else getattr(record, name)


def _need_items(items: Sequence[Any]) -> None:
    if not items:
        raise EvaluationFault(
            Text(
                "没有任何项，无法取最大或最小值；请加上 default=…",
                "there is nothing to take the largest or smallest of; add default=…",
            )
        )


def largest(items: Sequence[Any]) -> Any:
    """The largest item of a list that must not be empty."""
    _need_items(items)
    return max(items)


def smallest(items: Sequence[Any]) -> Any:
    """The smallest item of a list that must not be empty."""
    _need_items(items)
    return min(items)


def in_order(kinds: Iterable[int]) -> list[int]:
    """The kinds of a set in the order of their numbers, so that loops always run alike."""
    return sorted(kinds)


NAMESPACE: dict[str, Any] = {
    "_divide": divide,
    "_remainder": remainder,
    "_power": power,
    "_item": item,
    "_present": present,
    "_attribute": optional_attribute,
    "_largest": largest,
    "_smallest": smallest,
    "_in_order": in_order,
    "_any": any,
    "_all": all,
    "_sum": sum,
    "_max": max,
    "_min": min,
    "_abs": abs,
    "_len": len,
    "_tuple": tuple,
    # ``ast.unparse`` writes a set of tiles as a call of this name, so ``Expression.body`` stays evaluable.
    "frozenset": frozenset,
}
