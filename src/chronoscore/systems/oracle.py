"""Oracles in the list of systems: what a system could do that knew the references."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from chronoscore.core import Document, Summary, Timeline, Topic, When
from chronoscore.measures import parse_measure_text
from chronoscore.systems.material import named_days
from chronoscore.systems.summaries import Part, split_source_documents
from chronoscore.systems.system import System, check_system_parameters
from chronoscore.text.preparation import Limit


@dataclass(frozen=True, kw_only=True)
class OracleTimeline(System):
    """The dated sentences that score best against the topic's reference timeline.

    Of several references the one that can be served best is taken. Sentences stand on the
    day of their article or on the day that they name.
    """

    name: ClassVar[str] = "oracle-timeline"
    makes = Timeline
    line: ClassVar[str] = "the best dated sentences, knowing the references"
    oracle: ClassVar[bool] = True
    by: Literal["align+m1", "align+", "align", "agreement"] = "align+m1"
    rouge: int = 1
    dates: int | None = None
    sentences: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_system_parameters(self, rouge=1, dates=1, sentences=1)

    def run(self, topic: Topic, background: Sequence[Document]) -> Timeline:
        """Search by the measure's F."""
        from chronoscore.oracles.timelines import timeline_oracles

        measure = parse_measure_text(f"{self.by}(n={self.rouge}).f")
        known = replace(topic, documents=tuple(map(_add_days, topic.documents)))
        found = timeline_oracles(known, measure, dates=self.dates, sentences=self.sentences)
        best = max(found, key=lambda one: one.value)
        return Timeline(best.timeline.entries, self.name)


@dataclass(frozen=True, kw_only=True)
class OracleSummary(System):
    """The sentences with the highest ROUGE recall against the topic's references."""

    name: ClassVar[str] = "oracle-summary"
    makes = Summary
    line: ClassVar[str] = "the sentences with the best recall, knowing the references"
    oracle: ClassVar[bool] = True
    rouge: int = 2
    words: int = 100
    method: Literal["greedy", "exact"] = "greedy"
    part: Part = "all"
    at: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_system_parameters(self, rouge=1, words=1)

    def run(self, topic: Topic, background: Sequence[Document]) -> Summary:
        """Choose by recall within the words."""
        from chronoscore.oracles.summaries import oracle

        original, update = split_source_documents(topic, self.at)
        whole = {"all": topic.documents, "original": original, "update": update}[self.part]
        measure = parse_measure_text(f"rouge(n={self.rouge}).r")
        budget = Limit(self.words, "words")
        found = oracle(
            replace(topic, documents=whole), measure, budget=budget, method=self.method
        ).summary
        return replace(found, author=self.name)


def _add_days(document: Document) -> Document:
    """The article with the first day that each sentence names."""
    days = named_days(document)
    return replace(
        document,
        sentences=tuple(
            replace(one, when=When(own[0], own[0], "day")) if own else one
            for one, own in zip(document.sentences, days, strict=True)
        ),
    )
