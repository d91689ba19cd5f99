"""Every score that ROUGE-1.5.5 printed, through the batch."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chronoscore.engine.batch import count
from chronoscore.engine.figures import best, pooled, rates
from chronoscore.engine.kinds import Grams, Kind, SkipGrams, Subsequence, WeightedSubsequence
from chronoscore.engine.plain import Counts
from chronoscore.engine.weighted import weighted_length
from chronoscore.text import plain
from chronoscore.text.batch import prepare
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


@pytest.fixture(scope="module")
def golden() -> Any:
    with gzip.open(GOLDEN / "rouge155.json.gz", "rt", encoding="utf-8") as file:
        return json.load(file)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("words", ["raw", "m", "s", "ms"])
def test_every_score_is_the_one_that_perl_printed(golden: Any, limit: str, words: str) -> None:
    preparation = Preparation(stem="m" in words, stop="s" in words, limit=LIMITS[limit])
    texts, systems, references, cases = [], [], [], []
    for case in golden["cases"]:
        start = len(systems)
        system = len(texts)
        texts.append(case["system"])
        for reference in case["references"]:
            systems.append(system)
            references.append(len(texts))
            texts.append(reference)
        cases.append((case, range(start, len(systems))))
    batch = prepare(texts, preparation)
    counted = count(list(KINDS.values()), batch, np.array(systems), np.array(references))
    wrong = []
    for case, pairs in cases:
        once = [
            weighted_length(plain.prepare(reference, preparation).sentences, 1.2)
            for reference in case["references"]
        ]
        for (name, kind), rows in zip(KINDS.items(), counted, strict=True):
            counts = [Counts(*rows[pair].tolist()) for pair in pairs]
            for rule, chosen in ("A", pooled(counts)), ("B", best(kind, counts, once)):
                wanted = case["scores"][f"{limit}_{words}_{rule}"][name]
                found = [f"{rate:.5f}" for rate in rates(kind, chosen, 0.5)]
                if wanted is not None and found != wanted:
                    wrong.append((case["id"], name, rule, wanted, found))
    assert wrong == []
