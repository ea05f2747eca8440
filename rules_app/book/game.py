"""The page of a game: its document in the order in which it is read, examples scored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from rules_app.book.anchors import anchor, bare_anchors, rule_ids
from rules_app.book.hands import HandShown
from rules_app.book.prose import render_prose
from rules_app.book.rules import default_words, range_words
from rules_app.book.tileset import ClaimsShown, TileRow, WildShown, claims_of, tile_rows, wild_shown
from rules_app.book.values import options_in, value_of
from rules_app.book.worked import HandWorked, RoundWorked, hands_worked, rounds_worked
from rules_app.engine import Ruleset
from rules_app.engine.schema import Input, Option, Payment, Term, Words

CHAPTERS = ("need", "deal", "play", "claims", "winning", "payments", "next", "special", "options", "sources")
"""The chapters in reading order; that of the values stands before them, with the table."""


NOTHING = SafeString("")


@dataclass(frozen=True, slots=True)
class Link:
    """A name that leads to a place on the page."""

    name: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule of few words: ``note`` stands beside the name, ``values`` are its choices with the default marked."""

    name: str
    text: str
    anchor: str
    bare: str = ""
    note: str = ""
    values: tuple[tuple[str, bool], ...] = ()
    other: str = ""
    links: tuple[Link, ...] = ()


@dataclass(slots=True)
class PatternShown:
    """A row of the table of patterns."""

    id: str
    anchor: str
    bare: str
    name: str
    other_name: str
    pinyin: str
    also: str
    text: str
    value: str
    number: int
    position: int
    first: HandShown | None
    absorbs: list[Link]
    options: list[Link]
    examples: list[HandWorked]

    @property
    def disagrees(self) -> bool:
        """Whether the engine contradicts one of the examples."""
        return any(not example.agrees for example in self.examples)


@dataclass(slots=True)
class Section:
    """A chapter: ``id`` tells which parts of the document follow the prose."""

    id: str
    title: str
    anchor: str
    bare: str
    body: SafeString = NOTHING


@dataclass(slots=True)
class GamePage:
    """Everything the page shows, in one language."""

    slug: str
    name: str
    other_name: str
    region: str
    also: str
    summary: str
    glance: list[tuple[str, str]]
    values: Section
    sections: list[Section]
    patterns: list[PatternShown]
    units: list[Entry]
    tiles: list[TileRow]
    claims: ClaimsShown
    wild: WildShown | None
    shapes: list[Entry]
    conditions: list[Entry]
    checks: list[Entry]
    payments: list[Entry]
    rounds: list[RoundWorked]
    options: list[Entry]
    inputs: list[Entry]
    flags: list[Entry]
    states: list[Entry]
    events: list[Entry]
    next_text: str
    sources: list[tuple[str, str]]
    gaps: list[Entry]
    glossary: list[Entry]
    toc: list[Link] = field(default_factory=list)


class _Maker:
    def __init__(self, ruleset: Ruleset, slug: str, language: str) -> None:
        self.ruleset = ruleset
        self.document = ruleset.document
        self.slug = slug
        self.language = language
        self.zh = language.startswith("zh")
        self.bare = bare_anchors(ruleset.document)
        self.known = {name: kind for kind, name in reversed(list(rule_ids(ruleset.document)))}

    def say(self, words: Words | None) -> str:
        return "" if words is None else words.zh if self.zh else words.en

    def other(self, words: Words) -> str:
        """The name in the other language, which many know it by."""
        return words.en if self.zh else words.zh

    def join(self, parts: Iterable[str]) -> str:
        return ("、" if self.zh else ", ").join(part for part in parts if part)

    def entry(
        self, kind: str, name: str, title: Words, text: Words | None = None, note: str = "", values: tuple[tuple[str, bool], ...] = ()
    ) -> Entry:
        bare = self.bare.get((kind, name), "")
        return Entry(self.say(title), self.say(text), anchor(kind, name), bare, note, values, self.other(title))

    def page(self) -> GamePage:
        document = self.document
        rounds = rounds_worked(self.ruleset, self.slug, self.language)
        for worked in rounds:
            worked.bare = self.bare.get(("example", worked.id), "")
        page = GamePage(
            slug=self.slug,
            name=self.say(document.name),
            other_name=self.other(document.name),
            region=self.say(document.region),
            also=self.join(document.aliases.zh if self.zh else document.aliases.en),
            summary=self.say(document.summary),
            glance=[(self.say(cell.title), self.say(cell.text)) for cell in document.glance],
            values=self.section("values", _("Patterns and values")),
            sections=self.sections(),
            patterns=[self.pattern(name, place) for place, name in enumerate(document.patterns)],
            units=[self.entry("unit", name, unit.name, None, self.unit_words(unit.combine)) for name, unit in document.units.items()],
            tiles=tile_rows(self.ruleset, self.language),
            claims=claims_of(self.ruleset, self.language),
            wild=wild_shown(self.ruleset, self.language),
            shapes=[self.entry("shape", name, shape.name) for name, shape in document.shapes.items()],
            conditions=[
                self.entry("condition", condition.id, condition.say, None, refusal_words(condition.refuse))
                for condition in document.conditions
            ],
            checks=self.checks(),
            payments=[self.payment(payment, rounds) for payment in document.payments],
            rounds=rounds,
            options=[self.option(name, option) for name, option in document.options.items()],
            inputs=[self.input(name, spec) for name, spec in document.inputs.items()],
            flags=[self.entry("flag", name, flag.name, flag.help or flag.say) for name, flag in document.flags.items()],
            states=[self.entry("state", name, state.name) for name, state in document.state.items()],
            events=self.events(),
            next_text=self.say(document.next.text),
            sources=[(self.say(source.title), self.say(source.place)) for source in document.sources],
            gaps=[
                Entry(
                    "",
                    self.say(gap.text),
                    anchor("gap", gap.id),
                    self.bare.get(("gap", gap.id), ""),
                    links=self.option_links([gap.option] if gap.option else []),
                )
                for gap in document.gaps
            ],
            glossary=[self.term(place, term) for place, term in enumerate(document.glossary)],
        )
        page.toc = self.toc(page)
        return page

    def term(self, place: int, term: Term) -> Entry:
        where = anchor("term", str(place))
        return Entry(self.say(term.term), self.say(term.text), where, note=term.pinyin or "", other=self.other(term.term))

    def section(self, name: str, title: str) -> Section:
        found = next((page for page in self.document.pages if page.id == name), None)
        if found is None:
            return Section(name, title, anchor("page", name), name if name not in self.known and name != "claims" else "")
        return Section(
            name, self.say(found.title), anchor("page", name), self.bare.get(("page", name), ""), render_prose(self.say(found.body))
        )

    def sections(self) -> list[Section]:
        titles = {
            "need": _("What you need"), "deal": _("The deal"), "play": _("Play"), "claims": _("Claims"), "winning": _("Winning"),
            "payments": _("Payments"), "next": _("Next round"), "special": _("Special situations"), "options": _("House rules"),
            "sources": _("Sources and decisions"),
        }  # fmt: skip
        written = {page.id for page in self.document.pages}
        always = {"need", "claims", "winning", "payments", "options"}
        filled = always | ({"next"} if self.document.next.text else set()) | ({"special"} if self.special() else set())
        filled |= {"sources"} if self.document.sources or self.document.gaps else set()
        made = [self.section(name, titles[name]) for name in CHAPTERS if name in written | filled]
        extra = [page for page in self.document.pages if page.id not in CHAPTERS and page.id != "values"]
        return [*made, *(self.section(page.id, "") for page in extra)]

    def special(self) -> bool:
        document = self.document
        return bool(document.flags or document.inputs or document.checks or document.events.penalties or document.events.own)

    def pattern(self, name: str, place: int) -> PatternShown:
        pattern = self.document.patterns[name]
        value = value_of(self.ruleset, name)
        examples = list(hands_worked(self.ruleset, self.slug, name, self.language))
        first = next((example.shown for example in examples if not example.is_counter and not example.shown.is_empty), None)
        return PatternShown(
            id=name,
            anchor=anchor("pattern", name),
            bare=self.bare.get(("pattern", name), ""),
            name=self.say(pattern.name),
            other_name=self.other(pattern.name),
            pinyin=pattern.pinyin or "",
            also=self.join(pattern.aliases.zh if self.zh else pattern.aliases.en),
            text=self.say(pattern.text),
            value=self.say(value.words),
            number=value.number,
            position=place,
            first=first,
            absorbs=[Link(self.say(self.document.patterns[other].name), anchor("pattern", other)) for other in pattern.absorbs],
            options=list(self.option_links(value.options)),
            examples=examples,
        )

    def option_links(self, names: Iterable[str]) -> tuple[Link, ...]:
        return tuple(
            Link(self.say(self.document.options[name].name), anchor("option", name)) for name in names if name in self.document.options
        )

    def unit_words(self, combine: str) -> str:
        return {
            "sum": _("values add up"),
            "product": _("values multiply"),
            "choose": _("one counts, the best"),
            "highest": _("the highest counts"),
        }[combine]

    def payment(self, payment: Payment, rounds: list[RoundWorked]) -> Entry:
        compiled = next(one for rules in self.ruleset.payments.values() for one in rules if one.rule is payment)
        options = options_in(self.ruleset, [compiled.when, compiled.payer, compiled.payee, compiled.only_if, compiled.amount])
        shown = [Link(worked.title, anchor("example", worked.id)) for worked in rounds if payment.id in worked.rules]
        options_links = self.option_links(options)
        return Entry(
            self.say(payment.name),
            self.say(payment.text),
            anchor("payment", payment.id),
            self.bare.get(("payment", payment.id), ""),
            self.happening(payment.on),
            other=self.other(payment.name),
            links=(*shown, *options_links),
        )

    def happening(self, on: str) -> str:
        """When a payment is due."""
        fixed = {
            "win": _("on a win"),
            "kong": _("on a kong"),
            "draw": _("on a draw"),
            "penalty": _("on a penalty"),
            "end": _("at the end of the round"),
        }
        events = self.document.events
        spec = events.penalties.get(on) or events.own.get(on)
        return fixed.get(on) or (self.say(spec.name) if spec else on)

    def option(self, name: str, option: Option) -> Entry:
        values: tuple[tuple[str, bool], ...] = ()
        note = ""
        if isinstance(option.values, dict):
            values = tuple((self.say(words), value == option.default) for value, words in option.values.items())
        elif isinstance(option.values, list):
            values = tuple((str(value), value == option.default) for value in option.values)
        elif option.type == "flag":
            values = ((_("yes"), option.default is True), (_("no"), option.default is False))
        else:
            values = ((self.say(default_words(option)), True),)
            note = self.say(range_words(option.min, option.max))
        return self.entry("option", name, option.name, option.help, note, values=values)

    def input(self, name: str, spec: Input) -> Entry:
        asked = {
            "deal": _("after the deal"), "win": _("with a win"), "draw": _("with a draw"), "end": _("at the end of the round"),
            "event": _("with the event"),
        }  # fmt: skip
        each = _("one value a seat") if spec.per_seat else ""
        return self.entry("input", name, spec.name, spec.help, self.join([asked[spec.ask], each]))

    def events(self) -> list[Entry]:
        events = self.document.events
        kongs = [self.entry("event", name, kong.name, None, _("kong")) for name, kong in events.kongs.items()]
        penalties = [self.entry("event", name, spec.name, spec.help, _("penalty")) for name, spec in events.penalties.items()]
        own = [self.entry("event", name, spec.name, spec.help, _("event")) for name, spec in events.own.items()]
        return [*kongs, *penalties, *own]

    def checks(self) -> list[Entry]:
        found: dict[str, Entry] = {}
        for check in (*self.document.checks, *self.document.quick.checks):
            found.setdefault(check.id, self.entry("check", check.id, check.say, None, refusal_words(check.refuse)))
        return list(found.values())

    def toc(self, page: GamePage) -> list[Link]:
        links = [Link(_("At a glance"), "glance")] if page.glance else []
        links.append(Link(page.values.title, page.values.anchor))
        links += [Link(section.title, section.anchor) for section in page.sections]
        return [*links, Link(_("Glossary"), "glossary")] if page.glossary else links


def refusal_words(code: str) -> str:
    """What a refusal with this code means."""
    return {
        "bad_input": _("wrong entry"),
        "bad_tiles": _("impossible tiles"),
        "not_allowed": _("not allowed"),
        "not_a_win": _("no win"),
        "below_minimum": _("may not win"),
    }[code]


def game_page(ruleset: Ruleset, slug: str, language: str) -> GamePage:
    """The page of a game in one language; scores every example."""
    return _Maker(ruleset, slug, language).page()
