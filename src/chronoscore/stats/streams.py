"""Judged streams studied together: agreement, sizes and halves of a corpus."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from statistics import fmean
from typing import NamedTuple

from chronoscore.core import Topic
from chronoscore.stats.agreement import (
    TopicAgreement,
    annotation_seconds,
    mean_of_defined,
    stream_agreement,
)
from chronoscore.stats.chance import LinkAgreement, link_agreement
from chronoscore.stats.corpora import (
    Characteristics,
    CorpusSplit,
    TopicSize,
    average_topic_sizes,
    balanced_halves,
    corpus_characteristics,
    topic_size,
)


@dataclass(frozen=True, slots=True)
class StreamStudy:
    """Judged streams: agreement and size of each topic, and the halves where there are two."""

    agreed: tuple[TopicAgreement, ...]
    sizes: tuple[TopicSize, ...]
    halves: CorpusSplit | None
    chance: tuple[LinkAgreement | None, ...] = ()
    """By topic: agreement beyond chance, where two judges or more are named."""

    @property
    def means(self) -> "StreamMeans":
        """The last row of Table 1."""
        mean = average_topic_sizes(self.sizes)
        return StreamMeans(
            stories=mean.stories,
            events=mean.events,
            sentences=fmean(size.sentences for size in self.sizes),
            hours=mean.hours,
            acceptance=mean.acceptance,
            jaccard=mean_of_defined(agreed.jaccard for agreed in self.agreed),
            added=fmean(agreed.added for agreed in self.agreed),
        )

    @property
    def parts(self) -> dict[str, Characteristics]:
        """The columns of Table 3: the two halves where there are any, then all topics."""
        everything = {"all": corpus_characteristics(self.sizes)}
        if self.halves is None:
            return everything
        inside = set(self.halves.training)
        halves = {
            "training": corpus_characteristics(s for s in self.sizes if s.topic in inside),
            "test": corpus_characteristics(s for s in self.sizes if s.topic not in inside),
        }
        return halves | everything


class StreamMeans(NamedTuple):
    """Means over topics, however large they are; undefined figures are left out."""

    stories: float
    events: float
    sentences: float
    hours: float
    acceptance: float
    jaccard: float
    added: float


def study_streams(
    topics: Iterable[Topic], moments: Mapping[tuple[str, str], Sequence[float]] | None = None
) -> StreamStudy:
    """Agreement, sizes and halves of all topics that have links."""
    agreed, sizes, chance = [], [], []
    for topic in topics:
        if topic.judgements is None or not topic.judgements.events:
            continue
        found = stream_agreement(topic.id, topic.judgements)
        agreed.append(found)
        chance.append(link_agreement(topic.judgements) if len(found.judges) > 1 else None)
        hours = _hours_spent(topic.id, moments or {})
        if isnan(hours) and topic.judgements.hours is not None:
            hours = topic.judgements.hours
        sizes.append(topic_size(topic.id, topic.judgements, agreed=found, hours=hours))
    halves = balanced_halves(sizes) if len(sizes) > 1 else None
    return StreamStudy(tuple(agreed), tuple(sizes), halves, tuple(chance))


def _hours_spent(topic: str, moments: Mapping[tuple[str, str], Sequence[float]]) -> float:
    """The hours that all judges of a topic took together, nan without a log."""
    spent = [annotation_seconds(times) for (about, _), times in moments.items() if about == topic]
    return sum(spent) / 3600 if spent else float("nan")
