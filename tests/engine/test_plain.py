"""Counting one pair of texts, against literal tables and hand counts."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.engine import plain, sequences, weighted
from chronoscore.engine.kinds import Grams, SkipGrams, Subsequence, WeightedSubsequence
from chronoscore.engine.plain import Counts
from chronoscore.text.plain import Prepared, prepare_text
from chronoscore.text.preparation import Preparation

letters = st.lists(st.sampled_from("abcdefgh"), max_size=12).map(tuple)
texts = st.lists(letters, max_size=4).map(tuple)


def of(*sentences: str) -> Prepared:
    return prepare_text(sentences, Preparation())


def prepared(sentences: tuple[tuple[str, ...], ...]) -> Prepared:
    return Prepared(sentences, tuple(token for sentence in sentences for token in sentence))


def table_walk(reference: tuple[str, ...], system: tuple[str, ...], weight: float) -> set[int]:
    """Fill the table cell by cell and walk back, as ROUGE-1.5.5 does."""
    value = {(i, j): 0.0 for i in range(len(reference) + 1) for j in range(len(system) + 1)}
    run = dict.fromkeys(value, 0)
    move = {}
    for i, token in enumerate(reference, 1):
        for j, other in enumerate(system, 1):
            if token == other:
                k = run[i - 1, j - 1]
                value[i, j] = value[i - 1, j - 1] + (k + 1) ** weight - k**weight
                run[i, j], move[i, j] = k + 1, (1, 1)
            elif value[i - 1, j] >= value[i, j - 1]:
                value[i, j], move[i, j] = value[i - 1, j], (1, 0)
            else:
                value[i, j], move[i, j] = value[i, j - 1], (0, 1)
    i, j = len(reference), len(system)
    marks = set()
    while i and j:
        step = move[i, j]
        if step == (1, 1):
            marks.add(i - 1)
        i, j = i - step[0], j - step[1]
    return marks


@given(texts, texts)
def test_the_bits_mark_what_the_table_marks(
    system: tuple[tuple[str, ...], ...], reference: tuple[tuple[str, ...], ...]
) -> None:
    masks, marks = sequences.mark_united(system, reference)
    offset = 0
    for sentence in reference:
        united = set().union(*[table_walk(sentence, other, 1) for other in system])
        assert {place for place in range(len(sentence)) if marks >> offset + place & 1} == united
        assert all(masks[sentence[place]] >> offset + place & 1 for place in united)
        offset += len(sentence) + 1


def test_a_sentence_longer_than_a_machine_word_is_marked_too() -> None:
    long = tuple(f"{n % 7}" for n in range(500))
    masks, marks = sequences.mark_united([long[3:]], [long])
    assert sum((mask & marks).bit_count() for mask in masks.values()) == 497


@given(texts, texts, st.sampled_from([1.2, 1, 2, 0.5]))
def test_weighted_hits_are_those_of_the_table(
    system: tuple[tuple[str, ...], ...],
    reference: tuple[tuple[str, ...], ...],
    weight: float,
) -> None:
    ours, theirs = prepared(system), prepared(reference)
    left = ours.bag & theirs.bag
    hits: float = 0
    for sentence in reference:
        marks = set().union(*[table_walk(sentence, other, weight) for other in system])
        run = 0
        for place, token in enumerate(sentence):
            if place in marks and left[token]:
                left[token] -= 1
                run += 1
                if place + 1 not in marks:
                    hits += run**weight
                    run = 0
    counted = plain.count(WeightedSubsequence(weight), ours, theirs)
    assert counted.hits == hits
    lengths = sum(len(sentence) ** weight for sentence in reference)
    assert counted.reference == pytest.approx(lengths**weight)
    assert counted.system == pytest.approx(len(ours.tokens) ** weight)


@given(texts, texts, st.integers(-1, 6), st.booleans())
def test_skip_pairs_are_those_counted_one_by_one(
    system: tuple[tuple[str, ...], ...],
    reference: tuple[tuple[str, ...], ...],
    gap: int,
    unigrams: bool,
) -> None:
    def bag(text: Prepared) -> Counter[tuple[str, ...]]:
        places = combinations(range(len(text.tokens)), 2)
        pairs = [(i, j) for i, j in places if gap < 0 or j - i <= gap + 1]
        grams = [(text.tokens[i], text.tokens[j]) for i, j in pairs]
        singles = [(token,) for token in text.tokens[:-1]] if unigrams else []
        return Counter([*grams, *singles])

    ours, theirs = prepared(system), prepared(reference)
    hits = (bag(ours) & bag(theirs)).total()
    wanted = Counts(hits, bag(theirs).total(), bag(ours).total())
    assert plain.count(SkipGrams(gap, unigrams), ours, theirs) == wanted


@given(texts, texts, st.integers(1, 5))
def test_grams_are_those_counted_one_by_one(
    system: tuple[tuple[str, ...], ...], reference: tuple[tuple[str, ...], ...], n: int
) -> None:
    def bag(text: Prepared) -> Counter[tuple[str, ...]]:
        return Counter(text.tokens[i : i + n] for i in range(len(text.tokens) - n + 1))

    ours, theirs = prepared(system), prepared(reference)
    hits = (bag(ours) & bag(theirs)).total()
    assert plain.count(Grams(n), ours, theirs) == (hits, bag(theirs).total(), bag(ours).total())


def test_a_marked_token_counts_no_more_often_than_either_text_has_it() -> None:
    assert plain.count(Subsequence(), of("the", "cat"), of("the the the")) == (1, 3, 2)


def test_one_token_has_no_skip_grams_even_against_itself() -> None:
    assert plain.count(SkipGrams(4, unigrams=True), of("word"), of("word")) == (0, 0, 0)


@pytest.mark.parametrize("kind", [Grams(1), Grams(9), Subsequence(), SkipGrams(-1)])
def test_empty_texts_have_nothing_to_count(kind: Grams | Subsequence | SkipGrams) -> None:
    assert plain.count(kind, of(), of()) == (0, 0, 0)


def test_whole_powers_stay_exact_while_perl_keeps_them_so() -> None:
    assert weighted.power(15, 16.0) == 15**16
    assert isinstance(weighted.power(3, 40), float)
    assert weighted.power(3, 33) == 3**33
    assert weighted.power(10**9, 60) == float("inf")
