"""Load references, outputs and scores from files and plain values."""

import math
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypeAlias

import numpy as np

from chronoscore.api.scores import ScoreResult
from chronoscore.core import Collection, Output, Ranking, Run
from chronoscore.data.kinds import KINDS, kind_of_inputs
from chronoscore.data.references import as_collection
from chronoscore.data.runs import as_runs
from chronoscore.data.values import are_paths, as_paths
from chronoscore.errors import DataError, UsageError, check_choice
from chronoscore.formats.corpora import judged_topics
from chronoscore.formats.judgements import ratings
from chronoscore.measures import Measure, parse_measure_text
from chronoscore.measures.measure import Array
from chronoscore.options import Resampling
from chronoscore.options.declare import or_default
from chronoscore.scoring import Scores
from chronoscore.stats.corpus import Average, bootstrap_averages

Kind: TypeAlias = Literal["timelines", "summaries", "rankings"]


def load(references: Any, kind: Kind | None = None, *, documents: bool = False) -> Collection:
    """Load a collection of topics with their references, and their documents if asked for.

    Takes what `score` takes as references. `kind` says what to look for where a folder holds
    several kinds: timelines, summaries, or rankings (judged topics).
    """
    needs = _kind_from(kind) or kind_of_inputs((), references)
    if needs is Ranking and are_paths(references):
        return judged_topics.load((), as_paths(references))[0]
    return as_collection(references, needs, documents=documents)


def load_runs(
    systems: Any, kind: Kind = "timelines", *, collection: Collection | None = None
) -> list[Run]:
    """Load what systems wrote; takes what `score` takes as systems."""
    needs = _kind_from(kind) or KINDS["timelines"]
    return as_runs(systems, collection or Collection({}), needs)


def _kind_from(kind: str | None) -> type[Output] | None:
    """The class of a kind's name."""
    return None if kind is None else KINDS[check_choice(kind, KINDS, "kind")]


def load_scores(
    path: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    resampling: Resampling | None = None,
) -> ScoreResult:
    """Load scores that `result.save` or `chronoscore score -f jsonl` wrote.

    A file holds figures and no texts, so that the result can be printed, compared and plotted,
    but not explained. Averages that the file holds are kept; others are means over topics.
    """
    paths = as_paths(path)
    if not paths:
        raise UsageError("there is no file of scores; name at least one")
    figures = ratings.load_scores(paths)
    topics = tuple(dict.fromkeys(one.topic for one in figures if one.topic))
    if not topics:
        raise DataError("holds averages only; save the rows of topics as well", place=paths[0])
    systems = tuple(dict.fromkeys(one.system for one in figures))
    parts: dict[str, dict[str, None]] = {}
    for one in figures:
        parts.setdefault(one.name, {})[one.part] = None
    measures = {name: _recorded_measure(name, tuple(known)) for name, known in parts.items()}
    tallies = {
        measure: np.full((len(systems), len(topics), len(measure.parts)), math.nan)
        for measure in measures.values()
    }
    for one in figures:
        if one.topic:
            measure = measures[one.name]
            place = (systems.index(one.system), topics.index(one.topic))
            tallies[measure][(*place, measure.parts.index(one.part))] = one.value
    scores = Scores(systems, topics, tallies, f"scores of {', '.join(map(str, paths))}")
    how = or_default(resampling, Resampling)
    saved = {
        (str(row["system"]), str(row["measure"]), ratings.optional_rating_cell(row, "part")): row
        for file in paths
        for _, row in ratings.read_rows_of_ratings_file(file)
        if not row.get("topic") and "measure" in row
    }
    return ScoreResult(
        scores, tuple(_restored(one, saved) for one in bootstrap_averages(scores, how)), how
    )


def _restored(average: Average, saved: Mapping[tuple[str, str, str], Mapping[str, Any]]) -> Average:
    """An average as the file gives it, or as it was computed from topics."""
    row = saved.get((average.system, average.measure.title, average.part))
    if row is None:
        return average
    where = f"average of '{average.system}'"
    value, low, high = (
        ratings.rating_cell_number(where, row.get(name), missing=True, column=name)
        for name in ("value", "low", "high")
    )
    topics = row.get("n")
    return Average(
        average.system,
        average.measure,
        average.part,
        value,
        low,
        high,
        average.topics
        if topics in (None, "")
        else int(ratings.rating_cell_number(where, topics, column="n")),
    )


def _recorded_measure(title: str, parts: tuple[str, ...]) -> Measure:
    """A measure of which only figures are known: it never reads a text, nor imports code."""
    try:
        known: type[Measure] = type(parse_measure_text(title))
    except UsageError:
        known = RecordedMeasure
    whole = known.averaging == "of-means" and parts[:3] == ("p", "r", "f")
    facts = {
        "name": title,
        "parts": parts,
        "columns": parts,
        "lower_is_better": known.lower_is_better,
        "averaging": "of-means" if whole else "mean",
    }
    return type("Recorded", (RecordedMeasure,), facts)(label=title)  # type: ignore[no-any-return]


class RecordedMeasure(Measure):
    """Figures that were computed elsewhere."""

    needs = Ranking

    def tally(self, pairs: Any) -> Array:
        """Refuse: figures from a file cannot be computed again."""
        raise UsageError(f"'{self.title}' was read from a file; name a measure to score texts")

    def values(self, tallies: Array) -> Array:
        """The figures themselves."""
        return tallies

    def __str__(self) -> str:
        return self.title
