"""Oracles and ceilings as rows for programs and tables for people."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from chronoscore.oracles.ceilings import Ceilings
from chronoscore.oracles.people import Frequencies
from chronoscore.oracles.summaries import Oracle
from chronoscore.oracles.timeline_search import TimelineOracle
from chronoscore.reports.tables import Cell, Table, format_number

Record = Mapping[str, Any]


def oracle_row(found: Oracle, measure: str = "") -> Record:
    """A flat record; the measure is named where there are several."""
    return {
        "topic": found.topic,
        **({"measure": measure} if measure else {}),
        "method": found.method,
        "value": found.value,
        "bound": found.bound,
        "gap": found.gap,
        "sentences": [list(place) for place in found.sentences],
    }


def timeline_row(found: TimelineOracle, measure: str = "") -> Record:
    """A flat record of a timeline's oracle; `dates` goes with `sentences`."""
    return {
        "topic": found.topic,
        "reference": found.reference,
        **({"measure": measure} if measure else {}),
        "part": found.part,
        "method": "exact",
        "value": found.value,
        "bound": found.bound,
        "gap": found.gap,
        "dates": [date for date, _, _ in found.places],
        "sentences": [[document, number] for _, document, number in found.places],
    }


def ceiling_row(found: Ceilings) -> Record:
    """A flat record of the three ceilings."""
    return {
        "topic": found.topic,
        "measure": found.measure,
        "human": found.human,
        "extractive": found.extractive,
        "extractive_bound": found.extractive_bound,
        "any_text": found.any_text,
        "any_text_bound": found.any_text_bound,
    }


def frequency_row(found: Frequencies) -> Record:
    """A flat record of what several references ask for."""
    return {
        "topic": found.topic,
        "references": found.references,
        "words_each": found.words_each,
        "words": len(found.words),
        "partial_words": found.partial_words,
        "matches": found.copies,
        "partial_matches": found.partial_copies,
    }


def oracle_row_table(rows: Sequence[Record], title: str, notes: Sequence[str] = ()) -> Table:
    """Any of these rows for a person: lists are counted, and means stand below."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    lines = [tuple(_cell(row.get(key)) for key in columns) for row in rows]
    for group in _row_groups(rows):
        lines.append(tuple(_mean_cell(group, key) for key in columns))
    heads = tuple(key.replace("_", " ") for key in columns)
    return Table(title, heads, tuple(lines), tuple(notes))


def _row_groups(rows: Sequence[Record]) -> list[list[Record]]:
    """The rows of each measure, part and method, where there are several rows of one."""
    found: dict[tuple[Any, ...], list[Record]] = {}
    for row in rows:
        found.setdefault(tuple(row.get(key) for key in ALIKE), []).append(row)
    return [group for group in found.values() if len(group) > 1]


ALIKE = ("measure", "part", "method")
"""What rows share that can be averaged."""


def _mean_cell(rows: Sequence[Record], key: str) -> Cell:
    """The mean of a column's numbers; what the rows share is named."""
    if key == "topic":
        return Cell("mean")
    if key in ALIKE:
        return _cell(rows[0].get(key))
    values = [row.get(key) for row in rows]
    numbers = [v for v in values if isinstance(v, float) and not math.isnan(v)]
    return Cell(f"{np.mean(numbers):.4f}") if numbers else Cell("")


def _cell(value: Any) -> Cell:
    """A value as a cell; a list as its length."""
    if isinstance(value, list):
        return Cell(str(len(value)))
    if isinstance(value, float):
        return Cell(format_number(value))
    return Cell("" if value is None else str(value))
