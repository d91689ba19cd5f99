"""The table of all pairs of texts that a measure compares, with their similarities."""

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING

from chronoscore.api.results import Result, Section, save_plot
from chronoscore.core import Row, Timeline
from chronoscore.data.arguments import OneMeasure, References, Systems
from chronoscore.data.choice import parse_measure
from chronoscore.data.inputs import Inputs
from chronoscore.data.stages import Data
from chronoscore.errors import UsageError
from chronoscore.measures.languages import choose_languages, measure_for_topic
from chronoscore.measures.measure import Measure, Pair
from chronoscore.measures.similarity.material import join_sentences
from chronoscore.measures.similarity.value_table import text_id
from chronoscore.measures.timelines.align_measures import ContentMeasure
from chronoscore.measures.timelines.frame import Counting
from chronoscore.measures.timelines.pairs import PairsMeasure, Shard
from chronoscore.options import ReadingRules
from chronoscore.options.scoring import SourceOptions
from chronoscore.progress import track
from chronoscore.reports.tables import Cell, Table
from chronoscore.scoring import pair_topics_with_runs

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = 20
"""Pairs that a table for people shows, the most similar first."""


@dataclass(frozen=True, repr=False)
class SimilarityResult(Result):
    """Every pair of texts that a measure compares; `save("values.jsonl")` writes it for `file`."""

    measure: Measure
    compared: tuple[Row, ...]

    def rows(self) -> list[Row]:
        """A record for each pair: both ids, the value, the topic and both texts."""
        return list(self.compared)

    def sections(self) -> list[Section]:
        """The most similar pairs."""
        best = sorted(self.compared, key=lambda row: -float(str(row["value"])))[:SHOWN]
        rows = tuple(
            (
                Cell(str(row["topic"])),
                Cell(f"{row['value']:.3f}"),
                *(Cell(str(row[f"{side}_text"])) for side in ("system", "reference")),
            )
            for row in best
        )
        columns = ("topic", "value", "system", "reference")
        note = (
            f"{len(best)} of {len(self.compared):,} pairs; the formats json, jsonl and csv have all"
        )
        return [("", Table(str(self.measure), columns, rows, (note,)))]

    def plot(self, path: str | PathLike[str] | None = None) -> "Figure":
        """Draw how often texts are how alike, topic by topic."""
        from chronoscore.reports.plots import panels

        groups: dict[str, list[float]] = {}
        for row in self.compared:
            groups.setdefault(str(row["topic"]), []).append(float(str(row["value"])))
        figure = panels.histogram(f"similarity ({self.measure})", [*groups.items()])
        return save_plot(figure, path)

    def __repr__(self) -> str:
        return f"<SimilarityResult: {self.measure}; pairs: {len(self.compared)}>"


def similarities(
    systems: Systems,
    references: References | None = None,
    measure: OneMeasure = "pairs",
    *,
    reading: ReadingRules | None = None,
) -> SimilarityResult:
    """Compare every two texts that a measure compares, and give all values.

    Saved as JSON Lines, the result is a table for `similarity=file(path=…)`: change the values to
    those of your own model, or score with them where there is no model.

    >>> found = similarities({"mine": {"dam": {"2031-03-12": "The dam broke."}}},
    ...                      {"dam": {"2031-03-12": "The dam broke at night."}}, "pairs")
    >>> [(row["value"], row["reference_text"]) for row in found.rows()]
    [(0.8, 'The dam broke at night.')]
    """
    chosen = parse_measure(measure)
    if not isinstance(chosen, PairsMeasure | ContentMeasure):
        raise UsageError(
            f"measure '{chosen}' has no similarity; name pairs, align+, align+m1 or aligned"
        )
    inputs = Inputs.of(systems, references, SourceOptions(reading=reading))
    data = inputs.read(inputs.choose(chosen))
    assert isinstance(data, Data)
    collection, runs = data.collection, data.runs
    (chosen,) = choose_languages(collection, runs, [chosen])
    _, pairs = pair_topics_with_runs(collection, runs, Timeline)
    rows: dict[tuple[str, str, str], Row] = {}
    for topic, output in track("comparing texts", pairs, len(pairs)):
        for row in _compare_pair(measure_for_topic(chosen, topic), (topic, output)):
            rows.setdefault((topic.id, str(row["system"]), str(row["reference"])), row)
    return SimilarityResult(chosen, tuple(rows.values()))


def _compare_pair(measure: Measure, pair: Pair) -> Iterator[Row]:
    """The pairs of texts of one output and the references of its topic."""
    topic, _ = pair
    if isinstance(measure, PairsMeasure):
        shard = Shard([pair], measure)
        tables = list(shard.tables(measure.text_similarity))
        sides = [(shard.outputs[0].texts, reference.texts) for reference in shard.references[0]]
        strings = shard.material.strings
    else:
        assert isinstance(measure, ContentMeasure)
        counting = Counting([pair], measure.reading)
        tables = counting.tables(measure.text_similarity)
        sides = [(counting.pairs[0].system.texts, counting.pairs[0].reference.texts)]
        strings = [join_sentences(text) for text in counting.texts.texts]
    for table, (ours, theirs) in zip(tables, sides, strict=True):
        for row, here in enumerate(ours.tolist()):
            for column, there in enumerate(theirs.tolist()):
                yield {
                    "system": text_id(strings[here]),
                    "reference": text_id(strings[there]),
                    "value": float(table[row, column]),
                    "topic": topic.id,
                    "system_text": strings[here],
                    "reference_text": strings[there],
                }
