"""What `score --ceiling` adds: each score as a share of what could be reached."""

import math
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chronoscore.cli import options
from chronoscore.errors import DataError, UsageError

if TYPE_CHECKING:
    from chronoscore.core import Collection, Output, Row
    from chronoscore.measures import Measure
    from chronoscore.oracles.shares import Ceiling
    from chronoscore.report.tables import Table
    from chronoscore.scoring import Scores

ceiling = options.stacked(
    click.option(
        "--ceiling", is_flag=True, help="Add each score's share of what could be reached."
    ),
    click.option(
        "--documents",
        type=options.file,
        help="For --ceiling: a collection with the documents, as `oracle` reads it.",
    ),
)
"""The options of the ceiling."""


def found(
    topics: "Collection",
    measures: "Sequence[Measure]",
    references: Sequence[Path],
    chosen: Mapping[str, Any],
    executor: Executor | None,
) -> "tuple[Ceiling, ...]":
    """The ceilings of all measures that have one, if they are asked for."""
    if not chosen.get("ceiling"):
        return ()
    from chronoscore.oracles.shares import has_ceiling, reached

    able = [measure for measure in measures if has_ceiling(measure)]
    if not able:
        raise UsageError(
            "--ceiling: none of the measures has one; write a limit, as in "
            "rouge(n=1,limit=100w), or a timeline measure, as align"
        )
    documents = source(chosen.get("documents"), references, able[0].needs)
    return tuple(one for measure in able for one in reached(topics, measure, documents, executor))


def source(
    given: Path | None, references: Sequence[Path], needs: "type[Output]"
) -> "Collection | None":
    """The documents that were named, or those that lie beside the references."""
    from chronoscore.formats.corpora import collections

    if given is not None:
        return collections.load(given, needs)
    for path in references:
        try:
            return collections.load(path, needs)
        except DataError:
            continue
    return None


def rows(ceilings: "Sequence[Ceiling]", scores: "Scores") -> "Iterator[Row]":
    """A flat record for each system, topic and ceiling."""
    for one in ceilings:
        shares = one.topic_shares(scores)
        for s, system in enumerate(scores.systems):
            for t, topic in enumerate(scores.topics):
                yield {
                    "system": system,
                    "topic": topic,
                    "measure": one.measure.title,
                    "part": one.label,
                    "value": float(shares[s, t]),
                }


def mean_rows(ceilings: "Sequence[Ceiling]", scores: "Scores") -> "Iterator[Row]":
    """A flat record for each system and ceiling, over all topics."""
    for one in ceilings:
        for system, share in zip(scores.systems, one.shares(scores).tolist(), strict=True):
            yield {
                "system": system,
                "topic": "",
                "measure": one.measure.title,
                "part": one.label,
                "value": share,
                "low": math.nan,
                "high": math.nan,
                "n": len(scores.topics),
            }


def widened(table: "Table", ceilings: "Sequence[Ceiling]", scores: "Scores") -> "Table":
    """The table with a column for the share of each ceiling."""
    if not ceilings:
        return table
    from chronoscore.report.tables import Cell

    shares = [one.shares(scores).tolist() for one in ceilings]
    heads = [f"{one.measure.title}.{one.part}, share of {one.kind}" for one in ceilings]
    lines = [
        (*line, *(Cell(f"{share[number]:.1%}") for share in shares))
        for number, line in enumerate(table.rows)
    ]
    means = "; ".join(f"{h} {c.bounds.mean():.4f}" for h, c in zip(heads, ceilings, strict=True))
    note = f"share of ceiling: mean score over mean ceiling ({means.replace('share of ', '')})"
    return replace(
        table,
        columns=(*table.columns, *heads),
        rows=tuple(lines),
        notes=(*table.notes[:-1], note, *table.notes[-1:]),
    )
