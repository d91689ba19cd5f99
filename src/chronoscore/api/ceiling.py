"""Each score as a share of what could be reached."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from chronoscore.core import Row
from chronoscore.data.stages import Data
from chronoscore.errors import UsageError, check_choice
from chronoscore.options import CEILING_LENGTHS, CeilingLength
from chronoscore.reports.tables import Cell, Table, format_number
from chronoscore.scoring import Scores
from chronoscore.stats.corpus import Average
from chronoscore.workers import Workers

if TYPE_CHECKING:
    from chronoscore.oracles.shares import Ceiling


def find_ceilings(data: Data, length: CeilingLength, workers: Workers) -> "tuple[Ceiling, ...]":
    """The ceilings of all measures that have one."""
    # Oracles load solvers; only ceilings pay for them.
    from chronoscore.oracles.shares import find_measure_ceilings, has_ceiling

    if any(run.name for run in data.runs):
        raise UsageError(
            "`ceiling` is for one run of each system; score the runs each as a system, as mine/*"
        )
    able = [measure for measure in data.measures if has_ceiling(measure)]
    if not able:
        raise UsageError(
            "`ceiling`: none of the measures has one; use rouge(n=1) or another n, with recall "
            "(.r) if one part is named, or a timeline measure, as align"
        )
    documents = data.documents.load(able[0].needs)
    with workers.executor() as executor:
        return tuple(
            one
            for measure in able
            for one in find_measure_ceilings(
                data.collection, data.runs, measure, documents, length=length, executor=executor
            )
        )


def ceiling_length(ceiling: bool | str | None) -> CeilingLength | None:
    """How long the best text may be, if ceilings are asked for; True means as the references."""
    if ceiling is None or isinstance(ceiling, bool):
        return "reference" if ceiling else None
    check_choice(ceiling, CEILING_LENGTHS, "length of the ceiling")
    return "own" if ceiling == "own" else "reference"


def ceiling_share_records(ceilings: "Sequence[Ceiling]", scores: Scores) -> Iterator[Row]:
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


def ceiling_mean_records(
    ceilings: "Sequence[Ceiling]", scores: Scores, averages: Sequence[Average]
) -> Iterator[Row]:
    """A flat record for each system and ceiling, over all topics."""
    for one in ceilings:
        for system, (share, _) in mean_shares(one, scores, averages).items():
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


def _averages_of(ceiling: "Ceiling", averages: Sequence[Average]) -> dict[str, float]:
    """By system: the average of the part that the ceiling is for."""
    wanted = (ceiling.measure, ceiling.part)
    return {one.system: one.value for one in averages if (one.measure, one.part) == wanted}


def mean_shares(
    ceiling: "Ceiling", scores: Scores, averages: Sequence[Average]
) -> dict[str, tuple[float, float]]:
    """By system: its average as a share of the mean ceiling, and that ceiling."""
    values = _averages_of(ceiling, averages)
    means = dict(zip(scores.systems, ceiling.means(scores).tolist(), strict=True))
    return {
        system: (value / means[system] if means[system] else math.nan, means[system])
        for system, value in values.items()
    }


def add_ceilings_to_result(
    table: Table, ceilings: "Sequence[Ceiling]", scores: Scores, averages: Sequence[Average]
) -> Table:
    """The table with a column for the share of each ceiling, and the ceiling."""
    if not ceilings:
        return table
    shares = [mean_shares(one, scores, averages) for one in ceilings]
    heads = [f"{one.measure.title}.{one.part}, share of {one.kind}" for one in ceilings]
    lines = [
        (*line, *(_share_cell(*share[system]) for share in shares))
        for system, line in zip(scores.systems, table.rows, strict=True)
    ]
    note = f"share of: the score over the mean ceiling of texts {_describe_length(ceilings)}"
    return replace(
        table,
        columns=(*table.columns, *heads),
        rows=tuple(lines),
        notes=(*table.notes[:-1], note, *table.notes[-1:]),
    )


def _share_cell(share: float, ceiling: float) -> Cell:
    """A share with what it is a share of."""
    return Cell("–" if math.isnan(share) else f"{share:.1%} of {format_number(ceiling)}")


def _describe_length(ceilings: "Sequence[Ceiling]") -> str:
    """How long the texts of the ceilings may be."""
    if ceilings[0].length == "own":
        return "as long as the system's own"
    if any(getattr(one.measure, "limit", None) for one in ceilings):
        return "within the measure's limit"
    return "as long as the longest reference"


def plot_shares(
    ceilings: "Sequence[Ceiling]", scores: Scores, averages: Sequence[Average], path: Path
) -> None:
    """Draw systems into the ceilings of the first measure.

    A line for each topic with all systems; where each system has ceilings of its own, a line
    for each system with its average.
    """
    from chronoscore.reports import plots
    from chronoscore.reports.plots.ceilings import CeilingLine, of_systems

    first = ceilings[0]
    kinds = [one for one in ceilings if one.measure == first.measure]
    if first.length == "own":
        shares = [mean_shares(one, scores, averages) for one in kinds]
        reached = _averages_of(first, averages)
        lines = [
            CeilingLine(
                system,
                {k.kind: share[system][1] for k, share in zip(kinds, shares, strict=True)},
                {"the system": reached[system]},
            )
            for system in scores.systems
        ]
    else:
        values = first.values(scores)
        lines = [
            CeilingLine(
                topic,
                {one.kind: float(one.bounds[0, t]) for one in kinds},
                {system: float(values[s, t]) for s, system in enumerate(scores.systems)},
            )
            for t, topic in enumerate(scores.topics)
        ]
    plots.save(of_systems(lines, first.measure.heading(first.part)), path)
