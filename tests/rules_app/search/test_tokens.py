"""Texts become the same tokens however they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_app.search.marking import Piece, excerpt, mark
from rules_app.search.tokens import fold, initials, is_characters, key, numeral, read_query, runs, syllables, text_tokens


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("對對胡", "对对胡"),
        ("碰碰和", "碰碰胡"),
        ("断么九", "断幺九"),
        ("Qīng Yī Sè", "qingyise"),
        ("lǜ yī sè", "lvyise"),
        ("ＡＢＣ", "abc"),
        ("robbing the kongs", "robbingkong"),
        ("All Pungs", "allpong"),
        ("13幺", "十三幺"),
        ("258将", "二五八将"),
    ],
)
def test_names_that_are_the_same_have_one_key(written: str, expected: str):
    assert key(written) == expected


@pytest.mark.parametrize(("number", "words"), [("7", "七"), ("10", "十"), ("13", "十三"), ("88", "八十八"), ("258", "二五八"), ("0", "零")])
def test_numbers_before_a_character(number: str, words: str):
    assert numeral(number) == words


def test_pinyin_of_a_document_comes_first():
    assert syllables("平和", "ping hu") == ["ping", "hu"]
    assert syllables("平和") == ["ping", "hu"]
    assert initials(syllables("绿一色", "lü yi se")) == "lys"


def test_prose_is_cut_into_characters_pairs_and_words():
    assert list(text_tokens("清一色 pure suits")) == ["清", "一", "色", "清一", "一色", "pure", "suit"]


@pytest.mark.parametrize(
    ("query", "title", "pinyin", "marked"),
    [
        ("一色", "清一色", [], "一色"),
        ("qing yi", "清一色", ["qing", "yi", "se"], "清一"),
        ("yise", "清一色", ["qing", "yi", "se"], "一色"),
        ("qys", "清一色", ["qing", "yi", "se"], "清一色"),
        ("qingyise", "清一色", ["qing", "yi", "se"], "清一色"),
        ("suit", "pure suit", [], "suit"),
        ("suits", "pure suit", [], "suit"),
        ("what is the kong", "the kong", [], "kong"),
        ("對對", "对对胡", [], "对对"),
        ("龙", "清一色", [], ""),
    ],
)
def test_what_was_meant_is_marked(query: str, title: str, pinyin: list[str], marked: str):
    assert "".join(piece.text for piece in mark(title, read_query(query), pinyin) if piece.marked) == marked


def test_an_excerpt_surrounds_what_was_meant():
    text = "开头" * 60 + "清一色加倍" + "结尾" * 60

    pieces = excerpt(text, read_query("清一色"), "zh")

    assert Piece("清一色", marked=True) in pieces
    assert sum(len(piece.text) for piece in pieces) < 100


@given(st.text(max_size=60))
def test_any_text_becomes_tokens_of_letters_digits_and_characters_only(text: str):
    tokens = [read_query(text).key, *(token for token, _ in read_query(text).tokens), *text_tokens(text), *runs(text)]

    assert all(token == "" or all(sign.isalnum() or is_characters(sign) or sign == "'" for sign in token) for token in tokens)
    assert "'" not in "".join([read_query(text).key, *text_tokens(text)])
    assert isinstance(fold(text), str)


@given(st.text(max_size=40), st.text(max_size=20))
def test_marking_loses_no_letter(text: str, query: str):
    assert "".join(piece.text for piece in mark(text, read_query(query))) == text
