"""Score runs against a collection: collection × runs × measures → Scores.

Work is cut into shards by measure family and system; a shard returns tallies, which are
small, so the result is the same whatever executor runs the shards.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from chronoscore.core import Collection, Output, Ranking, Run, Summary, Timeline
from chronoscore.data.coverage import check_topics, group_runs, topics_of_systems
from chronoscore.data.stages import NO_NOTES, Data, Notes
from chronoscore.errors import DataError, UsageError
from chronoscore.kernel import warn_of_slow_counting
from chronoscore.measures.measure import Array, Measure, Pair, group_families, tally_family
from chronoscore.progress import announce
from chronoscore.scoring.scores import Progress, Scores
from chronoscore.scoring.signature import sign
from chronoscore.workers import Workers

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

SHARD = 20_000
"""Pairs in a shard: enough to fill a batch, few enough to bound memory and show progress."""
SHARDS_PER_WORKER = 4
"""Stretches of work for each worker: a few, so that none waits long for the last."""


def evaluate(
    data: Data, workers: Workers | None = None, progress: Progress | None = None
) -> Scores:
    """Score data that were read and prepared, wherever the workers are."""
    announce("scoring")
    with (workers or Workers()).executor() as executor:
        return score(
            data.collection,
            data.runs,
            data.measures,
            executor=executor,
            progress=progress,
            notes=data.notes,
        )


def score(
    collection: Collection,
    runs: Sequence[Run],
    measures: Sequence[Measure],
    *,
    executor: "Executor | None" = None,
    progress: Progress | None = None,
    notes: Notes = NO_NOTES,
) -> Scores:
    """Score every run on every topic by every measure.

    A topic that a run leaves out is scored as empty, with one warning for the run, or left
    out of its means where all measures say so; a topic that the collection does not have is
    an error.
    """
    if not measures:
        raise UsageError("no measure was given; name at least one, as in 'rouge(n=1)'")
    if not len(collection):
        raise DataError("the collection has no topic; give at least one reference")
    if len({measure.needs for measure in measures}) > 1:
        raise UsageError("the measures need different kinds of output; score them in two calls")
    check_topics(runs, collection, skipped=all(measure.skips_missing for measure in measures))
    if any(measure.pooled for measure in measures):
        # Only streams are pooled; the rest does without the classes of judged topics.
        from chronoscore.measures.streams.nuggets import add_first_times

        collection = add_first_times(collection, runs)
    places, pairs = pair_topics_with_runs(collection, runs, measures[0].needs)
    warn_of_slow_counting(map(_count_texts, pairs))
    wanted = list(dict.fromkeys(measures))
    rows = {m: np.full((len(runs) * len(collection), m.width), np.nan) for m in wanted}
    shards = list(make_scoring_shards(wanted, pairs, executor_capacity(executor)))
    for done, (family, start, tallies) in enumerate(_count_shards(shards, pairs, executor), 1):
        for measure, counts in zip(family, tallies, strict=True):
            rows[measure][places[start : start + len(counts)]] = counts
        if progress:
            progress(done, len(shards))
    systems = group_runs(runs)
    found: dict[Measure, Array] = {
        m: counts.reshape(len(runs), len(collection), -1) for m, counts in rows.items()
    }
    names: dict[str, tuple[str, ...]] = {}
    if len(systems) < len(runs):
        found = {m: _nest_runs(counts, systems) for m, counts in found.items()}
        names = {runs[own[0]].system: tuple(runs[one].name for one in own) for own in systems}
    return Scores(
        systems=tuple(runs[own[0]].system for own in systems),
        topics=tuple(collection.topics),
        tallies=found,
        signature=sign(collection, wanted, runs, notes),
        runs=names,
    )


def _nest_runs(tallies: Array, places: Sequence[Sequence[int]]) -> Array:
    """Tallies of runs put under their systems: systems × topics × runs × columns."""
    most = max(map(len, places))
    found = np.full((len(places), tallies.shape[1], most, tallies.shape[2]), np.nan)
    for system, own in enumerate(places):
        found[system, :, : len(own)] = np.moveaxis(tallies[own], 0, 1)
    return found


Shard: TypeAlias = tuple[list[Measure], int, int]


def make_scoring_shards(
    measures: Sequence[Measure], pairs: Sequence[Pair], workers: int = 1
) -> Iterator[Shard]:
    """Cut the work into families of measures times stretches of pairs.

    For several workers a stretch is about as much work as any other, by an estimate, and there are
    a few for each worker; a stretch never has more than `SHARD` pairs.
    """
    starts = {*range(0, len(pairs), SHARD)}
    if workers > 1:
        costs = np.cumsum([_estimate_cost(pair) for pair in pairs])
        goals = np.arange(1, SHARDS_PER_WORKER * workers) * (
            costs[-1] / (SHARDS_PER_WORKER * workers)
        )
        starts |= set(np.searchsorted(costs, goals).tolist())
    bounds = [*sorted(starts), len(pairs)]
    for family in group_families(measures):
        yield from ((family, start, end) for start, end in pairwise(bounds) if start < end)


def _estimate_cost(pair: Pair) -> float:
    """About how much work a pair is, in characters to read.

    Common subsequences cost the product of two lengths, and an assignment the third power of the
    number of dates.
    """
    topic, output = pair
    if isinstance(output, Ranking):
        return 100.0 * (1 + len(output))
    ours = sum(map(len, output.sentences))
    references = topic.timelines if isinstance(output, Timeline) else topic.summaries
    theirs = [sum(map(len, reference.sentences)) for reference in references]
    dates = [max(len(output), len(one)) for one in topic.timelines if isinstance(output, Timeline)]
    return 1.0 + ours + sum(theirs) + ours * sum(theirs) / 500 + sum(n**3 for n in dates)


def _count_texts(pair: Pair) -> int:
    """How many texts of references the texts of an output are compared with."""
    topic, output = pair
    if isinstance(output, Timeline):
        return len(output) * len(topic.timelines)
    return len(topic.summaries) if isinstance(output, Summary) else 0


def executor_capacity(executor: "Executor | None") -> int:
    """How many tasks an executor works on at a time."""
    client = getattr(executor, "_client", None)
    if client is not None:
        return max(1, sum(map(int, client.nthreads().values())))
    return int(getattr(executor, "_max_workers", 1))


def _count_shards(
    shards: Sequence[Shard], pairs: Sequence[Pair], executor: "Executor | None"
) -> Iterator[tuple[list[Measure], int, list[Array]]]:
    """Run the shards, here or wherever the executor runs them, and give them in order."""
    if executor is None:
        for family, start, stop in shards:
            yield family, start, tally_family(family, pairs[start:stop])
        return
    futures: list[Future[list[Array]]] = [
        executor.submit(tally_family, family, pairs[start:stop]) for family, start, stop in shards
    ]
    for (family, start, _), future in zip(shards, futures, strict=True):
        yield family, start, future.result()


def pair_topics_with_runs(
    collection: Collection, runs: Sequence[Run], needs: type[Output]
) -> tuple[list[int], list[Pair]]:
    """Each topic with each run's output for it, or an empty one, and where its tally goes.

    Topics that only another run of the same system has an output for are left out of this one.
    """
    places: list[int] = []
    pairs: list[Pair] = []
    written_in = topics_of_systems(runs)
    for r, run in enumerate(runs):
        blank = needs.empty()
        written = next(iter(run.outputs.values()), None)
        if isinstance(blank, Summary) and isinstance(written, Summary):
            blank = replace(blank, set=written.set)
        for t, topic in enumerate(collection):
            elsewhere = run.name and topic.id in written_in[run.system]
            if topic.id in run.outputs or not (
                run.human or run.skips or elsewhere or topic.id in run.unreadable
            ):
                output = run.outputs.get(topic.id, blank)
                places.append(r * len(collection) + t)
                pairs.append((topic.without(output) if run.human else topic, output))
    return places, pairs
