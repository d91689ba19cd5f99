"""ROUGE in one call: a single text, or lists of texts the way `evaluate` users have them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeAlias

from chronoscore.core import Score, Summary, Text, Topic, sentences_of
from chronoscore.errors import DataError, UsageError, did_you_mean
from chronoscore.measures.measure import Measure
from chronoscore.measures.registry import parse
from chronoscore.measures.rouge.measures import RougeMeasure
from chronoscore.text.plain import prepare
from chronoscore.text.preparation import Limit, Preparation

USUAL = ("rouge1", "rouge2", "rougeL")


def rouge(
    system: Text,
    references: Text | Iterable[Text],
    measures: Sequence[str] = USUAL,
    **options: Any,
) -> dict[str, Score]:
    """Score one text against one or more references, exactly as ROUGE-1.5.5 counts.

    A string is a text whose lines are its sentences; a list of strings is several
    references, and a list of lists several references given sentence by sentence.
    Options are those of the measures: `stem=True`, `stop=True`, `limit="100w"`,
    `prepare="unicode"`, `several="best"`, `jackknife=True` …

    >>> rouge("the cat sat", "the cat sat down")["rouge1"].recall
    0.75
    """
    by_preparation = prepared_measures(tuple(measures), tuple(sorted(options.items())))
    against = [references] if isinstance(references, str) else list(references)
    if not against:
        raise DataError("there is no reference; give at least one")
    sentences = [sentences_of(reference) for reference in against]
    own = sentences_of(system)
    scores = dict.fromkeys(measures, Score(0.0, 0.0, 0.0))
    for preparation, chosen in by_preparation:
        ours = prepare(own, preparation)
        theirs = [prepare(reference, preparation) for reference in sentences]
        for text, measure in chosen:
            scores[text] = measure.score(ours, theirs)
    return scores


Options: TypeAlias = tuple[tuple[str, Any], ...]


@lru_cache(maxsize=256)
def prepared_measures(
    texts: tuple[str, ...], options: Options
) -> list[tuple[Preparation, list[tuple[str, RougeMeasure]]]]:
    """The measures of some names, those together that read texts in the same way."""
    found: dict[Preparation, list[tuple[str, RougeMeasure]]] = {}
    for text in texts:
        measure = chosen_measure(text, options)
        found.setdefault(measure.preparation, []).append((text, measure))
    return list(found.items())


@lru_cache(maxsize=256)
def chosen_measure(text: str, options: Options) -> RougeMeasure:
    """The measure of a name, with options laid over it."""
    measure: Measure = parse(text)
    if not isinstance(measure, RougeMeasure):
        raise UsageError(f"measure '{text}' is no ROUGE measure; score it with chronoscore.score")
    known = [f.name for f in measure.parameters()]
    for key, _ in options:
        if key not in known:
            raise UsageError(
                f"measure '{text}' has no parameter '{key}'; {did_you_mean(key, known)}"
            )
    said: dict[str, Any] = {
        k: Limit.parse(v) if k == "limit" and isinstance(v, str) else v for k, v in options
    }
    return replace(measure, **said)


def compute(
    *,
    predictions: Sequence[Text],
    references: Sequence[Text | Sequence[Text]],
    measures: Sequence[str] = (*USUAL, "rougeLsum"),
    use_stemmer: bool = False,
    use_aggregator: bool = True,
) -> Mapping[str, Any]:
    """Score lists of texts with the call and the result that `evaluate` users know: F by name."""
    if len(predictions) != len(references):
        raise DataError(
            f"{len(predictions)} predictions and {len(references)} references; give as many of each"
        )
    if not predictions:
        raise DataError("there is no prediction; give at least one")
    pairs = [
        (
            Topic(
                id=str(number),
                summaries=tuple(
                    Summary.of(r) for r in ([theirs] if isinstance(theirs, str) else theirs)
                ),
            ),
            Summary.of(ours),
        )
        for number, (ours, theirs) in enumerate(zip(predictions, references, strict=True))
    ]
    family = [chosen_measure(text, (("stem", use_stemmer),)) for text in measures]
    tallies = RougeMeasure.tally_family(family, pairs)
    found = {}
    for text, measure, counts in zip(measures, family, tallies, strict=True):
        values = measure.values(counts)[:, 2]
        found[text] = float(values.mean()) if use_aggregator else values.tolist()
    return found
