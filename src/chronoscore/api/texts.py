"""ROUGE in one call: a text with any options, or lists of texts, as rouge-score has it too."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from chronoscore.api.results import Result, Section
from chronoscore.api.single import USUAL
from chronoscore.core import Row, Score, Text, sentences_of
from chronoscore.data import text_columns, text_pairs
from chronoscore.data.arguments import ReferenceTexts, Texts, Tokenizer
from chronoscore.data.text_pairs import TextPair
from chronoscore.data.values import as_list, as_summary_text
from chronoscore.engine.plain import CountRow
from chronoscore.engine.pooling import score_summed_counts
from chronoscore.engine.single import TextCounter
from chronoscore.errors import (
    UsageError,
    WrongTypeError,
    check_level,
    did_you_mean,
    number_with_noun,
)
from chronoscore.extras import install_command
from chronoscore.formats.summaries.record_blocks import RecordBlock
from chronoscore.kernel import warn_of_slow_counting
from chronoscore.measures.measure import Array, Measure, group_families, tally_family
from chronoscore.measures.rouge import overrides, tokenizers
from chronoscore.measures.rouge.columns import tally_rouge_of_block
from chronoscore.measures.rouge.measures import RougeMeasure
from chronoscore.measures.rouge.overrides import Options
from chronoscore.measures.rouge.tokenizers import Tokenize
from chronoscore.reports.tables import Cell, Table
from chronoscore.stats.resample import bootstrap_means
from chronoscore.text.languages import AUTO, detect_language, warn_of_unreadable_script
from chronoscore.text.preparation import Preparation

SHOWN = 20
"""Texts that a printed table shows."""


def score_text(
    system: Text,
    references: Text | Iterable[Text],
    measures: str | Sequence[str],
    options: dict[str, Any],
) -> dict[str, Score]:
    """Score one text by any measures of ROUGE, with any options."""
    names = as_measure_names(measures)
    tokenize = tokenizers.take(options)
    own = sentences_of(system if type(system) is str else as_summary_text(system, "the text"))
    sentences = [
        sentences_of(text) for text in text_pairs.as_references(references, "the references")
    ]
    if tokenize:
        family = [overrides.choose(name, overrides.hashable(options)) for name in names]
        return dict(zip(names, tokenizers.score(family, own, sentences, tokenize), strict=True))
    scores = dict.fromkeys(names, Score(0.0, 0.0, 0.0))
    for counter, scorers in _prepare_measures(names, overrides.hashable(options)):
        preparation = counter.preparation
        if preparation.language == AUTO:
            language = detect_language(chain(own, *sentences))
            counter = TextCounter(counter.kinds, preparation.for_language(language))
        elif preparation.script.ascii_only and not all(map(str.isascii, own)):
            warn_of_unreadable_script(chain(own, *sentences), preparation.name)
        for (text, score), rows in zip(scorers, counter.count(own, sentences), strict=True):
            scores[text] = score(rows)
    return scores


def as_measure_names(measures: Any) -> tuple[str, ...]:
    """The names of measures; one may be given without a list."""
    names: tuple[str, ...] = tuple(
        measures if type(measures) in (list, tuple) else as_list(measures)
    )
    if not names or not all(isinstance(name, str) for name in names):
        raise WrongTypeError("the measures must be names, as in ['rouge1', 'rougeL']")
    return names


ScoreCounts: TypeAlias = Callable[[Sequence[CountRow]], Score]


@lru_cache(maxsize=256)
def _prepare_measures(
    texts: tuple[str, ...], options: Options
) -> list[tuple[TextCounter, list[tuple[str, ScoreCounts]]]]:
    """Counters and how to score what they count; measures that read texts alike share one."""
    found: dict[Preparation, list[tuple[str, RougeMeasure]]] = {}
    for text in texts:
        measure = overrides.choose(text, options)
        found.setdefault(measure.preparation, []).append((text, measure))
    return [
        (
            TextCounter([measure.kind for _, measure in chosen], preparation),
            [
                (
                    text,
                    partial(score_summed_counts, alpha=measure.alpha)
                    if measure.adds_counts
                    else measure.score_counts,
                )
                for text, measure in chosen
            ],
        )
        for preparation, chosen in found.items()
    ]


def rouge_many(
    predictions: Any,
    references: Any,
    measures: str | Sequence[str] = USUAL,
    **options: Any,
) -> "RougeRows":
    """Score each prediction against the references in the same place; one row each.

    Predictions and references are lists, or columns of pandas, polars or Arrow. A prediction
    is a string or a list of sentences; the references of one prediction are a string or a list
    of texts. Options are those of `rouge`.

    >>> rows = rouge_many(["the cat sat", "a dog"], ["the cat sat down", ["a dog", "the dog"]])
    >>> [round(row["rouge1.r"], 2) for row in rows.rows()]
    [0.75, 0.75]
    """
    names = as_measure_names(measures)
    text_pairs.check_places(predictions, references)
    tokenize = tokenizers.take(options)
    family = [overrides.choose(name, overrides.hashable(options)) for name in names]
    columns: dict[str, list[float]] = {}
    blocks = None if tokenize else text_columns.blocks_of(predictions, references, family)
    if blocks is not None:
        warn_of_unreadable_script(
            text_columns.non_ascii_outputs(blocks), family[0].preparation.name
        )
        tables = _block_values(family, blocks)
    else:
        pairs = text_pairs.pair(predictions, references)
        tables = _token_values(family, pairs, tokenize) if tokenize else _text_values(family, pairs)
    for name, measure, values in zip(names, family, tables, strict=True):
        for part in measure.shown:
            label = name if measure.part else f"{name}.{part}"
            columns[label] = values[:, measure.parts.index(part)].tolist()
    return RougeRows(columns)


def _text_values(family: Sequence[RougeMeasure], pairs: Sequence[TextPair]) -> list[Array]:
    """Precision, recall and F of each pair by measure; what is read alike is counted together."""
    for preparation in {measure.preparation for measure in family}:
        if preparation.script.ascii_only and preparation.language != AUTO:
            own = chain.from_iterable(output.sentences for _, output in pairs)
            warn_of_unreadable_script(own, preparation.name)
            break
    warn_of_slow_counting(len(topic.summaries) for topic, _ in pairs)
    values: dict[Measure, Array] = {}
    for group in group_families(family):
        tallies = tally_family(group, pairs)
        values |= {m: m.values(counts) for m, counts in zip(group, tallies, strict=True)}
    return [values[measure] for measure in family]


def _token_values(
    family: Sequence[RougeMeasure], pairs: Sequence[TextPair], tokenize: Tokenize
) -> list[Array]:
    """The same with a tokenizer, text by text."""
    scores = [
        tokenizers.score(
            family, own.sentences, [one.sentences for one in topic.summaries], tokenize
        )
        for topic, own in pairs
    ]
    return list(np.array(scores, dtype=float).transpose(1, 0, 2))


def _block_values(measures: Sequence[Measure], blocks: Sequence[RecordBlock]) -> list[Array]:
    """The parts of each measure, a row for each text."""
    families = group_families(measures)
    flat = list(chain.from_iterable(families))
    tallies = [list(chain.from_iterable(tally_rouge_of_block(families, block))) for block in blocks]
    values = {
        measure: measure.values(np.concatenate([block[place] for block in tallies]))
        for place, measure in enumerate(flat)
    }
    return [values[measure] for measure in measures]


class AggregateScore(NamedTuple):
    """The mean over texts: its median over resamples, and the ends of its interval."""

    low: Score
    mid: Score
    high: Score


@dataclass(frozen=True, repr=False)
class RougeRows(Result):
    """ROUGE of many texts: a row for each text, a column for each measure and part."""

    columns: Mapping[str, Sequence[float]]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __repr__(self) -> str:
        return f"<RougeRows: {number_with_noun(len(self), 'text')}, {', '.join(self.columns)}>"

    def __getitem__(self, column: str) -> Sequence[float]:
        """A column by name, as in `rows["rouge1.f"]`."""
        if not isinstance(column, str) or column not in self.columns:
            near = did_you_mean(str(column), self.columns)
            raise UsageError(f"no column {column!r}; {near}")
        return self.columns[column]

    def rows(self) -> list[Row]:
        """A record for each text."""
        return [
            dict(zip(self.columns, values, strict=True))
            for values in zip(*self.columns.values(), strict=True)
        ]

    def to_arrow(self) -> Any:
        """The rows as a pyarrow table, a column for each figure."""
        try:
            import pyarrow as pa
        except ImportError:
            raise UsageError(f"Arrow needs pyarrow; {install_command('bulk')}") from None
        return pa.table(dict(self.columns))

    def aggregate(
        self, *, level: float = 0.95, resamples: int = 1000, seed: int = 0
    ) -> dict[str, AggregateScore]:
        """The means by name with low, mid and high, as rouge-score's bootstrap gives them."""
        check_level(level)
        if resamples < 1:
            raise UsageError(f"resamples={resamples}: write 1 or more")
        names = list(dict.fromkeys(column.rpartition(".")[0] for column in self.columns))
        try:
            values = np.array([[self[f"{name}.{part}"] for part in "prf"] for name in names])
        except UsageError:
            raise UsageError(
                "the rows lack precision, recall or F; ask for whole measures"
            ) from None
        columns = values.reshape(-1, len(self)).T
        cuts = bootstrap_means(columns, times=resamples, level=level, seed=seed)
        scores = cuts.reshape(3, len(names), 3).transpose(1, 0, 2).tolist()
        return {
            name: AggregateScore(*(Score(*figures) for figures in each))
            for name, each in zip(names, scores, strict=True)
        }

    def sections(self) -> list[Section]:
        """The means, and one row for each of the first texts."""
        cells = [
            (Cell(str(number)), *(Cell(f"{value:.4f}") for value in row.values()))
            for number, row in enumerate(self.rows()[:SHOWN], 1)
        ]
        means = (Cell(f"{sum(values) / len(self):.4f}") for values in self.columns.values())
        left = len(self) - len(cells)
        notes = (f"{left} more texts are not shown",) if left > 0 else ()
        table = Table("", ("text", *self.columns), (*cells, (Cell("mean"), *means)), notes)
        return [("", table)]


def compute(
    *,
    predictions: Texts,
    references: ReferenceTexts,
    rouge_types: str | Sequence[str] = (*USUAL, "rougeLsum"),
    use_stemmer: bool = False,
    use_aggregator: bool = True,
    tokenizer: Tokenizer | Callable[[str], Sequence[str]] | None = None,
    split_summaries: bool = False,
) -> Mapping[str, Any]:
    """Score lists of texts as the ROUGE of `evaluate` does: a dict of F values.

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
            for name, each in zip(names, rows.aggregate().values(), strict=True)
        }
    return {name: list(rows[f"{used}.f"]) for name, used in zip(names, named, strict=True)}


def _split_name(name: str) -> str:
    """The same measure with sentences split again, where it compares sentences."""
    return "rouge-l(sentences=split)" if name.casefold() == "rougelsum" else name
