"""The three ceilings of a topic, always together: people, extractive, any text at all."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from chronoscore.core import Topic
from chronoscore.measures import Measure
from chronoscore.options.oracles import Method, Pool
from chronoscore.oracles.anytext import any_text_ceiling
from chronoscore.oracles.people import human_ceiling
from chronoscore.oracles.summaries import Task, check_oracle_task, find_oracle, oracle_task
from chronoscore.text.preparation import Limit


@dataclass(frozen=True)
class Ceilings:
    """What people reach, what sentences of the documents could, and what any text could.

    Values are attained by a text at hand, bounds cannot be exceeded. Without documents the
    extractive ones are nan, and with one reference the human one.
    """

    topic: str
    measure: str
    human: float
    extractive: float
    extractive_bound: float
    any_text: float
    any_text_bound: float


def ceilings(
    topic: Topic,
    measure: Measure,
    *,
    budget: Limit | None = None,
    method: Method = "exact",
    pool: Pool = "micro",
    seconds: float | None = None,
    whole_references: bool = False,
) -> Ceilings:
    """All three ceilings of a topic.

    A text of sentences is a text, and so is a person's, so the any-text ceiling is never below
    what either of them reaches.
    """
    task = oracle_task(topic, measure, budget, pool, whole_references=whole_references)
    if topic.documents:
        check_oracle_task(task, chop=method.endswith("-chop"))
    found = find_ceilings(task, method=method, seconds=seconds)
    return replace(found, measure=str(measure.whole))


def find_ceilings(task: Task, *, method: Method, seconds: float | None) -> Ceilings:
    """The ceilings of a topic by a measure within a budget."""
    value = bound = math.nan
    if task.topic.documents:
        best = find_oracle(task, method, seconds)
        value, bound = best.value, best.bound
    free = any_text_ceiling(task)
    # Sentences of documents make a text, and so do people.
    written = [task.recall(reference.sentences) for reference in task.references]
    reached = max([free.value, *written, *([] if math.isnan(value) else [value])])
    return Ceilings(
        task.topic.id,
        str(task.measure),
        human_ceiling(task),
        value,
        bound,
        reached,
        max(free.bound, reached),
    )


def mean_bounds(found: Sequence[Ceilings]) -> dict[str, float]:
    """What people reach and what extracts and any text cannot exceed, each as its mean."""
    kinds = {
        "people": [one.human for one in found],
        "extractive": [one.extractive_bound for one in found],
        "any text": [one.any_text_bound for one in found],
    }
    return {kind: sum(bounds) / len(bounds) for kind, bounds in kinds.items()}
