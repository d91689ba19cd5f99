"""Explanations as tables."""

from collections import Counter
from collections.abc import Sequence
from functools import singledispatch
from textwrap import shorten

from chronoscore.explanations import (
    ContradictionsExplanation,
    DateExplanation,
    DayExplanation,
    EventExplanation,
    Explanation,
    NuggetExplanation,
    PairsExplanation,
    TextExplanation,
    UnitExplanation,
)
from chronoscore.explanations.days import Pairing, Side
from chronoscore.explanations.pairs import MatchedReference, TextMatch
from chronoscore.explanations.texts import ReferenceWords
from chronoscore.measures.timelines.cost_functions import Day
from chronoscore.reports import contradictions
from chronoscore.reports.tables import Cell, Table, unbroken

NONE = "–"
SHOWN = 8
"""Runs of words that a cell of a table names."""
WORDS_ROOM = 32
TEXT_ROOM = 22
"""Characters for shared words and for a text, so that a table fits a terminal of 100 columns."""


@singledispatch
def tables(explanation: Explanation) -> list[Table]:
    """The tables that show where a score comes from."""
    raise NotImplementedError(type(explanation))


def _table(
    explanation: Explanation,
    columns: Sequence[str],
    rows: Sequence[Sequence[Cell | str]],
    notes: Sequence[str],
    title: str = "",
) -> Table:
    """A table named after its topic and measure."""
    title = title or f"{explanation.topic.id}: {explanation.measure.title}"
    return Table.of(title, columns, rows, notes)


def _figures_note(explanation: Explanation) -> str:
    """The figures that a table explains."""
    measure, values = explanation.measure, explanation.values
    figures = ", ".join(f"{part} {values[part]:.4f}" for part in measure.shown)
    return f"{measure.title} on {explanation.topic.id}: {figures}"


def grams_cell(grams: Sequence[str], room: int = 0) -> Cell:
    """Some runs of words for a terminal, as many as there is room for, and all for a page."""
    distinct = list(dict.fromkeys(grams))
    shown = distinct[:SHOWN]
    while room and len(shown) > 1 and len(", ".join(shown)) > room - 4:
        shown.pop()
    more = f" +{len(distinct) - len(shown)}" if len(distinct) > len(shown) else ""
    return Cell(", ".join(shown) + more, whole=", ".join(distinct))


def _text_cell(text: str) -> Cell:
    """The beginning of a text, and all of it for a page."""
    return Cell(shorten(text, TEXT_ROOM, placeholder=" …") or NONE, whole=text)


def date_of(day: Day | None) -> str:
    """A day's date, or a dash where there is no day."""
    return unbroken(str(day.when)) if day else NONE


@tables.register
def _(explanation: DayExplanation) -> list[Table]:
    """The days of one side down, the days they are compared with, and what each pair adds."""
    side = explanation.side
    draw = _word_row if explanation.counts_words else _similarity_row
    pairings = explanation.pairings(side)
    if not explanation.counts_words:
        pairings = [one for one in pairings if one.reference or side == "precision"]
    names = ("system", "reference") if side == "precision" else ("reference", "system")
    if explanation.counts_words:
        extra = ("similarity",) if explanation.compares_meaning else ()
        columns = (*names, "days", "weight", *extra, "shared", side, "what they share")
    else:
        columns = (*names, "days", "weight", "similarity", side, *(f"{one} says" for one in names))
    total = sum(one.worth for one in pairings)
    title = explanation.measure.title
    notes = [f"{side} of {title} on {explanation.topic.id}: {total:.4f}, the sum of the column"]
    if any(one.reference is None for one in pairings) and side == "recall":
        notes.append(f"{NONE} on the left: a date of the system without a match")
    return [_table(explanation, columns, [draw(explanation, one) for one in pairings], notes)]


def _own_and_other(side: Side, one: Pairing) -> tuple[Day | None, Day | None]:
    """The day of the explained side, and the one it is compared with."""
    return (one.system, one.reference) if side == "precision" else (one.reference, one.system)


def _word_row(explanation: DayExplanation, one: Pairing) -> tuple[Cell | str, ...]:
    """A pair of days that earn the words they share."""
    paired, (own, other) = one.days is not None, _own_and_other(explanation.side, one)
    similarity = (f"{one.similarity:.3f}" if paired else "",)
    return (
        date_of(own),
        date_of(other),
        str(one.days) if paired else "",
        f"{one.weight:.3f}" if paired else "",
        *(similarity if explanation.compares_meaning else ()),
        f"{len(one.shared)}/{one.size}" if own else "",
        f"{one.worth:.4f}" if own else "",
        grams_cell(one.words, WORDS_ROOM),
    )


def _similarity_row(explanation: DayExplanation, one: Pairing) -> tuple[Cell | str, ...]:
    """A pair of days that earn their similarity."""
    paired, days = one.days is not None, _own_and_other(explanation.side, one)
    return (
        *map(date_of, days),
        str(one.days) if paired else "",
        f"{one.weight:.3f}" if paired else "",
        f"{one.similarity:.3f}" if paired else "",
        f"{one.worth:.4f}",
        *(_text_cell(" / ".join(map(" ".join, day.texts)) if day else "") for day in days),
    )


@tables.register
def _(explanation: PairsExplanation) -> list[Table]:
    """For each reference its texts with what they are matched with, then the system's rest."""
    columns = (
        *("reference", "system", "days", "similarity", "ROUGE-1"),
        *("reference says", "system says"),
    )
    topic, title = explanation.topic.id, explanation.measure.title
    drawn = []
    for one in explanation.references:
        rows = [_match_row(match) for match in one.matches]
        alone = len(explanation.references) == 1
        name = f"{topic}: {title}" if alone else f"{topic}, {one.name}: {title}"
        drawn.append(_table(explanation, columns, rows, _pairs_notes(explanation, one), name))
    return drawn


def _match_row(match: TextMatch) -> tuple[Cell | str, ...]:
    """Two matched texts with their dates, or one that nothing is matched with."""
    sides, paired = (match.reference, match.system), match.days is not None
    return (
        *(unbroken(str(text.when)) if text else NONE for text in sides),
        str(match.days) if paired else "",
        f"{match.similarity:.3f}" if paired else "",
        f"{match.words:.3f}" if paired else "",
        *(_text_cell(text.text if text else "") for text in sides),
    )


def _pairs_notes(explanation: PairsExplanation, one: MatchedReference) -> tuple[str, str]:
    """How many texts were matched, and the figures against one reference."""
    measure, values, matches = explanation.measure, one.values, one.matches
    figures = ", ".join(f"{part} {values[part]:.4f}" for part in ("p", "r", "f", "soft.f"))
    return (
        f"{sum(match.days is not None for match in matches)} pairs are at least {measure.least:g} "
        f"alike; units: {sum(match.reference is not None for match in matches)} of the reference, "
        f"{sum(match.system is not None for match in matches)} of the system",
        f"{figures}, date.f {values['date.f']:.4f} (within {measure.within} days), "
        f"rouge.f {values['rouge.f']:.4f}",
    )


@tables.register
def _(explanation: TextExplanation) -> list[Table]:
    """What each reference has that was found and missed; for precision, the system's rest."""
    drawn = []
    for side in explanation.compared:
        rows = [_words_row(one.name, one) for one in side.references]
        if explanation.measure.part == "p":
            rows.append(_words_row("in no reference", side.alone))
        title = f"{explanation.topic.id}: {side.what}" if side.what else ""
        columns = ("reference", "found", "found", "missed")
        drawn.append(_table(explanation, columns, rows, [_figures_note(explanation)], title))
    return drawn


def _words_row(name: str, one: ReferenceWords) -> tuple[Cell | str, ...]:
    """Found and missed runs of words."""
    return name, f"{one.number}/{one.size}", grams_cell(one.found), grams_cell(one.missed)


@tables.register
def _(explanation: DateExplanation) -> list[Table]:
    """Every date with its partner on the other side, and whether that counts."""
    rows = []
    for one in explanation.dates:
        counts = "yes" if one.credit else "no"
        if explanation.measure.soft and one.credit:
            counts = f"{one.credit:.3f}"
        days = "" if one.days is None else str(one.days)
        rows.append((str(one.reference or NONE), str(one.system or NONE), days, counts))
    columns = ("reference", "nearest of the system", "days", "counts")
    note = f"{NONE} on the left: a date of the system that counts for none of the references"
    notes = [_figures_note(explanation), note]
    if explanation.crowded:
        notes.append("each date counts for one other; the nearest of a date may count for another")
    return [_table(explanation, columns, rows, notes)]


@tables.register
def _(explanation: ContradictionsExplanation) -> list[Table]:
    """Every conflict with what it contradicts."""
    values = explanation.values
    figures = ", ".join(f"{part} {values[part]:.1f}" for part in explanation.measure.shown)
    note = f"per 100 entries: {figures}"
    return [
        _table(
            explanation, contradictions.COLUMNS, contradictions.rows(explanation.conflicts), [note]
        )
    ]


@tables.register
def _(explanation: EventExplanation) -> list[Table]:
    """Every event with the sentence that mentions it first."""
    rows = [
        (
            one.event.id,
            one.event.text,
            f"{one.weight:g}",
            NONE if one.rank is None else str(one.rank),
            one.sentence,
        )
        for one in explanation.mentions
    ]
    found = sum(one.rank is not None for one in explanation.mentions)
    note = (
        f"{found} of {len(rows)} events mentioned; {explanation.new} of {explanation.retrieved} "
        "sentences mention an event first"
    )
    columns = ("event", "what", "weight", "first at", "sentence")
    return [_table(explanation, columns, rows, [_figures_note(explanation), note])]


@tables.register
def _(explanation: UnitExplanation) -> list[Table]:
    """Every content unit, with how much of it was expressed."""
    rows = [
        (unit.unit, unit.text, str(unit.weight), f"{unit.score:.2f}", f"{unit.missed:.2f}")
        for unit in explanation.units
    ]
    note = (
        f"earned {explanation.earned:g}; the maximum is the weight of the {explanation.length} "
        "heaviest units"
    )
    columns = ("unit", "what", "weight", "expressed", "missed")
    return [_table(explanation, columns, rows, [_figures_note(explanation), note])]


@tables.register
def _(explanation: NuggetExplanation) -> list[Table]:
    """Every nugget, with what its judges say."""
    rows = [
        (one.event.id, one.event.text, "vital" if one.vital else "okay", _labels(one.labels))
        for one in explanation.nuggets
    ]
    notes = [_figures_note(explanation)]
    if left := explanation.left_out:
        notes.append(f"{left} nuggets left out: not judged, or belonging to another output")
    return [_table(explanation, ("nugget", "what", "", "label"), rows, notes)]


def _labels(labels: Counter[str]) -> str:
    """What one judge says, or how many say what."""
    if labels.total() <= 1:
        return next(iter(labels), "not assigned")
    return ", ".join(f"{count} {label}" for label, count in labels.most_common())
