"""The tile set, the defaults and the shapes of a document."""

from __future__ import annotations

from rules_app.engine.expressions import BOOL
from rules_app.engine.scopes import default_of
from rules_app.engine.text import Text
from rules_app.engine.tiles import rank_of, suit_of

from .compiler import Compiler


def lay_out_tiles(compiler: Compiler) -> None:
    """Kinds, copies, chows, special melds and the rings of wild tiles."""
    ruleset, document = compiler.ruleset, compiler.document
    ruleset.seats = tuple(range(document.seats))
    for place, group in enumerate(document.tiles.groups):
        for kind in compiler.tiles(f"tiles.groups[{place}].kinds", group.kinds):
            if ruleset.copies[kind]:
                compiler.fault(f"tiles.groups[{place}].kinds", Text("同一种牌写了两次", "a kind of tile is listed twice"))
            ruleset.copies[kind] = group.copies
    flowers = frozenset(compiler.tiles("tiles.flowers", document.tiles.flowers))
    in_set = [kind for kind in range(42) if ruleset.copies[kind]]
    ruleset.flower_kinds = flowers
    ruleset.playing_kinds = tuple(kind for kind in in_set if kind not in flowers and kind < 34)
    ruleset.hand_kinds = frozenset(in_set if document.tiles.flowers_in_hand else ruleset.playing_kinds)
    suited = [kind for kind in ruleset.playing_kinds if kind < 27]
    ruleset.number_suits = tuple(suit for suit in "mps" if any(suit_of(kind) == suit for kind in suited))
    ruleset.ranks = tuple(sorted({rank_of(kind) for kind in suited}))
    if ruleset.ranks:
        ruleset.rank_range = (ruleset.ranks[0], ruleset.ranks[-1])
    starts = frozenset(
        kind for kind in suited
        if rank_of(kind) <= 7 and ruleset.copies[kind + 1] and ruleset.copies[kind + 2]
    )  # fmt: skip
    ruleset.chow_starts = None if len(starts) == 21 else starts
    for name, special in document.claims.special.items():
        ruleset.special_melds[name] = tuple(compiler.tiles(f"claims.special.{name}.tiles", special.tiles))
    for name, kong in document.events.kongs.items():
        if kong.tile is not None:
            ruleset.kong_tiles[name] = frozenset(compiler.tiles(f"events.kongs.{name}.tile", kong.tile))
        if kong.group is not None and kong.group not in document.claims.special:
            compiler.fault(f"events.kongs.{name}.group", Text("没有这种特殊组", "there is no such special meld"))
    wild = document.wild
    if wild is not None:
        ruleset.fixed_wild = tuple(compiler.tiles("wild.kinds", wild.kinds))
        ruleset.wild_when_discarded = wild.discarded == "wild"
        for place, ring in enumerate(wild.rings):
            kinds = compiler.tiles(f"wild.rings[{place}]", ring)
            for here, following in zip(kinds, [*kinds[1:], *kinds[:1]], strict=True):
                ruleset.successors[here] = following
        if wild.turned is not None:
            ruleset.turned = dict(ruleset.successors)
            for given, result in wild.turned.instead.items():
                pair = compiler.tiles("wild.turned.instead", given + result)
                if len(pair) == 2:
                    ruleset.turned[pair[0]] = pair[1]
        if wild.stand_in is not None:
            compiler.tiles("wild.stand_in.tile", wild.stand_in.tile)
        compiler.tiles("wild.stands_for", wild.stands_for)


def set_defaults(compiler: Compiler) -> None:
    """What holds where nothing is entered, and which events there are."""
    ruleset, document = compiler.ruleset, compiler.document
    ruleset.default_options = {name: option.default for name, option in document.options.items()}
    ruleset.no_flags = dict.fromkeys(document.flags, False)
    for specs in compiler.scopes.event_fields():
        ruleset.no_fields.update(dict.fromkeys(specs))
    for name, spec in document.inputs.items():
        default = default_of(spec, document.seats)
        if isinstance(default, str) and spec.type == "tile":
            default = next(iter(compiler.tiles(f"inputs.{name}.default", default)), None)
        ruleset.default_inputs[name] = default
    events = document.events
    known = [*(("win",) if events.win else ()), *(("kong",) if events.kongs else ())]
    known += ["draw"] if events.draw is not None else []
    known += ["penalty"] if events.penalties else []
    ruleset.event_types = (*known, *events.own)
    ruleset.dealt_events = frozenset(name for name, kind in events.own.items() if kind.dealt)
    for name in ruleset.dealt_events:
        hand = events.own[name].fields.get("hand")
        if hand is None or hand.type != "tiles" or not hand.required or not events.own[name].seat:
            message = Text(
                "起手胡的事件要有 seat 和必填的 hand（tiles）", "a win on dealt tiles has a seat and a required hand of type tiles"
            )
            compiler.fault(f"events.own.{name}", message)


def compile_shapes(compiler: Compiler) -> None:
    """The shapes of a complete hand, and those of waits."""
    ruleset, document = compiler.ruleset, compiler.document
    hand = compiler.scopes["hand"]
    for name, shape in document.shapes.items():
        path = f"shapes.{name}"
        if shape.when is not True:
            ruleset.shape_when[name] = compiler.expression(f"{path}.when", shape.when, hand, BOOL)
        if shape.free is not None:
            ruleset.shape_free[name] = compiler.expression(f"{path}.free", shape.free, hand, BOOL)
        if shape.listed is not None:
            ruleset.shape_kinds[name] = tuple(compiler.tiles(f"{path}.listed", shape.listed))
        if shape.sets is not None and ruleset.main_shape is None:
            ruleset.main_shape = shape
            ruleset.main_sets = shape.sets
    wanted = document.waits.shapes
    for name in wanted or ():
        if name not in document.shapes:
            compiler.fault("waits.shapes", Text(f"没有 {name} 这种形", f"there is no shape {name}"))
    ruleset.wait_shapes = [
        shape for name, shape in document.shapes.items()
        if (name in wanted if wanted is not None else not shape.otherwise)
    ]  # fmt: skip
    ruleset.wait_kind_set = tuple(compiler.tiles("waits.kinds", document.waits.kinds))
