"""What was found and what was missed: words, dates, events and content units."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from chronoscore.core import Ranking, Summary, Timeline, Topic, When
from chronoscore.errors import DataError, UsageError
from chronoscore.measures import Measure
from chronoscore.measures.novelty.novelty import Novelty
from chronoscore.measures.rouge.measures import Rouge
from chronoscore.measures.streams.events import MentionMeasure
from chronoscore.measures.streams.mentions import Numbered, retrieved_stream_sentences
from chronoscore.measures.timelines.concat import Concat
from chronoscore.measures.timelines.dates import DateMeasure
from chronoscore.measures.timelines.texts import TextReading
from chronoscore.measures.units.nuggets import VITAL, NuggetMeasure
from chronoscore.measures.units.pyramid import PyramidMeasure, breakdown_by_unit, pyramid_of
from chronoscore.reports.tables import Cell, Table

SHOWN = 8
"""Grams that a cell of a table names."""


@dataclass(frozen=True)
class GramReader:
    """Runs of n words, counted as a measure counts them and spelled as they were written."""

    reading: TextReading
    n: int

    def count(self, text: Sequence[str]) -> Counter[str]:
        """The runs of words of a text, stemmed if the measure stems."""
        return Counter(gram for gram, _ in self.grams(text))

    def spellings(self, text: Sequence[str]) -> dict[str, str]:
        """By run: the words for which it first stands in a text."""
        found: dict[str, str] = {}
        for gram, words in self.grams(text):
            found.setdefault(gram, words)
        return found

    def grams(self, text: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Each run of words as it is counted and as it was written."""
        counted = self.reading.prepare(text).tokens
        unstemmed = replace(self.reading.preparation, stem=False)
        written = replace(self.reading, preparation=unstemmed).prepare(text).tokens
        for start in range(len(counted) - self.n + 1):
            end = start + self.n
            yield " ".join(counted[start:end]), " ".join(written[start:end])


def text_explanation_reader(measure: Rouge | Concat) -> GramReader:
    """How a measure of running text reads it."""
    if isinstance(measure, Rouge):
        return GramReader(TextReading(measure.preparation), measure.n)
    if measure.pair_credit.gram_length is None:
        raise UsageError(f"'{measure}' cannot be explained; explain one that counts runs of words")
    return GramReader(measure.pair_credit.reading, measure.pair_credit.gram_length)


def gram_table(
    measure: Measure,
    reader: GramReader,
    topic: Topic,
    output: Summary | Timeline,
    references: Sequence[Summary | Timeline],
    title: str = "",
) -> Table:
    """For each reference, what was found and what was missed; last, what only the system has."""
    own, spelled = reader.count(output.sentences), reader.spellings(output.sentences)
    rows: list[tuple[Cell, ...]] = []
    known: Counter[str] = Counter()
    for number, reference in enumerate(references, 1):
        bag, words = reader.count(reference.sentences), reader.spellings(reference.sentences)
        known |= bag
        found, missed = bag & own, bag - own
        rows.append(
            (
                Cell(reference.author or f"reference {number}"),
                Cell(f"{found.total()}/{bag.total()}"),
                grams_cell([words[gram] for gram, _ in found.most_common()]),
                grams_cell([words[gram] for gram, _ in missed.most_common()]),
            )
        )
    if measure.part == "p":
        extra = own - known
        rows.append(
            (
                Cell("in no reference"),
                Cell(f"{extra.total()}/{own.total()}"),
                Cell(""),
                grams_cell([spelled[gram] for gram, _ in extra.most_common()]),
            )
        )
    return Table(
        title or f"{topic.id}: {measure.title}",
        ("reference", "found", "found", "missed"),
        tuple(rows),
        (_value_note(measure, topic, output),),
    )


def _list_grams(grams: Sequence[str], room: int = 0) -> str:
    """Some grams by name, and how many more there are; with `room`, as many as fit into it."""
    distinct = list(dict.fromkeys(grams))
    shown = distinct[:SHOWN]
    while room and len(shown) > 1 and len(", ".join(shown)) > room - 4:
        shown.pop()
    more = f" +{len(distinct) - len(shown)}" if len(distinct) > len(shown) else ""
    return ", ".join(shown) + more


def grams_cell(grams: Sequence[str], room: int = 0) -> Cell:
    """Some grams for a terminal, and all of them for a page."""
    return Cell(_list_grams(grams, room), whole=", ".join(dict.fromkeys(grams)))


def _value_note(measure: Measure, topic: Topic, output: Summary | Timeline | Ranking) -> str:
    """The figures that a table explains."""
    values = measure.values(measure.tally([(topic, output)]))[0]
    figures = ", ".join(
        f"{part} {value:.4f}"
        for part, value in zip(measure.parts, values.tolist(), strict=True)
        if part in measure.shown
    )
    return f"{measure.title} on {topic.id}: {figures}"


def novelty_tables(measure: Novelty, topic: Topic, output: Summary) -> list[Table]:
    """What an update repeats of the earlier references, and what it has of its own references."""
    if not isinstance(measure.base, Rouge):
        raise UsageError(f"'{measure}' cannot be explained; explain one whose base is rouge(n=...)")
    reader = text_explanation_reader(measure.base)
    sides = ("ab, repeated from earlier references", "bb, shared with the update's references")
    return [
        gram_table(measure, reader, topic, output, references, f"{topic.id}: {side}")
        for side, references in zip(sides, measure.sides(topic, output), strict=True)
    ]


def date_table(measure: DateMeasure, topic: Topic, output: Timeline) -> Table:
    """Every date of the references with the nearest of the system, then the system's own."""
    wanted = sorted({entry.when for reference in topic.timelines for entry in reference})
    own = sorted(output.dates)

    def nearest(when: When, others: Sequence[When]) -> When | None:
        return min(others, key=lambda other: (when.distance(other), other), default=None)

    rows: list[tuple[Cell, ...]] = []
    for when in wanted:
        near = nearest(when, own)
        rows.append(_date_row(measure, when, near, str(when), str(near or "–")))
    for when in own:
        near = nearest(when, wanted)
        if near is None or when.distance(near) > measure.within:
            rows.append(_date_row(measure, when, near, "–", str(when)))
    columns = ("reference", "nearest of the system", "days", "counts")
    notes = (
        _value_note(measure, topic, output),
        "– on the left: a date of the system that no reference has",
    )
    return Table(f"{topic.id}: {measure.title}", columns, tuple(rows), notes)


def _date_row(
    measure: DateMeasure, when: When, near: When | None, left: str, right: str
) -> tuple[Cell, ...]:
    """One date, the distance to the nearest on the other side, and whether that counts."""
    if near is None:
        return Cell(left), Cell(right), Cell(""), Cell("no")
    days = when.distance(near)
    counts = f"{1 / (days + 1):.3f}" if measure.soft else "yes" if days <= measure.within else "no"
    return Cell(left), Cell(right), Cell(str(days)), Cell("no" if left == "–" else counts)


def event_table(measure: MentionMeasure, topic: Topic, output: Ranking) -> Table:
    """Every event with the place in the ranking where it is first mentioned."""
    numbered = Numbered.of(topic)
    mentions = measure.mentions(numbered, output)
    found = mentions.found(measure.cutoff)
    order = np.lexsort((mentions.first, ~found))
    ids: Sequence[str] = [chosen.text or chosen.sentence for chosen in output.best_first]
    if measure.match == "id":
        ids = retrieved_stream_sentences(numbered, output.selections)[0]
    rows = []
    for place in order.tolist():
        event, rank = numbered.judged.events[place], int(mentions.first[place])
        hit = bool(found[place])
        sentence = ids[rank] if hit else ""
        rows.append(
            (
                Cell(event.id),
                Cell(event.text),
                Cell(f"{mentions.weights[place]:g}"),
                Cell(str(rank + 1) if hit else "–"),
                Cell(numbered.judged.texts.get(sentence, sentence)),
            )
        )
    size = mentions.retrieved(measure.cutoff)
    new = int((mentions.new(strict=True)[:size] > 0).sum())
    notes = (
        _value_note(measure, topic, output),
        f"{int(found.sum())} of {len(rows)} events mentioned; {new} of {size} sentences mention "
        "an event first",
    )
    columns = ("event", "what", "weight", "first at", "sentence")
    return Table(f"{topic.id}: {measure.title}", columns, tuple(rows), notes)


def unit_table(measure: PyramidMeasure, topic: Topic, output: Ranking) -> Table:
    """Every content unit, heaviest first, with how much of it was expressed."""
    pyramid = pyramid_of(topic)
    units = breakdown_by_unit(pyramid, output, cutoff=measure.cutoff)
    if not units:
        raise DataError(f"topic '{topic.id}' has no content unit; give some with --units")
    rows = tuple(
        (
            Cell(unit.unit),
            Cell(unit.text),
            Cell(str(unit.weight)),
            Cell(f"{unit.score:.2f}"),
            Cell(f"{unit.missed:.2f}"),
        )
        for unit in units
    )
    earned = sum(unit.weight * unit.score for unit in units)
    note = f"earned {earned:g}; the most is that of the {measure.length(pyramid)} heaviest units"
    columns = ("unit", "what", "weight", "expressed", "missed")
    notes = (_value_note(measure, topic, output), note)
    return Table(f"{topic.id}: {measure.title}", columns, rows, notes)


def nugget_table(measure: NuggetMeasure, topic: Topic, output: Ranking) -> Table:
    """Every nugget, vital ones first, with what its judges say."""
    names = {1.0: "support", 0.5: "partial", 0.0: "none"}
    judged: dict[str, Counter[str]] = {}
    for selection in output:
        own = judged.setdefault(selection.event, Counter())
        if not math.isnan(selection.score):
            own[names.get(selection.score, f"{selection.score:g}")] += 1
    note = _value_note(measure, topic, output)
    events = topic.judgements.events if topic.judgements else ()
    known = [event for event in events if judged.get(event.id, True)]
    rows = tuple(
        (
            Cell(event.id),
            Cell(event.text),
            Cell("vital" if event.importance >= VITAL else "okay"),
            Cell(_describe_labels(judged.get(event.id, Counter()))),
        )
        for event in sorted(known, key=lambda event: -event.importance)
    )
    left = len(events) - len(known)
    notes = (note, *([f"{left} nuggets left out: not judged, or of another output"] * (left > 0)))
    return Table(f"{topic.id}: {measure.title}", ("nugget", "what", "", "label"), rows, notes)


def _describe_labels(labels: Counter[str]) -> str:
    """What one judge says, or how many say what."""
    if labels.total() <= 1:
        return next(iter(labels), "not assigned")
    return ", ".join(f"{count} {label}" for label, count in labels.most_common())
