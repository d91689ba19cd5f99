"""All that is said of a judged corpus at once: its streams, its content units, its matchers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from chronoscore.core import Pyramid, Topic
from chronoscore.errors import DataError
from chronoscore.stats.agreement import TopicAgreement, stream_agreement, time_spent
from chronoscore.stats.corpora import TopicSize, topic_size
from chronoscore.stats.halves import Halves, balanced_halves
from chronoscore.stats.matching import MatchingAgreement, matching_agreement
from chronoscore.stats.teams import Shape, TeamSplit, Unchosen, shape, team_splits, unchosen_of


@dataclass(frozen=True, slots=True)
class StreamStudy:
    """Judged streams: agreement and size of each topic, and the halves where there are two."""

    agreed: tuple[TopicAgreement, ...]
    sizes: tuple[TopicSize, ...]
    halves: Halves | None


@dataclass(frozen=True, slots=True)
class UnitStudy:
    """The content units of a topic: their weights and every split of their writers.

    `splits` are empty where the writers make no two teams. Without `unchosen` only figures
    of chosen units can be trusted.
    """

    topic: str
    writers: int
    units: int
    length: int | None
    shape: Shape
    unchosen: Unchosen | None
    splits: tuple[TeamSplit, ...]


@dataclass(frozen=True, slots=True)
class MatchingStudy:
    """Two matchers of a topic, named by their files."""

    topic: str
    first: str
    second: str
    agreed: MatchingAgreement


def study_streams(
    topics: Iterable[Topic], moments: Mapping[tuple[str, str], Sequence[float]] | None = None
) -> StreamStudy:
    """Agreement, sizes and halves of all topics that have links."""
    agreed, sizes = [], []
    for topic in topics:
        if topic.judgements is None or not topic.judgements.events:
            continue
        found = stream_agreement(topic.id, topic.judgements)
        agreed.append(found)
        hours = hours_of(topic.id, moments or {})
        sizes.append(topic_size(topic.id, topic.judgements, agreed=found, hours=hours))
    halves = balanced_halves(sizes) if len(sizes) > 1 else None
    return StreamStudy(tuple(agreed), tuple(sizes), halves)


def hours_of(topic: str, moments: Mapping[tuple[str, str], Sequence[float]]) -> float:
    """The hours that all judges of a topic took together, nan where no log tells."""
    spent = [time_spent(times) for (about, _), times in moments.items() if about == topic]
    return sum(spent) / 3600 if spent else float("nan")


def study_units(topic: Topic, pyramid: Pyramid, *, unchosen: int | None = None) -> UnitStudy:
    """Weights, shape and team splits of a pyramid."""
    sentences = topic.judgements.sentences if topic.judgements else ()
    found = unchosen_of(pyramid, sentences) if unchosen is None else Unchosen(unchosen, "given")
    try:
        splits = team_splits(pyramid, unchosen=found.count if found else 0)
    except DataError:
        splits = []
    writers = set(pyramid.writers).union(*(unit.writers for unit in pyramid.units))
    return UnitStudy(
        topic.id,
        len(writers),
        len(pyramid.units),
        pyramid.length,
        shape(pyramid),
        found,
        tuple(splits),
    )


def study_matching(
    topic: str, first: tuple[str, Pyramid], second: tuple[str, Pyramid], *, pool: int | None = None
) -> MatchingStudy:
    """Compare two files of the same units."""
    try:
        agreed = matching_agreement(first[1], second[1], pool=pool)
    except DataError as error:
        raise DataError(f"topic '{topic}' in {first[0]} and {second[0]}: {error}") from None
    return MatchingStudy(topic, first[0], second[0], agreed)
