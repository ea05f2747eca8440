"""Settling an evening: who pays whom, and the entry that says that it was paid."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from rules_app.engine.text import Text
from scoring_app.errors import SessionError
from scoring_app.ledger import NOBODY, Newcomer, Origin, Recorded, record_transfer
from scoring_app.ledger.entries import add_participants
from scoring_app.ledger.locking import lock_table
from scoring_app.models import Content, Entry, Member, Participant, Session, SessionPlayer, Table
from scoring_app.sessions.locking import lock_this
from scoring_app.sessions.organising import touch_session
from scoring_app.statistics import Person, Transfer, read_facts, settle_up
from scoring_app.statistics.calculation import balances_of
from scoring_app.wording import participant_name

WORDS = {"zh": "结账", "en": "settled"}


@dataclass(frozen=True, slots=True)
class Settlement:
    """Where everybody stands (fees and earlier settlements included, best first), and who has to pay whom."""

    balances: tuple[tuple[Person, int], ...]
    transfers: tuple[Transfer[Person], ...]

    @property
    def is_settled(self) -> bool:
        return not self.transfers


@dataclass(frozen=True, slots=True)
class Paid:
    """A payment that was made: ``payer`` gave ``payee`` the money at a table's entry ``seq``."""

    payer: str
    payee: str
    amount: int
    table: str
    version: int
    seq: int
    time: datetime
    device: str


class SettledAlready(SessionError):
    """The payment is more than what is owed now."""

    status = 409

    def __init__(self, payer: Person, payee: Person, owed: int) -> None:
        zh = (
            f"{payer.name} 和 {payee.name} 之间现在最多还要付 {owed}，请看过再记。"
            if owed
            else f"{payer.name} 付 {payee.name} 的已经结清了。"
        )
        en = (
            f"{payer.name} has to pay {payee.name} {owed} at most by now; look, then enter it."
            if owed
            else f"{payer.name} has nothing to pay to {payee.name} any more; it is settled."
        )
        super().__init__("settled_already", Text(zh=zh, en=en), "amount")


def open_balances(session: Session) -> Settlement:
    """What is still open in a session, all its tables together."""
    return _settlement(balances_of(read_facts(Table.objects.filter(session=session)).facts))


def open_balances_of_table(table: Table) -> Settlement:
    """What is still open at one table."""
    return _settlement(balances_of(read_facts(Table.objects.filter(pk=table.pk)).facts))


def payments_made(tables: QuerySet[Table]) -> list[Paid]:
    """The payments that count, the newest first, in two queries."""
    contents = (
        Content.objects.filter(entry__table__in=tables, entry__kind=Entry.Kind.SETTLEMENT, voided=False)
        .current()
        .select_related("entry__table")
        .prefetch_related("postings__participant")
        .order_by("-entry__server_time", "-entry__pk")
    )
    found = []
    for content in contents:
        entry = content.entry
        sides: dict[int, list[tuple[str, int]]] = {}
        for posting in content.postings.all():
            sides.setdefault(posting.transfer, []).append((participant_name(posting.participant), posting.amount))
        for pair in sides.values():
            # In the book points go back from who won to who lost: the one who is credited is the one who paid.
            payer = next((name for name, amount in pair if amount > 0), "")
            payee, amount = next(((name, -amount) for name, amount in pair if amount < 0), ("", 0))
            found.append(
                Paid(payer, payee, amount, entry.table.public_id, entry.table.version, entry.seq, entry.server_time, entry.device_label)
            )
    return found


def record_settlement(
    *, session: Session, payer: Person, payee: Person, amount: int, idempotency_key: str, origin: Origin = NOBODY
) -> Recorded:
    """``payer``, who owes, has paid ``payee``: in the ledger the points go back the other way.

    The entry is made at a table where both have played, else at one of the payer's, and can be voided there.

    :raises SettledAlready: so much is not owed between them (any more), as when two take the same payment in.
    :raises SessionError: one of them is not of this session.
    """
    with transaction.atomic():
        session = lock_this(session.pk)
        first = Entry.objects.filter(table__session=session, idempotency_key=idempotency_key).select_related("table").first()
        table = first.table if first is not None else _table_of(session, payer, payee)
        locked = lock_table(table)
        if first is None:
            _require_owed(open_balances(session), payer, payee, amount)
        numbers = [_number_of(locked, person) for person in (payer, payee)]
        recorded = _write(
            locked, numbers[0], numbers[1], amount, expected_version=locked.version, idempotency_key=idempotency_key, origin=origin
        )
        touch_session(session)
    return recorded


def settle_table(
    *, table: Table, payer: int, payee: int, amount: int, expected_version: int, idempotency_key: str, origin: Origin = NOBODY
) -> Recorded:
    """Participant ``payer`` of a table, who owes, has paid ``payee``; it stays out of play statistics.

    :raises SettledAlready: so much is not owed between them at this table (any more).
    """
    with transaction.atomic():
        locked = lock_table(table)
        repeated = Entry.objects.filter(table=locked, idempotency_key=idempotency_key).exists()
        if not repeated and locked.version == expected_version:
            people = read_facts(Table.objects.filter(pk=locked.pk)).people
            by_number = {number: people[pk] for pk, number in locked.participants.values_list("pk", "number")}
            if payer in by_number and payee in by_number:
                _require_owed(open_balances_of_table(locked), by_number[payer], by_number[payee], amount)
        return _write(locked, payer, payee, amount, expected_version=expected_version, idempotency_key=idempotency_key, origin=origin)


def _write(table: Table, payer: int, payee: int, amount: int, *, expected_version: int, idempotency_key: str, origin: Origin) -> Recorded:
    return record_transfer(
        table=table,
        lines=[{"from": payee, "to": payer, "amount": amount}],
        text=WORDS[table.language],
        kind="settlement",
        expected_version=expected_version,
        idempotency_key=idempotency_key,
        origin=origin,
    )


def _require_owed(settlement: Settlement, payer: Person, payee: Person, amount: int) -> None:
    balances = dict(settlement.balances)
    owed = max(0, min(-balances.get(payer, 0), balances.get(payee, 0)))
    if amount > owed:
        raise SettledAlready(payer, payee, owed)


def _settlement(balances: dict[Person, int]) -> Settlement:
    ordered = sorted(balances.items(), key=lambda row: (-row[1], row[0].name, row[0].key))
    return Settlement(tuple(ordered), tuple(settle_up(dict(ordered))))


def _table_of(session: Session, payer: Person, payee: Person) -> Table:
    keys = Table.objects.filter(session=session).order_by("pk").values_list("pk", flat=True)
    people = read_facts(Table.objects.filter(session=session)).people
    at: dict[int, set[Person]] = {key: set() for key in keys}
    for participant, table in Participant.objects.filter(table__session=session).values_list("pk", "table_id"):
        at[table].add(people[participant])
    for wanted in ({payer, payee}, {payer}, {payee}):
        for key, found in at.items():
            if wanted <= found and (payer.is_player or payee.is_player):
                _require_known(session, payer, payee, people)
                return Table.objects.get(pk=key)
    raise _stranger(payer)


def _require_known(session: Session, payer: Person, payee: Person, people: dict[int, Person]) -> None:
    known = set(people.values()) | {Person("player", key, "") for key in session.players.values_list("pk", flat=True)}
    for person in (payer, payee):
        if person not in known:
            raise _stranger(person)


def _number_of(table: Table, person: Person) -> int:
    """The number of a person at a table; he joins it without a seat if he has not been there."""
    people = read_facts(Table.objects.filter(pk=table.pk)).people
    for participant in Participant.objects.filter(table=table).order_by("number"):
        if people[participant.pk] == person:
            return participant.number
    player = SessionPlayer.objects.filter(session=table.session_id, pk=person.id).first() if person.kind == "player" else None
    member = Member.objects.filter(pk=person.id).first() if person.kind == "member" else None
    if player is None and member is not None:
        player = SessionPlayer.objects.filter(session=table.session_id, member=member).first()
    taken = {name.casefold() for name in table.participants.values_list("name", flat=True)}
    name = next(name for name in (person.name, *(f"{person.name[:36]} {more}" for more in range(2, 99))) if name.casefold() not in taken)
    number = table.participants.count()
    add_participants(table, [Newcomer(name, player=player, member=member)])
    return number


def _stranger(person: Person) -> SessionError:
    message = Text(zh=f"{person.name} 不在这一场。", en=f"{person.name} is not of this session.")
    return SessionError("not_here", message, "payer")
