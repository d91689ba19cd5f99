"""What was read, on its way to being scored."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

from chronoscore.core import Collection, Output, Run, Summary, Timeline, Topic
from chronoscore.data.choice import Choice
from chronoscore.data.coverage import topics_of_systems
from chronoscore.data.documents import DocumentFiles
from chronoscore.data.reading import follow
from chronoscore.data.records import RecordFiles
from chronoscore.errors import DataError
from chronoscore.measures import Measure
from chronoscore.measures.languages import choose_languages


class Notes(NamedTuple):
    """What a signature says about how data were read."""

    lost: str = ""
    """How many records could not be read."""
    coarse: Literal["keep", "first"] = "keep"
    facts: str = ""
    """How facts of a run became texts, or requests events, where an edition says so."""


NO_NOTES = Notes()


@dataclass(frozen=True, kw_only=True)
class Data:
    """Topics with their references, what systems wrote about them, and how it is scored."""

    collection: Collection
    runs: tuple[Run, ...]
    choice: Choice
    documents: DocumentFiles = field(default_factory=DocumentFiles)
    lost: str = ""
    """How many records could not be read, as a signature says it."""

    @property
    def notes(self) -> Notes:
        """What a signature says about how the data were read."""
        edition = self.choice.edition
        return Notes(self.lost, self.choice.reading.coarse, f"|facts:{edition}" if edition else "")

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures."""
        return self.choice.measures

    def load(self) -> Self:
        """The same: all texts are here."""
        return self

    def prepare(self) -> Self:
        """The topics that are scored, and the measures in the languages of their texts."""
        data = self
        if self.choice.reading.topics == "shared":
            data = data._share_topics()
        measures = choose_languages(data.collection, data.runs, data.measures)
        return replace(data, choice=replace(data.choice, measures=tuple(measures)))

    def _share_topics(self) -> Self:
        """The topics that every system has an output for, and the runs on these topics only."""
        have = [*topics_of_systems(self.runs).values()]
        topics = self.collection
        shared = {topic.id: topic for topic in topics if all(topic.id in own for own in have)}
        if not shared:
            raise DataError(
                'the systems share no topic with the references; leave out `topics="shared"`'
            )
        part = len(topics) if len(shared) < len(topics) else 0
        cut = [
            replace(
                run,
                outputs={name: out for name, out in run.outputs.items() if name in shared},
                unreadable={name: why for name, why in run.unreadable.items() if name in shared},
            )
            for run in self.runs
        ]
        return replace(self, collection=Collection(shared, topics.name, part), runs=tuple(cut))

    def with_humans(self) -> Self:
        """The same with each reference's author as a system, scored by the others' references."""
        return replace(self, runs=(*self.runs, *_human_runs(self.collection)))

    def on_first_days(self) -> Self:
        """The same with months, years and the like on their first day."""
        topics = {
            topic.id: replace(
                topic, timelines=tuple(one.on_first_days() for one in topic.timelines)
            )
            for topic in self.collection
        }
        runs = tuple(
            replace(
                run,
                outputs={
                    name: out.on_first_days() if isinstance(out, Timeline) else out
                    for name, out in run.outputs.items()
                },
            )
            for run in self.runs
        )
        return replace(self, collection=Collection(topics, self.collection.name), runs=runs)


@dataclass(frozen=True, kw_only=True)
class JudgedData(Data):
    """Judged topics, and what systems chose from them."""

    systems: Any = None
    """What was passed as systems: files of nuggets are read again for a machine's labels."""
    pool: Any = None
    """Further runs, which only say when they told something."""

    def prepare(self) -> Self:
        """The same, with the times at which any system first told something if a measure asks."""
        data = super().prepare()
        if self.choice.edition == "crisisfacts2023":
            from chronoscore.formats.corpora.crisisfacts_assessed import by_events

            collection, runs = by_events(data.collection, data.runs)
            data = replace(data, collection=collection, runs=tuple(runs))
        if not any(measure.pooled for measure in data.measures):
            return data
        from chronoscore.data.runs import load_pool
        from chronoscore.measures.streams.nuggets import add_first_times

        with follow(self.choice.reading):
            pooled = [*data.runs, *load_pool(self.pool, data.collection)]
        return replace(data, collection=add_first_times(data.collection, pooled))

    def split(self, machine: Any, *, sampled: bool = False) -> tuple[Self, Self]:
        """The same systems under people's judgements and under a machine's."""
        # Files of judgements take long to load; only machines pay for them.
        from chronoscore.data.machines import machine_sources
        from chronoscore.data.sides import split_people_and_machine

        people, theirs = split_people_and_machine(
            self.collection,
            self.runs,
            self.systems,
            machine_sources(machine),
            self.measures[0],
            sampled=sampled,
        )
        return (
            replace(self, collection=people.collection, runs=tuple(people.runs)),
            replace(self, collection=theirs.collection, runs=tuple(theirs.runs)),
        )


@dataclass(frozen=True, kw_only=True)
class RecordData:
    """Files of records, one for each system, whose texts are not read yet."""

    files: RecordFiles
    choice: Choice
    documents: DocumentFiles = field(default_factory=DocumentFiles)
    shards: Path | None = None
    """A folder that keeps the counts of finished blocks."""
    resume: bool = True
    """Whether to continue with the blocks in that folder."""

    def load(self) -> Data:
        """All texts at once, for what needs them."""
        with follow(self.choice.reading):
            collection, runs, lost = self.files.load()
        return Data(
            collection=self.documents.add_to(collection, self.choice.measures),
            runs=tuple(runs),
            choice=self.choice,
            documents=self.documents,
            lost=lost,
        )


def _human_runs(collection: Collection) -> list[Run]:
    """Each reference's author as a system that is compared only with the others' references."""
    outputs: dict[str, dict[str, Output]] = {}
    for topic in collection:
        if topic.pyramid is not None:
            from chronoscore.measures.units.classic import writers_choices

            for writer, units in writers_choices(topic.pyramid).items():
                outputs.setdefault(writer, {})[topic.id] = units
            continue
        references = _latest_references(topic)
        if len(references) < 2:
            raise DataError(
                "`humans` needs two references or more; add some", place=f"topic '{topic.id}'"
            )
        for number, reference in enumerate(references, 1):
            author = reference.author or f"reference {number}"
            outputs.setdefault(author, {})[topic.id] = reference
    return [Run(author, written, human=True) for author, written in outputs.items()]


def _latest_references(topic: Topic) -> tuple[Summary | Timeline, ...]:
    """The references of a topic's last set, or its timelines."""
    latest = max((summary.set for summary in topic.summaries), default="")
    written = tuple(summary for summary in topic.summaries if summary.set == latest)
    return written or topic.timelines
