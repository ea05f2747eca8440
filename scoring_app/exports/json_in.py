"""Reading an exported document back: looked at first, then written whole or not at all."""

from __future__ import annotations

import datetime
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User as Account
from django.db import DatabaseError, models, transaction
from django.utils import timezone
from pydantic import ValidationError

from rules_app import rulings
from rules_app.engine.errors import Refusal
from rules_app.engine.text import Text
from rules_app.models import Revision
from scoring_app.exports.documents import (
    DocumentError,
    EntryPart,
    RevisionPart,
    SessionDocument,
    SessionPart,
    TableDocument,
    TablePart,
    Who,
)
from scoring_app.exports.marks_in import marks_fit, restore_marks
from scoring_app.exports.rules_in import bring_rules
from scoring_app.ledger import LedgerError, Line, UnbalancedRuling, verify_table
from scoring_app.ledger.restoring import Written, chain, restore_entries
from scoring_app.models import (
    Club,
    Content,
    Entry,
    ExtraTime,
    Member,
    Participant,
    Provenance,
    SeatDraw,
    Session,
    SessionPlayer,
    Standing,
    Table,
)
from scoring_app.models.table import new_public_id

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Document = TableDocument | SessionDocument


@dataclass(frozen=True, slots=True)
class ImportedTable:
    """``kept``: id and hashes are those of the source; ``totals`` by name, start points included."""

    public_id: str
    title: str
    number: int | None
    game: str
    entries: int
    totals: tuple[tuple[str, int], ...]
    kept: bool


@dataclass(frozen=True, slots=True)
class Imported:
    """What came in, or would: a session with its tables, or one table."""

    session: str | None
    title: str
    date: datetime.date | None
    tables: tuple[ImportedTable, ...]
    players: int
    matched: tuple[str, ...]
    """Names that are members of the club."""
    rules: tuple[Text, ...] = ()
    """Rules that were not here, and come along."""


def read_document(data: bytes | str) -> Document:
    """:raises DocumentError: it is no export of ours, or its form is not right."""
    try:
        facts = json.loads(data)
        text = json.dumps(facts, ensure_ascii=False)
        text.encode()  # half of a surrogate pair is no character
    except (ValueError, RecursionError) as error:
        raise _wrong("文件不是 JSON。", "The file is no JSON.") from error
    if "\\u0000" in text.replace("\\\\", ""):
        raise _wrong("文字中含有空字符。", "A text holds a null character.")
    kind = facts.get("format") if isinstance(facts, dict) else None
    shapes: dict[Any, type[Document]] = {"mahjong-referee/table": TableDocument, "mahjong-referee/session": SessionDocument}
    shape = shapes.get(kind) if isinstance(kind, str) else None
    if shape is None:
        raise _wrong("这不是本站导出的一桌或一场。", "This is no table or session exported from a site like this one.", "format")
    try:
        document: Document = shape.model_validate(facts)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        path = ".".join(map(str, first["loc"]))
        raise _wrong(f"{path} 处不对：{first['msg']}。", f"At {path}: {first['msg']}.", path) from error
    return document


def preview_document(document: Document, *, club: Club | None = None, account: User | None = None) -> Imported:
    """What importing it would do; nothing is written.

    :raises DocumentError: as the import would.
    """
    with transaction.atomic():
        imported = _write(document, club, account)
        transaction.set_rollback(True)
    return imported


def import_document(document: Document, *, club: Club | None = None, account: User | None = None) -> Imported:
    """Write it: into ``club``, whose members are found by name, or on its own.

    :raises DocumentError: a rule is not on this site, the file was changed, or its ledger does not verify.
    """
    with transaction.atomic():
        return _write(document, club, account)


def _write(document: Document, club: Club | None, account: User | None) -> Imported:
    importer = _Importer(document.revisions, document.members, club, account)
    if isinstance(document, TableDocument):
        return importer.single(document.table)
    return importer.session(document.session)


class _Importer:
    def __init__(self, revisions: dict[str, RevisionPart], members: dict[str, str], club: Club | None, account: User | None) -> None:
        self.club, self.account = club, account
        self.revisions, brought = bring_rules(revisions, club=club, account=account)
        self.brought = tuple(Text(zh=f"{one.ruleset.name_zh} #{one.number}", en=f"{one.ruleset.name_en} #{one.number}") for one in brought)
        known = {member.name.casefold(): member for member in Member.objects.active().filter(club=club)} if club is not None else {}
        self.members = {key: known[name.casefold()] for key, name in members.items() if name.casefold() in known}
        self.accounts: dict[int, User] = {}

    def single(self, part: TablePart) -> Imported:
        table = self.table(part, None, {})
        return Imported(None, part.title, None, (table,), 0, tuple(member.name for member in self.members.values()), self.brought)

    def session(self, part: SessionPart) -> Imported:
        season = self.club.seasons.filter(name=part.season).first() if self.club is not None and part.season else None
        session = Session(
            public_id=_free_id(Session, part.id),
            club=self.club,
            season=season,
            title=part.title,
            language=part.language,
            date=datetime.date.fromisoformat(part.date),
            status=part.status,
            revision=self.revision(part.revision, "session.revision"),
            options=part.options,
            start_points=part.start_points,
            length_kind=part.length_kind,
            length=part.length,
            confirmation=part.confirmation,
            table_fee=part.table_fee,
            rotation=part.rotation,
            clock_started_at=_when(part.clock.started_at) if part.clock else None,
            clock_paused_at=_when(part.clock.paused_at) if part.clock else None,
            clock_paused_seconds=part.clock.paused_seconds if part.clock else 0,
            started_at=_when(part.started_at),
            ended_at=_when(part.ended_at),
            join_code_expires=timezone.now(),
            created_by=self.account,
        )
        _insert(session, "session")
        players: dict[int, SessionPlayer] = {}
        for line in part.players:
            member = self.members.get(line.member or "")
            if member is not None and any(player.member_id == member.pk for player in players.values()):
                member = None
            left = _when(line.left_at)
            player = SessionPlayer(session=session, number=line.number, name=line.name, member=member, left_at=left)
            _insert(player, f"session.players[{line.number}]")
            players[line.number] = player
        for draw in part.draws:
            row = SeatDraw(
                session=session, rotation=draw.rotation, method=draw.method, seed=draw.seed,
                seating=draw.seating.model_dump(),
                device_label=draw.device_label, made_at=_when(draw.made_at),
            )  # fmt: skip
            _insert(row, "session.draws", raw=True)
        tables = tuple(self.table(line, session, players) for line in part.tables)
        matched = tuple(player.name for player in players.values() if player.member_id)
        return Imported(session.public_id, part.title, session.date, tables, len(players), matched, self.brought)

    def table(self, part: TablePart, session: Session | None, players: dict[int, SessionPlayer]) -> ImportedTable:
        place = f"{part.number or part.id}"
        source_hashes = self._check_chain(part, place)
        table = Table(
            public_id=_free_id(Table, part.id),
            title=part.title,
            language=part.language,
            session=session,
            number=part.number if session is not None else None,
            revision=self.revision(part.revision, "table.revision"),
            options=part.options,
            seats=part.seats,
            start_points=part.start_points,
            length_kind=part.length_kind,
            length=part.length,
            confirmation=part.confirmation,
            opening=part.opening.model_dump(),
            created_by=self.account,
        )
        _insert(table, "table")
        Table.objects.filter(pk=table.pk).update(created_at=_when(part.created_at))
        for person in part.participants:
            row = Participant(
                table=table, number=person.number, name=person.name, kind=person.kind, seat=person.seat,
                player=players.get(person.player) if person.player is not None else None,
                member=self.members.get(person.member or ""),
            )  # fmt: skip
            _insert(row, f"participants[{person.number}]")
        Standing.objects.create(table=table, situation=part.opening.model_dump())
        history = [self._written(entry) for entry in part.entries]
        try:
            rulings.check_table(table.revision, {"options": part.options, "table": {}})
            restore_entries(table=table, history=history)
            faults = verify_table(table)
        except (Refusal, LedgerError, UnbalancedRuling) as error:
            text = getattr(error, "message", None) or Text(zh=str(error), en=str(error))
            message = Text(zh=f"第 {place} 桌按规则重算不出来：{text.zh}", en=f"Table {place} cannot be played again: {text.en}")
            raise DocumentError("does_not_verify", message, getattr(error, "path", "")) from error
        except (DatabaseError, KeyError, ValueError, TypeError, IndexError) as error:
            raise _wrong(f"第 {place} 桌的账目前后不符。", f"The ledger of table {place} does not fit together.", "entries") from error
        if faults:
            first = faults[0]
            raise _wrong(
                f"第 {place} 桌核对不符：{first.message}（第 {first.seq} 笔）。", f"Table {place} does not verify: {first}.", "entries"
            )
        try:
            restore_marks(table, part, self.author)
        except (DatabaseError, KeyError) as error:
            raise _wrong(f"第 {place} 桌的确认或异议前后不符。", f"The marks of table {place} do not fit together.", "entries") from error
        for extra in part.extra_times:
            given = ExtraTime(
                table=table, seconds=extra.seconds, reason=extra.reason, device_label=extra.device_label,
                given_by=self.author(extra.given_by), given_at=_when(extra.given_at),
            )  # fmt: skip
            _insert(given, "extra_times", raw=True)
        kept = [written.entry.hash for written in history] == source_hashes
        Provenance.objects.create(
            table=table,
            source_id=part.id,
            source_head=source_hashes[-1] if source_hashes else "",
            kept=kept,
            imported_by=self.account,
        )
        names = {person.number: person.name for person in part.participants}
        standing = Standing.objects.get(table=table).totals
        totals = tuple(
            (names[person.number], standing.get(str(person.number), 0) + part.start_points)
            for person in part.participants
            if person.kind == "player"
        )
        return ImportedTable(table.public_id, part.title, part.number, table.revision.ruleset.slug, len(history), totals, kept)

    def _check_chain(self, part: TablePart, place: str) -> list[str]:
        """The hashes of the file, once it is clear that they are those of what it says.

        :raises DocumentError: it was changed after it was exported.
        """
        source = Table(public_id=part.id, seats=part.seats, start_points=part.start_points, opening=part.opening.model_dump())
        history = [self._written(entry) for entry in part.entries]
        for entry, written in zip(part.entries, history, strict=True):
            # Not an account of this site: the number that it had there.
            written.entry.author_id = entry.author.id if entry.author else None
        try:
            hashes = chain(source, history)
        except (ValueError, TypeError) as error:
            raise _wrong(f"第 {place} 桌含有无法存储的值。", f"Table {place} holds a value that cannot be stored.", "entries") from error
        for index, (entry, found) in enumerate(zip(part.entries, hashes, strict=True), start=1):
            if entry.seq != index or entry.hash != found:
                zh = f"第 {place} 桌第 {entry.seq} 笔与它的校验值不符：文件在导出之后被改过。"
                en = f"Table {place}, entry {entry.seq}: its hash does not fit what it says; the file was changed after it was exported."
                raise _wrong(zh, en, f"entries[{index - 1}]")
        if not marks_fit(part):
            zh = f"第 {place} 桌的确认或异议与校验值不符：文件在导出之后被改过。"
            en = f"Table {place}: a confirmation or dispute does not fit its hash; the file was changed after it was exported."
            raise _wrong(zh, en, "entries")
        return hashes

    def _written(self, part: EntryPart) -> Written:
        entry = Entry(
            seq=part.seq,
            kind=part.kind,
            reason=part.reason,
            client_time=_when(part.client_time),
            server_time=_when(part.server_time),
            device_id=part.device_id,
            device_label=part.device_label,
            author=self.author(part.author),
            idempotency_key=part.key,
            body_hash=part.body_hash,
        )
        contents = []
        for wrote in part.wrote:
            content = Content(
                version=wrote.version,
                cause=wrote.cause,
                voided=wrote.voided,
                payload=wrote.payload,
                revision=self.revision(wrote.revision, f"entries[{part.seq - 1}]"),
                options=wrote.options,
                before=wrote.before.model_dump(),
                after=wrote.after.model_dump(),
                summary=wrote.summary,
            )
            lines = tuple(
                Line(line.payer, line.payee, line.amount, Text(zh=line.zh, en=line.en), line.rule, line.event) for line in wrote.lines
            )
            contents.append((wrote.entry, content, lines))
        return Written(entry, part.target, part.undoes, contents)

    def author(self, who: Who | None) -> User | None:
        """The account, where this site has that one under the same number and name; nobody else is put in his place."""
        if who is None:
            return None
        if who.id not in self.accounts:
            found = Account.objects.filter(pk=who.id, username=who.name).first() if 0 < who.id < 2**31 else None
            if found is None:
                return None
            self.accounts[who.id] = found
        return self.accounts[who.id]

    def revision(self, key: str, path: str) -> Revision:
        found = self.revisions.get(key)
        if found is None:
            raise _wrong("文件没有说明用的是哪一版规则。", "The file does not say which rules these are.", path)
        return found


def _free_id(model: type[Table] | type[Session], wanted: str) -> str:
    taken: bool = model.objects.filter(public_id=wanted).exists()
    return new_public_id() if taken else wanted


def _insert(row: models.Model, place: str, *, raw: bool = False) -> None:
    """Insert; ``raw`` keeps a time that would otherwise be that of writing.

    :raises DocumentError: the database refuses it, as where a number stands twice.
    """
    try:
        with transaction.atomic():
            row.save_base(raw=True, force_insert=True) if raw else row.save(force_insert=True)
    except DatabaseError as error:
        raise _wrong(f"{place} 处有重复或矛盾。", f"At {place} something stands twice or contradicts itself.", place) from error


def _when(text: str | None) -> Any:
    return datetime.datetime.fromisoformat(text) if text is not None else None


def _wrong(zh: str, en: str, path: str = "") -> DocumentError:
    return DocumentError("bad_document", Text(zh=zh, en=en), path)
