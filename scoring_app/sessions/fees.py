"""Table fees: what everybody who has played pays the house, once an evening."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from typing import TypeVar

from django.db import transaction

from rules_app.engine.text import Text
from scoring_app.errors import SessionError
from scoring_app.ledger import NOBODY, Origin, Recorded, record_transfer
from scoring_app.ledger.locking import lock_table
from scoring_app.models import Content, Entry, Participant, Session, Standing, Table
from scoring_app.sessions.locking import lock_session

FEE_KEY = "table-fee"
Person = TypeVar("Person", bound=Hashable)


def charge_fees(
    *,
    session: Session | None = None,
    table: Table | None = None,
    amount: int | None = None,
    total: int | None = None,
    origin: Origin = NOBODY,
) -> list[Recorded]:
    """Whoever has played at a table (at any of a session) pays the house ``amount``, by default the session's fee, or a
    share of ``total``.

    One entry for each table.  Whoever was charged already in this session is left out, unless that entry was voided; who
    sat at several tables pays at the first.

    :raises SessionError: both ``amount`` and ``total`` are given.
    """
    if amount is not None and total is not None:
        message = Text(zh="每人多少和一共多少，只能给一个。", en="Give either what each pays or what all pay together, not both.")
        raise SessionError("bad_input", message, "total")
    with transaction.atomic():
        lock_session(session.pk if session is not None else None)
        dues = _dues(session, table)
        each = amount if amount is not None else _fee_of(session, table)
        shares = split_evenly(total, _winners_first(dues)) if total is not None and dues else dict.fromkeys(dues, each)
        at_tables: dict[Table, list[tuple[int, int]]] = defaultdict(list)
        for person, (one, number) in dues.items():
            if shares[person] > 0:
                at_tables[one].append((number, shares[person]))
        return [_charge(one, payers, origin) for one, payers in at_tables.items()]


def count_owing(session: Session) -> int:
    """How many people have played in a session and were not charged so far; three queries."""
    return len(_dues(session, None))


def split_evenly(total: int, people: Sequence[Person]) -> dict[Person, int]:
    """Shares of a sum that differ by one at the most; the odd units fall on the first.

    >>> split_evenly(8, ["a", "b", "c"])
    {'a': 3, 'b': 3, 'c': 2}
    """
    share, odd = divmod(total, len(people))
    return {person: share + (place < odd) for place, person in enumerate(people)}


def _charge(table: Table, payers: list[tuple[int, int]], origin: Origin) -> Recorded:
    locked = lock_table(table)
    house = Participant.objects.values_list("number", flat=True).get(table=locked, kind=Participant.Kind.HOUSE)
    return record_transfer(
        table=locked,
        lines=[{"from": number, "to": house, "amount": due} for number, due in payers],
        text={"zh": "台费", "en": "table fee"}[locked.language],
        kind="fee",
        expected_version=locked.version,
        idempotency_key=f"{FEE_KEY}-{locked.entries.filter(idempotency_key__startswith=FEE_KEY).count()}",
        origin=origin,
    )


def _fee_of(session: Session | None, table: Table | None) -> int:
    of = session or (table.session if table is not None else None)
    return of.table_fee if of is not None else 0


Dues = dict[Hashable, tuple[Table, int]]
"""Where each person who owes a fee pays it: the table, and the participant's number there."""


def _dues(session: Session | None, table: Table | None) -> Dues:
    of = session or (table.session if table is not None else None)
    tables = {one.pk: one for one in (of.tables.order_by("number") if of is not None else [table] if table is not None else [])}
    people: dict[tuple[int, int], Hashable] = {
        (at, number): player or (at, number)
        for at, number, player in Participant.objects.filter(table__in=tables).values_list("table", "number", "player")
    }
    played: dict[int, set[int]] = defaultdict(set)
    charged: set[Hashable] = set()
    contents = Content.objects.filter(entry__table__in=tables, voided=False).current()
    for at, before in contents.filter(entry__kind=Entry.Kind.ROUND).values_list("entry__table", "before"):
        played[at].update(number for number in before["seats"] if number is not None)
    fees = contents.filter(entry__kind=Entry.Kind.FEE, entry__idempotency_key__startswith=FEE_KEY)
    for at, payload in fees.values_list("entry__table", "payload"):
        charged.update(people[at, line["from"]] for line in payload["lines"])
    dues: Dues = {}
    for at in tables if session is not None else [table.pk] if table is not None else []:
        for number in sorted(played[at]):
            person = people[at, number]
            if person not in charged:
                dues.setdefault(person, (tables[at], number))
    return dues


def _winners_first(dues: Dues) -> list[Hashable]:
    """Who has won most where he pays comes first, so that the odd units of a sum fall where they hurt least."""
    won: Counter[Hashable] = Counter()
    totals = dict(Standing.objects.filter(table__in={table.pk for table, _ in dues.values()}).values_list("table", "totals"))
    for person, (table, number) in dues.items():
        won[person] = totals[table.pk].get(str(number), 0)
    return sorted(dues, key=lambda person: -won[person])
