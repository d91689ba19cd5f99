"""Why oracles are limited: what several references ask for, and instances that are hard."""

from collections.abc import Sequence
from pathlib import Path

from chronoscore.api.results import TableResult
from chronoscore.api.sources import Sources, as_oracle_collection
from chronoscore.core import Collection, Summary
from chronoscore.formats.corpora import collections
from chronoscore.options.oracles import Method, SummarySearch
from chronoscore.oracles import people
from chronoscore.oracles.hard import SolvedInstance, most_dominated
from chronoscore.oracles.hard import hard_instance as make_hard
from chronoscore.oracles.people import Frequencies
from chronoscore.oracles.summaries import oracle
from chronoscore.reports.oracles import FREQUENCIES, HARD
from chronoscore.text.preparation import Limit, Preparation


def reference_frequencies(
    collection: Sources,
    *,
    budget: str | None = None,
    stem: bool = True,
    stop: bool = False,
) -> TableResult[Sequence[Frequencies]]:
    """Count what several references ask for, and how much of it only some reward."""
    limit = None if budget is None else Limit.parse(budget)
    preparation = Preparation(stem=stem, stop=stop, limit=limit)
    topics = as_oracle_collection(collection, Summary)
    found = [people.count_reference_words(one.id, one.summaries, preparation) for one in topics]
    return TableResult(found, FREQUENCIES)


class HardResult(TableResult[SolvedInstance]):
    """A hard instance and its solution."""

    def write(self, path: str | Path) -> None:
        """Write the instance as a collection that `oracle` reads."""
        topic = self.data.instance.topic
        collections.save(Collection({topic.id: topic}), Path(path))


def hard_instance(
    vertices: int = 60,
    *,
    n: int = 1,
    dominators: int | None = None,
    seed: int = 1,
    method: Method = "exact",
    time_limit: float | None = None,
) -> HardResult:
    """Make a hard instance from a random cubic graph, and solve it."""
    seconds = SummarySearch(time_limit=time_limit).time_limit
    instance = make_hard(vertices, n=n, dominators=dominators, seed=seed)
    solution = oracle(
        instance.topic,
        instance.measure,
        budget=instance.budget,
        method=method,
        seconds=seconds,
        whole_references=True,
    )
    most = most_dominated(instance.graph, instance.dominators)
    return HardResult(SolvedInstance(instance, solution, most), HARD)
