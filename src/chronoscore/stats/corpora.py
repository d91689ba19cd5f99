"""What a judged corpus holds: the judging paper's tables, and its two halves.

Halves, training and test, are to be of about the same size and time. What is minimized is
the sum over stories, events, sentences and mean start of ((training − test) / all)²; for the
start, "all" is the time from the first start to the last.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from chronoscore.core import Judgements
from chronoscore.errors import DataError, number_with_noun
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


def corpus_characteristics(sizes: Iterable[TopicSize]) -> Characteristics:
    """Add topics up."""
    sizes = list(sizes)
    names = ("stories", "events", "sentences", "off", "single", "multi")
    totals = {name: sum(getattr(size, name) for size in sizes) for name in names}
    return Characteristics(topics=len(sizes), **totals)


@dataclass(frozen=True, slots=True)
class Averages:
    """The last row of Table 1: plain means over topics, however large they are."""

    stories: float
    events: float
    hours: float
    acceptance: float


def average_topic_sizes(sizes: Iterable[TopicSize]) -> Averages:
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


EXHAUSTIVE = 24
"""Topics up to which every split is tried."""
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class CorpusSplit:
    """Two halves of a corpus, how unlike they are, and whether every split was tried."""

    training: tuple[str, ...]
    test: tuple[str, ...]
    imbalance: float
    exact: bool


def balanced_halves(sizes: Sequence[TopicSize]) -> CorpusSplit:
    """Find the two halves that are most alike.

    Topics are taken in the order of their names, whatever order they come in. Of splits
    that are equally good, the one whose training half has the earlier names is taken. An
    odd topic goes to either half.
    """
    ordered = sorted(sizes, key=lambda size: size.topic)
    if len(ordered) < 2:
        count = number_with_noun(len(ordered), "topic")
        raise DataError(f"a corpus of {count} cannot be halved; give at least two")
    features = scaled_features(ordered)
    exact = len(ordered) <= EXHAUSTIVE
    inside = _balance_halves_exactly(features) if exact else best_by_swaps(features)
    names = [size.topic for size in ordered]
    return CorpusSplit(
        tuple(name for name, training in zip(names, inside, strict=True) if training),
        tuple(name for name, training in zip(names, inside, strict=True) if not training),
        float(imbalance(features, inside[np.newaxis])[0]),
        exact,
    )


def scaled_features(sizes: Sequence[TopicSize]) -> NDArray[np.float64]:
    """Stories, events and sentences as shares of the corpus; starts from 0 to 1."""
    counts = np.array([[s.stories, s.events, s.sentences] for s in sizes], dtype=np.float64)
    totals = counts.sum(axis=0)
    known = [size.start for size in sizes if size.start is not None]
    first, span = min(known, default=0.0), max(known, default=0.0) - min(known, default=0.0)
    middle = sum(known) / len(known) if known else 0.0
    # A topic without a time is put in the middle, where it favors neither half.
    starts = [((middle if s.start is None else s.start) - first) / (span or 1.0) for s in sizes]
    return np.column_stack([counts / np.where(totals > 0, totals, 1.0), starts])


def imbalance(features: NDArray[np.float64], inside: NDArray[np.bool_]) -> NDArray[np.float64]:
    """How unlike the halves are, for each row of memberships."""
    sums = inside @ features
    return _imbalance(sums, inside.sum(axis=1), features)


def _imbalance(
    sums: NDArray[np.float64], sizes: NDArray[np.int64], features: NDArray[np.float64]
) -> NDArray[np.float64]:
    others = features.sum(axis=0) - sums
    apart = sums - others
    apart[:, 3] = sums[:, 3] / sizes - others[:, 3] / (len(features) - sizes)
    return np.asarray((apart**2).sum(axis=1))


def _balance_halves_exactly(features: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Try every split; the first topic is in training, as halves have no order."""
    count = len(features)
    # The first topic is the highest bit, so that earlier names make larger numbers.
    masks = np.arange(1 << (count - 1), 1 << count, dtype=np.int64)
    ones = np.ones((count, 1))
    sizes = _sums_of(masks, ones)[:, 0].astype(np.int64)
    fit = (sizes == count // 2) | (sizes == count - count // 2)
    masks, sizes = masks[fit], sizes[fit]
    sums = _sums_of(masks, features)
    scores = _imbalance(sums, sizes, features)
    best = masks[scores <= scores.min() + ROUNDING].max()
    return np.array([bool(best >> (count - 1 - place) & 1) for place in range(count)])


def _sums_of(masks: NDArray[np.int64], features: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of the features whose bits are set, by two tables of half the bits each."""
    low = len(features) // 2
    top, bottom = features[: len(features) - low], features[len(features) - low :]
    return np.asarray(_bit_sums(top)[masks >> low] + _bit_sums(bottom)[masks & ((1 << low) - 1)])


def _bit_sums(features: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of features for every number below 2 to their count, the last one lowest."""
    sums = np.zeros((1, features.shape[1]))
    for row in features[::-1]:
        sums = np.concatenate([sums, sums + row])
    return sums


def best_by_swaps(features: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Deal topics out by each feature in turn, then swap pairs as long as it helps."""
    found = [_improve_by_swaps(features, _deal_out(features[:, column])) for column in range(4)]
    found = [inside if inside[0] else ~inside for inside in found]
    scores = imbalance(features, np.array(found))
    near = [found[place] for place in np.flatnonzero(scores <= scores.min() + ROUNDING)]
    return max(near, key=lambda inside: inside.tolist())


def _deal_out(feature: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Deal topics out from the largest on: one to this half, two to the other, one to this."""
    inside = np.zeros(len(feature), dtype=np.bool_)
    order = np.argsort(-feature, kind="stable")
    inside[order[0::4]] = True
    inside[order[3::4]] = True
    surplus = int(inside.sum()) - (len(feature) - len(feature) // 2)
    if surplus > 0:
        inside[np.flatnonzero(inside)[-surplus:]] = False
    return inside


def _improve_by_swaps(
    features: NDArray[np.float64], inside: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Make the best swap of two topics until none helps."""
    inside = inside.copy()
    score = imbalance(features, inside[np.newaxis])[0]
    while True:
        mine, theirs = np.flatnonzero(inside), np.flatnonzero(~inside)
        swapped = features[theirs][np.newaxis] - features[mine][:, np.newaxis]
        sums = (features[mine].sum(axis=0) + swapped).reshape(-1, features.shape[1])
        scores = _imbalance(sums, np.full(len(sums), len(mine)), features)
        best = int(np.argmin(scores))
        if scores[best] >= score - ROUNDING:
            return inside
        leaves, comes = divmod(best, len(theirs))
        inside[mine[leaves]], inside[theirs[comes]] = False, True
        score = scores[best]
