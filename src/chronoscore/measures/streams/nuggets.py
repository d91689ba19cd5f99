"""Timed nuggets: which update tells which, when they became known, and words that tell nothing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Self, TypeAlias

from chronoscore.core import Collection, Judgements, Output, Ranking, Run, Selection, Topic
from chronoscore.errors import DataError

NuggetTimes: TypeAlias = Literal["own", "all", "updonly"]
"""When a nugget became known: its own time, or the earliest of it and of updates, or of these."""
BLANKS = " \t\n\r\x0b\x0c"


@dataclass(frozen=True)
class FirstTold:
    """What a judged update tells for the first time, and its words that tell nothing new."""

    nuggets: tuple[str, ...]
    idle: float


@dataclass(frozen=True)
class Nuggets:
    """A topic's nuggets and which update tells which."""

    topic: str
    judged: Judgements
    importance: Mapping[str, float]
    times: Mapping[str, float | None]
    length: float
    """Mean words of a nugget."""
    matches: Mapping[str, Sequence[tuple[str, tuple[int, int] | None]]]
    trim: bool = False
    lengths: Mapping[str, float] = field(default_factory=dict)
    """Words of updates by a table, where these are not counted."""

    @classmethod
    def of(
        cls,
        topic: Topic,
        *,
        matched: bool = False,
        trim: bool = False,
        unimportant: bool = False,
        stated_lengths: bool = False,
    ) -> Self:
        """Take what a topic's judgements say; nuggets of importance 0 or less do not count.

        With `matched`, a nugget that no match names does not count either; with `trim`,
        blanks at the end of a text are not words; with `unimportant` the importance does not
        matter, and with `stated_lengths` words are not counted where a table says how many.
        """
        judged = topic.judgements
        if judged is None:
            raise DataError(f"topic '{topic.id}' has no judgements; give `judgements`")
        table = judged.matches
        kept = [event for event in judged.events if unimportant or event.importance > 0]
        links = list(judged.kept)
        named = table.named
        if unimportant:
            kept += table.unimportant
            links += table.unimportant_links
            named |= {link.event for link in table.unimportant_links}
        if matched:
            kept = [event for event in kept if event.id in named]
        stories = {s: story.time for story in judged.stories for s in story.sentences}
        matches: dict[str, list[tuple[str, tuple[int, int] | None]]] = {}
        times: dict[str, float | None] = {event.id: event.time for event in kept}
        given = {name for name, time in times.items() if time is not None}
        for link in links:
            if link.event not in times:
                continue
            matches.setdefault(link.sentence, []).append((link.event, link.span))
            seen, known = stories.get(link.sentence), times[link.event]
            # Without a time of its own a nugget is as old as the first story that tells it.
            if link.event not in given and seen is not None:
                times[link.event] = seen if known is None else min(seen, known)
        stated = table.lengths if stated_lengths else {}
        lengths = [
            stated.get(
                event.id, count_update_words(event.text.rstrip(BLANKS) if trim else event.text)
            )
            for event in kept
        ]
        length = sum(lengths) / len(lengths) if lengths else 1.0
        importance = {event.id: event.importance for event in kept}
        return cls(topic.id, judged, importance, times, length or 1.0, matches, trim, stated)

    def retime(self, rule: NuggetTimes, output: Ranking) -> Self:
        """The same nuggets, known since the first of all updates that match them.

        Updates of systems that are not scored together with this one cannot count; alone,
        only its own do.
        """
        if rule == "own":
            return self
        first = self.judged.first_times
        if first is None:
            first = _earliest_times([output])
        table = self.judged.matches
        known = dict(first)
        for update, original in table.repeats.items():
            if update in first:
                known[original] = min(first[update], known.get(original, first[update]))
        times = dict(self.times) if rule == "all" else dict.fromkeys(self.times)
        for update, nugget in table.rows:
            if nugget not in times:
                continue
            for name in (update, table.repeats.get(update, update)):
                time, before = known.get(name), times[nugget]
                if time is not None and (before is None or time < before):
                    times[nugget] = time
        return replace(self, times=times)

    def time(self, nugget: str) -> float:
        """When a nugget became known."""
        known_since = self.times[nugget]
        if known_since is None:
            raise DataError(
                f"event '{nugget}' has no time, nor has a story that tells of it; add one",
                place=f"topic '{self.topic}'",
            )
        return known_since

    def read(self, updates: Sequence[Selection]) -> Iterator[FirstTold | None]:
        """What each update tells, in order; nothing for one that was not judged."""
        known: set[str] = set()
        unjudged = self.judged.unjudged
        judged = frozenset(self.judged.sentences) - unjudged
        for update in updates:
            if update.sentence not in judged:
                if update.sentence not in unjudged and not self.judged.pooled:
                    raise DataError(
                        f"no such sentence '{update.sentence}'; "
                        "score against the judgements that the stream was made for",
                        place=f"topic '{self.topic}'",
                    )
                yield None
                continue
            fresh = {}
            for nugget, span in self.matches.get(update.sentence, ()):
                if nugget not in known:
                    known.add(nugget)
                    fresh[nugget] = span
            text = self.judged.texts.get(update.sentence, "")
            if self.trim:
                text = text.rstrip(BLANKS)
            size = self.lengths.get(update.sentence)
            if size is not None:
                # Who states lengths also splits at any run of blanks.
                text = " ".join(text.split())
            yield FirstTold(tuple(fresh), count_idle_update_words(text, list(fresh.values()), size))


def _earliest_times(outputs: Iterable[Output]) -> dict[str, float]:
    """When each sentence was first chosen by any of the outputs of a topic."""
    first: dict[str, float] = {}
    for output in outputs:
        for chosen in output if isinstance(output, Ranking) else ():
            if chosen.time is not None:
                first[chosen.sentence] = min(chosen.time, first.get(chosen.sentence, chosen.time))
    return first


def add_first_times(collection: Collection, runs: Sequence[Run]) -> Collection:
    """The collection, with the time at which any of the runs first chose each sentence."""
    topics = {}
    for name, topic in collection.topics.items():
        judged = topic.judgements
        if judged is not None and judged.first_times is None:
            outputs = [run.outputs[name] for run in runs if name in run.outputs]
            judged = replace(judged, first_times=_earliest_times(outputs), pool=len(runs))
        topics[name] = replace(topic, judgements=judged)
    return replace(collection, topics=topics)


def count_update_words(text: str) -> int:
    """Words as the official scorer counts them: spaces and one."""
    return text.count(" ") + 1


def count_idle_update_words(
    text: str, spans: Sequence[tuple[int, int] | None], size: float | None = None
) -> float:
    """Words of an update outside the spans that match, counted as the official scorer does.

    It widens a span to the spaces around it and takes the words between, numbered by the
    spaces before them: a span that starts after the first word therefore marks the word
    before it in place of its last one. A match without a span covers everything. `size` is
    the number of words where it is not counted.
    """
    if None in spans:
        return 0
    marked: set[int] = set()
    for span in spans:
        assert span is not None
        start = max(0, text.rfind(" ", 0, span[0] + 1))
        end = text.find(" ", span[1])
        marked.update(
            range(text.count(" ", 0, start), text.count(" ", 0, end if end >= 0 else len(text)))
        )
    return count_update_words(text) - len(marked) if size is None else max(0.0, size - len(marked))
