"""What a judged corpus holds: the judging paper's tables of topics and of characteristics."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from chronoscore.core import Judgements
from chronoscore.stats.agreement import TopicAgreement, mean_of_defined


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicSize:
    """How large a topic is, when it starts (seconds since 1970), and how its sentences fall.

    `off`, `single` and `multi` count sentences of no event, of one and of several.
    """

    topic: str
    stories: int
    events: int
    sentences: int
    off: int = 0
    single: int = 0
    multi: int = 0
    start: float | None = None
    hours: float = float("nan")
    acceptance: float = float("nan")


def topic_size(
    topic: str,
    judgements: Judgements,
    *,
    agreed: TopicAgreement | None = None,
    hours: float = float("nan"),
) -> TopicSize:
    """Count a judged topic; parts of a sentence that were joined count as one."""
    sentences = {judgements.joined.get(s, s) for s in judgements.sentences}
    pairs = {(judgements.joined.get(k.sentence, k.sentence), k.event) for k in judgements.kept}
    linked = Counter(sentence for sentence, _ in pairs)
    shape = Counter(min(linked[sentence], 2) for sentence in sentences)
    times = [story.time for story in judgements.stories if story.time is not None]
    return TopicSize(
        topic=topic,
        stories=len(judgements.stories),
        events=len(judgements.events),
        sentences=len(sentences),
        off=shape[0],
        single=shape[1],
        multi=shape[2],
        start=min(times, default=None),
        hours=hours,
        acceptance=agreed.acceptance if agreed else float("nan"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Characteristics:
    """Totals of a corpus or of a part of it (Table 3); means and shares follow from them.

    Sentences per story is the ratio of totals, and so are the shares of sentences: the
    paper's own figures come out so, not as means over topics.
    """

    topics: int
    stories: int
    events: int
    sentences: int
    off: int = 0
    single: int = 0
    multi: int = 0

    @property
    def stories_per_topic(self) -> float:
        """Stories of a topic on average."""
        return _of(self.stories, self.topics)

    @property
    def events_per_topic(self) -> float:
        """Events of a topic on average."""
        return _of(self.events, self.topics)

    @property
    def sentences_per_topic(self) -> float:
        """Sentences of a topic on average."""
        return _of(self.sentences, self.topics)

    @property
    def sentences_per_story(self) -> float:
        """All sentences over all stories."""
        return _of(self.sentences, self.stories)

    @property
    def shares(self) -> tuple[float, float, float]:
        """Sentences of no event, of one and of several, of all sentences."""
        return (
            _of(self.off, self.sentences),
            _of(self.single, self.sentences),
            _of(self.multi, self.sentences),
        )


def _of(part: float, whole: float) -> float:
    return part / whole if whole else float("nan")


def characteristics(sizes: Iterable[TopicSize]) -> Characteristics:
    """Add topics up."""
    sizes = list(sizes)
    return Characteristics(
        topics=len(sizes),
        stories=sum(size.stories for size in sizes),
        events=sum(size.events for size in sizes),
        sentences=sum(size.sentences for size in sizes),
        off=sum(size.off for size in sizes),
        single=sum(size.single for size in sizes),
        multi=sum(size.multi for size in sizes),
    )


@dataclass(frozen=True, slots=True)
class Averages:
    """The last row of Table 1: plain means over topics, however large they are."""

    stories: float
    events: float
    hours: float
    acceptance: float


def averages(sizes: Iterable[TopicSize]) -> Averages:
    """Average topics, unweighted; undefined figures are left out."""
    sizes = list(sizes)
    if not sizes:
        nothing = float("nan")
        return Averages(nothing, nothing, nothing, nothing)
    return Averages(
        fmean(size.stories for size in sizes),
        fmean(size.events for size in sizes),
        mean_of_defined(size.hours for size in sizes),
        mean_of_defined(size.acceptance for size in sizes),
    )
