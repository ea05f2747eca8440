"""After play: who pays whom so that nobody owes anything, one tap each, and back."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404, HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from rules_app.engine.text import Text
from scoring_app.club_views.asking import Problem, attempt, whole
from scoring_app.errors import SessionError
from scoring_app.ledger import Origin, void_entry
from scoring_app.models import Entry, Participant, Table
from scoring_app.session_views.at_table import ToolVisit, at_the_table
from scoring_app.session_views.visits import SessionVisit, in_session
from scoring_app.sessions import (
    Paid,
    Settlement,
    open_balances,
    open_balances_of_table,
    payments_made,
    record_settlement,
    settle_table,
)
from scoring_app.statistics import read_facts
from scoring_app.wording import participant_name


@require_safe
@in_session("view_statistics")
def settle(visit: SessionVisit) -> HttpResponse:
    """The fewest payments that settle the evening, and those that were made."""
    return settle_page(visit)


def settle_page(visit: SessionVisit, problem: Problem | None = None) -> HttpResponse:
    context = settle_context(open_balances(visit.session), payments_made(Table.objects.filter(session=visit.session)))
    context |= {"pay_url": visit.url("session_pay"), "unpay_url": visit.url("session_unpay"), "problem": problem}
    return visit.page("settle.html", context, status=problem.status if problem else 200)


def settle_context(settlement: Settlement, done: list[Paid]) -> dict[str, Any]:
    """What `session/parts/settle.html` shows."""
    count = len(settlement.transfers)
    transfers = [
        {
            "payer": participant_name(line.payer),
            "payee": participant_name(line.payee),
            "from": line.payer.key,
            "to": line.payee.key,
            "amount": line.amount,
            "key": uuid.uuid4().hex,
        }
        for line in settlement.transfers
    ]
    return {
        "transfers": transfers,
        "balances": [(participant_name(person), amount) for person, amount in settlement.balances],
        "headline": ngettext("%(count)s payment settles %(people)s people", "%(count)s payments settle %(people)s people", count)
        % {"count": count, "people": sum(1 for _person, amount in settlement.balances if amount)},
        "settled": done,
        "undo_key": uuid.uuid4().hex,
        "anything": bool(transfers or done),
    }


@require_POST
@in_session("settle")
def pay(visit: SessionVisit) -> HttpResponse:
    """This payment was made."""
    data = visit.request.POST
    people = {person.key: person for person, _amount in open_balances(visit.session).balances}
    payer, payee = people.get(str(data.get("payer"))), people.get(str(data.get("payee")))
    if payer is None or payee is None:
        raise Http404("payer")

    def write() -> None:
        key = str(data.get("key") or "")
        if not key:
            raise SessionError("bad_input", Text(zh="请重新打开本页再试。", en="Reload the page and try again."), "key")
        record_settlement(
            session=visit.session, payer=payer, payee=payee, amount=whole(data, "amount"), idempotency_key=key, origin=visit.origin
        )

    problem = attempt(write)
    if problem:
        return settle_page(visit, problem)
    said = _("%(payer)s paid %(payee)s %(amount)s.") % {
        "payer": participant_name(payer),
        "payee": participant_name(payee),
        "amount": whole(data, "amount"),
    }
    return visit.done(said, "session_settle")


@require_POST
@in_session("settle")
def unpay(visit: SessionVisit) -> HttpResponse:
    """It was not made after all: an entry that everybody can see takes it back."""
    table = visit.table(str(visit.request.POST.get("table") or ""))
    problem = attempt(lambda: take_back(table, visit.request.POST, visit.origin))
    return settle_page(visit, problem) if problem else visit.done(_("The payment is taken back."), "session_settle")


def take_back(table: Table, data: QueryDict, origin: Origin) -> None:
    """:raises SessionError: the entry is no payment; :raises LedgerError: the table has moved on."""
    seq = whole(data, "seq", default=-1)
    if not Entry.objects.filter(table=table, seq=seq, kind=Entry.Kind.SETTLEMENT).exists():
        raise SessionError("bad_input", Text(zh="没有这笔结账。", en="There is no such payment."), "seq")
    void_entry(
        table=table,
        seq=seq,
        reason=_("Payment taken back"),
        expected_version=whole(data, "version", default=-1),
        idempotency_key=str(data.get("key") or ""),
        origin=origin,
    )


@require_http_methods(["GET", "POST"])
@at_the_table("settle")
def at_one_table(visit: ToolVisit) -> HttpResponse:
    """The same for a single table.  POST is a payment, or with ``seq`` takes one back."""
    data, table = visit.request.POST, visit.table
    problem: Problem | None = None
    if visit.request.method == "POST":
        act = (lambda: take_back(table, data, visit.origin)) if "seq" in data else (lambda: _pay_at(visit))
        problem = attempt(act)
        if problem is None:
            return visit.done(_("The payment is taken back.") if "seq" in data else _("Recorded."), "table_settle")
    table.refresh_from_db()
    context = settle_context(open_balances_of_table(table), payments_made(Table.objects.filter(pk=table.pk)))
    context |= {"pay_url": visit.url("table_settle"), "unpay_url": visit.url("table_settle"), "problem": problem}
    return visit.page("settle.html", context, status=problem.status if problem else 200)


def _pay_at(visit: ToolVisit) -> None:
    data, table = visit.request.POST, visit.table
    key = str(data.get("key") or "")
    people = read_facts(Table.objects.filter(pk=table.pk)).people
    numbers = {people[pk].key: number for pk, number in Participant.objects.filter(table=table).values_list("pk", "number")}
    payer, payee = numbers.get(str(data.get("payer"))), numbers.get(str(data.get("payee")))
    if payer is None or payee is None or not key:
        raise SessionError("bad_input", Text(zh="请重新打开本页再试。", en="Reload the page and try again."), "payer")
    first = Entry.objects.filter(table=table, idempotency_key=key).first()
    table.refresh_from_db()
    settle_table(
        table=table,
        payer=payer,
        payee=payee,
        amount=whole(data, "amount"),
        # What is owed was worked out from the book as it is; a repeat names the version of the first time.
        expected_version=first.seq - 1 if first is not None else table.version,
        idempotency_key=key,
        origin=visit.origin,
    )
