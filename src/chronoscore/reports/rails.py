"""Aligned days for a page: two timelines along a common time axis, or side by side."""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from html import escape
from typing import Any

from chronoscore.explanations import (
    ContradictionsExplanation,
    DayExplanation,
    Explanation,
    changes,
)
from chronoscore.explanations.days import DayShare, Pairing, Side
from chronoscore.explanations.words import Reader
from chronoscore.measures.timelines.cost_functions import Day
from chronoscore.reports import contradictions
from chronoscore.reports import explanation as report

MISSING = (
    "This page explains the best systems only; for this one type: "
    "chronoscore explain SYSTEM --reference … --topic TOPIC"
)
"""What the page says where it holds no explanation."""
SIDES: tuple[Side, ...] = ("recall", "precision")


def chooser(systems: Sequence[str], topics: Sequence[str]) -> str:
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


def page_data(explanation: Explanation) -> dict[str, Any]:
    """An explanation for the script of a page: rails, or else tables."""
    if isinstance(explanation, DayExplanation) and explanation.counts_words:
        return rails(explanation)
    if isinstance(explanation, ContradictionsExplanation):
        return {"html": contradictions.marked(explanation.conflicts)}
    return {"html": "".join(table.html() for table in report.tables(explanation))}


def rails(explanation: DayExplanation) -> dict[str, Any]:
    """Both timelines with their links, for precision and for recall, as plain data.

    A card is [pieces of its text, words shared, words counted]; a piece begins with a sign: "+"
    for shared words, "-" for words that the other side lacks, else a space. A link is
    [reference, system, weight, shared, days apart], and how similar the days are where the
    measure compares them by more than their words.
    """
    return {
        "values": {
            part: round(value, 4)
            for part, value in explanation.values.items()
            if part in ("p", "r", "f")
        },
        "reference": [str(day.when) for day in explanation.reference],
        "system": [str(day.when) for day in explanation.system],
        "first": [
            [day.when.first for day in explanation.reference],
            [day.when.first for day in explanation.system],
        ],
        "sides": {side: _side(explanation, side) for side in SIDES},
        "changes": [
            [change.sentence, round(change.gain, 4)] for change in changes.best(explanation)
        ],
    }


def _side(explanation: DayExplanation, side: Side) -> dict[str, Any]:
    """The links of one side, and the texts of both timelines with the words they share."""
    here = {day.when: number for number, day in enumerate(explanation.reference)}
    there = {day.when: number for number, day in enumerate(explanation.system)}
    links = []
    for one in explanation.pairings(side):
        if one.reference is None or one.system is None:
            continue
        alike = [round(one.similarity, 3)] if explanation.compares_meaning else []
        ends = [here[one.reference.when], there[one.system.when]]
        links.append([*ends, round(one.weight, 3), len(one.shared), one.days, *alike])
    reader, shares = explanation.reader, explanation.shares
    return {
        "links": links,
        "reference": _cards(shares(side, "reference"), reader, missed=side == "recall"),
        "system": _cards(shares(side, "system"), reader, missed=side == "precision"),
    }


def _cards(shares: Sequence[DayShare], reader: Reader, *, missed: bool) -> list[list[Any]]:
    """Each day's text in pieces, with how many words it shares of how many.

    On the side whose words are counted, the words that were missed are marked as well.
    """
    return [
        [split_marked(_text(one.day), one.words, reader, missed=missed), one.shared, one.size]
        for one in shares
    ]


def split_marked(
    text: str, shared: AbstractSet[str], reader: Reader, *, missed: bool = False
) -> list[str]:
    """A text in pieces that begin with their sign; a text that shares nothing is one piece."""
    if not shared:
        return [f" {text}"]
    pieces: list[str] = []
    for piece in _words_and_gaps(text):
        tokens = reader.tokens(piece)
        sign = "-" if tokens and missed else " "
        if not shared.isdisjoint(tokens):
            sign = "+"
        if pieces and pieces[-1][0] == sign:
            pieces[-1] += piece
        else:
            pieces.append(sign + piece)
    return pieces


def _words_and_gaps(text: str) -> list[str]:
    """Words, and what is between them."""
    return re.findall(r"\w+|\W+", text)


def _text(day: Day) -> str:
    """The texts of a day, one after the other."""
    return " / ".join(" ".join(text) for text in day.texts)


def change_notes(rails: Mapping[str, Any]) -> list[str]:
    """The changes that would gain most, as notes of a table."""
    listed = [
        f"{number}. {text}: {gain:+.3f}" for number, (text, gain) in enumerate(rails["changes"], 1)
    ]
    return ["what would gain most:", *listed] if listed else []


def side_by_side(explanation: DayExplanation) -> str:
    """The two timelines beside each other as HTML, the shared words marked."""
    rows = "".join(_pairing_row(explanation, one) for one in explanation.pairings("recall"))
    return (
        '<div class="scroll" tabindex="0"><table class="pairs"><thead><tr>'
        '<th scope="col">reference</th><th scope="col">system</th><th scope="col">worth</th>'
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _pairing_row(explanation: DayExplanation, one: Pairing) -> str:
    """One pair of days."""
    shared = {word for gram in one.shared for word in gram.split(" ")}
    cells = "".join(
        f"<td>{_marked_day(day, shared, explanation.reader)}</td>"
        for day in (one.reference, one.system)
    )
    worth = ""
    if one.days is not None and not explanation.counts_words:
        worth = f"{one.similarity:.2f} × {one.weight:.2f}"
    elif one.days is not None:
        worth = f"{len(one.shared)} of {one.size} × {one.weight:.2f}"
        if explanation.compares_meaning:
            worth += f"<br>similarity {one.similarity:.2f}"
    return f"<tr>{cells}<td>{worth}</td></tr>"


def _marked_day(day: Day | None, shared: AbstractSet[str], reader: Reader) -> str:
    """A date above its text with the shared words in marks, or a dash where there is no day."""
    if day is None:
        return report.NONE
    marked = "".join(
        escape(piece)
        if shared.isdisjoint(reader.tokens(piece))
        else f"<mark>{escape(piece)}</mark>"
        for piece in _words_and_gaps(_text(day))
    )
    return f"<b>{day.when}</b><br>{marked}"
