"""Many stems at once, against the stems that Perl printed and those found one by one."""

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.text.batch_stems import stem_words
from chronoscore.text.packed_words import LONGEST, PackedWords
from chronoscore.text.preparation import Preparation
from chronoscore.text.stems import stem

GOLDEN = Path(__file__).parents[1] / "golden"
ENDINGS = """
s ss sses ies ed eed ing y at bl iz ational tional enci anci izer bli alli entli eli ousli ization
ation ator alism iveness fulness ousness aliti iviti biliti logi icate ative alize iciti ical ful
ness al ance ence er ic able ible ant ement ou ism ate iti ous ive ize ment ent sion tion ion e ll
"""
endings = st.sampled_from(["", *ENDINGS.split()])
beginnings = st.text("aeiouybdlnstz1", min_size=1, max_size=6)


def spell(words: list[str]) -> list[str]:
    return stem_words(PackedWords.of_words(words), Preparation()).spell()


@pytest.mark.slow
def test_every_stem_is_the_one_that_perl_printed() -> None:
    with gzip.open(GOLDEN / "stems.tsv.gz", "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    short = [row for row in rows if len(row[0]) <= LONGEST]
    found = spell([word for word, _ in short])
    assert [row for row, ours in zip(short, found, strict=True) if row[1] != ours] == []


@pytest.mark.slow
@given(st.sets(beginnings, min_size=1, max_size=8), endings)
def test_many_stems_are_those_found_one_by_one(starts: set[str], last: str) -> None:
    words = [start + ending + last for start in starts for ending in ["", *ENDINGS.split()]] * 4
    short = [word for word in words if len(word) <= LONGEST]
    assert spell(short) == [stem(word) for word in short]


def test_few_words_and_none_are_stemmed_too() -> None:
    assert spell([]) == []
    assert spell(["floods"]) == ["flood"]
