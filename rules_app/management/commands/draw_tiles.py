"""Draw the tiles' sprite and the site's icon again."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from fontTools.misc.transform import Transform
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTCollection

from rules_app.tile_art import Glyph, draw_icon, draw_sprite

FONT = "/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc"
FAMILY = "Noto Serif CJK SC"
EM_CENTRE = (500, 380)  # of an ideograph's box in this font: descender -120, ascender 880


class Command(BaseCommand):
    help = "Write static/tiles/tiles.svg and icon.svg; the characters' outlines come from Noto Serif CJK."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--font", type=Path, default=Path(FONT), help="the font collection to take characters from")
        parser.add_argument("--output", type=Path, default=settings.BASE_DIR / "static" / "tiles")

    def handle(self, *args: Any, font: Path, output: Path, **options: Any) -> None:
        if not font.is_file():
            raise CommandError(f"{font} is missing: install fonts-noto-cjk, or give --font.")
        glyph = outlines(font)
        output.mkdir(parents=True, exist_ok=True)
        (output / "tiles.svg").write_text(draw_sprite(glyph), encoding="utf-8")
        (output / "icon.svg").write_text(draw_icon(glyph), encoding="utf-8")
        self.stdout.write(f"wrote {output / 'tiles.svg'} and icon.svg")


def outlines(font: Path) -> Glyph:
    """The outlines of the font's simplified Chinese face, whole units, centred as :data:`Glyph` wants them."""
    face = next(face for face in TTCollection(font).fonts if face["name"].getDebugName(1) == FAMILY)
    names, glyphs = face.getBestCmap(), face.getGlyphSet()

    def glyph(character: str) -> str:
        name = names[ord(character)]
        pen = SVGPathPen(glyphs, ntos=lambda value: str(round(value)))
        centre_x = EM_CENTRE[0] if ord(character) > 0x2E80 else glyphs[name].width / 2
        glyphs[name].draw(TransformPen(pen, Transform(1, 0, 0, -1, -centre_x, EM_CENTRE[1])))
        return str(pen.getCommands())

    return glyph
