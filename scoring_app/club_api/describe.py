"""Clubs, sessions and statistics as JSON: nothing but texts, numbers, lists and objects, so that an answer can be kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scoring_app.club_api import schema
from scoring_app.jobs import progress_of
from scoring_app.models import Club, Job, Session
from scoring_app.sessions import SessionOverview, TableLine
from scoring_app.sessions.settling import Settlement
from scoring_app.statistics import Person, Statistics

Json = dict[str, Any]


def describe_club(club: Club, roles: Iterable[str]) -> Json:
    default = club.default_revision
    return {
        "slug": club.slug,
        "name": club.name,
        "language": club.language,
        "variant": default.ruleset.slug if default is not None else None,
        "revision": default.number if default is not None else None,
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
        "table_fee": session.table_fee,
        "start_points": session.start_points,
        "options": session.options,
        "players": schema.PlayerBody(overview.players, many=True).data,
        "tables": [describe_table(line) for line in overview.tables],
        "resting": [player.number for player in overview.resting],
    }


def describe_table(line: TableLine) -> Json:
    table = line.table
    return {
        "id": table.public_id,
        "number": table.number,
        "variant": table.revision.ruleset.slug,
        "version": table.version,
        "closed": table.status == table.Status.CLOSED,
        "rounds": line.end.rounds_played,
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


def describe_person(person: Person) -> Json:
    return {"key": person.key, "name": person.name}


def describe_settlement(settlement: Settlement) -> Json:
    return {
        "settled": settlement.is_settled,
        "balances": [{"person": describe_person(person), "balance": balance} for person, balance in settlement.balances],
        "transfers": [
            {"payer": describe_person(line.payer), "payee": describe_person(line.payee), "amount": line.amount}
            for line in settlement.transfers
        ],
    }


def describe_statistics(statistics: Statistics, language: str) -> Json:
    return {
        "rounds": statistics.rounds,
        "standings": [
            {
                "person": describe_person(line.person),
                "points": line.points,
                "balance": line.balance,
                "rounds": line.rounds,
                "wins": line.wins,
                "self_draws": line.self_draws,
                "deal_ins": line.deal_ins,
                "average": line.average,
                "positions": {str(place): count for place, count in sorted(line.positions.items())},
                "biggest": line.biggest.points if line.biggest is not None else None,
                "fees": line.fees,
                "settled": line.settled,
            }
            for line in statistics.standings
        ],
        "people": [describe_person(person) for person in statistics.matrix.people],
        "matrix": [list(row) for row in statistics.matrix.amounts],
        "patterns": [
            {
                "variant": count.ruleset,
                "id": count.id,
                "name": count.name.in_language(language),
                "count": count.count,
                "share": count.share,
            }
            for count in statistics.patterns
        ],
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
