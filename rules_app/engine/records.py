"""The records of the language: events, melds, sets and hands as expressions see them."""

from __future__ import annotations

from .expressions.types import BOOL, INT, KIND, SEAT, Field, ListType, OptionalType, RecordType, TextType, Type
from .text import Text

SUIT_TEXT = TextType(frozenset("mpszf"))
TEXT = TextType(None)
SEATS = ListType(SEAT, 4)
KINDS_LIST = ListType(KIND, 42)

EVENT = RecordType("event")
MELD = RecordType("meld")
SET = RecordType("set")
HAND = RecordType("hand")
MELDS = ListType(MELD, 9)
SETS = ListType(SET, 9)
EVENTS = ListType(EVENT, 64)


def _fields(record: RecordType, *rows: tuple[str, Type, str, str, str]) -> None:
    for name, type_, attr, zh, en in rows:
        record.fields[name] = Field(type_, attr, Text(zh, en))


_fields(
    EVENT,
    ("type", TEXT, "type", "事件种类", "type of the event"),
    ("order", INT, "index", "本局第几个事件（从 0 数）", "place among the events, from 0"),
    ("seat", OptionalType(SEAT), "seat", "哪一家", "the seat"),
    ("giver", OptionalType(SEAT), "giver", "给出这张牌的一家", "the seat that gave the tile"),
    ("by", OptionalType(TextType(frozenset({"self_draw", "discard", "rob_kong"}))), "by", "怎样胡的", "manner of the win"),
    ("kind", OptionalType(TEXT), "kind", "杠的种类", "kind of the kong"),
    ("name", OptionalType(TEXT), "name", "罚的名目", "name of the penalty"),
    ("tile", OptionalType(KIND), "tile", "那张牌", "the tile"),
    ("tiles", KINDS_LIST, "tiles", "那几张牌", "the tiles"),
    ("melds", MELDS, "melds", "副露", "the melds"),
    ("shown_melds", ListType(MELD, 16), "shown_melds", "亮出的各手牌的全部副露", "the melds of all hands shown"),
    ("robbed", BOOL, "robbed", "这个杠被抢了", "the kong was robbed"),
    ("void", BOOL, "void", "这次胡被别家截了", "the win was superseded"),
    ("together", INT, "together", "同一张牌上有几家胡", "how many win on that tile"),
    ("first_together", INT, "first", "同一张牌上第一个胡的次序", "place of the first win on that tile"),
)  # fmt: skip
_fields(
    MELD,
    ("kind", TEXT, "kind", "chow、pong、kong 或特殊组", "chow, pong, kong or a special kind"),
    ("tile", KIND, "tile", "第一张牌", "its first tile"),
    ("suit", SUIT_TEXT, "suit", "花色", "its suit"),
    ("rank", INT, "rank", "第一张牌的数", "rank of its first tile"),
    ("tiles", ListType(KIND, 16), "tiles", "各张牌", "its tiles"),
    ("giver", OptionalType(SEAT), "giver", "从哪家来", "who gave it"),
    ("by", OptionalType(TextType(frozenset({"concealed", "exposed", "added"}))), "by", "怎样杠的", "how a kong was made"),
    ("concealed", BOOL, "is_concealed", "是暗杠", "it is a concealed kong"),
)  # fmt: skip
_fields(
    SET,
    ("form", TEXT, "form", "chow、triplet、kong 或特殊组", "chow, triplet, kong or a special kind"),
    ("tile", KIND, "tile", "第一张牌（按所代的牌）", "its first tile as read"),
    ("suit", SUIT_TEXT, "suit", "花色", "its suit"),
    ("rank", INT, "rank", "第一张牌的数", "rank of its first tile"),
    ("melded", BOOL, "melded", "是副露", "it is a meld"),
    ("concealed", BOOL, "concealed", "没有用别家的牌", "no tile of it came from another seat"),
    ("won", BOOL, "won", "胡的那张牌在其中", "the winning tile is in it"),
    ("wilds", INT, "wilds", "其中的百搭数", "number of wild tiles in it"),
    ("giver", OptionalType(SEAT), "giver", "从哪家来", "who gave it"),
    ("by", OptionalType(TextType(frozenset({"concealed", "exposed", "added"}))), "by", "怎样杠的", "how a kong was made"),
)  # fmt: skip
