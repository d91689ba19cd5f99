"""ROUGE in one call: a single text, or lists of texts."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias, get_args, get_origin, get_type_hints

import numpy as np

from chronoscore.api.results import Result, Section
from chronoscore.api.single import USUAL
from chronoscore.api.text_columns import (
    column_blocks,
    non_ascii_column_outputs,
    score_text_column_blocks,
)
from chronoscore.api.tokenizers import Tokenize, score_tokens, take_tokenizer
from chronoscore.core import Row, Score, Summary, Text, Topic, sentences_of
from chronoscore.data.frames import is_frame_column
from chronoscore.data.values import as_list, as_summary_text
from chronoscore.engine.plain import CountRow
from chronoscore.engine.pooling import score_summed_counts
from chronoscore.engine.single import TextCounter
from chronoscore.errors import (
    DataError,
    UsageError,
    WrongTypeError,
    check_choice,
    describe_type,
    did_you_mean,
)
from chronoscore.extras import install_command
from chronoscore.kernel import warn_of_slow_counting
from chronoscore.measures.compat import READINGS
from chronoscore.measures.compat import compatible_measure as compatible
from chronoscore.measures.language import convert_spec_value
from chronoscore.measures.measure import Array, Measure, group_families, tally_family
from chronoscore.measures.registry import make_measure, parse_measure_text
from chronoscore.measures.rouge.measures import RougeMeasure
from chronoscore.reports.tables import Cell, Table
from chronoscore.text.languages import AUTO, detect_language, warn_of_unreadable_script
from chronoscore.text.preparation import Limit, Preparation

if TYPE_CHECKING:
    from chronoscore.api.aggregates import AggregateScore

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
    tokenize = take_tokenizer(options)
    own = sentences_of(system if type(system) is str else as_summary_text(system, "the text"))
    sentences = [sentences_of(text) for text in _reference_texts(references, "the references")]
    if tokenize:
        family = [_choose_measure(name, _hashable_options(options)) for name in names]
        return dict(zip(names, score_tokens(family, own, sentences, tokenize), strict=True))
    scores = dict.fromkeys(names, Score(0.0, 0.0, 0.0))
    for counter, scorers in _prepare_measures(names, _hashable_options(options)):
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


def _hashable_options(options: Mapping[str, Any]) -> "Options":
    """Options in a fixed order, to be looked up by."""
    for key, value in options.items():
        if value is not True and not isinstance(value, str | int | float | bool | Limit | None):
            raise WrongTypeError(
                f"{key}={value!r}: {describe_type(value)} is not a value of an option; give text, "
                "a number, True or False"
            )
    return tuple(sorted(options.items()))


def _reference_texts(references: Any, where: str) -> list[str | list[str]]:
    """One reference or several, each a string or its sentences."""
    if isinstance(references, str):
        return [references]
    if type(references) is list and all(type(text) is str for text in references) and references:
        return references
    if isinstance(references, Mapping | bytes) or not isinstance(references, Iterable):
        raise WrongTypeError(
            f"{describe_type(references)} is not a text; give a string or a list", place=where
        )
    texts = [as_summary_text(text, where) for text in as_list(references)]
    if not texts:
        raise DataError("there is no reference; give at least one", place=where)
    return texts


Options: TypeAlias = tuple[tuple[str, Any], ...]
ScoreCounts: TypeAlias = Callable[[Sequence[CountRow]], Score]


@lru_cache(maxsize=256)
def _prepare_measures(
    texts: tuple[str, ...], options: Options
) -> list[tuple[TextCounter, list[tuple[str, ScoreCounts]]]]:
    """Counters and how to score what they count; measures that read texts alike share one."""
    found: dict[Preparation, list[tuple[str, RougeMeasure]]] = {}
    for text in texts:
        measure = _choose_measure(text, options)
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


@lru_cache(maxsize=256)
def _choose_measure(text: str, options: Options) -> RougeMeasure:
    """The measure of a name as another tool computes it, with options laid over it."""
    measure: Measure = parse_measure_text(text)
    reading = dict(options).get("compat")
    if reading is not None:
        measure = compatible(measure, check_choice(reading, READINGS, "reading"))
    options = tuple((key, value) for key, value in options if key != "compat")
    if not isinstance(measure, RougeMeasure):
        raise UsageError(
            f"measure '{text}' is not a ROUGE measure; score it with chronoscore.score"
        )
    known = [f.name for f in measure.parameters()]
    for key, _ in options:
        if key not in known:
            raise UsageError(
                f"measure '{text}' has no parameter '{key}'; {did_you_mean(key, known)}"
            )
    hints = get_type_hints(type(measure))
    values = {key: _option_value(text, key, value, hints[key]) for key, value in options}
    return replace(measure, **values)


def _option_value(measure: str, key: str, value: Any, hint: Any) -> Any:
    """The value of an option, checked against the type of the measure's parameter."""
    if isinstance(value, str):
        return convert_spec_value(f"{measure}({key})", value, hint, make_measure)
    kinds = get_args(hint) if get_origin(hint) is not None else (hint,)
    if type(value) in kinds or (float in kinds and type(value) is int):
        return value
    names = ", ".join(getattr(kind, "__name__", str(kind)) for kind in kinds)
    raise WrongTypeError(
        f"{measure}({key}): {describe_type(value)} is not a value of this option; give text as on "
        f"the command line, or one of: {names}"
    )


TextPair: TypeAlias = tuple[Topic, Summary]


def _pair_texts(predictions: Any, references: Any) -> list[TextPair]:
    """Predictions with the references of the same place."""
    for what, given in (("predictions", predictions), ("references", references)):
        if isinstance(given, str | bytes | Mapping | Set) or not (
            is_frame_column(given) or isinstance(given, Iterable)
        ):
            raise WrongTypeError(
                f"the {what} are {describe_type(given)}; give a list or a column of texts"
            )
    ours, theirs = as_list(predictions), as_list(references)
    if len(ours) != len(theirs):
        raise DataError(
            f"{len(ours)} predictions and {len(theirs)} references; give the same number of each"
        )
    if not ours:
        raise DataError("there is no prediction; give at least one")
    # A text that comes again is one object, which is read once.
    known: dict[str, Summary] = {}

    def summary(text: Text) -> Summary:
        if not isinstance(text, str):
            return Summary.of(text)
        if text not in known:
            known[text] = Summary(tuple(text.split("\n")))
        return known[text]

    pairs = []
    for number, (text, given) in enumerate(zip(ours, theirs, strict=True), 1):
        own = text if type(text) is str else as_summary_text(text, f"prediction {number}")
        found = [given] if type(given) is str else _reference_texts(given, f"reference {number}")
        topic = Topic(id=str(number), summaries=tuple(map(summary, found)))
        pairs.append((topic, summary(own)))
    return pairs


def _check_places(predictions: Any, references: Any) -> None:
    """Refuse two columns with the same labels in another order: places and labels disagree."""
    ours: Any = getattr(predictions, "index", None)
    theirs: Any = getattr(references, "index", None)
    if not hasattr(ours, "equals") or not hasattr(theirs, "equals") or ours.equals(theirs):
        return
    if len(ours) == len(theirs) and bool(ours.isin(theirs).all()):
        raise DataError(
            "predictions and references have the same index in another order; sort one like the "
            "other, or give lists, which are paired by place"
        )


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
    _check_places(predictions, references)
    tokenize = take_tokenizer(options)
    family = [_choose_measure(name, _hashable_options(options)) for name in names]
    columns: dict[str, list[float]] = {}
    blocks = None if tokenize else column_blocks(predictions, references, family)
    if blocks is not None:
        warn_of_unreadable_script(non_ascii_column_outputs(blocks), family[0].preparation.name)
        tables = score_text_column_blocks(family, blocks)
    else:
        pairs = _pair_texts(predictions, references)
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
        score_tokens(family, own.sentences, [one.sentences for one in topic.summaries], tokenize)
        for topic, own in pairs
    ]
    return list(np.array(scores, dtype=float).transpose(1, 0, 2))


@dataclass(frozen=True, repr=False)
class RougeRows(Result):
    """ROUGE of many texts: a row for each text, a column for each measure and part."""

    columns: Mapping[str, Sequence[float]]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __repr__(self) -> str:
        return f"<RougeRows: {len(self)} texts, {', '.join(self.columns)}>"

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
    ) -> dict[str, "AggregateScore"]:
        """The means by name with low, mid and high, as rouge-score's bootstrap gives them."""
        from chronoscore.api.aggregates import bootstrap_text_scores

        return bootstrap_text_scores(self, level=level, resamples=resamples, seed=seed)

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
