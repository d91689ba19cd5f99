"""Preparing one text: tokens, limits and their oddities."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.text.limits import cut_words
from chronoscore.text.plain import prepare_text
from chronoscore.text.preparation import Limit, Preparation

anything = st.lists(st.text(max_size=30), max_size=4)
preparations = st.builds(
    Preparation,
    stem=st.booleans(),
    stop=st.booleans(),
    limit=st.none() | st.builds(Limit, st.integers(1, 40), st.sampled_from(["words", "bytes"])),
)


def tokens(*sentences: str, limit: str | None = None) -> tuple[str, ...]:
    chosen = Preparation(limit=Limit.parse(limit) if limit else None)
    return prepare_text(sentences, chosen).tokens


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("don't U.S. 3.14", "don t u s 3 14"),
        ("café naïve", "caf na ve"),
        ("state-of-the-art", "state of the art"),
        ("$5 under_score", "5 under score"),
        ("300 \u212a", "300"),
        ("日本語", ""),
        ("\udcff\ud800x", "x"),
    ],
)
def test_a_token_is_a_run_of_ascii_letters_and_digits(text: str, wanted: str) -> None:
    assert " ".join(tokens(text)) == wanted


@given(anything)
def test_tokens_are_what_a_pattern_finds_in_the_bytes(sentences: list[str]) -> None:
    found = [
        re.findall(rb"[a-z0-9]+", sentence.encode("utf-8", "surrogatepass").lower())
        for sentence in sentences
    ]
    prepared = prepare_text(sentences, Preparation())
    assert [[token.encode() for token in s] for s in prepared.sentences] == found


@given(anything, preparations)
def test_no_text_makes_preparing_fail(sentences: list[str], preparation: Preparation) -> None:
    prepared = prepare_text(sentences, preparation)
    assert sum(prepared.bag.values()) == len(prepared.tokens)


def test_a_word_limit_counts_what_white_space_parts() -> None:
    assert tokens("a-b c", "d e f", limit="4w") == ("a", "b", "c", "d", "e")


def test_a_blank_at_the_start_of_a_line_costs_a_word() -> None:
    assert tokens(" a b c", limit="3w") == ("a", "b")


def test_a_blank_line_costs_nothing() -> None:
    assert tokens("   ", "a b c", limit="2w") == ("a", "b")


def test_a_byte_limit_cuts_inside_words_and_characters() -> None:
    assert tokens("alpha beta", limit="8b") == ("alpha", "be")
    assert tokens("éa b", limit="3b") == ("a",)


def test_sentences_are_judged_alone_under_a_byte_limit() -> None:
    prepared = prepare_text(["abc", "def ghi", "jkl"], Preparation(limit=Limit(5, "bytes")))
    assert prepared.tokens == ("abc", "de")
    assert prepared.sentences == (("abc",), ("def", "g"))


def test_stop_words_go_before_stemming() -> None:
    words = prepare_text(["the first doings of news"], Preparation(stem=True, stop=True)).tokens
    assert words == ("first", "do")


@pytest.mark.parametrize(
    ("size", "kept"), [(2, [b"a b"]), (2.5, [b"a b", b"c"]), (3, [b"a b", b"c"]), (0.5, [b"a"])]
)
def test_a_fraction_of_a_word_is_a_word(size: float, kept: list[bytes]) -> None:
    assert cut_words([b"a b", b"c d"], size) == kept
