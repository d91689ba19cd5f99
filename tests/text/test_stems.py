"""Stems and stop words against what ROUGE-1.5.5 itself gave."""

import gzip
from pathlib import Path

import pytest

from chronoscore.text.stems import base_form, porter, stem
from chronoscore.text.stopwords import SMART

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.slow
def test_every_word_has_the_stem_that_perl_gives_it() -> None:
    with gzip.open(GOLDEN / "stems.tsv.gz", "rt", encoding="utf-8") as file:
        pairs = [line.rstrip("\n").split("\t") for line in file]
    assert len(pairs) == 137_435
    assert [(word, stem(word)) for word, wanted in pairs if stem(word) != wanted] == []


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("professional", "profess"),
        ("argument", "argum"),
        ("fundamental", "fundam"),
        ("agreement", "agreem"),
        ("display", "displai"),
        ("yellow", "yellow"),
        ("ies", "i"),
        ("ab", "ab"),
    ],
)
def test_the_rules_are_perls_own_and_not_those_of_the_paper(word: str, wanted: str) -> None:
    assert porter(word) == wanted


@pytest.mark.parametrize("word", ["men", "was", "is", "a", ""])
def test_a_token_of_three_characters_or_fewer_stays(word: str) -> None:
    assert stem(word) == word


def test_basic_elements_look_up_short_words_too() -> None:
    assert [base_form(word) for word in ("men", "was", "brothers-in-law")] == [
        "man",
        "be",
        "brother-in-law",
    ]


def test_better_and_best_have_the_base_form_of_the_shipped_table() -> None:
    assert (stem("better"), stem("best")) == ("well", "well")


def test_the_stop_list_is_the_one_that_ships_with_rouge() -> None:
    assert len(SMART) == 543
    assert {"reuters", "thu", "x", "the"} < SMART
    assert not SMART & {"first", "last", "name"}
