"""Topics and collections on one side, what systems made of them on the other."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from chronoscore.core.judging import Judgements, Pyramid
from chronoscore.core.stream import Ranking
from chronoscore.core.texts import Document, Summary
from chronoscore.core.timeline import Timeline

Output: TypeAlias = Summary | Timeline | Ranking
"""What a system gives for a topic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """What is known about one topic; the unit of resampling."""

    id: str
    summaries: tuple[Summary, ...] = ()
    timelines: tuple[Timeline, ...] = ()
    documents: tuple[Document, ...] = ()
    judgements: Judgements | None = None
    pyramid: Pyramid | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Collection:
    """Topics by id, in the order in which they were given."""

    topics: Mapping[str, Topic]
    name: str = ""

    def __iter__(self) -> Iterator[Topic]:
        return iter(self.topics.values())

    def __len__(self) -> int:
        return len(self.topics)


@dataclass(frozen=True, slots=True)
class Run:
    """One system's outputs by topic.

    A topic without output is scored as empty, unless the run is `partial`: a person who
    wrote for some topics only is judged on those.
    """

    system: str
    outputs: Mapping[str, Output] = field(default_factory=dict)
    partial: bool = False
