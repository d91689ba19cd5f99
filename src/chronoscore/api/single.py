"""ROUGE of one text; the first call loads neither NumPy nor what bulk work needs."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from chronoscore.core import Score, Text
from chronoscore.engine.kinds import Grams, Kind, Subsequence
from chronoscore.engine.pooling import score_summed_counts
from chronoscore.engine.single import TextCounter
from chronoscore.text.languages import warn_of_unreadable_script
from chronoscore.text.preparation import Preparation

USUAL = ("rouge1", "rouge2", "rougeL")
KINDS: Mapping[str, Kind] = {"rouge1": Grams(1), "rouge2": Grams(2), "rougeL": Subsequence()}
"""Measures that need no parser: what they count, with references added up."""


def rouge(
    system: Text,
    references: Text | Iterable[Text],
    measures: str | Sequence[str] = USUAL,
    **options: Any,
) -> dict[str, Score]:
    """Score one text against one or more references, exactly as ROUGE-1.5.5 counts.

    A string is a text whose lines are its sentences; a list of strings is several
    references, and a list of lists several references given sentence by sentence.
    Options are those of the measures: `stem=True`, `stop=True`, `limit="100w"`,
    `prepare="unicode"`, `several="best"`, `jackknife=True` … With `compat="rouge-score"` the
    figures are those of the package rouge-score; then a `tokenizer` may split texts into words:
    a function, or an object with `tokenize(text)`.

    >>> rouge("the cat sat", "the cat sat down")["rouge1"].recall
    0.75
    """
    if type(system) is str and type(references) in (str, list):
        theirs: Any = [references] if type(references) is str else references
        found = usual_scores(system, theirs, measures, options)
        if found is not None:
            return found
    from chronoscore.api.texts import score_text

    return score_text(system, references, measures, options)


def usual_scores(
    system: str, references: list[Any], measures: Any, options: Mapping[str, Any]
) -> dict[str, Score] | None:
    """Score by the usual measures; None where anything is out of the ordinary."""
    names = USUAL if measures is USUAL else _usual_names(measures)
    if not names or (options and not _are_usual(options)):
        return None
    theirs = [reference.split("\n") for reference in references if type(reference) is str]
    if not references or len(theirs) < len(references):
        return None
    if not system.isascii():
        warn_of_unreadable_script((system, *references), "perl155")
    counter = _usual_counter(names, options.get("stem", False), options.get("stop", False))
    counts = counter.count(system.split("\n"), theirs)
    return {name: score_summed_counts(rows) for name, rows in zip(names, counts, strict=True)}


def _usual_names(measures: Any) -> tuple[str, ...]:
    """The names of measures; none where one needs a parser or is no name."""
    names: tuple[Any, ...] = (measures,) if type(measures) is str else ()
    if type(measures) in (tuple, list):
        names = tuple(measures)
    return names if all(type(name) is str and name in KINDS for name in names) else ()


def _are_usual(options: Mapping[str, Any]) -> bool:
    """Whether all options are those that the usual measures take, and not text."""
    return all(
        option in ("stem", "stop") and type(value) is bool for option, value in options.items()
    )


@lru_cache(maxsize=64)
def _usual_counter(names: tuple[str, ...], stem: bool, stop: bool) -> TextCounter:
    """A counter for measures that read texts in the same way."""
    return TextCounter([KINDS[name] for name in names], Preparation(stem=stem, stop=stop))
