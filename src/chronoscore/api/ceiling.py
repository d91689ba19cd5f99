"""Each score as a share of what could be reached."""

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from chronoscore.api.results import path_of
from chronoscore.core import Collection, Output, Row
from chronoscore.errors import DataError, UsageError
from chronoscore.formats.corpora import collections
from chronoscore.measures import Measure
from chronoscore.reports.tables import Cell, Table
from chronoscore.scoring import Scores

if TYPE_CHECKING:
    from chronoscore.oracles.shares import Ceiling


def find_ceilings(
    topics: Collection,
    measures: Sequence[Measure],
    references: Sequence[Path],
    documents: str | PathLike[str] | None,
    executor: Executor | None,
) -> "tuple[Ceiling, ...]":
    """The ceilings of all measures that have one."""
    # Oracles load solvers; only ceilings pay for them.
    from chronoscore.oracles.shares import find_ceilings, has_ceiling

    able = [measure for measure in measures if has_ceiling(measure)]
    if not able:
        raise UsageError(
            "--ceiling: none of the measures has one; write a limit, as in "
            "rouge(n=1,limit=100w), or a timeline measure, as align"
        )
    found = load_documents(documents, references, able[0].needs)
    return tuple(one for measure in able for one in find_ceilings(topics, measure, found, executor))


def load_documents(
    given: str | PathLike[str] | None, references: Sequence[Path], needs: type[Output]
) -> Collection | None:
    """The documents that were named, or those that lie beside the references."""
    if given is not None:
        return collections.load(path_of(given), needs)
    for path in references:
        try:
            return collections.load(path, needs)
        except DataError:
            continue
    return None


def share_rows(ceilings: "Sequence[Ceiling]", scores: Scores) -> Iterator[Row]:
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


def mean_rows(ceilings: "Sequence[Ceiling]", scores: Scores) -> Iterator[Row]:
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


def add_shares(table: Table, ceilings: "Sequence[Ceiling]", scores: Scores) -> Table:
    """The table with a column for the share of each ceiling."""
    if not ceilings:
        return table
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
