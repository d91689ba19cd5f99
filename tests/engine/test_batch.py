"""Many pairs at once, against the same pairs counted one by one."""

import random
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.engine import batch, plain
from chronoscore.engine.kinds import Grams, Kind, SkipGrams, Subsequence, WeightedSubsequence
from chronoscore.text import plain as plain_text
from chronoscore.text.batch import prepare_texts
from chronoscore.text.preparation import Limit, Preparation

pytestmark = pytest.mark.usefixtures("engine")

KINDS: list[Kind] = [
    *(Grams(n) for n in (1, 2, 3, 4, 9)),
    Subsequence(),
    WeightedSubsequence(1.2),
    WeightedSubsequence(2),
    *(SkipGrams(gap, unigrams=both) for gap in (0, 4, -1) for both in (False, True)),
]
PREPARATIONS = [
    Preparation(),
    Preparation(stop=True, stem=True),
    Preparation(limit=Limit(11, "words")),
    Preparation(limit=Limit(40, "bytes")),
]
Text = list[str]

letters = st.lists(st.sampled_from("abcdefgh") | st.just("-"), max_size=12).map(" ".join)
few_texts = st.lists(st.lists(letters, max_size=5), min_size=1, max_size=5)


def assert_same(
    texts: Sequence[Text],
    pairs: Sequence[tuple[int, int]],
    preparation: Preparation,
    kinds: Sequence[Kind] = KINDS,
) -> None:
    systems, references = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    counted = batch.count(kinds, prepare_texts(texts, preparation), systems, references)
    one_by_one = [plain_text.prepare_text(text, preparation) for text in texts]
    for kind, rows in zip(kinds, counted, strict=True):
        counts = (plain.count(kind, one_by_one[s], one_by_one[r]) for s, r in pairs)
        assert rows.tolist() == [list(map(float, row)) for row in counts], kind


def written(seed: int, *, texts: int, words: int, sentences: int, types: int) -> list[Text]:
    """Write texts of up to so many sentences of up to so many words, some of them empty."""
    rng = random.Random(seed)
    vocabulary = [f"w{n}" for n in range(types)]
    weights = [1 / (n + 1) for n in range(types)]
    return [
        [
            " ".join(rng.choices(vocabulary, weights, k=rng.randint(0, words)))
            for _ in range(rng.randint(0, sentences))
        ]
        for _ in range(texts)
    ]


def all_pairs(texts: Sequence[Text]) -> list[tuple[int, int]]:
    return [(s, r) for s in range(len(texts)) for r in range(len(texts))]


@pytest.mark.parametrize("preparation", PREPARATIONS, ids=str)
@given(texts=few_texts)
def test_every_kind_counts_as_the_plain_count_does(
    texts: list[Text], preparation: Preparation
) -> None:
    assert_same(texts, all_pairs(texts), preparation)


@pytest.mark.parametrize("types", [3, 40, 400])
@pytest.mark.parametrize("preparation", [PREPARATIONS[0], PREPARATIONS[3]], ids=str)
def test_longer_texts_count_as_the_plain_count_does(types: int, preparation: Preparation) -> None:
    texts = written(types, texts=14, words=24, sentences=7, types=types)
    assert_same(texts, all_pairs(texts), preparation)


def test_sentences_longer_than_a_machine_word_count_as_the_plain_count_does() -> None:
    texts = written(1, texts=9, words=150, sentences=3, types=30)
    lengths = (62, 63, 64, 65, 127, 128, 129, 300)
    texts += [[" ".join(f"w{n % 9}" for n in range(length))] for length in lengths]
    assert_same(texts, all_pairs(texts), Preparation(), [Subsequence()])


def test_one_sentence_texts_of_any_words_count_as_the_plain_count_does() -> None:
    for types in (2, 10, 200):
        texts = written(types, texts=16, words=400, sentences=1, types=types)
        assert_same(texts, all_pairs(texts), Preparation(), [Subsequence()])


def test_a_text_has_itself_in_full() -> None:
    texts = written(2, texts=30, words=25, sentences=5, types=90)
    pairs = [(n, n) for n in range(len(texts))]
    numbers = np.arange(len(texts))
    kinds = [kind for kind in KINDS if not isinstance(kind, WeightedSubsequence)]
    for rows in batch.count(kinds, prepare_texts(texts, Preparation()), numbers, numbers):
        assert (rows[:, 0] == rows[:, 1]).all()
        assert (rows[:, 0] == rows[:, 2]).all()
    assert_same(texts, pairs, Preparation())


def test_the_order_of_pairs_does_not_matter() -> None:
    texts = written(3, texts=12, words=15, sentences=4, types=40)
    pairs = all_pairs(texts) * 2
    random.Random(0).shuffle(pairs)
    assert_same(texts, pairs, Preparation())


def test_no_pairs_give_no_rows() -> None:
    nothing = np.empty(0, dtype=np.int64)
    counted = batch.count(KINDS, prepare_texts([["a"]], Preparation()), nothing, nothing)
    assert [rows.shape for rows in counted] == [(0, 3)] * len(KINDS)


def test_no_kinds_give_no_counts() -> None:
    assert (
        batch.count([], prepare_texts([["a"]], Preparation()), np.array([0]), np.array([0])) == []
    )


def test_counts_do_not_depend_on_how_many_texts_are_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(batch, "MOST_WORDS", 30)
    texts = written(4, texts=10, words=20, sentences=4, types=30)
    assert_same(texts, all_pairs(texts), Preparation())


def test_whole_powers_too_large_for_doubles_stay_exact() -> None:
    texts = [["a b c d e f g h i j " * 3 + "x", "a b c"], ["a b c d e f g h i j " * 3, "b c x"]]
    assert_same(texts, all_pairs(texts), Preparation(), [WeightedSubsequence(12)])


def test_real_timelines_count_as_the_plain_count_does(data: Path) -> None:
    files = sorted((data / "timeline17" / "gold").rglob("*.txt"))[::3]
    days = [
        block.split("\n")[1:]
        for file in files
        for block in re.split(r"\n-+\n", file.read_text(encoding="utf-8", errors="surrogateescape"))
    ]
    pairs = [(n, (n * 7 + 1) % len(days)) for n in range(len(days))]
    kinds = [Grams(1), Grams(2), Subsequence(), SkipGrams(4, unigrams=True)]
    assert_same(days, pairs, Preparation(stem=True, stop=True), kinds)
    texts = [[line for day in days[n : n + 12] for line in day] for n in range(0, len(days), 12)]
    whole = [(n, (n + 1) % len(texts)) for n in range(len(texts))]
    assert_same(texts, whole, Preparation(), kinds)
