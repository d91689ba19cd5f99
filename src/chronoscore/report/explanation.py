"""Why this score: which days were compared, what they share, what was missed."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from chronoscore.core import Output, Summary, Timeline, Topic, When
from chronoscore.errors import UsageError
from chronoscore.measures import Measure
from chronoscore.measures.rouge.measures import Rouge
from chronoscore.measures.timelines.aligned_rouge import AlignmentMeasure
from chronoscore.measures.timelines.explain import aligned_days
from chronoscore.report.tables import Cell, Table
from chronoscore.text.plain import prepare
from chronoscore.text.preparation import Preparation

SHOWN = 8
"""Shared or missed grams named in a cell of a table."""


@dataclass(frozen=True)
class Pairing:
    """A reference date and the system's date that answers to it, or one that has no answer."""

    reference: When | None
    system: When | None
    days: int
    weight: float
    shared: tuple[str, ...]
    wanted: int
    reference_text: str
    system_text: str

    @property
    def gained(self) -> float:
        """What the pair adds to the numerator of recall."""
        return self.weight * len(self.shared)


def pairings(measure: AlignmentMeasure, topic: Topic, output: Timeline) -> list[Pairing]:
    """Every reference date with its answer, then the system's dates that answer to none."""
    days = aligned_days(measure, topic, output)
    answers = days.answers("recall")
    found = []
    for day in days.reference:
        wanted = sum(gram_bag(text, measure).total() for text in day.texts)
        said = " / ".join(" ".join(text) for text in day.texts)
        if day.when not in answers:
            found.append(Pairing(day.when, None, 0, 0.0, (), wanted, said, ""))
            continue
        pair = answers[day.when]
        own = pair.system.texts[0]
        shared = [g for text in day.texts for g in overlap(text, own, measure)]
        apart = day.when.distance(pair.system.when)
        found.append(
            Pairing(
                *(day.when, pair.system.when, apart, pair.weight),
                *(tuple(shared), wanted, said, " ".join(own)),
            )
        )
    answering = {pair.system.when for pair in answers.values()}
    found += [
        Pairing(None, day.when, 0, 0.0, (), 0, "", " ".join(day.texts[0]))
        for day in days.system
        if day.when not in answering
    ]
    return found


def gram_bag(text: Sequence[str], measure: AlignmentMeasure | Rouge) -> Counter[str]:
    """The runs of words of a text, as the measure prepares them."""
    return grams_of(text, measure.preparation, measure.n)


def grams_of(text: Sequence[str], preparation: Preparation, n: int) -> Counter[str]:
    """Count the runs of n words of a text."""
    tokens = prepare(text, preparation).tokens
    return Counter(" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def overlap(text: Sequence[str], other: Sequence[str], measure: AlignmentMeasure) -> list[str]:
    """The runs of words that two texts share, each as often as both have it."""
    return sorted((gram_bag(text, measure) & gram_bag(other, measure)).elements())


def explain(measure: Measure, topic: Topic, output: Output) -> list[Table]:
    """Tables that say where a score comes from."""
    if isinstance(measure, AlignmentMeasure) and measure.over == "n":
        assert isinstance(output, Timeline)
        return [pairing_table(measure, topic, pairings(measure, topic, output))]
    if isinstance(measure, Rouge):
        assert isinstance(output, Summary)
        return [gram_table(measure, topic, output)]
    raise UsageError(
        f"'{measure}' cannot be explained yet; explain agreement, align, align+, align+m1 or rouge"
    )


def pairing_table(measure: AlignmentMeasure, topic: Topic, found: Sequence[Pairing]) -> Table:
    """Reference dates down, their answers, and what the pair is worth."""
    wanted = sum(pairing.wanted for pairing in found)
    rows = [
        (
            Cell(str(pairing.reference or "–")),
            Cell(str(pairing.system or "–")),
            Cell(str(pairing.days) if pairing.reference and pairing.system else ""),
            Cell(f"{pairing.weight:.3f}" if pairing.reference and pairing.system else ""),
            Cell(f"{len(pairing.shared)}/{pairing.wanted}" if pairing.reference else ""),
            Cell(f"{pairing.gained / wanted:.4f}" if pairing.reference and wanted else ""),
            Cell(list_grams(pairing.shared)),
        )
        for pairing in found
    ]
    total = sum(pairing.gained for pairing in found) / wanted if wanted else 0.0
    columns = ("reference", "system", "days", "weight", "shared", "recall", "what they share")
    notes = (
        f"recall of {measure.title} on {topic.id}: {total:.4f}, the sum of the column; "
        "– on the left: a date of the system's that answers to none",
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
    sides = [
        (pairing.reference, pairing.reference_text),
        (pairing.system, pairing.system_text),
    ]
    cells = "".join(
        f"<td>{heading(when)}{mark_shared(text, shared, measure.preparation)}</td>"
        for when, text in sides
    )
    both = pairing.reference and pairing.system
    worth = f"{len(pairing.shared)} of {pairing.wanted} × {pairing.weight:.2f}" if both else ""
    return f"<tr>{cells}<td>{worth}</td></tr>"


def heading(when: When | None) -> str:
    """A date above its text, or a dash where there is none."""
    return f"<b>{when}</b><br>" if when else "–"


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
