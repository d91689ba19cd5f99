"""Judges of a stream: what the third accepted of what the first two marked, and their overlap.

The corpus paper's agreement A(e) is acceptance: it is 1 where the verifier keeps all that
either judge marked, even if the two agreed on nothing. The blind overlap (Jaccard) of the
judges therefore is always given with it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from statistics import fmean

from chronoscore.core import Judgements

LONGEST_GAP = 300.0
"""Seconds without an action that still count as work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventAgreement:
    """How judges agreed on the sentences of one event; undefined figures are nan.

    `sentences` are linked after verification, `marked` are in the union of the judges,
    `accepted` in both, `added` only in the former.
    """

    event: str
    text: str
    sentences: int
    marked: int
    accepted: int
    added: int
    jaccard: float

    @property
    def acceptance(self) -> float:
        """A(e): the share of the judges' union that the verifier kept."""
        return self.accepted / self.marked if self.marked else float("nan")


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicAgreement:
    """The events of a topic; its figures are plain means over events."""

    topic: str
    judges: tuple[str, ...]
    events: tuple[EventAgreement, ...]

    @property
    def acceptance(self) -> float:
        """A(topic): the mean over events that any judge marked."""
        return mean_of_defined(event.acceptance for event in self.events)

    @property
    def jaccard(self) -> float:
        """The mean blind overlap over the same events."""
        return mean_of_defined(event.jaccard for event in self.events)

    @property
    def added(self) -> int:
        """Links that only the verifier made."""
        return sum(event.added for event in self.events)

    @property
    def undefined(self) -> int:
        """Events that neither judge marked, left out of the means."""
        return sum(not event.marked for event in self.events)


def stream_agreement(topic: str, judgements: Judgements) -> TopicAgreement:
    """Compare the judges of a topic, event by event.

    Parts of a sentence that were joined count as one. With more than two judges the
    overlap is the mean over pairs of judges; with fewer it is undefined. Links that name
    no judge at all, as other corpora have them, are not taken for the verifier's additions.
    """
    linking = {judge for link in judgements.links for judge in link.marked_by}
    judges = tuple(sorted({*judgements.judges, *linking}))
    marked: dict[str, dict[str, set[str]]] = {}
    kept: dict[str, set[str]] = {}
    for link in judgements.links:
        sentence = judgements.joined.get(link.sentence, link.sentence)
        for judge in link.marked_by:
            marked.setdefault(link.event, {}).setdefault(judge, set()).add(sentence)
        if link.kept:
            kept.setdefault(link.event, set()).add(sentence)
    events = []
    for event in judgements.events:
        sets = [marked.get(event.id, {}).get(judge, set()) for judge in judges]
        union, final = set().union(*sets), kept.get(event.id, set())
        events.append(
            EventAgreement(
                event=event.id,
                text=event.text,
                sentences=len(final),
                marked=len(union),
                accepted=len(final & union),
                added=len(final - union) if judges else 0,
                jaccard=mean_jaccard_index(sets),
            )
        )
    return TopicAgreement(topic=topic, judges=judges, events=tuple(events))


def mean_jaccard_index(sets: Sequence[set[str]]) -> float:
    """The mean Jaccard index of pairs of sets, pairs of empty ones left out.

    >>> mean_jaccard_index([{"a", "b"}, {"b"}])
    0.5
    """
    pairs = [(one, two) for one, two in combinations(sets, 2) if one | two]
    return mean_of_defined(len(one & two) / len(one | two) for one, two in pairs)


def mean_of_defined(values: Iterable[float]) -> float:
    """The mean of what is not nan, or nan where nothing is left."""
    defined = [value for value in values if value == value]
    return fmean(defined) if defined else float("nan")


def annotation_seconds(moments: Iterable[float], *, longest: float = LONGEST_GAP) -> float:
    """Seconds of work that a log of actions shows: gaps added up, none longer than five minutes.

    >>> annotation_seconds([0, 60, 4000])
    360.0
    """
    return float(sum(min(later - earlier, longest) for earlier, later in pairwise(sorted(moments))))
