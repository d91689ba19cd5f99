"""Why this score: which days were compared, what they share, what was missed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TypeGuard

from chronoscore.core import Output, Ranking, Summary, Timeline, Topic
from chronoscore.errors import UsageError
from chronoscore.measures import Measure
from chronoscore.measures.novelty.novelty import Novelty
from chronoscore.measures.rouge.measures import Rouge
from chronoscore.measures.similarity.similarities import WORDS
from chronoscore.measures.streams.events import MentionMeasure
from chronoscore.measures.timelines.align_measures import AlignmentMeasure
from chronoscore.measures.timelines.concat import Concat
from chronoscore.measures.timelines.cost_functions import Day
from chronoscore.measures.timelines.dates import DateMeasure
from chronoscore.measures.timelines.explain import AlignedDays, Side, aligned_days
from chronoscore.measures.timelines.pairs import PairsMeasure
from chronoscore.measures.units.nuggets import NuggetMeasure
from chronoscore.measures.units.pyramid import PyramidMeasure
from chronoscore.reports.found_and_missed import (
    GramReader,
    date_table,
    event_table,
    gram_table,
    grams_cell,
    novelty_tables,
    nugget_table,
    text_explanation_reader,
    unit_table,
)
from chronoscore.reports.similar import day_table, is_worth_similarity, pairs_tables
from chronoscore.reports.tables import Cell, Table
from chronoscore.text.plain import prepare_text
from chronoscore.text.preparation import Preparation

ROOM = 32
"""Characters for shared words, so that a table of days fits a terminal of 100 columns."""


@dataclass(frozen=True)
class Pairing:
    """A reference's day and the system's day that it is matched with; either may be missing."""

    reference: Day | None
    system: Day | None
    weight: float = 0.0
    shared: tuple[str, ...] = ()
    wanted: int = 0
    words: tuple[str, ...] = ()
    """What is shared, as the texts spell it."""
    similarity: float = 0.0

    @property
    def days(self) -> int | None:
        """How many days lie between the two; None where one is missing."""
        if self.reference is None or self.system is None:
            return None
        return self.reference.when.distance(self.system.when)

    @property
    def gained(self) -> float:
        """What the pair adds to the numerator of recall."""
        return self.weight * len(self.shared)


def pairings(measure: AlignmentMeasure, days: AlignedDays, side: Side = "recall") -> list[Pairing]:
    """Every day of one side with its match, then the other side's days that have none.

    For recall these are the references' days, for precision the system's.
    """
    matches = days.matches(side)
    reader = day_explanation_reader(measure)
    found = []
    for day in days.reference if side == "recall" else days.system:
        pair = matches.get(day.when)
        sizes = sum(reader.count(text).total() for text in day.texts)
        if pair is None:
            here, there = (day, None) if side == "recall" else (None, day)
            found.append(Pairing(here, there, wanted=sizes))
            continue
        own = pair.system.texts[0]
        shared = [
            gram
            for text in pair.reference.texts
            for gram in shared_grams_to_mark(text, own, reader)
        ]
        spelled = reader.spellings([*own, *(s for text in pair.reference.texts for s in text)])
        found.append(
            Pairing(
                *(pair.reference, pair.system, pair.weight, tuple(shared), sizes),
                words=tuple(spelled[gram] for gram in shared),
                similarity=pair.similarity,
            )
        )
    if side == "precision":
        return found
    matched = {pair.system.when for pair in matches.values()}
    return found + [Pairing(None, day) for day in days.system if day.when not in matched]


def day_explanation_reader(measure: AlignmentMeasure) -> GramReader:
    """How a measure of aligned days reads their texts."""
    return GramReader(measure.pair_credit.reading, measure.n)


def shared_grams_to_mark(
    text: Sequence[str], other: Sequence[str], reader: GramReader
) -> list[str]:
    """The runs of words that two texts share, each as often as both have it."""
    return sorted((reader.count(text) & reader.count(other)).elements())


def explain_days(
    measure: AlignmentMeasure, topic: Topic, output: Timeline, days: AlignedDays
) -> Table:
    """A table of aligned days."""
    if is_worth_similarity(measure):
        return day_table(measure, topic, output, days)
    if measure.part == "p":
        return _precision_table(measure, topic, output, days)
    return _pairing_table(measure, topic, pairings(measure, days))


def is_explained_by_days(measure: Measure) -> TypeGuard[AlignmentMeasure]:
    """Whether a measure aligns days and says what each pair is worth."""
    return isinstance(measure, AlignmentMeasure) and (
        measure.pair_credit.gram_length is not None or is_worth_similarity(measure)
    )


def explain(measure: Measure, topic: Topic, output: Output) -> list[Table]:
    """Tables that say where a score comes from."""
    if is_explained_by_days(measure):
        assert isinstance(output, Timeline)
        return [explain_days(measure, topic, output, aligned_days(measure, topic, output))]
    if isinstance(measure, PairsMeasure):
        assert isinstance(output, Timeline)
        return pairs_tables(measure, topic, output)
    if isinstance(measure, Rouge):
        assert isinstance(output, Summary)
        references = [one for one in topic.summaries if one.set == output.set]
        return [gram_table(measure, text_explanation_reader(measure), topic, output, references)]
    if isinstance(measure, Concat):
        assert isinstance(output, Timeline)
        return [
            gram_table(measure, text_explanation_reader(measure), topic, output, topic.timelines)
        ]
    if isinstance(measure, Novelty):
        assert isinstance(output, Summary)
        return novelty_tables(measure, topic, output)
    if isinstance(measure, DateMeasure):
        assert isinstance(output, Timeline)
        return [date_table(measure, topic, output)]
    if isinstance(measure, MentionMeasure):
        assert isinstance(output, Ranking)
        return [event_table(measure, topic, output)]
    if isinstance(measure, PyramidMeasure):
        assert isinstance(output, Ranking)
        return [unit_table(measure, topic, output)]
    if isinstance(measure, NuggetMeasure):
        assert isinstance(output, Ranking)
        return [nugget_table(measure, topic, output)]
    raise UsageError(
        f"'{measure}' cannot be explained; explain agreement, align, align+, align+m1, concat, "
        "pairs, dates, rouge, novelty, nu, u, n, nuggets or pyramid"
    )


def _precision_table(
    measure: AlignmentMeasure, topic: Topic, output: Timeline, days: AlignedDays
) -> Table:
    """The system's dates down, the dates they are matched with, and what each pair is worth."""
    offered = float(replace(measure, jackknife=False).tally([(topic, output)])[0][-1])
    rows = []
    total = 0.0
    for pairing in pairings(measure, days, "precision"):
        paired = pairing.days is not None
        worth = pairing.gained / offered if offered else 0.0
        total += worth
        rows.append(
            (
                Cell(date_of(pairing.system)),
                Cell(date_of(pairing.reference)),
                Cell(str(pairing.days) if paired else ""),
                Cell(f"{pairing.weight:.3f}" if paired else ""),
                *_similarity_cells(measure, pairing),
                Cell(f"{len(pairing.shared)}/{pairing.wanted}"),
                Cell(f"{worth:.4f}"),
                grams_cell(pairing.words, ROOM),
            )
        )
    columns = _day_columns(measure, "system", "reference", "precision")
    note = f"precision of {measure.title} on {topic.id}: {total:.4f}, the sum of the column"
    return Table(f"{topic.id}: {measure.title}", columns, tuple(rows), (note,))


def _pairing_table(measure: AlignmentMeasure, topic: Topic, found: Sequence[Pairing]) -> Table:
    """Reference dates down, the dates they are matched with, and what each pair is worth."""
    wanted = sum(pairing.wanted for pairing in found)
    rows = []
    for pairing in found:
        paired = pairing.days is not None
        rows.append(
            (
                Cell(date_of(pairing.reference)),
                Cell(date_of(pairing.system)),
                Cell(str(pairing.days) if paired else ""),
                Cell(f"{pairing.weight:.3f}" if paired else ""),
                *_similarity_cells(measure, pairing),
                Cell(f"{len(pairing.shared)}/{pairing.wanted}" if pairing.reference else ""),
                Cell(f"{pairing.gained / wanted:.4f}" if pairing.reference and wanted else ""),
                grams_cell(pairing.words, ROOM),
            )
        )
    total = sum(pairing.gained for pairing in found) / wanted if wanted else 0.0
    columns = _day_columns(measure, "reference", "system", "recall")
    notes = [f"recall of {measure.title} on {topic.id}: {total:.4f}, the sum of the column"]
    if any(pairing.reference is None for pairing in found):
        notes.append("– on the left: a date of the system that is matched with none")
    return Table(f"{topic.id}: {measure.title}", columns, tuple(rows), tuple(notes))


def _day_columns(measure: AlignmentMeasure, one: str, other: str, rate: str) -> tuple[str, ...]:
    """The headings of a table of days, with their similarity where it is not that of words."""
    extra = () if measure.frame.similarity == WORDS else ("similarity",)
    return (one, other, "days", "weight", *extra, "shared", rate, "what they share")


def _similarity_cells(measure: AlignmentMeasure, pairing: Pairing) -> tuple[Cell, ...]:
    """How alike two days are, where the measure compares days by more than their words."""
    if measure.frame.similarity == WORDS:
        return ()
    return (Cell(f"{pairing.similarity:.3f}" if pairing.days is not None else ""),)


def alignment_view(measure: AlignmentMeasure, found: Sequence[Pairing]) -> str:
    """The two timelines side by side as HTML, the shared words marked."""
    rows = "".join(_view_row(measure, pairing) for pairing in found)
    return (
        '<div class="scroll" tabindex="0"><table class="pairs"><thead><tr>'
        '<th scope="col">reference</th><th scope="col">system</th><th scope="col">worth</th>'
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _view_row(measure: AlignmentMeasure, pairing: Pairing) -> str:
    """One pair of days."""
    shared = {word for gram in pairing.shared for word in gram.split(" ")}
    cells = "".join(
        f"<td>{_day_text(day, shared, measure.pair_credit.reading.preparation)}</td>"
        for day in (pairing.reference, pairing.system)
    )
    paired = pairing.days is not None
    worth = f"{len(pairing.shared)} of {pairing.wanted} × {pairing.weight:.2f}" if paired else ""
    if paired and is_worth_similarity(measure):
        worth = f"{pairing.similarity:.2f} × {pairing.weight:.2f}"
    elif paired and measure.frame.similarity != WORDS:
        worth += f"<br>similarity {pairing.similarity:.2f}"
    return f"<tr>{cells}<td>{worth}</td></tr>"


def date_of(day: Day | None) -> str:
    """A day's date, or a dash where there is no day."""
    return str(day.when) if day else "–"


def _day_text(day: Day | None, shared: set[str], preparation: Preparation) -> str:
    """A date above its text with the shared words in marks, or a dash where there is no day."""
    if day is None:
        return "–"
    text = " / ".join(" ".join(one) for one in day.texts)
    return f"<b>{day.when}</b><br>{_mark_shared(text, shared, preparation)}"


def _mark_shared(text: str, shared: set[str], preparation: Preparation) -> str:
    """A text with the words that the other side has too in marks."""
    return "".join(
        f"<mark>{escape(piece)}</mark>" if is_shared(piece, shared, preparation) else escape(piece)
        for piece in words_and_gaps(text)
    )


def words_and_gaps(text: str) -> Iterator[str]:
    """Words and what stands between them."""
    yield from re.findall(r"\w+|\W+", text)


def is_shared(piece: str, shared: set[str], preparation: Preparation) -> bool:
    """Whether a word, once prepared, is among the shared ones."""
    return any(token in shared for token in prepare_text([piece], preparation).tokens)
