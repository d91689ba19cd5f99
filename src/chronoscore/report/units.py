"""Which content units were told and which were missed, as flat records."""

from collections.abc import Iterator, Sequence

from chronoscore.core import Collection, Ranking, Row, Run
from chronoscore.errors import UsageError
from chronoscore.measures import Measure
from chronoscore.measures.units.pyramid import PyramidMeasure, breakdown


def unit_rows(
    collection: Collection, runs: Sequence[Run], measures: Sequence[Measure]
) -> Iterator[Row]:
    """Each unit of each topic, heaviest first, with what each system told of it."""
    found = [measure for measure in measures if isinstance(measure, PyramidMeasure)]
    if not found:
        raise UsageError("--breakdown is about content units; add -m pyramid")
    for run in runs:
        for topic in collection:
            output = run.outputs.get(topic.id, Ranking.empty())
            if not isinstance(output, Ranking) or topic.pyramid is None:
                continue
            for unit in breakdown(topic.pyramid, output, cutoff=found[0].cutoff):
                yield {
                    "system": run.system,
                    "topic": topic.id,
                    "unit": unit.unit,
                    "text": unit.text,
                    "weight": float(unit.weight),
                    "score": unit.score,
                    "missed": unit.missed,
                }
