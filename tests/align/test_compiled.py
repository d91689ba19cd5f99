"""The compiled kernel aligns dates as the package align does, ties included."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chronoscore import kernel
from chronoscore.align import Dates, Similarity, align_by_content, align_by_date
from chronoscore.align.compiled import align_outputs
from chronoscore.align.ties import FREE
from chronoscore.engine import overlap
from chronoscore.measures.timelines.frame import sum_columns
from chronoscore.text.batch import prepare_texts
from chronoscore.text.preparation import Preparation

needs_kernel = pytest.mark.skipif(
    kernel.compiled is None, reason="the compiled kernel was not built: no C compiler"
)
SPANS = st.one_of(
    st.integers(0, 40).map(lambda day: (day, day)),
    st.integers(0, 400).map(lambda day: (day, day)),
    st.integers(0, 12).map(lambda month: (30 * month, 30 * month + 29)),
)
# Few words and short texts make many ties.
TEXTS = st.lists(st.sampled_from("abcd"), max_size=3).map(" ".join)
SYSTEM = st.dictionaries(SPANS, TEXTS, max_size=14)
REFERENCE = st.dictionaries(SPANS, st.lists(TEXTS, min_size=1, max_size=3), max_size=14)


def side(dated: dict[tuple[int, int], list[str]], texts: list[list[str]]) -> SimpleNamespace:
    """The dates of one side, its texts added to those there are."""
    spans = sorted(dated, key=lambda span: (span[0], -span[1]))
    first, last = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    owners = [place for place, span in enumerate(spans) for _ in dated[span]]
    numbers = np.arange(len(texts), len(texts) + len(owners))
    texts += [[text] for span in spans for text in dated[span]]
    return SimpleNamespace(
        dates=Dates(first.copy(), last.copy()),
        owners=np.array(owners, dtype=np.intp),
        texts=numbers,
    )


def similarity(ours: Any, theirs: Any, batch: Any) -> Similarity:
    """How alike the days are, by the sparse product that the kernel does without."""
    lengths = np.diff(batch.whole.bounds).astype(float)
    shared = overlap.count_all(batch, ours.texts, theirs.texts)
    wanted = np.bincount(theirs.owners, lengths[theirs.texts], minlength=len(theirs.dates))
    return Similarity(
        sum_columns(shared, theirs.owners, len(theirs.dates)),
        3 * lengths[ours.texts],
        wanted.astype(float),
    )


@needs_kernel
@settings(max_examples=4 * settings.default.max_examples)
@given(SYSTEM, REFERENCE, st.booleans(), st.booleans())
def test_the_kernel_chooses_the_same_alignment(
    system: dict[tuple[int, int], str],
    reference: dict[tuple[int, int], list[str]],
    many: bool,
    first: bool,
) -> None:
    texts: list[list[str]] = [["a"]]
    ours = side({span: [text] for span, text in system.items()}, texts)
    theirs = side(reference, texts)
    batch = prepare_texts(texts, Preparation())
    alike = similarity(ours, theirs, batch)
    expected = [
        align_by_content(ours.dates, theirs.dates, alike, many=many, first=first),
        align_by_date(ours.dates, theirs.dates, many=many),
    ]
    # The same output twice: nothing is left over from the one before.
    size = len(ours.dates)
    twice = SimpleNamespace(
        dates=Dates(np.tile(ours.dates.first, 2), np.tile(ours.dates.last, 2)),
        owners=np.arange(2 * size),
        texts=np.tile(ours.texts, 2),
    )
    bounds = np.array([0, size, 2 * size])
    for words, one in zip((batch, None), expected, strict=True):
        found = align_outputs(twice, bounds, theirs, words, references=3, many=many, first=first)
        assert found.system.tolist() == 2 * one.system.tolist()
        assert found.reference.tolist() == 2 * one.reference.tolist()


@needs_kernel
@pytest.mark.parametrize("place", range(1, 12))
def test_arrays_that_do_not_fit_each_other_are_refused(place: int) -> None:
    batch = prepare_texts([["a b"], ["a c"]], Preparation())
    day, text = np.array([5]), np.array([0])
    arrays = [
        *(np.ascontiguousarray(batch.whole.words), batch.whole.bounds),
        *(text, np.array([0, 1]), day, day, text + 1, text, day, day),
        *(np.empty(1, dtype=np.int64), np.empty((1, 1), dtype=np.int64)),
    ]
    kernel.compiled.align(*arrays, 1, True, False, False)
    right = arrays[place]
    wrong = [right[:0]]
    if place not in (4, 5, 8, 9, 10, 11):  # days and results may be any numbers
        wrong += [right + 100, right - 100]
    for array in wrong:
        with pytest.raises(ValueError, match="fit"):
            kernel.compiled.align(
                *(array if n == place else one for n, one in enumerate(arrays)),
                *(1, True, False, False),
            )


@needs_kernel
@pytest.mark.parametrize(
    ("system", "reference", "forward", "backward"),
    [
        ([(6, 6), (7, 10)], [(0, 3), (3, 3)], [0, 1], [0, 1]),
        ([(1, 4), (3, 3), (4, 4)], [(4, 7), (10, 16)], [0, FREE, 1], [0, 2]),
        (
            [(1, 7), (7, 10), (9, 9)],
            [(0, 3), (1, 7), (6, 6), (7, 7)],
            [0, 1, 3],
            [0, 1, FREE, 2],
        ),
    ],
)
def test_the_last_tie_goes_to_the_earliest_date_on_either_side(
    system: list[tuple[int, int]],
    reference: list[tuple[int, int]],
    forward: list[int],
    backward: list[int],
) -> None:
    ours, theirs = (side({span: ["x"] for span in spans}, []) for spans in (system, reference))
    bounds = np.array([0, len(system)])
    found = align_outputs(ours, bounds, theirs, None, references=1, many=False, first=False)
    assert (found.system.tolist(), found.reference.tolist()) == (forward, backward)
    plain = align_by_date(ours.dates, theirs.dates)
    assert (plain.system.tolist(), plain.reference.tolist()) == (forward, backward)
