"""Settling up with the fewest transfers.

Whoever owes pays whoever is owed.  With k groups of people who come out even among themselves, n people need n - k
transfers; finding the most groups is a partition problem, solved exactly for few people and greedily for many.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

EXACT_LIMIT = 15
"""People who still owe or are owed after those who match in pairs; above it the greedy way is taken."""

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Transfer(Generic[K]):
    """``payer`` owes and pays ``payee`` ``amount`` > 0."""

    payer: K
    payee: K
    amount: int


def settle_up(balances: Mapping[K, int]) -> list[Transfer[K]]:
    """Transfers that bring every balance (above zero: is owed) to zero, as few as can be up to `EXACT_LIMIT` people.

    >>> settle_up({"a": 5, "b": -3, "c": -2})
    [Transfer(payer='b', payee='a', amount=3), Transfer(payer='c', payee='a', amount=2)]

    A ``ValueError`` says by how much balances do not come to zero.
    """
    off = sum(balances.values())
    if off:
        raise ValueError(f"the balances come to {off:+}, not to zero")
    left = {key: balance for key, balance in balances.items() if balance}
    transfers = _pairs(left)
    keys = list(left)
    groups = _most_groups(list(left.values())) if len(keys) <= EXACT_LIMIT else [list(range(len(keys)))]
    for group in groups:
        transfers += _chain({keys[index]: left[keys[index]] for index in group})
    return transfers


def _pairs(left: dict[K, int]) -> list[Transfer[K]]:
    """Take out those who owe exactly what another is owed: some best way always lets them pay each other."""
    transfers = []
    owed: dict[int, list[K]] = {}
    for key, balance in left.items():
        if balance > 0:
            owed.setdefault(balance, []).append(key)
    for payer, balance in list(left.items()):
        payees = owed.get(-balance) if balance < 0 else None
        if payees:
            payee = payees.pop(0)
            del left[payer], left[payee]
            transfers.append(Transfer(payer, payee, -balance))
    return transfers


def _most_groups(amounts: list[int]) -> list[list[int]]:
    """A partition of the amounts' places into as many groups of sum zero as there can be.

    ``best[mask]``: the most prefixes of sum zero over all orders in which the places of ``mask`` can be lined up.
    """
    size = 1 << len(amounts)
    totals = [0] * size
    best = [0] * size
    last = [0] * size
    for mask in range(1, size):
        low = mask & -mask
        totals[mask] = totals[mask ^ low] + amounts[low.bit_length() - 1]
        most, choice, rest = -1, 0, mask
        while rest:
            bit = rest & -rest
            rest ^= bit
            if best[mask ^ bit] > most:
                most, choice = best[mask ^ bit], bit
        best[mask] = most + (totals[mask] == 0)
        last[mask] = choice
    groups: list[list[int]] = []
    mask = size - 1
    while mask:
        if totals[mask] == 0:
            groups.append([])
        groups[-1].append(last[mask].bit_length() - 1)
        mask ^= last[mask]
    return groups


def _chain(group: dict[K, int]) -> list[Transfer[K]]:
    """Settle a group with at most one transfer less than it has people: the largest debt pays the largest claim."""
    transfers = []
    left = dict(group)
    while left:
        payer = min(left, key=lambda key: left[key])
        payee = max(left, key=lambda key: left[key])
        amount = min(-left[payer], left[payee])
        transfers.append(Transfer(payer, payee, amount))
        left[payer] += amount
        left[payee] -= amount
        left = {key: balance for key, balance in left.items() if balance}
    return transfers
