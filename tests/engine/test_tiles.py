from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_app.engine.tiles import (
    KINDS,
    TileTextError,
    counts_of,
    format_tiles,
    parse_tile,
    parse_tiles,
    rank_of,
    suit_of,
    tile_name,
    tile_text,
)

ALL_KINDS = range(KINDS)
TILES = st.lists(st.integers(0, KINDS - 1), max_size=30)
UNICODE = "🀇🀈🀉🀊🀋🀌🀍🀎🀏🀙🀚🀛🀜🀝🀞🀟🀠🀡🀐🀑🀒🀓🀔🀕🀖🀗🀘🀀🀁🀂🀃🀆🀅🀄🀦🀧🀨🀩🀢🀣🀤🀥"
SIGNS = "123456789０１９mpszfMＭ一二九万萬筒饼条索东東南西北白板发財财中红紅风春梅兰竹菊🀀🀄🀇🀩🀪 ,、0x"


@given(TILES)
def test_text_out_and_in_is_the_same_tiles(kinds: list[int]) -> None:
    assert parse_tiles(format_tiles(kinds)) == sorted(kinds)
    assert format_tiles(parse_tiles(format_tiles(kinds))) == format_tiles(kinds)


@given(TILES)
def test_every_way_of_writing_keeps_the_order(kinds: list[int]) -> None:
    assert parse_tiles("".join(map(tile_text, kinds))) == kinds
    assert parse_tiles(" ".join(tile_name(kind).zh for kind in kinds)) == kinds
    assert parse_tiles("".join(UNICODE[kind] for kind in kinds)) == kinds


@given(st.text() | st.text(alphabet=SIGNS) | st.text(alphabet=SIGNS, min_size=100))
def test_any_text_parses_or_is_refused_with_a_sentence(text: str) -> None:
    refusal: TileTextError | None = None
    kinds: list[int] = []
    try:
        kinds = parse_tiles(text)
    except TileTextError as error:
        refusal = error
    assert all(0 <= kind < KINDS for kind in kinds)
    if refusal:
        assert refusal.message.zh
        assert refusal.message.en == str(refusal)
        assert 0 <= refusal.position <= len(text)


@pytest.mark.parametrize("text", ["\ud800", "\x00", "5\ud800", "红", "红\ud800"])
def test_odd_characters_are_refused(text: str) -> None:
    with pytest.raises(TileTextError):
        parse_tiles(text)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("", ""),
        ("123m 44p", "123m44p"),
        ("1 2 3 m", "123m"),
        ("一二三万", "123m"),
        ("一万九万", "19m"),
        ("3饼4筒5餅", "345p"),
        ("二索三条四條", "234s"),
        ("东东", "11z"),
        ("东风南风", "12z"),
        ("红中發财白板", "567z"),
        ("中白发", "567z"),
        ("春夏秋冬梅兰竹菊", "12345678f"),
        ("🀀🀁🀂🀃🀆🀅🀄", "1234567z"),
        ("🀄\ufe0f", "7z"),
        ("🀇🀙🀐", "1m1p1s"),
        ("🀦🀢", "15f"),
        ("１２３ｍ", "123m"),
        ("1M,2m，3m", "123m"),
    ],
)
def test_ways_to_write(text: str, canonical: str) -> None:
    assert format_tiles(parse_tiles(text)) == canonical


@pytest.mark.parametrize(
    ("text", "position", "zh", "en"),
    [
        ("12m8z", 3, "没有 8z", "no tile 8z"),
        ("9f", 0, "1f 到 8f", "1f to 8f"),
        ("123m45", 4, "“45”后面没有写花色", "“45” (from character 5) has no suit"),
        ("m", 0, "前面没有数字", "no digit before"),
        ("1m0p", 2, "“0”不是牌", "“0”, is not a tile"),
        ("5东", 0, "没有写花色", "has no suit"),
        ("1m?", 2, "第 3 个字符", "Character 3"),
    ],
)
def test_refusals_say_what_and_where(text: str, position: int, zh: str, en: str) -> None:
    with pytest.raises(TileTextError) as caught:
        parse_tiles(text)
    assert caught.value.position == position
    assert zh in caught.value.message.zh
    assert en in caught.value.message.en


def test_a_single_tile() -> None:
    assert parse_tile("红中") == 33
    for text in ("", "12m"):
        with pytest.raises(TileTextError):
            parse_tile(text)


def test_kinds() -> None:
    assert "".join(f"{rank_of(kind)}{suit_of(kind)}" for kind in (0, 13, 26, 27, 33, 41)) == ("1m5p9s1z7z8f")
    assert tile_name(4).zh == "五万"
    assert tile_name(4).en == "5 characters"
    assert len({tile_name(kind).zh for kind in ALL_KINDS}) == KINDS
    assert len({tile_name(kind).en for kind in ALL_KINDS}) == KINDS
    assert counts_of([0, 0, 41])[0] == 2


def test_callers_may_change_the_list() -> None:
    parse_tiles("1m").append(5)
    assert parse_tiles("1m") == [0]
