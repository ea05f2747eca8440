"""Tiles and amounts as templates write them."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from django.conf import settings
from django.template import Context, Template
from django.utils import translation

from rules_app.engine.tiles import KINDS, tile_text
from rules_app.management.commands.draw_tiles import FONT, outlines
from rules_app.tile_art import draw_icon, draw_sprite

SPRITE = settings.BASE_DIR / "static" / "tiles" / "tiles.svg"


def render(source: str, **context: object) -> str:
    return Template("{% load tiles %}" + source).render(Context(context))


def drawn(html: str) -> list[str]:
    return re.findall(r'#t-([\w]+)"', html)


def test_tiles_draws_each_tile_in_the_order_of_the_text():
    html = render('{% tiles "321m4z" %}')

    assert drawn(html) == ["3m", "2m", "1m", "4z"]


def test_tiles_takes_kinds_and_every_notation():
    assert drawn(render("{% tiles kinds %}", kinds=[0, 33, 41])) == ["1m", "7z", "8f"]
    assert drawn(render('{% tiles "一二万东發" %}')) == ["1m", "2m", "1z", "6z"]


@pytest.mark.parametrize(("language", "names"), [("zh-hans", "一万、东"), ("en", "1 characters, east wind")])
def test_tiles_are_one_image_named_in_the_readers_language(language: str, names: str):
    with translation.override(language):
        html = render('{% tiles "1m1z" %}')

    assert f'role="img" aria-label="{names}"' in html
    assert html.count("aria-hidden") == 2  # the drawings themselves


def test_a_space_between_groups_is_a_gap():
    html = render('{% tiles "123m 44p" %}')

    assert html.count('class="gap"') == 1
    assert drawn(html) == ["1m", "2m", "3m", "4p", "4p"]


def test_wild_and_winning_tiles_are_marked_and_the_wild_one_says_so():
    with translation.override("en"):
        html = render('{% tiles "15m" wild="5m" mark=0 size="small" class="fit" %}')

    assert 'class="tiles small fit"' in html
    assert re.findall(r'<svg class="([^"]+)"', html) == ["tile mark", "tile wild"]
    assert "5 characters (wild)" in html


def test_text_that_names_no_tiles_stands_escaped():
    assert render("{% tiles text %}", text="<b>99x") == '<span class="tiles-text">&lt;b&gt;99x</span>'


def test_decorative_tiles_are_silent():
    html = render('{% tiles "1m" decorative=True %}{% tile "back" decorative=True %}')

    assert "aria-label" not in html
    assert html.count('aria-hidden="true"') == 3


def test_tile_draws_backs_and_kinds_with_a_name():
    with translation.override("en"):
        html = render('{% tile "back" %}{% tile 4 size="large" %}')

    assert drawn(html) == ["back", "5m"]
    assert 'aria-label="a tile face down"' in html
    assert 'class="tile large"' in html
    assert 'aria-label="5 characters"' in html


@pytest.mark.parametrize(("value", "text"), [(24, "+24"), (-8, "\u22128"), (0, "0"), (None, ""), ("x", "x"), (True, "True")])
def test_signed_writes_a_sign_before_every_amount(value: object, text: str):
    assert render("{{ value|signed }}", value=value) == text


@pytest.mark.parametrize(("value", "direction"), [(24, "plus"), (-8, "minus"), (0, "zero")])
def test_amount_says_its_direction_by_sign_and_class(value: int, direction: str):
    assert f'<span class="amount {direction}">' in render("{% amount value %}", value=value)


def test_the_sprite_has_a_symbol_for_each_kind_with_nothing_that_runs_or_loads():
    root = ET.parse(SPRITE).getroot()
    names = {symbol.get("id") for symbol in root}

    assert names == {f"t-{tile_text(kind)}" for kind in range(KINDS)} | {"t-back", "t-blank"}
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {"svg", "symbol", "g", "path", "rect", "circle", "ellipse"}


@pytest.mark.skipif(not Path(FONT).is_file(), reason="needs fonts-noto-cjk")
def test_the_sprite_in_the_repository_is_what_the_drawing_says():
    glyph = outlines(Path(FONT))

    assert SPRITE.read_text(encoding="utf-8") == draw_sprite(glyph)
    assert SPRITE.with_name("icon.svg").read_text(encoding="utf-8") == draw_icon(glyph)
