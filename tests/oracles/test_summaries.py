"""Oracles of summaries against brute force, and what they refuse."""

import random
from contextlib import suppress
from dataclasses import replace

import pytest

from chronoscore.core import Summary, Topic
from chronoscore.core.texts import Document, Sentence
from chronoscore.errors import DataError, UsageError
from chronoscore.measures import parse_measure_text
from chronoscore.options.oracles import METHODS, Method
from chronoscore.oracles.problem import hit_weights
from chronoscore.oracles.summaries import Oracle, Task, oracle
from chronoscore.text.preparation import Limit
from oracles.brute import case, highest

CASES = 500
BATCHES = 5


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(BATCHES))
def test_no_choice_in_any_order_exceeds_the_bound(batch: int) -> None:
    for seed in range(batch, CASES, BATCHES):
        task, text, _, chop, whole = case(seed)

        def solve(method: str, task: Task = task, text: str = text, whole: bool = whole) -> Oracle:
            return oracle(
                task.topic,
                parse_measure_text(text),
                budget=task.budget,
                method=method,  # type: ignore[arg-type]
                pool=task.pool,
                whole_references=whole,
            )

        best = highest(task, chop=chop)
        try:
            found = solve("exact-chop" if chop else "exact")
        except DataError:
            assert best == 0, seed
            continue
        with suppress(DataError):
            # Greedy takes no sentence that matches only where it meets another.
            quick = solve("greedy-chop" if chop else "greedy")
            assert quick.value <= found.value + 1e-12, seed
            assert quick.bound >= best - 1e-9, seed
        assert found.value <= best + 1e-9, seed
        assert found.bound >= best - 1e-9, seed
        assert found.value == pytest.approx(best, abs=1e-9), seed
        assert found.gap == 0, seed


def test_the_value_is_the_measures_own_recall_of_the_chosen_sentences() -> None:
    task, text, budget, *_ = case(3)
    found = oracle(
        task.topic, parse_measure_text(text), budget=budget, method="exact-chop", pool=task.pool
    )
    texts = dict(task.places)
    assert task.recall([texts[place] for place in found.sentences]) == found.value


def told(*sentences: str, references: tuple[tuple[str, ...], ...]) -> Topic:
    document = Document(
        id="d", sentences=tuple(Sentence(str(n), text) for n, text in enumerate(sentences))
    )
    return Topic(
        id="dam", summaries=tuple(Summary(text) for text in references), documents=(document,)
    )


def test_a_second_copy_counts_only_where_a_reference_has_two() -> None:
    topic = told("water water", "water fire", references=(("water water fire",), ("water fire",)))
    found = oracle(
        topic, parse_measure_text("rouge(n=1)"), budget=Limit(2, "words"), whole_references=True
    )
    # Of five words the first text hits 2 + 1, the second 2 + 2.
    assert found.value == pytest.approx(4 / 5)
    assert found.sentences == (("d", 1),)


def test_macro_averages_where_micro_pools() -> None:
    topic = told("fire", "water", references=(("fire",), ("water a b c d",)))
    micro = oracle(
        topic, parse_measure_text("rouge(n=1)"), budget=Limit(1, "words"), whole_references=True
    )
    macro = oracle(
        topic,
        parse_measure_text("rouge(n=1)"),
        budget=Limit(1, "words"),
        whole_references=True,
        pool="macro",
    )
    assert micro.value == pytest.approx(1 / 6)
    assert macro.value == pytest.approx(1 / 2)
    assert macro.sentences == (("d", 0),)


def test_sentences_are_put_in_the_order_that_joins_most() -> None:
    topic = told("town was hurt", "nobody in the", references=(("nobody in the town was hurt",),))
    found = oracle(topic, parse_measure_text("rouge(n=2)"), budget=Limit(6, "words"))
    assert found.value == 1.0
    assert found.sentences == (("d", 1), ("d", 0))


def test_a_gram_may_run_over_several_short_sentences() -> None:
    topic = told(
        *("Dam.", "Broke.", "Tonight.", "the river rose again"),
        references=(("Dam broke tonight. the river rose again",),),
    )
    found = oracle(topic, parse_measure_text("rouge(n=3)"), budget=Limit(10, "words"))
    assert found.value == found.bound == 1.0
    assert [number for _, number in found.sentences] == [0, 1, 2, 3]


def test_a_sentence_without_a_match_may_move_the_cut_to_where_it_matches() -> None:
    topic = told("people the", "runs dam dam of a flooding", references=(("running o'clock",),))
    found = oracle(
        topic, parse_measure_text("rouge(n=1,stem)"), budget=Limit(24, "bytes"), method="exact-chop"
    )
    # 'people the' leaves 14 bytes: 'runs dam dam o', and o is the o of o'clock.
    assert found.value == found.bound == pytest.approx(2 / 3)


def test_a_reference_too_short_to_have_a_gram_is_not_the_best_one() -> None:
    topic = told("the dam broke", references=(("dam",), ("the dam broke",)))
    found = oracle(topic, parse_measure_text("rouge(n=2,several=best)"), budget=Limit(9, "words"))
    assert found.value == found.bound == 1.0


def test_a_cut_sentence_may_match_only_where_it_meets_another() -> None:
    topic = told("old dam", "broke at noon or so", references=(("dam broke",),))
    found = oracle(
        topic, parse_measure_text("rouge(n=2)"), budget=Limit(3, "words"), method="exact-chop"
    )
    assert found.value == found.bound == 1.0
    assert found.summary.sentences == ("old dam", "broke")


def test_a_method_that_finds_nothing_is_refused() -> None:
    topic = told("old dam", "broke at noon", references=(("dam broke",),))
    assert oracle(topic, parse_measure_text("rouge(n=2)"), budget=Limit(9, "words")).value == 1.0
    with pytest.raises(DataError, match="greedy finds no text that matches"):
        oracle(topic, parse_measure_text("rouge(n=2)"), budget=Limit(9, "words"), method="greedy")


def test_many_sentences_of_one_word_are_put_in_order() -> None:
    words = [f"w{number}" for number in range(60)]
    topic = told(*reversed(words), references=((" ".join(words),),))
    found = oracle(topic, parse_measure_text("rouge(n=3)"), budget=Limit(60, "words"))
    assert found.value == found.bound == 1.0


def test_the_budget_cuts_references_unless_they_stay_whole() -> None:
    topic = told("b c", "a b", references=(("a b c d",),))
    cut = oracle(topic, parse_measure_text("rouge(n=1)"), budget=Limit(2, "words"))
    whole = oracle(
        topic, parse_measure_text("rouge(n=1)"), budget=Limit(2, "words"), whole_references=True
    )
    assert cut.value == 1.0
    assert whole.value == 0.5


def test_a_cut_sentence_is_written_as_far_as_the_budget_goes() -> None:
    topic = told("the dam broke at night", references=(("the dam broke",),))
    found = oracle(
        topic, parse_measure_text("rouge(n=1)"), budget=Limit(3, "words"), method="exact-chop"
    )
    assert found.summary.sentences == ("the dam broke",)
    assert found.value == 1.0


def test_a_time_limit_gives_a_value_and_a_bound() -> None:
    rng = random.Random(1)
    words = [f"w{n}" for n in range(120)]
    topic = told(
        *(" ".join(rng.choices(words, k=12)) for _ in range(150)),
        references=tuple((" ".join(rng.choices(words, k=80)),) for _ in range(3)),
    )
    found = oracle(topic, parse_measure_text("rouge(n=1)"), budget=Limit(80, "words"), seconds=0.01)
    greedy = oracle(
        topic, parse_measure_text("rouge(n=1)"), budget=Limit(80, "words"), method="greedy"
    )
    assert greedy.value <= found.value <= found.bound <= 1
    assert found.gap == pytest.approx(found.bound / found.value - 1)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_stays_within_the_budget(method: Method) -> None:
    task, text, budget, *_ = case(11)
    found = oracle(
        task.topic, parse_measure_text(text), budget=budget, method=method, pool=task.pool
    )
    assert task.recall(found.summary.sentences) == found.value
    if budget.unit == "words":
        assert sum(len(s.split()) for s in found.summary.sentences) <= budget.size


def test_the_weight_of_a_hit_under_jackknife_is_the_mean_over_subsets() -> None:
    found = hit_weights([4, 6, 10], "micro", jackknife=True)
    assert found == pytest.approx(
        [(1 / 14 + 1 / 10) / 3, (1 / 16 + 1 / 10) / 3, (1 / 16 + 1 / 14) / 3]
    )


TOPIC = told("the dam broke at night", "nobody was hurt", references=(("the dam broke",),))


@pytest.mark.parametrize(
    ("topic", "measure", "budget", "said"),
    [
        (TOPIC, "rouge(n=1)", Limit(2, "words"), "no sentence fits into 2 words, the shortest has"),
        (TOPIC, "rouge(n=1)", Limit(3, "words"), "no sentence that matches the references fits"),
        (replace(TOPIC, summaries=()), "rouge(n=1)", Limit(9, "words"), "there is no reference"),
        (replace(TOPIC, documents=()), "rouge(n=1)", Limit(9, "words"), "there is no sentence"),
        (replace(TOPIC, summaries=(Summary(("fire",)),)), "rouge", Limit(9, "words"), "matches"),
        (replace(TOPIC, summaries=(Summary(("?",)),)), "rouge", Limit(9, "words"), "hold no run"),
    ],
)
def test_what_cannot_be_chosen_from_is_refused_with_a_sentence(
    topic: Topic, measure: str, budget: Limit, said: str
) -> None:
    with pytest.raises(DataError, match=said):
        oracle(topic, parse_measure_text(measure), budget=budget)


@pytest.mark.parametrize(
    ("measure", "budget", "said"),
    [
        ("rouge(n=1)", None, "there is no budget"),
        ("rouge(n=1,limit=50w)", Limit(9, "words"), "differ"),
        ("rouge(n=1).f", Limit(9, "words"), "maximizes recall"),
        ("rouge-l", Limit(9, "words"), "has no oracle"),
    ],
)
def test_what_has_no_oracle_is_refused(measure: str, budget: Limit | None, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        oracle(TOPIC, parse_measure_text(measure), budget=budget)
