"""Why this score, where texts are matched by similarity: which says the same as which."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import shorten
from typing import NamedTuple

from chronoscore.core import Timeline, Topic, When
from chronoscore.measures.measure import Measure
from chronoscore.measures.timelines.align_measures import AlignmentMeasure
from chronoscore.measures.timelines.cost_functions import Day
from chronoscore.measures.timelines.credit import SimilarityCredit
from chronoscore.measures.timelines.explain import AlignedDays, Side
from chronoscore.measures.timelines.pairs import Matching, PairsMeasure, Shard, match_units
from chronoscore.reports.tables import Cell, Table

ROOM = 22
"""Characters of a text in a table, so that it fits a terminal of 100 columns."""
NONE = "–"


def _text_cell(text: str) -> Cell:
    """The beginning of a text, and all of it for a page."""
    return Cell(shorten(text, ROOM, placeholder=" …") or NONE, whole=text)


def day_table(
    measure: AlignmentMeasure, topic: Topic, output: Timeline, days: AlignedDays
) -> Table:
    """Days that are worth their similarity: with which each is aligned, and what that adds."""
    side: Side = "precision" if measure.part == "p" else "recall"
    alone = replace(measure, jackknife=False)
    tally = alone.tally([(topic, output)])[0]
    size = float(tally[3] if side == "precision" else tally[1])
    matches = days.matches(side)
    rows, total = [], 0.0
    for day in days.system if side == "precision" else days.reference:
        pair = matches.get(day.when)
        other = None if pair is None else pair.reference if side == "precision" else pair.system
        worth = pair.weight * pair.similarity * len(pair.reference.texts) / size if pair else 0.0
        total += worth
        rows.append(
            (
                *(Cell(str(day.when)), Cell(str(other.when) if other else NONE)),
                Cell(str(day.when.distance(other.when)) if other else ""),
                Cell(f"{pair.weight:.3f}" if pair else ""),
                Cell(f"{pair.similarity:.3f}" if pair else ""),
                Cell(f"{worth:.4f}"),
                *(_text_cell(_day_text(one) if one else "") for one in (day, other)),
            )
        )
    names = ("system", "reference") if side == "precision" else ("reference", "system")
    says = tuple(f"{name} says" for name in names)
    columns = (*names, "days", "weight", "similarity", side, *says)
    note = f"{side} of {measure.title} on {topic.id}: {total:.4f}, the sum of the column"
    return Table(f"{topic.id}: {measure.title}", columns, tuple(rows), (note,))


def _day_text(day: Day) -> str:
    """The texts of a day."""
    return " / ".join(" ".join(text) for text in day.texts)


def pairs_tables(measure: PairsMeasure, topic: Topic, output: Timeline) -> list[Table]:
    """The matched units against each reference, then those that nothing is matched with."""
    shard, matchings = match_units(measure, topic, output)
    scores = measure.score_matchings(matchings, shard)
    return [
        _pairs_table(measure, _title_of(measure, topic, number), matching, shard, row)
        for number, (matching, row) in enumerate(zip(matchings, scores.tolist(), strict=True))
    ]


def _title_of(measure: PairsMeasure, topic: Topic, number: int) -> str:
    """What a table against one reference is called."""
    if len(topic.timelines) == 1:
        return f"{topic.id}: {measure.title}"
    author = topic.timelines[number].author or f"reference {number + 1}"
    return f"{topic.id}, {author}: {measure.title}"


def _pairs_table(
    measure: PairsMeasure, title: str, matching: Matching, shard: Shard, scores: Sequence[float]
) -> Table:
    """One reference's units in order with what they are matched with, then the system's rest."""
    rows = tuple(
        (
            *(Cell(str(unit.when) if unit else NONE) for unit in (line.reference, line.system)),
            Cell("" if line.days is None else str(line.days)),
            Cell("" if line.days is None else f"{line.similarity:.3f}"),
            Cell("" if line.days is None else f"{line.words:.3f}"),
            *(_text_cell(unit.text if unit else "") for unit in (line.reference, line.system)),
        )
        for line in _lines_of(matching, shard)
    )
    columns = (
        *("reference", "system", "days", "similarity", "ROUGE-1"),
        *("reference says", "system says"),
    )
    values = dict(zip(measure.parts, scores, strict=True))
    figures = ", ".join(f"{part} {values[part]:.4f}" for part in ("p", "r", "f", "soft.f"))
    notes = (
        f"{len(matching.rows)} pairs are at least {measure.least:g} alike; units: "
        f"{len(matching.reference)} of the reference, {len(matching.system)} of the system",
        f"{figures}, date.f {values['date.f']:.4f} (within {measure.within} days), "
        f"rouge.f {values['rouge.f']:.4f}",
    )
    return Table(title, columns, rows, notes)


class Unit(NamedTuple):
    """A unit's date and text."""

    when: When
    text: str


class Line(NamedTuple):
    """Two matched units, or one that nothing is matched with."""

    reference: Unit | None
    system: Unit | None
    days: int | None = None
    similarity: float = 0.0
    words: float = 0.0


def _lines_of(matching: Matching, shard: Shard) -> Iterator[Line]:
    """The reference's units with what they are matched with, then what is left of the system's."""
    strings = shard.material.strings
    reference, system = (
        [Unit(when, strings[text]) for when, text in zip(side.whens, side.texts, strict=True)]
        for side in (matching.reference, matching.system)
    )
    figures = zip(
        matching.distances.tolist(),
        matching.similarities.tolist(),
        shard.word_overlaps([matching]).tolist(),
        strict=True,
    )
    places = zip(matching.columns.tolist(), matching.rows.tolist(), figures, strict=True)
    matched = {there: Line(reference[there], system[here], *three) for there, here, three in places}
    for place, unit in enumerate(reference):
        yield matched.get(place, Line(unit, None))
    taken = set(matching.rows.tolist())
    yield from (Line(None, unit) for place, unit in enumerate(system) if place not in taken)


def is_worth_similarity(measure: Measure) -> bool:
    """Whether aligned days are worth their similarity, not the words they share."""
    return isinstance(measure, AlignmentMeasure) and isinstance(
        measure.pair_credit, SimilarityCredit
    )
