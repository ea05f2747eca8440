"""Prints how long the engine takes: ``make bench``.

Figures are microseconds on one core, median and 95th percentile over many hands, each timed several times and its
best time kept, so that other work on the machine shows as little as it can.
"""

from __future__ import annotations

import json
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from rules_app.engine import Refusal, Ruleset
from rules_app.engine.tiles import tile_text
from tests.engine.rulesets import CASES, shipped, slugs

REPEATS = 7
NOTES = ("id", "why", "source", "working", "expect", "variant")


def measure(calls: Sequence[Callable[[], object]]) -> tuple[float, float]:
    """Median and 95th percentile of the calls' best times in microseconds."""
    times = []
    for call in calls:
        call()
        best = float("inf")
        for _ in range(REPEATS):
            start = time.perf_counter()
            call()
            best = min(best, time.perf_counter() - start)
        times.append(best * 1e6)
    times.sort()
    return statistics.median(times), times[int(len(times) * 0.95)]


def show(name: str, calls: Sequence[Callable[[], object]]) -> None:
    if not calls:
        print(f"{name:52} nothing to measure")
        return
    median, high = measure(calls)
    print(f"{name:52} median {median:8.0f} µs   p95 {high:8.0f} µs   ({len(calls)} measured)")


def requests(slug: str) -> list[dict[str, Any]]:
    """The accepted rounds among the scoring cases."""
    cases = json.loads((CASES / f"{slug}.json").read_text(encoding="utf-8"))
    return [{key: value for key, value in case.items() if key not in NOTES} for case in cases if "error" not in case["expect"]]


def events_of(request: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = request["round"].get("events") or []
    return found


def is_single_win(request: dict[str, Any]) -> bool:
    events = events_of(request)
    return len(events) == 1 and events[0]["type"] == "win" and "hand" in events[0]


def scoring(ruleset: Ruleset, request: dict[str, Any]) -> Callable[[], object]:
    return lambda: ruleset.score(request)


def wenzhou_hands(ruleset: Ruleset, wilds: int, number: int) -> list[dict[str, Any]]:
    """Random complete hands of seventeen tiles, some tiles replaced by wild ones."""
    random = Random(wilds)
    found: list[dict[str, Any]] = []
    while len(found) < number:
        tiles: list[int] = []
        for _ in range(5):
            if random.random() < 0.65:
                first = random.choice([kind for kind in range(27) if kind % 9 <= 6])
                tiles += [first, first + 1, first + 2]
            else:
                tiles += [random.randrange(31)] * 3
        tiles += [random.randrange(31)] * 2
        wild = random.choice([kind for kind in range(27) if kind not in tiles])
        random.shuffle(tiles)
        tiles[:wilds] = [wild] * wilds
        tile = tiles.pop()
        hand = "".join(tile_text(kind) for kind in tiles)
        event = {"type": "win", "seat": 1, "by": "self_draw", "hand": hand, "tile": tile_text(tile), "melds": []}
        request = {"round": {"wild": [tile_text(wild)], "events": [event]}}
        try:
            ruleset.score(request)
        except Refusal:
            continue
        found.append(request)
    return found


def waits_of(slug: str, request: dict[str, Any]) -> dict[str, Any]:
    """The question what the hand of a win waited for."""
    event = events_of(request)[0]
    hand = {"seat": event["seat"], "hand": event["hand"], "melds": event.get("melds", [])}
    round_ = {key: value for key, value in request["round"].items() if key in ("wild", "inputs")}
    return {**request, "ask": "waits", "round": {**round_, "events": [{"type": "draw", "hands": [hand]}]}}


def accepted(ruleset: Ruleset, request: dict[str, Any]) -> bool:
    try:
        ruleset.score(request)
    except Refusal:
        return False
    return True


def wildest(tile: str, hand: str) -> dict[str, Any]:
    """A Tianjin win of one suit with all seven wild tiles: as many readings as a hand can have."""
    event = {"type": "win", "seat": 1, "by": "self_draw", "hand": hand, "tile": tile}
    return {"options": {"min_fan": 2}, "round": {"wild": ["1z", "2z"], "events": [event]}}


def main() -> None:
    print(f"Python {platform.python_version()} on {platform.machine()}, {platform.system()}")
    print()
    two = shipped("two_player")
    show("two_player, a win of 14 tiles", [scoring(two, r) for r in requests("two_player") if is_single_win(r)])
    wenzhou = shipped("wenzhou")
    for wilds in range(4):
        hands = wenzhou_hands(wenzhou, wilds, 60)
        show(f"wenzhou, a win of 17 tiles, {wilds} wild", [scoring(wenzhou, request) for request in hands])
    one_wild = [waits_of("wenzhou", request) for request in wenzhou_hands(wenzhou, 1, 60)]
    show("wenzhou, all waits of 16 tiles, 1 wild", [scoring(wenzhou, r) for r in one_wild if accepted(wenzhou, r)])
    sichuan = shipped("sichuan")
    rounds = [r for r in requests("sichuan") if len(events_of(r)) >= 3]
    show("sichuan, a whole round of three events and more", [scoring(sichuan, request) for request in rounds])
    tianjin = shipped("tianjin")
    natural = [wildest("7m", "123456m1112222z"), wildest("5m", "455667m1112222z")]
    waiting = [{**waits_of("tianjin", request), "options": {"min_fan": 100}} for request in natural]
    show("tianjin, a win with 7 wild tiles, a natural one last", [scoring(tianjin, request) for request in natural])
    show("tianjin, a win with 7 wild tiles, a wild one last", [scoring(tianjin, wildest("2z", "1234567m111222z"))])
    show("tianjin, waits with 7 wild tiles, none dear enough", [scoring(tianjin, request) for request in waiting])
    print()
    for slug in slugs():
        ruleset = shipped(slug)
        every = requests(slug)
        wins = [request for request in every if is_single_win(request)]
        asked = [waits_of(slug, request) for request in wins]
        whole = [r for r in every if len(events_of(r)) > 1 or ruleset.comparison is not None]
        show(f"{slug}: a win", [scoring(ruleset, request) for request in wins])
        show(f"{slug}: a whole round", [scoring(ruleset, request) for request in whole])
        show(f"{slug}: waits", [scoring(ruleset, request) for request in asked if accepted(ruleset, request)])


if __name__ == "__main__":
    main()
