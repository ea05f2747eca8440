"""Random rounds of any game, made from its document alone: plausible more often than not, always well-formed JSON."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from rules_app.engine import Ruleset
from rules_app.engine.schema import Input
from rules_app.engine.tiles import format_tiles, tile_text


class Wall:
    """Tiles not yet given out."""

    def __init__(self, ruleset: Ruleset, random: Random) -> None:
        self.random = random
        self.ruleset = ruleset
        self.left = Counter({kind: ruleset.copies[kind] for kind in range(42) if ruleset.copies[kind]})

    def take(self, kinds: list[int]) -> bool:
        wanted = Counter(kinds)
        if any(self.left[kind] < number for kind, number in wanted.items()):
            return False
        self.left -= wanted
        return True

    def draw(self, allowed: list[int] | None = None) -> int:
        pool = [kind for kind, number in self.left.items() for _ in range(number) if allowed is None or kind in allowed]
        kind = self.random.choice(pool or list(self.ruleset.playing_kinds))
        self.left[kind] -= 1
        return kind


def random_round(ruleset: Ruleset, seed: int) -> dict[str, Any]:
    """A request made from a seed."""
    return _Maker(ruleset, Random(seed)).request()


class _Maker:
    def __init__(self, ruleset: Ruleset, random: Random) -> None:
        self.ruleset = ruleset
        self.document = ruleset.document
        self.random = random
        self.wall = Wall(ruleset, random)
        self.seats = list(ruleset.seats)

    def request(self) -> dict[str, Any]:
        random = self.random
        round_: dict[str, Any] = {"events": []}
        wild = self.wild()
        if wild is not None:
            round_["wild"] = wild
        inputs = {name: self.value(spec) for name, spec in self.document.inputs.items() if spec.required or random.random() < 0.35}
        if self.document.wild is not None and self.document.wild.turned is not None:
            inputs.pop(self.document.wild.turned.input, None)
        if inputs:
            round_["inputs"] = inputs
        round_["events"] = self.events()
        return {
            "options": self.options(),
            "table": {"dealer": random.choice(self.seats), "streak": random.randrange(4)},
            "round": round_,
        }

    def options(self) -> dict[str, Any]:
        chosen: dict[str, Any] = {}
        for name, option in self.document.options.items():
            if self.random.random() > 0.25:
                continue
            if option.type == "flag":
                chosen[name] = self.random.random() < 0.5
            elif option.values:
                chosen[name] = self.random.choice(list(option.values))
            else:
                least = option.min or 0
                most = least + 9 if option.max is None else min(option.max, least + 20)
                chosen[name] = self.random.randint(least, most)
        return chosen

    def wild(self) -> list[str] | None:
        spec = self.document.wild
        if spec is None:
            return None
        number = self.random.choice(spec.counts)
        first = self.random.choice(list(self.ruleset.playing_kinds))
        if number == 2 and first in self.ruleset.successors:
            return [tile_text(first), tile_text(self.ruleset.successors[first])]
        if number == 1:
            return [tile_text(first)]
        return [tile_text(kind) for kind in self.random.sample(list(self.ruleset.playing_kinds), number)]

    def events(self) -> list[dict[str, Any]]:
        random, events = self.random, []
        known = list(self.ruleset.event_types)
        for _ in range(random.choice([0, 0, 1, 2])):
            extra = random.choice([name for name in known if name not in ("win", "draw")] or known)
            events.append(self.event(extra))
        if self.document.comparison is not None:
            return [self.event(self.document.comparison.event)]
        events.append(self.event("win" if "win" in known and random.random() < 0.8 else random.choice(known)))
        if random.random() < 0.3:
            events.append(self.event(random.choice(known)))
        return events

    def event(self, kind: str) -> dict[str, Any]:
        random = self.random
        seat = random.choice(self.seats)
        if kind == "win":
            return self.win(seat)
        if kind == "kong":
            return self.kong(seat)
        if kind == "draw":
            event: dict[str, Any] = {"type": "draw"}
            if random.random() < 0.7:
                event["hands"] = [self.shown(other) for other in self.seats if random.random() < 0.9]
            return event
        if kind == "penalty":
            name = random.choice(list(self.document.events.penalties))
            spec = self.document.events.penalties[name]
            return {"type": "penalty", "name": name, **self.seat_and_fields(spec.seat, seat, spec.fields)}
        spec = self.document.events.own[kind]
        return {"type": kind, **self.seat_and_fields(spec.seat, seat, spec.fields)}

    def seat_and_fields(self, has_seat: bool, seat: int, fields: dict[str, Input]) -> dict[str, Any]:
        values = {name: self.value(spec) for name, spec in fields.items() if spec.required or self.random.random() < 0.5}
        return {**({"seat": seat} if has_seat else {}), **values}

    def kong(self, seat: int) -> dict[str, Any]:
        kind = self.random.choice(list(self.document.events.kongs))
        spec = self.document.events.kongs[kind]
        event: dict[str, Any] = {"type": "kong", "seat": seat, "kind": kind}
        if spec.group is not None:
            event["tiles"] = format_tiles(self.ruleset.special_melds[spec.group])
        elif spec.several:
            event["tiles"] = format_tiles([self.random.choice([kind for kind in range(42) if self.ruleset.copies[kind] >= 4])] * 4)
        else:
            allowed = sorted(self.ruleset.kong_tiles.get(kind) or self.ruleset.playing_kinds)
            event["tile"] = tile_text(self.random.choice(allowed))
        if spec.giver == "required" or (spec.giver == "optional" and self.random.random() < 0.5):
            event["from"] = self.random.choice([other for other in self.seats if other != seat])
        for name, field in spec.fields.items():
            if field.required or self.random.random() < 0.8:
                event[name] = self.value(field)
        return event

    def sets(self, number: int) -> list[list[int]]:
        found: list[list[int]] = []
        starts = sorted(self.ruleset.chow_starts) if self.ruleset.chow_starts is not None else [
            first for first in self.ruleset.playing_kinds if first < 27 and first % 9 <= 6
        ]  # fmt: skip
        suit = self.random.choice([None, None, *self.ruleset.number_suits])
        if suit is not None:
            start = "mps".index(suit) * 9
            starts = [first for first in starts if start <= first < start + 9]
        triplets_only = self.random.random() < 0.2
        for attempt in range(400):
            if len(found) == number:
                break
            if attempt > 60:
                starts = [first for first in self.ruleset.playing_kinds if first < 27 and first % 9 <= 6]
            if not triplets_only and starts and self.random.random() < 0.6:
                first = self.random.choice(starts)
                kinds = [first, first + 1, first + 2]
            else:
                kinds = [self.random.choice(list(self.ruleset.playing_kinds))] * 3
            if self.wall.take(kinds):
                found.append(kinds)
        return found

    def win(self, seat: int) -> dict[str, Any]:
        random = self.random
        by = random.choice(["self_draw", "self_draw", "discard", "discard", "rob_kong"])
        event: dict[str, Any] = {"type": "win", "seat": seat, "by": by}
        if by != "self_draw":
            event["from"] = random.choice([other for other in self.seats if other != seat])
        flags = [name for name in self.document.flags if random.random() < 0.12]
        if flags:
            event["flags"] = flags
        if random.random() < 0.1:
            event["declared"] = random.sample(list(self.document.patterns), min(2, len(self.document.patterns)))
            return event
        main = self.ruleset.main_sets
        pairs = next((shape.pairs for shape in self.document.shapes.values() if shape.pairs), None)
        spare = next((shape.spare for shape in self.document.shapes.values() if shape.pairs), 0)
        melds: list[dict[str, Any]] = []
        if pairs is not None and random.random() < 0.15:
            tiles: list[int] = []
            for _ in range(200):
                if len(tiles) >= 2 * pairs:
                    break
                kinds = [random.choice(list(self.ruleset.playing_kinds))] * 2
                if self.wall.take(kinds):
                    tiles += kinds
            tiles += [self.wall.draw(list(self.ruleset.playing_kinds)) for _ in range(spare)]
        else:
            groups = self.sets(main)
            melded = random.choice([0, 0, 0, 1, 2, main])
            melds = [self.meld(group, seat) for group in groups[:melded]]
            tiles = [kind for group in groups[melded:] for kind in group]
            for _ in range(200):
                kinds = [random.choice(list(self.ruleset.playing_kinds))] * 2
                if self.wall.take(kinds):
                    tiles += kinds
                    break
        random.shuffle(tiles)
        event["tile"] = tile_text(tiles.pop()) if tiles else tile_text(self.wall.draw())
        event["hand"] = "".join(tile_text(kind) for kind in tiles)
        event["melds"] = melds
        if self.ruleset.flower_kinds and random.random() < 0.5:
            flowers = [self.wall.draw(sorted(self.ruleset.flower_kinds)) for _ in range(random.randrange(1, 4))]
            event["flowers"] = "".join(tile_text(kind) for kind in flowers)
        return event

    def meld(self, group: list[int], seat: int) -> dict[str, Any]:
        tiles, claims = list(group), self.document.claims
        if len(set(group)) > 1:
            return {"kind": "chow", "tiles": format_tiles(tiles), "from": (seat - 1) % len(self.seats)}
        giver = self.random.choice([other for other in self.seats if other != seat])
        if claims.kongs and self.random.random() < 0.4 and self.wall.take([group[0]]):
            by = self.random.choice(claims.kongs)
            meld = {"kind": "kong", "tiles": format_tiles([*tiles, group[0]]), "by": by}
            return meld if by == "concealed" else {**meld, "from": giver}
        return {"kind": "pong", "tiles": format_tiles(tiles), "from": giver}

    def shown(self, seat: int) -> dict[str, Any]:
        main = self.ruleset.main_sets
        if self.random.random() < 0.6:
            tiles = [kind for group in self.sets(main) for kind in group]
            tiles.append(self.wall.draw(list(self.ruleset.playing_kinds)))
        else:
            tiles = [self.wall.draw(list(self.ruleset.playing_kinds)) for _ in range(3 * main + 1)]
        return {"seat": seat, "hand": "".join(tile_text(kind) for kind in tiles), "melds": []}

    def value(self, spec: Input) -> Any:
        if spec.per_seat:
            single = spec.model_copy(update={"per_seat": False})
            return [self.value(single) for _ in self.seats]
        random = self.random
        playing = list(self.ruleset.playing_kinds)
        match spec.type:
            case "integer":
                least = spec.min or 0
                most = spec.max if isinstance(spec.max, int) and not isinstance(spec.max, bool) else least + 4
                return random.choice([least, least, random.randint(least, max(least, most))])
            case "flag":
                return random.random() < 0.5
            case "choice":
                return random.choice(list(spec.values or {}))
            case "seat":
                return random.choice(self.seats)
            case "seats":
                return sorted(random.sample(self.seats, random.randrange(len(self.seats))))
            case "tile":
                return tile_text(random.choice(playing))
            case "tiles":
                size = spec.size or 3 * self.ruleset.main_sets + 1 + (random.random() < 0.3)
                if self.document.comparison is not None and size != self.document.comparison.size:
                    return ["".join(tile_text(self.wall.draw(playing)) for _ in range(2)) for _ in range(size)]
                return "".join(tile_text(self.wall.draw(playing)) for _ in range(size))
            case "dice":
                return [random.randint(1, 6), random.randint(1, 6)]
            case "name":
                return random.choice("ABC")
            case "names":
                return list("ABC")
            case "melds":
                return [self.meld(group, self.seats[0]) for group in self.sets(1)]
            case "hands":
                return [self.shown(seat) for seat in self.seats if random.random() < 0.5]
            case "records":
                fields = spec.fields or {}
                return [{name: self.value(field) for name, field in fields.items()} for _ in range(random.randrange(4))]
        raise AssertionError(spec.type)
