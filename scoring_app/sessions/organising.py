"""A session and its players: opening it, its code, joining and leaving."""

from __future__ import annotations

import datetime
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, Literal

from django.db import IntegrityError, transaction
from django.db.models import F, Max
from django.utils import timezone

from rules_app import rulings
from rules_app.engine.errors import Refusal
from rules_app.engine.text import Text
from rules_app.models import Revision
from scoring_app.clubs import defaults_of
from scoring_app.errors import SessionError
from scoring_app.models import Club, ConfirmationPolicy, LengthKind, Member, Season, Session, SessionPlayer, Table
from scoring_app.models.session import new_join_code
from scoring_app.naming import tidy_name
from scoring_app.sessions.locking import lock_this

if TYPE_CHECKING:
    from django.contrib.auth.models import User

CODE_MINUTES = 240
MOST_PLAYERS = 200
LONGEST: Final = {LengthKind.ROUNDS: 1000, LengthKind.CLOCK: 24 * 60}


def open_session(
    *,
    club: Club | None = None,
    season: Season | None = None,
    title: str = "",
    date: datetime.date | None = None,
    language: str | None = None,
    revision: Revision | None = None,
    options: dict[str, Any] | None = None,
    start_points: int = 0,
    length_kind: str = LengthKind.NONE,
    length: int = 0,
    confirmation: str | None = None,
    table_fee: int | None = None,
    author: User | None = None,
) -> Session:
    """A new session; what is not said is as in its season, else as in its club.

    :raises SessionError: no rules are chosen, or something is not right.
    """
    if season is not None:
        club = club or season.club
        if season.club_id != club.pk:
            message = Text(zh="赛季不属于这个俱乐部。", en="The season is another club's.")
            raise SessionError("bad_input", message, "season")
    if revision is None and club is not None:
        defaults = defaults_of(club, season)
        revision = defaults.revision
        options = defaults.options if options is None else options
    if revision is None:
        raise SessionError("no_rules", Text(zh="请先选规则。", en="Choose the rules first."), "revision")
    session = Session(
        club=club,
        season=season,
        title=" ".join(title.split())[:100],
        date=date or timezone.localdate(),
        language=language or (club.language if club else "zh"),
        revision=revision,
        options=options or {},
        start_points=start_points,
        confirmation=confirmation or (club.confirmation if club else ConfirmationPolicy.NONE),
        table_fee=table_fee if table_fee is not None else (club.table_fee if club else 0),
        join_code_expires=timezone.now() + timedelta(minutes=CODE_MINUTES),
        created_by=author,
    )
    _set_length(session, length_kind, length)
    _check(session)
    _save_with_code(session, None)
    return session


def edit_session(
    *,
    session: Session,
    title: str | None = None,
    date: datetime.date | None = None,
    revision: Revision | None = None,
    options: dict[str, Any] | None = None,
    start_points: int | None = None,
    length_kind: str | None = None,
    length: int | None = None,
    confirmation: str | None = None,
    table_fee: int | None = None,
    open_tables: bool = False,
) -> Session:
    """Change what later tables start with; tables that are open keep what they have, but for the length with ``open_tables``."""
    with transaction.atomic():
        session = lock_this(session.pk)
        if title is not None:
            session.title = " ".join(title.split())[:100]
        session.date = date or session.date
        if revision is not None:
            same = revision.ruleset_id == session.revision.ruleset_id
            session.revision, session.options = revision, session.options if same else {}
        session.options = session.options if options is None else options
        session.start_points = session.start_points if start_points is None else start_points
        session.confirmation = confirmation or session.confirmation
        session.table_fee = session.table_fee if table_fee is None else table_fee
        _set_length(session, length_kind or session.length_kind, session.length if length is None else length)
        _check(session)
        session.changes += 1
        session.save()
        if open_tables:
            tables = session.tables.filter(status=Table.Status.OPEN)
            tables.update(length_kind=session.length_kind, length=session.length, changes=F("changes") + 1)
    return session


def find_session(public_id: str) -> Session:
    """:raises Session.DoesNotExist: there is none."""
    rows = Session.objects.select_related("club", "season", "revision__ruleset").defer("revision__document")
    return rows.get(public_id=public_id)


def session_access(session: Session, token: str) -> Literal["host", "watch"] | None:
    """What the holder of a secret link may do in this session."""
    given = token.encode()
    hosts = secrets.compare_digest(given, session.host_token.encode())
    watches = secrets.compare_digest(given, session.watch_token.encode())
    return "host" if hosts else "watch" if watches else None


def touch_session(session: Session) -> None:
    """Tell the pages that poll that something visible has changed."""
    Session.objects.filter(pk=session.pk).update(changes=F("changes") + 1)
    session.refresh_from_db(fields=["changes"])


def renew_join_code(*, session: Session, minutes: int = CODE_MINUTES) -> Session:
    """A new code; the old one no longer works."""
    if not 1 <= minutes <= 7 * 24 * 60:
        message = Text(zh="入场码可用 1 分钟到 7 天。", en="A code lasts between a minute and seven days.")
        raise SessionError("bad_input", message, "minutes")
    session.join_code_expires = timezone.now() + timedelta(minutes=minutes)
    session.changes += 1
    _save_with_code(session, ["join_code", "join_code_expires", "changes"])
    return session


def find_by_code(code: str) -> Session:
    """:raises Session.DoesNotExist: no session has this code now."""
    tidy = "".join(code.split()).lower()
    session = Session.objects.select_related("club", "revision__ruleset").defer("revision__document").get(join_code=tidy)
    if not session.is_code_open:
        raise Session.DoesNotExist(code)
    return session


def join_by_code(*, code: str, name: str = "", account: User | None = None, device_id: str = "") -> SessionPlayer:
    """Join with the code on the wall. Whoever comes again, by account or by device and name, is who he was.

    :raises Session.DoesNotExist: no session has this code now; :raises SessionError: the name is taken.
    """
    session = find_by_code(code)
    member = None
    if session.club is not None and account is not None:
        member = Member.objects.active().filter(club=session.club, account=account).first()
    if not name.strip() and (member or account):
        name = member.name if member else account.get_full_name() or account.get_username() if account else ""
    return add_player(session=session, name=name, member=member, device_id=device_id)


def add_player(*, session: Session, name: str, member: Member | None = None, device_id: str = "") -> SessionPlayer:
    """Someone more plays; may come late.

    :raises SessionError: the name is taken, or the session is over.
    """
    name = tidy_name(name, "name", error=SessionError)
    with transaction.atomic():
        session = lock_this(session.pk)
        if session.status == Session.Status.ENDED:
            raise SessionError("ended", Text(zh="这一场已经结束。", en="This session is over."))
        if member is not None and member.club_id != session.club_id:
            raise SessionError("bad_input", Text(zh="这位成员不属于这个俱乐部。", en="This member is another club's."), "member")
        known = SessionPlayer.objects.filter(session=session, member=member).first() if member else None
        same_name = SessionPlayer.objects.filter(session=session, name__iexact=name).first()
        if known is None and same_name is not None:
            known = same_name if _is_the_same(same_name, member, device_id) else None
            if known is None:
                message = Text(zh=f"这一场已有 {name}。", en=f"The session has a {name} already.")
                raise SessionError("name_taken", message, "name")
        if known is not None:
            known.left_at = None
            known.member = known.member or member
            known.device_id = device_id[:64] or known.device_id
            known.save(update_fields=["left_at", "member", "device_id"])
            known.participants.filter(member=None).update(member=known.member)
            touch_session(session)
            return known
        last: int | None = session.players.aggregate(last=Max("number"))["last"]
        if (last or 0) >= MOST_PLAYERS:
            message = Text(zh=f"一场最多 {MOST_PLAYERS} 人。", en=f"A session has {MOST_PLAYERS} players at most.")
            raise SessionError("full", message)
        player = SessionPlayer.objects.create(session=session, number=(last or 0) + 1, name=name, member=member, device_id=device_id[:64])
        touch_session(session)
    return player


def rename_player(*, player: SessionPlayer, name: str) -> SessionPlayer:
    """The name changes at every table as well.

    :raises SessionError: it is taken.
    """
    name = tidy_name(name, "name", error=SessionError)
    with transaction.atomic():
        session = lock_this(player.session_id)
        if session.players.filter(name__iexact=name).exclude(pk=player.pk).exists():
            raise SessionError("name_taken", Text(zh=f"这一场已有 {name}。", en=f"The session has a {name} already."), "name")
        player.name = name
        player.save(update_fields=["name"])
        player.participants.update(name=name)
        Table.objects.filter(participants__player=player).update(changes=F("changes") + 1)
        touch_session(session)
    return player


def return_to_session(*, player: SessionPlayer) -> SessionPlayer:
    """Back after leaving, without a seat for now."""
    with transaction.atomic():
        player.left_at = None
        player.save(update_fields=["left_at"])
        touch_session(player.session)
    return player


def _is_the_same(known: SessionPlayer, member: Member | None, device_id: str) -> bool:
    """Whether somebody who gives a name that is there already is that player."""
    if member is not None:
        return known.member_id in {None, member.pk}
    return bool(device_id) and known.device_id == device_id[:64]


def _set_length(session: Session, kind: str, length: int) -> None:
    session.length_kind, session.length = checked_length(kind, length)


def checked_length(kind: str, length: int) -> tuple[str, int]:
    """:raises SessionError: there is no such length."""
    if kind not in LengthKind.values:
        names = ", ".join(LengthKind.values)
        raise SessionError("bad_input", Text(zh=f"长度类型须是 {names} 之一。", en=f"The length must be one of {names}."), "length_kind")
    if kind == LengthKind.NONE:
        return kind, 0
    longest = LONGEST[LengthKind(kind)]
    if not 1 <= length <= longest:
        message = Text(zh=f"长度须在 1 到 {longest} 之间。", en=f"The length must lie between 1 and {longest}.")
        raise SessionError("bad_input", message, "length")
    return kind, length


def _check(session: Session) -> None:
    """What cannot be played is refused now and not at the first table."""
    if session.language not in {"zh", "en"}:
        raise SessionError("bad_input", Text(zh="语言须是 zh 或 en。", en="The language must be zh or en."), "language")
    if session.confirmation not in ConfirmationPolicy.values:
        names = ", ".join(ConfirmationPolicy.values)
        raise SessionError("bad_input", Text(zh=f"确认方式须是 {names} 之一。", en=f"Confirmation must be one of {names}."), "confirmation")
    if abs(session.start_points) > 10**9 or not 0 <= session.table_fee <= 10**9:
        raise SessionError("bad_input", Text(zh="起始分或台费过大。", en="The start points or the fee are out of bounds."), "start_points")
    if not session.revision.is_published:
        raise SessionError("bad_input", Text(zh="只能用已发布的规则。", en="A session needs a published revision."), "revision")
    try:
        rulings.check_table(session.revision, {"options": session.options, "table": {}})
    except Refusal as refusal:
        raise SessionError(refusal.code, refusal.message, "options") from refusal


def _save_with_code(session: Session, fields: list[str] | None) -> None:
    """Save under a code that no other session has."""
    for attempt in range(20):
        session.join_code = new_join_code()
        try:
            with transaction.atomic():
                session.save(update_fields=fields)
        except IntegrityError:
            if attempt == 19:
                raise
        else:
            return
