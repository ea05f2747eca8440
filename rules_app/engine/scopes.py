"""The places in a document where expressions stand, and what can be named at each.

There are five levels, each seeing the ones before it: the round, an event, a hand, a reading of it, and a reading
whose patterns have been counted.  A fact or condition belongs to the first level that knows all its names, and is
evaluated there, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from .composition import Composition
from .environment import EventEnv, RoundEnv
from .expressions.symbols import Declaration, Function, Namespace, Scope, Symbol
from .expressions.types import (
    BOOL,
    INT,
    KIND,
    SEAT,
    Field,
    ListType,
    OptionalType,
    RecordType,
    TextType,
    Type,
)
from .hand import HandEnv
from .naming import declarations
from .reading import ReadingEnv, ScoredEnv
from .records import HAND, MELDS, TEXT
from .round import MAX_RECORDS
from .schema import Document, Input
from .text import Text

LEVELS: Final = ("round", "event", "hand", "reading", "scored")
PREFIXES: Final[Mapping[str, Mapping[str, str]]] = {
    "round": {"round": "e"},
    "event": {"round": "e.r", "event": "e"},
    "hand": {"round": "e.r", "event": "e", "hand": "e"},
    "reading": {"round": "e.r", "event": "e.h", "hand": "e.h", "reading": "e"},
    "scored": {"round": "e.r", "event": "e.h", "hand": "e.h", "reading": "e.g", "scored": "e"},
}
TITLES: Final[Mapping[str, Text]] = {
    "round": Text("整局", "the round"),
    "event": Text("一个事件", "an event"),
    "hand": Text("一手牌", "a hand"),
    "reading": Text("一种读法", "a reading"),
    "scored": Text("计番之后", "a scored reading"),
}


def input_type(spec: Input, name: str, seats: int, *, always: bool) -> Type:
    """The type of an input or field; null is possible where it has no default and need not be given."""
    single: Type
    match spec.type:
        case "integer":
            single = INT
        case "flag":
            single = BOOL
        case "choice":
            single = TextType(frozenset(spec.values or {}))
        case "seat":
            single = SEAT
        case "seats":
            single = ListType(SEAT, seats)
        case "tile":
            single = KIND
        case "tiles":
            single = ListType(KIND, 16)
        case "dice":
            single = ListType(INT, 2)
        case "name":
            single = TEXT
        case "names":
            single = ListType(TEXT, MAX_RECORDS)
        case "melds":
            single = MELDS
        case "hands":
            single = ListType(ListType(KIND, 16), 8)
        case "records":
            record = RecordType(name)
            for key, field in (spec.fields or {}).items():
                type_ = input_type(field, key, seats, always=field.required)
                record.fields[key] = Field(type_, key, Text(field.name.zh, field.name.en))
            single = ListType(record, MAX_RECORDS)
    type_ = ListType(single, seats) if spec.per_seat else single
    if always or spec.required or default_of(spec, seats) is not None:
        return type_
    return OptionalType(type_)


def default_of(spec: Input, seats: int) -> object:
    """The value of an input that is not entered."""
    if spec.default is not None:
        return [spec.default] * seats if spec.per_seat and not isinstance(spec.default, list) else spec.default
    if spec.per_seat and spec.type in ("integer", "flag"):
        return [0 if spec.type == "integer" else False] * seats
    if spec.type == "flag":
        return False
    if spec.type in ("seats", "names", "records") and not spec.required:
        return []
    return None


class Scopes:
    """The scopes of one document, growing with its facts.

    ``hand_record`` is what ``hand_of`` gives; its fields are the names of a hand, facts included.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.hand_record = RecordType("hand")
        self.has_wild = document.wild is not None
        base: dict[str, list[tuple[type, ...]]] = {
            "round": [(RoundEnv,)], "event": [(EventEnv,)], "hand": [(HandEnv,)],
            "reading": [(ReadingEnv,)], "scored": [(ScoredEnv,)],
        }  # fmt: skip
        base["reading" if self.has_wild else "hand"].append((Composition,))
        self._sources = {level: [owner for (owner,) in owners] for level, owners in base.items()}
        self.scopes: dict[str, Scope] = {}
        for place, level in enumerate(LEVELS):
            found: dict[str, Declaration] = {}
            for at in LEVELS[: place + 1]:
                for declaration in self._declared(at, PREFIXES[level][at]):
                    found[declaration.name] = declaration
            self.scopes[level] = Scope(level, found.values(), title=TITLES[level])
        for declaration in (*self._declared("event", "e"), *self._declared("hand", "e")):
            self._record(declaration)

    def __getitem__(self, level: str) -> Scope:
        return self.scopes[level]

    def _declared(self, level: str, prefix: str) -> Iterable[Declaration]:
        for owner in self._sources[level]:
            for declaration in declarations(owner, prefix):
                yield self._own_hands(declaration)
        yield from self._namespaces(level, prefix)

    def _own_hands(self, declaration: Declaration) -> Declaration:
        if isinstance(declaration, Function) and declaration.result == OptionalType(HAND):
            return Function(
                declaration.name, declaration.params, OptionalType(self.hand_record), declaration.code,
                declaration.doc, declaration.example,
            )  # fmt: skip
        return declaration

    def _namespaces(self, level: str, prefix: str) -> Iterable[Declaration]:
        document, seats = self.document, self.document.seats
        if level == "round":
            options = {}
            for name, option in document.options.items():
                type_: Type = {"integer": INT, "flag": BOOL}.get(option.type) or TextType(
                    frozenset(option.values or ())  # type: ignore[arg-type]
                )
                doc = Text(option.name.zh, option.name.en)
                options[name] = Symbol(name, type_, f"{prefix}.options[{name!r}]", doc)
            yield Namespace("options", options, Text("可选规则", "the options"))
            inputs = {
                name: Symbol(
                    name, input_type(spec, name, seats, always=False), f"{prefix}.inputs[{name!r}]",
                    Text(spec.name.zh, spec.name.en),
                )
                for name, spec in document.inputs.items()
            }  # fmt: skip
            yield Namespace("inputs", inputs, Text("本局另记的事", "the inputs of the round"))
            kinds: dict[str, Type] = {"integer": INT, "flag": BOOL, "seat": SEAT, "seats": ListType(SEAT, seats)}
            state = {}
            for name, carried in document.state.items():
                type_ = kinds[carried.type]
                if carried.per_seat:
                    type_ = ListType(type_, seats)
                state[name] = Symbol(name, type_, f"{prefix}.state[{name!r}]", Text(carried.name.zh, carried.name.en))
            yield Namespace("state", state, Text("逐局带下去的值", "what the table carries"))
            if document.parties is not None:
                parties = {**document.parties.first, **document.parties.last}
                members = {
                    name: Symbol(name, SEAT, f"{prefix}.party[{name!r}]", Text(words.zh, words.en)) for name, words in parties.items()
                }
                yield Namespace("party", members, Text("各方", "the parties"))
        if level == "event":
            fields: dict[str, Symbol] = {}
            for spec_fields in self.event_fields():
                for name, spec in spec_fields.items():
                    type_ = input_type(spec, name, seats, always=False)
                    if not isinstance(type_, OptionalType):
                        type_ = OptionalType(type_)
                    fields[name] = Symbol(name, type_, f"{prefix}.field_map[{name!r}]", Text(spec.name.zh, spec.name.en))
            yield Namespace("event", fields, Text("事件自己的各项", "the event's own fields"))
        if level == "hand":
            flags = {
                name: Symbol(name, BOOL, f"{prefix}.flag_map[{name!r}]", Text(flag.name.zh, flag.name.en))
                for name, flag in document.flags.items()
            }
            yield Namespace("flags", flags, Text("标记", "the flags of the win"))

    def event_fields(self) -> Iterable[Mapping[str, Input]]:
        """The own fields of every kind of event."""
        events = self.document.events
        for specs in (events.kongs, events.penalties, events.own):
            for spec in specs.values():
                yield spec.fields

    def for_event(self, kind: str) -> Scope:
        """The event scope in which ``event.x`` has the exact types of one kind of event."""
        events = self.document.events
        spec = events.own.get(kind) or events.penalties.get(kind)
        scope = self.scopes["event"]
        if spec is None:
            return scope
        members = {
            name: Symbol(
                name, input_type(field, name, self.document.seats, always=False), f"e.field_map[{name!r}]",
                Text(field.name.zh, field.name.en),
            )
            for name, field in spec.fields.items()
        }  # fmt: skip
        return scope.child("event", [Namespace("event", members)], title=scope.title)

    def _record(self, declaration: Declaration) -> None:
        if isinstance(declaration, Symbol) and declaration.code == f"e.{declaration.name}":
            self.hand_record.fields[declaration.name] = Field(declaration.type, declaration.name, declaration.doc)

    def add(self, level: str, name: str, type_: Type, doc: Text, params: tuple[Type, ...] | None = None, steps: int = 1) -> None:
        """Declare a fact of the document at a level and all that see it; ``steps``: what a call of it costs."""
        start = LEVELS.index(level)
        for deeper in LEVELS[start:]:
            code = f"{PREFIXES[deeper][level]}.{name}"
            declaration: Declaration = Symbol(name, type_, code, doc)
            if params is not None:
                declaration = Function(name, params, type_, code, doc, steps=steps)
            scope = self.scopes[deeper]
            self.scopes[deeper] = scope.child(scope.name, [declaration], title=scope.title)
            if deeper == level and level in ("event", "hand"):
                self._record(declaration)
