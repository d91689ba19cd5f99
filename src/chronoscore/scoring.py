"""Score runs against a collection: collection × runs × measures → Scores.

Work is cut into shards by measure family and system; a shard returns tallies, which are
small, so the result is the same whatever executor runs the shards.
"""

import hashlib
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from chronoscore.core import Collection, Output, Ranking, Row, Run, Summary, Timeline
from chronoscore.errors import ChronoscoreWarning, DataError, UsageError
from chronoscore.kernel import engine_name
from chronoscore.measures.averaging import average_over_topics
from chronoscore.measures.languages import count_languages
from chronoscore.measures.measure import (
    Array,
    Averaging,
    Measure,
    Pair,
    group_families,
    tally_family,
)
from chronoscore.measures.streams.nuggets import add_first_times

Progress: TypeAlias = Callable[[int, int], None]
"""Told how many shards are done, of how many."""

SHARD = 20_000
"""Pairs in a shard: enough to fill a batch, few enough to bound memory and show progress."""
SHARDS_PER_WORKER = 4
"""Stretches of work for each worker: a few, so that none waits long for the last."""


@dataclass(frozen=True)
class Scores:
    """Tallies of every measure, system and topic, with all that is computed from them."""

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    tallies: Mapping[Measure, Array]
    """By measure: systems × topics × columns."""
    signature: str

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, in the order in which they were asked for."""
        return tuple(self.tallies)

    def values(self, measure: Measure) -> Array:
        """Parts by system and topic: systems × topics × parts."""
        return measure.values(self.tallies[measure])

    def average(self, measure: Measure, rule: Averaging | None = None) -> Array:
        """Corpus figures: systems × parts."""
        return average_over_topics(measure, self.tallies[measure], rule)

    def rows(self) -> Iterator[Row]:
        """Flat records, one for each system, topic, measure and part."""
        for measure in self.measures:
            values = self.values(measure)
            places = [measure.parts.index(part) for part in measure.shown]
            label = measure.title
            for s, system in enumerate(self.systems):
                for t, topic in enumerate(self.topics):
                    for place in places:
                        yield {
                            "system": system,
                            "topic": topic,
                            "measure": label,
                            "part": measure.parts[place],
                            "value": float(values[s, t, place]),
                        }


def score(
    collection: Collection,
    runs: Sequence[Run],
    measures: Sequence[Measure],
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Scores:
    """Score every run on every topic by every measure.

    A topic that a run leaves out is scored as empty, with one warning for the run, or left
    out of its means where all measures say so; a topic that the collection does not have is
    an error.
    """
    if not measures:
        raise UsageError("no measure was given; name at least one, as in -m 'rouge(n=1)'")
    if not len(collection):
        raise DataError("the collection has no topic; give at least one reference")
    if len({measure.needs for measure in measures}) > 1:
        raise UsageError("the measures need different kinds of output; score them in two calls")
    check_topics_of_runs(
        runs, collection, skipped=all(measure.skips_missing for measure in measures)
    )
    if any(measure.pooled for measure in measures):
        collection = add_first_times(collection, runs)
    places, pairs = pair_topics_with_runs(collection, runs, measures[0].needs)
    wanted = list(dict.fromkeys(measures))
    rows = {m: np.full((len(runs) * len(collection), m.width), np.nan) for m in wanted}
    shards = list(make_scoring_shards(wanted, pairs, executor_capacity(executor)))
    for done, (family, start, tallies) in enumerate(_count_shards(shards, pairs, executor), 1):
        for measure, counts in zip(family, tallies, strict=True):
            rows[measure][places[start : start + len(counts)]] = counts
        if progress:
            progress(done, len(shards))
    return Scores(
        systems=tuple(run.system for run in runs),
        topics=tuple(collection.topics),
        tallies={m: counts.reshape(len(runs), len(collection), -1) for m, counts in rows.items()},
        signature=_sign_scores(collection, wanted, runs),
    )


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


def executor_capacity(executor: Executor | None) -> int:
    """How many tasks an executor works on at a time."""
    client = getattr(executor, "_client", None)
    if client is not None:
        return max(1, sum(map(int, client.nthreads().values())))
    return int(getattr(executor, "_max_workers", 1))


def _count_shards(
    shards: Sequence[Shard], pairs: Sequence[Pair], executor: Executor | None
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


def check_topics_of_runs(
    runs: Sequence[Run], collection: Collection, *, skipped: bool = False
) -> None:
    """Refuse unknown topics; warn once of missing ones, which are scored as empty or skipped."""
    becomes = "left out of its means" if skipped else "scored as empty"
    lacking: list[tuple[str, list[str]]] = []
    for run in runs:
        unknown = [topic for topic in run.outputs if topic not in collection.topics]
        if unknown:
            more = f" ({len(unknown)} unknown in all)" if len(unknown) > 1 else ""
            raise DataError(
                f"run '{run.system}': no such topic '{unknown[0]}'{more}; "
                "score against the collection it was made for"
                + (", or give its files as systems" if len(collection.topics) == 1 else "")
            )
        known = run.outputs.keys() | run.unreadable.keys()
        missing = [topic for topic in collection.topics if topic not in known]
        if missing and not run.human:
            lacking.append((run.system, missing))
    if lacking:
        system, missing = lacking[0]
        more = f"; {len(lacking)} runs lack topics" if len(lacking) > 1 else ""
        warnings.warn(
            f"run '{system}': no output for {len(missing)} of {len(collection)} topics, "
            f"'{missing[0]}' first; {becomes}{more}",
            ChronoscoreWarning,
            stacklevel=3,
        )


def pair_topics_with_runs(
    collection: Collection, runs: Sequence[Run], needs: type[Output]
) -> tuple[list[int], list[Pair]]:
    """Each topic with each run's output for it, or an empty one, and where its tally goes."""
    places: list[int] = []
    pairs: list[Pair] = []
    for r, run in enumerate(runs):
        blank = needs.empty()
        written = next(iter(run.outputs.values()), None)
        if isinstance(blank, Summary) and isinstance(written, Summary):
            blank = replace(blank, set=written.set)
        for t, topic in enumerate(collection):
            if topic.id in run.outputs or not (run.human or topic.id in run.unreadable):
                output = run.outputs.get(topic.id, blank)
                places.append(r * len(collection) + t)
                pairs.append((topic.without(output) if run.human else topic, output))
    return places, pairs


def _sign_scores(
    collection: Collection, measures: Sequence[Measure], runs: Sequence[Run] = ()
) -> str:
    """How the figures were made: parameters, references, a digest of the references, version."""
    counts = [len(topic.summaries) or len(topic.timelines) for topic in collection]
    pool = _pool_size(collection)
    return make_score_signature(
        measures,
        topics=_part_of_corpus(collection),
        references=(min(counts), max(counts)),
        digest=digest_references(collection),
        languages=count_languages(collection, measures),
        notes=_describe_documents(collection, measures)
        + _describe_unreadable(runs)
        + (f"|pool:{pool}" if pool else ""),
    )


def make_score_signature(
    measures: Sequence[Measure],
    *,
    topics: str,
    references: tuple[int, int],
    digest: str,
    languages: str = "",
    notes: str = "",
) -> str:
    """The same from what is known of the data: topics, fewest and most references, a digest."""
    from chronoscore.version import __version__

    fewest, most = references
    number = "judged" if most == 0 else f"{fewest}-{most}" if fewest < most else str(most)
    return " ".join(
        [
            *_shortened([measure.signature for measure in measures]),
            *filter(None, [languages]),
            f"missing:empty|topics:{topics}|references:{number}{notes}",
            f"data:{digest}|version:{__version__}|engine:{engine_name()}",
        ]
    )


def _describe_documents(collection: Collection, measures: Sequence[Measure]) -> str:
    """How many documents there are, and a digest of them, where a measure reads them."""
    if not any(measure.reads_documents for measure in measures):
        return ""
    summed, count = hashlib.sha256(), 0
    for topic in collection:
        count += len(topic.documents)
        summed.update(repr((topic.id, topic.documents)).encode("utf-8", "replace"))
    return f"|documents:{count} {summed.hexdigest()[:12]}" if count else "|documents:none"


def _pool_size(collection: Collection) -> int:
    """How many systems said when they first chose a sentence; 0 where nobody was asked."""
    judged = [topic.judgements for topic in collection if topic.judgements]
    return max((one.pool for one in judged), default=0)


def _part_of_corpus(collection: Collection) -> str:
    """The number of topics, and of how many where they are a part of a corpus."""
    whole = f"/{collection.part_of}" if collection.part_of else ""
    return f"{len(collection)}{whole}"


def _describe_unreadable(runs: Sequence[Run]) -> str:
    """How many answers could not be read, and what became of them."""
    empty = sum(topic in run.outputs for run in runs for topic in run.unreadable)
    skipped = sum(len(run.unreadable) for run in runs) - empty
    return (f"|unreadable:{empty} empty" if empty else "") + (
        f"|unreadable:{skipped} skipped" if skipped else ""
    )


def _shortened(signatures: Sequence[str]) -> list[str]:
    """Say what all measures share once, after what is each one's own.

    >>> _shortened(["rouge|stem:no|n:1", "rouge|stem:no|n:2"])
    ['rouge|n:1', 'rouge|n:2', 'all|stem:no']
    """
    taken = [signature.split("|") for signature in signatures]
    shared = [item for item in taken[0][1:] if all(item in other[1:] for other in taken)]
    if len(taken) == 1 or not shared:
        return list(signatures)
    own = ["|".join([name, *(i for i in items if i not in shared)]) for name, *items in taken]
    return [*own, "|".join(["all", *shared])]


def digest_references(collection: Collection) -> str:
    """A short hash of the topics and their references."""
    summed = hashlib.sha256()
    for topic in collection:
        known = (topic.id, topic.summaries, topic.timelines)
        summed.update(repr(known).encode("utf-8", "replace"))
        # Sets print in another order in every process; a fingerprint does not.
        for judged in (topic.judgements, topic.pyramid):
            summed.update(judged.fingerprint.encode() if judged else b"")
    return summed.hexdigest()[:12]
