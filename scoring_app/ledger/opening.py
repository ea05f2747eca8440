"""Opening a table, finding it again, and what may change about it without being an entry."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from django.db import transaction
from django.db.models import F

from rules_app import rulings
from rules_app.engine.text import Text
from rules_app.models import Revision
from scoring_app.ledger.errors import InvalidEntry
from scoring_app.ledger.hashing import plain
from scoring_app.ledger.payloads import SITUATION_KEYS
from scoring_app.ledger.ruling import house_number, pool_number
from scoring_app.ledger.values import Json, Situation
from scoring_app.models import ConfirmationPolicy, Participant, Standing, Table
from scoring_app.naming import tidy_name

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MAX_PLAYERS = 12
LARGEST_START = 10**9


def open_table(
    *,
    revision: Revision,
    names: Sequence[str],
    options: Json | None = None,
    title: str = "",
    language: Literal["zh", "en"] = "zh",
    start_points: int = 0,
    start: Json | None = None,
    author: User | None = None,
) -> Table:
    """A new table with its players, house and pool.

    ``names`` in the order of play, one a seat; names beyond the game's seats rest until they change places.
    ``start`` holds those of dealer, streak, round_wind and state that are not as usual.

    :raises InvalidEntry: a name, their number, or the start is not right.
    :raises rules_app.engine.Refusal: an option or carried state that the rules do not know.
    """
    if not revision.is_published:
        raise InvalidEntry("bad_input", Text(zh="只能用已发布的规则开桌。", en="A table needs a published revision."), "revision")
    cleaned = [clean_name(name, f"names[{index}]") for index, name in enumerate(names)]
    document = rulings.ruleset_of(revision).document
    if abs(start_points) > LARGEST_START:
        message = Text(zh="起始分要在正负十亿之间。", en="Start points lie between minus and plus 1,000,000,000.")
        raise InvalidEntry("bad_input", message, "start_points")
    seats = len(cleaned) if document.parties else document.seats
    if not max(2, seats) <= len(cleaned) <= MAX_PLAYERS:
        message = Text(zh=f"这种玩法需要 {seats} 位玩家。", en=f"This game needs {max(2, seats)} players.")
        raise InvalidEntry("bad_input", message, "names")
    if len({name.casefold() for name in cleaned}) < len(cleaned):
        raise InvalidEntry("bad_input", Text(zh="两位玩家不能同名。", en="Two players cannot have the same name."), "names")
    opening = _opening(start or {}, seats)
    _check_with_rules(revision, options or {}, opening)
    with transaction.atomic():
        table = Table.objects.create(
            revision=revision,
            options=plain(options or {}),
            title=title.strip()[:100],
            language=language,
            seats=seats,
            start_points=start_points,
            opening=opening.as_json(),
            created_by=author,
        )
        people = [Participant(table=table, number=seat, name=name, seat=seat) for seat, name in enumerate(cleaned[:seats])]
        people.append(Participant(table=table, number=house_number(seats), name="house", kind=Participant.Kind.HOUSE))
        people.append(Participant(table=table, number=pool_number(seats), name="pool", kind=Participant.Kind.POOL))
        people += [Participant(table=table, number=seats + 2 + index, name=name) for index, name in enumerate(cleaned[seats:])]
        Participant.objects.bulk_create(people)
        Standing.objects.create(table=table, situation=opening.as_json())
    return table


def find_table(public_id: str) -> Table:
    """:raises Table.DoesNotExist: there is none."""
    return Table.objects.select_related("revision__ruleset").defer("revision__document").get(public_id=public_id)


def access_of(table: Table, token: str) -> Literal["scorer", "watch"] | None:
    """What the holder of a secret link may do at this table."""
    given = token.encode()
    may_score = secrets.compare_digest(given, table.scorer_token.encode())
    may_watch = secrets.compare_digest(given, table.watch_token.encode())
    return "scorer" if may_score else "watch" if may_watch else None


def rename_table(*, table: Table, title: str | None = None, names: Mapping[int, str] | None = None) -> None:
    """Another title, and other names of players by their number; all of it or nothing, so that two may swap names.

    :raises InvalidEntry: a name is empty, too long or taken.
    :raises Participant.DoesNotExist: nobody who plays has the number.
    """
    wanted = {number: clean_name(name, "name") for number, name in (names or {}).items()}
    with transaction.atomic():
        for number, name in wanted.items():
            participant = Participant.objects.get(table=table, number=number, kind=Participant.Kind.PLAYER)
            participant.name = name
            participant.save(update_fields=["name"])
        everybody = [name.casefold() for name in Participant.objects.filter(table=table).values_list("name", flat=True)]
        if any(everybody.count(name.casefold()) > 1 for name in wanted.values()):
            raise InvalidEntry("bad_input", Text(zh="两位玩家不能同名。", en="Two players cannot have the same name."), "name")
        if title is not None:
            table.title = title.strip()[:100]
            table.save(update_fields=["title"])
        touch(table)


def set_confirmation(*, table: Table, policy: str) -> None:
    """Who besides the writer has to say that an entry is right: ``none``, another ``device``, another ``person``.

    :raises InvalidEntry: there is no such policy.
    """
    if policy not in ConfirmationPolicy.values:
        names = ", ".join(ConfirmationPolicy.values)
        message = Text(zh=f"确认方式须是 {names} 之一。", en=f"Confirmation must be one of {names}.")
        raise InvalidEntry("bad_input", message, "confirmation")
    with transaction.atomic():
        table.confirmation = policy
        table.save(update_fields=["confirmation"])
        touch(table)


def touch(table: Table) -> None:
    """Tell the pages that poll that something visible has changed."""
    Table.objects.filter(pk=table.pk).update(changes=F("changes") + 1)
    table.refresh_from_db(fields=["changes"])


def _opening(start: Json, seats: int) -> Situation:
    situation = Situation(dealer=0, streak=0, round_wind="1z", state={}, seats=tuple(range(seats)))
    if not start.keys() <= SITUATION_KEYS:
        names = ", ".join(sorted(SITUATION_KEYS))
        raise InvalidEntry("bad_input", Text(zh=f"开局只能指定 {names}。", en=f"The start may name {names}."), "start")
    return situation.overridden(plain(start))


def _check_with_rules(revision: Revision, options: Json, opening: Situation) -> None:
    """Let the rules refuse options and carried state now and not in the first round."""
    table = {key: value for key, value in opening.request_table().items() if value is not None}
    rulings.check_table(revision, {"options": options, "table": table})


def clean_name(name: Any, path: str) -> str:
    return tidy_name(name, path, error=InvalidEntry)
