"""The drawing of the tiles: one SVG sprite with a symbol per kind, ``t-1m`` to ``t-8f``, ``t-back`` and ``t-blank``.

A tile is 60 by 80 units. What a tile says never rests on colour alone: dots and sticks are counted,
characters are read, flowers carry their number. Characters are outlines of a font, given to
:func:`draw_sprite` as a function, so that tiles look the same on every device.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import cos, pi, sin

Glyph = Callable[[str], str]
"""The outline of a character as path data, in a box of 1000 units with its centre at 0, 0 and y downwards."""

INK, RED, GREEN, BLUE, GOLD = "#1d2421", "#b3261e", "#0d7449", "#1d4c8f", "#b97a0a"
FACE, EDGE, SIDE, BACK = "#fefbf2", "#d9cfb5", "#d6cba9", "#1c7558"
CENTRE_X, CENTRE_Y = 30, 37.5

NUMERALS = "一二三四五六七八九"
MYRIAD = "萬"
WINDS = "東南西北"
DRAGONS = {6: ("發", GREEN), 7: ("中", RED)}
FLOWERS = "春夏秋冬梅蘭竹菊"
FLOWER_NUMBERS = "1234"
CHARACTERS = NUMERALS + MYRIAD + WINDS + "發中" + FLOWERS + FLOWER_NUMBERS

Spot = tuple[float, float, str]

DOTS: dict[int, tuple[float, list[Spot]]] = {
    2: (13.5, [(30, 20, GREEN), (30, 55, BLUE)]),
    3: (10.5, [(14, 16, BLUE), (30, 37.5, RED), (46, 59, GREEN)]),
    4: (11.5, [(17, 19, BLUE), (43, 19, GREEN), (17, 56, GREEN), (43, 56, BLUE)]),
    5: (9.6, [(15.5, 17, BLUE), (44.5, 17, GREEN), (30, 37.5, RED), (15.5, 58, GREEN), (44.5, 58, BLUE)]),
    6: (9.2, [(18, 14.5, GREEN), (42, 14.5, GREEN), (18, 40.5, RED), (42, 40.5, RED), (18, 60.5, RED), (42, 60.5, RED)]),
    7: (7.6, [(13, 11.5, GREEN), (30, 18.5, GREEN), (47, 25.5, GREEN), (20, 45, RED), (40, 45, RED), (20, 62, RED), (40, 62, RED)]),
    8: (7.8, [(x, y, BLUE) for y in (12, 29, 46, 63) for x in (20, 40)]),
    9: (7.9, [(x, y, colour) for y, colour in ((14, GREEN), (37.5, RED), (61, BLUE)) for x in (12.5, 30, 47.5)]),
}

Stick = tuple[float, float, float, str]
"""A stick's centre, its slant in degrees, its colour."""

STICKS: dict[int, tuple[float, list[Stick]]] = {
    2: (27, [(30, 21, 0, GREEN), (30, 54, 0, BLUE)]),
    3: (27, [(30, 21, 0, GREEN), (18, 54, 0, BLUE), (42, 54, 0, GREEN)]),
    4: (27, [(18, 21, 0, GREEN), (42, 21, 0, BLUE), (18, 54, 0, BLUE), (42, 54, 0, GREEN)]),
    5: (25, [(14, 21, 0, GREEN), (46, 21, 0, BLUE), (30, 37.5, 0, RED), (14, 54, 0, BLUE), (46, 54, 0, GREEN)]),
    6: (27, [(x, y, 0, GREEN if y < 30 else BLUE) for y in (21, 54) for x in (14, 30, 46)]),
    7: (19, [(30, 14, 0, RED), *((x, y, 0, GREEN if x != 30 else BLUE) for y in (38, 61) for x in (14, 30, 46))]),
    8: (
        25,
        [
            *((x, y, 0, GREEN) for y in (21, 54) for x in (10, 50)),
            (23.5, 20, 28, BLUE),
            (36.5, 20, -28, BLUE),
            (23.5, 55, -28, BLUE),
            (36.5, 55, 28, BLUE),
        ],
    ),
    9: (19, [(x, y, 0, RED if x == 30 else GREEN if x < 30 else BLUE) for y in (14.5, 37.5, 60.5) for x in (14, 30, 46)]),
}


def draw_sprite(glyph: Glyph) -> str:
    """The whole sprite as the text of an SVG file; ``glyph`` is asked for each of :data:`CHARACTERS`."""
    symbols = "\n".join(f'<symbol id="t-{name}" viewBox="0 0 60 80">{body}</symbol>' for name, body in _symbols(glyph))
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{symbols}\n</svg>\n'


def draw_icon(glyph: Glyph) -> str:
    """The site's icon: the red dragon, alone."""
    body = _tile(_character(glyph, "中", 46, RED))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 0 80 80">{body}</svg>\n'


def _symbols(glyph: Glyph) -> Iterator[tuple[str, str]]:
    for rank, numeral in enumerate(NUMERALS, start=1):
        yield f"{rank}m", _tile(_character(glyph, numeral, 31, INK, y=20.5) + _character(glyph, MYRIAD, 33, RED, y=54))
    for rank in range(1, 10):
        yield f"{rank}p", _tile(_great_dot() if rank == 1 else _dots(rank))
    for rank in range(1, 10):
        yield f"{rank}s", _tile(_bird() if rank == 1 else _sticks(rank))
    for rank, wind in enumerate(WINDS, start=1):
        yield f"{rank}z", _tile(_character(glyph, wind, 47, INK))
    yield "5z", _tile(_white_dragon())
    for rank, (dragon, colour) in DRAGONS.items():
        yield f"{rank}z", _tile(_character(glyph, dragon, 47, colour))
    for rank, flower in enumerate(FLOWERS, start=1):
        colour = RED if rank <= 4 else GREEN
        number = _character(glyph, FLOWER_NUMBERS[(rank - 1) % 4], 21, BLUE, x=48, y=14)
        motif = f'<g transform="translate(15 15)">{MOTIFS[rank]()}</g>'
        yield f"{rank}f", _tile(motif + number + _character(glyph, flower, 38, colour, y=49))
    yield "back", _back()
    yield "blank", _tile("")


def _tile(face: str) -> str:
    """A tile lying face up: its coloured back shows as a rim at the foot, then the ivory side."""
    return (
        f'<rect x="1" y="6" width="58" height="73.5" rx="8" fill="{BACK}"/>'
        f'<rect x="1" y="4" width="58" height="73" rx="8" fill="{SIDE}"/>'
        f'<rect x="1" y=".8" width="58" height="73.4" rx="7.5" fill="{FACE}" stroke="{EDGE}" stroke-width=".9"/>{face}'
    )


def _back() -> str:
    lattice = "".join(f'<path d="M{x} {y + 7.5}l-6 6 6 6 6-6z"/>' for x in (15, 30, 45) for y in (0, 16, 32, 48))
    return (
        f'<rect x="1" y="4" width="58" height="75.5" rx="8" fill="{SIDE}"/>'
        f'<rect x="1" y=".8" width="58" height="73.4" rx="7.5" fill="{BACK}" stroke="#125340" stroke-width=".9"/>'
        f'<g fill="none" stroke="#7fc4a9" stroke-width="1.6" opacity=".7">{lattice}<rect x="6" y="6" width="48" height="63" rx="4"/></g>'
    )


def _character(glyph: Glyph, character: str, size: float, colour: str, *, x: float = CENTRE_X, y: float = CENTRE_Y) -> str:
    place = f"translate({_number(x)} {_number(y)}) scale({_number(size / 1000, 4)})"
    return f'<path fill="{colour}" transform="{place}" d="{glyph(character)}"/>'


def _dots(rank: int) -> str:
    radius, spots = DOTS[rank]
    return "".join(_dot(x, y, radius, colour) for x, y, colour in spots)


def _dot(x: float, y: float, radius: float, colour: str) -> str:
    ring = radius * 0.24
    return _ring(x, y, radius - ring / 2, colour, ring) + _disc(x, y, radius * 0.52, colour) + _disc(x, y, radius * 0.17, FACE)


def _great_dot() -> str:
    petals = "".join(_petal(angle, 10.4, 3.1, 3.1, GREEN) for angle in range(0, 360, 30))
    return (
        f'<g transform="translate({CENTRE_X} {CENTRE_Y})"><circle r="21.4" fill="none" stroke="{BLUE}" stroke-width="3.2"/>'
        f'<circle r="16.7" fill="none" stroke="{GREEN}" stroke-width="1.5"/>{petals}'
        f'<circle r="6.1" fill="{RED}"/><circle r="2" fill="{FACE}"/></g>'
    )


def _sticks(rank: int) -> str:
    length, sticks = STICKS[rank]
    width = 8.4 if rank <= 4 else 6.8
    return "".join(_stick(x, y, length, width, slant, colour) for x, y, slant, colour in sticks)


def _stick(x: float, y: float, length: float, width: float, slant: float, colour: str) -> str:
    """A piece of bamboo: two segments, a knot at each end and between them, a line of light."""
    half, knot = length / 2, width + 2.6
    knots = "".join(
        f'<rect x="{_number(-knot / 2)}" y="{_number(at - 1.5)}" width="{_number(knot)}" height="3" rx="1.5"/>'
        for at in (-half + 1.5, 0, half - 1.5)
    )
    light = f'<path d="M0 {_number(-half + 4.4)}V-3M0 3V{_number(half - 4.4)}" stroke="{FACE}" stroke-width="1.4" stroke-linecap="round"/>'
    place = f"translate({_number(x)} {_number(y)})" + (f" rotate({_number(slant)})" if slant else "")
    cane = f'<rect x="{_number(-width / 2)}" y="{_number(-half + 1)}" width="{_number(width)}" height="{_number(length - 2)}" rx="2.2"/>'
    return f'<g transform="{place}" fill="{colour}">{cane}{knots}{light}</g>'


def _bird() -> str:
    """A bird on a stick of bamboo: the one of bamboo."""
    tail = (
        _strokes("M25 45C16 48 10 55 8 66", RED, 4)
        + _strokes("M27 47C20 52 16 58 16 67", BLUE, 4)
        + _strokes("M30 48C26 54 24 60 25 66", GREEN, 4)
    )
    body = _fill(
        "M33 12C41 10 47 16 45 24C44 28 47 31 47 37C47 46 39 52 31 51C24 50 20 45 21 39C22 31 30 29 30 22C30 18 30 13 33 12Z", GREEN
    )
    wing = _fill("M27 41C31 33 37 33 43 33C42 42 36 47 29 46Z", BLUE)
    feathers = _strokes("M30 42.5C34 38 37 37 41 36.5M30.5 45C34 42.5 37 41 40 40.5", FACE, 1.3)
    head = _fill("M45 18L53.5 21.5L45 24Z", RED) + _fill("M34 12.5C31 9 31 7 33 5C34 8 36 9 38 11.5Z", RED)
    eye = _disc(39.5, 18.8, 3.1, FACE) + _disc(40.2, 18.8, 1.5, INK)
    legs = _strokes("M35 51V59M41 49.5V59", RED, 2.2)
    knots = "".join(f'<rect x="{x}" y="58" width="3" height="8.4" rx="1.5"/>' for x in (27, 39, 51))
    perch = f'<g fill="{GREEN}"><rect x="28" y="59" width="25" height="6.4" rx="2.2"/>{knots}</g>'
    return tail + body + wing + feathers + head + eye + legs + perch


def _white_dragon() -> str:
    return (
        f'<rect x="10" y="10" width="40" height="55" rx="3.5" fill="none" stroke="{BLUE}" stroke-width="4.2"/>'
        f'<rect x="16.2" y="16.2" width="27.6" height="42.6" rx="1.5" fill="none" stroke="{BLUE}" stroke-width="1.5"/>'
    )


def _disc(x: float, y: float, radius: float, colour: str) -> str:
    return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}" fill="{colour}"/>'


def _ring(x: float, y: float, radius: float, colour: str, width: float) -> str:
    return (
        f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}" fill="none" stroke="{colour}" stroke-width="{_number(width)}"/>'
    )


def _fill(path: str, colour: str) -> str:
    return f'<path d="{path}" fill="{colour}"/>'


def _strokes(path: str, colour: str, width: float) -> str:
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{_number(width)}" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _petal(angle: float, distance: float, rx: float, ry: float, colour: str) -> str:
    """An ellipse at ``angle`` degrees (0 is up), pointing outwards."""
    x, y = distance * sin(angle * pi / 180), -distance * cos(angle * pi / 180)
    place = f"translate({_number(x)} {_number(y)}) rotate({_number(angle)})"
    return f'<ellipse rx="{_number(rx)}" ry="{_number(ry)}" fill="{colour}" transform="{place}"/>'


# The small pictures of the flowers, around 0, 0, about 18 units wide.


def _sprout() -> str:
    leaves = _fill("M0 2C-8 2-9-4-9-7C-3-7 0-4 0 2ZM0 0C0-6 4-9 9-9C9-3 6 0 0 0Z", GREEN)
    return leaves + _strokes("M0 9V0", GREEN, 2)


def _sun() -> str:
    return _disc(0, 0, 4.4, RED) + "".join(_petal(angle, 7.6, 0.9, 2, RED) for angle in range(0, 360, 45))


def _leaf() -> str:
    blade = _fill("M0-9L2.5-4L7-6L5.5-1L9 2L4 3.5L2 6L0 5L-2 6L-4 3.5L-9 2L-5.5-1L-7-6L-2.5-4Z", RED)
    return blade + _strokes("M0 9V4", RED, 1.6)


def _snowflake() -> str:
    arm = _strokes("M0 0V-9M-2.6-7L0-4.6L2.6-7", BLUE, 1.5)
    return "".join(f'<g transform="rotate({angle})">{arm}</g>' for angle in range(0, 360, 60))


def _plum() -> str:
    petals = "".join(_petal(angle, 4.9, 3.3, 3.5, RED) for angle in range(0, 360, 72))
    return petals + _disc(0, 0, 2.4, FACE) + _disc(0, 0, 1.2, GOLD)


def _orchid() -> str:
    leaves = _strokes("M0 9C-2 2-6-3-9-4M0 9C0 1 1-5 4-9M0 9C2 4 5 1 9 1", GREEN, 2)
    return leaves + "".join(f'<g transform="translate(-3 -6)">{_petal(angle, 2, 1.1, 2, BLUE)}</g>' for angle in (-60, 0, 60, 180))


def _bamboo() -> str:
    leaves = "M-1 1C3-4 6-4 9-3C7 1 3 2-1 1ZM-1-2C1-7 4-9 8-9C7-5 4-2-1-2ZM-3 0C-5-4-7-5-9-5C-9-2-7 0-3 0Z"
    return _strokes("M-2 9V2M-2-.5V-8", GREEN, 2.6) + _fill(leaves, GREEN)


def _chrysanthemum() -> str:
    return "".join(_petal(angle, 6.4, 1.6, 3, GOLD) for angle in range(0, 360, 30)) + _disc(0, 0, 3.4, RED)


MOTIFS: dict[int, Callable[[], str]] = {
    1: _sprout,
    2: _sun,
    3: _leaf,
    4: _snowflake,
    5: _plum,
    6: _orchid,
    7: _bamboo,
    8: _chrysanthemum,
}


def _number(value: float, digits: int = 2) -> str:
    """The shortest text of a number with at most so many digits after the point."""
    return f"{value:.{digits}f}".rstrip("0").rstrip(".") or "0"
