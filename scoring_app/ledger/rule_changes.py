"""Moving a table to another revision of its rules, or to other options, after seeing what would change."""

from __future__ import annotations

from rules_app import rulings
from rules_app.engine.text import Text
from rules_app.models import Revision
from scoring_app.ledger.corrections import replay_edits
from scoring_app.ledger.errors import InvalidEntry, NotAllowed
from scoring_app.ledger.hashing import plain
from scoring_app.ledger.records import Record, read_records
from scoring_app.ledger.replay import Edit, Replay
from scoring_app.ledger.ruling import Ruling
from scoring_app.ledger.values import NOBODY, Change, Json, Origin, Recorded
from scoring_app.ledger.writing import Plan, Rules, require_open, write
from scoring_app.models import Content, Entry, Table


def move_to_revision(
    *,
    table: Table,
    revision: Revision,
    options: Json | None = None,
    rescore_from: int | None = None,
    reason: str = "",
    expected_version: int,
    idempotency_key: str,
    origin: Origin = NOBODY,
) -> Recorded:
    """Play by ``revision`` and ``options`` (None: those of the table) from now on.

    With ``rescore_from`` what was played from that entry on is ruled by them as well, in the same entry; without it
    everything keeps the rules that it was played by.

    :raises NotAllowed: the rules are these already, or are another kind of game.
    :raises FollowingRefused: something that was played is impossible by these rules.
    :raises rules_app.engine.Refusal: an option or the carried state that the rules do not know.
    """
    chosen = plain(table.options if options is None else options)

    def plan(locked: Table) -> Plan:
        require_open(locked, Entry.Kind.RULES)
        rules = Rules(revision, chosen)
        _check(locked, rules, rescores=rescore_from is not None)
        played = _played(locked, read_records(locked), rules, rescore_from)
        rulings.check_table(revision, {"options": chosen, "table": {"state": played.situation.state}})
        payload = {
            "revision": revision.content_hash,
            "options": chosen,
            "from": {"revision": locked.revision.content_hash, "options": locked.options},
        }
        return Plan(
            kind=Entry.Kind.RULES,
            situation=played.situation,
            totals=played.totals,
            payload=payload,
            ruling=Ruling(played.situation, played.situation),
            contents=played.contents,
            reason=reason,
            rules=rules,
        )

    body = {"kind": "rules", "revision": revision.content_hash, "options": chosen, "rescore_from": rescore_from, "reason": reason}
    return write(table=table, key=idempotency_key, body=body, expected_version=expected_version, origin=origin, plan=plan)


def preview_revision(*, table: Table, revision: Revision, options: Json | None = None, rescore_from: int = 1) -> list[Change]:
    """The entries that would come to something else if they were ruled by these rules; nothing is written.

    :raises FollowingRefused, NotAllowed, rules_app.engine.Refusal: as the move would.
    """
    rules = Rules(revision, plain(table.options if options is None else options))
    _check(table, rules, rescores=True)
    played = _played(table, read_records(table), rules, rescore_from)
    changes = [new.as_change() for new in played.contents]
    return [change for change in changes if _differs(change)]


def _differs(change: Change) -> bool:
    old, new = change.before, change.after
    return old.payments != new.payments or old.after != new.after or old.summary != new.summary


def _played(table: Table, records: list[Record], rules: Rules, rescore_from: int | None) -> Replay:
    edits = {}
    for record in records:
        if rescore_from is None or record.seq < rescore_from or not record.contents:
            continue
        content = record.current
        if "round" in content.payload and not content.voided:
            edits[record.seq] = Edit(
                content.payload, revision=rules.revision, options=rules.options, follows=True, cause=Content.Cause.RESCORED
            )
    return replay_edits(table, records, edits)


def _check(table: Table, rules: Rules, *, rescores: bool) -> None:
    if not rules.revision.is_published:
        raise InvalidEntry("bad_input", Text(zh="只能换成已发布的规则。", en="A table needs a published revision."), "revision")
    if not rescores and (rules.revision.pk, rules.options) == (table.revision_id, table.options):
        raise NotAllowed("nothing_changed", Text(zh="这一桌已经在用这套规则。", en="The table plays by these rules already."), "revision")
    old, new = (rulings.ruleset_of(revision).document for revision in (table.revision, rules.revision))
    if (old.parties is None) != (new.parties is None) or (new.parties is None and old.seats != new.seats):
        message = Text(zh="两种玩法的座位不同，请另开一桌。", en="The two games are not played on the same seats; open another table.")
        raise NotAllowed("other_seats", message, "revision")
    rulings.check_table(rules.revision, {"options": rules.options, "table": {}})
