"""Why this score: which days were compared, what they share, what was missed."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from chronoscore.core import Output, Summary, Timeline, Topic
from chronoscore.errors import UsageError
from chronoscore.measures import Measure
from chronoscore.measures.rouge.measures import Rouge
from chronoscore.measures.timelines.align_measures import AlignmentMeasure
from chronoscore.measures.timelines.cost_functions import Day
from chronoscore.measures.timelines.explain import aligned_days
from chronoscore.reports.tables import Cell, Table
from chronoscore.text.plain import prepare
from chronoscore.text.preparation import Preparation

SHOWN = 8
"""Shared or missed grams named in a cell of a table."""


@dataclass(frozen=True)
class Pairing:
    """A reference's day and the system's day that it is matched with; either may be missing."""

    reference: Day | None
    system: Day | None
    weight: float = 0.0
    shared: tuple[str, ...] = ()
    wanted: int = 0

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


def pairings(measure: AlignmentMeasure, topic: Topic, output: Timeline) -> list[Pairing]:
    """Every reference day with its match, then the system's days that are matched with none."""
    days = aligned_days(measure, topic, output)
    matches = days.matches("recall")
    found = []
    for day in days.reference:
        wanted = sum(gram_bag(text, measure).total() for text in day.texts)
        if pair := matches.get(day.when):
            own = pair.system.texts[0]
            shared = [gram for text in day.texts for gram in overlap(text, own, measure)]
            found.append(Pairing(day, pair.system, pair.weight, tuple(shared), wanted))
        else:
            found.append(Pairing(day, None, wanted=wanted))
    matched = {pair.system.when for pair in matches.values()}
    return found + [Pairing(None, day) for day in days.system if day.when not in matched]


def gram_bag(text: Sequence[str], measure: AlignmentMeasure | Rouge) -> Counter[str]:
    """The runs of words of a text, as the measure prepares them."""
    if isinstance(measure, Rouge):
        return count_grams(prepare(text, measure.preparation).tokens, measure.n)
    return count_grams(measure.credit.reading.prepare(text).tokens, measure.n)


def count_grams(tokens: Sequence[str], n: int) -> Counter[str]:
    """Count the runs of n words."""
    return Counter(" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def overlap(text: Sequence[str], other: Sequence[str], measure: AlignmentMeasure) -> list[str]:
    """The runs of words that two texts share, each as often as both have it."""
    return sorted((gram_bag(text, measure) & gram_bag(other, measure)).elements())


def explain(measure: Measure, topic: Topic, output: Output) -> list[Table]:
    """Tables that say where a score comes from."""
    if isinstance(measure, AlignmentMeasure) and measure.credit.gram_length:
        assert isinstance(output, Timeline)
        return [pairing_table(measure, topic, pairings(measure, topic, output))]
    if isinstance(measure, Rouge):
        assert isinstance(output, Summary)
        return [gram_table(measure, topic, output)]
    raise UsageError(
        f"'{measure}' cannot be explained yet; explain agreement, align, align+, align+m1 or rouge"
    )


def pairing_table(measure: AlignmentMeasure, topic: Topic, found: Sequence[Pairing]) -> Table:
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
                Cell(f"{len(pairing.shared)}/{pairing.wanted}" if pairing.reference else ""),
                Cell(f"{pairing.gained / wanted:.4f}" if pairing.reference and wanted else ""),
                Cell(list_grams(pairing.shared)),
            )
        )
    total = sum(pairing.gained for pairing in found) / wanted if wanted else 0.0
    columns = ("reference", "system", "days", "weight", "shared", "recall", "what they share")
    notes = (
        f"recall of {measure.title} on {topic.id}: {total:.4f}, the sum of the column; "
        "– on the left: a date of the system that is matched with none",
    )
    return Table(f"{topic.id}: {measure.title}", columns, tuple(rows), notes)


def gram_table(measure: Rouge, topic: Topic, output: Summary) -> Table:
    """For each reference, what was found and what was missed."""
    own = gram_bag(output.sentences, measure)
    rows = []
    for number, reference in enumerate(topic.summaries, 1):
        bag = gram_bag(reference.sentences, measure)
        found, missed = bag & own, bag - own
        rows.append(
            (
                Cell(reference.author or f"reference {number}"),
                Cell(f"{found.total()}/{bag.total()}"),
                Cell(list_grams([gram for gram, _ in found.most_common()])),
                Cell(list_grams([gram for gram, _ in missed.most_common()])),
            )
        )
    return Table(
        f"{topic.id}: {measure.title}", ("reference", "found", "found", "missed"), tuple(rows)
    )


def list_grams(grams: Sequence[str]) -> str:
    """Some grams by name, and how many more there are."""
    distinct = list(dict.fromkeys(grams))
    more = f" +{len(distinct) - SHOWN}" if len(distinct) > SHOWN else ""
    return ", ".join(distinct[:SHOWN]) + more


def alignment_view(measure: AlignmentMeasure, found: Sequence[Pairing]) -> str:
    """The two timelines side by side as HTML, the shared words marked."""
    rows = "".join(view_row(measure, pairing) for pairing in found)
    return (
        '<div class="scroll" tabindex="0"><table class="pairs"><thead><tr>'
        '<th scope="col">reference</th><th scope="col">system</th><th scope="col">worth</th>'
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def view_row(measure: AlignmentMeasure, pairing: Pairing) -> str:
    """One pair of days."""
    shared = {word for gram in pairing.shared for word in gram.split(" ")}
    cells = "".join(
        f"<td>{day_text(day, shared, measure.credit.reading.preparation)}</td>"
        for day in (pairing.reference, pairing.system)
    )
    paired = pairing.days is not None
    worth = f"{len(pairing.shared)} of {pairing.wanted} × {pairing.weight:.2f}" if paired else ""
    return f"<tr>{cells}<td>{worth}</td></tr>"


def date_of(day: Day | None) -> str:
    """A day's date, or a dash where there is no day."""
    return str(day.when) if day else "–"


def day_text(day: Day | None, shared: set[str], preparation: Preparation) -> str:
    """A date above its text with the shared words in marks, or a dash where there is no day."""
    if day is None:
        return "–"
    text = " / ".join(" ".join(one) for one in day.texts)
    return f"<b>{day.when}</b><br>{mark_shared(text, shared, preparation)}"


def mark_shared(text: str, shared: set[str], preparation: Preparation) -> str:
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
    return any(token in shared for token in prepare([piece], preparation).tokens)
