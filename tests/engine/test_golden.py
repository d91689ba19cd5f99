"""Every score that ROUGE-1.5.5 printed for 149 invented cases under 40 sets of options."""

import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chronoscore.engine import batch, plain, weighted
from chronoscore.engine.kinds import Grams, Kind, SkipGrams, Subsequence, WeightedSubsequence
from chronoscore.engine.plain import Counts
from chronoscore.engine.pooling import add_reference_counts
from chronoscore.engine.single import TextCounter
from chronoscore.rouge155.rates import best_perl_counts, perl_rates
from chronoscore.text.batch import prepare_texts as prepare_batch
from chronoscore.text.plain import prepare_text
from chronoscore.text.preparation import Limit, Preparation

GOLDEN = Path(__file__).parents[1] / "golden"
KINDS: dict[str, Kind] = {
    **{f"ROUGE-{n}": Grams(n) for n in range(1, 5)},
    "ROUGE-L": Subsequence(),
    "ROUGE-W-1.2": WeightedSubsequence(1.2),
    "ROUGE-S4": SkipGrams(4),
    "ROUGE-SU4": SkipGrams(4, unigrams=True),
}
LIMITS = {
    "full": None,
    "l100": Limit(100, "words"),
    "l10": Limit(10, "words"),
    "b665": Limit(665, "bytes"),
    "b75": Limit(75, "bytes"),
}
Counted = list[dict[str, list[Counts]]]
"""By case, by name: the counts with each reference."""


@pytest.fixture(scope="module")
def golden() -> Any:
    with gzip.open(GOLDEN / "rouge155.json.gz", "rt", encoding="utf-8") as file:
        return json.load(file)


def one_by_one(cases: Sequence[Any], preparation: Preparation) -> Counted:
    counted = []
    for case in cases:
        system = prepare_text(case["system"], preparation)
        references = [prepare_text(reference, preparation) for reference in case["references"]]
        counted.append(
            {name: [plain.count(k, system, r) for r in references] for name, k in KINDS.items()}
        )
    return counted


def single_calls(cases: Sequence[Any], preparation: Preparation) -> Counted:
    counter = TextCounter(list(KINDS.values()), preparation)
    counted = []
    for case in cases:
        rows = counter.count(case["system"], case["references"])
        counted.append(
            {n: [Counts(*row) for row in several] for n, several in zip(KINDS, rows, strict=True)}
        )
    return counted


def together(cases: Sequence[Any], preparation: Preparation) -> Counted:
    texts: list[list[str]] = []
    pairs: list[tuple[int, int]] = []
    for case in cases:
        here = len(texts)
        texts += [case["system"], *case["references"]]
        pairs += [(here, there) for there in range(here + 1, len(texts))]
    numbers = np.array(pairs)
    found = batch.count(
        list(KINDS.values()), prepare_batch(texts, preparation), numbers[:, 0], numbers[:, 1]
    )
    rows = {n: iter(counts.tolist()) for n, counts in zip(KINDS, found, strict=True)}
    return [
        {name: [Counts(*next(rows[name])) for _ in case["references"]] for name in KINDS}
        for case in cases
    ]


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("words", ["raw", "m", "s", "ms"])
@pytest.mark.parametrize(
    ("count", "engine"),
    [
        pytest.param(one_by_one, "python", marks=pytest.mark.slow),
        (single_calls, "c"),
        (together, "python"),
        (together, "c"),
    ],
    indirect=["engine"],
)
def test_every_score_is_the_one_that_perl_printed(
    golden: Any,
    limit: str,
    words: str,
    count: Callable[[Sequence[Any], Preparation], Counted],
    engine: str,
) -> None:
    preparation = Preparation(stem="m" in words, stop="s" in words, limit=LIMITS[limit])
    wrong = []
    for case, counted in zip(golden["cases"], count(golden["cases"], preparation), strict=True):
        references = [prepare_text(reference, preparation) for reference in case["references"]]
        once = [weighted.length(reference.sentences, 1.2) for reference in references]
        for name, counts in counted.items():
            kind = KINDS[name]
            for rule, chosen in (
                ("A", add_reference_counts(counts)),
                ("B", best_perl_counts(kind, counts, once)),
            ):
                wanted = case["scores"][f"{limit}_{words}_{rule}"][name]
                found = [f"{rate:.5f}" for rate in perl_rates(kind, chosen, 0.5)]
                # Perl died on ROUGE-W where a reference had no tokens.
                if wanted is not None and found != wanted:
                    wrong.append((case["id"], name, rule, wanted, found))
    assert wrong == []
