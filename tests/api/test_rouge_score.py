"""Figures of the package rouge-score 0.1.2: its own scorer is the truth, pair by pair."""

import os
import random
import unittest
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import chronoscore as cs
from chronoscore.errors import ChronoscoreWarning, UsageError, WrongTypeError

TYPES = ["rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum"]
PAIRS = int(os.environ.get("CHRONOSCORE_ROUGE_SCORE_PAIRS", "250"))
"""Random pairs to compare; 10,000 were before the first release."""
REAL_PAIRS = int(os.environ.get("CHRONOSCORE_ROUGE_SCORE_REAL_PAIRS", "150"))
WORDS = (
    *("the", "The", "of", "flood", "floods", "flooded", "running", "dying", "news", "skies", "x"),
    *("agreement", "professional", "3", "14", "2010", "don't", "U.S.", "a1", "b2b", "happily"),
    *("\N{KELVIN SIGN}elvin", "kelvin", "\u0130stanbul", "istanbul", "café", "Ελλάδα", "中文"),
    *("nationally", "ties", "proceed", "innings", "display", "fulli", "geologi", "ed", "ing"),
)
GAPS = (" ", " ", "  ", "\n", "\n", "\n\n", "\r\n", "\t", "-", ", ", ". ", "\u2028", "\x85")

pytestmark = pytest.mark.filterwarnings("ignore::chronoscore.errors.ChronoscoreWarning")


@pytest.fixture(scope="session")
def rouge_scorer() -> Any:
    pytest.importorskip("rouge_score")
    from rouge_score import rouge_scorer

    return rouge_scorer


def random_text(chance: random.Random) -> str:
    words = chance.sample(WORDS, chance.randint(1, len(WORDS)))
    length = chance.choice([0, 1, 2, 5, 12, 40])
    return "".join(chance.choice(words) + chance.choice(GAPS) for _ in range(length))


def assert_equal(
    rouge_scorer: Any, texts: Sequence[str], references: Sequence[list[str]], *, stem: bool
) -> None:
    scorer = rouge_scorer.RougeScorer(TYPES, use_stemmer=stem)
    rows = cs.rouge_many(texts, references, TYPES, stem=stem, compat="rouge-score").rows()
    for text, refs, row in zip(texts, references, rows, strict=True):
        wanted = scorer.score_multi(refs, text)
        single = cs.rouge(text, refs, TYPES, stem=stem, compat="rouge-score")
        for name in TYPES:
            expected = pytest.approx(tuple(wanted[name]), rel=0, abs=1e-12)
            assert tuple(row[f"{name}.{part}"] for part in "prf") == expected, (text, refs, name)
            assert tuple(single[name]) == expected, (text, refs, name)


@pytest.mark.slow
@pytest.mark.parametrize("stem", [False, True])
@pytest.mark.parametrize("most", [1, 4])
def test_random_pairs_score_as_in_rouge_score(rouge_scorer: Any, stem: bool, most: int) -> None:
    chance = random.Random(most)
    texts = [random_text(chance) for _ in range(PAIRS)]
    references = [
        [random_text(chance) for _ in range(chance.randint(1, most))] for _ in range(PAIRS)
    ]
    assert_equal(rouge_scorer, texts, references, stem=stem)


@pytest.mark.slow
@pytest.mark.parametrize("stem", [False, True])
def test_real_passages_score_as_in_rouge_score(rouge_scorer: Any, data: Path, stem: bool) -> None:
    collection = cs.load(data / "timeline17" / "gold")
    passages = [
        "\n".join(entry.sentences)
        for topic in collection.topics.values()
        for timeline in topic.timelines
        for entry in timeline
    ]
    chance = random.Random(17)
    texts = chance.choices(passages, k=REAL_PAIRS)
    references = [chance.choices(passages, k=chance.choice([1, 1, 3])) for _ in texts]
    assert_equal(rouge_scorer, texts, references, stem=stem)


@pytest.mark.slow
def test_stems_are_those_of_nltk() -> None:
    porter = pytest.importorskip("nltk.stem.porter")
    from chronoscore.text.nltk_stems import stem_nltk

    endings = "s ss sses ies ied eed ed ing y at bl iz ational alli fulli logi bli ement ion ll"
    chance = random.Random(3)
    parts = [*"aeiouybdlnstzw1", *endings.split()]
    words = ["".join(chance.choices(parts, k=chance.randint(1, 6))) for _ in range(20_000)]
    stemmer = porter.PorterStemmer()
    wrong = [word for word in words if stem_nltk(word) != stemmer.stem(word)]
    assert wrong == []


def test_rougel_reads_the_whole_text_and_rougelsum_its_lines() -> None:
    scores = cs.rouge("a b\nc d", "c d\na b", ["rougeL", "rougeLsum"], compat="rouge-score")
    assert (scores["rougeL"].f, scores["rougeLsum"].f) == (0.5, 1.0)
    assert str(cs.parse_measure("rougeLsum")) == "rouge-l"


def test_of_several_references_the_one_with_the_best_f_counts() -> None:
    # The first has the better recall, 1 against 2/3; the second the better F, 2/3 against 1/2.
    score = cs.rouge("a b c", ["a", "a b x"], "rouge1", compat="rouge-score")["rouge1"]
    assert tuple(score) == pytest.approx((2 / 3, 2 / 3, 2 / 3))


def test_the_command_gives_the_same_figures(run, tmp_path):
    (tmp_path / "mine.txt").write_text("The dying men\nwent home", encoding="utf-8")
    for name, text in {"a": "A man dies at home", "b": "men go home\nto die"}.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    measures = "-m 'rouge1(stem)' -m 'rougeL(stem)' -m 'rougeLsum(stem)'"
    line = f"score mine.txt --reference a.txt b.txt {measures} --compat rouge-score -f jsonl"
    rows = run(line).rows
    values = [row["value"] for row in rows if "value" in row]
    called = list(dict.fromkeys(row["measure"] for row in rows if "value" in row))
    assert called == ["rouge(n=1,stem)", "rougeL(stem)", "rougeLsum(stem)"]
    wanted = cs.rouge(
        "The dying men\nwent home",
        ["A man dies at home", "men go home\nto die"],
        ["rouge1", "rougeL", "rougeLsum"],
        stem=True,
        compat="rouge-score",
    )
    assert values == pytest.approx([part for score in wanted.values() for part in score])


@pytest.mark.parametrize("measure", ["rouge-w", "rouge-s", "align", "nu"])
def test_what_rouge_score_does_not_have_is_refused(measure: str) -> None:
    with pytest.raises(UsageError, match="rouge-score does not define"):
        cs.rouge("a", "a", measure, compat="rouge-score")


class Letters:
    """A tokenizer as rouge-score takes it."""

    def tokenize(self, text: str) -> list[str]:
        return [letter for letter in text if letter.isalpha()]


def test_a_tokenizer_decides_what_a_word_is(rouge_scorer: Any) -> None:
    text, references = "flood\nin 北京", ["河 flood\nhit 北京", "x"]
    wanted = rouge_scorer.RougeScorer(TYPES, tokenizer=Letters()).score_multi(references, text)
    for tokenizer in (Letters(), Letters().tokenize):
        scores = cs.rouge(text, references, TYPES, compat="rouge-score", tokenizer=tokenizer)
        assert {name: tuple(score) for name, score in scores.items()} == {
            name: pytest.approx(tuple(score)) for name, score in wanted.items()
        }
        figures = cs.compute(
            predictions=[text], references=[references], rouge_types=TYPES, tokenizer=tokenizer
        )
        assert figures == pytest.approx({name: each.fmeasure for name, each in wanted.items()})


def test_a_tokenizer_that_is_none_is_refused() -> None:
    with pytest.raises(WrongTypeError, match="is not a tokenizer"):
        cs.rouge("a", "a", tokenizer=3)
    with pytest.raises(WrongTypeError, match="must return a list of words"):
        cs.rouge("a", "a", tokenizer=str.upper)
    with pytest.raises(UsageError, match="leave out stem"):
        cs.rouge("a", "a", stem=True, tokenizer=str.split)


def test_aggregates_are_percentiles_of_resampled_means(rouge_scorer: Any) -> None:
    from rouge_score import scoring

    chance = random.Random(5)
    texts, references = ([random_text(chance) for _ in range(60)] for _ in range(2))
    scorer, aggregator = rouge_scorer.RougeScorer(TYPES), scoring.BootstrapAggregator()
    for text, reference in zip(texts, references, strict=True):
        aggregator.add_scores(scorer.score(reference, text))
    wanted = aggregator.aggregate()
    rows = cs.rouge_many(texts, references, TYPES, compat="rouge-score")
    found = rows.aggregate()
    for name in TYPES:
        for ours, theirs in zip(found[name], wanted[name], strict=True):
            assert tuple(ours) == pytest.approx(tuple(theirs), abs=0.02)
    assert found == rows.aggregate()
    figures = cs.compute(predictions=texts, references=references, rouge_types=TYPES)
    assert figures == {name: found[name].mid.f for name in TYPES}


def test_aggregates_of_equal_texts_have_no_spread() -> None:
    found = cs.rouge_many(["a b"] * 9, ["a c"] * 9, "rouge1", compat="rouge-score").aggregate()
    assert [tuple(score) for score in found["rouge1"]] == [pytest.approx((0.5, 0.5, 0.5))] * 3


def test_precision_and_recall_swap_with_the_order_of_texts() -> None:
    one = cs.rouge("a b", "a b c d", "rouge1", compat="rouge-score")["rouge1"]
    other = cs.rouge("a b c d", "a b", "rouge1", compat="rouge-score")["rouge1"]
    assert (one.p, one.r, one.f) == (other.r, other.p, other.f) == (1.0, 0.5, pytest.approx(2 / 3))


def test_split_summaries_finds_sentences_itself() -> None:
    text, reference = "It rained. The dam broke.", "The dam broke. It rained."
    options = {"predictions": [text], "references": [reference], "rouge_types": ["rougeLsum"]}
    assert cs.compute(**options)["rougeLsum"] == pytest.approx(3 / 5)
    assert cs.compute(**options, split_summaries=True)["rougeLsum"] == 1


def test_a_script_that_is_lost_is_no_silent_zero() -> None:
    with pytest.warns(ChronoscoreWarning, match="prepare='google' cannot see"):
        cs.rouge("北京发生洪水", "北京洪水", "rouge1", compat="rouge-score")


class Adapter:
    """The class of rouge-score, with chronoscore behind it."""

    def __init__(
        self,
        rouge_types: list[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: Any = None,
    ) -> None:
        self.types = rouge_types
        self.options: dict[str, Any] = {"compat": "rouge-score"}
        if tokenizer:
            self.options["tokenizer"] = tokenizer
        elif use_stemmer:
            self.options["stem"] = True
        self.split = split_summaries

    def score(self, target: str, prediction: str) -> dict[str, Any]:
        return self.score_multi([target], prediction)

    def score_multi(self, targets: list[str], prediction: str) -> dict[str, Any]:
        used = {
            name: "rouge-l(sentences=split)" if self.split and name == "rougeLsum" else name
            for name in self.types
        }
        scores = cs.rouge(prediction, targets, list(used.values()), **self.options)
        return {name: scores[measure] for name, measure in used.items()}


# The others read files that rouge-score does not ship, or call its private functions.
OWN_TESTS = """InvalidRougeTypes ValidRougeTypes Rouge1 Rouge1Multi RougeAllMulti RougeEmpty Rouge2
RougeLConsecutive RougeLNonConsecutive MultipleRougeTypes RougeLSumSentenceSplitting RougeLsum"""


def test_rouge_scores_own_tests_pass(
    rouge_scorer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rouge_score import rouge_scorer_test, test_util

    (tmp_path / "empty").touch()
    monkeypatch.setattr(test_util, "TARGETS_FILE", str(tmp_path / "empty"))
    monkeypatch.setattr(test_util, "PREDICTIONS_FILE", str(tmp_path / "empty"))
    monkeypatch.setattr(rouge_scorer, "RougeScorer", Adapter)
    wanted = {name.rstrip("0123456789") for name in OWN_TESTS.split()}
    suite = unittest.TestSuite(
        case
        for group in unittest.defaultTestLoader.loadTestsFromModule(rouge_scorer_test)
        for case in group
        if case._testMethodName.removeprefix("test").rstrip("0123456789") in wanted
    )
    result = unittest.TestResult()
    suite.run(result)
    assert result.testsRun > 12
    assert [*result.errors, *result.failures] == []
