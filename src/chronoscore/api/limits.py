"""Why oracles are limited: what several references ask for, and instances that are hard."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from chronoscore.api.oracle import SummarySearch, parse_budget
from chronoscore.api.results import Result, Section
from chronoscore.api.sources import Sources, as_oracle_collection
from chronoscore.core import Collection, Row, Summary, Topic
from chronoscore.errors import UsageError, did_you_mean
from chronoscore.formats.corpora import collections
from chronoscore.oracles import people
from chronoscore.oracles.hard import hard_instance as make_hard
from chronoscore.oracles.hard import most_dominated
from chronoscore.oracles.people import Frequencies
from chronoscore.oracles.summaries import Method, Oracle
from chronoscore.reports import oracles as report
from chronoscore.text.preparation import Limit, Preparation


@dataclass(frozen=True)
class FrequencyResult(Result):
    """What several references ask for, topic by topic."""

    frequencies: tuple[Frequencies, ...]

    def rows(self) -> Sequence[Row]:
        """A record for each topic."""
        return [report.frequency_row(one) for one in self.frequencies]

    def sections(self) -> Sequence[Section]:
        """All topics in one table."""
        return [
            (
                "",
                report.oracle_row_table(
                    self.rows(), "Words and matches that several references offer"
                ),
            )
        ]

    def plot(self, path: str | Path, topic: str | None = None) -> None:
        """Draw the frequencies of one topic, the first if none is named."""
        from chronoscore.reports.plots import plot_frequencies

        by_topic = {one.topic: one for one in self.frequencies}
        name = topic or next(iter(by_topic))
        if name not in by_topic:
            raise UsageError(f"no topic '{name}'; {did_you_mean(name, by_topic)}")
        plot_frequencies(by_topic[name], Path(path))


def reference_frequencies(
    collection: Sources,
    *,
    budget: str | Limit | None = None,
    stem: bool = True,
    stop: bool = False,
) -> FrequencyResult:
    """Count what several references ask for, and how much of it only some reward."""
    preparation = Preparation(stem=stem, stop=stop, limit=parse_budget(budget))
    topics = as_oracle_collection(collection, Summary)
    return FrequencyResult(
        tuple(
            people.count_reference_words(topic.id, topic.summaries, preparation) for topic in topics
        )
    )


@dataclass(frozen=True, kw_only=True)
class HardResult(Result):
    """A hard instance, its solution, and the number of dominated vertices found from the graph."""

    vertices: int
    n: int
    dominators: int
    budget: Limit
    topic: Topic
    oracle: Oracle
    dominating: int

    @property
    def dominated(self) -> int:
        """How many vertices the chosen sentences dominate."""
        return round(self.oracle.value * self.vertices)

    @property
    def contradicted(self) -> bool:
        """Whether an exact oracle proved another number than the graph has."""
        proved = self.oracle.method.startswith("exact") and self.oracle.gap == 0
        return proved and self.dominated != self.dominating

    def rows(self) -> Sequence[Row]:
        """The one record."""
        return [
            {
                **report.oracle_row(self.oracle),
                "vertices": self.vertices,
                "n": self.n,
                "dominators": self.dominators,
                "budget": str(self.budget),
                "dominated": self.dominated,
                "dominating": self.dominating,
            }
        ]

    def sections(self) -> Sequence[Section]:
        """The one record as a table."""
        return [("", report.oracle_row_table(self.rows(), "A hard instance"))]

    def write(self, path: str | Path) -> None:
        """Write the instance as a collection that `oracle` reads."""
        collections.save(Collection({self.topic.id: self.topic}), Path(path))


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
    instance = make_hard(vertices, n=n, dominators=dominators, seed=seed)
    search = SummarySearch(budget=instance.budget, time_limit=time_limit, whole_references=True)
    return HardResult(
        vertices=vertices,
        n=n,
        dominators=instance.dominators,
        budget=instance.budget,
        topic=instance.topic,
        oracle=search.choose(instance.topic, instance.measure, method),
        dominating=most_dominated(instance.graph, instance.dominators),
    )
