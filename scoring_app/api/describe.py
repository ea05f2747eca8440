"""Clubs, sessions and statistics as JSON: nothing but texts, numbers, lists and objects, so that an answer can be kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scoring_app.api.schema import sessions as schema
from scoring_app.api.schema.statistics import PaidBody
from scoring_app.jobs import progress_of
from scoring_app.models import Club, Job, Session
from scoring_app.sessions import Penalties, SessionOverview, TableLine
from scoring_app.sessions.settling import Paid, Settlement
from scoring_app.statistics import PatternCount, Person, PlayerPage, Series, StandingLine, Statistics

Json = dict[str, Any]


def describe_club(club: Club, roles: Iterable[str]) -> Json:
    default = club.default_revision
    return {
        "slug": club.slug,
        "name": club.name,
        "language": club.language,
        "variant": default.ruleset.slug if default is not None else None,
        "revision": default.number if default is not None else None,
        "options": club.default_options,
        "confirmation": club.confirmation,
        "table_fee": club.table_fee,
        "roles": sorted(roles),
    }


def describe_session(overview: SessionOverview) -> Json:
    session: Session = overview.session
    return {
        **schema.SessionBrief(session).data,
        "rotation": session.rotation,
        "length_kind": session.length_kind,
        "length": session.length,
        "confirmation": session.confirmation,
        "table_fee": session.table_fee,
        "start_points": session.start_points,
        "options": session.options,
        "players": schema.PlayerBody(overview.players, many=True).data,
        "tables": [describe_line(line) for line in overview.tables],
        "resting": [player.number for player in overview.resting],
    }


def describe_line(line: TableLine) -> Json:
    """A table as its session sees it."""
    table = line.table
    return {
        "id": table.public_id,
        "number": table.number,
        "variant": table.revision.ruleset.slug,
        "version": table.version,
        "closed": table.status == table.Status.CLOSED,
        "rounds": line.end.rounds_played,
        "round_in_progress": line.round_open,
        "ended_by": line.end.reason,
        "disputes": line.disputes,
        "unconfirmed": line.unconfirmed,
        "seats": [
            {
                "seat": seat.seat,
                "number": seat.participant.number if seat.participant is not None else None,
                "name": seat.participant.name if seat.participant is not None else None,
                "total": seat.total,
                "dealer": seat.is_dealer,
            }
            for seat in line.seats
        ],
    }


def describe_clock(overview: SessionOverview) -> Json:
    session = overview.session
    tables = [
        {
            "id": line.table.public_id,
            "number": line.table.number,
            "seconds_left": line.end.clock.seconds_left,
            "ends_at": line.end.clock.ends_at,
            "extra_seconds": line.end.clock.extra_seconds,
        }
        for line in overview.tables
    ]
    facts = {
        "length_kind": session.length_kind,
        "length": session.length,
        "started_at": session.clock_started_at,
        "paused_at": session.clock_paused_at,
        "running": session.clock_started_at is not None and session.clock_paused_at is None,
        "tables": tables,
    }
    return {**schema.ClockBody(facts).data}


def describe_person(person: Person) -> Json:
    return {"key": person.key, "name": person.name}


def describe_settlement(settlement: Settlement, paid: Iterable[Paid]) -> Json:
    return {
        "settled": settlement.is_settled,
        "balances": describe_balances(settlement.balances),
        "transfers": [
            {"payer": describe_person(line.payer), "payee": describe_person(line.payee), "amount": line.amount}
            for line in settlement.transfers
        ],
        "paid": list(PaidBody(paid, many=True).data),
    }


def describe_balances(balances: Iterable[tuple[Person, int]]) -> list[Json]:
    return [{"person": describe_person(person), "balance": balance} for person, balance in balances]


def describe_penalties(penalties: Penalties, language: str) -> Json:
    return {
        "penalties": [
            {
                "table": row.table.public_id,
                "seq": row.entry.seq,
                "time": row.entry.server_time.isoformat(),
                "reason": row.reason.in_language(language),
                "payments": describe_balances(row.payments.items()),
                "voided": row.voided,
                "account": row.entry.author.get_username() if row.entry.author is not None else None,
                "device": row.entry.device_label,
            }
            for row in penalties.rows
        ],
        "totals": describe_balances(penalties.totals.items()),
    }


def describe_statistics(statistics: Statistics, language: str) -> Json:
    return {
        "rounds": statistics.rounds,
        "standings": [describe_standing(line) for line in statistics.standings],
        "people": [describe_person(person) for person in statistics.matrix.people],
        "matrix": [list(row) for row in statistics.matrix.amounts],
        "series": describe_series(statistics.series),
        "patterns": [describe_pattern(count, language) for count in statistics.patterns],
    }


def describe_player(page: PlayerPage, language: str) -> Json:
    return {
        "line": describe_standing(page.line) if page.line is not None else None,
        "games": [{"variant": slug, "line": describe_standing(line)} for slug, _name, line in page.by_ruleset],
        "series": describe_series(page.series),
        "patterns": [describe_pattern(count, language) for count in page.patterns],
        "evenings": [
            {
                "date": evening.sitting.day.isoformat(),
                "session": evening.sitting.session_public_id,
                "table": evening.sitting.public_id,
                "points": evening.points,
                "rounds": evening.rounds,
            }
            for evening in page.sessions
        ],
        "opponents": [{"person": describe_person(person), "won": won} for person, won in page.opponents],
    }


def describe_standing(line: StandingLine) -> Json:
    return {
        "person": describe_person(line.person),
        "points": line.points,
        "balance": line.balance,
        "rounds": line.rounds,
        "wins": line.wins,
        "self_draws": line.self_draws,
        "deal_ins": line.deal_ins,
        "average": line.average,
        "average_position": line.average_position,
        "positions": {str(place): count for place, count in sorted(line.positions.items())},
        "biggest": line.biggest.points if line.biggest is not None else None,
        "fees": line.fees,
        "settled": line.settled,
    }


def describe_series(series: Series) -> list[Json]:
    return [
        {
            "time": point.when.isoformat(),
            "table": point.sitting.public_id,
            "session": point.sitting.session_public_id,
            "seq": point.seq,
            "totals": point.totals,
        }
        for point in series.points
    ]


def describe_pattern(count: PatternCount, language: str) -> Json:
    return {
        "variant": count.ruleset,
        "id": count.id,
        "name": count.name.in_language(language),
        "count": count.count,
        "share": count.share,
    }


def describe_job(job: Job, language: str) -> Json:
    return {
        "id": job.public_id,
        "kind": job.kind,
        "status": job.status,
        "progress": progress_of(job),
        "result": job.result,
        "error": job.error_in(language),
        "created_at": job.created_at.isoformat(),
    }
