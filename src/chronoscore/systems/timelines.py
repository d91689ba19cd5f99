"""What timeline systems share: the length that is asked for, and the simplest of them."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from chronoscore.core import Document, Entry, Timeline, Topic, When
from chronoscore.systems.material import SourceLine, TopicArticles, prepare_dated_material
from chronoscore.systems.picking import nearest_to_centroid
from chronoscore.systems.system import System, check_system_parameters, system_random_generator

DATES, SENTENCES = 20, 1
"""The length without references and options."""


@dataclass(frozen=True)
class TimelineShape:
    """How many dates, how many sentences on each, and within which days.

    `total` is the number of sentences of the references, where their length is asked for.
    """

    dates: int
    sentences: int
    first: int | None = None
    last: int | None = None
    total: int | None = None

    def holds(self, day: int | None) -> bool:
        """Whether a day may be on the timeline."""
        if day is None:
            return False
        return (self.first is None or self.first <= day) and (self.last is None or day <= self.last)


def wanted_timeline_shape(
    topic: Topic, dates: int | None, sentences: int | None, *, nearest: bool = False
) -> TimelineShape:
    """The length of the topic's references, unless another is given.

    Published evaluations ask for as many dates as the reference has, for its average number
    of sentences on a date, and for no day before its first or after its last. tilse rounds
    the average down, news-tls to the `nearest` number. Of several references the averages
    are taken, and the outermost days.
    """
    known = [timeline for timeline in topic.timelines if len(timeline)]
    if not known:
        return TimelineShape(dates or DATES, sentences or SENTENCES)
    usual = sum(len(timeline) for timeline in known) / len(known)
    each = [len(timeline.sentences) / len(timeline) for timeline in known]
    average = sum(round(one) if nearest else int(one) for one in each) / len(known)
    total = round(sum(len(timeline.sentences) for timeline in known) / len(known))
    return TimelineShape(
        dates or max(1, round(usual)),
        sentences or max(1, int(average)),
        min(timeline.dates[0].first for timeline in known),
        max(when.last for timeline in known for when in timeline.dates),
        None if dates else total,
    )


@dataclass(frozen=True, kw_only=True)
class TimelineSystem(System):
    """A system that makes timelines: `dates` days with `sentences` each.

    Where these are not given they are taken from the topic's references, else 20 and 1.
    """

    makes = Timeline
    as_news_tls: ClassVar[bool] = False
    """Whether its authors ran it by the rules of news-tls.

    There only articles from the first to the last day of the reference are read, and the
    average number of sentences is rounded to the nearest.
    """
    dates: int | None = None
    sentences: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_system_parameters(self, dates=1, sentences=1)

    def shape(self, topic: Topic) -> TimelineShape:
        """The length that is asked for."""
        return wanted_timeline_shape(topic, self.dates, self.sentences, nearest=self.as_news_tls)

    def run(self, topic: Topic, background: Sequence[Document]) -> Timeline:
        """Prepare the documents, choose, and write what was chosen in order of time."""
        shape = self.shape(topic)
        material = prepare_dated_material(topic)
        if self.as_news_tls and shape.first is not None and shape.last is not None:
            material = material.published_within(shape.first, shape.last)
        found = self.choose(topic, material, shape)
        return _to_timeline({day: lines for day, lines in found.items() if lines}, self.name)

    @abstractmethod
    def choose(
        self, topic: Topic, material: TopicArticles, shape: TimelineShape
    ) -> Mapping[int, Sequence[SourceLine]]:
        """The lines of each day."""


def _to_timeline(found: Mapping[int, Sequence[SourceLine]], author: str) -> Timeline:
    """A timeline of days numbered as `When` numbers them."""
    return Timeline(
        tuple(
            Entry(When(day, day, "day"), tuple(line.text for line in found[day]))
            for day in sorted(found)
        ),
        author,
    )


def group_sentences_by_day(
    lines: Iterable[SourceLine], shape: TimelineShape
) -> dict[int, list[SourceLine]]:
    """Lines under the day that each tells of, in order of time."""
    found: dict[int, list[SourceLine]] = {}
    for line in lines:
        if line.day is not None and shape.holds(line.day):
            found.setdefault(line.day, []).append(line)
    return dict(sorted(found.items()))


def _group_by_publication_day(
    lines: Iterable[SourceLine], shape: TimelineShape
) -> dict[int, list[SourceLine]]:
    """Lines under the day of their article, or the day they tell of where it has none."""
    return group_sentences_by_day((_date_to_publication(line) for line in lines), shape)


def _date_to_publication(line: SourceLine) -> SourceLine:
    """The line, dated to the day on which it was published."""
    return line if line.published is None else line._replace(day=line.published)


def drop_repeated_sentences(lines: Iterable[SourceLine]) -> list[SourceLine]:
    """Leave out lines that repeat an earlier one, so that none stands on two dates."""
    found: dict[str, SourceLine] = {}
    for line in lines:
        found.setdefault(line.wording, line)
    return list(found.values())


def select_commonest_days(counted: Mapping[int, float], size: int) -> list[int]:
    """The days with the highest counts, earlier ones first among equals."""
    return sorted(counted, key=lambda day: (-counted[day], day))[:size]


def articles_by_day(material: TopicArticles, shape: TimelineShape) -> Counter[int]:
    """How many articles were published on each day, by the day that they tell of if undated."""
    found: Counter[int] = Counter()
    for _, lines in material.stories():
        day = next((_date_to_publication(line).day for line in lines if line.day is not None), None)
        if day is not None and shape.holds(day):
            found[day] += 1
    return found


@dataclass(frozen=True, kw_only=True)
class Lead(TimelineSystem):
    """Days spread evenly over the stream, with the first sentences of their articles."""

    name: ClassVar[str] = "lead"
    line: ClassVar[str] = "first sentences of articles, days spread evenly"

    def choose(
        self, topic: Topic, material: TopicArticles, shape: TimelineShape
    ) -> dict[int, list[SourceLine]]:
        """First sentences of the day's articles before any second ones."""
        days = _group_by_publication_day(drop_repeated_sentences(material.relevant), shape)
        known = list(days)
        places = np.linspace(0, len(known) - 1, min(shape.dates, len(known)))
        chosen = [known[round(float(place))] for place in places]
        return {
            day: sorted(days[day], key=lambda line: (line.place, line.article))[: shape.sentences]
            for day in chosen
        }


@dataclass(frozen=True, kw_only=True)
class Random(TimelineSystem):
    """Days at random, with sentences of these days at random."""

    name: ClassVar[str] = "random"
    line: ClassVar[str] = "days and their sentences at random"
    seed: int = 1

    def choose(
        self, topic: Topic, material: TopicArticles, shape: TimelineShape
    ) -> dict[int, list[SourceLine]]:
        """Draw days, then lines of each."""
        days = group_sentences_by_day(drop_repeated_sentences(material.relevant), shape)
        rng = system_random_generator(self.seed, topic.id)
        known = list(days)
        drawn = rng.choice(len(known), min(shape.dates, len(known)), replace=False)
        found: dict[int, list[SourceLine]] = {}
        for place in sorted(drawn.tolist()):
            lines = days[known[place]]
            picks = rng.choice(len(lines), min(shape.sentences, len(lines)), replace=False)
            found[known[place]] = [lines[pick] for pick in sorted(picks.tolist())]
        return found


@dataclass(frozen=True, kw_only=True)
class PubCount(TimelineSystem):
    """The days on which most was published, each summarized by its own articles.

    Sentences are chosen one by one so that their sum comes nearest to the centroid of all
    that was published on the day.
    """

    name: ClassVar[str] = "pubcount"
    line: ClassVar[str] = "days with most articles, sentences nearest to their centroid"
    paper: ClassVar[str] = "Gholipour Ghalandari & Ifrim, ACL 2020 (baseline)"
    as_news_tls: ClassVar[bool] = True

    def choose(
        self, topic: Topic, material: TopicArticles, shape: TimelineShape
    ) -> dict[int, list[SourceLine]]:
        """Count articles, then go by centroid."""
        days = _group_by_publication_day(material.usable, shape)
        counted = {d: n for d, n in articles_by_day(material, shape).items() if d in days}
        picker = CentroidPicker(material)
        found: dict[int, list[SourceLine]] = {}
        for day in select_commonest_days(counted, len(counted)):
            if len(found) == shape.dates:
                break
            if chosen := picker.pick([picker.place[line.id] for line in days[day]], shape):
                found[day] = chosen
        return found


class CentroidPicker:
    """Take sentences near the centroid of some, day by day, as news-tls does.

    All of them count for the centroid; chosen are those with a key word, and none twice.
    """

    def __init__(self, material: TopicArticles) -> None:
        self.lines = material.usable
        self.rows = material.rows
        self.place = {line.id: number for number, line in enumerate(self.lines)}
        self.relevant = [material.is_relevant(line) for line in self.lines]
        self.taken: set[str] = set()

    def pick(self, numbers: Sequence[int], shape: TimelineShape) -> list[SourceLine]:
        """The sentences of a day, of those with these numbers."""
        if not numbers:
            return []
        allowed = [self.relevant[n] and self.lines[n].wording not in self.taken for n in numbers]
        places = nearest_to_centroid(
            self.rows[list(numbers)], shape.sentences, allowed=np.array(allowed)
        )
        chosen = [self.lines[numbers[place]] for place in places]
        self.taken.update(line.wording for line in chosen)
        return chosen
