"""Overlaps of all pairs of texts, against the plain count of each pair."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.engine import overlap, plain, totals
from chronoscore.engine.kinds import Grams
from chronoscore.text import plain as plain_text
from chronoscore.text.batch import prepare_texts
from chronoscore.text.preparation import Limit, Preparation

letters = st.lists(st.sampled_from("aabcd"), max_size=14).map(" ".join)
texts = st.lists(st.lists(letters, max_size=3), min_size=1, max_size=7)


def assert_same(given: list[list[str]], n: int, preparation: Preparation) -> None:
    everyone = np.arange(len(given))
    batch = prepare_texts(given, preparation)
    one_by_one = [plain_text.prepare_text(text, preparation) for text in given]
    counts = [[plain.count(Grams(n), ours, theirs) for theirs in one_by_one] for ours in one_by_one]
    found = overlap.count_all(batch, everyone, everyone, n).toarray()
    assert found.tolist() == [[count.hits for count in row] for row in counts]
    sizes, _ = totals.count(Grams(n), batch, everyone, everyone)
    assert sizes.tolist() == [row[0].system for row in counts]


@pytest.mark.parametrize("n", [1, 2, 3, 5])
@given(given=texts)
def test_overlaps_and_totals_are_those_of_the_plain_count(given: list[list[str]], n: int) -> None:
    assert_same(given, n, Preparation())


def test_a_byte_limit_cuts_the_texts_that_overlap() -> None:
    rng = random.Random(0)
    given = [[" ".join(rng.choices("abcdefg", k=30)) for _ in range(3)] for _ in range(8)]
    assert_same(given, 2, Preparation(limit=Limit(70, "bytes")))


def test_rows_and_columns_may_be_any_texts_in_any_order() -> None:
    batch = prepare_texts([["a b a"], ["a a"], [], ["b b b a"]], Preparation())
    found = overlap.count_all(batch, np.array([3, 0, 3]), np.array([1, 2, 0])).toarray()
    assert found.tolist() == [[1, 0, 2], [2, 0, 3], [1, 0, 2]]


def test_no_texts_have_no_overlaps() -> None:
    batch = prepare_texts([["a"]], Preparation())
    none = np.empty(0, dtype=np.int64)
    assert overlap.count_all(batch, none, np.array([0])).shape == (0, 1)
