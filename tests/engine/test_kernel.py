"""The compiled kernel gives the figures of the plain engine, whatever bytes come in."""

import os
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chronoscore as cs
from chronoscore import kernel
from chronoscore.engine import batch, plain
from chronoscore.engine.kinds import Grams, Kind, SkipGrams, Subsequence, WeightedSubsequence
from chronoscore.engine.single import TextCounter
from chronoscore.errors import UsageError
from chronoscore.text.batch import prepare_texts as prepare_batch
from chronoscore.text.plain import prepare_text
from chronoscore.text.preparation import Limit, Preparation

needs_kernel = pytest.mark.skipif(
    kernel.compiled is None, reason="the compiled kernel was not built: no C compiler"
)
KINDS: list[Kind] = [
    *(Grams(1), Grams(2), Grams(4), Grams(17), Subsequence()),
    *(SkipGrams(4), SkipGrams(0, unigrams=True), SkipGrams(-1, unigrams=True)),
    *(WeightedSubsequence(1.2), WeightedSubsequence(2), WeightedSubsequence(40)),
]
FEW_WORDS = st.sampled_from(["dam", "Dams", "the", "river", "rivers", "of", "men", "broke-up", "é"])
SENTENCES = st.one_of(
    st.lists(FEW_WORDS, max_size=12).map(" ".join),
    st.lists(FEW_WORDS, min_size=60, max_size=150).map(" ".join),
    st.text(max_size=30),
)
TEXTS = st.lists(st.lists(SENTENCES, max_size=5), min_size=2, max_size=5)
PREPARATIONS = st.builds(
    Preparation,
    stem=st.booleans(),
    stop=st.booleans(),
    limit=st.sampled_from([None, Limit(7, "words"), Limit(25, "bytes"), Limit(300, "bytes")]),
)


@needs_kernel
@given(TEXTS, PREPARATIONS)
def test_the_kernel_counts_what_the_plain_engine_counts(
    texts: list[list[str]], preparation: Preparation
) -> None:
    plainly = [prepare_text(text, preparation) for text in texts]
    expected = [
        [plain.count(kind, plainly[0], reference) for reference in plainly[1:]] for kind in KINDS
    ]
    for kinds in (KINDS, KINDS[:-1]):  # the last one is left to the plain engine
        alone = TextCounter(kinds, preparation).count(texts[0], texts[1:])
        assert alone == [expected[KINDS.index(kind)] for kind in kinds]
    places = np.arange(1, len(texts))
    counts = batch.count(KINDS, prepare_batch(texts, preparation), 0 * places, places)
    in_doubles = [[[*map(float, row)] for row in rows] for rows in expected]
    assert [rows.tolist() for rows in counts] == in_doubles


@pytest.mark.parametrize("limit", [None, Limit(9, "words"), Limit(25, "bytes")])
def test_a_text_hits_all_of_itself(engine: str, limit: Limit | None) -> None:
    text = ["the dam the river the dam", "", "of the dam", "men " * 70]
    preparation = Preparation(limit=limit)
    read = prepare_text(text, preparation)
    expected = [[plain.count(kind, read, read)] for kind in KINDS]
    assert TextCounter(KINDS, preparation).count(text, [text]) == expected
    both = prepare_batch([text, list(text)], preparation)
    for systems, references in ((np.array([0]), np.array([1])), (np.array([1]), np.array([1]))):
        counts = batch.count(KINDS, both, systems, references)
        assert [rows.tolist() for rows in counts] == [[[*row] for row in rows] for rows in expected]


@needs_kernel
def test_texts_that_share_many_words_are_counted_alike() -> None:
    # More shared words than have a table of all pairs of them, before and after a large text.
    words = [f"w{number}" for number in range(400)]
    texts = [[" ".join(words[start:] + words[:start:2])] * 2 for start in (7, 90)]
    plainly = [prepare_text(text, Preparation()) for text in texts]
    kinds: list[Kind] = [Grams(2), Grams(3), SkipGrams(4), SkipGrams(-1), Subsequence()]
    expected = [[plain.count(kind, *plainly)] for kind in kinds]
    for large in ("", "word " * 140_000):
        TextCounter([Grams(1)], Preparation()).count([large], [[large]])
        assert TextCounter(kinds, Preparation()).count(texts[0], texts[1:]) == expected
    counts = batch.count(kinds, prepare_batch(texts, Preparation()), np.array([0]), np.array([1]))
    assert [rows.tolist() for rows in counts] == [[[*map(float, row[0])]] for row in expected]


def test_both_engines_prepare_the_same_words(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [["The floods rose, the flood fell."], [], ["", "a" * 40 + " flooding of men"]]
    spelled = []
    for engine in ("python", *(["c"] if kernel.compiled else [])):
        monkeypatch.setenv("CHRONOSCORE_ENGINE", engine)
        layouts = prepare_batch(texts, Preparation(stem=True, stop=True))
        words = [layouts.vocabulary[word] for word in layouts.whole.words]
        spelled.append((words, layouts.whole.sentences.tolist(), layouts.whole.texts.tolist()))
    assert spelled[0] == spelled[-1]
    plainly = [prepare_text(text, Preparation(stem=True, stop=True)).tokens for text in texts]
    assert spelled[0][0] == [word for tokens in plainly for word in tokens]


@needs_kernel
def test_threads_that_share_the_reader_get_their_own_figures() -> None:
    texts = [f"flood {number} men rivers{number} of dams" for number in range(200)]
    alone = [cs.rouge(text, texts[0], stem=True) for text in texts]
    together: list[list[object]] = [[] for _ in range(8)]

    def work(place: int) -> None:
        together[place] = [cs.rouge(text, texts[0], stem=True) for text in texts]

    threads = [threading.Thread(target=work, args=(place,)) for place in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(scores == alone for scores in together)


@needs_kernel
@pytest.mark.parametrize("place", range(1, 9))
def test_arrays_that_do_not_fit_each_other_are_refused(place: int) -> None:
    two = prepare_batch([["a b"], ["a c"]], Preparation())
    arrays = [
        *(two.whole.words, two.whole.bounds, two.lines.words, two.lines.sentences),
        *(two.lines.texts, np.array([0]), np.array([1]), np.empty((1, 1))),
    ]
    kinds = [(0, 1, False, None)]
    kernel.compiled.count(kinds, *arrays)
    right = arrays[place - 1]
    wrong = [right[:0]]
    if place not in (1, 3, 8):  # words and results may be any numbers
        wrong += [right + 100, right - 100]
    for array in wrong:
        arrays[place - 1] = np.ascontiguousarray(array)
        with pytest.raises(ValueError, match="fit"):
            kernel.compiled.count(kinds, *arrays)


def test_an_unknown_engine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHRONOSCORE_ENGINE", "pyhton")
    with pytest.raises(UsageError, match="did you mean 'python'"):
        kernel.engine_name()


@pytest.mark.parametrize("kernel_module", ["None", "types.ModuleType('a kernel of an old build')"])
def test_without_a_kernel_that_fits_everything_works_and_says_so(kernel_module: str) -> None:
    code = (
        f"import sys, types; sys.modules['chronoscore._kernel'] = {kernel_module}\n"
        "import chronoscore as cs; from chronoscore.kernel import engine_name\n"
        "print(engine_name(), cs.rouge('a b c', 'a c d e')['rouge1'].recall)"
    )
    environment = {k: v for k, v in os.environ.items() if k != "CHRONOSCORE_ENGINE"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["python", "0.5"]


def test_many_pairs_without_the_kernel_are_noted_once_for_a_call(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "MANY", 5)
    one, six = {"a": "b"}, {str(number): "b" for number in range(6)}
    timeline = {"a": {f"2010-05-0{day}": "b" for day in range(1, 7)}}
    calls: list[Callable[[], object]] = [
        lambda: cs.score({"mine": one}, one, "rouge1"),
        lambda: cs.score({"mine": six}, six, ["rouge1", "rouge(n=2, stem=yes)"]),
        lambda: cs.score({"mine": timeline}, timeline, "align"),
        lambda: cs.rouge_many(["b"] * 6, ["b"] * 6),
    ]
    for call in calls:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call()
        noted = ["plain Python" in str(warning.message) for warning in caught]
        assert noted == [True] * (engine == "python" and call is not calls[0])
