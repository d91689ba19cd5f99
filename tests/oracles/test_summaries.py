"""Oracles of summaries against brute force, and what they refuse."""

import random
from dataclasses import replace

import pytest

from chronoscore.core import Summary, Topic
from chronoscore.core.texts import Document, Sentence
from chronoscore.errors import DataError, UsageError
from chronoscore.measures import parse
from chronoscore.oracles.problem import Pool, hit_weights
from chronoscore.oracles.summaries import METHODS, Method, Task, oracle, task_of
from chronoscore.text.preparation import Limit
from oracles.brute import highest, invented

CASES = 500
BATCHES = 10


def case(seed: int) -> tuple[Task, str, Limit, bool]:
    """A small topic, a measure, a budget, and whether the text may be cut."""
    rng = random.Random(seed)
    n = rng.choice((1, 1, 1, 2, 2, 3))
    chop = rng.random() < 0.5
    extra = rng.choice(("", ",stem", ",stop", ",jackknife", ",several=best", ",prepare=unicode"))
    text = f"rouge(n={n}{extra})"
    most = 5 if chop else 6
    topic = invented(rng, rng.randint(2, 12 - 3 * chop if n == 1 else most))
    words = rng.random() < 0.5
    budget = Limit(rng.randint(4, 12), "words") if words else Limit(rng.randint(10, 36), "bytes")
    alone = "jackknife" in text or "best" in text
    pool: Pool = "macro" if not alone and rng.random() < 0.5 else "micro"
    return task_of(topic, parse(text), budget, pool), text, budget, chop


def short_ones(task: Task) -> bool:
    """Whether a gram could run over more than two sentences."""
    pieces = [piece for setting in task.instances for piece in setting.pieces]
    return any(0 < len(piece.tokens) < task.measure.n - 1 for piece in pieces)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_exact_is_what_brute_force_finds(batch: int) -> None:
    for seed in range(batch, CASES, BATCHES):
        task, text, budget, chop = case(seed)
        best = highest(task, chop=chop)
        method: Method = "exact-chop" if chop else "exact"
        try:
            found = oracle(task.topic, parse(text), budget=budget, method=method, pool=task.pool)
        except DataError:
            # A sentence that is cut may match only where it meets another.
            assert best == 0 or (chop and task.measure.n > 1) or short_ones(task), seed
            continue
        quick = oracle(
            task.topic,
            parse(text),
            budget=budget,
            method="greedy-chop" if chop else "greedy",
            pool=task.pool,
        )
        assert quick.value <= found.value + 1e-12, seed
        assert quick.bound >= best - 1e-9, seed
        assert found.bound >= found.value, seed
        if short_ones(task):
            # A gram of three words may run over a sentence of one, which is left out.
            assert found.value <= best + 1e-9, seed
        else:
            assert found.value == pytest.approx(best, abs=1e-9), seed
            assert found.gap == pytest.approx(0, abs=1e-9), seed


def test_the_value_is_the_measures_own_recall_of_the_chosen_sentences() -> None:
    task, text, budget, _ = case(3)
    found = oracle(task.topic, parse(text), budget=budget, method="exact-chop", pool=task.pool)
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
    found = oracle(topic, parse("rouge(n=1)"), budget=Limit(2, "words"), whole_references=True)
    # Of five words the first text hits 2 + 1, the second 2 + 2.
    assert found.value == pytest.approx(4 / 5)
    assert found.sentences == (("d", 1),)


def test_macro_averages_where_micro_pools() -> None:
    topic = told("fire", "water", references=(("fire",), ("water a b c d",)))
    micro = oracle(topic, parse("rouge(n=1)"), budget=Limit(1, "words"), whole_references=True)
    macro = oracle(
        topic,
        parse("rouge(n=1)"),
        budget=Limit(1, "words"),
        whole_references=True,
        pool="macro",
    )
    assert micro.value == pytest.approx(1 / 6)
    assert macro.value == pytest.approx(1 / 2)
    assert macro.sentences == (("d", 0),)


def test_sentences_are_put_in_the_order_that_joins_most() -> None:
    topic = told("town was hurt", "nobody in the", references=(("nobody in the town was hurt",),))
    found = oracle(topic, parse("rouge(n=2)"), budget=Limit(6, "words"))
    assert found.value == 1.0
    assert found.sentences == (("d", 1), ("d", 0))


def test_the_budget_cuts_references_unless_they_stay_whole() -> None:
    topic = told("b c", "a b", references=(("a b c d",),))
    cut = oracle(topic, parse("rouge(n=1)"), budget=Limit(2, "words"))
    whole = oracle(topic, parse("rouge(n=1)"), budget=Limit(2, "words"), whole_references=True)
    assert cut.value == 1.0
    assert whole.value == 0.5


def test_a_cut_sentence_is_written_as_far_as_the_budget_goes() -> None:
    topic = told("the dam broke at night", references=(("the dam broke",),))
    found = oracle(topic, parse("rouge(n=1)"), budget=Limit(3, "words"), method="exact-chop")
    assert found.summary.sentences == ("the dam broke",)
    assert found.value == 1.0


def test_a_time_limit_gives_a_value_and_a_bound() -> None:
    rng = random.Random(1)
    words = [f"w{n}" for n in range(120)]
    topic = told(
        *(" ".join(rng.choices(words, k=12)) for _ in range(150)),
        references=tuple((" ".join(rng.choices(words, k=80)),) for _ in range(3)),
    )
    found = oracle(topic, parse("rouge(n=1)"), budget=Limit(80, "words"), seconds=0.01)
    greedy = oracle(topic, parse("rouge(n=1)"), budget=Limit(80, "words"), method="greedy")
    assert greedy.value <= found.value <= found.bound <= 1
    assert found.gap == pytest.approx(found.bound / found.value - 1)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_stays_within_the_budget(method: Method) -> None:
    task, text, budget, _ = case(11)
    found = oracle(task.topic, parse(text), budget=budget, method=method, pool=task.pool)
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
        oracle(topic, parse(measure), budget=budget)


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
        oracle(TOPIC, parse(measure), budget=budget)
