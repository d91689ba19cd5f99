"""The calls of `evaluate` and rouge-score: scores of many texts, and their bootstrap intervals."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from chronoscore.api.single import USUAL
from chronoscore.api.texts import RougeRows, as_measure_names, rouge_many
from chronoscore.core import Score
from chronoscore.errors import UsageError, check_level


class AggregateScore(NamedTuple):
    """The mean over texts: its median over resamples, and the ends of its interval."""

    low: Score
    mid: Score
    high: Score


def compute(
    *,
    predictions: Any,
    references: Any,
    rouge_types: str | Sequence[str] = (*USUAL, "rougeLsum"),
    use_stemmer: bool = False,
    use_aggregator: bool = True,
    tokenizer: Any = None,
    split_summaries: bool = False,
) -> Mapping[str, Any]:
    """Score lists of texts as `evaluate` does by rouge-score: F by name.

    Without the aggregator each name has a list of F, one for each prediction. With it, the
    mean F is the median over 1,000 resamples, which are the same in every run.
    A `tokenizer` is a function or an object with `tokenize(text)`; it replaces the stemmer.

    >>> compute(predictions=["the cat sat"], references=["the cat sat down"])["rouge2"]
    0.8
    """
    names = as_measure_names(rouge_types)
    options: dict[str, Any] = {"compat": "rouge-score"}
    if tokenizer is not None:
        options["tokenizer"] = tokenizer
    elif use_stemmer:
        options["stem"] = True
    named = [_split_name(name) for name in names] if split_summaries else list(names)
    rows = rouge_many(predictions, references, named, **options)
    if use_aggregator:
        return {
            name: each.mid.fmeasure
            for name, each in zip(names, bootstrap_text_scores(rows).values(), strict=True)
        }
    return {name: list(rows[f"{used}.f"]) for name, used in zip(names, named, strict=True)}


def _split_name(name: str) -> str:
    """The same measure with sentences split again, where it compares sentences."""
    return "rouge-l(sentences=split)" if name.casefold() == "rougelsum" else name


def bootstrap_text_scores(
    rows: RougeRows, *, level: float = 0.95, resamples: int = 1000, seed: int = 0
) -> dict[str, AggregateScore]:
    """Resample texts as rouge-score does; low, mid and high are percentiles of the means."""
    check_level(level)
    if resamples < 1:
        raise UsageError(f"resamples={resamples}: write 1 or more")
    names = list(dict.fromkeys(column.rpartition(".")[0] for column in rows.columns))
    try:
        values = np.array([[rows[f"{name}.{part}"] for part in "prf"] for name in names])
    except UsageError:
        raise UsageError("the rows lack precision, recall or F; ask for whole measures") from None
    columns = values.reshape(-1, len(rows)).T
    random = np.random.default_rng(seed)
    means = np.empty((resamples, columns.shape[1]))
    for row in means:
        drawn = np.bincount(random.integers(0, len(rows), len(rows)), minlength=len(rows))
        row[:] = drawn @ columns / len(rows)
    tail = (1 - level) / 2
    cuts = np.percentile(means, [100 * tail, 50, 100 * (1 - tail)], axis=0)
    scores = cuts.reshape(3, len(names), 3).transpose(1, 0, 2).tolist()
    return {
        name: AggregateScore(*(Score(*figures) for figures in each))
        for name, each in zip(names, scores, strict=True)
    }
