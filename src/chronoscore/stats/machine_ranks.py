"""Do systems rank alike under a machine's and under people's judgements?"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from chronoscore.core import Collection, Output, Ranking, Run, Selection, Topic
from chronoscore.data.choice import as_measures
from chronoscore.data.judges import machine_topics, people_topics
from chronoscore.data.machines import (
    Gathered,
    MachineSources,
    NuggetLabel,
    gather_machines,
    topics_by_machine,
)
from chronoscore.data.runs import as_runs, as_single_runs
from chronoscore.data.sides import JudgedSide
from chronoscore.data.values import are_paths, as_paths, is_missing
from chronoscore.errors import DataError, UsageError, warn
from chronoscore.formats.corpora import judged_topics
from chronoscore.measures import Measure
from chronoscore.options import Resampling
from chronoscore.options.correlation import Bootstrap
from chronoscore.scoring import Scores
from chronoscore.scoring import score as score_runs
from chronoscore.stats.correlate import Correlated, correlate_with_ratings
from chronoscore.stats.score_grid import FEWEST, ScoreGrid

LABEL_SCORES = (0.0, 0.5, 1.0)
"""What none, partial and support are worth, as in files of nuggets."""


def rank_systems(
    people: Gathered, machine: MachineSources, systems: Any, measures: Any, how: Resampling
) -> dict[str, tuple[Correlated, ...]]:
    """Correlate systems' scores under each machine with those under people."""
    theirs = gather_machines(machine)
    chosen = as_measures(measures)
    found: dict[str, tuple[Correlated, ...]] = {}
    if not is_missing(systems):
        for name, (own, other) in _link_sides(people, theirs, machine, systems).items():
            found[name] = _correlate_sides(own, other, chosen or as_measures("nu"), how)
    elif chosen and not people.nuggets:
        raise UsageError("measures rank systems; name the systems too")
    labels = [*people.nuggets, *theirs.nuggets]
    named = sorted({one.author for one in labels if one.machine})
    known = people.nugget_topics | theirs.nugget_topics
    for name in named:
        own = _nugget_side([one for one in labels if not one.machine], known)
        other = _nugget_side([one for one in labels if one.machine and one.author == name], known)
        found[name] = _correlate_sides(own, other, as_measures("nuggets.all_lenient"), how)
    return {name: ranks for name, ranks in found.items() if ranks}


def _link_sides(
    people: Gathered, theirs: Gathered, machine: MachineSources, systems: Any
) -> dict[str, tuple[JudgedSide, JudgedSide]]:
    """The people's and each machine's topics, with the same systems."""
    given = [topic for _, topic in people.topics if topic.judgements is not None]
    own = people_topics(given, machine.names)
    others = {name: machine_topics(given, name) for name in sorted(machine.names)}
    for name, judged in topics_by_machine(theirs).items():
        others[name] = {topic: side for topic, (_, side) in judged.items()}
    runs = _load_systems(systems, own)
    ours = JudgedSide(Collection(own), runs)
    return {name: (ours, JudgedSide(Collection(topics), runs)) for name, topics in others.items()}


def _load_systems(systems: Any, topics: Mapping[str, Topic]) -> list[Run]:
    """Rankings from paths or Python."""
    if are_paths(systems):
        paths = as_paths(systems, "system")
        for path in paths:
            if not path.exists():
                raise DataError("no such file or directory; check the path", place=path)
        return [run for path in paths for run in judged_topics.load_judged_runs(path, [*topics])]
    return as_single_runs(as_runs(systems, Collection(topics), Ranking))


def _nugget_side(labels: Iterable[NuggetLabel], topics: Mapping[str, Topic]) -> JudgedSide:
    """Labels as outputs that can be scored."""
    chosen: dict[str, dict[str, list[Selection]]] = {}
    for one in labels:
        score = np.nan if one.label is None else LABEL_SCORES[one.label]
        own = chosen.setdefault(one.system, {}).setdefault(one.topic, [])
        own.append(Selection("", score, event=one.nugget))
    runs = [
        Run(system, {name: Ranking(tuple(own)) for name, own in outputs.items()})
        for system, outputs in chosen.items()
    ]
    judged = {name for run in runs for name in run.outputs}
    known = {name: topic for name, topic in topics.items() if name in judged}
    return JudgedSide(Collection(known), runs)


def _correlate_sides(
    people: JudgedSide, machine: JudgedSide, measures: Sequence[Measure], how: Resampling
) -> tuple[Correlated, ...]:
    """Score the same systems twice, on the topics that both sides judged, and correlate."""
    topics = [name for name in people.collection.topics if name in machine.collection.topics]
    names = {run.system for run in machine.runs}
    systems = [run.system for run in people.runs if run.system in names]
    if len(systems) < FEWEST or not topics:
        warn(
            f"{len(systems)} systems on {len(topics)} topics under the machine and under people: "
            f"a correlation needs at least {FEWEST} systems",
            kind="too-few-systems",
        )
        return ()
    scored = [_score_side(side, topics, systems, measures) for side in (people, machine)]
    grids = []
    for measure in measures:
        for part in measure.compared_parts:
            place = measure.parts.index(part)
            y, f = (scores.values(measure)[:, :, place] for scores in scored)
            name = (measure.title, part)
            grids.append(
                ScoreGrid(
                    tuple(systems),
                    tuple(topics),
                    np.zeros(len(systems), dtype=np.bool_),
                    {name: f},
                    {"people": y},
                )
            )
    bootstrap = Bootstrap(times=how.draws, level=how.level, seed=how.seed)
    return tuple(
        one
        for grid in grids
        for one in correlate_with_ratings(grid, levels=("system",), how=bootstrap)
    )


def _score_side(
    side: JudgedSide, topics: Sequence[str], systems: Sequence[str], measures: Sequence[Measure]
) -> Scores:
    """Scores of some systems on some topics."""
    outputs: dict[str, Mapping[str, Output]] = {run.system: run.outputs for run in side.runs}
    runs = [
        Run(system, {name: outputs[system][name] for name in topics if name in outputs[system]})
        for system in systems
    ]
    collection = Collection({name: side.collection.topics[name] for name in topics})
    return score_runs(collection, runs, measures)
