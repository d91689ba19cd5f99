"""What systems miss: dates of the references, judged events, content units."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from chronoscore.core import Ranking, Run, Timeline, Topic
from chronoscore.explanations.dates import reference_dates
from chronoscore.measures import Measure
from chronoscore.measures.streams.events import MentionMeasure
from chronoscore.measures.streams.mentions import Numbered
from chronoscore.measures.units.pyramid import PyramidMeasure, breakdown_by_unit, pyramid_of


class Missed(NamedTuple):
    """Something that systems miss: a date of the references, an event or a content unit."""

    systems: int
    """How many systems miss it."""
    weight: float
    topic: str
    name: str
    text: str


def by_most_systems(
    topics: Iterable[Topic], runs: Sequence[Run], measures: Iterable[Measure]
) -> list[Missed]:
    """What systems miss; first what most of them miss, and of that what weighs most."""
    systems = [run for run in runs if not run.human]
    judged = next((m for m in measures if isinstance(m, MentionMeasure | PyramidMeasure)), None)
    found: list[Missed] = []
    for topic in topics:
        found += _dates(topic, systems)
        if judged is not None:
            found += _events(topic, systems, judged)
    return sorted(found, key=lambda one: (-one.systems, -one.weight, one.topic, one.name))


def _dates(topic: Topic, runs: Sequence[Run]) -> Iterator[Missed]:
    """The references' dates that systems miss; a date of more references weighs more."""
    outputs = [run.outputs.get(topic.id) for run in runs]
    given = Counter(
        when for output in outputs if isinstance(output, Timeline) for when in set(output.dates)
    )
    entries = {entry.when: entry for one in reversed(topic.timelines) for entry in one}
    wanted = Counter(entry.when for one in topic.timelines for entry in one)
    for when, entry in entries.items():
        if missing := len(outputs) - given[when]:
            yield Missed(missing, wanted[when], topic.id, str(when), " ".join(entry.sentences))


def _events(
    topic: Topic, runs: Sequence[Run], measure: MentionMeasure | PyramidMeasure
) -> Iterator[Missed]:
    """The judged events or content units that systems miss."""
    missing: Counter[tuple[str, str, float]] = Counter()
    for run in runs:
        output = run.outputs.get(topic.id, Ranking.empty())
        if isinstance(output, Ranking):
            missing.update(_missed_by(measure, topic, output))
    for (name, text, weight), systems in missing.items():
        yield Missed(systems, weight, topic.id, name, text)


def _missed_by(
    measure: MentionMeasure | PyramidMeasure, topic: Topic, output: Ranking
) -> list[tuple[str, str, float]]:
    """Name, text and weight of what one ranking misses."""
    if isinstance(measure, PyramidMeasure):
        units = breakdown_by_unit(pyramid_of(topic), output, cutoff=measure.cutoff)
        return [(unit.unit, unit.text, float(unit.weight)) for unit in units if not unit.score]
    numbered = Numbered.of(topic)
    mentions = measure.mentions(numbered, output)
    events = zip(
        numbered.judged.events, mentions.weights, mentions.found(measure.cutoff), strict=True
    )
    return [(event.id, event.text, float(weight)) for event, weight, hit in events if not hit]


def count_shared_dates(run: Run, topics: Iterable[Topic]) -> tuple[int, int]:
    """How many of a system's dates the references have, and how many dates it has."""
    total = shared = 0
    for topic in topics:
        output = run.outputs.get(topic.id)
        if isinstance(output, Timeline):
            wanted = reference_dates(topic)
            total += len(output.dates)
            shared += sum(any(when.overlaps(one) for one in wanted) for when in output.dates)
    return shared, total
