"""Summarisers against hand computation, brute force and their guarantees."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from math import e, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore import demo
from chronoscore.core import Summary
from chronoscore.data import source_files, sources
from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.systems import parse_system
from chronoscore.systems.classy import (
    Classy,
    log_likelihood,
    orthonormal,
    pivoted_qr,
    projected_scores,
    sentence_scores,
    signature_words,
    term_matrix,
)
from chronoscore.systems.icsisum import bigrams_worth_having, select_covering_sentences
from chronoscore.systems.lin_bilmes import Coverage, select_within_budget
from chronoscore.systems.picking import lazy_greedy
from chronoscore.systems.projection import projection_effect, split_topic_for_classy
from chronoscore.systems.summaries import split_source_documents
from chronoscore.systems.vectors import tfidf
from chronoscore.text.unicode import count_words
from systems.small_topics import FLOOD, document, line, topic


def test_log_likelihood_is_dunnings() -> None:
    # 10 of 100 here and 10 of 1000 there, by the definition.
    one, two, both = 0.1, 0.01, 20 / 1100
    apart = 10 * log(one) + 90 * log(1 - one) + 10 * log(two) + 990 * log(1 - two)
    together = 20 * log(both) + 1080 * log(1 - both)
    assert log_likelihood(10, 100, 10, 1000) == pytest.approx(2 * (apart - together))
    assert log_likelihood(5, 50, 10, 100) == pytest.approx(0, abs=1e-9)


def test_signature_words_are_commoner_here_and_not_by_chance() -> None:
    here = Counter({"dam": 20, "town": 5, "said": 75})
    there = Counter({"dam": 5, "town": 50, "said": 945})
    assert signature_words(here, there) == {"dam"}
    assert signature_words(here, Counter()) == set()


def test_a_sentence_is_worth_the_mean_of_its_different_words() -> None:
    lines = [line("dam dam town"), line("town"), line("x")]
    assert sentence_scores(lines, {"dam": 1.0, "town": 0.5}).tolist() == [0.75, 0.5, 0.0]


def test_a_copy_of_an_earlier_sentence_gets_weight_0_and_a_stranger_keeps_its_own() -> None:
    terms = sorted("abcdef")
    basis = orthonormal(term_matrix([list("abc"), list("bcd")], terms))
    lines = [line("a b c"), line("b c d"), line("e f"), line("a e")]
    scores = projected_scores(lines, np.array([0.7, 0.6, 0.5, 0.4]), terms, basis)
    assert scores[0] == 0
    assert scores[1] == 0
    assert scores[2] == pytest.approx(0.5)
    # The part of a that lies in the span of abc and bcd has squared length 3/5, so the
    # remaining share of (a, e) is (2 - 3/5) / 2.
    assert scores[3] == pytest.approx(0.4 * sqrt(0.7))


def test_the_longest_column_goes_first_and_takes_its_direction_away() -> None:
    matrix = np.array([[3.0, 2.9, 0.0], [0.0, 0.0, 1.0]])
    # The second column is long but says what the first says.
    assert pivoted_qr(matrix, [10, 10, 10], 30) == [0, 2]
    assert pivoted_qr(matrix, [40, 10, 10], 30) == [1, 2]


def test_projection_passes_over_what_the_original_summary_says() -> None:
    old = "The old dam above the town of Pellin broke early in the morning."
    new = "An inquiry into the broken dam began its work in the capital."
    split = topic(
        document("a1", "2010-05-01", [old, "Boats carried people from the flooded houses there."]),
        document("a2", "2010-05-02", [old.replace("early", "very early"), new]),
        title="dam Pellin town inquiry",
    )
    plain = parse_system("classy(part=update,words=14)")(split)
    projected = parse_system("projected-classy(words=14)")(split)
    assert isinstance(plain, Summary)
    assert isinstance(projected, Summary)
    assert plain.sentences == (old.replace("early", "very early"),)
    assert projected.sentences == (new,)
    assert projected.set == "B"


def test_classy_without_query_or_background_goes_by_what_is_widespread() -> None:
    found = parse_system("classy(words=12)")(FLOOD)
    assert isinstance(found, Summary)
    assert len(found.sentences) == 1
    assert parse_system("classy(words=12,feedback)")(FLOOD)


def test_projection_lowers_what_was_known_and_hardly_touches_what_is_new() -> None:
    known = {one.id: one for one in source_files.load_topics([demo.CORPUS])}
    collection, _ = demo.demo_update_summaries()
    topics = [replace(known[one.id], summaries=one.summaries) for one in collection]
    effect = projection_effect(topics)
    assert effect.change[0] < 0
    assert abs(effect.change[1]) < abs(effect.change[0])
    assert effect.low[1] < 0 < effect.high[1]


def test_a_split_puts_earlier_entries_into_set_a() -> None:
    known = next(
        iter(
            sources.with_reference_files(
                source_files.load_topics([demo.CORPUS / "dam"]), [demo.CORPUS / "dam"]
            )
        )
    )
    (split,) = split_topic_for_classy(known, ["2031-03-10"])
    whole = [len(timeline.sentences) for timeline in known.timelines]
    sizes = [len(one.sentences) for one in split.summaries]
    assert [a + b for a, b in zip(sizes[::2], sizes[1::2], strict=True)] == whole
    with pytest.raises(DataError, match="nothing on one side"):
        split_topic_for_classy(known, ["1999-01-01"])


def test_the_update_begins_at_the_middle_article_or_on_a_day() -> None:
    assert [len(half) for half in split_source_documents(FLOOD)] == [2, 2]
    assert [len(half) for half in split_source_documents(FLOOD, "2010-05-02")] == [1, 3]
    with pytest.raises(DataError, match="no date to split at"):
        split_source_documents(topic(document("a", None, ["x"])), "2010-05-02")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["classy", "projected-classy", "icsisum", "lin-bilmes", "lead-summary", "random-summary"],
)
@pytest.mark.parametrize("words", [8, 20, 45])
def test_no_summary_is_longer_than_was_asked_for(name: str, words: int) -> None:
    for known in source_files.load_topics([demo.CORPUS]):
        found = parse_system(name)(known, words=words, part="update")
        assert isinstance(found, Summary)
        assert sum(count_words(text) for text in found.sentences) <= words


concepts = st.lists(st.sets(st.sampled_from("abcdefgh"), min_size=1), min_size=1, max_size=7)


@given(concepts, st.lists(st.integers(1, 6), min_size=7, max_size=7), st.integers(1, 15))
def test_icsisum_finds_what_brute_force_finds(
    held: list[set[str]], sizes: list[int], budget: int
) -> None:
    weights = {(letter, ""): float(n + 1) for n, letter in enumerate("abcdefgh")}
    pairs = [{(letter, "") for letter in own} for own in held]

    def value(chosen: tuple[int, ...]) -> float:
        return sum(weights[pair] for pair in set().union(*(pairs[n] for n in chosen)))

    best = max(
        value(chosen)
        for size in range(len(held) + 1)
        for chosen in combinations(range(len(held)), size)
        if sum(sizes[n] for n in chosen) <= budget
    )
    found = select_covering_sentences(pairs, weights, sizes[: len(held)], budget)
    assert sum(sizes[n] for n in found) <= budget
    assert value(tuple(found)) == best


def test_icsisum_counts_bigrams_by_articles() -> None:
    assert bigrams_worth_having("floods of the dams") == {("flood", "of"), ("the", "dam")}
    shared = "Rescue boats reached the flooded town"
    told = topic(
        *(
            document(f"a{n}", "2010-05-01", [f"{shared} {end} again."])
            for n, end in enumerate("xyz")
        ),
        document("b", "2010-05-01", ["Nobody else said anything about this matter at all."]),
    )
    found = parse_system("icsisum(words=9)")(told)
    assert isinstance(found, Summary)
    assert len(found.sentences) == 1
    assert found.sentences[0].startswith(shared)


def test_icsisum_says_when_it_looks_at_fewer_sentences() -> None:
    with pytest.warns(ChronoscoreWarning, match="the best 2 are considered"):
        parse_system("icsisum(candidates=2,least=1)")(FLOOD)


words = st.lists(
    st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=5), min_size=1, max_size=8
)


@given(words, st.lists(st.integers(1, 9), min_size=8, max_size=8), st.integers(3, 25))
def test_lin_bilmes_keeps_its_guarantee(
    texts: list[list[str]], costs: list[int], budget: int
) -> None:
    rows = tfidf(texts)
    groups = np.arange(len(texts)) % 3
    sizes = costs[: len(texts)]

    def value(chosen: tuple[int, ...]) -> float:
        objective = Coverage(rows, groups, variety=6.0, saturation=2.0)
        for one in chosen:
            objective.take(one)
        return objective.value

    best = max(
        value(chosen)
        for size in range(len(texts) + 1)
        for chosen in combinations(range(len(texts)), size)
        if sum(sizes[n] for n in chosen) <= budget
    )
    objective = Coverage(rows, groups, variety=6.0, saturation=2.0)
    found = select_within_budget(objective, sizes, budget)
    assert sum(sizes[n] for n in found) <= budget
    assert value(tuple(found)) >= (1 - 1 / sqrt(e)) * best - 1e-9


@given(words)
def test_lazy_choice_is_eager_choice(texts: list[list[str]]) -> None:
    rows = tfidf(texts)
    groups = np.arange(len(texts)) % 2

    def objective() -> Coverage:
        return Coverage(rows, groups, variety=6.0, saturation=2.0)

    eager, chosen = objective(), list[int]()
    while len(chosen) < min(3, len(texts)):
        rest = [n for n in range(len(texts)) if n not in chosen]
        best = max(rest, key=lambda n: (eager.gain(n), -n))
        if eager.gain(best) <= 0:
            break
        eager.take(best)
        chosen.append(best)
    lazy, found = objective(), list[int]()

    def take(one: int) -> None:
        lazy.take(one)
        found.append(one)

    lazy_greedy(range(len(texts)), lazy.gain, take, lambda _: len(found) < 3)
    # Equal gains may differ by rounding, so values are compared rather than choices.
    assert lazy.value == pytest.approx(eager.value)


def test_the_worth_of_single_sentences_is_their_first_gain() -> None:
    rows = tfidf([["a", "b"], ["b", "c"], ["d"]])
    objective = Coverage(rows, np.array([0, 1, 0]), variety=6.0, saturation=2.0)
    assert objective.singly() == pytest.approx([objective.gain(n) for n in range(3)])


def test_coverage_is_computed_as_the_formula_says() -> None:
    rows = tfidf([["a"], ["a"], ["b"]])
    objective = Coverage(rows, np.array([0, 0, 1]), variety=1.0, saturation=1.5)
    objective.take(0)
    # Similarities are 1 between the first two; the cap is 1.5/3 of all: 1, 1 and .5. The
    # first sentence resembles 2 of 3, so the variety term is √(2/3).
    assert objective.value == pytest.approx(1 + 1 + sqrt(2 / 3))


def test_classy_is_the_same_value_whether_made_or_read() -> None:
    assert parse_system("classy(words=50)") == Classy(words=50)


def test_equal_gains_go_to_the_lower_number_though_one_of_them_was_higher() -> None:
    taken: list[int] = []

    def gain(one: int) -> float:
        return {9: 10.0, 2: 3.0 if taken else 4.0, 0: 3.0}[one]

    assert lazy_greedy([0, 2, 9], gain, taken.append, lambda _: True) == [9, 0, 2]


def test_a_sentence_that_does_not_fit_is_passed_over() -> None:
    long = " ".join(["rain"] * 30)
    texts = ["The dam broke above the town.", f"The {long} fell.", "Boats reached the old town."]
    stories = topic(
        *(document(f"a{n}", f"2010-05-0{n}", [text]) for n, text in enumerate(texts, 1))
    )
    found = parse_system("lead-summary")(stories, words=12)
    assert isinstance(found, Summary)
    assert found.sentences == (texts[0], texts[2])


def test_of_an_odd_number_of_articles_the_middle_one_is_original() -> None:
    original, update = split_source_documents(topic(*FLOOD.documents[:3]))
    assert ([one.id for one in original], [one.id for one in update]) == (["a1", "a2"], ["a3"])


def test_icsisum_considers_only_sentences_that_fit() -> None:
    long = "The dam above the town broke and the whole valley was under water by night."
    short = "The dam above the town broke."
    stories = topic(document("a1", "2010-05-01", [long]), document("a2", "2010-05-02", [short]))
    found = parse_system("icsisum(least=1,candidates=1)")(stories, words=7)
    assert isinstance(found, Summary)
    assert found.sentences == (short,)
