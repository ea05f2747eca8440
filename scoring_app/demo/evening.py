"""One evening: people come, sit down, play, err, put it right, pay and go home."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from rules_app import rulings
from rules_app.engine.errors import Refusal
from rules_app.models import Revision
from scoring_app.demo.clock import DemoClock
from scoring_app.demo.rounds import Dealer
from scoring_app.ledger import (
    LedgerError,
    Origin,
    Situation,
    answer_dispute,
    begin_round,
    correct_entry,
    preview_correction,
    raise_dispute,
    record_note,
    record_round,
    record_transfer,
    undo_last,
)
from scoring_app.models import Club, Content, Entry, Member, Participant, Season, Session, Standing, Table
from scoring_app.sessions import (
    add_player,
    charge_fees,
    end_session,
    open_balances,
    open_session,
    record_settlement,
    seat_players,
    start_clock,
    substitute,
)

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """An evening as the season's file has it."""

    game: str
    title: str
    tables: int
    rounds: int
    seatings: int = 1
    extra: int = 0
    guests: int = 0
    options: Json = field(default_factory=dict)
    running: bool = False


class Evening:
    """Plays one plan. Every act goes through the functions that the pages use."""

    def __init__(
        self, *, plan: Plan, club: Club, season: Season, revision: Revision, phones: Sequence[str], random: Random, clock: DemoClock
    ) -> None:
        self.plan, self.club, self.season, self.revision = plan, club, season, revision
        self.random, self.clock, self.phones = random, clock, phones
        self.host = Origin(device_id="demo-host", device_label=phones[0], author=club.created_by)
        self.dealer = Dealer(rulings.ruleset_of(revision), plan.options, random)
        self.keys = 0

    def play(self, *, members: Sequence[Member], guests: Sequence[str], starts: datetime) -> Session:
        """The whole evening; ``members`` in the order in which they are asked to come."""
        self.clock.set(starts)
        session = open_session(
            club=self.club,
            season=self.season,
            title=self.plan.title,
            date=starts.date(),
            revision=self.revision,
            options=self.plan.options,
            length_kind="rounds",
            length=self.plan.rounds,
            author=self.club.created_by,
        )
        self._people(session, members, guests)
        for seating in range(self.plan.seatings):
            self.clock.advance(120)
            seat_players(session=session, method="lot" if seating == 0 else "shift", seed=f"{self.random.random()}", origin=self.host)
            self._seating(session, first=seating == 0)
        session.refresh_from_db()
        if self.plan.running:
            self._leave_running(session)
        else:
            self._finish(session)
        return session

    def _people(self, session: Session, members: Sequence[Member], guests: Sequence[str]) -> None:
        seats = rulings.ruleset_of(self.revision).document.seats
        known = self.plan.tables * seats + self.plan.extra - self.plan.guests
        for member in members[:known]:
            add_player(session=session, name=member.name, member=member)
        for name in guests[: self.plan.guests]:
            add_player(session=session, name=name)

    def _seating(self, session: Session, *, first: bool) -> None:
        rounds = self.plan.rounds // self.plan.seatings
        tables = list(session.tables.filter(status=Table.Status.OPEN).order_by("number"))
        for turn in range(rounds):
            self.clock.advance(self.random.randint(240, 480))
            if self.plan.extra and turn in {rounds // 3, 2 * rounds // 3}:
                self._change_one(session, tables[0])
            for table in tables:
                self._round(table)
                self.clock.advance(self.random.randint(20, 90))
        for table in tables if first else []:
            self._slips(table)

    def _round(self, table: Table) -> None:
        situation = Situation.from_json(Standing.objects.get(table=table).situation)
        if None not in situation.seats:
            record_round(**self._place(table), payload=self.dealer.deal(situation))

    def _slips(self, table: Table) -> None:
        """What goes wrong at a table: the last one taken back and written again, a payer mixed up, a penalty, a dispute."""
        last = Content.objects.filter(entry__table=table, entry__kind=Entry.Kind.ROUND).current().order_by("-entry__seq").first()
        if last is not None and self.random.random() < 0.5:
            undo_last(**self._place(table), reason="手滑，重记")
            self.clock.advance(15)
            record_round(**self._place(table), payload=last.payload)
        self._mixed_up_payer(table)
        seated = [number for number in self._seats(table) if number is not None]
        if self.random.random() < 0.6:
            wrong, *others = self.random.sample(seated, len(seated))
            lines = [{"from": wrong, "to": other, "amount": 2} for other in others]
            record_transfer(**self._place(table), lines=lines, text="相公罚分", kind="penalty")
        if self.random.random() < 0.4:
            record_note(**self._place(table), text="中途加茶，停了五分钟")
        if self.random.random() < 0.5 and last is not None:
            self._dispute(table, last.entry.seq)

    def _mixed_up_payer(self, table: Table) -> None:
        """Correct the first round in which somebody else may have been the one who paid."""
        rounds = Content.objects.filter(entry__table=table, entry__kind=Entry.Kind.ROUND, voided=False).current()
        for content in rounds.select_related("entry").order_by("entry__seq")[1:]:
            for payload in self._other_payers(content.payload):
                try:
                    preview_correction(table=table, seq=content.entry.seq, payload=payload)
                except (LedgerError, Refusal):
                    continue
                self.clock.advance(30)
                correct_entry(**self._place(table), seq=content.entry.seq, payload=payload, reason="点炮的人记错了")
                return

    def _other_payers(self, payload: Json) -> Iterator[Json]:
        *before, event = payload["round"]["events"]
        if before or event["type"] != "win" or "from" not in event:
            return
        for seat in self.dealer.seats:
            if seat not in {event["seat"], event["from"]}:
                yield {**payload, "round": {**payload["round"], "events": [{**event, "from": seat}]}}

    def _dispute(self, table: Table, seq: int) -> None:
        watcher = Origin(device_id="demo-watcher", device_label=self.phones[-1])
        dispute = raise_dispute(table=table, seq=seq, text="这一局好像少算了一番", origin=watcher)
        if self.plan.running:
            return
        self.clock.advance(90)
        answer_dispute(dispute=dispute, outcome="rejected", text="看过牌，没有少算", origin=self.host)

    def _change_one(self, session: Session, table: Table) -> None:
        """Whoever rests comes in for somebody; the next change brings that one back for somebody else."""
        waiting = session.players.filter(left_at=None).exclude(pk__in=_sitting(session)).order_by("number").first()
        if waiting is not None:
            seat = self.random.randrange(table.seats)
            substitute(**self._place(table), seat=seat, player=waiting, text="换人")

    def _leave_running(self, session: Session) -> None:
        start_clock(session=session)
        table = session.tables.order_by("number").first()
        if table is not None:
            table.refresh_from_db()
            begin_round(table=table, expected_version=table.version)

    def _finish(self, session: Session) -> None:
        self.clock.advance(300)
        charge_fees(session=session, origin=self.host)
        end_session(session=session, origin=self.host, text="今晚到此为止")
        self.clock.advance(600)
        settle_most(session, self.host, self.random)

    def _seats(self, table: Table) -> list[int | None]:
        return list(Standing.objects.get(table=table).situation["seats"])

    def _place(self, table: Table) -> Json:
        """Which table, at which version, under which key, from which phone."""
        table.refresh_from_db()
        self.keys += 1
        label = self.phones[(table.number or 0) % len(self.phones)]
        now = self.clock.now - timedelta(seconds=1)
        origin = Origin(device_id=f"demo-{table.number}", device_label=label, client_time=now)
        return {"table": table, "expected_version": table.version, "idempotency_key": f"demo-{self.keys}", "origin": origin}


def _sitting(session: Session) -> set[int]:
    """The primary keys of the players who have a seat at some table now."""
    sitting: set[int] = set()
    for standing in Standing.objects.filter(table__session=session):
        seated = [number for number in standing.situation["seats"] if number is not None]
        rows = Participant.objects.filter(table=standing.table_id, number__in=seated).exclude(player=None)
        sitting.update(rows.values_list("player_id", flat=True))
    return sitting


def settle_most(session: Session, origin: Origin, random: Random) -> None:
    """Nearly everybody pays the same evening."""
    for index, transfer in enumerate(open_balances(session).transfers):
        if random.random() < 0.9:
            key = f"demo-settles-{session.pk}-{index}"
            record_settlement(
                session=session, payer=transfer.payer, payee=transfer.payee, amount=transfer.amount, idempotency_key=key, origin=origin
            )
