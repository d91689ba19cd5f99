"""Two timelines as rails along a common time axis, for a page to draw."""

from collections.abc import Sequence
from html import escape
from typing import Any

from chronoscore.core import Output, Timeline, Topic
from chronoscore.measures import Measure
from chronoscore.measures.similarity.similarities import WORDS
from chronoscore.measures.timelines.align_measures import AlignmentMeasure
from chronoscore.measures.timelines.cost_functions import Day
from chronoscore.measures.timelines.explain import AlignedDays, Side, aligned_days
from chronoscore.reports.changes import explain_best_changes
from chronoscore.reports.explanation import (
    day_explanation_reader,
    explain,
    shared_grams_to_mark,
    words_and_gaps,
)
from chronoscore.reports.found_and_missed import GramReader
from chronoscore.reports.tables import html_table
from chronoscore.text.plain import prepare_text

MISSING = (
    "This page explains the best systems only; for this one type: "
    "chronoscore explain SYSTEM --reference … --topic TOPIC"
)
"""What the page says where it holds no explanation."""
SIDES: tuple[Side, ...] = ("recall", "precision")


def has_rails(measure: Measure) -> bool:
    """Whether a measure aligns days and counts the words they share."""
    return isinstance(measure, AlignmentMeasure) and measure.pair_credit.gram_length is not None


def explanation_chooser(systems: Sequence[str], topics: Sequence[str]) -> str:
    """A choice of system and topic, and the place where the script puts the explanation."""
    choices = "".join(
        f"<label{' hidden' if len(values) == 1 else ''}>{name.capitalize()} "
        f'<select id="why-{name}">{_option_elements(values)}</select></label> '
        for name, values in (("system", systems), ("topic", topics))
    )
    return (
        f'<p class="screen">{choices}</p><div id="explanation" aria-live="polite"><noscript>'
        "Explanations need JavaScript; <code>chronoscore explain</code> prints them too."
        "</noscript></div>"
    )


def _option_elements(values: Sequence[str]) -> str:
    """The values that can be chosen."""
    return "".join(f"<option>{escape(value)}</option>" for value in values)


def explanation_data(measure: Measure, topic: Topic, output: Output) -> dict[str, Any]:
    """Why one system scores as it does on one topic: rails, or else tables."""
    if (
        isinstance(measure, AlignmentMeasure)
        and has_rails(measure)
        and isinstance(output, Timeline)
    ):
        return rails_data(measure, topic, output, aligned_days(measure, topic, output))
    return {"html": "".join(html_table(table) for table in explain(measure, topic, output))}


def rails_data(
    measure: AlignmentMeasure, topic: Topic, output: Timeline, days: AlignedDays
) -> dict[str, Any]:
    """Both timelines with their links, for precision and for recall, as plain data.

    A card is [pieces of its text, words shared, words counted]; a piece begins with a sign: "+"
    for shared words, "-" for words that were counted and not found, else a space. A link is
    [reference, system, weight, shared, days apart], and how similar the days are where the
    measure compares them by more than their words.
    """
    reader = day_explanation_reader(measure)
    values = measure.values(measure.tally([(topic, output)]))[0]
    similar = measure.frame.similarity != WORDS
    sides = {side: _one_side(days, side, reader, similar=similar) for side in SIDES}
    return {
        "values": {
            part: round(float(value), 4)
            for part, value in zip(measure.parts, values.tolist(), strict=True)
            if part in ("p", "r", "f")
        },
        "reference": [str(day.when) for day in days.reference],
        "system": [str(day.when) for day in days.system],
        "first": [
            [day.when.first for day in days.reference],
            [day.when.first for day in days.system],
        ],
        "sides": sides,
        "changes": [
            [change.sentence, round(change.gain, 4)]
            for change in explain_best_changes(measure, topic, output, days)
        ],
    }


def _one_side(
    days: AlignedDays, side: Side, reader: GramReader, *, similar: bool = False
) -> dict[str, Any]:
    """The links of one side, and the texts of both timelines with the words they share."""
    at_reference = {day.when: number for number, day in enumerate(days.reference)}
    at_system = {day.when: number for number, day in enumerate(days.system)}
    links = []
    marked: tuple[dict[int, set[str]], dict[int, set[str]]] = ({}, {})
    counts: tuple[dict[int, int], dict[int, int]] = ({}, {})
    compared: dict[int, int] = {}
    for pair in days.matches(side).values():
        own = pair.system.texts[0]
        shared = [
            gram
            for text in pair.reference.texts
            for gram in shared_grams_to_mark(text, own, reader)
        ]
        here, there = at_reference[pair.reference.when], at_system[pair.system.when]
        apart = pair.reference.when.distance(pair.system.when)
        # A day of the system is counted against each reference that has the other day.
        compared[there] = compared.get(there, 0) + len(pair.reference.texts)
        alike = [round(pair.similarity, 3)] if similar else []
        links.append([here, there, round(pair.weight, 3), len(shared), apart, *alike])
        for number, place in enumerate((here, there)):
            words = {word for gram in shared for word in gram.split(" ")}
            marked[number].setdefault(place, set()).update(words)
            counts[number][place] = counts[number].get(place, 0) + len(shared)
    return {
        "links": links,
        "reference": _day_cards(days.reference, marked[0], counts[0], {}, reader, side == "recall"),
        "system": _day_cards(
            days.system, marked[1], counts[1], compared, reader, side == "precision"
        ),
    }


def _day_cards(
    days: Sequence[Day],
    marked: dict[int, set[str]],
    counts: dict[int, int],
    compared: dict[int, int],
    reader: GramReader,
    counted: bool,
) -> list[list[Any]]:
    """Each day's text in pieces, with how many words it shares of how many.

    On the side whose words are counted, the words that were not found are marked as well.
    """
    found = []
    for number, day in enumerate(days):
        text = " / ".join(" ".join(sentences) for sentences in day.texts)
        total = sum(reader.count(sentences).total() for sentences in day.texts)
        total *= compared.get(number, 1)
        pieces = split_marked(text, marked.get(number, set()), reader, missed=counted)
        found.append([pieces, counts.get(number, 0), total])
    return found


def split_marked(
    text: str, shared: set[str], reader: GramReader, *, missed: bool = False
) -> list[str]:
    """A text in pieces that begin with their sign; a text that shares nothing is one piece."""
    if not shared:
        return [f" {text}"]
    pieces: list[str] = []
    for piece in words_and_gaps(text):
        tokens = prepare_text([piece], reader.reading.preparation).tokens
        sign = (
            "+" if any(token in shared for token in tokens) else "-" if tokens and missed else " "
        )
        if pieces and pieces[-1][0] == sign:
            pieces[-1] += piece
        else:
            pieces.append(sign + piece)
    return pieces
