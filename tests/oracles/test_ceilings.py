"""Ceilings of any text and of people, hard instances, and solvers, against plain counting."""

import math
import os
import random
from collections import Counter
from itertools import combinations, combinations_with_replacement, pairwise, product

import numpy as np
import pytest

from chronoscore.core import Collection, Run, Summary, Topic
from chronoscore.core.texts import Document, Sentence
from chronoscore.errors import DataError, UsageError
from chronoscore.measures import parse_measure_text
from chronoscore.options.oracles import Method
from chronoscore.oracles.anytext import any_text_ceiling, solve_knapsack
from chronoscore.oracles.ceilings import ceilings
from chronoscore.oracles.hard import SolvedInstance, cubic_graph, hard_instance, most_dominated
from chronoscore.oracles.lengths import length_in_budget
from chronoscore.oracles.people import count_reference_words, human_ceiling
from chronoscore.oracles.shares import Ceiling, find_measure_ceilings
from chronoscore.oracles.solvers import silence_solver
from chronoscore.oracles.summaries import Oracle, oracle, oracle_task
from chronoscore.oracles.trails import find_trails
from chronoscore.text.limits import cut
from chronoscore.text.preparation import Limit, Preparation
from given_figures import Given, given_scores
from oracles.brute import case, highest, invented


def written(*references: str) -> Topic:
    return Topic(id="t", summaries=tuple(Summary((text,)) for text in references))


@pytest.mark.parametrize("seed", range(15))
def test_no_text_of_single_words_beats_the_ceiling_of_words(seed: int) -> None:
    rng = random.Random(seed)
    words = "abcd"
    topic = written(*(" ".join(rng.choices(words, k=rng.randint(2, 7))) for _ in range(2)))
    task = oracle_task(topic, parse_measure_text("rouge(n=1)"), Limit(4, "words"))
    best = max(task.recall([" ".join(text)]) for text in combinations_with_replacement(words, 4))
    found = any_text_ceiling(task)
    assert found.value == pytest.approx(best)
    assert found.certain


@pytest.mark.parametrize("seed", range(15))
def test_no_text_of_few_words_beats_the_ceiling_of_pairs(seed: int) -> None:
    rng = random.Random(seed)
    words = "abc"
    topic = written(*(" ".join(rng.choices(words, k=rng.randint(3, 9))) for _ in range(2)))
    task = oracle_task(topic, parse_measure_text("rouge(n=2)"), Limit(6, "words"))
    best = max(task.recall([" ".join(text)]) for text in product(words, repeat=6))
    found = any_text_ceiling(task)
    assert found.value <= best + 1e-12
    assert found.bound >= best - 1e-12
    if found.certain:
        assert found.value == pytest.approx(best)


def test_a_text_of_bytes_pays_for_letters_and_not_for_line_ends() -> None:
    task = oracle_task(written("aaaa bb cc d"), parse_measure_text("rouge(n=1)"), Limit(5, "bytes"))
    # The reference is cut to five bytes as well: 'aaaa ' is one word.
    assert any_text_ceiling(task).value == 1.0
    whole = oracle_task(
        written("aaaa bb cc d"),
        parse_measure_text("rouge(n=1)"),
        Limit(5, "bytes"),
        whole_references=True,
    )
    found = any_text_ceiling(whole)
    assert found.value == pytest.approx(3 / 4)
    assert sorted(found.text) == ["bb", "cc", "d"]


def test_a_word_that_is_several_to_rouge_counts_as_one_of_the_budget() -> None:
    task = oracle_task(
        written("well-known a b"), parse_measure_text("rouge(n=1)"), Limit(3, "words")
    )
    assert any_text_ceiling(task).value == 1.0


def test_a_knapsack_is_filled_as_well_as_all_subsets_show() -> None:
    rng = random.Random(5)
    for _ in range(50):
        units = [(float(rng.randint(1, 9)), rng.randint(1, 6)) for _ in range(8)]
        best = max(
            sum(worth for worth, _ in chosen)
            for many in range(9)
            for chosen in combinations(units, many)
            if sum(cost for _, cost in chosen) <= 12
        )
        value, taken = solve_knapsack(units, 12)
        assert value == best == sum(units[number][0] for number in taken)


def test_trails_use_every_arrow_once() -> None:
    rng = random.Random(2)
    for _ in range(100):
        arrows = Counter(
            (rng.choice("abcdef"), rng.choice("abcdef")) for _ in range(rng.randint(1, 12))
        )
        walks = find_trails(Counter(arrows))
        used = Counter(pair for walk in walks for pair in pairwise(walk))
        assert used == arrows


@pytest.mark.parametrize("seed", range(8))
def test_a_text_of_sentences_never_beats_any_text(seed: int) -> None:
    topic = invented(random.Random(seed), 8)
    for text, budget in product(("rouge(n=1)", "rouge(n=2)"), ("8w", "30b")):
        limit = Limit.parse(budget)
        found = ceilings(topic, parse_measure_text(text), budget=limit, method="exact-chop")
        assert found.extractive <= found.any_text <= found.any_text_bound
        free = any_text_ceiling(oracle_task(topic, parse_measure_text(text), limit))
        if text == "rouge(n=1)":
            assert found.extractive <= free.bound + 1e-12


def test_each_person_meets_the_others_only() -> None:
    topic = written("a b", "a c", "a d e f")
    task = oracle_task(topic, parse_measure_text("rouge(n=1)"), Limit(9, "words"))
    assert human_ceiling(task) == pytest.approx((2 / 6 + 2 / 6 + 2 / 4) / 3)
    alone = oracle_task(written("a b"), parse_measure_text("rouge(n=1)"), Limit(9, "words"))
    assert math.isnan(human_ceiling(alone))


def test_matches_that_only_some_references_reward_are_partial() -> None:
    found = count_reference_words("t", written("a a b", "a b b c").summaries, Preparation())
    assert (found.copies, found.partial_copies) == (5, 3)
    assert (len(found.words), found.partial_words, found.words_each) == (3, 1, 2.5)


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("vertices", [12, 20, 30, 44])
def test_the_optimum_of_a_hard_instance_is_that_of_its_graph(vertices: int, n: int) -> None:
    made = hard_instance(vertices, n=n, seed=vertices + n)
    assert made.budget.size == made.dominators * (4 + 5 * (n - 1))
    found = oracle(made.topic, made.measure, budget=made.budget, whole_references=True)
    best = most_dominated(made.graph, made.dominators)
    assert found.value * vertices == pytest.approx(best)
    assert found.gap == pytest.approx(0)
    assert made.count_dominated({number for _, number in found.sentences}) == best


def test_the_most_that_few_vertices_dominate_is_what_all_choices_show() -> None:
    made = hard_instance(12, dominators=2)
    best = max(made.count_dominated(set(pair)) for pair in combinations(made.graph, 2))
    assert most_dominated(made.graph, 2) == best


@pytest.mark.parametrize(
    ("method", "value", "bound", "contradicted"),
    [
        ("exact", 8 / 12, 8 / 12, False),
        ("exact", 7 / 12, 7 / 12, True),
        ("exact", 7 / 12, 8 / 12, False),
        ("greedy", 7 / 12, 7 / 12, False),
    ],
)
def test_only_a_proof_of_another_number_contradicts_the_graph(
    method: str, value: float, bound: float, contradicted: bool
) -> None:
    found = Oracle("hard", method, value, bound, (), Summary.of([]))
    assert SolvedInstance(hard_instance(12), found, 8).contradicted == contradicted


def test_a_cubic_graph_has_three_neighbours_everywhere() -> None:
    graph = cubic_graph(40, 3)
    assert all(len(near) == 3 and vertex not in near for vertex, near in graph.items())
    assert all(vertex in graph[other] for vertex, near in graph.items() for other in near)


def test_an_odd_number_of_vertices_is_refused() -> None:
    with pytest.raises(UsageError, match="even number"):
        hard_instance(13)


def test_what_a_solver_prints_does_not_reach_stdout(capfd: pytest.CaptureFixture[str]) -> None:
    with silence_solver():
        os.write(1, b"HiGHS says hello\n")
    os.write(1, b"results\n")
    assert capfd.readouterr().out == "results\n"


@pytest.mark.slow
def test_no_choice_of_sentences_exceeds_the_any_text_bound() -> None:
    for seed in range(60):
        task, *_, chop, _ = case(seed)
        best = highest(task, chop=chop)
        assert best == 0 or any_text_ceiling(task).bound >= best - 1e-9, seed


def test_a_persons_text_is_cut_to_the_budget_though_references_stay_whole() -> None:
    topic = written("dam broke", "dam broke")
    found = ceilings(
        topic, parse_measure_text("rouge(n=1)"), budget=Limit(1, "words"), whole_references=True
    )
    # One word of the two that every reference has.
    assert (found.human, found.any_text) == (0.5, 0.5)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(5))
def test_any_text_is_above_people_and_above_the_extractive_ceiling(batch: int) -> None:
    for seed in range(batch, 200, 5):
        task, text, budget, chop, whole = case(seed)
        # Only so do people and texts meet the same number of references.
        measure = parse_measure_text(text).with_jackknife()
        method: Method = "exact-chop" if chop else "exact"
        try:
            found = ceilings(
                task.topic, measure, budget=budget, method=method, whole_references=whole
            )
        except DataError:
            continue
        assert found.any_text >= found.extractive - 1e-9, seed
        assert math.isnan(found.human) or found.human <= found.any_text + 1e-9, seed


def test_the_best_of_references_one_left_out_is_searched_for_directly() -> None:
    sentences = ("a b", "a c", "b d")
    document = Document(
        id="d", sentences=tuple(Sentence(str(n), text) for n, text in enumerate(sentences))
    )
    topic = Topic(id="t", summaries=(Summary(("a b",)), Summary(("a c",))), documents=(document,))
    measure = parse_measure_text("rouge(n=1,several=best,jackknife)")
    found = oracle(topic, measure, budget=Limit(4, "words"))
    # 'a b' and 'a c' together have every word of whichever reference is left.
    assert found.value == found.bound == 1.0


@pytest.mark.parametrize("sentence", ["one", "one two", " one two", "\tone  two three ", ""])
def test_a_sentence_is_as_long_as_the_shortest_limit_that_leaves_it_whole(sentence: str) -> None:
    def kept(size: int) -> list[bytes]:
        return [line.strip() for line in cut([sentence], Limit(size, "words"))[0]]

    size = length_in_budget(sentence, Limit(9, "words"))
    whole = b" ".join(sentence.encode().split())
    assert b" ".join(kept(9)[0].split()) == whole
    assert not size or b" ".join(kept(size)[0].split()) == whole
    assert size < 2 or b" ".join(kept(size - 1)[0].split()) != whole


def test_a_mean_ceiling_is_of_the_topics_that_have_a_score() -> None:
    scores = given_scores("ab", {Given(): [[0.2, 0.3], [0.1, math.nan]]})
    bounds = np.array([[0.4, 0.8], [0.4, 0.8]])
    ceiling = Ceiling(Given(), "f", "any text", "reference", bounds)
    assert ceiling.means(scores).tolist() == pytest.approx([0.6, 0.4])


def test_the_ceiling_of_an_update_is_that_of_the_updates_references() -> None:
    topic = Topic(id="t", summaries=(Summary(("a b",), set="A"), Summary(("c c c d",), set="B")))
    found = find_measure_ceilings(
        Collection({"t": topic}),
        [Run("mine", {"t": Summary(("c",), set="B")})],
        parse_measure_text("rouge(n=1).r"),
        None,
        length="own",
    )
    # One word: a quarter of the update, though half of the original.
    assert [one.bounds.tolist() for one in found] == [[[0.25]]]
