"""Where in a ranking each event is first mentioned.

All measures of judged streams, and their curves, follow from one array: for each event of a
topic the position at which a ranking first tells of it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chronoscore.align.dates import Places
from chronoscore.core import Judgements, Ranking, Selection, Topic
from chronoscore.errors import DataError
from chronoscore.measures.measure import Array
from chronoscore.measures.streams.matching import Matcher
from chronoscore.text import ranges

Weighting: TypeAlias = Literal["one", "links", "importance"]
Target: TypeAlias = Literal["events", "sentences"]


@dataclass(frozen=True)
class Numbered:
    """A topic's judgements with sentences and events counted from 0.

    Links are sorted by event and, within an event, by expression: the links of a group are
    one expression, which is complete when all are there, and every other link is its own.
    """

    topic: str
    judged: Judgements
    numbers: dict[str, int]
    sentences: Places
    """The sentence of each link."""
    expressions: Places
    """Where in the links each expression starts."""
    owners: Places
    """The event of each expression."""

    @classmethod
    def of(cls, topic: Topic) -> Self:
        """Number a topic's judgements."""
        judged = topic.judgements
        if judged is None:
            raise DataError(f"topic '{topic.id}' has no judgements; give `judgements`")
        numbers = {sentence: number for number, sentence in enumerate(judged.sentences)}
        for part, head in judged.joined.items():
            numbers[part] = numbers[head]
        events = {event.id: number for number, event in enumerate(judged.events)}
        links = list(judged.kept)
        groups = {"": 0}
        event = np.fromiter((events[link.event] for link in links), np.intp, len(links))
        group = np.fromiter(
            (groups.setdefault(link.group, len(groups)) for link in links), np.intp, len(links)
        )
        sentence = np.fromiter((numbers[link.sentence] for link in links), np.intp, len(links))
        order = np.lexsort((group, event))
        event, group, sentence = event[order], group[order], sentence[order]
        opens = np.ones(len(links), dtype=np.bool_)
        opens[1:] = (event[1:] != event[:-1]) | (group[1:] != group[:-1]) | (group[1:] == 0)
        starts = np.flatnonzero(opens)
        return cls(topic.id, judged, numbers, sentence, starts, event[starts])

    @cached_property
    def events(self) -> Places:
        """The event of each link."""
        sizes = np.diff(np.append(self.expressions, len(self.sentences)))
        return np.repeat(self.owners, sizes)

    @cached_property
    def linked(self) -> Places:
        """How many sentences each event is linked to."""
        return np.bincount(self.events, minlength=len(self.judged.events))

    def weights(self, weighting: Weighting) -> Array:
        """What each event is worth; 1 on average, so that precision keeps its scale."""
        raw = np.ones(len(self.judged.events))
        if weighting == "links":
            raw = self.linked.astype(np.float64)
        elif weighting == "importance":
            raw = np.array([max(0.0, event.importance) for event in self.judged.events])
        total = raw.sum()
        return raw * (len(raw) / total) if total > 0 else raw

    def worth(self, weights: Array) -> Array:
        """What each sentence is worth: as much as its heaviest event, off-event ones nothing."""
        worth = np.zeros(len(self.judged.sentences))
        np.maximum.at(worth, self.sentences, weights[self.events])
        return worth

    def links_of(self, positions: Places, sentences: Places) -> tuple[Places, Places]:
        """The events of sentences that some positions retrieve, as pairs."""
        linked, events = self._by_sentence
        first = np.searchsorted(linked, sentences)
        sizes = np.searchsorted(linked, sentences, side="right") - first
        return np.repeat(positions, sizes), events[ranges.concatenate(first, sizes)]

    @cached_property
    def _by_sentence(self) -> tuple[Places, Places]:
        """Sentence and event of each link, by sentence."""
        order = np.argsort(self.sentences, kind="stable")
        return self.sentences[order], self.events[order]


@dataclass(frozen=True)
class Mentions:
    """What a ranking of `size` sentences tells: `first[e]` is where event e is first mentioned.

    An event that is never mentioned has `first` equal to `size`. `worth` says by position
    how much a retrieved sentence is worth, and `useful` is what all judged sentences are.
    `unjudged` are the positions that nobody judged.
    """

    size: int
    first: Places
    worth: Array
    weights: Array
    useful: float
    sentences: int
    find_links: Callable[[], tuple[Places, Places]]
    repeated: int = 0
    unjudged: Sequence[int] | Places = ()

    @cached_property
    def links(self) -> tuple[Places, Places]:
        """Pairs of a position and an event that it is about, found when they are asked for.

        A sentence of a group is about its event, although it does not mention it alone.
        """
        return self.find_links()

    def found(self, cutoff: int | None) -> NDArray[np.bool_]:
        """Which events the best `cutoff` sentences mention."""
        return self.first < self.retrieved(cutoff)

    def retrieved(self, cutoff: int | None) -> int:
        """How many sentences were retrieved."""
        return self.size if cutoff is None else min(cutoff, self.size)

    def new(self, *, strict: bool) -> Array:
        """What each position tells for the first time, by weight.

        Strictly, a sentence is one first mention however many events it mentions first.
        """
        every = np.bincount(self.first, self.weights, self.size + 1).astype(np.float64)
        new = every[: self.size]
        return np.minimum(new, 1.0) if strict else new


def event_mentions_by_id(numbered: Numbered, ranking: Ranking, weighting: Weighting) -> Mentions:
    """Mentions of a ranking of source sentences, best first."""
    ids, numbers, repeated = retrieved_stream_sentences(numbered, ranking.selections)
    judged = len(numbered.judged.sentences)
    rank = np.full(max(judged, int(numbers.max(initial=-1)) + 1), len(ids), dtype=np.intp)
    rank[numbers] = np.arange(len(ids))
    first = np.full(len(numbered.judged.events), len(ids), dtype=np.intp)
    if len(numbered.expressions):
        complete = np.maximum.reduceat(rank[numbered.sentences], numbered.expressions)
        np.minimum.at(first, numbered.owners, complete)
    weights = numbered.weights(weighting)
    worth = numbered.worth(weights)
    at = np.zeros(len(ids))
    known = numbers < judged
    at[known] = worth[numbers[known]]
    links = partial(numbered.links_of, np.flatnonzero(known), numbers[known])
    useful, unjudged = float(worth.sum()), np.flatnonzero(~known)
    return Mentions(len(ids), first, at, weights, useful, judged, links, repeated, unjudged)


def retrieved_stream_sentences(
    numbered: Numbered, selections: Sequence[Selection]
) -> tuple[Sequence[str], Places, int]:
    """A ranking's sentences best first, each once, and how many were named twice.

    In a pooled topic sentences that were not judged are numbered after those that were;
    sentences on which all judges abstained are left out.
    """
    unjudged = numbered.judged.unjudged
    if unjudged:
        heads = numbered.judged.joined
        selections = [
            chosen
            for chosen in selections
            if heads.get(chosen.sentence, chosen.sentence) not in unjudged
        ]
    scores = np.fromiter((chosen.score for chosen in selections), np.float64, len(selections))
    ids = [chosen.sentence for chosen in selections]
    numbers = np.fromiter(
        (numbered.numbers.get(sentence, -1) for sentence in ids), np.intp, len(ids)
    )
    unknown = np.flatnonzero(numbers < 0)
    if len(unknown) and not numbered.judged.pooled:
        more = f" ({len(unknown)} unknown in all)" if len(unknown) > 1 else ""
        raise DataError(
            f"no such sentence '{ids[unknown[0]]}'{more}; "
            "score against the judgements that the ranking was made for",
            place=f"topic '{numbered.topic}'",
        )
    fresh: dict[str, int] = {}
    for place in unknown:
        next_number = len(numbered.judged.sentences) + len(fresh)
        numbers[place] = fresh.setdefault(ids[place], next_number)
    order = np.argsort(-scores, kind="stable")
    _, places = np.unique(numbers[order], return_index=True)
    kept = order[np.sort(places)]
    repeated = len(ids) - len(set(ids)) if len(kept) < len(ids) else 0
    return [ids[place] for place in kept], numbers[kept], repeated


def event_mentions_by_text(
    numbered: Numbered,
    ranking: Ranking,
    weighting: Weighting,
    *,
    matcher: Matcher,
    target: Target,
) -> Mentions:
    """Mentions of a system's own words, best first, by similarity to events or sentences.

    A text tells of every event that it is similar enough to, or retrieves the one judged
    sentence that it is most similar to.
    """
    judged = numbered.judged
    chosen = ranking.best_first
    texts = [text_of_selected_update(numbered, selection) for selection in chosen]
    sentences = [judged.texts.get(sentence, "") for sentence in judged.sentences]
    events = [event.text for event in judged.events]
    missing = not any(events) if target == "events" else not any(sentences)
    if missing:
        raise DataError(
            f"the judgements have no texts of {target} to match; give judgements with texts",
            place=f"topic '{numbered.topic}'",
        )
    targets = events if target == "events" else sentences
    rows, columns, values = matcher.matches(texts, targets, [*sentences, *events])
    weights = numbered.weights(weighting)
    first = np.full(len(events), len(texts), dtype=np.intp)
    at = np.zeros(len(texts))
    worth = numbered.worth(weights)
    if target == "events":
        np.minimum.at(first, columns, rows)
        np.maximum.at(at, rows, weights[columns])
        links: Callable[[], tuple[Places, Places]] = lambda: (rows, columns)  # noqa: E731
    else:
        # The most similar sentence; of equally similar ones the first.
        best = np.lexsort((columns, -values, rows))
        rows, places = np.unique(rows[best], return_index=True)
        columns = columns[best][places]
        rank = np.full(len(sentences), len(texts), dtype=np.intp)
        np.minimum.at(rank, columns, rows)
        if len(numbered.expressions):
            complete = np.maximum.reduceat(rank[numbered.sentences], numbered.expressions)
            np.minimum.at(first, numbered.owners, complete)
        at[rows] = worth[columns]
        links = partial(numbered.links_of, rows, columns)
    useful = float(worth.sum())
    return Mentions(len(texts), first, at, weights, useful, len(judged.sentences), links)


def text_of_selected_update(numbered: Numbered, selection: Selection) -> str:
    """A selection's own words, or those of the sentence that it names."""
    text = selection.text or numbered.judged.texts.get(selection.sentence, "")
    if not text:
        raise DataError(
            "a selection has no text to match; give its 'text'", place=f"topic '{numbered.topic}'"
        )
    return text
